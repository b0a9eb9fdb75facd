"""Owns what an installation changes: one file, before and after. Never reads or writes it."""

from __future__ import annotations

from segue.model.record import Record


class FileChange(Record):
    """A file of a host before and after; `before` is None when it is not there. `summary` says what changes."""

    path: str
    before: bytes | None
    after: bytes
    summary: tuple[str, ...] = ()
