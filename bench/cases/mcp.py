"""Owns the cost of the MCP server: from its start to the first answer of a tool, its tool list, its memory."""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from bench import bare
from bench.corpus import Home, python_words, texts
from bench.machine import ROOT, rss_kb
from bench.measure import Cost, interleaved, ratio, summary

EVENTS = 10_000
WALL, LIST_CHARS, IDLE_MB, IDLE_S = 2.0, 6000, 35, 3.0
QUERY = "commit_lease retry build"
MESSAGES = (
    {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
    {"method": "notifications/initialized"},
    {"id": 1, "method": "tools/list"},
    {"id": 2, "method": "tools/call", "params": {"name": "session_search", "arguments": {"query": QUERY}}},
)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Segue's server beside a bare one over the same texts."""
    events = options.events or EVENTS
    home = Home(os.path.join(options.data, f"mcp-{events}"))
    table = os.path.join(home.folder, "bare.db")
    if not os.path.exists(table):
        drafts = list(texts(events))
        home.fill(drafts)
        bare.make(table, [text for text in map(bare.text_of, drafts) if text]).close()
    plain = [sys.executable, "-I", "-S", os.path.join(ROOT, "bench", "cases", "bare_mcp.py"), table]
    ours = python_words("mcp")
    costs = interleaved(
        {"bare": lambda _: first_answer(plain, home), "segue": lambda _: first_answer(ours, home)}, options.runs
    )
    rows = {name: summary(found) for name, found in costs.items()}
    tools = json.loads(costs["segue"][0].output.splitlines()[1])["result"]["tools"]
    idle = {name: idle_mb(words, home) for name, words in (("bare", plain), ("segue", ours))}
    measured = {
        "first answer, wall": (ratio(rows["segue"]["wall_ms"], rows["bare"]["wall_ms"]), WALL),
        "tool list, characters": (len(json.dumps(tools)), LIST_CHARS),
        "idle memory, MB": (idle["segue"], IDLE_MB),
    }
    return {
        "events": events,
        "runs": options.runs,
        "sqlite_of_bare": sqlite3.sqlite_version,
        "first_answer": rows,
        "cpu_ratio": ratio(rows["segue"]["cpu_ms"], rows["bare"]["cpu_ms"]),
        "idle_mb": idle,
        "targets": {
            name: {"measured": value, "limit": limit, "met": value <= limit}
            for name, (value, limit) in measured.items()
        },
    }


def start(words: Sequence[str], home: Home) -> subprocess.Popen[bytes]:
    """A server with its pipes."""
    pipe = subprocess.PIPE
    return subprocess.Popen(words, env=home.env, cwd=home.project(), stdin=pipe, stdout=pipe, bufsize=0)


def first_answer(words: Sequence[str], home: Home) -> Cost:
    """From the start to the last answer of the first messages; the CPU is of the whole life."""
    started = time.perf_counter()
    process = start(words, home)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"".join(json.dumps({"jsonrpc": "2.0", **m}).encode() + b"\n" for m in MESSAGES))
    output = b""
    while output.count(b"\n") < 3:
        output += os.read(process.stdout.fileno(), 1 << 16)
    wall = time.perf_counter() - started
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if b"isError" in output or not json.loads(output.splitlines()[2])["result"]["content"][0]["text"]:
        raise RuntimeError(f"no answer: {output[-300:]!r}")
    return Cost(wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000, output)


def idle_mb(words: Sequence[str], home: Home) -> float:
    """Resident memory of a server that has answered its first messages and then nothing for a while."""
    with start(words, home) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"".join(json.dumps({"jsonrpc": "2.0", **m}).encode() + b"\n" for m in MESSAGES))
        time.sleep(IDLE_S)
        found = rss_kb(process.pid) / 1024
        process.stdin.close()
    return round(found, 1)
