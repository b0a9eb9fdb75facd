"""Owns the dispatch to a door: hook, mcp, else the command line. Never imports a door that is not asked for."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main(args: list[str] | None = None) -> int:
    """Run `segue ARGS`; the exit code."""
    words = sys.argv[1:] if args is None else args
    if words[:1] == ["hook"]:
        import gc

        gc.disable()  # a hook ends before a collection could pay for itself
        from segue import hook

        return hook.main(words[1:])
    if words[:1] == ["mcp"] and "-h" not in words and "--help" not in words:
        from segue import mcp

        return mcp.main(words[1:])
    from segue import cli

    return cli.main(words)


def run() -> NoReturn:
    """Run this process's command and end it: a hook at once, everything else as Python ends (decision 0008)."""
    code = main()
    if sys.argv[1:2] == ["hook"]:
        import os

        os._exit(0)
    sys.exit(code)


if __name__ == "__main__":
    run()
