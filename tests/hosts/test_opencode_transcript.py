"""OpenCode's database: recorded sessions, changes, other releases, and broken rows."""

from __future__ import annotations

import collections
import json
import pathlib
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.hosts.opencode.tools import tool_drafts
from segue.hosts.opencode.transcript import claims, discover, read, unwrap
from segue.model.event import Draft
from segue.model.frame import wrap
from segue.model.transcript import Entry
from segue.stores.open import foreign_rows

FOLDER = pathlib.Path(__file__).parent / "opencode"
RECORDED = ("autocompact", "basic")
TABLES = ("session", "message", "part")
COLUMNS = dict(text.split(": ", 1) for text in (FOLDER / "basic" / "columns.txt").read_text("utf-8").splitlines())

Row = dict[str, Any]


def recorded(name: str, table: str) -> list[Row]:
    return [json.loads(line) for line in (FOLDER / name / f"table-{table}.jsonl").read_text("utf-8").splitlines()]


def put(path: pathlib.Path, table: str, *rows: Row) -> None:
    """Write rows as the host does: what is not a number or text is JSON."""
    with sqlite3.connect(path) as connection:
        for row in rows:
            values = [json.dumps(v) if isinstance(v, (dict, list)) else v for v in row.values()]
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES ({marks})", values)
    connection.close()


def made(path: pathlib.Path, **tables: list[Row]) -> pathlib.Path:
    """A database with the host's tables and those rows."""
    with sqlite3.connect(path) as connection:
        for table, columns in COLUMNS.items():
            connection.execute(f"CREATE TABLE {table} ({columns.replace('id TEXT', 'id TEXT PRIMARY KEY', 1)})")
        connection.execute("DROP TABLE todo")
        connection.execute(f"CREATE TABLE todo ({COLUMNS['todo']})")
    connection.close()
    for table, rows in tables.items():
        put(path, table, *rows)
    return path


def again(name: str, folder: pathlib.Path) -> pathlib.Path:
    """The database of a recorded session."""
    return made(folder / "opencode.db", **{table: recorded(name, table) for table in TABLES})


def session(session_id: str = "s1", at: int = 1000, **more: Any) -> Row:
    row = {"id": session_id, "parent_id": None, "directory": "/src/alpha", "title": "T", "agent": "build"}
    return {**row, "time_created": at, "time_updated": at, **more}


def message(role: str = "user", message_id: str = "m1", session_id: str = "s1", **more: Any) -> Row:
    data = {"role": role, "time": {"created": 1, "completed": 2}, **more}
    return {"id": message_id, "session_id": session_id, "time_created": 1, "time_updated": 1, "data": data}


def part(part_id: str, data: Any, at: int = 2000, message_id: str = "m1", session_id: str = "s1") -> Row:
    row = {"id": part_id, "message_id": message_id, "session_id": session_id}
    return {**row, "time_created": at, "time_updated": at, "data": data}


def text(words: str, **more: Any) -> Row:
    return {"type": "text", "text": words, **more}


def tool(name: str, call_id: str = "c1", **state: Any) -> Row:
    return {"type": "tool", "tool": name, "callID": call_id, "state": state}


def entries(path: pathlib.Path, position: int = 0, state: Row | None = None) -> list[Entry]:
    return list(read(str(path), position, state or {}, foreign_rows))


def drafts(read_entries: list[Entry]) -> list[Draft]:
    return [draft for entry in read_entries for draft in entry.drafts]


def golden(draft: Draft) -> tuple[Any, ...]:
    """A draft as a line of a golden table."""
    if draft.type == "tool/result":
        return draft.type, draft.body["tool"], draft.outcome
    if draft.type == "tool/call":
        return draft.type, draft.body["tool"], draft.action, draft.subject
    return draft.type, draft.body.get("text") or draft.body["todos"]


@pytest.mark.promise("TRB-11")
@pytest.mark.parametrize("name", RECORDED)
def test_every_row_is_counted_under_its_type(name: str, tmp_path: pathlib.Path) -> None:
    expected = collections.Counter(f"part:{row['data']['type']}" for row in recorded(name, "part"))
    expected["session"] = len(recorded(name, "session"))
    found = entries(again(name, tmp_path))
    assert collections.Counter(entry.kind for entry in found) == expected
    assert [entry.position for entry in found] == list(range(1, len(found) + 1))
    synthetic = sum(row["data"].get("synthetic") is True for row in recorded(name, "part"))
    assert collections.Counter(entry.skipped for entry in found if entry.skipped) == {"synthetic": synthetic}


