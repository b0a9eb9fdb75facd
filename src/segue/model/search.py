"""Owns what is asked of search and what it answers. Never knows how it is found."""

from __future__ import annotations

from segue.model.record import Record


class EventFilter(Record):
    """Which events count: inclusive ranges and sets; None is no restriction, an empty set matches nothing.

    Times are UTC text. Without `archived`, sessions that were put aside do not count. `inherited` are logs whose
    events below a number count beside those of `session_ids`, because the one session asked for began with them.
    `without_session` leaves one session out: the asking one.
    """

    session_ids: tuple[str, ...] | None = None
    archived: bool = True
    inherited: tuple[tuple[str, int], ...] = ()
    without_session: str | None = None
    types: tuple[str, ...] | None = None
    surfaces: tuple[str, ...] | None = None
    seq_from: int | None = None
    seq_to: int | None = None
    time_from: str | None = None
    time_to: str | None = None


class EventHit(Record):
    """An event that matched. A lower `score` is a better match; scores of two searches do not compare."""

    session_id: str
    seq: int
    type: str
    surface: str
    event_time: str
    score: float
