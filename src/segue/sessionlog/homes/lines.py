"""Owns the lines of a log's file: one JSON object each, for a header, what it newly knows, or an entry. Pure.

Names are those of `Entry` and `Session`; what is not there has no name in the line; digests are hexadecimal. A body
stands in its line as the JSON that it is where it can be got back from there to the letter, else as text.
"""

from __future__ import annotations

from segue.model.codec import dumps, loads, scrub
from segue.model.entry import Entry
from segue.model.scope import Project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

#: the form of the lines that are written; newer ones are not touched
VERSION = 1
HEADER, UPDATE = "session", "header"
#: bytes of a line that is read
MAX_LINE = 32 << 20
#: how deep a body is nested that stands in its line
DEEP = 100
#: numbers below that are exact in every JSON reader and fit in every store
MOST = 2**53

#: fields of a header that every log has, that it may have, and that change
ALWAYS = ("session_id", "project_id", "principal_id", "visibility", "host", "host_session_id")
MAYBE = ("agent_id", "agent_type", "parent_id", "cwd", "branch", "model", "title", "started_at")
CHANGING = ("agent_type", "cwd", "branch", "model", "title", "started_at", "last_event_at", "recorded_at")
PROJECT = ("kind", "identity", "name")
VISIBILITIES = ("private", "project")
TEXTS = ("type", "origin", "event_time", "recorded_at")
BARE = ("salt", "dedupe", "rewrite")
MAYBE_TEXTS = ("action", "outcome", "subject")


class NewerLine(ValueError):
    """The line is of a form that only a newer Segue knows."""


def header_line(told: Mapping[str, Any], project: Project | None) -> bytes:
    """The first line of a log, of the fields of its header that are known."""
    fields: dict[str, Any] = {name: told[name] for name in ALWAYS}
    fields |= {name: told[name] for name in (*MAYBE, "seed_length") if told.get(name) is not None}
    if project is not None:
        fields["project"] = {name: getattr(project, name) for name in PROJECT}
    return _line({"type": HEADER, "version": VERSION, **_plain(fields)})


def update_line(changes: dict[str, Any]) -> bytes:
    """What the header is from here on."""
    return _line({"type": UPDATE, **_plain(changes)})


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields, none of which may hold what no reader takes."""
    for name, value in fields.items():
        if isinstance(value, str) and "\0" in value:
            raise ValueError(f"{name} is no text")
    return fields


def entry_line(entry: Entry) -> bytes:
    """One entry. `ValueError` where it holds what cannot be written as UTF-8."""
    fields: dict[str, Any] = {"seq": entry.seq, **{name: getattr(entry, name) for name in TEXTS}}
    fields |= {name: getattr(entry, name) for name in MAYBE_TEXTS if getattr(entry, name) is not None}
    _plain({**fields, "body": entry.body})
    if entry.replaces is not None:
        fields["replaces"] = list(entry.replaces)
    if entry.cites:
        fields["cites"] = list(entry.cites)
    tail: dict[str, Any] = {"size": entry.size, "body_digest": entry.body_digest.hex(), "chain": entry.chain.hex()}
    tail |= {name: value.hex() for name in BARE if (value := getattr(entry, name)) is not None}
    if entry.body is None or not _is_inline(entry.body):
        return _line({**fields, **({} if entry.body is None else {"body_text": entry.body}), **tail})
    return f"{_members(fields)},{_quoted('body')}:{entry.body},{_members(tail)[1:]}}}\n".encode()


def _is_inline(body: str) -> bool:
    """Whether a body's text is what its value is written as again, from within a line, however deep the reader is."""
    try:
        value = loads(body)
        return dumps(value) == body and (body.count("[") + body.count("{") <= DEEP or not _is_deep(value))
    except ValueError:
        return False


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEP):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def _quoted(text: str) -> str:
    return dumps(text)


def _members(fields: Mapping[str, Any]) -> str:
    """A JSON object without its last brace, in the order of its fields: a person reads the first ones first."""
    return "{" + ",".join([f"{_quoted(name)}:{dumps(value)}" for name, value in fields.items()])


