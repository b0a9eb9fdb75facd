"""Owns taking a log from one home into another, exactly: the same numbers, digests, salts and chain. Never merges two.

A log that is there already is gone on with where the chains agree; else it is left as it is, and that is said.
"""

from __future__ import annotations

from segue.errors import SegueError, StaleWriter, StoreUnavailable
from segue.model.event import SESSION_TITLE
from segue.model.record import Record
from segue.sessionlog import chain
from segue.sessionlog.homes.scan import title_of
from segue.sessionlog.homes.seam import End

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from segue.model.entry import Entry
    from segue.model.session import Session
    from segue.sessionlog.homes.seam import Home

#: entries that are kept at once, and the characters of their bodies after which a batch is closed early
BATCH, BATCH_CHARS = 200, 4_000_000


class Copied(Record):
    """What became of one log: how many of its events are new where it went, and how many were known there.

    `forgotten` are events whose text was deleted where they come from, and is still there. `problem` says why the log,
    or the rest of it, was not taken.
    """

    session_id: str
    added: int
    known: int
    forgotten: int = 0
    problem: str | None = None


def copy(source: Home, target: Home, session: Session, told: Session) -> Copied:
    """Take a log of `source` into `target`, where its header is `told`. Raises `StoreUnavailable` alone."""
    if session.status != "ok":
        return Copied(session_id=session.session_id, added=0, known=0, problem=session.problem)
    added = known = forgotten = 0
    problem = None
    try:
        with target.hold(session.session_id):
            end = source.end(session.session_id) or _start(session.session_id)
            there = target.end(session.session_id) or _start(session.session_id)
            known = min(end.seq, there.seq)
            if _chain(source, session.session_id, end, known) != _chain(target, session.session_id, there, known):
                raise StaleWriter("the log that is there goes on otherwise; it was left as it is")
            forgotten = _forgotten(source, target, session.session_id, known)
            for batch in _batches(source.entries(session.session_id, there.seq, end.seq)):
                last = End(seq=batch[-1].seq + 1, chain=batch[-1].chain)
                target.append(told if last == end else _meanwhile(told, batch), batch, there)
                there, added = last, added + len(batch)
    except StoreUnavailable:
        raise
    except SegueError as error:
        problem = error.detail if isinstance(error, StaleWriter) else str(error)
    return Copied(session_id=session.session_id, added=added, known=known, forgotten=forgotten, problem=problem)


def _start(session_id: str) -> End:
    return End(seq=0, chain=chain.genesis(session_id))


def _chain(home: Home, session_id: str, end: End, seq: int) -> bytes:
    """The chain of a log after so many events."""
    if seq in (0, end.seq):
        return end.chain if seq else chain.genesis(session_id)
    return next(iter(home.entries(session_id, seq - 1, seq))).chain


def _forgotten(source: Home, target: Home, session_id: str, below: int) -> int:
    """How many of the first events lost their text in `source` alone."""
    if not below:
        return 0
    both = zip(source.entries(session_id, 0, below), target.entries(session_id, 0, below), strict=True)
    return sum(here.body is None and there.body is not None for here, there in both)


def _batches(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    batch: list[Entry] = []
    size = 0
    for entry in entries:
        batch.append(entry)
        size += len(entry.body or "")
        if len(batch) == BATCH or size > BATCH_CHARS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _meanwhile(told: Session, batch: list[Entry]) -> Session:
    """The header while events are still to come: of what changes, that which these ones tell."""
    titles = [title for entry in batch if entry.type == SESSION_TITLE and (title := title_of(entry)) is not None]
    return told.replace(
        title=titles[-1] if titles else None,
        last_event_at=max(entry.event_time for entry in batch),
        recorded_at=batch[-1].recorded_at,
    )
