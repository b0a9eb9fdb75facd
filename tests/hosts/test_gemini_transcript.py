"""What is read from Gemini CLI's transcripts."""

from __future__ import annotations

import json
import os
import pathlib
from collections import Counter
from hashlib import sha256
from typing import Any

import pytest

from segue.hosts.gemini.tools import exit_code
from segue.hosts.gemini.transcript import bare, claims, discover, read
from segue.model.frame import wrap
from tests.hosts.entries import HERE, folded, resumes_everywhere, tally, texts, write

GEMINI = HERE / "gemini"
BASIC = "basic/session-2026-11-30T23-15-df3f62cc.jsonl"
COMPRESSED = "compress/session-2026-11-30T23-15-1eae26e1.jsonl"
STUB = "compress/session-2026-11-30T23-16-1eae26e1.jsonl"
RECORDED = (BASIC, COMPRESSED, STUB)
GOLDEN: dict[str, dict[str, int]] = {
    BASIC: {"user/message": 2, "assistant/message": 3, "tool/call": 6, "tool/result": 6},
    COMPRESSED: {
        "user/message": 3, "assistant/message": 6, "tool/call": 3, "tool/result": 3, "compaction/summary": 1,
    },
    STUB: {},
}  # fmt: skip
HEADER = {"sessionId": "g1", "projectHash": sha256(b"/p").hexdigest(), "startTime": "2026-11-30T23:15:41.236Z"}


def path_of(name: str) -> str:
    """Where a recorded transcript lies."""
    return str(GEMINI / name)


def message(kind: str, content: object, name: str = "m1", **more: Any) -> dict[str, Any]:
    """A message's record."""
    return {"id": name, "type": kind, "timestamp": "2026-11-30T23:15:42.000Z", "content": content, **more}


def call(tool: str, output: str | None, status: str = "success", **given: Any) -> dict[str, Any]:
    """A tool's call as a message holds it."""
    told = {"id": "t1", "name": tool, "args": given, "status": status}
    if output is None:
        return told
    return {**told, "result": [{"functionResponse": {"id": "t1", "name": tool, "response": {"output": output}}}]}


def plain_kind(value: dict[str, Any]) -> str:
    """The type of a record, told apart from what the reader says."""
    if "$set" in value:
        return "$set:messages" if "messages" in value["$set"] else "$set"
    return str(value.get("type", "header"))


@pytest.mark.promise("TRA-1")
@pytest.mark.parametrize("name", RECORDED)
def test_every_record_is_accounted_for_by_its_type(name: str) -> None:
    types = Counter(plain_kind(json.loads(row)) for row in (GEMINI / name).read_text().splitlines())
    assert Counter(entry.kind for entry in read(path_of(name), 0, {})) == types


@pytest.mark.promise("TRA-2")
@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_transcript_gives_what_happened_in_it(name: str) -> None:
    assert tally(list(read(path_of(name), 0, {}))) == GOLDEN[name]


@pytest.mark.promise("TRA-8")
def test_words_are_told_without_what_hooks_put_in() -> None:
    entries = list(read(path_of(BASIC), 0, {}))
    assert texts(entries, "user/message") == ["Please fix add() in app.py.", "Thanks. Anything else?"]
    assert texts(entries, "assistant/message")[-1] == "Second prompt answered: nothing else to do."
    assert not any("MARK-" in json.dumps(draft.body) for draft in folded(entries))


@pytest.mark.promise("TRA-8")
def test_segues_blocks_are_taken_out_and_unclosed_marks_stay() -> None:
    assert bare("a<hook_context>x</hook_context>b" + wrap("</hook_context>", "n1") + "c") == "abc"
    assert bare("why does <hook_context> not close?") == "why does <hook_context> not close?"
    assert bare("<hook_context>" * 100_000) == "<hook_context>" * 100_000


@pytest.mark.promise("TRA-3")
@pytest.mark.parametrize("name", RECORDED)
def test_reading_from_the_end_gives_nothing(name: str) -> None:
    last = list(read(path_of(name), 0, {}))[-1]
    assert last.position == os.path.getsize(path_of(name))
    assert list(read(path_of(name), last.position, last.state)) == []


@pytest.mark.promise("TRA-4")
@pytest.mark.parametrize("name", RECORDED)
def test_reading_goes_on_from_every_entry(name: str) -> None:
    assert resumes_everywhere(read, path_of(name)) >= 4


@pytest.mark.promise("TRA-10")
def test_two_files_of_one_session_are_one_session() -> None:
    both = [*read(path_of(COMPRESSED), 0, {}), *read(path_of(STUB), 0, {})]
    assert tally(both) == GOLDEN[COMPRESSED]
    assert {entry.header.session_id for entry in both if entry.header} == {
        "gemini:1eae26e1-d1e7-4e92-bcdc-cf12362180c8"
    }


