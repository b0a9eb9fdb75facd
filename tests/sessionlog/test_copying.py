"""Logs on their way from home to home: nothing changes, nothing is doubled, nothing of another log is mixed in."""

from __future__ import annotations

import pathlib
import random
from typing import Any

import pytest

from segue.ctx import Context
from segue.model.entry import Entry
from segue.model.event import Draft
from segue.sessionlog import read
from segue.sessionlog.copying import Copied, copy
from segue.sessionlog.homes.files import FileHome
from segue.sessionlog.homes.seam import End
from segue.sessionlog.homes.store import StoreHome
from segue.sessionlog.live.fork import copied, seeded
from segue.sessionlog.verify import verify, verify_files
from segue.stores import sessions
from tests.engines import new_url
from tests.places import answer, capture, context, header, prompt, ran
from tests.sessionlog.logs import ALPHA, end_of, entries, entry, log, start


def rows(ctx: Context) -> dict[str, list[Any]]:
    """All that a store keeps of logs, as it keeps it."""
    return {
        table: [tuple(bytes(v) if isinstance(v, memoryview) else v for v in row) for row in ctx.store.all(statement)]
        for table, statement in {
            "sessions": "SELECT * FROM sessions ORDER BY session_id",
            "events": "SELECT * FROM events ORDER BY session_id, seq",
            "placements": "SELECT * FROM placements ORDER BY session_id, seq",
            "projects": "SELECT project_id, kind, identity, name FROM projects ORDER BY project_id",
        }.items()
    }


def lived(ctx: Context) -> None:
    """A store in which there is all that a log can be: replaced, cited, forked, deleted, unknown, of a subagent."""
    capture(
        ctx, prompt("ask ☃", key="k1"), answer("say"), ran("make", "failed", "no\0thing"), into=header("s1", title="T")
    )
    capture(ctx, prompt("ask again"), answer("x" * 5000), into=header("s1", model="m", branch="main"))
    capture(ctx, prompt("do it"), into=header("s1", agent_id="a5", agent_type="explorer"))
    capture(ctx, answer("short", replaces=(0, 1), cites=(0, 1)), into=header("s1"))
    capture(ctx, Draft(type="later/thing", origin="host", body={"n": [1, None, 2.5]}), into=header("s2"))
    ctx.store.run(
        "UPDATE events SET body = NULL, salt = NULL, subject = NULL WHERE session_id = 'claude-code:s1' AND seq = 2"
    )
    home = StoreHome(ctx)
    source = home.session("claude-code:s1")
    assert source is not None
    later = dict.fromkeys(("started_at", "last_event_at", "recorded_at"), "2026-12-24T12:00:00.000Z")
    child = log("local:fork", parent_id=source.session_id, seed_length=3, title="T", **later)
    home.append(child, copied(home.entries(source.session_id, 0, 3), child.session_id), start(child))
    for number in range(3):
        many = log(f"local:many{number}")
        home.append(many.replace(title="of the end"), made := entries(many, 250), start(many))
        named = entry(many, end_of(made), type="session/title", body='{"title":"given"}')
        home.append(many.replace(title="given"), [named, *entries(many, 199, end_of([named]))], end_of(made))


def moved(source: Any, target: Any) -> list[Copied]:
    return [copy(source, target, session, session) for session in source.sessions()]


