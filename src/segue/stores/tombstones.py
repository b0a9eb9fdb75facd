"""Owns the rows of tombstones and of rewrites: what was deleted, and of which event a part. Never holds a text."""

from __future__ import annotations

from segue.model.digest import digest
from segue.stores import meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from segue.model.entry import Entry
    from segue.model.scope import Scope
    from segue.stores.engine import Engine


def target(engine: Engine, tenant: str, session_id: str) -> bytes:
    """What stands for a session where its id may not: without the store's key it tells nothing."""
    key = meta.dedupe_key(engine).encode()
    return digest(b"segue-target-1", key, tenant.encode(), session_id.encode())[:16]


def add(engine: Engine, values: dict[str, Any]) -> None:
    """Keep a session from coming back."""
    engine.run(
        "INSERT INTO tombstones (tenant, digest, project_id, principal_id, created_at, events, reason) VALUES (:tenant,"
        " :digest, :project_id, :principal_id, :created_at, :events, :reason) ON CONFLICT DO NOTHING",
        values,
    )


def has(engine: Engine, tenant: str, digest: bytes) -> bool:
    """Whether the session of that digest was deleted."""
    row = engine.one(
        "SELECT 1 FROM tombstones WHERE tenant = :tenant AND digest = :digest", {"tenant": tenant, "digest": digest}
    )
    return row is not None


def count(engine: Engine, scope: Scope) -> int:
    """How many sessions this person deleted: in this project, or wide in all."""
    where = "" if scope.wide else " AND project_id = :project_id"
    row = engine.one(
        f"SELECT count(*) FROM tombstones WHERE tenant = :tenant AND principal_id = :principal_id{where}",
        scope.as_dict(),
    )
    return int(row[0]) if row else 0


def add_rewritten(engine: Engine, tenant: str, session_id: str, entries: Sequence[Entry]) -> None:
    """Keep the digests of those entries of which a part was deleted."""
    rows = [(tenant, session_id, entry.seq, entry.rewrite) for entry in entries if entry.rewrite is not None]
    if rows:
        engine.insert("rewrites", ("tenant", "session_id", "seq", "digest"), rows)


def rewritten(engine: Engine, tenant: str, session_id: str) -> dict[int, bytes]:
    """The digests of a log's rewritten events, by their number."""
    rows = engine.all(
        "SELECT seq, digest FROM rewrites WHERE tenant = :tenant AND session_id = :session_id",
        {"tenant": tenant, "session_id": session_id},
    )
    return {int(row[0]): bytes(row[1]) for row in rows}
