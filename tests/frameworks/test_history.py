"""An agent in this process keeps its own history: live, resumed, forked, recovered, looked at."""

from __future__ import annotations

import os
import pathlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from segue.errors import (
    NotFoundError,
    NotJson,
    OpenTurn,
    SessionClosed,
    SessionExists,
    SessionHeld,
    StaleWriter,
    SurfaceInvalid,
    UsageError,
)
from segue.frameworks import History, LiveSession
from segue.model import vocabulary
from segue.model.entry import Entry
from segue.projectors.derive import rebuild
from segue.projectors.index import missing
from segue.sessionlog.verify import verify
from tests.engines import new_url
from tests.sessionlog.writers import process

Opener = Callable[..., History]
USER, ANSWER, CALL, RESULT = "user/message", "assistant/message", "tool/call", "tool/result"


@pytest.fixture(params=["file", "postgresql"])
def env(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> dict[str, str]:
    """The environment of a program whose store is on that engine."""
    store = new_url(request.param, tmp_path, request)
    home = tmp_path / "home"
    for folder in (home, tmp_path / "work"):
        folder.mkdir()
    return {"HOME": str(home), "SEGUE_HOME": str(tmp_path / "data"), "SEGUE_STORE": store, "PATH": os.environ["PATH"]}


@pytest.fixture
def opened(env: dict[str, str], tmp_path: pathlib.Path) -> Iterator[Opener]:
    """Opens histories of one agent in one folder, with a window that never ends by itself."""
    made: list[History] = []

    def open_history(**more: Any) -> History:
        made.append(History(str(tmp_path / "work"), env=env, **{"window_s": 1000.0, **more}))
        return made[-1]

    yield open_history
    for history in made:
        for live in list(history._live.values()):
            live.abandon()
        history.close()


def turn(live: LiveSession, number: int, *, until: str = "end") -> None:
    """A turn with one tool call, up to a point of it."""
    live.append("turn/start", {"turn": number})
    live.append(USER, {"text": f"ask {number}"})
    live.append("step/start", {"turn": number, "step": 1})
    calls = [{"id": f"c{number}", "name": "ls", "arguments": "{}"}]
    live.append(ANSWER, {"text": "", "calls": calls})
    if until == "asked":
        return
    live.append(CALL, {"call_id": f"c{number}", "tool": "ls"})
    if until == "called":
        return
    live.append(RESULT, {"call_id": f"c{number}", "text": "a b c"})
    live.append("step/end", {"turn": number, "step": 1})
    live.append("turn/end", {"turn": number, "reason": "completed"})


@pytest.mark.promise("HIST-4")
@pytest.mark.promise("HIST-11")
def test_what_was_appended_is_there_when_the_session_is_resumed(opened: Opener) -> None:
    with opened().create("one", model="m1") as live:
        turn(live, 1)
        live.flush()
        turn(live, 2)
        told, events = live.messages(), live.events()
    again = opened()
    assert list(again.inspect("one").messages) == told
    live = again.resume("one")
    assert live.messages() == told
    assert live.events()[:-1] == events
    assert live.events()[-1]["type"] == "session/end-seed"
    assert [message["role"] for message in told] == ["user", "assistant", "tool"] * 2
    assert told[2] == {"role": "tool", "content": "a b c", "tool_call_id": "c1"}
    turn(live, 3)
    live.flush()
    assert [event["seq"] for event in live.events()] == list(range(live.next_seq))
    assert verify(again._ctx).findings == ()


@pytest.mark.promise("HIST-5")
def test_what_is_appended_is_a_copy_without_its_secrets(opened: Opener) -> None:
    secret = "ghp_" + "R4nd0mT0k3nOfTheRightShape1234567890"[:36]
    live = opened().create()
    body = {"text": f"use {secret}", "list": [1]}
    live.append(USER, body)
    body["list"].append(2)  # type: ignore[attr-defined]
    live.messages()[0]["content"] = "changed"
    assert live.messages() == [{"role": "user", "content": live.events()[0]["body"]["text"]}]
    assert live.events()[0]["body"]["list"] == [1]
    assert secret not in str(live.events())
    assert secret not in str(live.title)
    assert live.events()[0]["body"]["text"].startswith("use ")


class Odd(dict[str, Any]):
    """No plain object."""


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.promise("HIST-6")
@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), -0.0, (1,), {1: 2}, object(), b"x", {1, 2}, Odd(), CYCLE, 10**301, print]
)
def test_what_is_no_json_is_refused_and_names_its_place(value: object, opened: Opener) -> None:
    live = opened().create()
    with pytest.raises(NotJson, match=r"user/message\.deep\[1\]"):
        live.append(USER, {"deep": [0, value]})
    assert live.next_seq == 0
    live.append(USER, {"deep": [0, 1.5, True, None, "x", {"y": []}]})  # the control
    assert live.events()[0]["body"]["deep"] == [0, 1.5, True, None, "x", {"y": []}]


