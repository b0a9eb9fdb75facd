"""Owns the facts that a figure means nothing without: machine, versions, revision, load."""

from __future__ import annotations

import datetime
import os
import platform
import sqlite3
import subprocess
from typing import Any

import segue

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def facts() -> dict[str, Any]:
    """What this ran on, when, and which revision it measured."""
    return {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "revision": _revision(),
        "segue": segue.__version__,
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def _revision() -> str:
    asked = ["git", "-c", "safe.directory=*", "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"


def rss_kb(pid: int) -> int:
    """The resident memory of a running process with all that it started, where /proc tells it; else 0."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            own = next((int(line.split()[1]) for line in file if line.startswith("VmRSS")), 0)
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", encoding="utf-8") as file:
                own += sum(rss_kb(int(child)) for child in file.read().split())
        return own
    except OSError:
        return 0
