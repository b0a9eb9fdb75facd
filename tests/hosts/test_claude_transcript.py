"""What is read from Claude Code's transcripts."""

from __future__ import annotations

import json
import os
import pathlib
from collections import Counter
from typing import Any

import pytest

from segue.hosts.claude_code.hooks import bare_summary, parse
from segue.hosts.claude_code.transcript import MAX_CALLS, claims, discover, read
from segue.model.event import Draft
from segue.model.frame import wrap
from tests.hosts.entries import HERE, effective_key, folded, resumes_everywhere, tally, texts, write

CLAUDE = HERE / "claude"
BASIC = "basic/01dddda3-5686-4411-8ebe-019be0f3d4a1.jsonl"
OLDER = "basic-2.1.197/9272a3cd-437d-499d-9752-77d1c842e9c6.jsonl"
COMPACT = "compact/e672e300-1caf-4af3-b00d-2bc053815d20.jsonl"
AUTOCOMPACT = "autocompact/05b76e94-70e8-4585-bacb-430989b80608.jsonl"
MAIN = "subagent/53b4292d-ebb0-48d8-a837-a54ceec878b2.jsonl"
AGENT = "subagent/subagents__agent-a57c528cabf207891.jsonl"
RECORDED = (BASIC, OLDER, COMPACT, AUTOCOMPACT, MAIN, AGENT)
GOLDEN: dict[str, dict[str, int]] = {
    BASIC: {"user/message": 2, "assistant/message": 3, "tool/call": 6, "tool/result": 6},
    OLDER: {"user/message": 2, "assistant/message": 3, "tool/call": 6, "tool/result": 6},
    COMPACT: {
        "user/message": 2, "assistant/message": 3, "tool/call": 3, "tool/result": 3, "compaction/start": 1,
        "compaction/summary": 1,
    },
    AUTOCOMPACT: {
        "user/message": 1, "assistant/message": 3, "tool/call": 3, "tool/result": 3, "compaction/start": 1,
        "compaction/summary": 1,
    },
    MAIN: {
        "user/message": 1, "assistant/message": 2, "tool/call": 1, "tool/result": 1, "subagent/start": 1,
        "subagent/end": 1,
    },
    AGENT: {"user/message": 1, "assistant/message": 2, "tool/call": 1, "tool/result": 1},
}  # fmt: skip


def path_of(name: str) -> str:
    """Where a recorded transcript lies."""
    return str(CLAUDE / name)


def user(text: object, **more: Any) -> dict[str, Any]:
    """A record of the user."""
    return {"type": "user", "sessionId": "s1", "promptId": "p1", "message": {"role": "user", "content": text}, **more}


def called(tool: str, call_id: str, **given: Any) -> dict[str, Any]:
    """A record of a tool's call."""
    block = {"type": "tool_use", "id": call_id, "name": tool, "input": given}
    return {"type": "assistant", "sessionId": "s1", "message": {"role": "assistant", "content": [block]}}


def result(call_id: str, content: object, **more: Any) -> dict[str, Any]:
    """A record of a tool's result."""
    return user([{"type": "tool_result", "tool_use_id": call_id, "content": content, **more}])


@pytest.mark.promise("TRA-1")
@pytest.mark.parametrize("name", RECORDED)
def test_every_record_is_accounted_for_by_its_type(name: str) -> None:
    types = Counter(json.loads(row)["type"] for row in (CLAUDE / name).read_text().splitlines())
    assert Counter(entry.kind.partition(":")[0] for entry in read(path_of(name), 0, {})) == types


@pytest.mark.promise("TRA-2")
@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_transcript_gives_what_happened_in_it(name: str) -> None:
    assert tally(list(read(path_of(name), 0, {}))) == GOLDEN[name]


@pytest.mark.promise("TRA-2")
def test_the_words_of_a_session_are_told_in_order() -> None:
    entries = list(read(path_of(COMPACT), 0, {}))
    assert texts(entries, "user/message") == ["Please fix add() in app.py.", "What changed?"]
    assert texts(entries, "assistant/message")[-1] == "Second answer after the manual compaction."
    assert texts(entries, "compaction/summary") == ["SUMMARY-MARK: the user asked for a small change and it was made."]
    times = [draft.time for draft in folded(entries)]
    assert all(times)


@pytest.mark.promise("TRA-3")
@pytest.mark.parametrize("name", RECORDED)
def test_reading_from_the_end_gives_nothing(name: str) -> None:
    last = list(read(path_of(name), 0, {}))[-1]
    assert last.position == os.path.getsize(path_of(name))
    assert list(read(path_of(name), last.position, last.state)) == []