def tree(folder: pathlib.Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.jsonl")}


@pytest.mark.promise("HOME-12")
@pytest.mark.parametrize("engine", ["file", "postgresql"])
def test_from_the_store_to_files_and_into_another_store_no_bit_changes(
    engine: str, tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    ctx, other = context(new_url(engine, tmp_path, request), tmp_path), context("sqlite://:memory:", tmp_path)
    lived(ctx)
    files = FileHome(str(tmp_path / "out"), ALPHA)
    out = moved(StoreHome(ctx), files)
    assert [done.problem for done in out] == [None] * 7
    assert sum(done.added for done in out) == len(rows(ctx)["events"])
    assert verify_files(str(tmp_path / "out")).findings == ()
    assert verify_files(str(tmp_path / "out")).deleted == 2
    assert list(FileHome(str(tmp_path / "out")).sessions()) == list(StoreHome(ctx).sessions())
    back = moved(FileHome(str(tmp_path / "out")), StoreHome(other))
    assert [done.problem for done in back] == [None] * 7
    assert rows(other) == rows(ctx)
    assert verify(other).findings == ()
    again = FileHome(str(tmp_path / "again"), ALPHA)
    moved(StoreHome(other), again)
    assert tree(tmp_path / "again") == tree(tmp_path / "out")
    ctx.store.close()
    other.store.close()


@pytest.mark.promise("HOME-12")
def test_a_second_time_adds_nothing_and_changes_no_byte(ctx: Context, tmp_path: pathlib.Path) -> None:
    lived(ctx)
    files = FileHome(str(tmp_path / "out"), ALPHA)
    moved(StoreHome(ctx), files)
    stored, written = rows(ctx), tree(tmp_path / "out")
    for done in moved(StoreHome(ctx), files) + moved(files, StoreHome(ctx)):
        assert (done.added, done.problem, done.forgotten) == (0, None, 0)
        assert done.known > 0
    assert (rows(ctx), tree(tmp_path / "out")) == (stored, written)


@pytest.mark.promise("HOME-12")
def test_the_longer_log_continues_the_shorter_wherever_it_is(ctx: Context, tmp_path: pathlib.Path) -> None:
    stored, files = StoreHome(ctx), FileHome(str(tmp_path / "out"), ALPHA)
    session = log()
    end, made = start(session), list[Entry]()
    for source, target in ((stored, files), (files, stored), (stored, files)):
        more = entries(session, 3, end)
        end = end_of(more)
        source.append(session, more, end_of(made) if made else start(session))
        made += more
        assert [(done.added, done.known, done.problem) for done in moved(source, target)] == [(3, len(made) - 3, None)]
        shorter = [(done.added, done.known) for done in moved(target, source)]
        assert shorter == [(0, len(made))]
    assert list(stored.entries("local:a")) == list(files.entries("local:a")) == made
    assert stored.session("local:a") == files.session("local:a")


@pytest.mark.promise("HOME-12")
def test_another_log_of_the_same_id_is_named_and_left_alone(ctx: Context, tmp_path: pathlib.Path) -> None:
    stored, files = StoreHome(ctx), FileHome(str(tmp_path / "out"), ALPHA)
    session = log()
    shared = entries(session, 2)
    for home, text in ((stored, "one"), (files, "two")):
        home.append(session, shared, start(session))
        home.append(session, [entry(session, end_of(shared), body=f'{{"text":"{text}"}}')], end_of(shared))
    fine = log("local:b")
    files.append(fine, entries(fine, 1), start(fine))
    before = rows(ctx)["events"], tree(tmp_path / "out")
    for done in moved(files, stored):
        assert (done.problem is None) == (done.session_id == "local:b")
    assert rows(ctx)["events"][:3] == before[0]
    assert "otherwise" in (moved(stored, files)[0].problem or "")
    assert tree(tmp_path / "out") == before[1]


@pytest.mark.promise("HOME-12")
def test_a_log_that_is_held_or_broken_is_named_and_the_others_are_taken(ctx: Context, tmp_path: pathlib.Path) -> None:
    files = FileHome(str(tmp_path / "out"), ALPHA)
    for name in ("local:broken", "local:fine", "local:held", "local:twice"):
        session = log(name)
        made = [entry(session, start(session), dedupe=b"the same key" if name > "local:h" else None)]
        files.append(session, made, start(session))
    path = tmp_path / "out" / "alpha-id-alpha" / "local~003Abroken" / "session.jsonl"
    path.write_bytes(path.read_bytes().replace(b"event 0", b"evont 0"))
    other = StoreHome(ctx)
    with FileHome(str(tmp_path / "out"), ALPHA).hold("local:held"):
        said = {done.session_id: done.problem for done in moved(files, other)}  # reading needs no lock
    assert "line 2: its text was changed" in (said.pop("local:broken") or "")
    assert "in another place" in (said.pop("local:twice") or "")  # no two events have one key
    assert said == {"local:fine": None, "local:held": None}
    with FileHome(str(tmp_path / "out"), ALPHA).hold("local:held"):
        session = log("local:held")
        other.append(session, entries(session, 1, other.end("local:held")), other.end("local:held") or start(session))
        said = {done.session_id: done.problem for done in moved(other, files)}
    assert "Another process" in (said["local:held"] or "")
    assert said["local:fine"] is None


@pytest.mark.promise("HOME-12")
def test_what_was_deleted_in_the_store_does_not_come_back_and_what_files_still_hold_is_told(
    ctx: Context, tmp_path: pathlib.Path
) -> None:
    capture(ctx, prompt("forget me"), answer("kept"))
    files = FileHome(str(tmp_path / "out"), ALPHA)
    moved(StoreHome(ctx), files)
    ctx.store.run("UPDATE events SET body = NULL, salt = NULL, subject = NULL WHERE seq = 0")
    assert [done.added for done in moved(files, StoreHome(ctx))] == [0]
    assert [found.body is None for found in StoreHome(ctx).entries("claude-code:s1")] == [True, False]
    assert [done.forgotten for done in moved(StoreHome(ctx), files)] == [1]


@pytest.mark.promise("HOME-12")
def test_an_agent_can_go_on_in_files_with_what_it_forked_from_the_store(ctx: Context, tmp_path: pathlib.Path) -> None:
    capture(ctx, prompt("ask"), answer("say"))
    source, files, child = StoreHome(ctx), FileHome(str(tmp_path / "out"), ALPHA), log("local:child", seed_length=2)
    seed = copied(source.entries("claude-code:s1"), child.session_id)
    files.append(child, seed, start(child))
    state = seeded(child.session_id, files.entries(child.session_id))
    files.append(child, more := entries(child, 1, state.end), state.end)
    assert [done.problem for done in moved(files, source)] == [None]
    found = read.session(ctx, ctx.scope(), "local:child")
    assert (found.seed_length, found.next_seq) == (2, 3)
    assert source.end("local:child") == End(seq=3, chain=more[0].chain)
    assert sessions.end(ctx.store, "local", "local:child") == (3, more[0].chain)


@pytest.mark.promise("HOME-1")
def test_whatever_writers_tell_both_homes_keep_the_same(tmp_path: pathlib.Path) -> None:
    ctx = context("sqlite://:memory:", tmp_path)
    stored, files = StoreHome(ctx), FileHome(str(tmp_path / "out"), ALPHA)
    chance = random.Random(20261202)
    texts, times = (None, "one", "two", ""), [f"2026-12-{day:02d}T12:00:00.000Z" for day in range(1, 29)]
    for number in range(60):
        session = log(f"local:{number}")
        end = start(session)
        for _ in range(chance.randrange(1, 8)):
            told = session.replace(
                **{name: chance.choice(texts) for name in ("title", "model", "branch", "cwd", "agent_type")},
                **{name: chance.choice(times) for name in ("started_at", "last_event_at", "recorded_at")},
            )
            batch = entries(session, chance.randrange(3), end)
            at = end_of(batch) if batch else end
            own = {"event_time": chance.choice(times), "recorded_at": chance.choice(times)}
            titled = {"type": "session/title", "body": chance.choice(('{"title":"given"}', '{"title":7}', "[]"))}
            placed = {"replaces": (at.seq - 1, at.seq - 1), "cites": (at.seq - 1,)} if len(batch) else {}
            batch.append(entry(session, at, **own, **(chance.choice((titled, placed, {})))))
            for home in (stored, files):
                home.append(told, batch, end)
            end = end_of(batch)
        assert files.session(session.session_id) == stored.session(session.session_id)
    fresh = FileHome(str(tmp_path / "out"), ALPHA)
    assert list(fresh.sessions()) == list(files.sessions()) == list(stored.sessions())
    for session in stored.sessions():
        assert list(fresh.entries(session.session_id)) == list(stored.entries(session.session_id))
        assert fresh.end(session.session_id) == stored.end(session.session_id)
    ctx.store.close()
