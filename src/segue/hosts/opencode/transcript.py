"""Owns reading OpenCode's database: sessions, messages, parts, to-do lists. Never writes to it.

Rows change after they were written (a tool's part is there before its result is), so reading goes in passes: each takes
what was updated since the last one, session by session, within a session in the order in which it happened. How far a
pass is, is in the state; a position is only the number of rows read.
"""

from __future__ import annotations

import glob
import os

from segue.errors import SegueError
from segue.hosts.lines import record, source, whole_characters
from segue.hosts.opencode.tools import is_own, millis, tool_drafts
from segue.model import event as events
from segue.model.event import Draft
from segue.model.frame import strip
from segue.model.session import SessionHeader
from segue.model.transcript import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from segue.model.transcript import Query, Source

    Told = tuple[tuple[Draft, ...], str | None]

NAME = "opencode"
MAGIC = b"SQLite format 3\x00"
PAGE_ROWS = 200
#: as much of a foreign kind as is told
KIND_CHARS = 60
#: parents of parents that are followed to a session's root
MOST_PARENTS = 32
#: part types that hold nothing to remember
SILENT = ("step-start", "step-finish", "patch", "snapshot", "reasoning", "compaction", "agent", "subtask", "retry",
          "file")  # fmt: skip
NEEDED = {
    "session": ("id", "parent_id", "directory", "title", "time_created", "time_updated"),
    "message": ("id", "data"),
    "part": ("id", "message_id", "session_id", "time_created", "time_updated", "data"),
    "todo": ("session_id", "content", "status", "position", "time_updated"),
}
OPTIONAL_TABLES = ("todo",)
OWN, SYNTHETIC, UNKNOWN_TYPE, NOT_A_RECORD = "own-block", "synthetic", "unknown-type", "not-a-record"

COLUMNS = "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
NEWEST = {
    "session": "SELECT time_updated, id FROM session ORDER BY time_updated DESC, id DESC LIMIT 1",
    "part": "SELECT time_updated, id FROM part ORDER BY time_updated DESC, id DESC LIMIT 1",
    "todo": "SELECT time_updated, session_id FROM todo ORDER BY time_updated DESC, session_id DESC LIMIT 1",
}
WINDOW = "({0}.time_updated, {0}.id) > (?, ?) AND ({0}.time_updated, {0}.id) <= (?, ?)"
TODO_WINDOW = "(t.time_updated, t.session_id) > (?, ?) AND (t.time_updated, t.session_id) <= (?, ?)"
PARTS = f"""
SELECT p.id, p.time_created, p.data, m.data FROM part p LEFT JOIN message m ON m.id = p.message_id
WHERE p.session_id = ? AND (p.time_created, p.id) > (?, ?) AND {WINDOW.format("p")}
ORDER BY p.time_created, p.id LIMIT {PAGE_ROWS}"""
TODOS = "SELECT content, status, time_updated FROM todo WHERE session_id = ? ORDER BY position"
PARENT = "SELECT parent_id FROM session WHERE id = ?"


def discover(folder: str) -> Iterator[Source]:
    """The databases in OpenCode's folder: one for each of its release channels."""
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "opencode*.db"))):
        yield from source(NAME, path)


def claims(path: str) -> bool:
    """Whether a file is an SQLite database with OpenCode's name."""
    name = os.path.basename(path)
    if not (name.startswith("opencode") and name.endswith(".db")):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def read(path: str, position: int, state: dict[str, Any], query: Query) -> Iterator[Entry]:
    """The entries of a database: the rest of a pass that was broken off, then what was updated since."""
    database = _Database(path, query)
    for place, header, kind, told in _passes(database, state):
        position += 1
        yield Entry(position=position, state=place, kind=kind, header=header, drafts=told[0], skipped=told[1])


def _passes(database: _Database, state: dict[str, Any]) -> Iterator[tuple[dict[str, Any], SessionHeader, str, Told]]:
    seen = state.get("seen") or {}
    if state.get("top"):
        yield from _pass(database, seen, state["top"], state["at"])
        seen = state["top"]
    top = database.newest()
    if top != seen:
        yield from _pass(database, seen, top, None)


def _pass(
    database: _Database, seen: dict[str, Any], top: dict[str, Any], at: list[Any] | None
) -> Iterator[tuple[dict[str, Any], SessionHeader, str, Told]]:
    """Everything updated after `seen` and not after `top`, from the place `at` on.

    A place is a session's time and id, and how much of it was read: the time and id of a part, or None after all.
    """
    for session in database.sessions(seen, top, at):
        created, session_id = session["time_created"], session["id"]
        header = database.header(session)
        part: list[Any] | None = [-1, ""]
        if at is not None and at[:2] == [created, session_id]:
            part = at[2]
        elif _within(session["time_updated"], session_id, seen.get("session"), top.get("session")):
            yield _place(seen, top, created, session_id, part), header, "session", ((), None)
        if part is None:
            continue
        for row in database.parts(session_id, part, seen, top):
            place = _place(seen, top, created, session_id, [row[1], row[0]])
            yield (place, *_part_entry(header, row))
        todo = database.todo(session_id, seen, top)
        if todo is not None:
            yield _place(seen, top, created, session_id, None), header, "todo", ((todo,), None)