@pytest.mark.promise("HIST-6")
def test_a_type_is_known_or_registered_and_no_program_writes_what_recovery_writes(opened: Opener) -> None:
    history = opened()
    live = history.create("mine")
    for type_, body in (
        ("mine/thing", {}),
        ("turn/end", {"turn": 1, "reason": "interrupted"}),
        ("session/end-seed", {}),
    ):
        with pytest.raises(UsageError):
            live.append(type_, body)
    for name in ("thing", "Mine/thing", "user/thing", "mine/"):
        with pytest.raises(UsageError):
            vocabulary.register(name)
    vocabulary.register("acme-agent/thing")
    live.append("acme-agent/thing", {"kept": True})
    with pytest.raises(SurfaceInvalid):
        live.append("acme-agent/thing", {}, cites=(0,))
    live.close()
    assert opened().inspect("mine").session.next_seq == 1


@pytest.mark.promise("HIST-6")
@pytest.mark.promise("SUR-5")
def test_a_replacement_takes_its_place_and_a_tools_result_changes_its_content_alone(opened: Opener) -> None:
    live = opened().create("one")
    turn(live, 1)
    turn(live, 2)
    surface, before = live.surface, live.messages()
    result = next(event for event in live.events() if event["type"] == RESULT)
    with pytest.raises(SurfaceInvalid):
        live.replace(result["seq"], result["seq"], RESULT, {"call_id": "other", "text": "cut"})
    assert (live.surface, live.messages()) == (surface, before)
    live.replace(result["seq"], result["seq"], RESULT, {"call_id": "c1", "text": "cut"})
    assert live.messages()[2] == {"role": "tool", "content": "cut", "tool_call_id": "c1"}
    live.replace(live.surface[0], live.surface[2], USER, {"text": "in short"})
    assert live.messages()[0] == {"role": "user", "content": "in short"}
    assert live.messages()[1:] == before[3:]
    assert live.generation == 2
    told = live.messages()
    live.close()
    history = opened()
    assert list(history.inspect("one").messages) == told
    assert verify(history._ctx).findings == ()


KILLED = """
import os, sys
from segue.frameworks import History
from tests.frameworks.test_history import turn
history = History(sys.argv[1], env=dict(os.environ), window_s=1000.0)
live = history.create("one")
turn(live, 1)
turn(live, 2, until=sys.argv[2])
live.flush()
print("ready", flush=True)
import threading
threading.Event().wait(120)
"""


def kill_in_turn(env: dict[str, str], folder: pathlib.Path, until: str) -> None:
    """A process that is killed in the middle of a turn, all that it appended durable."""
    with process(KILLED, str(folder), until, env=env) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.kill()


@pytest.mark.promise("HIST-7")
@pytest.mark.promise("HIST-10")
@pytest.mark.parametrize(("until", "code"), [("asked", "TOOL_NOT_STARTED"), ("called", "TOOL_OUTCOME_UNKNOWN")])
def test_a_turn_that_was_killed_is_closed_once(
    until: str, code: str, env: dict[str, str], opened: Opener, tmp_path: pathlib.Path
) -> None:
    kill_in_turn(env, tmp_path / "work", until)
    history = opened()
    seen = history.inspect("one")
    assert [draft.type for draft in seen.closers] == [RESULT, "step/end", "turn/end"]
    assert history.inspect("one") == seen  # looking changes nothing
    live = history.resume("one")
    added = live.events(seen.session.next_seq)
    assert [event["type"] for event in added] == [RESULT, "step/end", "turn/end", "session/end-seed"]
    assert added[0]["body"]["error"] == {"code": code}
    assert added[0]["cites"] == (() if until == "asked" else (seen.session.next_seq - 1,))
    assert added[2]["body"] == {"turn": 2, "reason": "interrupted"}
    assert {event["event_time"] for event in added[:3]} == {live.events()[seen.session.next_seq - 1]["event_time"]}
    live.close()
    assert opened().inspect("one").closers == ()
    live = opened().resume("one")
    assert live.next_seq == seen.session.next_seq + 4  # nothing twice, no second marker


