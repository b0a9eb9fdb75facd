"""The MCP door as the official SDK's client sees it."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import Any

import anyio
import pytest
from mcp.client.stdio import stdio_client

from mcp import Client, StdioServerParameters
from tests.mcp.homes import RUN, TOOLS, Home
from tests.places import answer, prompt, ran

SESSION = "claude-code:s1"
CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("session_search", {"query": "flaky login"}, "claude-code:s1#0"),
    ("session_event_search", {"query": "make test", "session_id": SESSION}, "claude-code:s1#2"),
    ("session_trace", {"session_id": SESSION}, "claude-code:s1/agent-child"),
    ("session_event_trace", {"session_id": SESSION, "seq": 2}, "call or result of it"),
    ("session_event_read", {"session_id": SESSION, "seq": 1, "before": 1, "after": 1}, "the clock is read twice"),
]


def fill(home: Home) -> None:
    home.fill(
        prompt("Why is the login test flaky?"),
        answer("Because the clock is read twice."),
        ran("make test", "ok", "12 passed"),
    )
    home.fill(prompt("Look at the clock."), agent_id="child", agent_type="Explore")


def parameters(home: Home) -> StdioServerParameters:
    words = ["-I", "-S", "-X", "utf8", "-c", RUN, "mcp"]
    return StdioServerParameters(command=sys.executable, args=words, env=home.env, cwd=home.project())


async def _visit(home: Home, mode: str) -> dict[str, Any]:
    """Connect in one mode, list the tools and call each: what came of it."""
    with open(os.devnull, "w", encoding="utf-8") as log:
        async with Client(stdio_client(parameters(home), errlog=log), mode=mode) as client:
            listed = await client.list_tools()
            texts = {name: await client.call_tool(name, arguments) for name, arguments, _ in CALLS}
            wrong = await client.call_tool("session_event_read", {"session_id": SESSION, "seq": 999})
            return {
                "version": client.protocol_version,
                "instructions": client.instructions,
                "tools": [tool.name for tool in listed.tools],
                "texts": {name: (result.is_error or False, result.content[0]) for name, result in texts.items()},
                "wrong": wrong.is_error,
            }


@pytest.mark.promise("MCP-10")
@pytest.mark.parametrize(
    ("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")]
)
def test_the_official_client_lists_and_calls_every_tool(mode: str, version: str, tmp_path: pathlib.Path) -> None:
    home = Home(tmp_path / "h")
    fill(home)
    seen = anyio.run(_visit, home, mode)
    assert (seen["version"], seen["tools"]) == (version, TOOLS)
    if mode != "2026-07-28":  # adopted unseen: the client asks nothing before its first request
        assert "session_search" in seen["instructions"]
    for name, _, expected in CALLS:
        is_error, part = seen["texts"][name]
        assert (is_error, expected in part.text) == (False, True), part.text
    assert seen["wrong"] is True


async def _concurrently(home: Home) -> list[str]:
    texts: list[str] = [""] * 20

    async def call(client: Client, at: int) -> None:
        name, arguments, _ = CALLS[at % len(CALLS)]
        result = await client.call_tool(name, arguments)
        texts[at] = str(getattr(result.content[0], "text", ""))

    with open(os.devnull, "w", encoding="utf-8") as log:
        async with Client(stdio_client(parameters(home), errlog=log)) as client, anyio.create_task_group() as group:
            for at in range(len(texts)):
                group.start_soon(call, client, at)
    return texts


@pytest.mark.promise("MCP-10")
def test_calls_of_the_official_client_at_the_same_time_get_their_own_answers(tmp_path: pathlib.Path) -> None:
    home = Home(tmp_path / "h")
    fill(home)
    for at, text in enumerate(anyio.run(_concurrently, home)):
        assert CALLS[at % len(CALLS)][2] in text
