"""Owns how images and files are remembered: by type, size and digest, never by content."""

from __future__ import annotations

from segue.model.record import Record


class Attachment(Record):
    """An image or file that passed by. `size` is in bytes, `digest` is SHA-256 in hex."""

    media_type: str
    size: int
    digest: str
