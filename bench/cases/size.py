"""Owns how large the store is, beside one FTS5 table with the same texts and beside the raw JSON."""

from __future__ import annotations

import argparse
import os
import sqlite3
from typing import Any

from bench import bare
from bench.cases.ingest import take_in
from bench.corpus import texts
from bench.measure import ratio
from segue.model.codec import dumps

EVENTS = 20_000


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Bytes per event, and what part of the store takes them."""
    drafts = list(texts(options.events or EVENTS))
    folder = os.path.join(options.data, "size")
    os.makedirs(folder, exist_ok=True)
    table = os.path.join(folder, "bare.db")
    bare.make(table, [text for text in map(bare.text_of, drafts) if text]).close()
    take_in(os.path.join(folder, "home"), drafts)
    path = os.path.join(folder, "home", "data", "segue.db")
    sizes = {
        "segue": os.path.getsize(path),
        "bare": os.path.getsize(table),
        "json": sum(len(dumps(draft.as_dict()).encode()) for draft in drafts),
    }
    return {
        "events": len(drafts),
        "bytes_per_event": {name: round(size / len(drafts)) for name, size in sizes.items()},
        "segue_to_bare": ratio(sizes["segue"], sizes["bare"]),
        "segue_to_json": ratio(sizes["segue"], sizes["json"]),
        "tables_bytes_per_event": _tables(path, len(drafts)),
    }


def _tables(path: str, events: int) -> dict[str, float]:
    """Bytes per event of each table and index, where this SQLite can tell."""
    with sqlite3.connect(path) as store:
        try:
            rows = store.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC").fetchall()
        except sqlite3.OperationalError:
            return {}
    store.close()
    return {name: round(size / events, 1) for name, size in rows[:12]}
