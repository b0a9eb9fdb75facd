"""Owns the rows of the record of acts. Never changes one."""

from __future__ import annotations

from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.model.scope import Scope
    from segue.stores.engine import Engine, Row

FIELDS = (
    "audit_no", "recorded_at", "principal_id", "project_id", "act", "target", "reason", "counts", "chain",
)  # fmt: skip
COLUMNS = ", ".join(FIELDS)


class Act(Record):
    """One act: when, who, where, what, on what (a keyed digest), why, and how much (JSON)."""

    audit_no: int
    recorded_at: str
    principal_id: str
    project_id: str
    act: str
    target: bytes
    reason: str
    counts: str
    chain: bytes


def _act(row: Row) -> Act:
    told = dict(zip(FIELDS, row, strict=True))
    return Act(**{**told, "target": bytes(told["target"]), "chain": bytes(told["chain"])})


def add(engine: Engine, tenant: str, act: Act) -> None:
    """Add the next act; a writer that was faster makes it fail."""
    engine.insert("audit", ("tenant", *FIELDS), [(tenant, *(getattr(act, name) for name in FIELDS))])


def last(engine: Engine, tenant: str) -> Act | None:
    """The newest act."""
    row = engine.one(
        f"SELECT {COLUMNS} FROM audit WHERE tenant = :tenant ORDER BY audit_no DESC LIMIT 1", {"tenant": tenant}
    )
    return None if row is None else _act(row)


def page(engine: Engine, tenant: str, low: int, limit: int) -> list[Act]:
    """Acts from a number on, in order, without a reader's scope."""
    rows = engine.all(
        f"SELECT {COLUMNS} FROM audit WHERE tenant = :tenant AND audit_no >= :low ORDER BY audit_no LIMIT :limit",
        {"tenant": tenant, "low": low, "limit": limit},
    )
    return [_act(row) for row in rows]


def latest(engine: Engine, scope: Scope, limit: int) -> list[Act]:
    """The newest acts of this person: in this project, or wide in all."""
    where = "" if scope.wide else " AND project_id = :project_id"
    rows = engine.all(
        f"SELECT {COLUMNS} FROM audit WHERE tenant = :tenant AND principal_id = :principal_id{where}"
        " ORDER BY audit_no DESC LIMIT :limit",
        {**scope.as_dict(), "limit": limit},
    )
    return [_act(row) for row in rows]