@pytest.mark.promise("TRA-10")
def test_a_message_that_is_written_again_is_told_once(tmp_path: pathlib.Path) -> None:
    first = message("gemini", "Looking.", toolCalls=[call("run_shell_command", None, "executing", command="ls")])
    again = message("gemini", "Looking on.", toolCalls=[call("run_shell_command", "Output: a", command="ls")])
    entries = list(
        read(write(tmp_path / "session-1.jsonl", HEADER, first, again, {"$set": {"messages": [again]}}), 0, {})
    )
    assert [draft.key for draft in folded(entries)] == ["text:m1", "call:t1", "result:t1"]
    assert texts(entries, "assistant/message") == ["Looking."]


@pytest.mark.promise("TRA-2")
def test_a_compression_gives_its_summary_and_no_earlier_words_again(tmp_path: pathlib.Path) -> None:
    left = [
        message("user", "<session_context>\nThis is", "m7"),
        message("user", "<state_snapshot>All done.</state_snapshot>", "m8"),
        message("gemini", "Got it. Thanks for the additional context!", "m9"),
        message("user", "go", "m10"),
    ]
    path = write(tmp_path / "session-1.jsonl", HEADER, message("user", "go"), {"$set": {"messages": left}})
    entries = list(read(path, 0, {}))
    assert texts(entries, "compaction/summary") == ["All done."]
    assert texts(entries, "user/message") == ["go"]


@pytest.mark.promise("TRA-5")
def test_broken_unknown_and_cut_records_are_counted_and_the_rest_is_read(tmp_path: pathlib.Path) -> None:
    path = write(
        tmp_path / "session-1.jsonl",
        HEADER, "not json at all", message("user", "hi"), message("later-type", "x", "m2"), {"other": 1}, [1],
        message("gemini", [{"text": 3}, None, 5, {"functionCall": 7}], "m3", toolCalls=[None, {"name": 3}]),
        {"$set": {"messages": [None, 3, message("gemini", None, "m4", toolCalls=7)]}},
        {"$set": 7}, message("info", "note", "m5"),
    )  # fmt: skip
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"id":"m6","type":"gemini","cont')
    entries = list(read(path, 0, {}))
    skipped = Counter(entry.skipped for entry in entries if entry.skipped)
    assert skipped == {"not-a-record": 2, "unknown-type": 3, "cut-off": 1}
    assert texts(entries, "user/message") == ["hi"]
    with open(path, "a", encoding="utf-8") as file:
        file.write('ent":"whole now"}\n')
    later = list(read(path, entries[-1].position, entries[-1].state))
    assert texts(later, "assistant/message") == ["whole now"]


@pytest.mark.promise("TRA-9")
def test_calls_and_results_of_segues_own_tools_are_left_out(tmp_path: pathlib.Path) -> None:
    own = message("gemini", "", toolCalls=[call("mcp_segue_search", "own", query="x")])
    response = message("user", [{"functionResponse": {"id": "t1", "name": "mcp_segue_search", "response": {}}}], "m2")
    entries = list(read(write(tmp_path / "session-1.jsonl", HEADER, own, response), 0, {}))
    assert [entry.skipped for entry in entries] == [None, "own-block", "own-block"]
    assert folded(entries) == []


@pytest.mark.promise("TRA-11")
@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("Output: 3\nExit Code: 1\nProcess Group PGID: 5", 1),
        ("Output: 3\nExit Code: 0", 0),
        ("Output: 3\nProcess Group PGID: 5", None),
        ("Output: Exit Code: 1\nand more\nProcess Group PGID: 5", None),
        ("Exit Code: 1\nwas what it said\nProcess Group PGID: 5", None),
        ("Exit Code: (none)", None),
        ("", None),
    ],
)
def test_an_exit_code_is_what_the_host_wrote_below_the_output(output: str, code: int | None) -> None:
    assert exit_code(output) == code