def _line(fields: Mapping[str, Any]) -> bytes:
    return (_members(fields) + "}\n").encode()


def parse(line: bytes) -> dict[str, Any]:
    """The object that a line is; `ValueError` where it is none, so perhaps only half of one."""
    found = loads(line.decode())
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")
    return found


def check_version(found: Mapping[str, Any]) -> None:
    """Raises `NewerLine` for a header or an update of a newer form."""
    version = found.get("version", VERSION)
    if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
        raise NewerLine(f"its form is {version}, this Segue knows {VERSION}")
    if version != VERSION or not isinstance(version, int) or isinstance(version, bool):
        raise ValueError("its version is none")


def header_of(found: Mapping[str, Any]) -> tuple[dict[str, Any], Project | None]:
    """The fields that a header line tells, by name, and the project. `ValueError` for one that is none."""
    if found.get("type") != HEADER or "version" not in found:
        raise ValueError("the first line is no header")
    check_version(found)
    told: dict[str, Any] = {name: _text(found, name) for name in ALWAYS}
    told |= {name: _maybe_text(found, name) for name in MAYBE}
    if told["visibility"] not in VISIBILITIES:
        raise ValueError("its visibility is neither private nor project")
    told["seed_length"] = None if found.get("seed_length") is None else _number(found["seed_length"], "seed_length")
    project = found.get("project")
    if project is None:
        return told, None
    if not isinstance(project, dict):
        raise ValueError("its project is no object")
    return told, Project(project_id=told["project_id"], **{name: _text(project, name) for name in PROJECT})


def update_of(found: Mapping[str, Any]) -> dict[str, Any]:
    """What an update line tells; names that it should not have are skipped."""
    if found.get("type") != UPDATE:
        raise ValueError("it is neither an event nor a header")
    check_version(found)
    changes = {name: _maybe_text(found, name) for name in CHANGING if name in found}
    if any(changes.get(name, "") is None for name in ("started_at", "last_event_at", "recorded_at")):
        raise ValueError("a time is missing")
    return changes


def entry_of(found: Mapping[str, Any]) -> Entry:
    """The entry that a line is. `ValueError` says what is wrong with it."""
    replaces = found.get("replaces")
    places = None if replaces is None else _numbers(replaces, "replaces")
    if places is not None and len(places) != 2:
        raise ValueError("replaces is not a first and a last number")
    fields: dict[str, Any] = {name: _text(found, name) for name in TEXTS}
    fields |= {name: _maybe_text(found, name) for name in MAYBE_TEXTS}
    fields |= {name: _octets(found, name) for name in ("body_digest", "chain")}
    fields |= {name: None if found.get(name) is None else _octets(found, name) for name in BARE}
    return Entry(
        **fields,
        seq=_number(found.get("seq"), "seq"),
        size=_number(found.get("size"), "size"),
        body=dumps(found["body"]) if "body" in found else _maybe_text(found, "body_text"),
        replaces=None if places is None else (places[0], places[1]),
        cites=_numbers(found.get("cites", ()), "cites"),
    )


def _text(found: Mapping[str, Any], name: str) -> str:
    value = _maybe_text(found, name)
    if value is None:
        raise ValueError(f"{name} is missing")
    return value


def _maybe_text(found: Mapping[str, Any], name: str) -> str | None:
    value = found.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or "\0" in value or scrub(value) != value:
        raise ValueError(f"{name} is no text")
    return value


def _number(value: Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < MOST:
        raise ValueError(f"{name} is no whole number")
    return value


def _numbers(value: Any, name: str) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{name} is no list of numbers")
    return tuple(_number(item, name) for item in value)


def _octets(found: Mapping[str, Any], name: str) -> bytes:
    value = found.get(name)
    try:
        return bytes.fromhex(value) if isinstance(value, str) else _refuse(name)
    except ValueError:
        return _refuse(name)


def _refuse(name: str) -> bytes:
    raise ValueError(f"{name} is not hexadecimal")
