"""What lies beside the rows: the spool, copies of the store, what readers remember, an index of a damaged log."""

from __future__ import annotations

import os
import pathlib
import time

import pytest

from segue.ctx import Context
from segue.projectors import index
from segue.projectors.erase import perform
from segue.sessionlog import spool
from segue.sessionlog.capture import clean
from segue.sessionlog.keeping import plan as plans
from segue.sessionlog.keeping.leftovers import ABANDONED_S
from segue.stores import docs, imports, sessions
from tests.keeping.test_delete import MARKER, found, holds, kept, run, told
from tests.places import answer, capture, header, prompt

__all__ = ["kept"]


def spooled(ctx: Context, name: str, ending: str, text: str = MARKER, age_s: float = 0, **more: str) -> pathlib.Path:
    """A batch that a hook left, renamed as no drain takes it."""
    batch = clean(header(name, **more), [prompt(text, key=text)], ctx.policy, ctx.now(), text)
    path = pathlib.Path(spool.put(ctx.spool_dir, batch, ctx.project, ctx.principal_id, f"n{len(os.listdir('.'))}"))
    aside = path.with_name(f"{name}-{len(os.listdir(path.parent))}.spool.json{ending}")
    path.rename(aside)
    os.utime(aside, (time.time() - age_s,) * 2)
    return aside


@pytest.mark.promise("KEEP-1")
@pytest.mark.promise("KEEP-3")
def test_batches_that_no_drain_moves_go_with_their_session_alone(kept: Context, tmp_path: pathlib.Path) -> None:
    gone = [
        spooled(kept, "s1", ".broken"),
        spooled(kept, "s1", ".part", age_s=2 * ABANDONED_S),
        spooled(kept, "s1", ".broken", agent_id="a7"),
    ]
    gone[1].write_bytes(gone[1].read_bytes()[:-9])  # its writer was killed
    os.utime(gone[1], (time.time() - 2 * ABANDONED_S,) * 2)
    stays = [spooled(kept, "s2", ".broken", text="of the twin"), spooled(kept, "s2", ".part", text="of the twin, too")]
    unknown = pathlib.Path(kept.spool_dir) / "junk.spool.json.broken"
    unknown.write_bytes(b"\xff{")
    planned = run(kept, "delete", ids=["claude-code:s1"])
    assert sorted(planned["spool"]["of_these"]) == sorted(map(str, gone))
    assert planned["spool"]["unknown"] == [str(unknown)]
    assert str(unknown) in told(kept, "delete", ids=["claude-code:s1"])
    assert all(path.exists() for path in gone)
    done = run(kept, "delete", ids=["claude-code:s1"], yes=True)["done"]
    assert (done["spooled"], done["problem"]) == (3, None)
    assert not holds(kept, tmp_path)
    assert not any(path.exists() for path in gone)
    assert all(path.exists() for path in (*stays, unknown))


@pytest.mark.promise("KEEP-2")
def test_deleting_a_subagent_leaves_what_waits_of_its_session(kept: Context) -> None:
    batch = clean(header("s1"), [prompt("it waits", key="w")], kept.policy, kept.now(), "w")
    spool.put(kept.spool_dir, batch, kept.project, kept.principal_id, "w")
    aside = spooled(kept, "s1", ".broken")
    run(kept, "delete", ids=["claude-code:s1/agent-a7"], yes=True)
    assert aside.exists()
    run(kept, "derive")
    assert found(kept, "waits") == ["claude-code:s1#5"]


@pytest.mark.promise("KEEP-10")
def test_what_a_deletion_could_not_remove_yet_is_told_and_removed_later(kept: Context, tmp_path: pathlib.Path) -> None:
    in_writing = spooled(kept, "s1", ".part")
    if kept.store.name == "sqlite":
        (tmp_path / "data" / "segue.db.before_v2").write_bytes(MARKER.encode())
    done = run(kept, "delete", ids=["claude-code:s1"], yes=True)
    assert "a hook is writing" in done["done"]["problem"]
    assert "segue derive" in told(kept, "status")
    assert run(kept, "status")["pending"]["scrub"]
    assert "a hook is writing" in told(kept, "derive")
    os.utime(in_writing, (time.time() - 2 * ABANDONED_S,) * 2)
    assert run(kept, "derive")["scrub"]["problem"] is None
    assert not run(kept, "status")["pending"]["scrub"]
    assert not holds(kept, tmp_path)


