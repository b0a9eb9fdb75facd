"""Owns what an importer passes on: where a transcript lies, and one entry of it. Never reads a file."""

from __future__ import annotations

from segue.model.event import Draft
from segue.model.record import Record
from segue.model.session import SessionHeader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    #: reads rows of a host's database file: path, SQL, parameters
    Query = Callable[[str, str, tuple[object, ...]], Iterator[tuple[Any, ...]]]


class Source(Record):
    """One transcript on disk (a file, or a host's database). `size` is in bytes when it was found."""

    host: str
    path: str
    size: int


class Entry(Record):
    """One record of a transcript, in order.

    `position` and `state` are where to take up again after this entry: the byte (or row) after it and what the
    reader must remember, as JSON data. `kind` is the host's own name of the record type. `skipped` says why nothing
    was taken from it (`not-a-record`, `unknown-type`, `own-block`, …); None means it was understood, even if it holds
    nothing worth a draft.
    """

    position: int
    state: dict[str, Any]
    kind: str
    header: SessionHeader | None = None
    drafts: tuple[Draft, ...] = ()
    skipped: str | None = None
