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

#: events looked at per wished-for session before the search says that it stopped (I18)
PAGES = 12


class Found(Record):
    """Hits, best first. `capped` says that there are more than were asked for or looked at."""

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
    strongest: dict[str, EventHit] = {}
    want = limit * 8
    for page in range(PAGES):
        seen = 0
        for scope_no in docs.visible_scopes(engine, scope) if query.terms else ():
            for hit in docs.match(engine, scope_no, query.terms, chosen, want, page * want):
                seen += 1
                held = strongest.get(hit.session_id)
                if held is None or _rank(hit) < _rank(held):
                    strongest[hit.session_id] = hit
        if seen < want or len(strongest) > limit:
            break
    ranked = sorted(strongest.values(), key=_rank)
    return Found(hits=tuple(ranked[:limit]), capped=len(ranked) > limit or seen >= want)


def _rank(hit: EventHit) -> tuple[float, int, str, int]:
    newest_first = -int("".join(c for c in hit.event_time if c.isdigit()) or 0)
    return (hit.score, newest_first, hit.session_id, -hit.seq)