@pytest.mark.promise("TRB-12")
def test_a_recorded_session_gives_all_that_was_said_and_done(tmp_path: pathlib.Path) -> None:
    assert [golden(draft) for draft in drafts(entries(again("basic", tmp_path)))] == [
        ("user/message", "Please fix add() in app.py."),
        ("assistant/message", "I will look around first."),
        ("tool/call", "bash", "command", "ls && git log --oneline | head -3"),
        ("tool/result", "bash", "ok"),
        ("tool/call", "read", "read", "/home/dev/proj/app.py"),
        ("tool/result", "read", "ok"),
        ("tool/call", "edit", "edit", "/home/dev/proj/app.py"),
        ("tool/result", "edit", "ok"),
        ("tool/call", "bash", "command", "true"),
        ("tool/result", "bash", "ok"),
        ("tool/call", "probe_recall", "mcp", "add function"),
        ("tool/result", "probe_recall", "unknown"),
        ("tool/call", "bash", "command", "python3 app.py && false"),
        ("tool/result", "bash", "failed"),
        ("assistant/message", "Fixed: add() now adds. The failing command was on purpose."),
        ("user/message", "Thanks. Anything else?"),
        ("assistant/message", "Second prompt answered: nothing else to do."),
    ]


@pytest.mark.promise("TRB-12")
def test_a_compacted_session_gives_its_summaries(tmp_path: pathlib.Path) -> None:
    summary = "SUMMARY-MARK: the user asked for a small change and it was made."
    assert [golden(draft) for draft in drafts(entries(again("autocompact", tmp_path)))] == [
        ("user/message", "Please fix add() in app.py."),
        ("assistant/message", "Looking."),
        ("tool/call", "bash", "command", "ls"),
        ("tool/result", "bash", "ok"),
        ("assistant/message", "Reading."),
        ("tool/call", "read", "read", "/home/dev/proj/app.py"),
        ("tool/result", "read", "ok"),
        ("compaction/summary", summary),
        ("tool/call", "edit", "edit", "/home/dev/proj/app.py"),
        ("tool/result", "edit", "ok"),
        ("assistant/message", "First answer done."),
        ("compaction/summary", summary),
        ("assistant/message", "Second answer."),
        ("user/message", "Thanks. Anything else?"),
        ("assistant/message", "Third answer."),
    ]


@pytest.mark.promise("TRB-12")
@pytest.mark.parametrize("name", RECORDED)
def test_every_draft_has_a_key_of_its_own_a_time_and_a_header(name: str, tmp_path: pathlib.Path) -> None:
    found = entries(again(name, tmp_path))
    keys = [draft.key for draft in drafts(found)]
    assert None not in keys and len(set(keys)) == len(keys)
    assert all(draft.time and draft.time.startswith("2026-11-30T23:1") for draft in drafts(found))
    header = found[-1].header
    assert header is not None
    assert {entry.header and entry.header.session_id for entry in found} == {header.session_id}
    assert (header.host, header.cwd, header.model) == ("opencode", "/home/dev/proj", "fake-model")
    assert header.title == recorded(name, "session")[0]["title"]


@pytest.mark.promise("TRB-12")
def test_an_edit_tells_its_files_and_its_change(tmp_path: pathlib.Path) -> None:
    found = drafts(entries(again("basic", tmp_path)))
    edit = next(draft for draft in found if draft.type == "tool/result" and draft.action == "edit")
    assert edit.body["files"] == ["/home/dev/proj/app.py"]
    assert edit.body["change"] == {"old": "    return a - b", "new": "    return a + b"}
    assert edit.body["duration_ms"] == 49


@pytest.mark.promise("TRB-12")
@pytest.mark.parametrize(
    ("given_", "files", "change"),
    [
        ({"filePath": "a", "content": "x"}, ["a"], {"old": "", "new": "x"}),
        ({"filePath": "a", "edits": [{"oldString": "x", "newString": "y"}, {}]}, ["a"], {"old": "x", "new": "y"}),
        ({"patchText": "*** Add File: a\n+x\n*** Delete File: b\n"}, ["a", "b"], {"old": "", "new": "x"}),
        ({}, [], {"old": "", "new": ""}),
    ],
)
def test_every_way_of_editing_tells_files_and_change(given_: Row, files: list[str], change: Row) -> None:
    result = tool_drafts(tool("edit", status="completed", input=given_, output="done"), "p1", None)[1]
    assert (result.body["files"], result.body["change"]) == (files, change)


