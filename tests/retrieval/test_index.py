"""How the index follows the log."""

from __future__ import annotations

import pytest

from segue.ctx import Context
from segue.projectors import index
from segue.projectors.derive import derive
from segue.stores import docs
from tests.places import capture, header, project, prompt


def ready(ctx: Context, room: int = 10_000) -> list[list[index.Ready]]:
    logs = docs.pending(ctx.store, ctx.tenant, 100)
    return list(index.batches(ctx, logs, room, {}))


def indexed(ctx: Context) -> list[tuple[str, int]]:
    rows = ctx.store.all("SELECT session_id, seq FROM event_docs ORDER BY session_id, seq")
    return [(row[0].removeprefix("claude-code:"), row[1]) for row in rows]


@pytest.mark.promise("SEA-18")
def test_what_two_processes_made_ready_is_indexed_once(ctx: Context) -> None:
    capture(ctx, prompt("one"), prompt("two"))
    capture(ctx, prompt("three"), into=header("s2"))
    (ours,), (theirs,) = ready(ctx), ready(ctx)
    assert index.write(ctx, ours) == 3
    assert index.write(ctx, theirs) == 0
    assert indexed(ctx) == [("s1", 0), ("s1", 1), ("s2", 0)]


@pytest.mark.promise("SEA-18")
def test_a_log_that_another_process_moved_costs_the_others_of_its_batch_nothing(ctx: Context) -> None:
    capture(ctx, prompt("one"))
    (theirs,) = ready(ctx)
    capture(ctx, prompt("two"), into=header("s2"))
    (ours,) = ready(ctx)
    index.write(ctx, theirs)
    capture(ctx, prompt("three"))
    assert index.write(ctx, ours) == 1
    assert indexed(ctx) == [("s1", 0), ("s2", 0)]
    assert derive(ctx, ctx.spool_dir).left == 0
    assert indexed(ctx) == [("s1", 0), ("s1", 1), ("s2", 0)]


@pytest.mark.promise("SEA-19")
def test_a_body_that_is_dropped_while_its_words_are_made_is_not_indexed(ctx: Context) -> None:
    capture(ctx, prompt("forget me"), prompt("kept"))
    (batch,) = ready(ctx)
    ctx.store.run("UPDATE events SET body = NULL, salt = NULL WHERE seq = 0")
    assert index.write(ctx, batch) == 2
    assert indexed(ctx) == [("s1", 1)]


@pytest.mark.promise("SEA-18")
def test_a_transaction_of_the_index_is_bounded_and_of_one_scope(ctx: Context) -> None:
    for at in range(3):
        capture(ctx, *(prompt(f"{n} of {at}") for n in range(index.BATCH * 2 // 5)), into=header(f"a{at}"))
    capture(ctx.replace(project=project("beta")), prompt("elsewhere"), into=header("b1"))
    for at in range(9):
        capture(ctx, prompt("long " * 30_000), into=header(f"c{at}"))
    sizes = [[each.end - each.log.low for each in batch] for batch in ready(ctx)]
    assert sizes == [[400, 400, 200], [1], [1] * 8, [1]]
    assert derive(ctx, ctx.spool_dir, limit=500).left == 710
    assert derive(ctx, ctx.spool_dir).indexed == 710
    assert len(indexed(ctx)) == 1210
