"""Owns adding to the record of acts and checking it. Never holds what was deleted: targets are keyed digests.

An act and its record are one transaction: what cannot be recorded is not done.
"""

from __future__ import annotations

from segue.model.codec import dumps
from segue.model.digest import digest
from segue.model.record import Record
from segue.stores import audit, meta, tombstones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.ctx import Context
    from segue.stores.audit import Act

#: the chain before the first act
GENESIS = digest(b"segue-audit-1")
#: acts read at a time
PAGE = 500


class Broken(Record):
    """The first act whose record does not hold."""

    audit_no: int
    problem: str


def hold(ctx: Context) -> None:
    """Be the only one who acts, until the transaction ends: the first thing in it, so that none waits for another."""
    meta.hold(ctx.store)


def record(ctx: Context, act: str, session_id: str, reason: str, counts: dict[str, int]) -> None:
    """Add an act, within the transaction that does it."""
    last = audit.last(ctx.store, ctx.tenant)
    previous, number = (GENESIS, 0) if last is None else (last.chain, last.audit_no + 1)
    made = audit.Act(
        audit_no=number,
        recorded_at=ctx.now(),
        principal_id=ctx.principal_id,
        project_id=ctx.project.project_id,
        act=act,
        target=tombstones.target(ctx.store, ctx.tenant, session_id),
        reason=reason,
        counts=dumps(counts),
        chain=b"",
    )
    audit.add(ctx.store, ctx.tenant, made.replace(chain=_link(previous, made)))


def check(ctx: Context) -> Broken | None:
    """The first act that was changed or is missing."""
    previous, expected = GENESIS, 0
    while page := audit.page(ctx.store, ctx.tenant, expected, PAGE):
        for act in page:
            if act.audit_no != expected:
                return Broken(audit_no=expected, problem="the act is missing")
            if _link(previous, act) != act.chain:
                return Broken(audit_no=expected, problem="the act was changed")
            previous, expected = act.chain, expected + 1
    return None


def _link(previous: bytes, act: Act) -> bytes:
    fields = (str(act.audit_no), act.recorded_at, act.principal_id, act.project_id, act.act, act.reason, act.counts)
    return digest(previous, act.target, *(field.encode() for field in fields))
