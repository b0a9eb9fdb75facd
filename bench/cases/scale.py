"""Owns what many sessions cost: filling, appending, listing, opening, searching and deleting, beside raw SQLite.

The raw side is one FTS5 table with the same texts and one plain table of rows, filled and asked in the same run. Each
phase is a process of its own, so that its peak of memory is its own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from typing import Any

from bench import bare
from bench.corpus import SEED, START, Home, texts
from bench.measure import percentile, ratio
from segue.ctx import Context
from segue.model.event import Draft
from segue.model.instant import from_epoch
from segue.model.operation import check
from segue.model.search import EventFilter
from segue.model.session import SessionHeader
from segue.operations.registry import OPERATIONS
from segue.projectors.derive import derive
from segue.retrieval.query import plan
from segue.retrieval.search import search_events, search_sessions
from segue.sessionlog import read
from segue.sessionlog.capture import append, clean
from segue.stores import sessions
from segue.stores.events import window

EVENTS, SESSIONS, ROUNDS = 1_000_000, 10_000, 30
#: how many times the raw equivalent each may cost
LIMITS = {"index build": 1.4, "append then find": 1.5}
QUERY_LIMIT = 1.5
RARE, COMMON, PHRASE = "zone_work 9001", "file", "data delete"
OPEN_EVENTS = 50


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Rates, times and memory, ours beside the raw ones, at one size."""
    events, sessions_ = options.events or EVENTS, options.sessions or SESSIONS
    folder = os.path.join(options.data, f"scale-{events}-{sessions_}")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    size = events // sessions_
    phases: dict[str, Any] = {}
    for name, phase in (
        ("raw fill", _fill_raw),
        ("fill", _fill),
        ("index", _index),
        ("ask", _ask),
        ("delete", _delete),
    ):
        phases[name] = _apart(phase, folder, events, size)
    return {"events": events, "sessions": sessions_, **_figures(phases, events, folder)}


