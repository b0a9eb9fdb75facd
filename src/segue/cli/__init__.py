"""The command line: parse, call an operation, render. Never decides anything."""

from __future__ import annotations


def main(args: list[str]) -> int:
    """Run one command; the exit code."""
    from segue.cli.run import run

    return run(args)
