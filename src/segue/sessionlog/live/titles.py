"""Owns titles of sessions: the first words of the first prompt, or what a person chose. Pure."""

from __future__ import annotations

import re

from segue.sessionlog.text import UNSEEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: where a title comes from; a person's is replaced by no other
FALLBACK, USER = "fallback", "user"
#: words and bytes of a title that is made of a prompt, and bytes of any
FIRST_WORDS, FIRST_BYTES, MOST_BYTES = 5, 40, 80
#: what terminals take for orders: OSC and CSI sequences, and a bare ESC
ORDERS = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b\[[0-?]*[ -/]*[@-~]?|\x1b")


def plain_title(text: str, most_bytes: int = MOST_BYTES) -> str:
    """The text on one line without anything unseen, cut at a character."""
    line = " ".join(ORDERS.sub("", text).translate(UNSEEN).split())
    return line.encode("utf-8", "replace")[:most_bytes].decode("utf-8", "ignore").strip()


def first_words(body: dict[str, Any]) -> str:
    """The title that a prompt gives to its session; empty where it has no text."""
    text = body.get("text")
    if not isinstance(text, str):
        content = (body.get("message") or {}).get("content") if isinstance(body.get("message"), dict) else None
        text = content if isinstance(content, str) else ""
    return plain_title(" ".join(plain_title(text[:1000], 1000).split()[:FIRST_WORDS]), FIRST_BYTES)
