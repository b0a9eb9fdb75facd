"""Owns the rows of import positions: how far each transcript was read. Never reads a transcript."""

from __future__ import annotations

from segue.model.codec import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.stores.engine import Engine


def position(engine: Engine, tenant: str, path: str) -> tuple[int, dict[str, Any], dict[str, int]]:
    """Where to read on, what the reader must remember, and the counts so far."""
    row = engine.one(
        "SELECT position, state, counts FROM import_positions WHERE tenant = :tenant AND path = :path",
        {"tenant": tenant, "path": path},
    )
    return (0, {}, {}) if row is None else (int(row[0]), loads(row[1]), loads(row[2]))


def move(
    engine: Engine, tenant: str, path: str, host: str, at: int, state: dict[str, Any], counts: dict[str, int], now: str
) -> None:
    """Everything before `at` is in the log. Belongs in the transaction that put it there."""
    engine.run(
        "INSERT INTO import_positions (tenant, path, host, position, state, counts, updated_at)"
        " VALUES (:tenant, :path, :host, :position, :state, :counts, :now)"
        " ON CONFLICT (tenant, path) DO UPDATE SET position = excluded.position, state = excluded.state,"
        " counts = excluded.counts, updated_at = excluded.updated_at",
        {
            "tenant": tenant,
            "path": path,
            "host": host,
            "position": at,
            "state": dumps(state),
            "counts": dumps(counts),
            "now": now,
        },
    )


def forget(engine: Engine, tenant: str, path: str) -> None:
    """Read this transcript from its beginning next time."""
    engine.run("DELETE FROM import_positions WHERE tenant = :tenant AND path = :path", {"tenant": tenant, "path": path})


def states(engine: Engine, tenant: str, host_session_id: str) -> list[tuple[str, dict[str, Any]]]:
    """The transcripts whose readers remember a session by its host's id, and all that they remember."""
    told = host_session_id.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    rows = engine.all(
        "SELECT path, state FROM import_positions WHERE tenant = :tenant AND state LIKE :told ESCAPE '!' ORDER BY path",
        {"tenant": tenant, "told": f'%"{told}"%'},
    )
    return [(str(row[0]), loads(row[1])) for row in rows]


def put_state(engine: Engine, tenant: str, path: str, state: dict[str, Any]) -> None:
    """Let a reader remember this in place of what it did."""
    engine.run(
        "UPDATE import_positions SET state = :state WHERE tenant = :tenant AND path = :path",
        {"tenant": tenant, "path": path, "state": dumps(state)},
    )
