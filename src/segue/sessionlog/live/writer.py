"""Owns writing behind a program's back: a thread that writes each window's events, and the flush that waits for it.

Never drops an event: what could not be written is kept in order, reported once, and tried again.
"""

from __future__ import annotations

import threading
import time

from segue.errors import QueueFull, SegueError
from segue.sessionlog.live.window import Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from segue.model.entry import Entry

#: how long events are gathered, in seconds; and how many may wait
WINDOW_S, LIMIT = 0.2, 10_000


class Writer:
    """Writes what it is given with `write`, in order, within `window_s` seconds. Safe for any number of threads.

    `report` is told of a write that failed in the background, once.
    """

    def __init__(
        self,
        write: Callable[[Sequence[Entry]], None],
        report: Callable[[SegueError], None],
        *,
        window_s: float = WINDOW_S,
        limit: int = LIMIT,
    ) -> None:
        self._write = write
        self._report = report
        self._window = Window(window_s, limit)
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self.failure: SegueError | None = None

    def put(self, entry: Entry) -> None:
        """Let an event be written soon. `QueueFull` where too many wait and writing fails."""
        with self._changed:
            is_full = self._window.is_full
        if is_full:
            try:
                self.flush()
            except SegueError as error:
                raise QueueFull(str(error)) from error
        with self._changed:
            self._window.add(entry, time.monotonic())
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name="segue-writer", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def pending(self) -> list[Entry]:
        """What is not known to be written, in order."""
        with self._changed:
            return [*self._window.in_flight, *self._window.waiting]

    def flush(self) -> None:
        """Write everything now, what is appended meanwhile included; the failure of the write is raised."""
        while True:
            with self._changed:
                while self._window.in_flight:
                    self._changed.wait()
                if not self._window.waiting:
                    return
                batch = self._window.take()
            self._try(batch)

    def stop(self) -> int:
        """End the thread; how many events still wait."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
        return len(self.pending())

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._is_closed and not self._window.is_due(time.monotonic()):
                    deadline = self._window.deadline
                    in_flight = bool(self._window.in_flight)
                    left = None if deadline is None or in_flight else max(0.0, deadline - time.monotonic())
                    self._changed.wait(left)
                if self._is_closed:
                    return
                batch = self._window.take()
            try:
                self._try(batch)
            except SegueError as error:
                self._report(error)

    def _try(self, batch: Sequence[Entry]) -> None:
        written = False
        try:
            self._write(batch)
            written = True
        except SegueError as error:
            self.failure = error
            raise
        finally:
            with self._changed:
                if written:
                    self._window.done()
                    self.failure = None
                else:
                    self._window.failed()
                self._changed.notify_all()
