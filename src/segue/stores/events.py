"""Owns the rows of events. Never changes one: a log only grows, and its bodies can only be dropped."""

from __future__ import annotations

from segue.model.codec import loads
from segue.model.event import Event
from segue.stores.sessions import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from segue.model.scope import Scope
    from segue.stores.engine import Engine, Row

COLUMNS = (
    "e.session_id, e.seq, e.type, e.surface, e.origin, e.event_time, e.recorded_at, e.action, e.outcome, e.size,"
    " e.subject, e.body"
)
FIELDS = tuple(name.strip().removeprefix("e.") for name in COLUMNS.split(","))
#: the columns of a row to append, and where in it the chain is
ADDED = (
    "tenant", "session_id", "seq", "type", "surface", "origin", "event_time", "recorded_at", "action", "outcome",
    "dedupe", "body_digest", "chain", "salt", "size", "subject", "body",
)  # fmt: skip
CHAIN_AT = ADDED.index("chain")
#: digests asked for in one statement
KNOWN_AT_ONCE = 200
FROM = "FROM events e JOIN sessions s ON s.tenant = e.tenant AND s.session_id = e.session_id"


def _event(row: Row) -> Event:
    told = dict(zip(FIELDS, row, strict=True))
    if told["body"] is not None:
        told["body"] = loads(told["body"])
    return Event.of(told)


def known(engine: Engine, tenant: str, digests: Sequence[bytes]) -> set[bytes]:
    """Which of these dedupe digests the store has already."""
    found: set[bytes] = set()
    for at in range(0, len(digests), KNOWN_AT_ONCE):
        some = {f"d{chr(97 + n // 26)}{chr(97 + n % 26)}": d for n, d in enumerate(digests[at : at + KNOWN_AT_ONCE])}
        rows = engine.all(
            "SELECT dedupe FROM events WHERE tenant = :tenant"
            f" AND dedupe IN ({', '.join(':' + name for name in some)})",
            {"tenant": tenant, **some},
        )
        found.update(bytes(row[0]) for row in rows)
    return found


def add(engine: Engine, rows: Sequence[Row]) -> None:
    """Append rows, each in the order of `ADDED`, that the caller numbered and chained under the session's lock."""
    engine.insert("events", ADDED, rows)


def window(engine: Engine, scope: Scope, session_id: str, low: int, high: int) -> list[Event]:
    """The visible events of a session with low <= seq <= high, in order."""
    rows = engine.all(
        f"SELECT {COLUMNS} {FROM} WHERE e.tenant = :tenant AND e.session_id = :session_id"
        f" AND e.seq BETWEEN :low AND :high AND {visible(scope)} ORDER BY e.seq",
        {**scope.as_dict(), "session_id": session_id, "low": low, "high": high},
    )
    return [_event(row) for row in rows]


def latest_work(engine: Engine, scope: Scope, session_id: str, action: str, limit: int) -> list[Event]:
    """The latest tool results of one class of work in a session, newest first."""
    return _latest(engine, scope, session_id, "e.action = :wanted AND e.type = 'tool/result'", action, limit)


def latest_of_type(engine: Engine, scope: Scope, session_id: str, type_: str, limit: int) -> list[Event]:
    """The latest events of a type that is no tool work, newest first."""
    return _latest(engine, scope, session_id, "e.type = :wanted AND e.action IS NULL", type_, limit)


def _latest(engine: Engine, scope: Scope, session_id: str, which: str, wanted: str, limit: int) -> list[Event]:
    rows = engine.all(
        f"SELECT {COLUMNS} {FROM} WHERE e.tenant = :tenant AND e.session_id = :session_id AND {which}"
        f" AND {visible(scope)} ORDER BY e.event_time DESC, e.seq DESC LIMIT :limit",
        {**scope.as_dict(), "session_id": session_id, "wanted": wanted, "limit": limit},
    )
    return [_event(row) for row in rows]


def first_of_type(engine: Engine, scope: Scope, session_id: str, type_: str) -> Event | None:
    """The first event of a type that is no tool work."""
    row = engine.one(
        f"SELECT {COLUMNS} {FROM} WHERE e.tenant = :tenant AND e.session_id = :session_id AND e.type = :type"
        f" AND e.action IS NULL AND {visible(scope)} ORDER BY e.event_time, e.seq LIMIT 1",
        {**scope.as_dict(), "session_id": session_id, "type": type_},
    )
    return None if row is None else _event(row)


def raw(engine: Engine, tenant: str, session_id: str, low: int, limit: int) -> list[Row]:
    """For verification and derivation: rows from seq `low` on as stored, without a reader's scope.

    Columns: seq, type, surface, origin, event_time, recorded_at, action, outcome, body_digest, chain, salt, subject,
    body, size.
    """
    return engine.all(
        "SELECT seq, type, surface, origin, event_time, recorded_at, action, outcome, body_digest, chain, salt,"
        " subject, body, size FROM events WHERE tenant = :tenant AND session_id = :session_id AND seq >= :low"
        " ORDER BY seq LIMIT :limit",
        {"tenant": tenant, "session_id": session_id, "low": low, "limit": limit},
    )


def on_surface(engine: Engine, tenant: str, session_id: str, below: int) -> list[tuple[int, str]]:
    """Number and type of each event below that number that is or was on the surface, in order."""
    rows = engine.all(
        "SELECT seq, type FROM events WHERE tenant = :tenant AND session_id = :session_id AND seq < :below"
        " AND surface <> 'log-only' ORDER BY seq",
        {"tenant": tenant, "session_id": session_id, "below": below},
    )
    return [(int(row[0]), str(row[1])) for row in rows]


def changed(engine: Engine, tenant: str, session_id: str, low: int, high: int) -> tuple[set[int], set[int]]:
    """Of the events with low <= seq < high, those whose body was dropped, and those that are shadowed."""
    rows = engine.all(
        "SELECT seq, body IS NULL, surface = 'shadowed' FROM events WHERE tenant = :tenant"
        " AND session_id = :session_id AND seq >= :low AND seq < :high AND (body IS NULL OR surface = 'shadowed')",
        {"tenant": tenant, "session_id": session_id, "low": low, "high": high},
    )
    return {int(row[0]) for row in rows if row[1]}, {int(row[0]) for row in rows if row[2]}


def counts_by_type(engine: Engine, scope: Scope) -> dict[str, int]:
    """How many visible events there are of each type."""
    rows = engine.all(
        f"SELECT e.type, count(*) {FROM} WHERE {visible(scope)} GROUP BY e.type ORDER BY e.type", scope.as_dict()
    )
    return {str(row[0]): int(row[1]) for row in rows}