@pytest.mark.promise("KEEP-12")
def test_no_file_is_removed_that_segue_did_not_make(kept: Context, tmp_path: pathlib.Path) -> None:
    if kept.store.name == "sqlite":
        beside = tmp_path / "data"
        theirs = [beside / f"segue.db{ending}" for ending in ("-notes.txt", ".mine", ".before_vacation", ".damaged-x")]
        ours = [beside / f"segue.db{ending}" for ending in (".before_v3", ".damaged-20261201", ".damaged-20261201-wal")]
        for path in (*theirs, *ours):
            path.write_text("x")
        (beside / "segue.db.before_v9").mkdir()
        assert run(kept, "delete", ids=["claude-code:s1"], yes=True)["done"]["copies"] == tuple(sorted(map(str, ours)))
        assert [path.exists() for path in (*theirs, *ours)] == [True] * 4 + [False] * 3
        assert (beside / "segue.db.before_v9").is_dir()
    else:
        row = kept.store.one("SELECT current_schema()")
        assert row is not None
        ours_, theirs_ = f"{row[0]}_before_v3", [f"{row[0]}_before_vacation", f"{row[0]}_mine"]
        for name in (*theirs_, ours_):
            kept.store.run(f'CREATE SCHEMA "{name}"')
        assert run(kept, "delete", ids=["claude-code:s1"], yes=True)["done"]["copies"] == (ours_,)
        left = kept.store.all("SELECT nspname FROM pg_namespace WHERE nspname LIKE :name", {"name": f"{row[0]}\\_%"})
        assert sorted(name for (name,) in left) == theirs_
        for name in theirs_:
            kept.store.run(f'DROP SCHEMA "{name}"')


@pytest.mark.promise("KEEP-1")
@pytest.mark.parametrize("body", ['{"text":"other words"}', '{"text":"zyxqvkwj', '{"text":"zyxqvkwj zyxqvkwj"}'])
def test_a_damaged_log_is_deleted_to_the_last_byte(kept: Context, tmp_path: pathlib.Path, body: str) -> None:
    kept.store.run(
        "UPDATE events SET body = :body WHERE session_id = 'claude-code:s1' AND seq IN (0, 2)", {"body": body}
    )
    assert [row["seq"] for row in run(kept, "verify")["broken"]] == [0]
    assert holds(kept, tmp_path)
    run(kept, "delete", ids=["claude-code:s1"], yes=True)
    assert not holds(kept, tmp_path)
    assert found(kept) == []
    assert found(kept, "twin gate") == ["claude-code:s2#0"]
    assert run(kept, "verify")["ok"]


@pytest.mark.promise("KEEP-4")
@pytest.mark.parametrize("text", [None, MARKER])
def test_events_of_a_damaged_log_are_deleted(kept: Context, tmp_path: pathlib.Path, text: str | None) -> None:
    run(kept, "delete", ids=["claude-code:s1/agent-a7"], yes=True)
    kept.store.run("UPDATE events SET body = '{\"text\":\"zyxqvkwj' WHERE session_id = 'claude-code:s1' AND seq = 0")
    run(kept, "delete", ids=["claude-code:s1#0-2"], text=text, yes=True)
    kept.store.run("UPDATE sessions SET cwd = NULL WHERE session_id = 'claude-code:s1'")
    kept.store.scrub()
    assert not holds(kept, tmp_path)
    assert run(kept, "verify")["ok"]
    assert found(kept, "other thing") == ["claude-code:s1#3", "claude-code:s1#4"]


