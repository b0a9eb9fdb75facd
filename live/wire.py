"""Owns reading the body of a Messages request: its texts, blocks, tool results and Segue's frames. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

FRAME = re.compile(r'<segue-memory id="([^"]*)"[^>]*>(.*?)</segue-memory[^>]*>', re.S)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A block of Segue's as the model saw it: its id, what is inside, and the whole with its tags."""

    frame_id: str
    inside: str
    whole: str


def content(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The content blocks of a message; a plain string counts as one text block."""
    found = message.get("content")
    if isinstance(found, str):
        return [{"type": "text", "text": found}]
    return [block for block in found or [] if isinstance(block, dict)]


def texts(message: dict[str, Any]) -> list[str]:
    """The texts of a message itself, without those inside tool results."""
    return [block["text"] for block in content(message) if block.get("type") == "text" and "text" in block]


def blocks(body: dict[str, Any], type_: str) -> Iterator[dict[str, Any]]:
    """All content blocks of one type, in order."""
    for message in body.get("messages") or []:
        yield from (block for block in content(message) if block.get("type") == type_)


def frames(body: dict[str, Any]) -> list[Frame]:
    """Segue's blocks that stand in the conversation itself, in order; tool results are not looked at."""
    told = texts({"content": body.get("system")})
    for message in body.get("messages") or []:
        if message.get("role") != "assistant":
            told += texts(message)
    return [
        Frame(frame_id=found[1], inside=found[2].strip(), whole=found[0])
        for text in told
        for found in FRAME.finditer(text)
    ]


def tool_results(body: dict[str, Any], prefix: str) -> dict[str, str]:
    """What tools of this prefix answered, by the id of the call, in order."""
    called = {block["id"] for block in blocks(body, "tool_use") if str(block.get("name")).startswith(prefix)}
    return {
        str(block["tool_use_id"]): "\n".join(texts(block))
        for block in blocks(body, "tool_result")
        if block.get("tool_use_id") in called
    }


def last_tool_result(body: dict[str, Any], prefix: str) -> str:
    """The latest answer of a tool of this prefix, empty if there is none."""
    return next(reversed(tool_results(body, prefix).values()), "")


def everything(body: dict[str, Any]) -> str:
    """All that the conversation says: texts, arguments of calls and results."""
    parts: list[str] = []
    for message in body.get("messages") or []:
        parts += texts(message)
    parts += [_flat(block.get("input")) for block in blocks(body, "tool_use")]
    parts += ["\n".join(texts(block)) for block in blocks(body, "tool_result")]
    return "\n".join(parts)


def _flat(value: object) -> str:
    if isinstance(value, dict):
        return "\n".join(_flat(inner) for inner in value.values())
    if isinstance(value, list):
        return "\n".join(_flat(inner) for inner in value)
    return str(value)
