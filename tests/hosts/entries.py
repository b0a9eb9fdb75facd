"""Owns what tests of transcripts ask of entries."""

from __future__ import annotations

import json
import pathlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from segue.model.event import Draft
from segue.model.transcript import Entry

HERE = pathlib.Path(__file__).parent
Read = Callable[[str, int, dict[str, Any]], Iterator[Entry]]


def no_query(path: str, sql: str, params: tuple[object, ...]) -> Iterator[tuple[Any, ...]]:
    """What a host whose transcripts are files of lines is given to query with: it must never ask."""
    raise AssertionError("a file of lines is no database")


def effective_key(draft: Draft) -> tuple[str | None, str]:
    """What makes two drafts of one session the same event."""
    return draft.unless or draft.key, " ".join(str(draft.body.get("text", "")).split()) if draft.key_on_text else ""


def folded(entries: Iterable[Entry]) -> list[Draft]:
    """The drafts of one session's entries without what folds: the first of each key stays."""
    found: dict[object, Draft] = {}
    for entry in entries:
        for draft in entry.drafts:
            assert draft.key is not None
            found.setdefault(effective_key(draft), draft)
    return list(found.values())


def tally(entries: list[Entry]) -> dict[str, int]:
    """How many events of each type remain, and how many entries were skipped for each reason."""
    types = Counter(draft.type for draft in folded(entries))
    return {**types, **Counter(f"skipped: {entry.skipped}" for entry in entries if entry.skipped)}


def texts(entries: Iterable[Entry], kind: str) -> list[str]:
    """The texts of one type of event."""
    return [str(draft.body["text"]) for draft in folded(entries) if draft.type == kind]


def resumes_everywhere(read: Read, path: str) -> int:
    """Read on from every entry; how many entries there are."""
    entries = list(read(path, 0, {}))
    for number, entry in enumerate(entries):
        state = json.loads(json.dumps(entry.state))
        assert list(read(path, entry.position, state)) == entries[number + 1 :]
    return len(entries)


def write(path: pathlib.Path, *records: object) -> str:
    """A transcript of these records; text is written as it is."""
    rows = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
    return str(path)
