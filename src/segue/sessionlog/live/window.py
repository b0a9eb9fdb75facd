"""Owns when what was appended is written: the window that the first waiting event opens. Pure: it is told the time.

The window has a fixed length. Later events join it and do not extend it; those that come while a batch is written
wait for a window of their own. After a failure nothing is tried again by itself, until something new is appended or
somebody asks for it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.model.entry import Entry


class Window:
    """The events that wait and those that are being written, in order. Times are seconds of any steady clock."""

    def __init__(self, length_s: float, limit: int) -> None:
        self._length_s = length_s
        self._limit = limit
        self.waiting: list[Entry] = []
        self.in_flight: list[Entry] = []
        self.deadline: float | None = None

    @property
    def is_full(self) -> bool:
        """Whether nothing more may be added before something was written (I18)."""
        return len(self.waiting) + len(self.in_flight) >= self._limit

    def add(self, entry: Entry, now: float) -> None:
        """Let an event wait; the first one that waits opens the window."""
        self.waiting.append(entry)
        if self.deadline is None:
            self.deadline = now + self._length_s

    def is_due(self, now: float) -> bool:
        """Whether a batch is to be written now."""
        return self.deadline is not None and now >= self.deadline and not self.in_flight

    def take(self) -> list[Entry]:
        """Everything that waits, from now on in flight."""
        self.in_flight, self.waiting, self.deadline = self.waiting, [], None
        return self.in_flight

    def done(self) -> None:
        """What was in flight is written."""
        self.in_flight = []

    def failed(self) -> None:
        """What was in flight waits again, before everything else."""
        self.waiting, self.in_flight, self.deadline = self.in_flight + self.waiting, [], None
