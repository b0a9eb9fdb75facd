"""Owns editing JSON text in place: what is not edited keeps its bytes. Never reads or writes a file.

A place is a path of keys and numbers: `("hooks", "Stop", 0)`. What is added is written in the manner of what is there.
"""

from __future__ import annotations

import json

from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WHITESPACE = " \t\r\n"
Path = tuple[str | int, ...]


class Child(Record):
    """One member or item: its name or number, where it begins, where its value begins and ends."""

    name: str | int
    start: int
    value: int
    end: int


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def parse(text: str) -> Any:
    """The value of a JSON text. `ValueError` for anything else: comments, trailing commas, NaN, hostile nesting."""
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _skip(text: str, at: int) -> int:
    while text[at] in WHITESPACE:
        at += 1
    return at


def _children(text: str, at: int) -> list[Child]:
    """The members or items of the object or list that begins at a place."""
    found: list[Child] = []
    is_object = text[at] == "{"
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        start = at
        name: str | int = len(found)
        if is_object:
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        end = _DECODER.raw_decode(text, at)[1]
        found.append(Child(name=name, start=start, value=at, end=end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _find(text: str, path: Path) -> tuple[int, int]:
    """Where the value at a path begins and ends. Of two members with one name the last counts. `KeyError` for none."""
    at = _skip(text, 0)
    end = len(text.rstrip(WHITESPACE))
    for step in path:
        named = [child for child in _children(text, at) if child.name == step]
        if not named:
            raise KeyError(step)
        at, end = named[-1].value, named[-1].end
    return at, end


def put(text: str, path: Path, value: Any) -> str:
    """The text with a value at a path: replaced, or added as the last member of what is there."""
    try:
        start, end = _find(text, path)
    except KeyError:
        return _add(text, path[:-1], json.dumps(path[-1], ensure_ascii=_is_escaped(text)), value)
    return text[:start] + _written(text, value, _margin(text, start), inline=_is_inline(text, start)) + text[end:]


def append(text: str, path: Path, value: Any) -> str:
    """The text with a value as the last item of the list at a path."""
    return _add(text, path, None, value)


def drop(text: str, path: Path) -> str:
    """The text without what is at a path, nor its comma."""
    start, end = _find(text, path[:-1])
    children = _children(text, start)
    at = max(number for number, child in enumerate(children) if child.name == path[-1])
    if len(children) == 1:
        return text[: start + 1] + text[end - 1 :]
    if at == len(children) - 1:
        return text[: children[at - 1].end] + text[children[at].end :]
    return text[: children[at].start] + text[children[at + 1].start :]


def _add(text: str, path: Path, name: str | None, value: Any) -> str:
    start, end = _find(text, path)
    children = _children(text, start)
    line = _newline(text)
    if not children:
        outer = _margin(text, start)
        inline = _is_inline(text, start)
        margin = outer + _unit(text)
        child = _child(text, name, value, margin, inline=inline)
        inside = child if inline else line + margin + child + line + outer
        return text[: start + 1] + inside + text[end - 1 :]
    last = children[-1]
    before = children[-2].end if len(children) > 1 else start
    inline = "\n" not in text[before : last.start]
    margin = _margin(text, last.start)
    lead = (" " if _is_spaced(text) else "") if inline else line + margin
    return text[: last.end] + "," + lead + _child(text, name, value, margin, inline=inline) + text[last.end :]


def _child(text: str, name: str | None, value: Any, margin: str, *, inline: bool) -> str:
    colon = "" if name is None else name + (": " if _is_spaced(text) or not inline else ":")
    return colon + _written(text, value, margin, inline=inline)


def _written(text: str, value: Any, margin: str, *, inline: bool) -> str:
    escaped = _is_escaped(text)
    if inline:
        return json.dumps(value, ensure_ascii=escaped, separators=None if _is_spaced(text) else (",", ":"))
    written = json.dumps(value, ensure_ascii=escaped, indent=_unit(text))
    return written.replace("\n", _newline(text) + margin)


def _is_escaped(text: str) -> bool:
    return text.isascii() and "\\u" in text


def _is_spaced(text: str) -> bool:
    return '": ' in text or '":' not in text


def _is_inline(text: str, at: int) -> bool:
    """Whether what is added at a place stays on its line: in a text of one line that holds something."""
    return "\n" not in text.strip() and '"' in text[:at]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _margin(text: str, at: int) -> str:
    """The blanks at the beginning of the line of a place."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """The blanks by which the first indented line is indented; two where there is none."""
    for line in text.split("\n")[1:]:
        bare = line.lstrip(" \t")
        if bare.strip() and bare != line:
            return line[: len(line) - len(bare)]
    return "  "
