"""Owns the fold of a log into its surface: which events the model sees now, in which order. Pure; never reads a store.

An event of a surface type takes its place at the end, or the place of a range of events that are on the surface now.
Nothing leaves the log: what was replaced is `shadowed`. The range is one of places, not of numbers: after a replacement
a later number may stand before an earlier one.
"""

from __future__ import annotations

from segue.errors import SurfaceInvalid
from segue.model.event import CURRENT, LOG_ONLY, SHADOWED, SURFACE_TYPES, TOOL_RESULT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Surface:
    """The surface of one log while its events are added in order. It holds numbers, never an event's text."""

    def __init__(self) -> None:
        self._nodes: list[int] = []
        self._types: dict[int, str] = {}
        self.replaced_by: dict[int, int] = {}
        #: how often a range was replaced: whoever keeps something made of the nodes makes it anew when this changes
        self.generation = 0
        self.next_seq = 0

    @property
    def nodes(self) -> tuple[int, ...]:
        """The numbers of the events on the surface, in the order of the model's history."""
        return tuple(self._nodes)

    def surface_of(self, seq: int) -> str:
        """Whether an event is `current`, `shadowed` or `log-only`."""
        if seq in self.replaced_by:
            return SHADOWED
        return CURRENT if seq in self._types else LOG_ONLY

    def pass_to(self, seq: int) -> None:
        """The events below that number that were not added are never on the surface."""
        self.next_seq = max(self.next_seq, seq)

    def add(self, type_: str, replaces: tuple[int, int] | None = None, cites: Sequence[int] = ()) -> tuple[int, ...]:
        """Take the next event; the events that it shadows. Raises `SurfaceInvalid`, and then nothing has changed."""
        shadowed = self.check(type_, replaces, cites)
        seq, self.next_seq = self.next_seq, self.next_seq + 1
        if type_ not in SURFACE_TYPES:
            return ()
        self._types[seq] = type_
        if not shadowed:
            self._nodes.append(seq)
            return ()
        at = self._nodes.index(shadowed[0])
        self._nodes[at : at + len(shadowed)] = [seq]
        self.replaced_by.update(dict.fromkeys(shadowed, seq))
        self.generation += 1
        return shadowed

    def check(self, type_: str, replaces: tuple[int, int] | None, cites: Sequence[int]) -> tuple[int, ...]:
        """The nodes that the next event would shadow; raises `SurfaceInvalid` for a place that cannot be taken."""
        if type_ not in SURFACE_TYPES:
            if replaces is not None or cites:
                raise SurfaceInvalid(f"{type_} is never on the surface: it replaces and cites nothing")
            return ()
        if len(set(cites)) < len(cites) or any(not 0 <= seq < self.next_seq for seq in cites):
            raise SurfaceInvalid("what is cited are earlier events, each once")
        if replaces is None:
            return ()
        shadowed = self.range(*replaces)
        if not set(shadowed) <= set(cites):
            raise SurfaceInvalid("a replacement cites every event that it shadows")
        if type_ == TOOL_RESULT and [self._types[seq] for seq in shadowed] != [TOOL_RESULT]:
            raise SurfaceInvalid("a tool's result replaces one tool's result alone")
        return shadowed

    def range(self, start: int, end: int) -> tuple[int, ...]:
        """The events on the surface from one to another, both among them, in order; raises `SurfaceInvalid`."""
        for seq in (start, end):
            if self.surface_of(seq) != CURRENT:
                raise SurfaceInvalid(f"event {seq} is not on the surface")
        low, high = self._nodes.index(start), self._nodes.index(end)
        if low > high:
            raise SurfaceInvalid(f"event {start} stands after event {end}")
        return tuple(self._nodes[low : high + 1])


def fold(events: Iterable[tuple[str, tuple[int, int] | None, Sequence[int]]]) -> Surface:
    """The surface of a whole log: of each event from number 0 on its type, what it replaces and what it cites."""
    surface = Surface()
    for type_, replaces, cites in events:
        surface.add(type_, replaces, cites)
    return surface


def replacements(surface: Surface, seq: int) -> list[int]:
    """What replaced an event, what replaced that, and so on."""
    chain: list[int] = []
    while (by := surface.replaced_by.get(chain[-1] if chain else seq)) is not None:
        chain.append(by)
    return chain


def replaced(surface: Surface, seq: int) -> Sequence[int]:
    """The events that one took the place of, in order of their numbers."""
    return sorted(old for old, new in surface.replaced_by.items() if new == seq)
