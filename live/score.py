"""Owns what an item is and when a text holds it. Pure: texts and lists in, verdicts out.

An item is a string; `{"any": [STRING, …]}`, one of which is enough; or `{"line": [PART, …]}`, all on one line, where a
part is a string or a list of strings of which one is enough. With `"in": "tools"` it is looked for in the results of
Segue's tools instead of the brief. Letter case, Unicode form and runs of blanks do not matter.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from typing import Any

#: the brief's limits, frame included
MAX_TOKENS, MAX_BYTES = 1_000, 9_000
ENOUGH = 0.9
#: what only Segue's own blocks and calls say: inside a block it would mean that Segue remembered itself
OWN_SIGNS = ("<segue-memory", "hook additional context", "mcp__segue__")

Item = str | dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What of a list was found and what was missing, and which things were there that must not be."""

    found: tuple[str, ...]
    missing: tuple[str, ...]
    foreign: tuple[str, ...]

    @property
    def share(self) -> float:
        """The part of the list that was found."""
        return len(self.found) / max(1, len(self.found) + len(self.missing))


def plain(text: str) -> str:
    """The text with case, Unicode form and blanks made alike; lines stay lines."""
    lines = unicodedata.normalize("NFC", text).casefold().splitlines()
    return "\n".join(" ".join(line.split()) for line in lines)


def holds(text: str, item: Item) -> bool:
    """Whether a text holds an item."""
    if isinstance(item, str):
        return plain(item) in plain(text) or plain(item) in " ".join(plain(text).split())
    if "any" in item:
        return any(holds(text, one) for one in item["any"])
    parts = [[part] if isinstance(part, str) else part for part in item["line"]]
    return any(all(any(plain(word) in line for word in part) for part in parts) for line in plain(text).splitlines())


def name(item: Item) -> str:
    """An item as it reads in a report."""
    return item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)


def score(brief: str, tools: str, present: list[Item], absent: list[Item]) -> Score:
    """Judge a brief, and for items that say so the results of the tools, by its lists."""
    found: list[str] = []
    missing: list[str] = []
    for item in present:
        where = tools if isinstance(item, dict) and item.get("in") == "tools" else brief
        (found if holds(where, item) else missing).append(name(item))
    foreign = [name(item) for item in absent if holds(brief, item)]
    return Score(found=tuple(found), missing=tuple(missing), foreign=tuple(foreign))


def own_traces(inside: str, earlier_ids: list[str]) -> list[str]:
    """Signs that a block holds another block of Segue's or a call of its tools."""
    return [sign for sign in (*OWN_SIGNS, *earlier_ids) if sign and sign in inside]


def estimate_tokens(text: str) -> int:
    """Tokens by rule of thumb: four ASCII characters a token, any other character one."""
    ascii_count = sum(character.isascii() for character in text)
    return -(-ascii_count // 4) + len(text) - ascii_count


def over_budget(whole: str) -> list[str]:
    """Which limits of a brief a block breaks, with its frame."""
    tokens, size = estimate_tokens(whole), len(whole.encode())
    said = [f"{tokens} tokens, at most {MAX_TOKENS}"] if tokens > MAX_TOKENS else []
    return said + ([f"{size} bytes, at most {MAX_BYTES}"] if size > MAX_BYTES else [])
