"""Deleting: every byte, every door, every way back."""

from __future__ import annotations

import os
import pathlib
import re
from typing import Any

import pytest

from segue.ctx import Context
from segue.errors import NotFoundError, UsageError
from segue.model.event import Draft
from segue.model.injection import Injection, Item, Judged
from segue.model.operation import check
from segue.operations.registry import OPERATIONS
from segue.projectors import index
from segue.projectors.derive import derive, rebuild
from segue.sessionlog import spool
from segue.sessionlog.capture import clean
from segue.sessionlog.verify import verify
from segue.stores import injections, sessions
from tests.engines import new_url
from tests.places import answer, capture, context, header, prompt, ran

#: a word of no language, in one piece also as the index keeps it
MARKER = "zyxqvkwj"
BY_NAME = {operation.name: operation for operation in OPERATIONS}


def run(ctx: Context, name: str, **request: Any) -> dict[str, Any]:
    """An operation as a person asks for it."""
    operation = BY_NAME[name]
    return operation.run(ctx, check(operation.params, request, person=True))


def told(ctx: Context, name: str, **request: Any) -> str:
    return BY_NAME[name].text(run(ctx, name, **request))


def fill(ctx: Context, marker: str = MARKER) -> None:
    """A session that holds the marker everywhere, a twin that does not, and a session that was shown lines of both."""
    for number in range(40):
        capture(ctx, prompt(f"filler {number} of many words that fill pages"), into=header(f"f{number}"))
    drafts = (
        prompt(f"please mend the {marker} gate", key="p1"),
        ran(f"grep {marker} log", "failed", f"error: {marker} broke\n" * 50, key="r1"),
        answer(f"the {marker} gate is mended", key="a1"),
        prompt("and the other thing", key="p2"),
        answer("the other thing is done, too", key="a2"),
    )
    capture(ctx, *drafts, into=header("s1", title=f"Mend the {marker} gate", cwd=f"/src/alpha/{marker}"))
    capture(ctx, prompt(f"subagent of {marker}"), into=header("s1", agent_id="a7"))
    capture(ctx, prompt("the twin gate stays", key="t1"), answer("it does", key="t2"), into=header("s2"))
    derive(ctx, ctx.spool_dir)


def bytes_of(folder: pathlib.Path) -> bytes:
    """Every byte of every file below, names included."""
    found = b""
    for path in sorted(folder.rglob("*")):
        found += str(path).encode() + (path.read_bytes() if path.is_file() else b"")
    return found


def holds(ctx: Context, folder: pathlib.Path, marker: str = MARKER) -> bool:
    """Whether the marker is anywhere: in a file's bytes, in a row, or in a page of the server."""
    if ctx.store.name == "sqlite":
        return marker.encode() in bytes_of(folder)
    ctx.store.run("CHECKPOINT")
    schema = ctx.store.one("SELECT current_schema()")
    assert schema is not None
    found = b""
    relations = ctx.store.all(
        "WITH own AS (SELECT c.oid, c.reltoastrelid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = :schema) SELECT pg_relation_filepath(oid) FROM own UNION SELECT"
        " pg_relation_filepath(reltoastrelid) FROM own WHERE reltoastrelid <> 0",
        {"schema": schema[0]},
    )
    for (path,) in relations:
        row = ctx.store.one("SELECT pg_read_binary_file(:path, 0, 1000000000, true)", {"path": path}) if path else None
        found += bytes(row[0]) if row and row[0] else b""
    return marker.encode() in found


