"""Owns what an installation changes in a host's file, and the least that must be kept to take it back."""

from __future__ import annotations

from segue.model.record import Record


class FileChange(Record):
    """A file of a host before and after; `before` is None when it is not there. `summary` says what changes.

    `made_keys` are the keys that are there only because of Segue: `hooks`, or `hooks.Stop` in one that was there.
    """

    path: str
    before: bytes | None
    after: bytes
    summary: tuple[str, ...] = ()
    made_keys: tuple[str, ...] = ()


class Undo(Record):
    """How to take a change back: the file may hold secrets of its host, so only what was replaced is kept.

    Where the file still is what was written (its SHA-256 is `after_digest`), the bytes from `start` to `end` go back to
    `replaced`, and it is byte for byte what it was. `existed` is False for a file that was not there.
    """

    path: str
    existed: bool
    after_digest: str
    start: int
    end: int
    replaced: str
    made_keys: tuple[str, ...] = ()


def undo_of(change: FileChange, digest: str) -> Undo:
    """What to keep of a change; `digest` is the SHA-256 of its `after` in hex."""
    before, after = change.before or b"", change.after
    limit = min(len(before), len(after))
    start = 0
    while start < limit and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < limit - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return Undo(
        path=change.path,
        existed=change.before is not None,
        after_digest=digest,
        start=start,
        end=len(after) - tail,
        replaced=before[start : len(before) - tail].hex(),
        made_keys=change.made_keys,
    )


def restored(undo: Undo, after: bytes) -> bytes | None:
    """The file before the change, from the very bytes that the change left; None where there was no file."""
    if not undo.existed:
        return None
    return after[: undo.start] + bytes.fromhex(undo.replaced) + after[undo.end :]