def _apart(phase: Callable[[str, int, int], dict[str, Any]], folder: str, events: int, size: int) -> dict[str, Any]:
    """Run a phase in a process of its own; its figures and its peak of memory."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            told = {**phase(folder, events, size), "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
            os.write(writing, json.dumps(told).encode())
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        told = json.loads(answer.read() or b"null")
    os.waitpid(child, 0)
    if told is None:
        raise RuntimeError(f"{phase.__name__} failed")
    return dict(told)


def _batches(events: int, size: int) -> Iterator[tuple[int, list[Draft]]]:
    """The drafts of one session after another."""
    made = texts(events)
    for at in range(0, events, size):
        yield at // size, [draft for _, draft in zip(range(size), made, strict=False)]


def _context(folder: str) -> Context:
    return Home(os.path.join(folder, "home")).context()


def _header(number: int) -> SessionHeader:
    return SessionHeader(
        host="claude-code", host_session_id=f"s{number:06d}", cwd="/src/shop", title=f"session {number}"
    )


def _name(number: int) -> str:
    return f"claude-code:s{number:06d}"


def _fill(folder: str, events: int, size: int) -> dict[str, Any]:
    """Redact and log everything, a transaction per session."""
    ctx, spent = _context(folder), 0.0
    for number, drafts in _batches(events, size):
        began = time.perf_counter()
        append(ctx, clean(_header(number), drafts, ctx.policy, ctx.now(), ctx.nonce()))
        spent += time.perf_counter() - began
    ctx.store.close()
    return {"seconds": spent}


def _index(folder: str, events: int, size: int) -> dict[str, Any]:
    ctx = _context(folder)
    began = time.perf_counter()
    derive(ctx, ctx.spool_dir)
    spent = time.perf_counter() - began
    ctx.store.close()
    return {"seconds": spent}


def _raw(folder: str) -> sqlite3.Connection:
    return sqlite3.connect(os.path.join(folder, "raw.db"), isolation_level=None)


def _fill_raw(folder: str, events: int, size: int) -> dict[str, Any]:
    """The same texts in one FTS5 table, and beside it rows to list, open and filter by."""
    store = bare.make(os.path.join(folder, "raw.db"), [])
    store.execute("CREATE TABLE e (id INTEGER PRIMARY KEY, session INTEGER, type TEXT, at TEXT, text TEXT)")
    store.execute("CREATE INDEX e_session ON e (session, id)")
    store.execute("CREATE TABLE s (session INTEGER PRIMARY KEY, at TEXT, began TEXT, host TEXT, cwd TEXT, title TEXT)")
    store.execute("CREATE INDEX s_at ON s (at)")
    fts = rows = 0.0
    number_of = 0
    for number, drafts in _batches(events, size):
        told = [bare.text_of(draft) for draft in drafts]
        numbered = [(number_of + at + 1, text) for at, text in enumerate(told)]
        began = time.perf_counter()
        store.execute("BEGIN IMMEDIATE")
        store.executemany("INSERT INTO t (rowid, text) VALUES (?, ?)", numbered)
        store.execute("COMMIT")
        between = time.perf_counter()
        store.execute("BEGIN IMMEDIATE")
        store.executemany(
            "INSERT INTO e VALUES (?, ?, ?, ?, ?)",
            [(at, number, draft.type, draft.time, text) for (at, text), draft in zip(numbered, drafts, strict=True)],
        )
        head = (number, drafts[-1].time, drafts[0].time, "claude-code", "/src/shop", f"session {number}")
        store.execute("INSERT INTO s VALUES (?, ?, ?, ?, ?, ?)", head)
        store.execute("COMMIT")
        fts, rows = fts + between - began, rows + time.perf_counter() - between
        number_of += len(drafts)
    store.close()
    return {"fts_seconds": fts, "rows_seconds": rows}


def _ask(folder: str, events: int, size: int) -> dict[str, Any]:
    """Every question of a person or an agent, again and again, ours and the raw one in turn."""
    ctx, raw = _context(folder), _raw(folder)
    count = events // size
    chance = random.Random(SEED)
    times: dict[str, dict[str, list[float]]] = {}
    for round_ in range(ROUNDS):
        for kind, (ours, plain) in _questions(ctx, raw, chance.randrange(count), size, round_).items():
            row = times.setdefault(kind, {"ours": [], "raw": []})
            for name, way in (("raw", plain), ("ours", ours)):
                began = time.perf_counter()
                way()
                row[name].append((time.perf_counter() - began) * 1000)
    ctx.store.close()
    raw.close()
    return {"times": times}


Ways = tuple[Callable[[], Any], Callable[[], Any]]


def _questions(ctx: Context, raw: sqlite3.Connection, number: int, size: int, round_: int) -> dict[str, Ways]:
    name, low = _name(number), number * size + 1
    scope, whole = ctx.scope(), EventFilter()
    at = from_epoch(START + (number * size + size // 2) * 20)
    inside = EventFilter(session_ids=(name,))
    filtered = EventFilter(types=("assistant/message",), time_from=at)
    match = {text: bare.query(plan(text).terms) for text in (RARE, COMMON, PHRASE)}
    ask = "SELECT rowid FROM t WHERE t MATCH ? {} ORDER BY rank LIMIT 20"
    word = f"quokka{round_}"

    def find(text: str, way: Callable[..., Any], chosen: EventFilter = whole) -> Callable[[], Any]:
        return lambda: way(ctx.store, scope, plan(text), chosen, 20)

    def find_raw(text: str, where: str = "", *values: Any) -> Callable[[], Any]:
        return lambda: raw.execute(ask.format(where), (match[text], *values)).fetchall()

    def add(words: str) -> None:
        draft = Draft(type="user/message", origin="user", body={"text": words})
        append(ctx, clean(_header(number), [draft], ctx.policy, ctx.now(), ctx.nonce()))

    def add_and_find() -> None:
        add(word)
        derive(ctx, ctx.spool_dir)
        found = search_events(ctx.store, scope, plan(word), whole, 20)
        assert found.hits

    def add_raw(words: str) -> None:
        raw.execute("BEGIN IMMEDIATE")
        last = raw.execute(
            "INSERT INTO e (session, type, at, text) VALUES (?, 'user/message', ?, ?)", (number, at, words)
        )
        raw.execute("INSERT INTO t (rowid, text) VALUES (?, ?)", (last.lastrowid, words))
        raw.execute("COMMIT")

    def add_and_find_raw() -> None:
        add_raw(word)
        assert raw.execute(ask.format(""), (word,)).fetchall()

    return {
        "append": (lambda: add("one more event"), lambda: add_raw("one more event")),
        "append then find": (add_and_find, add_and_find_raw),
        "list": (
            lambda: sessions.latest(ctx.store, scope, 20),
            lambda: raw.execute("SELECT * FROM s ORDER BY at DESC LIMIT 20").fetchall(),
        ),
        "open": (
            lambda: (read.session(ctx, scope, name), window(ctx.store, scope, name, size - OPEN_EVENTS, size)),
            lambda: raw.execute(
                "SELECT * FROM e WHERE session = ? ORDER BY id DESC LIMIT ?", (number, OPEN_EVENTS)
            ).fetchall(),
        ),
        "search sessions, common word": (find(COMMON, search_sessions), find_raw(COMMON)),
        "search events, common word": (find(COMMON, search_events), find_raw(COMMON)),
        "search events, phrase": (find(PHRASE, search_events), find_raw(PHRASE)),
        "search events, rare words": (find(RARE, search_events), find_raw(RARE)),
        "search in a session": (
            find(COMMON, search_events, inside),
            find_raw(COMMON, "AND rowid BETWEEN ? AND ?", low, low + size - 1),
        ),
        "search, filtered": (
            find(COMMON, search_events, filtered),
            lambda: raw.execute(
                "SELECT t.rowid FROM t JOIN e ON e.id = t.rowid WHERE t MATCH ? AND e.type = 'assistant/message'"
                " AND e.at >= ? ORDER BY t.rank LIMIT 20",
                (match[COMMON], at),
            ).fetchall(),
        ),
    }


def _delete(folder: str, events: int, size: int) -> dict[str, Any]:
    """One event, then one session; and the same rows of the raw store, which is written anew as well."""
    ctx, raw = _context(folder), _raw(folder)
    operation = next(operation for operation in OPERATIONS if operation.name == "delete")
    found: dict[str, float] = {}
    for what, name in (("event", f"{_name(1)}#1"), ("session", _name(2))):
        began = time.perf_counter()
        operation.run(ctx, check(operation.params, {"ids": [name], "yes": True}, person=True))
        found[what] = time.perf_counter() - began
    began = time.perf_counter()
    raw.execute("DELETE FROM t WHERE rowid BETWEEN ? AND ?", (2 * size + 1, 3 * size))
    raw.execute("DELETE FROM e WHERE session = 2")
    raw.execute("INSERT INTO t (t) VALUES ('optimize')")
    raw.execute("VACUUM")
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    found["raw session"] = time.perf_counter() - began
    ctx.store.close()
    raw.close()
    return found


def _figures(phases: dict[str, Any], events: int, folder: str) -> dict[str, Any]:
    raw, rows = phases["raw fill"], {}
    targets: dict[str, Any] = {}
    for kind, times in phases["ask"]["times"].items():
        row = {
            f"{name}, {share}_ms": round(percentile(times[name], part), 3)
            for name in ("ours", "raw")
            for share, part in (("median", 0.5), ("p95", 0.95))
        }
        rows[kind] = {**row, "ratio": ratio(row["ours, median_ms"], row["raw, median_ms"])}
        _hold(targets, kind, rows[kind]["ratio"], LIMITS.get(kind, QUERY_LIMIT))
    _hold(targets, "index build", ratio(phases["index"]["seconds"], raw["fts_seconds"]), LIMITS["index build"])
    raw_fill = raw["fts_seconds"] + raw["rows_seconds"]
    filled = phases["fill"]["seconds"] + phases["index"]["seconds"]
    return {
        "fill": {
            "redact and log, events/s": round(events / phases["fill"]["seconds"]),
            "index, events/s": round(events / phases["index"]["seconds"]),
            "all, events/s": round(events / filled),
            "raw, events/s": round(events / raw_fill),
            "ratio": ratio(filled, raw_fill),
        },
        "size_mb": {
            "segue": round(os.path.getsize(os.path.join(folder, "home", "data", "segue.db")) / 1e6, 1),
            "raw": round(os.path.getsize(os.path.join(folder, "raw.db")) / 1e6, 1),
        },
        "questions": rows,
        "delete_seconds": {name: round(value, 2) for name, value in phases["delete"].items() if name != "peak_mb"},
        "peak_mb": {name: round(phase["peak_mb"], 1) for name, phase in phases.items()},
        "targets": targets,
    }


def _hold(targets: dict[str, Any], name: str, value: float, limit: float) -> None:
    targets[name] = {"measured": value, "limit": limit, "met": value <= limit}
