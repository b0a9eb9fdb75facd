"""Owns the plain store that Segue's is held against: one FTS5 table that holds the same texts. Never more than that."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence

from segue.model.event import Draft
from segue.sessionlog.text import searchable

#: texts per transaction, as Segue's index does it
BATCH = 200


def text_of(draft: Draft) -> str:
    """The text by which Segue finds the event too."""
    return searchable(draft.type, draft.subject, draft.body)


def make(path: str, texts: Sequence[str]) -> sqlite3.Connection:
    """A new table with these texts."""
    if os.path.exists(path):
        os.remove(path)
    store = sqlite3.connect(path, isolation_level=None)
    store.execute("PRAGMA journal_mode = wal")
    store.execute("PRAGMA synchronous = FULL")
    store.execute("CREATE VIRTUAL TABLE t USING fts5 (text)")
    add(store, texts)
    return store


def add(store: sqlite3.Connection, texts: Sequence[str]) -> None:
    """Insert these texts, a few per transaction."""
    for at in range(0, len(texts), BATCH):
        store.execute("BEGIN IMMEDIATE")
        store.executemany("INSERT INTO t (text) VALUES (?)", ((text,) for text in texts[at : at + BATCH]))
        store.execute("COMMIT")


def query(terms: Iterable[Sequence[str]]) -> str:
    """A match of any of the terms, each a phrase."""
    return " OR ".join('"' + " ".join(words) + '"' for words in terms)


def find(store: sqlite3.Connection, match: str) -> list[tuple[int]]:
    """The best twenty."""
    return store.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 20", (match,)).fetchall()