@pytest.mark.promise("TRA-4")
@pytest.mark.parametrize("name", RECORDED)
def test_reading_goes_on_from_every_entry(name: str) -> None:
    assert resumes_everywhere(read, path_of(name)) > 20


@pytest.mark.promise("TRA-7")
@pytest.mark.parametrize("name", [BASIC, OLDER, COMPACT, AUTOCOMPACT, MAIN])
def test_what_hooks_told_has_the_keys_of_the_transcript(name: str) -> None:
    folder = (CLAUDE / name).parent
    read_keys = {
        (entry.header.session_id, *effective_key(draft))
        for file in folder.glob("*.jsonl")
        for entry in read(str(file), 0, {})
        if entry.header is not None
        for draft in entry.drafts
    }
    live: set[tuple[str, str | None, str]] = set()
    for row in (folder / "payloads.ndjson").read_text().splitlines():
        payload = json.loads(row)
        moment = parse(payload["hook_event_name"], payload)
        told: list[tuple[Any, tuple[Draft, ...]]] = [(moment.header, moment.drafts), *moment.extra]
        live |= {
            (header.session_id, *effective_key(draft))
            for header, drafts in told
            for draft in drafts
            if draft.type not in ("turn/end", "session/start", "session/end")
        }
    assert len(live) >= 5
    assert live - read_keys == set()


@pytest.mark.promise("TRA-7")
@pytest.mark.parametrize(
    "text",
    [
        "<summary>\nDid it.\n\nAll of it.\n</summary>",
        "<analysis>Summary:\n hm</analysis>\n<summary>Did it.\n\nAll of it.</summary>",
        "This session is being continued from x.\n\nSummary:\nDid it.\n\nAll of it.\n\nIf you need specific details"
        " from before compaction, read y\n\nRecent messages are preserved verbatim.\n"
        "Continue the conversation from where z",
        "Did it.\n\nAll of it.",
    ],
)
def test_a_summary_is_the_same_text_however_it_is_wrapped(text: str) -> None:
    assert bare_summary(text) == "Did it.\n\nAll of it."


