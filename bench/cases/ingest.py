"""Owns the cost of taking texts in: redact, log and index, beside inserting the same texts into one FTS5 table."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Sequence
from typing import Any

from bench import bare
from bench.corpus import SESSION_EVENTS, Home, texts
from bench.measure import Cost, ratio, summary, work
from segue.model.event import Draft
from segue.model.session import SessionHeader
from segue.projectors.derive import derive
from segue.sessionlog.capture import append, clean

EVENTS, ROUNDS, LIMIT = 10_000, 5, 3.0


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Events and megabytes per second, ours beside the bare table."""
    drafts = list(texts(options.events or EVENTS))
    found = [text for text in map(bare.text_of, drafts) if text]
    megabytes = sum(len(text.encode()) for text in found) / 1e6
    folder = os.path.join(options.data, "ingest")
    os.makedirs(folder, exist_ok=True)
    costs: dict[str, list[Cost]] = {"bare": [], "redact and log": [], "index": [], "segue": []}
    for _ in range(min(options.runs, ROUNDS)):
        costs["bare"].append(work(lambda: bare.make(os.path.join(folder, "bare.db"), found).close()))
        log, index = take_in(os.path.join(folder, "home"), drafts)
        costs["redact and log"].append(log)
        costs["index"].append(index)
        costs["segue"].append(Cost(log.wall_ms + index.wall_ms, log.cpu_ms + index.cpu_ms))
    rows = {name: summary(part) for name, part in costs.items()}
    for row in rows.values():
        row["events_per_s"] = round(len(drafts) / row["wall_ms"] * 1000)
        row["mb_per_s"] = round(megabytes / row["wall_ms"] * 1000, 2)
    value = ratio(rows["segue"]["wall_ms"], rows["bare"]["wall_ms"])
    return {
        "events": len(drafts),
        "megabytes": round(megabytes, 2),
        "rounds": len(costs["bare"]),
        "ingest": rows,
        "cpu_ratio": ratio(rows["segue"]["cpu_ms"], rows["bare"]["cpu_ms"]),
        "targets": {"ingest, wall": {"measured": value, "limit": LIMIT, "met": value <= LIMIT}},
    }


def take_in(folder: str, drafts: Sequence[Draft]) -> tuple[Cost, Cost]:
    """Redact and log, then index, in a new store: what each cost."""
    shutil.rmtree(folder, ignore_errors=True)
    home = Home(folder)
    ctx = home.context()

    def log() -> None:
        for at in range(0, len(drafts), SESSION_EVENTS):
            header = SessionHeader(host="claude-code", host_session_id=f"s{at}", cwd=home.project())
            append(ctx, clean(header, drafts[at : at + SESSION_EVENTS], ctx.policy, ctx.now(), ctx.nonce()))

    costs = work(log), work(lambda: derive(ctx, ctx.spool_dir))
    ctx.store.close()
    return costs
