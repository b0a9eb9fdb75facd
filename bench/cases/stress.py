"""Owns what many writers and sudden deaths do to a store: events lost, events doubled, findings of a verification."""

from __future__ import annotations

import argparse
import collections
import os
import random
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from typing import Any

from bench.corpus import SEED, Home
from bench.machine import ROOT
from segue import app
from segue.ctx import Context, open_context
from segue.model.event import Draft
from segue.model.session import SessionHeader
from segue.sessionlog.capture import append, clean
from segue.sessionlog.verify import verify

WRITERS, EVENTS = 12, 500
#: appends that a killed process may have acknowledged before its end
MOST_BEFORE_KILL = 40
TIMEOUT_S = 600


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Twelve writers into one session and into twelve, and kills at random moments, on every engine given."""
    figures: dict[str, Any] = {"writers": WRITERS, "events_each": options.events or EVENTS, "engines": {}}
    urls = {"sqlite": ""} | ({"postgresql": options.postgres} if options.postgres else {})
    for engine, address in urls.items():
        rows = {}
        for name, sessions in (("one session", 1), ("twelve sessions", WRITERS)):
            rows[name] = _together(_home(options.data, engine, address), sessions, options.events or EVENTS)
        rows["kills"] = _kills(_home(options.data, engine, address), options.kills)
        figures["engines"][engine] = rows
        for name, row in rows.items():
            bad = row["lost"] + row["doubled"] + row["findings"]
            target = {"measured": bad, "limit": 0, "met": bad == 0}
            figures.setdefault("targets", {})[f"{engine}, {name}: lost, doubled, findings"] = target
    return figures


def _home(folder: str, engine: str, address: str) -> Home:
    """A new home; on PostgreSQL with a schema of its own."""
    home = Home(os.path.join(folder, f"stress-{engine}-{uuid.uuid4().hex[:8]}"))
    if address:
        home.env["SEGUE_STORE"] = f"{address}{'&' if '?' in address else '?'}schema=bench_{uuid.uuid4().hex[:12]}"
    home.context().store.close()
    return home


def _start(home: Home, session: str, name: str, count: int) -> subprocess.Popen[str]:
    """A process that appends events one by one and prints the key of each once it is acknowledged."""
    words = [sys.executable, "-m", "bench.cases.stress", session, name, str(count)]
    env = {**home.env, "PYTHONPATH": os.pathsep.join([os.path.join(ROOT, "src"), ROOT])}
    return subprocess.Popen(words, env=env, cwd=home.project(), stdout=subprocess.PIPE, text=True)


def _together(home: Home, sessions: int, events: int) -> dict[str, Any]:
    started = time.perf_counter()
    running = [_start(home, f"s{number % sessions}", f"w{number}", events) for number in range(WRITERS)]
    acknowledged = [key for process in running for key in process.communicate(timeout=TIMEOUT_S)[0].split()]
    seconds = time.perf_counter() - started
    failed = sum(process.returncode != 0 for process in running)
    row = {**_judge(home, acknowledged), "failed_writers": failed, "seconds": round(seconds, 1)}
    return {**row, "events_per_s": round(len(acknowledged) / seconds)}


def _kills(home: Home, kills: int) -> dict[str, Any]:
    """Processes killed after a random number of acknowledged events and a random moment."""
    chance = random.Random(SEED)
    acknowledged: list[str] = []
    for number in range(kills):
        with _start(home, f"s{number % 3}", f"k{number}", 1_000_000) as process:
            assert process.stdout is not None
            acknowledged += [process.stdout.readline() for _ in range(chance.randrange(MOST_BEFORE_KILL))]
            time.sleep(chance.random() * 0.02)
            process.kill()
            acknowledged += process.stdout.read().splitlines(keepends=True)
    whole = [key.strip() for key in acknowledged if key.endswith("\n")]
    return {"kills": kills, **_judge(home, whole)}


def _judge(home: Home, acknowledged: Sequence[str]) -> dict[str, Any]:
    """What of the acknowledged is not in the store, what is there twice, and what a verification finds."""
    ctx = home.context()
    verified = verify(ctx)
    stored = collections.Counter(str(row[0]) for row in ctx.store.all("SELECT subject FROM events"))
    ctx.store.close()
    return {
        "acknowledged": len(acknowledged),
        "stored": sum(stored.values()),
        "lost": sum(key not in stored for key in acknowledged),
        "doubled": sum(count - 1 for count in stored.values()),
        "findings": len(verified.findings),
    }


def _write(ctx: Context, session: str, name: str, count: int) -> None:
    header = SessionHeader(host="claude-code", host_session_id=session, cwd=os.getcwd())
    for number in range(count):
        key = f"{name}-{number}"
        body = {"text": f"event {key}"}
        draft = Draft(type="user/message", origin="user", body=body, key=key, subject=key)
        append(ctx, clean(header, (draft,), ctx.policy, ctx.now(), ctx.nonce()))
        print(key, flush=True)


if __name__ == "__main__":
    place = app.locate(os.environ, os.getcwd())
    _write(open_context(place, busy_s=TIMEOUT_S), sys.argv[1], sys.argv[2], int(sys.argv[3]))
