"""Owns the rows of the search index: which event is which document, in which scope. Never makes words of text.

A scope's documents are one range of docids, so that a search reads only its own part of each posting list.
"""

from __future__ import annotations

from segue.errors import StoreLocked
from segue.model.record import Record
from segue.model.search import EventHit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from segue.model.scope import Scope
    from segue.model.search import EventFilter
    from segue.stores.engine import Engine, Row, Terms

#: a log that the index is behind on; each was recorded at some time, and that lets engines take the short index
BEHIND = "next_seq > indexed AND status = 'ok' AND recorded_at > ''"
#: documents of one scope: 2^40 of them
SPAN = 1 << 40
#: writers of new scopes that may come before one
SCOPE_ATTEMPTS = 100

NARROW = "tenant = :tenant AND project_id = :project_id AND (visibility = 'project' OR principal_id = :principal_id)"
WIDE = "tenant = :tenant AND principal_id = :principal_id"


#: where a log's own events begin: what a fork inherited is indexed with its parent, where both have the same readers
START = (
    "CASE WHEN s.seed_length IS NOT NULL AND EXISTS (SELECT 1 FROM sessions p WHERE p.tenant = s.tenant"
    " AND p.session_id = s.parent_id AND p.project_id = s.project_id AND p.principal_id = s.principal_id"
    " AND p.visibility = s.visibility) THEN s.seed_length ELSE 0 END"
)


class Pending(Record):
    """A log whose events from `low` on are not indexed yet, and the scope it belongs to."""

    session_id: str
    project_id: str
    principal_id: str
    visibility: str
    low: int

    @property
    def scope(self) -> tuple[str, str, str]:
        """Whose its documents are: those of one scope are written together."""
        return self.project_id, self.principal_id, self.visibility


def pending(engine: Engine, tenant: str, limit: int) -> list[Pending]:
    """Logs that the index is behind on, oldest activity first."""
    rows = engine.all(
        "SELECT session_id, project_id, principal_id, visibility, indexed FROM sessions"
        f" WHERE tenant = :tenant AND {BEHIND} ORDER BY recorded_at, session_id LIMIT :limit",
        {"tenant": tenant, "limit": limit},
    )
    return [Pending(session_id=r[0], project_id=r[1], principal_id=r[2], visibility=r[3], low=int(r[4])) for r in rows]


def behind(engine: Engine, tenant: str) -> int:
    """How many events are not in the index."""
    row = engine.one(
        f"SELECT sum(next_seq - indexed) FROM sessions WHERE tenant = :tenant AND {BEHIND}", {"tenant": tenant}
    )
    return int(row[0] or 0) if row else 0


def lock_place(engine: Engine, tenant: str, session_id: str) -> int | None:
    """How far the index is in a log, held until the transaction ends; None where another one holds the log now."""
    row = engine.one(
        "SELECT indexed FROM sessions WHERE tenant = :tenant AND session_id = :session_id" + engine.for_update_free,
        {"tenant": tenant, "session_id": session_id},
    )
    return None if row is None else int(row[0])


def places(engine: Engine, tenant: str) -> list[tuple[str, int, int]]:
    """Every sound log with where its own events begin and how far the index is in it."""
    rows = engine.all(
        f"SELECT s.session_id, {START}, s.indexed FROM sessions s WHERE s.tenant = :tenant AND s.status = 'ok'"
        " ORDER BY s.session_id",
        {"tenant": tenant},
    )
    return [(str(row[0]), int(row[1]), int(row[2])) for row in rows]


def move_place(engine: Engine, tenant: str, session_id: str, seq: int) -> None:
    """Events below `seq` are in the index."""
    engine.run(
        "UPDATE sessions SET indexed = :seq WHERE tenant = :tenant AND session_id = :session_id",
        {"tenant": tenant, "session_id": session_id, "seq": seq},
    )


def begin_place(engine: Engine, tenant: str, session_id: str) -> None:
    """Put a fork's place behind what it inherited, where that is indexed with its parent."""
    engine.run(
        f"UPDATE sessions SET indexed = (SELECT {START} FROM sessions s WHERE s.tenant = :tenant"
        " AND s.session_id = :session_id) WHERE tenant = :tenant AND session_id = :session_id",
        {"tenant": tenant, "session_id": session_id},
    )


def drop(engine: Engine, tenant: str, session_id: str, seq: int) -> None:
    """Remove an event's document, whose words were taken out of the text index before."""
    engine.run(
        "DELETE FROM event_docs WHERE tenant = :tenant AND session_id = :session_id AND seq = :seq",
        {"tenant": tenant, "session_id": session_id, "seq": seq},
    )


