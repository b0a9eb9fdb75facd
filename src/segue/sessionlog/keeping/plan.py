"""Owns what a deletion would take: which sessions, events and texts, and which copies. Never takes anything."""

from __future__ import annotations

from segue.errors import NotFoundError
from segue.model.codec import loads
from segue.model.record import Record
from segue.sessionlog import read
from segue.stores import events, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from segue.ctx import Context
    from segue.model.scope import Scope
    from segue.model.session import Session

#: what stands where a text was taken out
MARK = "[deleted]"
#: events read at a time
PAGE = 200


class Target(Record):
    """What goes of one log: all of it (`seqs` None), the texts of some events, or one `text` inside them.

    `copied_from` is the session whose events these are copies of, where a fork inherited them.
    """

    session: Session
    seqs: tuple[int, ...] | None
    text: str | None = None
    copied_from: str | None = None


class Plan(Record):
    """A deletion, exactly: the targets, and the copies in forks that would stay."""

    targets: tuple[Target, ...]
    staying: tuple[Target, ...]


def whole(ctx: Context, scope: Scope, session: Session, *, copies: bool, subagents: bool) -> Plan:
    """The deletion of a session, with its subagents, and with the copies of it in forks."""
    found = [session]
    if subagents:
        found += [child for _, child in read.lineage(ctx, scope, session).descendants if child.seed_length is None]
    targets = [Target(session=one, seqs=None) for one in found]
    inherited = [copy for one in found for copy in _copies(ctx, scope, one, range(one.next_seq), None)]
    return _plan(targets, inherited, copies=copies)


def some(ctx: Context, scope: Scope, session: Session, seqs: range, *, copies: bool) -> Plan:
    """The deletion of the texts of some events; raises `NotFoundError` where there is none of them left."""
    found = events.window(ctx.store, scope, session.session_id, seqs[0], seqs[-1])
    there = tuple(event.seq for event in found if event.body is not None)
    if not there:
        raise NotFoundError(f"{session.session_id}#{seqs[0]}")
    target = Target(session=session, seqs=there)
    return _plan([target], _copies(ctx, scope, session, there, None), copies=copies)


def span(ctx: Context, scope: Scope, session: Session, seqs: range, text: str, *, copies: bool) -> Plan:
    """The deletion of a text wherever it stands in these events of a session; `NotFoundError` where it does not."""
    there = tuple(_holding(ctx, session, seqs, text))
    header = (session.title, session.cwd, session.branch, session.model, session.agent_type)
    if not there and not any(text in (told or "") for told in header):
        raise NotFoundError("that text in that session")
    target = Target(session=session, seqs=there, text=text)
    return _plan([target], _copies(ctx, scope, session, there, text), copies=copies)


def _plan(targets: list[Target], inherited: list[Target], *, copies: bool) -> Plan:
    own = {target.session.session_id for target in targets}
    inherited = [copy for copy in inherited if copy.session.session_id not in own or copy.seqs is None]
    return Plan(targets=tuple(targets + inherited if copies else targets), staying=() if copies else tuple(inherited))


def _copies(
    ctx: Context, scope: Scope, session: Session, seqs: range | tuple[int, ...], text: str | None
) -> list[Target]:
    """The copies of these events that forks began with, and forks of those."""
    found = []
    for child in sessions.children(ctx.store, scope, session.session_id):
        inherited = tuple(seq for seq in seqs if seq < (child.seed_length or 0))
        if inherited:
            found.append(Target(session=child, seqs=inherited, text=text, copied_from=session.session_id))
            found += _copies(ctx, scope, child, inherited, text)
    return found


def _holding(ctx: Context, session: Session, seqs: range, text: str) -> Iterator[int]:
    """The events among these in which the text stands."""
    low, end = seqs[0], min(seqs[-1] + 1, session.next_seq)
    while low < end:
        rows = events.raw(ctx.store, ctx.tenant, session.session_id, low, min(PAGE, end - low))
        if not rows:
            return
        for row in rows:
            if text in (row[11] or "") or (row[12] is not None and _holds(loads(row[12]), text)):
                yield int(row[0])
        low = int(rows[-1][0]) + 1


def _holds(value: Any, text: str) -> bool:
    if isinstance(value, str):
        return text in value
    if isinstance(value, dict):
        return any(_holds(inner, text) for pair in value.items() for inner in pair)
    return isinstance(value, list) and any(_holds(inner, text) for inner in value)


def without(value: Any, text: str) -> Any:
    """JSON data without a text: what stood there is marked."""
    if isinstance(value, str):
        return value.replace(text, MARK)
    if isinstance(value, dict):
        return {name.replace(text, MARK): without(inner, text) for name, inner in value.items()}
    return [without(inner, text) for inner in value] if isinstance(value, list) else value
