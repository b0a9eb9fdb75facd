"""Owns reading a transcript line by line in flat memory, from any position. Never decides what a line means.

A transcript is written by a host that may be running, may have been killed and may have met a full disk: every line is
told, also those that cannot be used, so that the caller can count them.
"""

from __future__ import annotations

import os
import re
import stat

from segue.model.codec import loads
from segue.model.record import Record
from segue.model.transcript import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

MAX_LINE_BYTES = 32 * 1024 * 1024
#: bytes that tell whose transcript a file is
HEAD_BYTES = 64 * 1024
TOO_LONG, CUT_OFF = "too-long", "cut-off"

#: escapes as they stand in JSON text: whole ones, kept by the group, or a half of a surrogate pair
_ESCAPES = re.compile(
    r"(\\u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\[^u]|\\u(?![dD][89a-fA-F]))|\\u[dD][89a-fA-F][0-9a-fA-F]{2}",
    re.DOTALL,
)


class Line(Record):
    """One line: where it begins, where the next one does, and its text, or why there is none to use.

    A line that is `cut-off` has its text all the same: its end may be written later.
    """

    start: int
    end: int
    text: str | None
    problem: str | None = None


def source(host: str, path: str) -> Iterator[Source]:
    """The file as a transcript of this host; nothing where there is none, also one that vanished just now."""
    try:
        told = os.stat(path)
    except OSError:
        return
    if stat.S_ISREG(told.st_mode):
        yield Source(host=host, path=path, size=told.st_size)


def lines(path: str, position: int = 0, limit_bytes: int = MAX_LINE_BYTES) -> Iterator[Line]:
    """The lines of a file from a position on, without the empty ones."""
    with open(path, "rb") as file:
        file.seek(position)
        start = position
        while raw := file.readline(limit_bytes + 1):
            end = start + len(raw)
            if len(raw) > limit_bytes and not raw.endswith(b"\n"):
                yield Line(start=start, end=(end := end + _skip(file)), text=None, problem=TOO_LONG)
            elif raw.strip():
                text = _decode(raw, start)
                whole = raw.endswith(b"\n") or _parses(text)
                yield Line(start=start, end=end, text=text, problem=None if whole else CUT_OFF)
            start = end


def _skip(file: BinaryIO) -> int:
    """The length of the rest of a line, read in pieces."""
    length = 0
    while piece := file.readline(1024 * 1024):
        length += len(piece)
        if piece.endswith(b"\n"):
            break
    return length


def _decode(raw: bytes, start: int) -> str:
    text = raw.decode("utf-8", "replace").rstrip("\r\n")
    if start == 0:
        text = text.removeprefix("\ufeff")
    return whole_characters(text)


def whole_characters(text: str) -> str:
    """JSON text without escapes of half a character, which no store can take."""
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _ESCAPES.sub(lambda found: found[1] or "\\ufffd", text)


def _parses(text: str) -> bool:
    try:
        loads(text)
    except ValueError:
        return False
    return True


def record(text: str) -> dict[str, Any] | None:
    """The JSON object of a line; None for anything else, and for numbers that could not be written again."""
    try:
        value = loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def head(path: str, most_bytes: int = HEAD_BYTES) -> str:
    """The beginning of a file as text; empty when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return _decode(file.read(most_bytes), 0)
    except OSError:
        return ""


def first_records(beginning: str, most: int = 8) -> Iterator[dict[str, Any]]:
    """The first records of a transcript's beginning; what is not a record is passed over."""
    found = 0
    for line in beginning.split("\n"):
        value = record(line) if line.lstrip().startswith("{") else None
        if value is not None:
            yield value
            found += 1
        if found >= most:
            return