def docids(engine: Engine, tenant: str, session_id: str) -> dict[int, int]:
    """The documents of a log's events, by their number."""
    rows = engine.all(
        "SELECT seq, docid FROM event_docs WHERE tenant = :tenant AND session_id = :session_id",
        {"tenant": tenant, "session_id": session_id},
    )
    return {int(row[0]): int(row[1]) for row in rows}


def scope_of(engine: Engine, tenant: str, log: Pending) -> int:
    """The number of the scope a log's documents live in, made when it is first needed."""
    params = {
        "tenant": tenant,
        "project_id": log.project_id,
        "principal_id": log.principal_id,
        "visibility": log.visibility,
    }
    for _ in range(SCOPE_ATTEMPTS):
        row = engine.one(
            "SELECT scope_no FROM index_scopes WHERE tenant = :tenant AND project_id = :project_id"
            " AND principal_id = :principal_id AND visibility = :visibility" + engine.for_update,
            params,
        )
        if row is not None:
            return int(row[0])
        # two writers may want the same number for two scopes: one gets it, the other asks again
        engine.run(
            "INSERT INTO index_scopes (scope_no, tenant, project_id, principal_id, visibility)"
            " SELECT coalesce(max(scope_no), 0) + 1, :tenant, :project_id, :principal_id, :visibility FROM index_scopes"
            " WHERE true ON CONFLICT DO NOTHING",
            params,
        )
    raise StoreLocked("no number for a new scope of the index")


def next_docid(engine: Engine, scope_no: int) -> int:
    """The first free document number of a scope."""
    low = scope_no * SPAN
    row = engine.one(
        "SELECT max(docid) FROM event_docs WHERE docid BETWEEN :low AND :high", {"low": low, "high": low + SPAN - 1}
    )
    return int(row[0]) + 1 if row and row[0] is not None else low


def indexed(engine: Engine, tenant: str, session_id: str, low: int, high: int) -> set[int]:
    """Which events with low <= seq < high are documents already, should a cursor have been lost."""
    rows = engine.all(
        "SELECT seq FROM event_docs WHERE tenant = :tenant AND session_id = :session_id"
        " AND seq >= :low AND seq < :high",
        {"tenant": tenant, "session_id": session_id, "low": low, "high": high},
    )
    return {int(row[0]) for row in rows}


def visible_scopes(engine: Engine, scope: Scope) -> list[int]:
    """The numbers of the scopes that a reader sees."""
    rows = engine.all(
        f"SELECT scope_no FROM index_scopes WHERE {WIDE if scope.wide else NARROW} ORDER BY scope_no", scope.as_dict()
    )
    return [int(row[0]) for row in rows]


def match(engine: Engine, tenant: str, scope_no: int, terms: Terms, chosen: EventFilter, limit: int) -> list[EventHit]:
    """The best matches of any of the terms among one scope's documents, in no order; a lower score is a better match.

    There are `limit` of each of the few ranges of documents that are looked at.
    """
    found: list[EventHit] = []
    for low, high in _ranges(engine, tenant, scope_no, chosen):
        params: dict[str, Any] = {"match": engine.match_query(terms), "low": low, "high": high, "limit": limit}
        rows = engine.all(f"{_matches(engine, chosen, params)} {BEST_FIRST} LIMIT :limit", params)
        found += map(_hit, rows)
    return found


def strongest(engine: Engine, scope_no: int, terms: Terms, chosen: EventFilter, limit: int) -> list[EventHit]:
    """The best match of each log among one scope's documents, best logs first."""
    low, high = _range(scope_no)
    params: dict[str, Any] = {"match": engine.match_query(terms), "low": low, "high": high, "limit": limit}
    rows = engine.all(
        "SELECT session_id, seq, type, surface, event_time, score FROM (SELECT hits.*, row_number() OVER"
        " (PARTITION BY session_id ORDER BY score, event_time DESC, seq DESC) AS place"
        f" FROM ({_matches(engine, chosen, params)}) AS hits) AS ranked WHERE place = 1 {BEST_FIRST} LIMIT :limit",
        params,
    )
    return [_hit(row) for row in rows]


NOT_ARCHIVED = (
    " AND NOT EXISTS (SELECT 1 FROM sessions a WHERE a.tenant = d.tenant AND a.session_id = d.session_id"
    " AND a.archived_at IS NOT NULL)"
)
#: documents of logs that are looked at one by one to find where they lie, how far apart those of one range may lie, and
#: how many ranges are asked apart
MOST_RANGED, GAP, MOST_RANGES = 5000, 200, 12
BEST_FIRST = "ORDER BY score, event_time DESC, session_id, seq DESC"


def _range(scope_no: int) -> tuple[int, int]:
    """All documents of a scope."""
    return scope_no * SPAN, (scope_no + 1) * SPAN - 1