@pytest.mark.promise("TRA-11")
@pytest.mark.parametrize(
    ("tool", "output", "status", "outcome"),
    [
        ("run_shell_command", "Output: 3\nExit Code: 1", "success", "failed"),
        ("run_shell_command", "<untrusted_context>\nOutput: 3\nExit Code: 0\n</untrusted_context>", "success", "ok"),
        ("run_shell_command", "Output: 3", "success", "unknown"),
        ("run_shell_command", "Output: 3", "cancelled", "unknown"),
        ("replace", "Successfully modified file", "success", "ok"),
        ("replace", "no match", "error", "failed"),
        ("mcp_other_do", "done", "success", "unknown"),
    ],
)
def test_success_is_what_the_host_said(
    tmp_path: pathlib.Path, tool: str, output: str, status: str, outcome: str
) -> None:
    told = message(
        "gemini", "", toolCalls=[call(tool, output, status, file_path="/p/a", old_string="a", new_string="b")]
    )
    found = folded(read(write(tmp_path / "session-1.jsonl", HEADER, told), 0, {}))
    result = next(draft for draft in found if draft.type == "tool/result")
    assert result.outcome == outcome
    assert result.body.get("files") == (["/p/a"] if tool == "replace" else None)
    assert result.body.get("change") == ({"old": "a", "new": "b"} if tool == "replace" else None)


@pytest.mark.promise("TRA-12")
@pytest.mark.parametrize("told", ["directories", "beside", "table", "hash", "nothing"])
def test_the_header_names_the_folder_from_what_the_host_keeps(tmp_path: pathlib.Path, told: str) -> None:
    gemini = tmp_path / ".gemini"
    header = {**HEADER, "directories": ["/p"]} if told == "directories" else HEADER
    path = write(gemini / "tmp" / "proj" / "chats" / "session-1.jsonl", header, message("user", "hi"))
    if told == "beside":
        (gemini / "tmp" / "proj" / ".project_root").write_text("/p")
    if told in ("table", "hash"):
        projects = {"/q": "other", "/p": "proj" if told == "table" else "renamed"}
        (gemini / "projects.json").write_text(json.dumps({"projects": projects}))
    last = list(read(path, 0, {}))[-1].header
    assert last is not None
    assert (last.cwd, last.started_at) == (None if told == "nothing" else "/p", "2026-11-30T23:15:41.236Z")
    assert resumes_everywhere(read, path) == 2


@pytest.mark.promise("TRA-4")
def test_the_older_form_of_one_object_is_read_and_read_anew_when_it_grew(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "session-1.json"
    messages = [message("user", "hi"), message("gemini", "ho", "m2", toolCalls=[call("read_file", "x")])]
    path.write_text(json.dumps({**HEADER, "messages": messages}, indent=2))
    assert claims(str(path))
    entries = list(read(str(path), 0, {}))
    assert tally(entries) == {"user/message": 1, "assistant/message": 1, "tool/call": 1, "tool/result": 1}
    assert resumes_everywhere(read, str(path)) == 2
    path.write_text(json.dumps({**HEADER, "messages": [*messages, message("user", "on", "m3")]}, indent=2))
    later = list(read(str(path), entries[-1].position, entries[-1].state))
    assert texts([*entries, *later], "user/message") == ["hi", "on"]


@pytest.mark.promise("TRA-5")
def test_an_older_file_that_is_being_written_is_counted_and_read_again_later(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "session-1.json"
    path.write_text('{"sessionId": "g1", "projectHash": "x", "messages": [')
    (entry,) = read(str(path), 0, {})
    assert (entry.skipped, entry.position) == ("cut-off", 0)
    path.write_text('{"sessionId": "g1", "projectHash": "x", "messages": 3}')
    assert [entry.skipped for entry in read(str(path), 0, {})] == ["not-a-record"]


@pytest.mark.promise("TRA-13")
def test_transcripts_are_found_and_no_other_hosts_file_is_claimed(tmp_path: pathlib.Path) -> None:
    chats = tmp_path / ".gemini" / "tmp" / "proj" / "chats"
    for name in ("session-2.jsonl", "session-1.json", "other.txt"):
        write(chats / name, HEADER)
    assert [os.path.basename(source.path) for source in discover(str(tmp_path / ".gemini"))] == [
        "session-1.json",
        "session-2.jsonl",
    ]
    assert list(discover(str(tmp_path / "nowhere"))) == []
    assert all(claims(path_of(name)) for name in RECORDED)
    assert not any(claims(str(file)) for file in (HERE / "claude").rglob("*.jsonl"))
    assert not claims(str(tmp_path / "gone.jsonl"))


@pytest.mark.promise("TRA-14")
def test_what_is_remembered_has_no_words(tmp_path: pathlib.Path) -> None:
    secret = "s3" + "cret-words"
    told = message("gemini", secret, toolCalls=[call("run_shell_command", secret, command=secret)])
    path = write(tmp_path / "session-1.jsonl", HEADER, message("user", secret, "m0"), told)
    entries = list(read(path, 0, {}))
    assert len(folded(entries)) == 4
    assert not any(secret in json.dumps(entry.state) for entry in entries)
