"""Owns what deleting costs: an event, a session, and where the time goes, beside raw SQLite.

The raw side is one FTS5 table with the same texts, out of which the same rows are deleted before it is merged and
written anew: what any store pays that leaves no byte.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import time
from collections.abc import Callable
from typing import Any

from bench import bare
from bench.corpus import Home, texts
from segue.ctx import Context
from segue.model.operation import check
from segue.model.session import SessionHeader
from segue.operations.registry import OPERATIONS
from segue.projectors import index
from segue.projectors.derive import derive
from segue.sessionlog.capture import Clean, append
from segue.stores import erase

EVENTS, SIZE, ROUNDS = 100_000, 100, 5
DELETE = next(operation for operation in OPERATIONS if operation.name == "delete")


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Median seconds of each kind of deletion, and of its parts."""
    events = options.events or EVENTS
    home = Home(os.path.join(options.data, f"delete-{events}"))
    ctx = home.context()
    raw = bare.make(os.path.join(home.folder, "raw.db"), [])
    _fill(ctx, raw, events)
    size = {"segue": _megabytes(os.path.join(home.data, "segue.db")), "raw": _megabytes(f"{home.folder}/raw.db")}
    turns: dict[str, Callable[[int], dict[str, float]]] = {
        "an event": lambda at: {"all": _timed(lambda: _ask(ctx, f"{_name(at)}#{SIZE // 2}"))},
        "a session": lambda at: {"all": _timed(lambda: _ask(ctx, _name(ROUNDS + at)))},
        "a session, parts": lambda at: _parts(ctx, _name(2 * ROUNDS + at)),
        "raw session": lambda at: _raw(raw, at * SIZE + 1),
    }
    found = {name: [turn(at) for at in range(ROUNDS)] for name, turn in turns.items()}
    ctx.store.close()
    raw.close()
    seconds = {
        name: {part: round(statistics.median(row[part] for row in rows), 3) for part in rows[0]}
        for name, rows in found.items()
    }
    return {"events": events, "events_of_a_session": SIZE, "rounds": ROUNDS, "megabytes": size, "seconds": seconds}


def _fill(ctx: Context, raw: sqlite3.Connection, events: int) -> None:
    made = texts(events)
    for at in range(0, events, SIZE):
        drafts = tuple(draft for _, draft in zip(range(SIZE), made, strict=False))
        append(
            ctx, Clean(header=SessionHeader(host="claude-code", host_session_id=f"s{at // SIZE:06d}"), drafts=drafts)
        )
        raw.execute("BEGIN IMMEDIATE")
        raw.executemany(
            "INSERT INTO t (rowid, text) VALUES (?, ?)",
            [(at + number, bare.text_of(draft)) for number, draft in enumerate(drafts, start=1)],
        )
        raw.execute("COMMIT")
    derive(ctx, ctx.spool_dir)


def _name(number: int) -> str:
    return f"claude-code:s{number:06d}"


def _megabytes(path: str) -> float:
    return round(os.path.getsize(path) / 1e6, 1)


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _ask(ctx: Context, name: str) -> None:
    request = check(DELETE.params, {"ids": [name], "yes": True}, person=True)
    assert DELETE.run(ctx, request)["done"]["problem"] is None


def _parts(ctx: Context, name: str) -> dict[str, float]:
    """What one deletion does, part by part."""

    def rows() -> None:
        with ctx.store.transaction():
            index.remove(ctx, name)
            erase.log(ctx.store, ctx.tenant, name)

    return {
        "rows": _timed(rows),
        "merge": _timed(lambda: ctx.store.run("INSERT INTO event_fts (event_fts) VALUES ('optimize')")),
        "file": _timed(lambda: ctx.store.run("VACUUM")),
        "journal": _timed(lambda: ctx.store.one("PRAGMA wal_checkpoint(TRUNCATE)")),
    }


def _raw(raw: sqlite3.Connection, low: int) -> dict[str, float]:
    return {
        "rows": _timed(lambda: raw.execute("DELETE FROM t WHERE rowid BETWEEN ? AND ?", (low, low + SIZE - 1))),
        "merge": _timed(lambda: raw.execute("INSERT INTO t (t) VALUES ('optimize')")),
        "file": _timed(lambda: raw.execute("VACUUM")),
        "journal": _timed(lambda: raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")),
    }
