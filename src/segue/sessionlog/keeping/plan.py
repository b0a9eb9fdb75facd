"""Owns what a deletion would take: which sessions, events and texts, and which copies. Never takes anything."""

from __future__ import annotations

from segue.errors import NotFoundError
from segue.model.codec import loads
from segue.model.event import SESSION_TITLE
from segue.model.record import Record
from segue.sessionlog import read
from segue.sessionlog.text import searchable
from segue.stores import erase, events, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from segue.ctx import Context
    from segue.model.scope import Scope
    from segue.model.session import Session
    from segue.stores.engine import Row

#: what stands where a text was taken out
MARK = sessions.DELETED
#: events read at a time, and titles of one log that are looked at
PAGE, TITLES = 200, 200


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
    return _plan(ctx, targets, inherited, copies=copies)


def some(ctx: Context, scope: Scope, session: Session, seqs: range, *, copies: bool) -> Plan:
    """The deletion of the texts of some events; raises `NotFoundError` where there is none of them left."""
    titles = events.latest_of_type(ctx.store, scope, session.session_id, SESSION_TITLE, TITLES)
    named = {event.seq: str(event.body.get("title", "")) for event in titles if event.body}
    chosen: set[int] = set()
    quoting: set[int] = set()
    for page in _pages(ctx, session, seqs):
        left = [row for row in page if row[11] is not None or row[12] is not None]
        texts = [text_of(row) for row in left]
        chosen |= {int(row[0]) for row in left}
        quoting |= {seq for seq, title in named.items() if quotes(title, texts)}
    if not chosen:
        raise NotFoundError(f"{session.session_id}#{seqs[0]}")
    there = tuple(sorted(chosen | quoting))
    target = Target(session=session, seqs=there)
    return _plan(ctx, [target], _copies(ctx, scope, session, there, None), copies=copies)


def span(ctx: Context, scope: Scope, session: Session, seqs: range, text: str, *, copies: bool) -> Plan:
    """The deletion of a text wherever it stands in these events of a session; `NotFoundError` where it does not."""
    there = tuple(_holding(ctx, session, seqs, text))
    header = (getattr(session, name) for name in erase.SPOKEN)
    if not there and not any(text in (told or "") for told in header):
        raise NotFoundError("that text in that session")
    target = Target(session=session, seqs=there, text=text)
    return _plan(ctx, [target], _copies(ctx, scope, session, there, text), copies=copies)


def joined(plans: Iterable[Plan]) -> Plan:
    """Several deletions as one: what is named twice goes once."""
    found: dict[tuple[str, str | None], Target] = {}
    staying: dict[str, Target] = {}
    for plan in plans:
        for target in plan.targets:
            key = (target.session.session_id, target.text)
            known = found.get(key, target)
            both = None if known.seqs is None or target.seqs is None else tuple(sorted({*known.seqs, *target.seqs}))
            found[key] = known.replace(seqs=both)
        staying |= {target.session.session_id: target for target in plan.staying}
    whole = {target.session.session_id for target in found.values() if target.seqs is None}
    targets = tuple(t for t in found.values() if t.seqs is None or t.session.session_id not in whole)
    return Plan(targets=targets, staying=tuple(t for name, t in staying.items() if name not in whole))


def _plan(ctx: Context, targets: list[Target], inherited: list[Target], *, copies: bool) -> Plan:
    """Copies in the logs of others stay, whatever is asked: only their owner takes them."""
    own = {target.session.session_id for target in targets}
    inherited = [copy for copy in inherited if copy.session.session_id not in own or copy.seqs is None]
    going = [copy for copy in inherited if copies and copy.session.principal_id == ctx.principal_id]
    return Plan(targets=(*targets, *going), staying=tuple(copy for copy in inherited if copy not in going))


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


def _pages(ctx: Context, session: Session, seqs: range) -> Iterator[list[Row]]:
    """The stored events among these that have a text still, a page at a time."""
    low, end = seqs[0], min(seqs[-1] + 1, session.next_seq)
    while low < end:
        rows = events.raw(ctx.store, ctx.tenant, session.session_id, low, min(PAGE, end - low))
        if not rows:
            return
        yield [row for row in rows if row[0] < end]
        low = int(rows[-1][0]) + 1


def _holding(ctx: Context, session: Session, seqs: range, text: str) -> Iterator[int]:
    """The events among these in which the text stands."""
    for page in _pages(ctx, session, seqs):
        for row in page:
            if text in (row[11] or "") or (row[12] is not None and _holds(_body(row), text)):
                yield int(row[0])


def _body(row: Row) -> Any:
    """An event's body, or its stored text where that is no JSON any more."""
    try:
        return None if row[12] is None else loads(row[12])
    except ValueError:
        return row[12]


def is_damaged(row: Row) -> bool:
    """Whether a stored event's body is no body any more, so that nobody can tell what quotes it."""
    body = _body(row)
    return body is not None and not isinstance(body, dict)


def text_of(row: Row) -> str:
    """What a stored event says, as it is searched."""
    return "" if is_damaged(row) else searchable(row[1], row[11], _body(row))


def quotes(title: str, texts: Iterable[str]) -> bool:
    """Whether a title is how one of the texts goes, however it is spaced and cut."""
    line = " ".join(title.rstrip("…").split()).casefold()
    return bool(line) and any(line in " ".join(text.split()).casefold() for text in texts)


def _holds(value: Any, text: str) -> bool:
    if isinstance(value, str):
        return text in value
    if isinstance(value, dict):
        return any(_holds(inner, text) for pair in value.items() for inner in pair)
    return isinstance(value, list) and any(_holds(inner, text) for inner in value)


def untitled(value: Any) -> Any:
    """What a reader of transcripts remembers, without titles."""
    if isinstance(value, dict):
        marked = {name: untitled(inner) for name, inner in value.items()}
        return {**marked, "title": MARK} if isinstance(value.get("title"), str) else marked
    return [untitled(inner) for inner in value] if isinstance(value, list) else value


def without(value: Any, text: str) -> Any:
    """JSON data without a text: what stood there is marked."""
    if isinstance(value, str):
        return value.replace(text, MARK)
    if isinstance(value, dict):
        return {name.replace(text, MARK): without(inner, text) for name, inner in value.items()}
    return [without(inner, text) for inner in value] if isinstance(value, list) else value