def _place(seen: dict[str, Any], top: dict[str, Any], created: int, session_id: str, part: Any) -> dict[str, Any]:
    return {"seen": seen, "top": top, "at": [created, session_id, part]}


def _within(time: Any, row_id: str, after: list[Any] | None, until: list[Any] | None) -> bool:
    pair = (time or 0, row_id)
    return until is not None and tuple(after or (-1, "")) < pair <= tuple(until)


class _Database:
    """One reading of a database through the queries that the caller allows."""

    def __init__(self, path: str, query: Query) -> None:
        self.path = path
        self.query = query
        self.columns = self._columns()
        self.parents: dict[str, str | None] = {}

    def rows(self, sql: str, params: tuple[object, ...]) -> Iterator[tuple[Any, ...]]:
        """The rows of a query. Raises `ValueError` when the file cannot be read: it is not Segue's own store."""
        try:
            yield from self.query(self.path, sql, params)
        except SegueError as error:
            raise ValueError(error.detail or str(error)) from error

    def _columns(self) -> dict[str, set[str]]:
        """The columns that there are. Raises `ValueError` when one that is needed is not among them."""
        found: dict[str, set[str]] = {}
        for table, column in self.rows(COLUMNS, ()):
            found.setdefault(table, set()).add(column)
        for table, needed in NEEDED.items():
            if table not in found and table in OPTIONAL_TABLES:
                continue
            if table not in found:
                raise ValueError(f"there is no table {table}: not a database of a release of OpenCode that is known")
            missing = [column for column in needed if column not in found[table]]
            if missing:
                raise ValueError(f"table {table} has no column {missing[0]}: not a release of OpenCode that is known")
        return found

    def newest(self) -> dict[str, list[Any]]:
        """The last updated row of each table that is read."""
        found = {}
        for table, sql in NEWEST.items():
            for time, row_id in self.rows(sql, ()) if table in self.columns else ():
                found[table] = [time or 0, row_id]
        return found

    def sessions(self, seen: dict[str, Any], top: dict[str, Any], at: list[Any] | None) -> Iterator[dict[str, Any]]:
        """The sessions of which something was updated, in order of creation, from a place on."""
        names = [*NEEDED["session"], *(name for name in ("agent", "model") if name in self.columns["session"])]
        tests = [
            WINDOW.format("s"),
            f"EXISTS (SELECT 1 FROM part p WHERE p.session_id = s.id AND {WINDOW.format('p')})",
        ]
        params = [*_window("session", seen, top), *_window("part", seen, top)]
        if "todo" in self.columns:
            tests.append(f"EXISTS (SELECT 1 FROM todo t WHERE t.session_id = s.id AND {TODO_WINDOW})")
            params += _window("todo", seen, top)
        sql = (
            f"SELECT {', '.join('s.' + name for name in names)} FROM session s "
            f"WHERE (s.time_created, s.id) {{}} (?, ?) AND ({' OR '.join(tests)}) "
            f"ORDER BY s.time_created, s.id LIMIT {PAGE_ROWS}"
        )
        place, compare = (at[:2], ">=") if at else ([-1, ""], ">")
        while True:
            rows = list(self.rows(sql.format(compare), (*place, *params)))
            for row in rows:
                yield dict(zip(names, row, strict=True))
            if len(rows) < PAGE_ROWS:
                return
            last = dict(zip(names, rows[-1], strict=True))
            place, compare = [last["time_created"], last["id"]], ">"

    def parts(
        self, session_id: str, after: list[Any], seen: dict[str, Any], top: dict[str, Any]
    ) -> Iterator[tuple[Any, ...]]:
        """A session's parts in order, each with the data of its message."""
        while True:
            params = (session_id, *after, *_window("part", seen, top))
            rows = list(self.rows(PARTS, params))
            yield from rows
            if len(rows) < PAGE_ROWS:
                return
            after = [rows[-1][1], rows[-1][0]]

    def todo(self, session_id: str, seen: dict[str, Any], top: dict[str, Any]) -> Draft | None:
        """A session's to-do list, if it was updated."""
        if "todo" not in self.columns:
            return None
        rows = list(self.rows(TODOS, (session_id,)))
        updated = max((row[2] or 0 for row in rows), default=0)
        if not rows or not _within(updated, session_id, seen.get("todo"), top.get("todo")):
            return None
        todos = [{"content": str(content), "status": str(status)} for content, status, _ in rows]
        return Draft(
            type=events.TODO_WRITE,
            origin="model",
            body={"todos": todos},
            key=f"todo:{updated}",
            time=millis(updated),
        )

    def header(self, session: dict[str, Any]) -> SessionHeader:
        """Who ran what; a session with a parent is a subagent of the root of its parents."""
        own, parent = session["id"], session["parent_id"] or None
        root = self._root(parent) if parent else own
        model = _object(session.get("model"))
        return SessionHeader(
            host=NAME,
            host_session_id=root,
            agent_id=own if parent else None,
            agent_type=_text(session.get("agent")) if parent else None,
            parent_agent_id=parent if parent != root else None,
            cwd=_text(session["directory"]),
            model=_text(model.get("id")) if model else None,
            started_at=millis(session["time_created"]),
            title=_text(session["title"]),
        )

    def _root(self, session_id: str) -> str:
        """The first of a session's parents; where one is gone or they go round, the last that is known."""
        passed = [session_id]
        while len(passed) < MOST_PARENTS:
            if session_id not in self.parents:
                self.parents[session_id] = next((row[0] for row in self.rows(PARENT, (session_id,))), None)
            parent = self.parents[session_id]
            if not parent or parent in passed:
                break
            session_id = parent
            passed.append(parent)
        return session_id