@pytest.fixture(params=["file", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Context:
    """A context on a filled store in a folder of its own."""
    folder = tmp_path / "data"
    folder.mkdir()
    ctx = context(new_url(request.param, folder, request), folder)
    request.addfinalizer(ctx.store.close)
    fill(ctx)
    return ctx


def found(ctx: Context, words: str = MARKER, **more: Any) -> list[str]:
    return sorted(hit["id"] for hit in run(ctx, "search", query=words, events=True, **more)["hits"])


@pytest.mark.promise("KEEP-1")
@pytest.mark.promise("KEEP-6")
def test_a_deleted_session_is_in_no_byte_and_its_twin_is_whole(kept: Context, tmp_path: pathlib.Path) -> None:
    brief = run(kept, "brief")
    assert MARKER in str(brief)
    assert holds(kept, tmp_path)
    assert len(found(kept)) == 4
    answer_ = run(kept, "delete", ids=["claude-code:s1"], yes=True)
    assert answer_["done"]["sessions"] == 2
    assert answer_["done"]["problem"] is None
    assert not holds(kept, tmp_path)
    assert found(kept) == []
    assert found(kept, "twin gate") == ["claude-code:s2#0"]
    assert MARKER not in str(run(kept, "brief"))
    assert run(kept, "verify")["ok"]


@pytest.mark.promise("KEEP-1")
@pytest.mark.promise("KEEP-4")
def test_deleted_events_are_in_no_byte_and_the_rest_of_the_log_holds(kept: Context, tmp_path: pathlib.Path) -> None:
    run(kept, "delete", ids=["claude-code:s1/agent-a7"], yes=True)
    run(kept, "delete", ids=["claude-code:s1#0-2"], yes=True)
    session = sessions.get(kept.store, kept.scope(), "claude-code:s1")
    assert session is not None
    assert session.title == "[deleted]"  # it quoted what went
    kept.store.run("UPDATE sessions SET cwd = NULL WHERE session_id = 'claude-code:s1'")  # a folder is no event's text
    kept.store.run("UPDATE projects SET name = name")
    kept.store.scrub()
    assert not holds(kept, tmp_path)
    assert found(kept) == []
    assert found(kept, "other thing") == ["claude-code:s1#3", "claude-code:s1#4"]
    verified = verify(kept)
    assert (verified.findings, verified.deleted) == ((), 3)
    assert "(deleted)" in told(kept, "show", id="claude-code:s1")
    rebuild(kept, kept.spool_dir)
    assert found(kept, "other thing") == ["claude-code:s1#3", "claude-code:s1#4"]
    assert index.missing(kept) == []
    for gone in ("claude-code:s1#77", "claude-code:s1#0-2"):
        with pytest.raises(NotFoundError):
            run(kept, "delete", ids=[gone], yes=True)


@pytest.mark.promise("KEEP-1")
@pytest.mark.promise("KEEP-4")
def test_a_deleted_text_is_in_no_byte_and_what_stood_around_it_is_found(kept: Context, tmp_path: pathlib.Path) -> None:
    run(kept, "delete", ids=["claude-code:s1/agent-a7"], yes=True)
    answer_ = run(kept, "delete", ids=["claude-code:s1"], text=MARKER, yes=True)
    assert answer_["done"]["texts"] == 3
    assert not holds(kept, tmp_path)
    assert found(kept, "mended") == ["claude-code:s1#2"]
    assert "the [deleted] gate is mended" in told(kept, "show", id="claude-code:s1#2")
    session = sessions.get(kept.store, kept.scope(), "claude-code:s1")
    assert session is not None
    assert session.title == "Mend the [deleted] gate"
    assert verify(kept).findings == ()
    assert index.missing(kept) == []
    kept.store.run("UPDATE events SET body = '{\"text\":\"forged\"}' WHERE session_id = 'claude-code:s1' AND seq = 2")
    assert [finding.seq for finding in verify(kept).findings] == [2]
    with pytest.raises(NotFoundError):
        run(kept, "delete", ids=["claude-code:s1"], text=MARKER)


@pytest.mark.promise("KEEP-2")
def test_a_deleted_session_does_not_come_back(kept: Context, tmp_path: pathlib.Path) -> None:
    head = header("s1", title=f"Mend the {MARKER} gate")
    batch = clean(head, [prompt(f"please mend the {MARKER} gate", key="p1")], kept.policy, kept.now(), "n1")
    spool.put(kept.spool_dir, batch, kept.project, kept.principal_id, "n1")
    run(kept, "delete", ids=["claude-code:s1"], yes=True)
    spool.put(kept.spool_dir, batch, kept.project, kept.principal_id, "n2")
    captured = capture(kept, prompt(f"please mend the {MARKER} gate", key="p1"), prompt("new"), into=head)
    assert (captured.added, captured.folded, captured.deleted) == (0, 0, 2)
    assert capture(kept, prompt("of a new subagent"), into=header("s1", agent_id="b1")).deleted == 1
    assert capture(kept, prompt("of a new session"), into=header("s3")).added == 1  # the control
    for _ in range(2):
        derive(kept, kept.spool_dir)
        rebuild(kept, kept.spool_dir)
        assert found(kept) == []
        assert spool.waiting(kept.spool_dir) == []
    assert not holds(kept, tmp_path)
    assert run(kept, "status")["deleted"] == {"here": 2, "everywhere": 2}


@pytest.mark.promise("KEEP-2")
def test_a_deleted_event_does_not_come_back(kept: Context) -> None:
    run(kept, "delete", ids=["claude-code:s1#0"], yes=True)
    captured = capture(kept, prompt(f"please mend the {MARKER} gate", key="p1"), into=header("s1"))
    assert (captured.added, captured.folded) == (0, 1)
    assert "claude-code:s1#0" not in found(kept)
    assert capture(kept, prompt("another", key="p9"), into=header("s1")).added == 1  # the control


@pytest.mark.promise("KEEP-3")
def test_a_plan_changes_nothing_and_names_what_goes(kept: Context, tmp_path: pathlib.Path) -> None:
    if kept.store.name == "sqlite":
        (tmp_path / "data" / "segue.db.before_v9").write_bytes(MARKER.encode())
    before = found(kept)
    text = told(kept, "delete", ids=["claude-code:s1"])
    assert "all of claude-code:s1 " in text
    assert "all of claude-code:s1/agent-a7" in text
    assert "host's own transcript" in text
    assert "add --yes" in text
    assert ("before_v9" in text) == (kept.store.name == "sqlite")
    assert "3 events of claude-code:s1" in told(kept, "delete", ids=["claude-code:s1#0-2"])
    assert found(kept) == before
    text = told(kept, "delete", ids=["claude-code:s1"], keep_subagents=True, yes=True)
    assert "agent-a7" not in text
    assert found(kept) == ["claude-code:s1/agent-a7#0"]
    assert not (tmp_path / "data" / "segue.db.before_v9").exists()


@pytest.mark.promise("KEEP-3")
@pytest.mark.parametrize("name", ["claude-code:s1#", "claude-code:s1#x", "claude-code:s1#3-1", "claude-code:s1#1-2-3"])
def test_what_names_no_events_is_refused(name: str, kept: Context) -> None:
    with pytest.raises(UsageError):
        run(kept, "delete", ids=[name], yes=True)
    with pytest.raises(UsageError):
        run(kept, "delete", ids=["claude-code:s1"], text=" ", yes=True)
    assert len(found(kept)) == 4


def sanitised(error: Exception) -> str:
    return re.sub(r"s[0-9]+", "S", str(error))


@pytest.mark.promise("KEEP-5")
def test_deleted_hidden_and_nonexistent_answer_alike(kept: Context) -> None:
    capture(kept.replace(principal_id="bob"), prompt("bob's"), into=header("s5"))
    run(kept, "delete", ids=["claude-code:s1"], yes=True)
    answers = []
    for name in ("s1", "s5", "s9"):
        said = []
        for operation in ("show", "trace", "archive", "delete"):
            with pytest.raises(NotFoundError) as raised:
                named = {"ids": [f"claude-code:{name}"]} if operation == "delete" else {"id": f"claude-code:{name}"}
                run(kept, operation, **named)
            said.append(sanitised(raised.value))
        with pytest.raises(NotFoundError) as raised:
            run(kept, "search", query="gate", session=f"claude-code:{name}")
        answers.append([*said, sanitised(raised.value)])
    assert answers[0] == answers[1] == answers[2]
    assert told(kept, "show", id="claude-code:s2")  # the control


@pytest.mark.promise("KEEP-9")
def test_acts_are_on_record_without_what_they_were_about(kept: Context, tmp_path: pathlib.Path) -> None:
    run(kept, "archive", id="claude-code:s2")
    run(kept, "delete", ids=["claude-code:s1"], reason="mistake", yes=True)
    acts = run(kept, "audit")["acts"]
    assert [act["act"] for act in acts] == ["delete", "delete", "archive"]
    assert acts[0]["reason"] == acts[1]["reason"] == "mistake"
    assert sum(act["counts"]["events"] for act in acts[:2]) == 6
    assert "s1" not in str([{**act, "target": "", "chain": "", "recorded_at": ""} for act in acts])
    assert "1 session, 5 events  (mistake)" in told(kept, "audit") or "5 events, 1 session" in told(kept, "audit")
    assert run(kept, "verify")["audit"] is None
    kept.store.run("UPDATE audit SET reason = 'asked' WHERE audit_no = 1")
    verified = run(kept, "verify")
    assert (verified["ok"], verified["audit"]["audit_no"]) == (False, 1)
    kept.store.run("DELETE FROM audit WHERE audit_no = 1")
    assert run(kept, "verify")["audit"]["problem"] == "the act is missing"


@pytest.mark.promise("KEEP-11")
def test_no_agents_tool_deletes_or_puts_aside() -> None:
    tools = {operation.name for operation in OPERATIONS if operation.tool}
    assert tools
    assert tools & {"delete", "archive", "restore", "hold", "release", "retain", "audit"} == set()


@pytest.mark.promise("KEEP-7")
def test_an_archived_session_is_out_of_sight_until_it_is_restored(kept: Context) -> None:
    assert "twin" in str(run(kept, "search", query="twin")["hits"])
    assert run(kept, "archive", id="claude-code:s2")["changed"]
    assert not run(kept, "archive", id="claude-code:s2")["changed"]
    assert found(kept, "twin") == []
    assert "--archived" in told(kept, "search", query="twin")
    assert "--archived" not in told(kept, "search", query="nothing of this", archived=True)
    assert found(kept, "twin", archived=True) == ["claude-code:s2#0"]
    assert found(kept, "twin", session="claude-code:s2") == ["claude-code:s2#0"]  # asked for by name
    assert "claude-code:s2" not in {session.session_id for session in sessions.latest(kept.store, kept.scope(), 99)}
    assert "claude-code:s2 " in told(kept, "show", id="claude-code:s2")
    assert run(kept, "restore", id="claude-code:s2")["changed"]
    assert found(kept, "twin") == ["claude-code:s2#0"]
    assert [act["act"] for act in run(kept, "audit")["acts"]] == ["restore", "archive"]


@pytest.mark.promise("KEEP-1")
def test_lines_that_other_blocks_took_from_what_goes_go_too(kept: Context) -> None:
    items = tuple(
        Judged(
            item=Item(layer="x", text=f"line {name}", session_id=f"claude-code:{name}", seq=seq),
            disposition="shown",
            reason="fits",
        )
        for name, seq in (("s1", 0), ("s1", 3), ("s1", None), ("s2", 0))
    )
    shown = Injection(
        injection_id="i1", session_id="claude-code:s2", source="startup", created_at=kept.now(), tokens=1, bytes=1,
        items=items,
    )  # fmt: skip
    injections.add(kept.store, kept.scope(), shown)
    run(kept, "delete", ids=["claude-code:s1#0"], yes=True)
    left = injections.get(kept.store, kept.scope(), "i1")
    assert left is not None
    assert [judged.item.text for judged in left.items] == ["line s1", "line s2"]
    run(kept, "delete", ids=["claude-code:s1"], yes=True)
    left = injections.get(kept.store, kept.scope(), "i1")
    assert left is not None
    assert [judged.item.text for judged in left.items] == ["line s2"]


@pytest.mark.promise("KEEP-6")
def test_an_event_that_other_sessions_only_mention_stays_theirs(kept: Context) -> None:
    capture(kept, Draft(type="user/message", origin="user", body={"text": f"again {MARKER}"}), into=header("s7"))
    run(kept, "delete", ids=["claude-code:s1"], yes=True)
    assert found(kept) == ["claude-code:s7#0"]
    assert os.path.isdir(os.path.dirname(kept.spool_dir))
