"""Owns running what is pending, within a limit. Never runs in a hook that a person waits for."""

from __future__ import annotations

from segue.model.record import Record
from segue.projectors import index
from segue.sessionlog import spool
from segue.stores import docs, projections, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from segue.ctx import Context

#: logs looked up at a time
LOGS = 200


class Derived(Record):
    """What one run did, and how many events it left for the next one."""

    spooled: int
    indexed: int
    left: int
    quarantined: tuple[str, ...] = ()


def derive(
    ctx: Context, spool_folder: str, *, limit: int | None = None, progress: Callable[[int, int], None] | None = None
) -> Derived:
    """Move the spool into the store and bring the index up to the log; `limit` bounds the events of this run.

    A log whose events cannot be read is quarantined and named; the rest goes on.
    """
    spooled = _drain(ctx, spool_folder, whole=limit is None)
    total = docs.behind(ctx.store, ctx.tenant)
    most = total if limit is None else min(limit, total)
    done = 0
    broken: list[str] = []
    while done < most:
        logs = docs.pending(ctx.store, ctx.tenant, LOGS)
        if not logs:
            break
        unreadable: dict[str, str] = {}
        before = done
        for batch in index.batches(ctx, logs, most - done, unreadable):
            done += index.write(ctx, batch)
            if progress:
                progress(min(done, total), total)
        for session_id, problem in unreadable.items():
            sessions.quarantine(ctx.store, ctx.tenant, session_id, f"unreadable: {problem}")
        broken += unreadable
        if done == before and not unreadable:
            break  # others hold all of these logs, and will index them or leave them to the next run
    left = docs.behind(ctx.store, ctx.tenant) if total else 0
    return Derived(spooled=spooled, indexed=done, left=left, quarantined=tuple(broken))


def _drain(ctx: Context, folder: str, *, whole: bool) -> int:
    """Move the spool: until nothing of it goes any more, or as much as goes in one go."""
    added = 0
    while True:
        drained = spool.drain(ctx, folder)
        added += drained.added
        if not whole or not (drained.batches or drained.broken):
            return added


def rebuild(ctx: Context, spool_folder: str, progress: Callable[[int, int], None] | None = None) -> Derived:
    """Drop every derived table and make it anew from the log (I1)."""
    with ctx.store.transaction():
        docs.clear(ctx.store)
        projections.clear(ctx.store)
    return derive(ctx, spool_folder, progress=progress)
