"""Two engines, one behaviour."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from segue.ctx import Context
from segue.operations.registry import OPERATIONS
from segue.projectors.derive import derive
from segue.stores import events, sessions
from segue.stores.open import open_store
from tests.engines import NOW, new_url
from tests.places import answer, capture, context, edited, header, prompt, ran


def fill(ctx: Context) -> None:
    for at in range(6):
        into = header(f"s{at % 3}", branch="main")
        capture(ctx, prompt(f"question {at} about parseConfig", key=f"p{at}"), into=into)
        capture(ctx, ran(f"pytest -k t{at}", "failed" if at == 4 else "ok", f"{at} passed"), into=into)
        capture(ctx, edited(f"[WORKSPACE]/src/m{at}.py", f"old {at}", f"new {at}"), answer(f"done {at}"), into=into)
    capture(ctx, ran("ls", "ok"), into=header("s0", agent_id="a1", agent_type="Explore"))
    derive(ctx, ctx.spool_dir)


def told(ctx: Context) -> dict[str, Any]:
    ops = {operation.name: operation for operation in OPERATIONS}
    return {
        "brief": ops["brief"].run(ctx, {}),
        "found": sorted(h["id"] for h in ops["search"].run(ctx, {"query": "parseConfig", "events": True})["hits"]),
        "show": ops["show"].run(ctx, {"id": "claude-code:s1"})["events"],
        "trace": ops["trace"].run(ctx, {"id": "claude-code:s0"}),
        "verify": {k: v for k, v in ops["verify"].run(ctx, {}).items() if k != "engine"},
        "events": ops["status"].run(ctx, {})["events"],
    }


@pytest.mark.promise("STO-1")
def test_the_same_work_gives_the_same_answers_on_both_engines(
    tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    answers = []
    for engine in ("memory", "file", "postgresql"):
        ctx = context(new_url(engine, tmp_path, request), tmp_path)
        fill(ctx)
        answers.append(told(ctx))
        ctx.store.close()
    assert answers[0] == answers[1] == answers[2]
    assert len(answers[0]["found"]) == 6
    assert "failing: pytest -k t4" in answers[0]["brief"]["text"]


@pytest.mark.promise("STO-1")
def test_a_value_is_data_on_both_engines(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    hostile = "'; DROP TABLE events; -- %s %(x)s :name ? \\ \0 \U0001f600"
    capture(ctx, prompt(hostile, key=hostile), into=header("s'1", branch=hostile))
    assert ctx.store.one("SELECT count(*) FROM events") == (1,)
    (session,) = sessions.latest(ctx.store, ctx.scope(), 5)
    assert session.session_id.startswith("claude-code:x")
    assert events.window(ctx.store, ctx.scope(), session.session_id, 0, 9)[0].body == {"text": hostile}
    ctx.store.close()


@pytest.mark.promise("STO-14")
def test_text_compares_by_code_point_whatever_the_collation(postgres_address: str) -> None:
    sign = "&" if "?" in postgres_address else "?"
    store = open_store(f"{postgres_address}{sign}schema=collated", now=NOW)
    columns = store.all(
        "SELECT table_name, column_name, collation_name FROM information_schema.columns"
        " WHERE table_schema = 'collated' AND data_type = 'text'"
    )
    assert len(columns) > 60
    assert [row for row in columns if row[2] != "C"] == []
    store.close()


@pytest.mark.promise("STO-1")
def test_a_rebuild_of_one_tenant_costs_no_other_its_index(store_url: str, tmp_path: pathlib.Path) -> None:
    from segue.projectors.derive import rebuild

    ours = context(store_url, tmp_path)
    theirs = ours.replace(tenant="acme")
    capture(ours, prompt("needle of ours"))
    capture(theirs, prompt("needle of theirs"))
    for ctx in (ours, theirs):
        derive(ctx, ctx.spool_dir)
    rebuild(ours, ours.spool_dir)
    search = next(operation for operation in OPERATIONS if operation.name == "search")
    assert len(search.run(ours, {"query": "needle"})["hits"]) == 1
    assert len(search.run(theirs, {"query": "needle"})["hits"]) == 1
    ours.store.close()
