"""Owns importing a long history: memory over time, speed beside a bare table, and whether a killed import goes on."""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

from bench import bare
from bench.corpus import SEED, START, Home, Words, python_words
from bench.machine import rss_kb
from bench.measure import ratio, work
from segue.model.instant import from_epoch
from segue.sessionlog.verify import verify

#: bytes of one transcript, seconds between two looks at the memory, most memory of the importing process
FILE_BYTES, LOOK_S, LIMIT_MB = 8_000_000, 0.5, 150
#: most times the bare table's wall time
TIMES = 3.0
#: different texts that are made; transcripts take them in random order
POOL = 4000


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Import once without a break, and once killed in the middle and started again."""
    folder = os.path.join(options.data, f"history-{options.megabytes}")
    files = make(folder, options.megabytes * 1_000_000)
    size = sum(os.path.getsize(path) for path in files)
    whole = Home(os.path.join(folder, f"whole-{os.getpid()}"))
    row = _import(whole, folder)
    row |= {"megabytes": round(size / 1e6), "files": len(files), "mb_per_s": round(size / 1e6 / row["seconds"], 2)}
    row["bare_seconds"] = _bare_seconds(os.path.join(folder, "bare.db"), files)
    slower = ratio(row["seconds"], row["bare_seconds"])
    counts = _counts(whole)
    row["events_per_s"] = round(counts["events"] / row["seconds"])
    killed = Home(os.path.join(folder, f"killed-{os.getpid()}"))
    _import(killed, folder, kill_after_s=row["seconds"] * 0.5)
    halfway = _counts(killed)
    _import(killed, folder)
    same = _counts(killed) == counts
    most = max(row["rss_mb"])
    half, end = row["rss_mb"][len(row["rss_mb"]) // 2], row["rss_mb"][-1]
    return {
        "import": row,
        "counts": counts,
        "counts_at_the_kill": halfway,
        "targets": {
            "wall, to the bare table": {"measured": slower, "limit": TIMES, "met": slower <= TIMES},
            "most memory, MB": {"measured": most, "limit": LIMIT_MB, "met": most <= LIMIT_MB},
            "memory, end to half": {"measured": round(end / half, 2), "limit": 1.2, "met": end <= half * 1.2},
            "same counts after a kill": {"measured": same, "limit": True, "met": same},
        },
    }  # fmt: skip


def make(folder: str, size: int) -> list[str]:
    """Transcripts of Claude Code's shape, of that many bytes together; made once for a folder."""
    top = os.path.join(folder, "transcripts", "-src-shop")
    os.makedirs(top, exist_ok=True)
    chance, words = random.Random(SEED), Words()
    pool = [words.text(words.length(900, 20_000)) for _ in range(POOL)]
    paths = []
    for number in range(max(1, size // FILE_BYTES)):
        paths.append(os.path.join(top, f"0b1c{number:04d}-0000-4000-8000-000000000000.jsonl"))
        if os.path.exists(paths[-1]):
            continue
        with open(paths[-1] + ".part", "w", encoding="utf-8") as file:
            for line in _lines(number, chance, pool):
                file.write(line + "\n")
                if file.tell() >= min(FILE_BYTES, size):
                    break
        os.replace(paths[-1] + ".part", paths[-1])
    return paths


def _lines(number: int, chance: random.Random, pool: list[str]) -> Iterator[str]:
    """Entries without end: a prompt, then calls and their results, now and then an answer."""
    session, parent = f"0b1c{number:04d}-0000-4000-8000-000000000000", None
    for turn in range(10**9):
        uuid = f"{number:08x}-{turn:04x}-4000-8000-{turn:012x}"
        call = f"toolu_{number:06d}{turn // 4:012d}"
        kind = turn % 4
        parts: Any = [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": pool[turn % POOL][:80]}}]
        if kind == 0:
            parts = chance.choice(pool)
        elif kind == 2:
            parts = [{"type": "tool_result", "tool_use_id": call, "content": chance.choice(pool)}]
        elif kind == 3:
            parts = [{"type": "text", "text": chance.choice(pool)}]
        message: dict[str, Any] = {"role": "user" if kind in (0, 2) else "assistant", "content": parts}
        if kind in (1, 3):
            message |= {"id": f"msg_{number:06d}{turn:012d}", "type": "message", "model": "claude-sonnet-4-5"}
        entry = {
            "parentUuid": parent, "isSidechain": False, "type": message["role"], "message": message, "uuid": uuid,
            "timestamp": from_epoch(START + turn * 7), "cwd": "/src/shop", "sessionId": session, "version": "2.1.332",
        }  # fmt: skip
        parent = uuid
        yield json.dumps(entry)


def _import(home: Home, folder: str, kill_after_s: float | None = None) -> dict[str, Any]:
    """Run `segue import`; its memory over time. With `kill_after_s` it is killed then."""
    words = python_words("import", os.path.join(folder, "transcripts"))
    started = time.perf_counter()
    looks: list[float] = []
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, env=home.env, cwd=home.project(), stdout=quiet, stderr=quiet) as process:
        while process.poll() is None:
            looks.append(round(rss_kb(process.pid) / 1024, 1))
            if kill_after_s is not None and time.perf_counter() - started > kill_after_s:
                process.send_signal(signal.SIGKILL)
                kill_after_s = None
            time.sleep(LOOK_S)
    seconds = round(time.perf_counter() - started, 1)
    shown = [look for look in looks if look][:: max(1, len(looks) // 40)]
    return {"seconds": seconds, "ended_with": process.returncode, "rss_mb": shown}


def _bare_seconds(path: str, files: list[str]) -> float:
    """Insert the same texts into one FTS5 table; the wall time of inserting alone, without reading any transcript."""
    store, wall_ms = bare.make(path, []), 0.0
    for file in files:
        with open(file, encoding="utf-8") as lines:
            found = [text for line in lines for text in _texts(json.loads(line)["message"]["content"])]
        wall_ms += work(lambda texts=found: bare.add(store, texts)).wall_ms
    store.close()
    return round(wall_ms / 1000, 1)


def _texts(content: Any) -> list[str]:
    """The texts of a message as a bare table would hold them."""
    if isinstance(content, str):
        return [content]
    return [str(part.get("text") or part.get("content") or part["input"]["command"]) for part in content]


def _counts(home: Home) -> dict[str, int]:
    ctx = home.context()
    verified = verify(ctx)
    [[documents]] = ctx.store.all("SELECT count(*) FROM event_docs")
    ctx.store.close()
    found = {"sessions": verified.sessions, "events": verified.events, "documents": int(documents)}
    return {**found, "findings": len(verified.findings)}
