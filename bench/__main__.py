"""Owns `python -m bench`: which benchmark runs with what, and where its figures go. Never times a test."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
from typing import Any

from bench.machine import facts

NAMES = ("hook", "mcp", "ingest", "search", "size", "stress", "history", "scale", "delete")


def main() -> int:
    """Run one benchmark, print its figures, and keep them where that was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="What Segue costs, beside plain baselines.")
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--json", help="file for the figures")
    parser.add_argument("--runs", type=int, default=30, help="rounds that are counted (30)")
    parser.add_argument("--events", type=int, help="events in the store; each benchmark has its own size")
    parser.add_argument("--sessions", type=int, help="sessions that the events are spread over (scale)")
    parser.add_argument("--data", help="folder for the made stores, kept; without it a temporary one")
    parser.add_argument("--profile", action="store_true", help="also where the time goes (hook)")
    parser.add_argument("--postgres", help="address of a PostgreSQL server to run on as well (stress)")
    parser.add_argument("--kills", type=int, default=200, help="processes that are killed (stress)")
    parser.add_argument("--megabytes", type=int, default=1000, help="size of the history (history)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="segue-bench-") as folder:
        options.data = options.data or folder
        before = facts()
        figures: dict[str, Any] = importlib.import_module(f"bench.cases.{options.name}").run(options)
    result = {"benchmark": options.name, "machine": before, **figures}
    text = json.dumps(result, indent=1, ensure_ascii=False)
    print(text)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    missed = [name for name, row in figures.get("targets", {}).items() if not row["met"]]
    if missed:
        print("missed: " + ", ".join(missed), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