def _ranges(engine: Engine, tenant: str, scope_no: int, chosen: EventFilter) -> list[tuple[int, int]]:
    """Where to look: in the whole scope, or where the documents of the logs lie that were asked for.

    A log's documents lie together but for what was added later, so that a few ranges hold them all and little else.
    """
    low, high = _range(scope_no)
    if chosen.session_ids is None:
        return [(low, high)]
    named = (*chosen.session_ids, *(session_id for session_id, _ in chosen.inherited))
    params: dict[str, Any] = {"tenant": tenant, "low": low, "high": high, "limit": MOST_RANGED + 1}
    names = _names("session", named, params)
    rows = engine.all(
        f"SELECT docid FROM event_docs WHERE tenant = :tenant AND session_id IN ({names})"
        " AND docid BETWEEN :low AND :high LIMIT :limit",
        params,
    )
    docids = sorted(int(row[0]) for row in rows)
    if len(docids) > MOST_RANGED:
        return [(low, high)]
    starts = [at for at in range(len(docids)) if at == 0 or docids[at] - docids[at - 1] > GAP]
    ends = [at - 1 for at in starts[1:]] + [len(docids) - 1]
    ranges = [(docids[start], docids[end]) for start, end in zip(starts, ends, strict=False)]
    return ranges if len(ranges) <= MOST_RANGES else [(docids[0], docids[-1])]


def _matches(engine: Engine, chosen: EventFilter, params: dict[str, Any]) -> str:
    """The statement for every match with its score, unordered; the filter's values are added to `params`."""
    return (
        f"SELECT d.session_id, d.seq, d.type, d.surface, d.event_time, {engine.match_score} AS score"
        f" FROM {engine.match_from} WHERE {engine.match_where}{_conditions(chosen, params)}"
    )


def _hit(row: Row) -> EventHit:
    return EventHit(
        session_id=row[0], seq=int(row[1]), type=row[2], surface=row[3], event_time=row[4], score=float(row[5])
    )


def _conditions(chosen: EventFilter, params: dict[str, Any]) -> str:
    """The filter's conditions on `event_docs d`, their values added to `params`."""
    text = ""
    for column, name, sign in (
        ("d.seq", "seq_from", ">="),
        ("d.seq", "seq_to", "<="),
        ("d.event_time", "time_from", ">="),
        ("d.event_time", "time_to", "<="),
    ):
        bound = getattr(chosen, name)
        if bound is not None:
            params[name] = bound
            text += f" AND {column} {sign} :{name}"
    for column, prefix, values in (
        ("d.type", "type", chosen.types),
        ("d.surface", "surface", chosen.surfaces),
    ):
        if values is not None:
            text += f" AND {column} IN ({_names(prefix, values, params)})"
    if chosen.session_ids is not None:
        text += f" AND (d.session_id IN ({_names('session', chosen.session_ids, params)})"
        for at, (session_id, below) in enumerate(chosen.inherited):
            name = f"seed_{chr(97 + at // 26)}{chr(97 + at % 26)}"
            params |= {name: session_id, f"{name}_end": below}
            text += f" OR (d.session_id = :{name} AND d.seq < :{name}_end)"
        text += ")"
    if not chosen.archived:
        text += NOT_ARCHIVED
    if chosen.without_session is not None:
        params["without_session"] = chosen.without_session
        text += " AND d.session_id <> :without_session"
    return text


def _names(prefix: str, values: Sequence[str], params: dict[str, Any]) -> str:
    names = [f"{prefix}_{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(len(values))]
    params.update(zip(names, values, strict=True))
    return ", ".join(f":{name}" for name in names)


def clear(engine: Engine) -> None:
    """Drop the whole index, of every tenant: each tenant's next derivation builds its own anew."""
    engine.clear_index()
    engine.run("DELETE FROM index_scopes")
    engine.run(
        f"UPDATE sessions SET indexed = (SELECT {START} FROM sessions s WHERE s.tenant = sessions.tenant"
        " AND s.session_id = sessions.session_id)"
    )


def count(engine: Engine, tenant: str) -> int:
    """How many documents the index holds."""
    row = engine.one("SELECT count(*) FROM event_docs WHERE tenant = :tenant", {"tenant": tenant})
    return int(row[0]) if row else 0


def by_log(engine: Engine, tenant: str) -> dict[str, int]:
    """Documents per log, to hold against what the log should have."""
    rows = engine.all(
        "SELECT session_id, count(*) FROM event_docs WHERE tenant = :tenant GROUP BY session_id", {"tenant": tenant}
    )
    return {str(row[0]): int(row[1]) for row in rows}
