"""Places on the surface of a stored log: taken, refused, verified, searched and traced."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from segue.errors import SurfaceInvalid
from segue.model.event import CURRENT, LOG_ONLY, SHADOWED, Draft
from segue.model.search import EventFilter
from segue.operations.registry import OPERATIONS
from segue.projectors.derive import derive, rebuild
from segue.retrieval.query import plan
from segue.retrieval.search import search_events
from segue.sessionlog import read
from segue.sessionlog.verify import verify
from segue.stores import events
from tests.places import answer, capture, context, prompt, ran

LOG = "claude-code:s1"


def summary(text: str, replaces: tuple[int, int], cites: tuple[int, ...]) -> Draft:
    """What takes the place of earlier events."""
    return Draft(type="user/message", origin="segue", body={"text": text}, replaces=replaces, cites=cites)


def compacted(ctx: Any) -> None:
    capture(ctx, prompt("about lanterns"), ran("make", "ok", "lanterns built"), answer("lanterns are lit"))
    capture(ctx, prompt("next"), summary("lanterns, in short", (0, 2), (0, 1, 2)))


def found(ctx: Any, words: str, *surfaces: str) -> list[int]:
    derive(ctx, ctx.spool_dir)
    hits = search_events(ctx.store, ctx.scope(), plan(words), EventFilter(surfaces=surfaces), 10).hits
    return sorted(hit.seq for hit in hits)


@pytest.mark.promise("SUR-6")
def test_a_replacement_shadows_what_it_replaces_in_the_log_and_in_the_index(
    store_url: str, tmp_path: pathlib.Path
) -> None:
    ctx = context(store_url, tmp_path)
    compacted(ctx)
    log = events.window(ctx.store, ctx.scope(), LOG, 0, 9)
    assert [event.surface for event in log] == [SHADOWED, SHADOWED, SHADOWED, CURRENT, CURRENT]
    for _ in range(2):
        assert found(ctx, "lanterns", SHADOWED) == [0, 1, 2]
        assert found(ctx, "lanterns", CURRENT) == [4]
        assert verify(ctx).findings == ()
        rebuild(ctx, ctx.spool_dir)
    ctx.store.close()


@pytest.mark.promise("SUR-6")
def test_what_is_indexed_already_is_shadowed_there_too(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    capture(ctx, prompt("about lanterns"), answer("lanterns are lit"))
    assert found(ctx, "lanterns", CURRENT) == [0, 1]
    capture(ctx, summary("lanterns, in short", (0, 1), (0, 1)))
    assert found(ctx, "lanterns", SHADOWED) == [0, 1]
    assert found(ctx, "lanterns", CURRENT) == [2]
    ctx.store.close()


@pytest.mark.promise("SUR-2")
def test_a_place_that_cannot_be_taken_stores_nothing_of_its_batch(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    compacted(ctx)
    with pytest.raises(SurfaceInvalid, match="event 1 is not on the surface"):
        capture(ctx, prompt("not stored"), summary("again", (1, 2), (1, 2)))
    assert len(events.window(ctx.store, ctx.scope(), LOG, 0, 99)) == 5
    capture(ctx, prompt("stored"), summary("again", (4, 3), (3, 4)))  # the control
    assert len(events.window(ctx.store, ctx.scope(), LOG, 0, 99)) == 7
    assert verify(ctx).findings == ()
    ctx.store.close()


TAMPERINGS = {
    "one more": "UPDATE events SET surface = 'shadowed' WHERE seq = 3",
    "one less": "UPDATE events SET surface = 'current' WHERE seq = 1",
    "never there": "UPDATE events SET surface = 'log-only' WHERE seq = 1",
    "another range": "UPDATE placements SET low = 1",
    "another citation": "UPDATE placements SET cites = '0 1 2 3'",
    "no placement": "DELETE FROM placements",
    "one added": "INSERT INTO placements (tenant, session_id, seq, cites) VALUES ('local', 'claude-code:s1', 3, '0')",
}


@pytest.mark.promise("LOG-3")
@pytest.mark.parametrize("what", TAMPERINGS)
def test_a_changed_place_is_found(what: str, store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    compacted(ctx)
    assert verify(ctx).findings == ()
    ctx.store.run(TAMPERINGS[what])
    assert [finding.session_id for finding in verify(ctx).findings] == [LOG]
    ctx.store.close()


@pytest.mark.promise("SUR-4")
def test_an_event_is_traced_to_what_replaced_it_and_to_what_it_was_made_from(
    store_url: str, tmp_path: pathlib.Path
) -> None:
    ctx = context(store_url, tmp_path)
    compacted(ctx)
    capture(ctx, summary("shorter", (4, 4), (4,)))
    assert read.placement(ctx, ctx.scope(), LOG, 1).as_dict() == {
        "replaced_by": (4, 5), "replaced": (), "cites": (), "cited_by": (4,),
    }  # fmt: skip
    assert read.placement(ctx, ctx.scope(), LOG, 4).as_dict() == {
        "replaced_by": (5,), "replaced": (0, 1, 2), "cites": (0, 1, 2), "cited_by": (5,),
    }  # fmt: skip
    trace = next(operation for operation in OPERATIONS if operation.name == "session_event_trace")
    told = trace.text(trace.run(ctx, {"session_id": LOG, "seq": 4}))
    assert "replaced by: #5" in told
    assert "takes the place of: #0, #1, #2" in told
    assert "used by: #5" in told
    told = trace.text(trace.run(ctx, {"session_id": LOG, "seq": 3}))
    assert told.count(": none") == 4
    assert LOG_ONLY not in told
    ctx.store.close()