@pytest.mark.promise("TRB-12")
@pytest.mark.parametrize(
    ("typed", "prompt"),
    [
        ('"fix it now"', "fix it now"),
        ('"say \\"hi\\" twice"', 'say "hi" twice'),
        ('"one" and "two"', '"one" and "two"'),
        ("plain", "plain"),
        ('"', '"'),
        ('""', '""'),
    ],
)
def test_a_prompt_is_what_was_typed(typed: str, prompt: str) -> None:
    assert unwrap(typed) == prompt


@pytest.mark.promise("TRB-13")
@pytest.mark.parametrize("name", RECORDED)
def test_reading_is_taken_up_after_every_row(name: str, tmp_path: pathlib.Path) -> None:
    path = again(name, tmp_path)
    whole = entries(path)
    for number, entry in enumerate(whole, 1):
        assert entries(path, entry.position, json.loads(json.dumps(entry.state))) == whole[number:]


@pytest.mark.promise("TRB-13")
def test_reading_is_taken_up_between_sessions_lists_and_pages(tmp_path: pathlib.Path) -> None:
    rows = [part(f"p{n:03}", text("x"), at=2000 + n // 3, session_id=f"s{n % 2}") for n in range(450)]
    todo = {"session_id": "s0", "content": "a", "status": "pending", "position": 0, "time_updated": 2001}
    sessions = [session(f"s{n}", at=1000) for n in range(2)]
    path = made(tmp_path / "opencode.db", session=sessions, message=[message()], part=rows, todo=[todo])
    whole = entries(path)
    assert len(whole) == 450 + 2 + 1
    for number in range(1, len(whole) + 1, 7):
        entry = whole[number - 1]
        assert entries(path, entry.position, entry.state) == whole[number:]


@pytest.mark.promise("TRB-14")
def test_a_row_that_changed_is_read_again_and_no_other(tmp_path: pathlib.Path) -> None:
    running = tool("bash", status="running", input={"command": "make"}, time={"start": 2000})
    rows = [part("p1", text("go")), part("p2", running, at=2001)]
    path = made(tmp_path / "opencode.db", session=[session()], message=[message()], part=rows)
    first = entries(path)
    assert [draft.key for draft in drafts(first)] == ["prompt:p1", "call:c1"]
    assert entries(path, first[-1].position, first[-1].state) == []
    ended = tool("bash", status="completed", input={"command": "make"}, output="fine", metadata={"exit": 0})
    put(path, "part", {**part("p2", ended, at=2001), "time_updated": 3000}, part("p3", text("thanks"), at=3001))
    rest = entries(path, first[-1].position, first[-1].state)
    assert [draft.key for draft in drafts(rest)] == ["call:c1", "result:c1", "prompt:p3"]
    assert entries(path, rest[-1].position, rest[-1].state) == []


@pytest.mark.promise("TRB-14")
def test_what_changes_while_a_pass_is_broken_off_is_read_after_it(tmp_path: pathlib.Path) -> None:
    rows = [part(f"p{n}", text(f"t{n}"), at=2000 + n) for n in range(4)]
    path = made(tmp_path / "opencode.db", session=[session()], message=[message()], part=rows)
    some = entries(path)[:2]
    put(path, "part", {**rows[0], "data": text("changed"), "time_updated": 9000})
    rest = drafts(entries(path, some[-1].position, some[-1].state))
    assert [draft.body["text"] for draft in rest] == ["t1", "t2", "t3", "changed"]


@pytest.mark.promise("TRB-14")
def test_an_answer_is_taken_when_it_is_finished(tmp_path: pathlib.Path) -> None:
    writing = {**message("assistant"), "data": {"role": "assistant", "time": {"created": 1}}}
    row = part("p1", text("I th", time={"start": 1}))
    path = made(tmp_path / "opencode.db", session=[session()], message=[writing], part=[row])
    first = entries(path)
    assert drafts(first) == []
    put(path, "part", {**row, "data": text("I think so.", time={"start": 1, "end": 2}), "time_updated": 3000})
    assert [d.body["text"] for d in drafts(entries(path, first[-1].position, first[-1].state))] == ["I think so."]


@pytest.mark.promise("TRB-15")
@pytest.mark.parametrize("table", TABLES)
def test_a_missing_table_is_named(table: str, tmp_path: pathlib.Path) -> None:
    path = again("basic", tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"DROP TABLE {table}")
    connection.close()
    with pytest.raises(ValueError, match=f"no table {table}"):
        entries(path)


@pytest.mark.promise("TRB-15")
@pytest.mark.parametrize(("table", "column"), [("session", "directory"), ("part", "time_updated"), ("todo", "status")])
def test_a_missing_column_is_named(table: str, column: str, tmp_path: pathlib.Path) -> None:
    path = again("basic", tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO other")
    connection.close()
    with pytest.raises(ValueError, match=f"table {table} has no column {column}"):
        entries(path)


@pytest.mark.promise("TRB-15")
def test_a_release_without_to_do_lists_and_agents_is_read(tmp_path: pathlib.Path) -> None:
    path = again("basic", tmp_path)
    whole = entries(path)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE todo")
        connection.execute("ALTER TABLE session DROP COLUMN agent")
        connection.execute("ALTER TABLE session DROP COLUMN model")
    connection.close()
    assert drafts(entries(path)) == drafts(whole)


@pytest.mark.promise("TRB-16")
def test_broken_and_unknown_rows_are_counted_and_the_rest_is_read(tmp_path: pathlib.Path) -> None:
    rows: list[Row] = [
        part("p1", "not json at all"),
        part("p2", '{"type": "te'),
        part("p3", {"type": "hologram"}),
        part("p4", text("lost"), message_id="gone"),
        part("p5", {"type": "text", "text": 7}),
        part("p6", [1]),
        part("p7", text("still here")),
        part("p8", None),
        part("p9", {"type": "tool"}),
    ]
    path = made(tmp_path / "opencode.db", session=[session()], message=[message()], part=rows)
    found = entries(path)
    broken = "not-a-record"
    expected = [None, broken, broken, "unknown-type", broken, broken, broken, None, broken, None]
    assert [entry.skipped for entry in found] == expected
    assert drafts(found)[0].body["text"] == "still here"


@pytest.mark.promise("TRB-16")
@pytest.mark.parametrize("size", [16, 100, 3000])
def test_a_damaged_database_is_an_error_of_its_own_transcript(size: int, tmp_path: pathlib.Path) -> None:
    path = again("basic", tmp_path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(ValueError, match="database"):
        entries(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
TOOL_PARTS = [row["data"] for name in RECORDED for row in recorded(name, "part") if row["data"]["type"] == "tool"]


@pytest.mark.promise("TRB-16")
@given(st.sampled_from(TOOL_PARTS), JSON, st.data())
def test_a_field_of_any_type_is_no_reason_to_stop(data: Row, value: object, draw: st.DataObject) -> None:
    changed = json.loads(json.dumps(data))
    place = changed["state"] if draw.draw(st.booleans()) else changed
    place[draw.draw(st.sampled_from(sorted(place)))] = value
    assert all(isinstance(draft.key, str) for draft in tool_drafts(changed, "p1", None))


@pytest.mark.promise("TRB-7")
@pytest.mark.parametrize(
    ("name", "state", "outcome"),
    [
        ("bash", {"status": "completed", "metadata": {"exit": 0}}, "ok"),
        ("bash", {"status": "completed", "metadata": {"exit": 2}}, "failed"),
        ("bash", {"status": "completed", "metadata": {}}, "unknown"),
        ("bash", {"status": "error", "error": "aborted"}, "failed"),
        ("edit", {"status": "completed"}, "ok"),
        ("edit", {"status": "error", "error": "not found"}, "failed"),
        ("probe_recall", {"status": "completed"}, "unknown"),
    ],
)
def test_an_outcome_is_what_the_host_said(name: str, state: Row, outcome: str) -> None:
    result = tool_drafts(tool(name, **state), "p1", None)[1]
    assert (result.outcome, result.body.get("error")) == (outcome, state.get("error"))


@pytest.mark.promise("TRB-7")
@pytest.mark.parametrize(("status", "given_", "kinds"), [
    ("pending", {}, []),
    ("pending", {"command": "ls"}, ["tool/call"]),
    ("running", {"command": "ls"}, ["tool/call"]),
])  # fmt: skip
def test_a_call_without_an_end_has_no_result(status: str, given_: Row, kinds: list[str]) -> None:
    assert [draft.type for draft in tool_drafts(tool("bash", status=status, input=given_), "p1", None)] == kinds


@pytest.mark.promise("TRB-8")
def test_segues_own_calls_and_blocks_are_not_imported(tmp_path: pathlib.Path) -> None:
    block = wrap("a memory", "0123456789abcdef")
    rows = [
        part("p1", text(f"{block}\nfix it")),
        part("p2", tool("segue_recall", status="completed", input={}, output="a memory"), at=2001),
        part("p3", tool("bash", "c2", status="completed", input={}, output=f"x{block}"), at=2002),
        part("p4", text(block), at=2003),
        part("p5", text("a memory", synthetic=True), at=2004),
    ]
    path = made(tmp_path / "opencode.db", session=[session()], message=[message()], part=rows)
    found = entries(path)
    assert [entry.skipped for entry in found] == [None, None, "own-block", None, "own-block", "synthetic"]
    assert "a memory" not in json.dumps([draft.body for draft in drafts(found)])
    assert "fix it" in drafts(found)[0].body["text"]


@pytest.mark.promise("TRB-9")
def test_a_session_with_a_parent_hangs_under_it(tmp_path: pathlib.Path) -> None:
    sessions = [
        session("root", 1000),
        session("mid", 1001, parent_id="root", agent="explore"),
        session("leaf", 1002, parent_id="mid"),
        session("orphan", 1003, parent_id="gone"),
        session("round", 1004, parent_id="round"),
    ]
    found = entries(made(tmp_path / "opencode.db", session=sessions))
    headers = [entry.header for entry in found if entry.header]
    assert [(header.session_id, header.parent_id, header.agent_type) for header in headers] == [
        ("opencode:root", None, None),
        ("opencode:root/agent-mid", "opencode:root", "explore"),
        ("opencode:root/agent-leaf", "opencode:root/agent-mid", "build"),
        ("opencode:gone/agent-orphan", "opencode:gone", "build"),
        ("opencode:round/agent-round", "opencode:round", "build"),
    ]


@pytest.mark.promise("HST-5")
def test_a_subagent_is_asked_by_the_model_that_started_it(tmp_path: pathlib.Path) -> None:
    sessions = [session("root", 1000), session("child", 1001, parent_id="root")]
    rows = [part("p1", text("go"), session_id="root"), part("p2", text("look there"), session_id="child")]
    path = made(tmp_path / "opencode.db", session=sessions, message=[message()], part=rows)
    assert [(draft.body["text"], draft.origin) for draft in drafts(entries(path))] == [
        ("go", "user"), ("look there", "model"),
    ]  # fmt: skip


@pytest.mark.promise("TRB-10")
def test_databases_are_found_below_a_home_and_told_from_other_files(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    path = again("basic", folder)
    (folder / "opencode.db-wal").write_bytes(b"")
    assert [(s.path, s.size) for s in discover(str(tmp_path / ".local" / "share" / "opencode"))] == [
        (str(path), path.stat().st_size)
    ]
    assert list(discover(str(tmp_path / "nowhere"))) == []
    other = tmp_path / "other.db"
    other.write_bytes(path.read_bytes())
    fake = tmp_path / "opencode.db"
    fake.write_bytes(b"not a database")
    assert [claims(str(p)) for p in (path, other, fake, tmp_path / "opencode-none.db")] == [True, False, False, False]


@pytest.mark.promise("TRB-17")
def test_a_to_do_list_is_remembered_each_time_it_changed(tmp_path: pathlib.Path) -> None:
    rows = [
        {"session_id": "s1", "content": "mend", "status": "pending", "position": 1, "time_updated": 2000},
        {"session_id": "s1", "content": "look", "status": "completed", "position": 0, "time_updated": 2000},
    ]
    path = made(tmp_path / "opencode.db", session=[session(), session("s2")], todo=rows)
    first = entries(path)
    assert [golden(draft) for draft in drafts(first)] == [
        ("todo/write", [{"content": "look", "status": "completed"}, {"content": "mend", "status": "pending"}])
    ]
    assert entries(path, first[-1].position, first[-1].state) == []
    put(path, "todo", {**rows[0], "position": 2, "time_updated": 3000})
    rest = drafts(entries(path, first[-1].position, first[-1].state))
    assert len(rest) == 1 and rest[0].key != drafts(first)[0].key


@pytest.mark.promise("TRB-13")
def test_reading_writes_nothing_beside_the_database(tmp_path: pathlib.Path) -> None:
    path = again("basic", tmp_path)
    before = path.read_bytes()
    found: Iterator[Entry] = read(str(path), 0, {}, foreign_rows)
    assert len(list(found)) == 31
    assert path.read_bytes() == before
