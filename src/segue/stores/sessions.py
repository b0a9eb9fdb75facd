"""Owns the rows of sessions and who may see them. Never touches an event."""

from __future__ import annotations

from segue.model.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from segue.model.scope import Scope
    from segue.stores.engine import Engine, Row

COLUMNS = (
    "s.session_id, s.project_id, s.principal_id, s.visibility, s.host, s.host_session_id, s.agent_id, s.agent_type,"
    " s.parent_id, s.cwd, s.branch, s.model, s.title, s.started_at, s.last_event_at, s.recorded_at, s.next_seq,"
    " s.status, s.problem, s.seed_length, s.archived_at, s.held_at"
)
FIELDS = tuple(name.strip().removeprefix("s.") for name in COLUMNS.split(","))

#: what stands where a text was deleted
DELETED = "[deleted]"
#: sessions read at a time
PAGE = 500
#: what a scope may see (I3): of its project the shared sessions and its own; wide, its own of every project
NARROW = (
    "s.tenant = :tenant AND s.project_id = :project_id AND (s.visibility = 'project' OR s.principal_id = :principal_id)"
)
#: columns that `mark` sets
MARKS = {"archived_at": "archived_at", "held_at": "held_at"}
WIDE = "s.tenant = :tenant AND s.principal_id = :principal_id"


def visible(scope: Scope) -> str:
    """The condition on `sessions s` that this scope lives under; its parameters are `scope.as_dict()`."""
    return WIDE if scope.wide else NARROW


def _session(row: Row) -> Session:
    return Session.of(dict(zip(FIELDS, row, strict=True)))


def get(engine: Engine, scope: Scope, session_id: str) -> Session | None:
    """One session, if this scope may see it; hidden and unknown are alike (I12)."""
    row = engine.one(
        f"SELECT {COLUMNS} FROM sessions s WHERE s.session_id = :session_id AND {visible(scope)}",
        {**scope.as_dict(), "session_id": session_id},
    )
    return None if row is None else _session(row)


def starting_with(engine: Engine, scope: Scope, prefix: str) -> list[Session]:
    """The first few visible sessions whose id, or whose host's own id, begins so."""
    low, high = prefix, prefix + "\U0010ffff"
    rows = engine.all(
        f"SELECT {COLUMNS} FROM sessions s WHERE {visible(scope)} AND (s.session_id BETWEEN :low AND :high"
        " OR s.host_session_id BETWEEN :low AND :high) ORDER BY s.agent_id IS NOT NULL, s.session_id LIMIT 4",
        {**scope.as_dict(), "low": low, "high": high},
    )
    return [_session(row) for row in rows]


def latest(engine: Engine, scope: Scope, limit: int, *, roots: bool = True) -> list[Session]:
    """The sessions that were active last, newest first; `roots` leaves subagents out, not forks."""
    rows = engine.all(
        f"SELECT {COLUMNS} FROM sessions s WHERE {visible(scope)} AND s.status = 'ok' AND s.archived_at IS NULL"
        " AND (:roots = 0 OR s.agent_id IS NULL)"
        " ORDER BY s.last_event_at DESC, s.session_id LIMIT :limit",
        {**scope.as_dict(), "limit": limit, "roots": int(roots)},
    )
    return [_session(row) for row in rows]


def each(engine: Engine, scope: Scope) -> Iterator[Session]:
    """Every visible session, oldest first, read a page at a time."""
    after: dict[str, str] = {"started_at": "", "session_id": ""}
    while True:
        rows = engine.all(
            f"SELECT {COLUMNS} FROM sessions s WHERE {visible(scope)} AND (s.started_at > :started_at"
            " OR (s.started_at = :started_at AND s.session_id > :session_id))"
            " ORDER BY s.started_at, s.session_id LIMIT :limit",
            {**scope.as_dict(), **after, "limit": PAGE},
        )
        for row in rows:
            yield _session(row)
        if len(rows) < PAGE:
            return
        last = _session(rows[-1])
        after = {"started_at": last.started_at, "session_id": last.session_id}


def children(engine: Engine, scope: Scope, session_id: str) -> list[Session]:
    """The visible sessions that this one started, oldest first."""
    rows = engine.all(
        f"SELECT {COLUMNS} FROM sessions s WHERE s.parent_id = :session_id AND {visible(scope)}"
        " ORDER BY s.started_at, s.session_id",
        {**scope.as_dict(), "session_id": session_id},
    )
    return [_session(row) for row in rows]


def lock(engine: Engine, tenant: str, session_id: str) -> tuple[int, bytes] | None:
    """For the writer: next seq and head of the chain, held until the transaction ends."""
    row = engine.one(
        "SELECT next_seq, head FROM sessions WHERE tenant = :tenant AND session_id = :session_id" + engine.for_update,
        {"tenant": tenant, "session_id": session_id},
    )
    return None if row is None else (int(row[0]), bytes(row[1]))


def end(engine: Engine, tenant: str, session_id: str) -> tuple[int, bytes] | None:
    """Next seq and head of the chain, without a lock."""
    row = engine.one(
        "SELECT next_seq, head FROM sessions WHERE tenant = :tenant AND session_id = :session_id",
        {"tenant": tenant, "session_id": session_id},
    )
    return None if row is None else (int(row[0]), bytes(row[1]))


