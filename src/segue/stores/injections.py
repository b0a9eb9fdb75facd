"""Owns the rows of what was injected and what was left out. Never renders them."""

from __future__ import annotations

from segue.model.injection import Injection, Item, Judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.model.scope import Scope
    from segue.stores.engine import Engine, Row

COLUMNS = "i.injection_id, i.session_id, i.source, i.created_at, i.tokens, i.bytes"


def add(engine: Engine, scope: Scope, injection: Injection) -> None:
    """Record a block item by item (I8)."""
    head = {**scope.as_dict(), **injection.as_dict(), "project_id": scope.project_id or ""}
    del head["items"]
    engine.run(
        "INSERT INTO injections (tenant, injection_id, session_id, project_id, principal_id, source, created_at,"
        " tokens, bytes) VALUES (:tenant, :injection_id, :session_id, :project_id, :principal_id, :source,"
        " :created_at, :tokens, :bytes)",
        head,
    )
    engine.run_many(
        "INSERT INTO injection_items (tenant, injection_id, position, layer, text, session_id, seq, disposition,"
        " reason) VALUES (:tenant, :injection_id, :position, :layer, :text, :session_id, :seq, :disposition, :reason)",
        [
            {
                **judged.item.as_dict(),
                "tenant": scope.tenant,
                "injection_id": injection.injection_id,
                "position": position,
                "disposition": judged.disposition,
                "reason": judged.reason,
            }
            for position, judged in enumerate(injection.items)
        ],
    )


def unread(engine: Engine, scope: Scope, before: str, *, drop: bool) -> int:
    """How many of this person's blocks from before then were shown to sessions that are not recorded; `drop` them."""
    which = (
        "FROM injections WHERE tenant = :tenant AND principal_id = :principal_id AND created_at < :before"
        " AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.tenant = injections.tenant"
        " AND s.session_id = injections.session_id)"
    )
    params = {**scope.as_dict(), "before": before}
    row = engine.one(f"SELECT count(*) {which}", params)
    if drop and row and row[0]:
        engine.run(
            f"DELETE FROM injection_items WHERE tenant = :tenant AND injection_id IN (SELECT injection_id {which})",
            params,
        )
        engine.run(f"DELETE {which}", params)
    return int(row[0]) if row else 0


def latest(engine: Engine, scope: Scope, *, session_id: str | None = None, limit: int = 1) -> list[Injection]:
    """The latest blocks shown in this project (or to one session), newest first."""
    where = "AND i.session_id = :session_id" if session_id else ""
    rows = engine.all(
        f"SELECT {COLUMNS} FROM injections i WHERE {_visible(scope)} {where}"
        " ORDER BY i.created_at DESC, i.injection_id LIMIT :limit",
        {**scope.as_dict(), "session_id": session_id, "limit": limit},
    )
    return [_injection(engine, scope, row) for row in rows]


def get(engine: Engine, scope: Scope, injection_id: str) -> Injection | None:
    """One block by its id, if this scope may see it."""
    row = engine.one(
        f"SELECT {COLUMNS} FROM injections i WHERE {_visible(scope)} AND i.injection_id = :injection_id",
        {**scope.as_dict(), "injection_id": injection_id},
    )
    return None if row is None else _injection(engine, scope, row)


def _visible(scope: Scope) -> str:
    own = "i.tenant = :tenant AND i.principal_id = :principal_id"
    return own if scope.wide else f"{own} AND i.project_id = :project_id"


def _injection(engine: Engine, scope: Scope, row: Row) -> Injection:
    rows = engine.all(
        "SELECT layer, text, session_id, seq, disposition, reason FROM injection_items"
        " WHERE tenant = :tenant AND injection_id = :injection_id ORDER BY position",
        {"tenant": scope.tenant, "injection_id": row[0]},
    )
    items = tuple(
        Judged(item=Item(layer=r[0], text=r[1], session_id=r[2], seq=r[3]), disposition=r[4], reason=r[5]) for r in rows
    )
    return Injection(
        injection_id=row[0],
        session_id=row[1],
        source=row[2],
        created_at=row[3],
        tokens=int(row[4]),
        bytes=int(row[5]),
        items=items,
    )