@pytest.mark.promise("HIST-7")
def test_a_finished_log_is_closed_by_nothing(opened: Opener) -> None:
    with opened().create("one") as live:
        turn(live, 1)
        count = live.next_seq
    assert opened().inspect("one").closers == ()
    assert opened().resume("one").next_seq == count + 1


@pytest.mark.promise("HIST-8")
def test_a_fork_begins_with_its_sources_events_and_goes_its_own_way(opened: Opener) -> None:
    history = opened()
    live = history.create("one")
    turn(live, 1)
    boundary = live.next_seq - 1
    turn(live, 2)
    live.replace(live.surface[0], live.surface[1], USER, {"text": "in short"})
    child = history.fork("one", boundary, into="two")
    assert child.messages() == [
        {"role": "user", "content": "ask 1"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "ls", "arguments": "{}"}]},
        {"role": "tool", "content": "a b c", "tool_call_id": "c1"},
    ]
    assert child.header.parent_id == live.id
    assert child.header.seed_length == boundary + 1
    assert child.events()[-1]["type"] == "session/end-seed"
    whole = history.fork("one", into="three")
    assert whole.messages() == live.messages()
    again = history.fork("three", into="four")
    assert again.messages() == live.messages()
    child.append(USER, {"text": "another way"})
    child.flush()
    assert live.next_seq == whole.header.seed_length
    assert verify(history._ctx).findings == ()


@pytest.mark.promise("HIST-8")
def test_a_fork_that_cannot_be_is_refused_and_leaves_nothing(opened: Opener) -> None:
    history = opened()
    live = history.create("one")
    turn(live, 1)
    turn(live, 2, until="called")
    for at, error in ((live.next_seq - 1, OpenTurn), (99, UsageError), (-1, UsageError)):
        with pytest.raises(error):
            history.fork("one", at, into="two")
    with pytest.raises(SessionHeld):
        history.fork("one", 0, into="one")
    with pytest.raises(NotFoundError):
        history.fork("none", into="two")
    assert [session.session_id for session in history.sessions()] == [live.id]
    with pytest.raises(NotFoundError):
        history.inspect("two")
    history.fork("one", 8, into="two").close()  # the control
    with pytest.raises(SessionExists):
        history.fork("one", 8, into="two")


@pytest.mark.promise("HIST-9")
def test_a_live_session_is_not_resumed_or_made_again(opened: Opener) -> None:
    history, other = opened(), opened()
    live = history.create("one")
    turn(live, 1)
    live.flush()
    for asked in (history.resume, other.resume, history.create, other.create):
        with pytest.raises(SessionHeld):
            asked("one")
    live.close()
    with pytest.raises(SessionExists):
        other.create("one")
    with pytest.raises(SessionClosed):
        live.append(USER, {"text": "too late"})
    with pytest.raises(NotFoundError):
        other.resume("none")
    assert other.resume("one").next_seq == live.next_seq + 1  # the control


@pytest.mark.promise("HIST-9")
def test_a_name_that_was_never_written_is_free_again(opened: Opener) -> None:
    opened().create("one").close()
    live = opened().create("one")
    assert live.next_seq == 0


@pytest.mark.promise("HIST-9")
def test_a_writer_whose_log_was_continued_elsewhere_is_told_and_loses_nothing(opened: Opener) -> None:
    history = opened()
    live = history.create("one")
    live.append(USER, {"text": "mine"})
    live.flush()
    foreign: Entry = next(iter(history._home.entries(live.id)))
    with history._home._ctx.store.transaction():
        history._home._ctx.store.run("UPDATE sessions SET next_seq = 7")
    live.append(USER, {"text": "next"})
    with pytest.raises(StaleWriter):
        live.flush()
    assert [entry.seq for entry in live.pending()] == [2]
    history._home._ctx.store.run("UPDATE sessions SET next_seq = 2")
    live.flush()  # the control
    assert live.pending() == []
    assert foreign.seq == 0


@pytest.mark.promise("HIST-10")
def test_a_live_session_is_seen_with_what_is_not_written_yet(opened: Opener) -> None:
    history = opened()
    live = history.create("one")
    turn(live, 1, until="called")
    seen = history.inspect("one")
    assert seen.is_live
    assert list(seen.messages) == live.messages()
    assert seen.closers == ()
    assert [session.next_seq for session in history.sessions()] == [live.next_seq]
    with pytest.raises(NotFoundError):
        opened().inspect("one")  # nothing is written yet
    live.flush()
    assert not opened().inspect("one").is_live


