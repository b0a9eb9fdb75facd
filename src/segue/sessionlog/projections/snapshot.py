"""Owns looking at a log's folds: what was kept, and the events since. Never ahead of the log, and never needed by it.

A kept state is used only while it is of this fold's version and of this log: it names the chain of the event that it
was folded up to. Whatever does not fit is folded from the beginning.
"""

from __future__ import annotations

from segue.errors import StoreUnavailable
from segue.model.codec import dumps, loads
from segue.model.record import Record
from segue.sessionlog.projections.fold import FOLDS, Step
from segue.stores import events, projections
from segue.stores.projections import Kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from segue.ctx import Context
    from segue.model.session import Session
    from segue.sessionlog.projections.fold import Fold

#: events read at a time, and after how many new ones a state is kept
PAGE, KEEP_EVERY = 500, 100


class Snapshot(Record):
    """The states of a log's folds by their names, as of its event `as_of` (-1 for a log without events)."""

    as_of: int
    states: dict[str, Any]


def snapshot(ctx: Context, session: Session, folds: Sequence[Fold] = FOLDS) -> Snapshot:
    """The folds of a visible session as of its last event."""
    kept = projections.of(ctx.store, ctx.tenant, session.session_id)
    begun = {fold.name: _begun(ctx, session, fold, kept.get(fold.name)) for fold in folds}
    states = {name: state for name, (_, state) in begun.items()}
    low = at = min((seq for seq, _ in begun.values()), default=session.next_seq)
    chain = b""
    while at < session.next_seq:
        rows = events.raw(ctx.store, ctx.tenant, session.session_id, at, min(PAGE, session.next_seq - at))
        if not rows:
            break
        for row in rows:
            step = _step(row)
            for fold in folds:
                if step.seq >= begun[fold.name][0]:
                    states[fold.name] = fold.after(states[fold.name], step)
        at, chain = int(rows[-1][0]) + 1, bytes(rows[-1][9])
    if at - low >= KEEP_EVERY:
        _keep(ctx, session, folds, states, at, chain)
    return Snapshot(as_of=at - 1, states=states)


def _begun(ctx: Context, session: Session, fold: Fold, kept: Kept | None) -> tuple[int, Any]:
    """Where to fold on, and from which state."""
    if kept is None or kept.version != fold.version or not 0 < kept.seq <= session.next_seq:
        return 0, fold.start
    rows = events.raw(ctx.store, ctx.tenant, session.session_id, kept.seq - 1, 1)
    if not rows or rows[0][0] != kept.seq - 1 or bytes(rows[0][9]) != kept.chain:
        return 0, fold.start
    try:
        state = loads(kept.state)
    except ValueError:
        return 0, fold.start
    return (kept.seq, state) if type(state) is type(fold.start) else (0, fold.start)


def _step(row: Any) -> Step:
    return Step(
        seq=int(row[0]),
        type=row[1],
        action=row[6],
        outcome=row[7],
        time=row[4],
        body=None if row[12] is None else loads(row[12]),
    )


def _keep(
    ctx: Context, session: Session, folds: Sequence[Fold], states: dict[str, Any], seq: int, chain: bytes
) -> None:
    """Keep the states for the next look; where that cannot be, they are folded again."""
    try:
        with ctx.store.transaction(durable=False):
            for fold in folds:
                made = Kept(name=fold.name, version=fold.version, seq=seq, chain=chain, state=dumps(states[fold.name]))
                projections.put(ctx.store, ctx.tenant, session.session_id, made)
    except StoreUnavailable:
        return
