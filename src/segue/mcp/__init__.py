"""The MCP door: a server on stdio bound to one project. Never prints anything but protocol to stdout."""

from __future__ import annotations


def main(args: list[str]) -> int:
    """`segue mcp [--hooks]`: serve until the host closes stdin or is gone; the exit code."""
    from segue.mcp.server import serve

    return serve(with_hooks="--hooks" in args)
