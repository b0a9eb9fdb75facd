"""Owns what a brief is made of: items offered, shown or left out, and the block they make. Never renders."""

from __future__ import annotations

from segue.model.record import Record

SHOWN, LEFT_OUT = "shown", "left_out"


class Item(Record):
    """One line that a layer offers, and where it came from. `text` is one line of plain text."""

    layer: str
    text: str
    session_id: str | None = None
    seq: int | None = None


class Judged(Record):
    """An item with its fate. `reason` says why it was shown or left out."""

    item: Item
    disposition: str
    reason: str


class Injection(Record):
    """What one session was shown at its start. `tokens` is estimated, `bytes` measured, both with the frame."""

    injection_id: str
    session_id: str
    source: str
    created_at: str
    tokens: int
    bytes: int
    items: tuple[Judged, ...]
