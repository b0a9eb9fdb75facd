"""Owns the time of a search over 100,000 events, beside the same terms asked of one FTS5 table."""

from __future__ import annotations

import argparse
import os
import random
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from bench import bare
from bench.corpus import CJK, SEED, Home, Words, texts
from bench.measure import percentile, ratio, work
from segue.ctx import Context
from segue.model.search import EventFilter
from segue.retrieval.query import Query, plan
from segue.retrieval.search import search_events, search_sessions

EVENTS, LIMIT = 100_000, 3.0
ROUNDS = 3
PROJECTS = ("shop", "depot")


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Median and 95th percentile over sixty queries, in a store of one project and in one of two."""
    events = options.events or EVENTS
    figures: dict[str, Any] = {"events": events, "rounds": ROUNDS, "targets": {}}
    for name, projects in (("one project", PROJECTS[:1]), ("two projects", PROJECTS)):
        rows = _measure(*_stores(options.data, events, projects))
        figures[name] = rows
        for kind in ("events", "sessions"):
            for share in ("median", "p95"):
                value = rows[f"{kind} to bare, {share}"]
                target = {"measured": value, "limit": LIMIT, "met": value <= LIMIT}
                figures["targets"][f"{name}, {kind}, {share}"] = target
    return figures


def _stores(folder: str, events: int, projects: Sequence[str]) -> tuple[Context, sqlite3.Connection]:
    """A store with an equal share of the events in each project, and a bare table with the first project's texts."""
    home = Home(os.path.join(folder, f"search-{events}-{len(projects)}"))
    table = os.path.join(home.folder, "bare.db")
    share = events // len(projects)
    if not os.path.exists(table):
        for number, project in enumerate(projects):
            home.fill(list(texts(share, SEED + number)), project, prefix=f"{project}-")
        bare.make(table, [text for text in map(bare.text_of, texts(share)) if text]).close()
    return home.context(projects[0]), sqlite3.connect(table)


def queries() -> dict[str, list[str]]:
    """Sixty queries of six kinds, ten each."""
    chance, words = random.Random(SEED), Words().names
    paths = [name for name in words if name.startswith("src/")]
    return {
        "rare word": [words[chance.randrange(9000, 20_000)] for _ in range(10)],
        "common words": [" ".join(chance.sample(words[:40], 3)) for _ in range(10)],
        "phrase": [words[chance.randrange(200, 3000)] for _ in range(10)],
        "mixed": [f"why does {words[n]} fail with {words[n * 40 + 7]} after {words[n * 9 + 300]}" for n in range(10)],
        "CJK": [CJK[n * 3 : n * 3 + 4] for n in range(10)],
        "path": [paths[chance.randrange(len(paths))] for _ in range(10)],
    }


def _measure(ctx: Context, table: sqlite3.Connection) -> dict[str, Any]:
    times: dict[str, dict[str, list[float]]] = {}
    nothing = EventFilter()

    def ways(query: Query) -> dict[str, Callable[[], Any]]:
        return {
            "bare": lambda: bare.find(table, bare.query(query.terms)),
            "events": lambda: search_events(ctx.store, ctx.scope(), query, nothing, 20),
            "sessions": lambda: search_sessions(ctx.store, ctx.scope(), query, nothing, 20),
        }

    for kind, texts_of_kind in queries().items():
        for text in texts_of_kind:
            ask = ways(plan(text))
            for name, way in ask.items():
                best = min(work(way).wall_ms for _ in range(ROUNDS))
                times.setdefault(kind, {}).setdefault(name, []).append(best)
    table.close()
    ctx.store.close()
    return _rows(times)


def _rows(times: dict[str, dict[str, list[float]]]) -> dict[str, Any]:
    whole = {name: [t for kind in times.values() for t in kind[name]] for name in ("bare", "events", "sessions")}
    rows: dict[str, Any] = {}
    for share, part in (("median", 0.5), ("p95", 0.95)):
        values = {name: percentile(found, part) for name, found in whole.items()}
        rows[share + "_ms"] = {name: round(value, 3) for name, value in values.items()}
        for name in ("events", "sessions"):
            rows[f"{name} to bare, {share}"] = ratio(values[name], values["bare"])
    rows["median_ms_by_kind"] = {
        kind: {name: round(percentile(found, 0.5), 3) for name, found in ways.items()} for kind, ways in times.items()
    }
    return rows
