"""Owns the seam between logs and where they are kept: what a home must do. Never names one.

A log has one writer at a time, which holds it. A home trusts no writer all the same: each append names the end of the
log as the writer knows it, and is refused where it ends otherwise.
"""

from __future__ import annotations

from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Protocol

    from segue.model.entry import Entry
    from segue.model.session import Session

    class Home(Protocol):
        """One place that keeps logs."""

        def session(self, session_id: str) -> Session | None:
            """The log's header, `next_seq` among it; None where there is no such log."""

        def end(self, session_id: str) -> End | None:
            """Where the log ends; None where there is none."""

        def sessions(self) -> Iterator[Session]:
            """The headers of all logs, oldest first; a broken one has the status `quarantined` and hides no other."""

        def entries(self, session_id: str, low: int = 0, high: int | None = None) -> Iterator[Entry]:
            """The entries with low <= seq < high, in order. Never changes anything."""

        def append(self, session: Session, entries: Sequence[Entry], end: End) -> None:
            """Keep entries that follow on `end`, which is durable when this returns; the first ones make the log.

            `StaleWriter` where the log ends otherwise, and `SurfaceInvalid` where a place cannot be taken: then nothing
            was kept. `session` tells what the header newly knows: title, model, branch.
            """

        def hold(self, session_id: str) -> AbstractContextManager[None]:
            """Be the only writer among all processes, until the block ends or the process does; else `SessionHeld`."""

        def close(self) -> None: ...


class End(Record):
    """The end of a log: how many entries it has, and the last one's chain."""

    seq: int
    chain: bytes