@pytest.mark.promise("TRA-5")
def test_broken_unknown_and_cut_records_are_counted_and_the_rest_is_read(tmp_path: pathlib.Path) -> None:
    path = write(
        tmp_path / "s1.jsonl",
        {"type": "user", "message": {"content": "text"}},
        "not json at all",
        {"type": "user", "message": {"content": [{"type": "text", "text": "listed"}]}},
        {"type": "assistant"}, {"type": "system"}, {"type": "attachment"}, {"type": "ai-title"},
        {"type": "continued-in"},
        {"type": "atis-latch", "atis": "", "sessionId": "s1"},
        {"type": "turn_ended", "status": "aborted", "error": "User aborted/interrupted manually."},
        {"type": 7}, {"type": ["user"]}, {}, [1],
        {"type": "user", "message": {"content": [None, 3, {"type": "text", "text": 4}, {"type": "tool_result"}]}},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Bash"}, {"type": "text"}]}},
    )  # fmt: skip
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"type":"assistant","message":{"cont')
    entries = list(read(path, 0, {}))
    assert texts(entries, "user/message") == ["text", "listed"]
    skipped = Counter(entry.skipped for entry in entries if entry.skipped)
    assert skipped == {"not-a-record": 2, "unknown-type": 4, "no-call": 1, "cut-off": 1}
    assert len(entries) == 17
    with open(path, "a", encoding="utf-8") as file:
        file.write('ent":[{"type":"text","text":"whole now"}]}}\n')
    later = list(read(path, entries[-1].position, entries[-1].state))
    assert texts(later, "assistant/message") == ["whole now"]


@pytest.mark.promise("TRA-5")
def test_a_file_with_nothing_but_an_unknown_record_is_read(tmp_path: pathlib.Path) -> None:
    path = write(tmp_path / "a.jsonl", {"type": "turn_ended", "status": "aborted"})
    assert [(entry.kind, entry.skipped) for entry in read(path, 0, {})] == [("turn_ended", "unknown-type")]
    assert not claims(path)


@pytest.mark.promise("TRA-6")
def test_an_overlong_record_is_counted_and_the_rest_is_read(tmp_path: pathlib.Path) -> None:
    path = write(tmp_path / "s1.jsonl", user("before"), user("x" * 40 * 1024 * 1024), user("after", promptId="p2"))
    entries = list(read(path, 0, {}))
    assert [entry.skipped for entry in entries] == [None, "too-long", None]
    assert texts(entries, "user/message") == ["before", "after"]


@pytest.mark.promise("TRA-8")
@pytest.mark.parametrize(
    "record",
    [
        user("x", isMeta=True),
        user("x", isVisibleInTranscriptOnly=True),
        user("x", isSidechain=True),
        user("<command-name>/compact</command-name>"),
        user("<local-command-stdout>done</local-command-stdout>"),
        user("[Request interrupted by user for tool use]"),
        user("<system-reminder>hm</system-reminder>"),
        user([{"type": "text", "text": wrap("what was", "abc")}]),
        {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": ["x"]}},
    ],
)
def test_what_the_host_or_segue_wrote_is_no_prompt(tmp_path: pathlib.Path, record: dict[str, Any]) -> None:
    path = write(tmp_path / "s1.jsonl", record, user("mine", promptId="p2"))
    assert texts(read(path, 0, {}), "user/message") == ["mine"]


@pytest.mark.promise("TRA-8")
def test_segues_block_is_taken_out_of_a_prompt_and_images_are_named(tmp_path: pathlib.Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}}
    block = {"type": "text", "text": wrap("old", "abc") + "go on"}
    own = user(wrap("old", "abc"), promptId="p2")
    entries = list(read(write(tmp_path / "s1.jsonl", user([block, image]), own), 0, {}))
    (text,) = texts(entries, "user/message")
    assert text.startswith("go on\n[attachment image/png, 5 bytes, sha256 ")
    assert [entry.skipped for entry in entries] == [None, "own-block"]


@pytest.mark.promise("TRA-8")
def test_two_prompts_under_one_id_are_both_told(tmp_path: pathlib.Path) -> None:
    path = write(tmp_path / "s1.jsonl", user("one", uuid="u1"), user("two", uuid="u2"))
    assert texts(read(path, 0, {}), "user/message") == ["one", "two"]


@pytest.mark.promise("TRA-9")
def test_calls_and_results_of_segues_own_tools_are_left_out(tmp_path: pathlib.Path) -> None:
    path = write(
        tmp_path / "s1.jsonl",
        called("mcp__segue__search", "t1", query="x"),
        called("mcp__other__search", "t2", query="x"),
        result("t1", "own"),
        result("t2", "other"),
    )
    entries = list(read(path, 0, {}))
    assert [entry.skipped for entry in entries] == ["own-block", None, "own-block", None]
    assert [draft.key for draft in folded(entries)] == ["call:t2", "result:t2"]
    assert resumes_everywhere(read, path) == 4


@pytest.mark.promise("TRA-11")
def test_a_failed_command_is_told_as_failed_with_its_error() -> None:
    found = {draft.subject: draft for draft in folded(read(path_of(BASIC), 0, {})) if draft.type == "tool/result"}
    failed = found["python3 app.py && false"]
    assert (failed.outcome, failed.body["error"], failed.body["output"]) == ("failed", "Exit code 1\n3", "")
    assert found["ls && git log --oneline | head -3"].outcome == "ok"
    assert found["add function"].outcome == "unknown"
    edited = found["/home/dev/proj/app.py"]
    assert edited.outcome == "ok"


@pytest.mark.promise("TRA-11")
def test_a_call_that_the_user_stopped_neither_worked_nor_failed(tmp_path: pathlib.Path) -> None:
    refused = result("t1", "The user doesn't want to proceed with this tool use.", is_error=True)
    wrong = result("t2", "<tool_use_error>No such file</tool_use_error>", is_error=True)
    path = write(tmp_path / "s1.jsonl", called("Bash", "t1", command="ls"), called("Read", "t2"), refused, wrong)
    results = [draft for draft in folded(read(path, 0, {})) if draft.type == "tool/result"]
    assert [(draft.outcome, draft.body["error"][:12]) for draft in results] == [
        ("unknown", "The user doe"), ("failed", "No such file"),
    ]  # fmt: skip


@pytest.mark.promise("TRA-2")
def test_an_edit_tells_its_file_and_change_and_a_todo_list_its_items(tmp_path: pathlib.Path) -> None:
    todos = [{"content": "fix it", "status": "in_progress"}]
    path = write(
        tmp_path / "s1.jsonl",
        called("Edit", "t1", file_path="/p/a.py", old_string="a", new_string="b"),
        result("t1", "updated"),
        called("TodoWrite", "t2", todos=todos),
        result("t2", "updated"),
        called("TaskCreate", "t3", subject="check it"),
        {**result("t3", "created"), "toolUseResult": {"task": {"id": "7"}}},
    )
    found = {draft.key: draft.body for draft in folded(read(path, 0, {}))}
    assert (found["result:t1"]["files"], found["result:t1"]["change"]) == (["/p/a.py"], {"old": "a", "new": "b"})
    assert found["todo:t2"] == {"todos": todos}
    assert found["todo:t3"]["todos"] == [{"id": "7", "content": "check it", "status": "pending"}]


@pytest.mark.promise("TRA-12")
def test_the_header_names_folder_model_start_and_subagent() -> None:
    last = list(read(path_of(AGENT), 0, {}))[-1].header
    assert last is not None
    assert last.session_id == "claude-code:53b4292d-ebb0-48d8-a837-a54ceec878b2/agent-a57c528cabf207891"
    assert last.parent_id == "claude-code:53b4292d-ebb0-48d8-a837-a54ceec878b2"
    assert (last.agent_type, last.cwd, last.branch) == ("general-purpose", "/home/dev/proj", "main")
    assert (last.model, last.started_at) == ("claude-sonnet-4-5", "2026-11-30T23:14:30.785Z")


@pytest.mark.promise("TRA-12")
def test_a_title_is_in_the_header_of_all_later_entries(tmp_path: pathlib.Path) -> None:
    title = {"type": "ai-title", "aiTitle": "Fix the sum", "sessionId": "s1"}
    path = write(tmp_path / "s1.jsonl", user("go"), title, user("on", promptId="p2"), user("and", promptId="p3"))
    headers = [entry.header for entry in read(path, 0, {})]
    assert [header and header.title for header in headers] == [None, "Fix the sum", "Fix the sum", "Fix the sum"]
    assert resumes_everywhere(read, path) == 4


@pytest.mark.promise("TRA-12")
def test_a_session_belongs_to_the_folder_where_it_began(tmp_path: pathlib.Path) -> None:
    path = write(tmp_path / "s1.jsonl", user("go", cwd="/p"), user("on", promptId="p2", cwd="/p/sub"))
    assert {entry.header and entry.header.cwd for entry in read(path, 0, {})} == {"/p"}


@pytest.mark.promise("TRA-13")
def test_transcripts_are_found_a_session_before_its_subagents(tmp_path: pathlib.Path) -> None:
    project = tmp_path / ".claude" / "projects" / "-p"
    for name in ("b.jsonl", "a.jsonl", "a/subagents/agent-1.jsonl", "a/subagents/agent-acompact-2.jsonl"):
        write(project / name, user("go"))
    (project / "memory.md").write_text("no")
    (project / "a" / "loop").symlink_to(project)
    found = [os.path.relpath(source.path, project) for source in discover(str(tmp_path / ".claude"))]
    assert found == ["a.jsonl", "b.jsonl", "a/subagents/agent-1.jsonl"]
    assert list(discover(str(tmp_path / "nowhere"))) == []
    header = next(read(str(project / "a/subagents/agent-1.jsonl"), 0, {})).header
    assert header is not None
    assert (header.host_session_id, header.agent_id) == ("s1", "1")


@pytest.mark.promise("TRA-13")
def test_only_its_own_transcripts_are_claimed(tmp_path: pathlib.Path) -> None:
    assert all(claims(path_of(name)) for name in RECORDED)
    assert not any(claims(str(file)) for file in (HERE / "gemini").rglob("*.jsonl"))
    assert claims(write(tmp_path / "a.jsonl", "broken {", user("x")))
    long = json.dumps({"parentUuid": None, **user("x" * 100_000)}, separators=(",", ":"))
    assert claims(write(tmp_path / "b.jsonl", long))
    summary = {"type": "summary", "summary": "Fix the sum", "leafUuid": "u1"}
    assert claims(write(tmp_path / "d.jsonl", *[summary] * 20, user("x")))
    assert claims(write(tmp_path / "e.jsonl", {"type": "file-history-snapshot", "messageId": "m1", "snapshot": {}}))
    assert not claims(write(tmp_path / "f.jsonl", {"type": "summary", "summary": "of something else"}))
    assert not claims(write(tmp_path / "c.jsonl", {"type": "session_meta", "payload": {}}))
    assert not claims(str(tmp_path / "gone.jsonl"))


@pytest.mark.promise("TRA-14")
def test_what_is_remembered_is_small_and_without_words(tmp_path: pathlib.Path) -> None:
    secret = "s3" + "cret-words"
    calls = [called("Bash", f"t{number}", command=f"echo {secret}") for number in range(MAX_CALLS + 20)]
    title = {"type": "ai-title", "aiTitle": secret}
    entries = list(read(write(tmp_path / "s1.jsonl", user(secret), title, *calls), 0, {}))
    assert len(entries[-1].state["calls"]) == MAX_CALLS
    assert not any(secret in json.dumps(entry.state) for entry in entries)
