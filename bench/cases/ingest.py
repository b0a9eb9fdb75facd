"""Owns the cost of taking texts in beside inserting the same texts into one FTS5 table.

What counts is `segue import` of transcripts that hold the texts, as a person runs it: the start of its interpreter
included, with as many processes as it takes by itself. How much is redacting and logging, and how much indexing, is
measured in this process without any transcript.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from typing import Any

from bench import bare
from bench.corpus import SESSION_EVENTS, Home, python_words, texts
from bench.measure import Cost, child, ratio, summary, work
from segue.model.event import Draft
from segue.model.session import SessionHeader
from segue.projectors.derive import derive
from segue.sessionlog.capture import append, clean

EVENTS, ROUNDS, LIMIT = 100_000, 3, 3.0


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Events and megabytes per second, ours beside the bare table."""
    drafts = list(texts(options.events or EVENTS))
    found = [text for text in map(bare.text_of, drafts) if text]
    megabytes = sum(len(text.encode()) for text in found) / 1e6
    folder = os.path.join(options.data, "ingest")
    os.makedirs(folder, exist_ok=True)
    transcripts = make_transcripts(os.path.join(folder, "transcripts"), drafts)
    costs: dict[str, list[Cost]] = {"bare": [], "import": [], "redact and log": [], "index": []}
    gc.freeze()  # the texts are the benchmark's own: collecting them would count as Segue's work
    for _ in range(min(options.runs, ROUNDS)):
        costs["bare"].append(work(lambda: bare.make(os.path.join(folder, "bare.db"), found).close()))
        log, index = take_in(os.path.join(folder, "home"), drafts)
        costs["redact and log"].append(log)
        costs["index"].append(index)
        costs["import"].append(import_all(os.path.join(folder, "imported"), transcripts, len(drafts)))
    rows = {name: summary(part) for name, part in costs.items()}
    for row in rows.values():
        row["events_per_s"] = round(len(drafts) / row["wall_ms"] * 1000)
        row["mb_per_s"] = round(megabytes / row["wall_ms"] * 1000, 2)
    value = ratio(rows["import"]["wall_ms"], rows["bare"]["wall_ms"])
    return {
        "events": len(drafts),
        "megabytes": round(megabytes, 2),
        "rounds": len(costs["bare"]),
        "ingest": rows,
        "cpu_ratio": ratio(rows["import"]["cpu_ms"], rows["bare"]["cpu_ms"]),
        "targets": {"ingest, wall": {"measured": value, "limit": LIMIT, "met": value <= LIMIT}},
    }


def make_transcripts(folder: str, drafts: Sequence[Draft]) -> str:
    """The same texts as transcripts of Claude Code, a session each; the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for at in range(0, len(drafts), SESSION_EVENTS):
        with open(os.path.join(folder, f"{at:07d}.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in _lines(f"s{at}", drafts[at : at + SESSION_EVENTS]))
    return folder


def _lines(session_id: str, drafts: Sequence[Draft]) -> Iterator[dict[str, Any]]:
    for draft in drafts:
        body, is_users = draft.body, draft.type in ("user/message", "tool/result")
        part = {"type": "text", "text": body.get("text")}
        if draft.type == "tool/call":
            part = {"type": "tool_use", "id": body["call_id"], "name": body["tool"], "input": body["input"]}
        elif draft.type == "tool/result":
            failed = draft.outcome == "failed"
            part = {
                "type": "tool_result",
                "tool_use_id": body["call_id"],
                "content": body["output"],
                "is_error": failed,
            }
        message = {"role": "user" if is_users else "assistant", "content": [part]}
        if not is_users:
            message |= {"id": f"msg_{session_id}_{draft.key}", "type": "message", "model": "claude-sonnet-4-5"}
        yield {
            "type": message["role"], "message": message, "uuid": f"{session_id}-{draft.key}", "timestamp": draft.time,
            "cwd": "/src/shop", "sessionId": session_id, "version": "2.1.332", "isSidechain": False,
        }  # fmt: skip


def import_all(folder: str, transcripts: str, events: int) -> Cost:
    """Import the transcripts into a new store, in a process of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    home = Home(folder)
    cost = child(python_words("import", transcripts, "--json"), env=home.env, cwd=home.project())
    told = json.loads(cost.output)
    row = told["hosts"]["claude-code"]
    # the same answer twice in a session is one event, so a few are known
    if (row["added"] + row["known"], told["indexed"], row["errors"]) != (events, row["added"], []):
        raise RuntimeError(f"not all was imported: {row}")
    return cost


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
