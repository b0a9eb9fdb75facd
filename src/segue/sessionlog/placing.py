"""Owns taking places on a stored log's surface: checked, kept, what they shadow marked. Never adds an event."""

from __future__ import annotations

from segue.sessionlog.surface.fold import Surface
from segue.stores import events, placements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from segue.model.entry import Entry
    from segue.model.event import Draft
    from segue.stores.engine import Engine


def surface(engine: Engine, tenant: str, session_id: str, below: int) -> Surface:
    """The surface of a stored log as it was made by its events below that number."""
    found = Surface()
    placed = placements.of(engine, tenant, session_id, 0, below)
    for seq, type_ in events.on_surface(engine, tenant, session_id, below):
        found.pass_to(seq)
        placement = placed.get(seq)
        if placement is None:
            found.add(type_)
        else:
            found.add(type_, placement.replaces, placement.cites)
    found.pass_to(below)
    return found


def place(engine: Engine, tenant: str, session_id: str, first: int, added: Sequence[Draft | Entry]) -> None:
    """Take the places that events ask for which were just added from number `first` on; raises `SurfaceInvalid`."""
    found = surface(engine, tenant, session_id, first)
    shadowed: list[int] = []
    kept = []
    for seq, event in enumerate(added, start=first):
        shadowed += found.add(event.type, event.replaces, event.cites)
        if event.replaces is not None or event.cites:
            kept.append(placements.Placement(seq=seq, replaces=event.replaces, cites=event.cites))
    placements.add(engine, tenant, session_id, kept)
    placements.shade(engine, tenant, session_id, shadowed)
