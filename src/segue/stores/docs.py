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

#: the cursor of the index; a new way of making words takes a new name, and the index is built anew
INDEX_CURSOR = "index-1"
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


def pending(engine: Engine, tenant: str, name: str, limit: int) -> list[Pending]:
    """Logs that the cursor `name` is behind on, oldest activity first."""
    rows = engine.all(
        f"SELECT s.session_id, s.project_id, s.principal_id, s.visibility, coalesce(c.seq, {START}) FROM sessions s"
        " LEFT JOIN cursors c ON c.tenant = s.tenant AND c.name = :name AND c.session_id = s.session_id"
        f" WHERE s.tenant = :tenant AND s.status = 'ok' AND s.next_seq > coalesce(c.seq, {START})"
        " ORDER BY s.recorded_at, s.session_id LIMIT :limit",
        {"tenant": tenant, "name": name, "limit": limit},
    )
    return [Pending(session_id=r[0], project_id=r[1], principal_id=r[2], visibility=r[3], low=int(r[4])) for r in rows]


def behind(engine: Engine, tenant: str, name: str) -> int:
    """How many events the cursor `name` has not seen."""
    row = engine.one(
        f"SELECT sum(s.next_seq - coalesce(c.seq, {START})) FROM sessions s"
        " LEFT JOIN cursors c ON c.tenant = s.tenant AND c.name = :name AND c.session_id = s.session_id"
        " WHERE s.tenant = :tenant AND s.status = 'ok'",
        {"tenant": tenant, "name": name},
    )
    return int(row[0] or 0) if row else 0


def lock_cursor(engine: Engine, tenant: str, name: str, session_id: str, start: int) -> int:
    """The cursor's place in a log, held until the transaction ends; a new one is put to `start`."""
    params = {"tenant": tenant, "name": name, "session_id": session_id}
    engine.run(
        "INSERT INTO cursors (tenant, name, session_id, seq) VALUES (:tenant, :name, :session_id, :start)"
        " ON CONFLICT DO NOTHING",
        {**params, "start": start},
    )
    row = engine.one(
        "SELECT seq FROM cursors WHERE tenant = :tenant AND name = :name AND session_id = :session_id"
        + engine.for_update,
        params,
    )
    return int(row[0]) if row else 0


def cursors(engine: Engine, tenant: str, name: str) -> list[tuple[str, int, int]]:
    """Every sound log with where the cursor began in it and how far it is."""
    rows = engine.all(
        f"SELECT c.session_id, {START}, c.seq FROM cursors c JOIN sessions s ON s.tenant = c.tenant"
        " AND s.session_id = c.session_id WHERE c.tenant = :tenant AND c.name = :name AND s.status = 'ok'"
        " ORDER BY c.session_id",
        {"tenant": tenant, "name": name},
    )
    return [(str(row[0]), int(row[1]), int(row[2])) for row in rows]


def rewind(engine: Engine, tenant: str, name: str, session_id: str) -> None:
    """Let the cursor see a log from its beginning again, if it saw it at all."""
    engine.run(
        "UPDATE cursors SET seq = 0 WHERE tenant = :tenant AND name = :name AND session_id = :session_id",
        {"tenant": tenant, "name": name, "session_id": session_id},
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


def move_cursor(engine: Engine, tenant: str, name: str, session_id: str, seq: int) -> None:
    """Events below `seq` are done."""
    engine.run(
        "UPDATE cursors SET seq = :seq WHERE tenant = :tenant AND name = :name AND session_id = :session_id",
        {"tenant": tenant, "name": name, "session_id": session_id, "seq": seq},
    )


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


def match(engine: Engine, scope_no: int, terms: Terms, chosen: EventFilter, limit: int) -> list[EventHit]:
    """The best matches of any of the terms among one scope's documents; a lower score is a better match."""
    params = {**_match_params(engine, scope_no, terms), "limit": limit}
    rows = engine.all(f"{_matches(engine, chosen, params)} {BEST_FIRST} LIMIT :limit", params)
    return [_hit(row) for row in rows]


def strongest(engine: Engine, scope_no: int, terms: Terms, chosen: EventFilter, limit: int) -> list[EventHit]:
    """The best match of each log among one scope's documents, best logs first."""
    params = {**_match_params(engine, scope_no, terms), "limit": limit}
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
BEST_FIRST = "ORDER BY score, event_time DESC, session_id, seq DESC"


def _match_params(engine: Engine, scope_no: int, terms: Terms) -> dict[str, Any]:
    return {"match": engine.match_query(terms), "low": scope_no * SPAN, "high": (scope_no + 1) * SPAN - 1}


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


def clear(engine: Engine, name: str) -> None:
    """Drop the whole index, of every tenant, with its cursors: each tenant's next derivation builds its own anew."""
    engine.clear_index()
    engine.run("DELETE FROM index_scopes")
    engine.run("DELETE FROM cursors WHERE name = :name", {"name": name})


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
