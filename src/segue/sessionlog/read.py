"""Owns reading logs through a scope: one session, its relatives, its events (I3, I12). Never writes."""

from __future__ import annotations

from segue.errors import AmbiguousId, NotFoundError
from segue.model.record import Record
from segue.sessionlog import placing
from segue.sessionlog.surface.fold import replaced, replacements
from segue.stores import events, placements, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.ctx import Context
    from segue.model.event import Event
    from segue.model.scope import Scope
    from segue.model.session import Session

#: how far up a chain of parents, and how many descendants, a trace goes (I18)
MAX_ANCESTORS, MAX_DESCENDANTS = 64, 2000
#: neighbours of an event that one read may ask for, on each side
MAX_WINDOW = 50


class Lineage(Record):
    """A session's relatives: ancestors nearest first, descendants parent first with their depth.

    `cut_above` says that the visible chain ends at a parent that is hidden or unknown.
    """

    session: Session
    ancestors: tuple[Session, ...]
    cut_above: bool
    descendants: tuple[tuple[int, Session], ...]
    capped: bool


class Placed(Record):
    """Numbers of the events that one event has to do with on the surface.

    `replaced_by` is the whole chain: what took its place, what took the place of that, and so on.
    """

    replaced_by: tuple[int, ...]
    replaced: tuple[int, ...]
    cites: tuple[int, ...]
    cited_by: tuple[int, ...]


def session(ctx: Context, scope: Scope, name: str) -> Session:
    """The visible session with that id, or the only one whose id begins so. Hidden and unknown raise alike (I12)."""
    if "\0" in name:  # no id has one, and not every engine takes one
        raise NotFoundError(name.replace("\0", "\\0"))
    found = sessions.get(ctx.store, scope, name)
    if found is not None:
        return found
    alike = sessions.starting_with(ctx.store, scope, name) if len(name) >= 4 else []
    roots = [other for other in alike if other.agent_id is None]
    alike = roots or alike  # a session is meant before its own subagents, whose ids begin with its
    if len(alike) > 1:
        some = ", ".join(other.session_id for other in alike[:3])
        raise AmbiguousId(name, hint=f"Give more of the id. It could be: {some}{', …' if len(alike) > 3 else ''}")
    if not alike:
        raise NotFoundError(name)
    return alike[0]


def event(ctx: Context, scope: Scope, session_id: str, seq: int) -> Event:
    """One visible event."""
    found = events.window(ctx.store, scope, session_id, seq, seq)
    if not found:
        raise NotFoundError(f"{session_id}#{seq}")
    return found[0]


def around(ctx: Context, scope: Scope, session_id: str, seq: int, before: int, after: int) -> list[Event]:
    """An event with its neighbours, in order; at most MAX_WINDOW on each side."""
    before, after = min(max(before, 0), MAX_WINDOW), min(max(after, 0), MAX_WINDOW)
    return events.window(ctx.store, scope, session_id, max(0, seq - before), seq + after)


def placement(ctx: Context, scope: Scope, session_id: str, seq: int) -> Placed:
    """What became of one visible event on the surface, and what it was made from; raises `NotFoundError`."""
    target = event(ctx, scope, session_id, seq)
    placed = placements.of(ctx.store, ctx.tenant, session_id)
    if not placed:
        return Placed(replaced_by=(), replaced=(), cites=(), cited_by=())
    found = placing.surface(ctx.store, ctx.tenant, session_id, max(placed) + 1)
    own = placed.get(target.seq)
    return Placed(
        replaced_by=tuple(replacements(found, seq)),
        replaced=tuple(replaced(found, seq)),
        cites=() if own is None else own.cites,
        cited_by=tuple(other.seq for other in placed.values() if seq in other.cites),
    )


def inherited(ctx: Context, scope: Scope, of: Session) -> tuple[tuple[str, int], ...]:
    """The logs under which the events are indexed that a fork began with, each with the number below which they are.

    The condition is that of `stores.docs.START`.
    """
    found: list[tuple[str, int]] = []
    below = of.seed_length
    while below and of.parent_id is not None and len(found) < MAX_ANCESTORS:
        parent = sessions.get(ctx.store, scope, of.parent_id)
        alike = ("project_id", "principal_id", "visibility")
        if parent is None or any(getattr(parent, name) != getattr(of, name) for name in alike):
            break
        found.append((parent.session_id, below))
        below, of = min(below, parent.seed_length or 0), parent
    return tuple(found)


def lineage(ctx: Context, scope: Scope, of: Session) -> Lineage:
    """The relatives of a session that this scope may see; nothing under a hidden one is shown."""
    ancestors: list[Session] = []
    seen = {of.session_id}
    parent_id = of.parent_id
    while parent_id is not None and parent_id not in seen and len(ancestors) < MAX_ANCESTORS:
        seen.add(parent_id)
        parent = sessions.get(ctx.store, scope, parent_id)
        if parent is None:
            break
        ancestors.append(parent)
        parent_id = parent.parent_id
    descendants, capped = _descendants(ctx, scope, of.session_id)
    return Lineage(
        session=of,
        ancestors=tuple(ancestors),
        cut_above=parent_id is not None,
        descendants=tuple(descendants),
        capped=capped,
    )


def _descendants(ctx: Context, scope: Scope, root: str) -> tuple[list[tuple[int, Session]], bool]:
    found: list[tuple[int, Session]] = []
    seen = {root}
    stack = [(1, child) for child in reversed(sessions.children(ctx.store, scope, root))]
    while stack and len(found) < MAX_DESCENDANTS:
        depth, child = stack.pop()
        if child.session_id in seen:
            continue
        seen.add(child.session_id)
        found.append((depth, child))
        below = sessions.children(ctx.store, scope, child.session_id)
        stack += [(depth + 1, grandchild) for grandchild in reversed(below)]
    return found, bool(stack)