@pytest.mark.promise("KEEP-1")
def test_what_another_process_was_about_to_index_is_looked_at_again(kept: Context) -> None:
    capture(kept, answer("secretly whispered", key="w1"), answer("openly spoken", key="w2"), into=header("s2"))
    (log,) = docs.pending(kept.store, kept.tenant, 9)
    ready = index.read(kept, log, 99, 10_000)
    session = sessions.get(kept.store, kept.scope(), "claude-code:s2")
    assert session is not None
    perform(kept, plans.span(kept, kept.scope(), session, range(9), "secretly", copies=True), "asked")
    assert index.write(kept, [ready]) == 2
    assert found(kept, "secretly") == []
    assert found(kept, "whispered") == ["claude-code:s2#2"]
    assert found(kept, "spoken") == ["claude-code:s2#3"]
    assert index.missing(kept) == []


def title_of(ctx: Context, name: str = "claude-code:s1") -> str | None:
    session = sessions.get(ctx.store, ctx.scope(), name)
    assert session is not None
    return session.title


@pytest.mark.promise("KEEP-2")
def test_a_title_that_quoted_what_was_deleted_does_not_come_back(kept: Context, tmp_path: pathlib.Path) -> None:
    run(kept, "delete", ids=["claude-code:s1#0-2", "claude-code:s1/agent-a7"], yes=True)
    capture(kept, prompt("more", key="m"), into=header("s1", title=f"Mend the {MARKER} gate"))
    assert title_of(kept) == "[deleted]"
    capture(kept, prompt("more", key="m"), into=header("s2", title="The twin"))
    assert title_of(kept, "claude-code:s2") == "The twin"  # the control
    run(kept, "delete", ids=["claude-code:f1#0"], yes=True)
    capture(kept, prompt("more", key="m"), into=header("f1", title="filler 1 of many words"))
    assert title_of(kept, "claude-code:f1") == "[deleted]"


@pytest.mark.promise("KEEP-1")
def test_what_readers_of_transcripts_remember_of_a_deleted_text_is_gone(kept: Context, tmp_path: pathlib.Path) -> None:
    run(kept, "delete", ids=["claude-code:s1/agent-a7"], yes=True)
    title = f"Mend the {MARKER} gate"
    state = {"reader": {"header": {"host_session_id": "s1", "title": title}, "at": 7}, "head": "h"}
    imports.move(kept.store, kept.tenant, "/t/s1.jsonl", "codex", 9, state, {}, kept.now())
    run(kept, "delete", ids=["claude-code:s1"], text=MARKER, yes=True)
    _, left, _ = imports.position(kept.store, kept.tenant, "/t/s1.jsonl")
    assert left["reader"] == {"header": {"host_session_id": "s1", "title": "[deleted]"}, "at": 7}
    session = sessions.get(kept.store, kept.scope(), "claude-code:s1")
    assert session is not None
    assert (session.cwd, session.title) == ("[WORKSPACE]/[deleted]", "Mend the [deleted] gate")
    assert not holds(kept, tmp_path)


@pytest.mark.promise("KEEP-3")
def test_several_are_deleted_at_once_and_counted_place_by_place(kept: Context) -> None:
    ids = ["claude-code:s1#1", "claude-code:s1#0-1", "claude-code:f1", "claude-code:f1#0", "claude-code:s1#3"]
    planned = run(kept, "delete", ids=ids)
    rows = {row["session"]["id"]: (row["seqs"], row["places"]) for row in planned["targets"]}
    assert rows == {
        "claude-code:s1": ([0, 1, 3], {"events": 3, "documents": 3, "lines": 0}),
        "claude-code:f1": (None, {"events": 1, "documents": 1, "lines": 0, "blocks": 0}),
    }
    assert "3 events, 3 documents" in told(kept, "delete", ids=ids)
    done = run(kept, "delete", ids=ids, yes=True)["done"]
    assert (done["sessions"], done["events"]) == (1, 4)
    assert found(kept, "other thing") == ["claude-code:s1#4"]
    left = {row["session"]["id"]: row["places"] for row in run(kept, "delete", ids=["claude-code:s1"])["targets"]}
    assert left["claude-code:s1"]["events"] == 2
