"""Owns the cost of one hook, cold, as a host starts it, beside a bare interpreter start."""

from __future__ import annotations

import argparse
import json
import os
import sys
import uuid
from collections.abc import Callable
from typing import Any

from bench.corpus import Home, Words, texts
from bench.machine import ROOT
from bench.measure import Cost, child, interleaved, ratio, summary
from segue import app
from segue.system.launcher import files, hook_command, launcher_path
from segue.upkeep import patterns

EVENTS = 100_000
#: most times the bare interpreter's CPU and wall time, per kind of hook
CAPTURE_CPU, CAPTURE_WALL, START_CPU = 3.0, 4.0, 8.0
OUTPUT_CHARS = 20_000
SESSION = uuid.UUID("7d0c1f5e-9b1a-4c55-8a3e-2f60b94d7e11")
BASE = [sys.executable, "-I", "-S", "-c", "pass"]


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Median and ratios of every hook over a store of 100,000 events."""
    home = ready_home(options.data, options.events or EVENTS)
    costs = interleaved(
        {"bare": lambda _: child(BASE, env=home.env, cwd=home.folder), **_cases(home, os.getpid())}, options.runs
    )
    rows = {name: summary(found) for name, found in costs.items()}
    base = rows["bare"]
    for row in rows.values():
        row["cpu_ratio"] = ratio(row["cpu_ms"], base["cpu_ms"])
        row["wall_ratio"] = ratio(row["wall_ms"], base["wall_ms"])
    figures = {"events": options.events or EVENTS, "runs": options.runs, "hooks": rows, "targets": _targets(rows)}
    figures["modules"] = {name: len(_modules(home, name)) for name in ("PostToolUse", "SessionStart")}
    if options.profile:
        figures["phases_ms"] = _phases(home)
    return figures


def ready_home(folder: str, events: int) -> Home:
    """A home whose one project has so many events, with an installed launcher."""
    home = Home(os.path.join(folder, f"hook-{events}"))
    if not os.path.exists(os.path.join(home.folder, "filled")):
        home.fill(list(texts(events)))
        with open(os.path.join(home.folder, "filled"), "w", encoding="utf-8"):
            pass
    for path, (content, mode) in files(home.data, sys.executable, os.path.join(ROOT, "src"), sys.platform).items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, mode)
    patterns.write(app.locate(home.env, home.folder).patterns_path)
    return home


def payload(home: Home, event: str, mark: str, **more: Any) -> bytes:
    """A recorded payload with this home's paths and with ids of its own, of a host's shape, so that nothing folds."""
    with open(os.path.join(ROOT, "bench", "payloads.json"), encoding="utf-8") as file:
        value = json.load(file)[event]
    own = uuid.uuid5(SESSION, mark)
    value |= {"session_id": str(own if event == "SessionStart" else SESSION), "cwd": home.project()}
    value |= {"transcript_path": os.path.join(home.folder, "t.jsonl")}
    ids = {"prompt_id": str(own), "tool_use_id": f"toolu_{own.hex[:24]}"}
    value |= {name: given for name, given in ids.items() if name in value}
    return json.dumps({**value, **more}).encode()


def _cases(home: Home, salt: int) -> dict[str, Callable[[int], Cost]]:
    output = Words(7).text(OUTPUT_CHARS * 2)[:OUTPUT_CHARS]
    response = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    kinds: dict[str, tuple[str, dict[str, Any]]] = {
        "PostToolUse": ("PostToolUse", {}),
        "PostToolUse, 20 kB": ("PostToolUse", {"tool_response": response}),
        "UserPromptSubmit": ("UserPromptSubmit", {}),
        "Stop": ("Stop", {}),
        "SessionStart": ("SessionStart", {}),
    }

    def case(name: str) -> Callable[[int], Cost]:
        event, more = kinds[name]
        words = ["/bin/sh", "-c", hook_command(launcher_path(home.data, sys.platform), "claude-code", event, "posix")]

        def once(number: int) -> Cost:
            data = payload(home, event, f"{salt}-{name}-{number}", **more)
            return child(words, stdin=data, env=home.env, cwd=home.project())

        return once

    return {name: case(name) for name in kinds}


def _targets(rows: dict[str, dict[str, float]]) -> dict[str, Any]:
    targets: dict[str, Any] = {}
    for name, row in rows.items():
        limits = {"cpu_ratio": START_CPU} if name == "SessionStart" else {}
        if name not in ("bare", "SessionStart"):
            limits = {"cpu_ratio": CAPTURE_CPU, "wall_ratio": CAPTURE_WALL}
        for kind, limit in limits.items():
            targets[f"{name} {kind}"] = {"measured": row[kind], "limit": limit, "met": row[kind] <= limit}
    return targets


IN_PROCESS = """
import sys, time
marks = [("interpreter", time.process_time())]
def mark(name):
    marks.append((name, time.process_time()))
sys.path.insert(0, {source!r})
from segue import hook, app
from segue.hosts.registry import hooks_of
from segue.lifecycle import moments
from segue.stores import sqlite
mark("imports")
import os
data = os.read(0, 1 << 20)
payload = hook.parse_payload(data)
moment = hooks_of("claude-code").parse({event!r}, payload)
mark("parse")
place = app.locate(os.environ, moment.header.cwd)
mark("locate project and settings")
told = moments.batches(moment, place.policy, app.now(), app.nonce())
mark("redact")
ctx = app.open_context(place, busy_s=1)
mark("open store")
moments.handle(ctx, moment, told)
mark("append, or brief")
ctx.store.close()
mark("close store")
before = 0.0
for name, at in marks:
    print(name, round((at - before) * 1000, 2), sep="=")
    before = at
"""


def _phases(home: Home) -> dict[str, Any]:
    """CPU milliseconds of each step of a hook, the median of nine."""
    found: dict[str, Any] = {}
    for event in ("PostToolUse", "SessionStart"):
        code = IN_PROCESS.format(source=os.path.join(ROOT, "src"), event=event)
        rows: dict[str, list[float]] = {}
        for number in range(9):
            data = payload(home, event, f"phase-{os.getpid()}-{number}")
            done = child([*BASE[:-1], code], stdin=data, env=home.env, cwd=home.project())
            for line in done.output.decode().splitlines():
                name, _, value = line.partition("=")
                rows.setdefault(name, []).append(float(value))
        found[event] = {name: sorted(values)[len(values) // 2] for name, values in rows.items()}
    return found


def _modules(home: Home, event: str) -> list[str]:
    """The modules that a hook has loaded at its end."""
    code = (
        f"import sys; sys.path.insert(0, {os.path.join(ROOT, 'src')!r}); from segue import hook;"
        f" hook.main(['claude-code', {event!r}]); print(); print(' '.join(sys.modules))"
    )
    data = payload(home, event, f"modules-{os.getpid()}")
    done = child([*BASE[:-1], code], stdin=data, env=home.env, cwd=home.project())
    return done.output.decode().splitlines()[-1].split()
