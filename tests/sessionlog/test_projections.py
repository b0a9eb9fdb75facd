"""Folds over a log: folded on, kept, not used when they do not fit, gone when their log is."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from segue.ctx import Context
from segue.model.event import Draft
from segue.sessionlog.projections.fold import COUNTS, FOLDS, TODOS, Fold, Step
from segue.sessionlog.projections.snapshot import KEEP_EVERY, Snapshot, snapshot
from segue.stores import projections, sessions
from tests.keeping.test_delete import run, told
from tests.places import answer, capture, context, prompt, ran

LOG = "claude-code:s1"


def todo(*entries: tuple[str, str], partial: bool = False) -> Draft:
    """A write of the to-do list."""
    listed = [{"content": content, "status": status} for content, status in entries]
    body: dict[str, Any] = {"todos": listed, **({"partial": True} if partial else {})}
    return Draft(type="todo/write", origin="model", body=body)


def states(ctx: Context, folds: tuple[Fold, ...] = FOLDS) -> Snapshot:
    session = sessions.get(ctx.store, ctx.scope(), LOG)
    assert session is not None
    return snapshot(ctx, session, folds)


def fill(ctx: Context, turns: int) -> None:
    for number in range(turns):
        capture(
            ctx,
            prompt(f"ask {number}"),
            ran(f"make {number}", "failed" if number % 3 else "ok"),
            todo(("first", "completed"), (f"second {number}", "pending")),
            answer(f"said {number}"),
        )


DRAFTS = st.lists(
    st.sampled_from(
        [prompt("p"), answer("a"), ran("x", "ok"), todo(("a", "pending")), todo(("b", "done"), partial=True)]
    ),
    max_size=30,
)


@pytest.mark.promise("PROJ-1")
@given(st.lists(DRAFTS, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
def test_a_state_that_was_folded_on_is_that_of_the_whole_log(tmp_path: pathlib.Path, parts: list[list[Draft]]) -> None:
    ctx = context("sqlite://:memory:", tmp_path)
    capture(ctx, prompt("begins"))
    seen = [Step(seq=0, type="user/message", action=None, outcome=None, time="", body={"text": "begins"})]
    for part in parts:
        capture(ctx, *part)
        for draft in part:
            seen.append(
                Step(
                    seq=len(seen), type=draft.type, action=draft.action, outcome=draft.outcome, time="", body=draft.body
                )
            )
        whole = {fold.name: fold.start for fold in FOLDS}
        for fold in FOLDS:
            for step in seen:
                whole[fold.name] = fold.after(whole[fold.name], step)
        assert states(ctx) == Snapshot(as_of=len(seen) - 1, states=whole)
    ctx.store.close()


@pytest.mark.promise("PROJ-1")
def test_a_long_log_is_kept_and_folded_on_from_there(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    fill(ctx, 30)
    first = states(ctx)
    kept = projections.of(ctx.store, ctx.tenant, LOG)
    assert {name: row.seq for name, row in kept.items()} == {"todos": 120, "counts": 120}
    assert first.states["counts"]["prompts"] == 30
    ctx.store.run("UPDATE projections SET state = '{\"prompts\":1000}' WHERE name = 'counts'")
    capture(ctx, prompt("one more"))
    assert states(ctx).states["counts"]["prompts"] == 1001  # the control: what is kept is what is folded on
    run(ctx, "rebuild")
    assert states(ctx).states["counts"]["prompts"] == 31
    assert KEEP_EVERY == 100
    ctx.store.close()


WRONG = {
    "another version": "UPDATE projections SET version = 99",
    "ahead of the log": "UPDATE projections SET seq = 121",
    "of another log": "UPDATE projections SET chain = (SELECT body_digest FROM events LIMIT 1)",
    "no JSON": "UPDATE projections SET state = '{'",
    "of another form": "UPDATE projections SET state = '7'",
    "before the log": "UPDATE projections SET seq = 0",
}


@pytest.mark.promise("PROJ-2")
@pytest.mark.parametrize("what", WRONG)
def test_what_does_not_fit_is_folded_anew(what: str, store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    fill(ctx, 30)
    right = states(ctx)
    ctx.store.run("UPDATE projections SET state = '{\"prompts\":1000}' WHERE name = 'counts'")
    ctx.store.run('UPDATE projections SET state = \'[{"id":"1","content":"planted"}]\' WHERE name = \'todos\'')
    assert "planted" in str(states(ctx))
    ctx.store.run(WRONG[what])
    assert states(ctx) == right
    assert states(ctx) == right  # and kept so
    ctx.store.close()


def twice(state: dict[str, int], step: Step) -> dict[str, int]:
    """A fold of another form: every event counts two."""
    return {"prompts": state.get("prompts", 0) + 2 * (step.seq >= 0)}


@pytest.mark.promise("PROJ-2")
def test_a_fold_that_comes_later_is_folded_from_the_beginning(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    fill(ctx, 30)
    before = states(ctx, (TODOS,))
    assert states(ctx, (TODOS, COUNTS)).states["counts"]["prompts"] == 30
    assert states(ctx).states["todos"] == before.states["todos"]
    newer = COUNTS.replace(version=2, after=twice)
    assert states(ctx, (newer,)).states["counts"]["prompts"] == 240
    ctx.store.close()


@pytest.mark.promise("PROJ-3")
def test_what_was_deleted_is_in_no_state(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    fill(ctx, 30)
    states(ctx)
    assert "second 29" in str(projections.of(ctx.store, ctx.tenant, LOG))
    run(ctx, "delete", ids=[f"{LOG}#118"], yes=True)
    assert projections.of(ctx.store, ctx.tenant, LOG) == {}
    assert "second 29" not in str(states(ctx))
    assert "second 28" in str(states(ctx))
    run(ctx, "delete", ids=[LOG], text="second 28", yes=True)
    assert "second 28" not in str(projections.of(ctx.store, ctx.tenant, LOG)) + str(states(ctx))
    run(ctx, "delete", ids=[LOG], yes=True)
    assert projections.of(ctx.store, ctx.tenant, LOG) == {}
    ctx.store.close()


@pytest.mark.promise("PROJ-4")
def test_a_session_shows_what_it_did_and_what_it_left_to_do(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    fill(ctx, 2)
    text = told(ctx, "show", id=LOG)
    assert "2 prompts, 2 answers, 2 tool results (1 failed)" in text
    assert "to do: second 1" in text
    assert "to do: first" not in text
    assert run(ctx, "show", id=LOG)["state"]["counts"]["prompts"] == 2
    ctx.store.close()