@pytest.mark.promise("HIST-12")
def test_a_title_is_the_first_words_until_a_person_gives_one(opened: Opener) -> None:
    history = opened()
    live = history.create("one")
    live.append(USER, {"text": "\x1b]0;evil\x07mend   the\n\u202egate of the old northern garden"})
    assert live.title == "mend the gate of the"
    live.append(USER, {"text": "something else entirely"})
    assert live.title == "mend the gate of the"
    live.rename("  The \x1b[31mgate\u200b " + "x" * 200)
    assert live.title is not None
    assert live.title.startswith("The gate xxx")
    assert len(live.title.encode()) == 80
    live.append(USER, {"text": "and again"})
    live.close()
    assert opened().inspect("one").session.title == live.title


@pytest.mark.promise("HIST-4")
def test_threads_append_to_one_session_and_nothing_is_lost_or_doubled(opened: Opener) -> None:
    history = opened(window_s=0.01, limit=50)
    live = history.create("one")
    threads = [
        threading.Thread(target=lambda name=name: [live.append(USER, {"text": f"{name} {at}"}) for at in range(100)])
        for name in "abcd"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    live.close()
    seen = opened().inspect("one")
    texts = [message["content"] for message in seen.messages]
    assert sorted(texts) == sorted(f"{name} {at}" for name in "abcd" for at in range(100))
    for name in "abcd":
        assert [text for text in texts if text[0] == name] == [f"{name} {at}" for at in range(100)]
    assert verify(history._ctx).findings == ()


@pytest.mark.promise("HIST-4")
def test_outside_of_any_project_a_session_is_seen_by_its_name_alone(env: dict[str, str]) -> None:
    with History(env["HOME"], env=env) as history, history.create("one") as live:
        live.append(USER, {"text": "at home"})
    with History(env["HOME"], env=env) as history:
        assert list(history.inspect("one").messages) == [{"role": "user", "content": "at home"}]
        assert list(history.sessions()) == []
        history.resume("one").close()


def found(history: History, query: str, **more: Any) -> list[str]:
    """The events that match, by the program's own name of the session."""
    return [hit["id"].removeprefix("python:") for hit in history.search(query, **more)["hits"]]


@pytest.mark.promise("HIST-13")
def test_what_a_fork_inherited_is_indexed_once_and_found_in_both(opened: Opener) -> None:
    history = opened()
    live = history.create("one")
    live.append(USER, {"text": "the lantern of the north gate"})
    boundary = live.append(ANSWER, {"text": "lantern found"})
    child = history.fork("one", boundary, into="two")
    child.append(USER, {"text": "a lantern of its own"})
    child.flush()
    grandchild = history.fork("two", into="three")
    live.append(USER, {"text": "a lantern that only the first has"})
    live.flush()
    ctx = history._ctx
    for _ in range(2):
        assert sorted(found(history, "lantern")) == ["one#0", "one#2", "one#3", "two#4"]
        assert sorted(found(history, "lantern", session="one")) == ["one#0", "one#2", "one#3"]
        assert sorted(found(history, "lantern", session="two")) == ["two#0", "two#2", "two#4"]
        assert sorted(found(history, "lantern", session="three")) == ["three#0", "three#2", "three#4"]
        assert missing(ctx) == []
        rebuild(ctx, ctx.spool_dir)
    assert grandchild.header.seed_length == 5


@pytest.mark.promise("HIST-14")
def test_what_is_not_written_yet_is_found_once_and_first(opened: Opener) -> None:
    history = opened()
    live, other = history.create("one"), history.create("two")
    live.append(USER, {"text": "the parseHTTPReply lantern"})
    live.flush()
    live.append(USER, {"text": "用户身份 and a lantern"})
    other.append(USER, {"text": "unicorns only"})
    assert found(history, "lantern") == ["one#2", "one#0"]
    assert found(history, "lantern", limit=1) == ["one#2"]
    assert found(history, "用户", session="one") == ["one#2"]
    assert found(history, "unicorns", session="two") == ["two#0"]  # nothing of it is written
    assert found(history, "lantern", session="two") == []
    live.flush()
    other.flush()
    assert sorted(found(history, "lantern")) == ["one#0", "one#2"]
    assert found(history, "用户", session="one") == ["one#2"]
    assert found(history, "http reply") == ["one#0"]
    with pytest.raises(NotFoundError):
        history.search("lantern", session="three")
