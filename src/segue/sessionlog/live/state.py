"""Owns what a writer must know of a log to go on with it: its end, its surface, its messages, its open turn. Pure.

It holds the events on the surface as messages and of all others nothing, so that a log of any length can be gone on
with in the memory that its messages take.
"""

from __future__ import annotations

from segue.model import event as kinds
from segue.model.codec import loads
from segue.sessionlog import chain
from segue.sessionlog.homes.seam import End
from segue.sessionlog.live.turns import Turns
from segue.sessionlog.surface.fold import Surface
from segue.sessionlog.surface.messages import message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from segue.model.entry import Entry


class State:
    """A log folded up to its end, event by event."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.end = End(seq=0, chain=chain.genesis(session_id))
        self.surface = Surface()
        self.turns = Turns()
        self.last_type: str | None = None
        self.recorded_at = ""
        self._messages: dict[int, dict[str, Any] | None] = {}

    def check(self, type_: str, replaces: tuple[int, int] | None, cites: tuple[int, ...]) -> None:
        """Whether an event could be added next; raises `SurfaceInvalid`."""
        self.surface.check(type_, replaces, cites)

    def add(self, entry: Entry) -> None:
        """Take the log's next event. Raises `SurfaceInvalid` for a place that cannot be taken."""
        shadowed = self.surface.add(entry.type, entry.replaces, entry.cites)
        body = None if entry.body is None else loads(entry.body)
        for seq in shadowed:
            self._messages.pop(seq, None)
        if entry.type in kinds.SURFACE_TYPES:
            self._messages[entry.seq] = message(entry.type, body)
        self.turns.add(entry.seq, entry.type, body, entry.event_time)
        self.last_type = entry.type
        self.recorded_at = max(self.recorded_at, entry.recorded_at)
        self.end = End(seq=entry.seq + 1, chain=entry.chain)

    def messages(self) -> list[dict[str, Any]]:
        """The model's history, oldest first."""
        found = (self._messages[seq] for seq in self.surface.nodes)
        return [told for told in found if told is not None]


def folded(session_id: str, entries: Iterable[Entry]) -> State:
    """The state of a whole log."""
    state = State(session_id)
    for entry in entries:
        state.add(entry)
    return state