def add(engine: Engine, values: dict[str, Any]) -> None:
    """Begin a log, unless another writer just did."""
    engine.run(
        "INSERT INTO sessions (tenant, session_id, project_id, principal_id, visibility, host, host_session_id,"
        " agent_id, agent_type, parent_id, cwd, branch, model, title, started_at, last_event_at, recorded_at, next_seq,"
        " head, status, problem, seed_length) VALUES (:tenant, :session_id, :project_id, :principal_id, :visibility,"
        " :host, :host_session_id, :agent_id, :agent_type, :parent_id, :cwd, :branch, :model, :title, :started_at,"
        " :last_event_at, :now, 0, :head, 'ok', NULL, :seed_length) ON CONFLICT DO NOTHING",
        values,
    )


def advance(engine: Engine, values: dict[str, Any], *, titled: bool = False) -> None:
    """Move the end of a log: `next_seq`, `head`, times, and what its header newly knows.

    A title from which something was deleted stays, because a host would bring that back, until one is given anew
    (`titled`).
    """
    engine.run(
        "UPDATE sessions SET next_seq = :next_seq, head = :head, recorded_at = :now,"
        " started_at = CASE WHEN :started_at < started_at THEN :started_at ELSE started_at END,"
        " last_event_at = CASE WHEN :last_event_at > last_event_at THEN :last_event_at ELSE last_event_at END,"
        " model = coalesce(:model, model), branch = coalesce(branch, :branch),"
        " title = CASE WHEN :titled = 0 AND title LIKE :stays THEN title ELSE coalesce(:title, title) END,"
        " agent_type = coalesce(agent_type, :agent_type), cwd = coalesce(cwd, :cwd)"
        " WHERE tenant = :tenant AND session_id = :session_id",
        {**values, "titled": int(titled), "stays": f"%{DELETED}%"},
    )


def quarantine(engine: Engine, tenant: str, session_id: str, problem: str) -> None:
    """Set a broken session aside: readers skip it, its rows stay for repair."""
    engine.run(
        "UPDATE sessions SET status = 'quarantined', problem = :problem"
        " WHERE tenant = :tenant AND session_id = :session_id",
        {"tenant": tenant, "session_id": session_id, "problem": problem},
    )


def release(engine: Engine, tenant: str, session_id: str) -> None:
    """Take a session that verifies again out of quarantine."""
    engine.run(
        "UPDATE sessions SET status = 'ok', problem = NULL WHERE tenant = :tenant AND session_id = :session_id",
        {"tenant": tenant, "session_id": session_id},
    )


def mark(engine: Engine, tenant: str, session_id: str, name: str, at: str | None) -> None:
    """Set or clear a session's mark: `archived_at` or `held_at`."""
    engine.run(
        f"UPDATE sessions SET {MARKS[name]} = :at WHERE tenant = :tenant AND session_id = :session_id",
        {"tenant": tenant, "session_id": session_id, "at": at},
    )


def is_marked(engine: Engine, tenant: str, session_id: str) -> bool:
    """Whether something was deleted from a session's title."""
    row = engine.one(
        "SELECT 1 FROM sessions WHERE tenant = :tenant AND session_id = :session_id AND title LIKE :marked",
        {"tenant": tenant, "session_id": session_id, "marked": f"%{DELETED}%"},
    )
    return row is not None


def has_archived(engine: Engine, tenant: str) -> bool:
    """Whether any session of the tenant is put aside."""
    row = engine.one(
        "SELECT 1 FROM sessions WHERE tenant = :tenant AND archived_at IS NOT NULL LIMIT 1", {"tenant": tenant}
    )
    return row is not None


def sizes(engine: Engine, scope: Scope) -> dict[str, int]:
    """The bytes of the texts of each session of this person, whatever the project."""
    rows = engine.all(
        "SELECT e.session_id, sum(e.size) FROM events e JOIN sessions s ON s.tenant = e.tenant"
        f" AND s.session_id = e.session_id WHERE {WIDE} GROUP BY e.session_id",
        scope.as_dict(),
    )
    return {str(row[0]): int(row[1] or 0) for row in rows}


def all_of(engine: Engine, tenant: str) -> Iterator[tuple[str, int, bytes, str]]:
    """For verification: id, next seq, head and status of every log of the tenant."""
    rows = engine.all(
        "SELECT session_id, next_seq, head, status FROM sessions WHERE tenant = :tenant ORDER BY session_id",
        {"tenant": tenant},
    )
    for row in rows:
        yield str(row[0]), int(row[1]), bytes(row[2]), str(row[3])


def beyond(engine: Engine, tenant: str, session_id: str) -> int | None:
    """The number of an event that the header does not count on, if there is one."""
    row = engine.one(
        "SELECT max(e.seq) FROM events e JOIN sessions s ON s.tenant = e.tenant AND s.session_id = e.session_id"
        " WHERE s.tenant = :tenant AND s.session_id = :session_id AND e.seq >= s.next_seq",
        {"tenant": tenant, "session_id": session_id},
    )
    return None if row is None or row[0] is None else int(row[0])


def activity(engine: Engine, scope: Scope) -> list[tuple[str, int, int, str]]:
    """Per host: sessions, events, and the time of the newest event."""
    rows = engine.all(
        "SELECT s.host, count(*), sum(s.next_seq), max(s.last_event_at) FROM sessions s"
        f" WHERE {visible(scope)} GROUP BY s.host ORDER BY s.host",
        scope.as_dict(),
    )
    return [(str(r[0]), int(r[1]), int(r[2] or 0), str(r[3])) for r in rows]
