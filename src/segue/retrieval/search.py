"""Owns the search over events: a planned query against the visible scopes of the index. Never builds the index."""

from __future__ import annotations

from segue.model.record import Record
from segue.stores import docs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.model.scope import Scope
    from segue.model.search import EventFilter, EventHit
    from segue.retrieval.query import Query
    from segue.stores.engine import Engine


class Found(Record):
    """Hits, best first. `capped` says that there are more than were asked for."""

    hits: tuple[EventHit, ...]
    capped: bool


def search_events(engine: Engine, scope: Scope, query: Query, chosen: EventFilter, limit: int) -> Found:
    """The best matching events that this scope may see."""
    if not query.terms or chosen.session_ids == () or chosen.types == () or chosen.surfaces == ():
        return Found(hits=(), capped=False)
    hits: list[EventHit] = []
    for scope_no in docs.visible_scopes(engine, scope):
        hits += docs.match(engine, scope_no, query.terms, chosen, limit + 1)
    hits.sort(key=_rank)
    return Found(hits=tuple(hits[:limit]), capped=len(hits) > limit)


def search_sessions(engine: Engine, scope: Scope, query: Query, chosen: EventFilter, limit: int) -> Found:
    """The strongest matching event of each session, sessions ranked by it."""
    if not query.terms or chosen.session_ids == () or chosen.types == () or chosen.surfaces == ():
        return Found(hits=(), capped=False)
    hits: list[EventHit] = []
    for scope_no in docs.visible_scopes(engine, scope):
        hits += docs.strongest(engine, scope_no, query.terms, chosen, limit + 1)
    strongest: dict[str, EventHit] = {}
    for hit in sorted(hits, key=_rank):
        strongest.setdefault(hit.session_id, hit)
    ranked = tuple(strongest.values())
    return Found(hits=ranked[:limit], capped=len(ranked) > limit)


def _rank(hit: EventHit) -> tuple[float, int, str, int]:
    newest_first = -int("".join(c for c in hit.event_time if c.isdigit()) or 0)
    return (hit.score, newest_first, hit.session_id, -hit.seq)