def _window(table: str, seen: dict[str, Any], top: dict[str, Any]) -> list[Any]:
    return [*seen.get(table, (-1, "")), *top.get(table, (-1, ""))]


def _part_entry(header: SessionHeader, row: tuple[Any, ...]) -> tuple[SessionHeader, str, Told]:
    """The header, kind and drafts of a part with its message."""
    part_id, created, data, about = row
    part, message = _object(data), _object(about)
    if part is None or message is None:
        return header, "part", ((), NOT_A_RECORD)
    model = message.get("model")
    named = _text(message.get("modelID")) or (_text(model.get("modelID")) if isinstance(model, dict) else None)
    kind = part.get("type")
    return (
        header.replace(model=named or header.model),
        f"part:{kind}"[:KIND_CHARS],
        _told(part_id, millis(created), part, message, by_model=header.agent_id is not None),
    )


def _told(part_id: str, time: str | None, part: dict[str, Any], message: dict[str, Any], *, by_model: bool) -> Told:
    """What a part tells. In a subagent's session the model that started it asks, not the user."""
    kind = part.get("type")
    if kind == "text":
        return _text_told(part_id, time, part, message, asker="model" if by_model else "user")
    if kind == "tool":
        return ((), OWN) if is_own(str(part.get("tool"))) else (tool_drafts(part, part_id, time), None)
    return (), None if kind in SILENT else UNKNOWN_TYPE


def _text_told(part_id: str, time: str | None, part: dict[str, Any], message: dict[str, Any], asker: str) -> Told:
    role, whole = message.get("role"), part.get("text")
    if role not in ("user", "assistant") or not isinstance(whole, str):
        return (), NOT_A_RECORD
    if part.get("synthetic") is True:
        return (), SYNTHETIC
    text = strip(whole)
    if not text.strip():
        return (), OWN if whole.strip() else None
    if role == "user":
        return (_draft(events.USER_MESSAGE, asker, unwrap(text), f"prompt:{part_id}", time),), None
    if _is_unfinished(part, message):  # the row is seen again when its last words are there
        return (), None
    if message.get("summary") is True:
        text = _bare_summary(text)
        return (_draft(events.COMPACTION_SUMMARY, "host_summary", text, f"summary:{part_id}", time),), None
    return (_draft(events.ASSISTANT_MESSAGE, "model", text, f"text:{part_id}", time),), None


def _draft(kind: str, origin: str, text: str, key: str, time: str | None) -> Draft:
    return Draft(type=kind, origin=origin, body={"text": text}, key=key, time=time)


def _is_unfinished(part: dict[str, Any], message: dict[str, Any]) -> bool:
    """Whether the model is still writing a text."""
    part_time, message_time = part.get("time"), message.get("time")
    if (isinstance(message_time, dict) and "completed" in message_time) or message.get("error"):
        return False
    return isinstance(part_time, dict) and "end" not in part_time


def unwrap(text: str) -> str:
    """A prompt as it was typed: `opencode run` puts one with blanks in double quotes."""
    inner = text[1:-1]
    if len(text) < 3 or text[0] != '"' or text[-1] != '"' or '"' in inner.replace('\\"', ""):
        return text
    return inner.replace('\\"', '"')


def _bare_summary(text: str) -> str:
    start, end = text.find("<summary>"), text.rfind("</summary>")
    return (text[start + 9 : end] if 0 <= start < end else text).strip()


def _object(data: Any) -> dict[str, Any] | None:
    return record(whole_characters(data)) if isinstance(data, str) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
