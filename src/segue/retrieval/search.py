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


#: matches that are looked at first for each log that is wanted
EVENTS_PER_SESSION = 8


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
        hits += docs.match(engine, scope.tenant, scope_no, query.terms, chosen, limit + 1)
    hits.sort(key=_rank)
    return Found(hits=tuple(hits[:limit]), capped=len(hits) > limit)


def search_sessions(engine: Engine, scope: Scope, query: Query, chosen: EventFilter, limit: int) -> Found:
    """The strongest matching event of each session, sessions ranked by it."""
    if not query.terms or chosen.session_ids == () or chosen.types == () or chosen.surfaces == ():
        return Found(hits=(), capped=False)
    hits: list[EventHit] = []
    for scope_no in docs.visible_scopes(engine, scope):
        hits += _strongest(engine, scope.tenant, scope_no, query, chosen, limit + 1)
    strongest: dict[str, EventHit] = {}
    for hit in sorted(hits, key=_rank):
        strongest.setdefault(hit.session_id, hit)
    ranked = tuple(strongest.values())
    return Found(hits=ranked[:limit], capped=len(ranked) > limit)


def _strongest(
    engine: Engine, tenant: str, scope_no: int, query: Query, chosen: EventFilter, limit: int
) -> list[EventHit]:
    """The best match of each log of a scope, best logs first.

    Among the best matches the first of each log is its strongest. Mostly a few of them name enough logs, and the
    statement that compares all matches of each log need not be asked.
    """
    most = limit * EVENTS_PER_SESSION
    best = sorted(docs.match(engine, tenant, scope_no, query.terms, chosen, most), key=_rank)
    found: dict[str, EventHit] = {}
    for hit in best:
        found.setdefault(hit.session_id, hit)
    if len(best) >= most and len(found) < limit:
        return docs.strongest(engine, scope_no, query.terms, chosen, limit)
    return list(found.values())[:limit]


def _rank(hit: EventHit) -> tuple[float, int, str, int]:
    newest_first = -int("".join(c for c in hit.event_time if c.isdigit()) or 0)
    return (hit.score, newest_first, hit.session_id, -hit.seq)
