"""Owns what of an event is text for people: to search, to quote, to name it by. Pure; never reads a store."""

from __future__ import annotations

from segue.model import event as kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

#: characters of one event that are searchable: the beginning and the end of an overlong one
SEARCHABLE_HEAD, SEARCHABLE_TAIL = 96_000, 32_000
#: how deep a tool's input is read for its texts
MAX_DEPTH = 12


def searchable(type_: str, subject: str | None, body: dict[str, Any] | None) -> str:
    """The text by which an event is found; empty for events that are bookkeeping."""
    if body is None:
        return ""
    if type_ in (kinds.USER_MESSAGE, kinds.ASSISTANT_MESSAGE, kinds.COMPACTION_SUMMARY):
        text = _string(body.get("text"))
    elif type_ == kinds.TOOL_CALL:
        text = "\n".join([_string(body.get("tool")), *_texts(body.get("input"))])
    elif type_ == kinds.TOOL_RESULT:
        text = _result_text(subject, body)
    elif type_ == kinds.TODO_WRITE:
        text = "\n".join(f"{_string(todo.get('status'))}: {_string(todo.get('content'))}" for todo in todos(body))
    else:
        text = ""
    if len(text) <= SEARCHABLE_HEAD + SEARCHABLE_TAIL:
        return text
    return text[:SEARCHABLE_HEAD] + "\n" + text[-SEARCHABLE_TAIL:]


def _result_text(subject: str | None, body: dict[str, Any]) -> str:
    parts = [_string(body.get("tool")), subject or "", _string(body.get("output")), _string(body.get("error"))]
    parts += [_string(path) for path in _list(body.get("files"))]
    parts += _texts(body.get("change"))
    return "\n".join(part for part in parts if part)


def todos(body: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The entries of a to-do snapshot that are well formed."""
    return [todo for todo in _list((body or {}).get("todos")) if isinstance(todo, dict)]


def open_todos(bodies: Sequence[dict[str, Any] | None]) -> list[dict[str, Any]]:
    """What is still to do after these writes, oldest first: a write replaces the list, or (partial) one entry of it.

    An entry that was created without an id is the one of its number, counted from 1.
    """
    listed: dict[str, dict[str, Any]] = {}
    for body in bodies:
        partial = (body or {}).get("partial") is True
        if not partial:
            listed = {}
        for todo in todos(body):
            name = str(todo.get("id") or len(listed) + 1)
            listed[name] = {**listed.get(name, {}), **todo}
    return [
        todo for todo in listed.values() if todo.get("status") not in ("completed", "deleted") and todo.get("content")
    ]


#: signs that steer a terminal or turn the direction of text, and are no part of what was said
UNSEEN = {
    code: None
    for code in (
        *range(32),
        *range(127, 160),
        0x061C,
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x206A),
        0xFEFF,
    )
    if chr(code) not in "\n\t"
}


def visible(text: str) -> str:
    """The text without signs that steer a terminal, hide, or turn its direction."""
    return text.translate(UNSEEN)


def one_line(text: str, limit: int) -> str:
    """The text's words on one line of at most `limit` characters, cut between code points with an ellipsis."""
    line = " ".join(visible(text[: limit * 8].replace("\r", " ")).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _texts(value: Any, depth: int = 0) -> list[str]:
    if isinstance(value, str):
        return [value]
    if depth >= MAX_DEPTH:
        return []
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _texts(inner, depth + 1)]
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner, depth + 1)]
    return []
