"""Codex's rollouts: recorded ones, one of an older release, and broken ones."""

from __future__ import annotations

import collections
import json
import pathlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.hosts.codex.tools import call_of, result_draft
from segue.hosts.codex.transcript import claims, discover, read
from segue.model.event import Draft
from segue.model.frame import wrap
from segue.model.transcript import Entry
from tests.hosts.entries import no_query

FOLDER = pathlib.Path(__file__).parent / "codex"
RECORDED = sorted(FOLDER.glob("*/*.jsonl"))
RECORDS = [json.loads(line) for path in RECORDED for line in path.read_text(encoding="utf-8").splitlines()]


def entries(path: pathlib.Path, position: int = 0, state: dict[str, Any] | None = None) -> list[Entry]:
    return list(read(str(path), position, state or {}, no_query))


def drafts(read_entries: list[Entry]) -> list[Draft]:
    return [draft for entry in read_entries for draft in entry.drafts]


def row(draft: Draft) -> tuple[Any, ...]:
    """A draft as a line of a golden table."""
    if draft.type == "tool/result":
        return draft.type, draft.body["tool"], draft.outcome, draft.body["output"]
    if draft.type == "tool/call":
        return draft.type, draft.body["tool"], draft.action, draft.subject
    return draft.type, draft.body.get("text") or draft.body["todos"]


def recorded(name: str) -> list[Entry]:
    return entries(next((FOLDER / name).glob("*.jsonl")))


def written(folder: pathlib.Path, *lines: dict[str, Any] | str) -> pathlib.Path:
    """A rollout of those records; text stands as it is."""
    path = folder / "rollout-2026-01-02T03-04-05-01a22ebd-2306-77f1-9ae5-ec59eaba4905.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines]
    path.write_text("".join(texts), encoding="utf-8")
    return path


def line(kind: str, payload: dict[str, Any], second: int = 0) -> dict[str, Any]:
    return {"timestamp": f"2026-01-02T03:04:{second:02d}.000Z", "type": kind, "payload": payload}


def meta(**more: Any) -> dict[str, Any]:
    return line("session_meta", {"id": "t1", "cwd": "/src/alpha", "git": {"branch": "main"}, **more})


def message(role: str, text: str, second: int = 0, **more: Any) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}], **more}
    return line("response_item", payload, second)


def said(kind: str, text: str, second: int) -> dict[str, Any]:
    return line("event_msg", {"type": kind, "message": text}, second)


def tool(name: str, arguments: dict[str, Any], call_id: str = "c1", **more: Any) -> dict[str, Any]:
    payload = {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": call_id, **more}
    return line("response_item", payload)


def output(value: Any, call_id: str = "c1") -> dict[str, Any]:
    return line("response_item", {"type": "function_call_output", "call_id": call_id, "output": value})


@pytest.mark.promise("TRB-1")
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.parent.name)
def test_every_record_is_counted_under_its_own_name(path: pathlib.Path) -> None:
    expected: collections.Counter[str] = collections.Counter()
    for text in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(text)
        part = record["payload"].get("type")
        expected[record["type"] + (f":{part}" if part else "")] += 1
    found = entries(path)
    assert collections.Counter(entry.kind for entry in found) == expected
    assert [entry.kind for entry in found if entry.skipped] == []
    assert found[-1].position == path.stat().st_size


@pytest.mark.promise("TRB-2")
def test_a_recorded_session_gives_all_that_was_said_and_done() -> None:
    assert [row(draft) for draft in drafts(recorded("basic"))] == [
        ("user/message", "Please fix add() in app.py."),
        ("assistant/message", "I will look around first."),
        ("tool/call", "exec_command", "command", "ls && git log --oneline | head -3"),
        ("tool/result", "exec_command", "ok", "README.md\napp.py\n98564c6 first\n"),
        ("tool/call", "exec_command", "command", "cat app.py"),
        (
            "tool/result",
            "exec_command",
            "ok",
            'def add(a, b):\n    return a - b\n\n\nif __name__ == "__main__":\n    print(add(1, 2))\n',
        ),
        ("tool/call", "apply_patch", "edit", "app.py"),
        ("tool/result", "apply_patch", "ok", "Success. Updated the following files:\nM app.py\n"),
        ("tool/call", "tool_search", "search", "probe recall"),
        ("tool/result", "tool_search", "unknown", "<elided: 1 entries>"),
        ("tool/call", "mcp__probe__recall", "mcp", "add function"),
        ("tool/result", "mcp__probe__recall", "unknown", 'PROBE-RESULT for recall {"query": "add function"}'),
        ("tool/call", "exec_command", "command", "python3 app.py && false"),
        ("tool/result", "exec_command", "failed", "3\n"),
        ("assistant/message", "Fixed: add() now adds. The failing command was on purpose."),
        ("user/message", "Thanks. Anything else?"),
        ("assistant/message", "Second prompt answered: nothing else to do."),
    ]


@pytest.mark.promise("TRB-2")
def test_a_compacted_session_gives_its_summaries_and_no_replaced_history() -> None:
    found = [(draft.type, draft.outcome) for draft in drafts(recorded("autocompact"))]
    ran = [("tool/call", None), ("tool/result", "ok")]
    said_once, asked, summed = ("assistant/message", None), ("user/message", None), ("compaction/summary", None)
    assert found == [asked, said_once, *ran, said_once, *ran, summed, *ran, said_once, summed, asked, said_once]
    assert {draft.origin for draft in drafts(recorded("autocompact")) if draft.type == summed[0]} == {"host_summary"}


@pytest.mark.promise("TRB-2")
def test_an_edit_tells_its_files_and_its_change() -> None:
    edit = next(d for d in drafts(recorded("basic")) if d.type == "tool/result" and d.action == "edit")
    assert edit.body["files"] == ["app.py"]
    assert edit.body["change"] == {"old": "    return a - b", "new": "    return a + b"}


@pytest.mark.promise("TRB-2")
@pytest.mark.parametrize("name", ["basic", "autocompact"])
def test_every_draft_has_a_key_of_its_own_a_time_and_a_header(name: str) -> None:
    found = recorded(name)
    keys = [draft.key for draft in drafts(found)]
    assert None not in keys and len(set(keys)) == len(keys)
    assert all(draft.time and draft.time.startswith("2026-11-30T23:14:") for draft in drafts(found))
    header = found[-1].header
    assert header is not None
    assert all(entry.header and entry.header.session_id == header.session_id for entry in found)
    assert (header.host, header.cwd, header.branch, header.model) == ("codex", "/home/dev/proj", "main", "gpt-5.5")


@pytest.mark.promise("TRB-2")
def test_prompts_have_the_turns_id_and_the_second_of_a_turn_its_own_too(tmp_path: pathlib.Path) -> None:
    told: dict[str, Any] = {"internal_chat_message_metadata_passthrough": {"turn_id": "u1"}}
    path = written(
        tmp_path, meta(), message("user", "go", id="m1", **told), message("user", "and stay", id="m2", **told)
    )
    assert [draft.key for draft in drafts(entries(path))] == ["prompt:u1", "prompt:u1:m2"]


@pytest.mark.promise("TRB-2")
def test_the_same_prompt_said_twice_without_ids_is_kept_twice(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, meta(), message("user", "go on", 1), message("user", "go on", 2))
    assert len({draft.key for draft in drafts(entries(path))}) == 2


@pytest.mark.promise("TRB-3")
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.parent.name)
def test_reading_is_taken_up_after_every_record(path: pathlib.Path) -> None:
    whole = entries(path)
    for number, entry in enumerate(whole, 1):
        state = json.loads(json.dumps(entry.state))
        assert entries(path, entry.position, state) == whole[number:]


@pytest.mark.promise("TRB-3")
def test_what_is_appended_later_is_all_that_is_read_then(tmp_path: pathlib.Path) -> None:
    text = RECORDED[1].read_text(encoding="utf-8").splitlines(keepends=True)
    path = written(tmp_path, *text[:20])
    last = entries(path)[-1]
    assert entries(path, last.position, last.state) == []
    with path.open("a", encoding="utf-8") as file:
        file.writelines(text[20:])
    assert len(entries(path, last.position, last.state)) == len(text) - 20


@pytest.mark.promise("TRB-3")
def test_what_is_remembered_of_open_calls_stays_small(tmp_path: pathlib.Path) -> None:
    calls = [tool("exec_command", {"cmd": "x" * 500}, call_id=f"c{number}") for number in range(1000)]
    last = entries(written(tmp_path, meta(), *calls))[-1]
    assert len(json.dumps(last.state)) < 10_000


@pytest.mark.promise("TRB-4")
def test_broken_and_unknown_lines_are_counted_and_the_rest_is_read(tmp_path: pathlib.Path) -> None:
    path = written(
        tmp_path,
        meta(),
        "not json at all\n",
        "\n",
        "[1, 2]\n",
        {"type": "atis-latch", "atis": "", "sessionId": "s"},
        line("never_heard_of", {}),
        line("response_item", {"type": "hologram"}),
        line("event_msg", {"type": "hologram"}),
        {"type": "response_item", "payload": None},
        "\x00\x01\x02\n",
        message("user", "still here"),
    )
    skipped = [entry.skipped for entry in entries(path)]
    broken, unknown = "not-a-record", "unknown-type"
    assert skipped == [None, broken, broken, unknown, unknown, unknown, unknown, unknown, broken, None]
    assert [draft.body["text"] for draft in drafts(entries(path))] == ["still here"]


@pytest.mark.promise("TRB-4")
def test_a_last_line_that_is_cut_off_is_counted_once_and_read_when_it_is_whole(tmp_path: pathlib.Path) -> None:
    whole = json.dumps(message("user", "not lost"))
    path = written(tmp_path, meta(), whole[:40])
    last = entries(path)[-1]
    assert (last.skipped, last.drafts) == ("cut-off", ())
    assert entries(path, last.position, last.state) == []
    with path.open("a", encoding="utf-8") as file:
        file.write(whole[40:] + "\n")
    rest = entries(path, last.position, last.state)
    assert [draft.body["text"] for draft in drafts(rest)] == ["not lost"]


@pytest.mark.promise("TRB-4")
def test_a_last_record_without_its_line_end_is_read_once(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, meta(), json.dumps(message("user", "the end")))
    last = entries(path)[-1]
    assert [draft.body["text"] for draft in last.drafts] == ["the end"]
    with path.open("a", encoding="utf-8") as file:
        file.write("\n")
    assert entries(path, last.position, last.state) == []


@pytest.mark.promise("TRB-4")
@given(
    st.sampled_from(RECORDS),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
        max_leaves=6,
    ),
    st.data(),
)
def test_a_field_of_any_type_is_no_reason_to_stop(
    tmp_path_factory: pytest.TempPathFactory, record: dict[str, Any], value: object, data: st.DataObject
) -> None:
    changed = json.loads(json.dumps(record))
    place = changed["payload"] if data.draw(st.booleans()) else changed
    place[data.draw(st.sampled_from(sorted(place)))] = value
    path = written(tmp_path_factory.getbasetemp(), changed, message("user", "after it"))
    found = entries(path)
    assert len(found) == 2
    assert [draft.body["text"] for draft in found[1].drafts] == ["after it"]
    assert all(isinstance(draft.key, str) for draft in drafts(found))


@pytest.mark.promise("TRB-5")
def test_a_rollout_of_events_alone_gives_its_texts(tmp_path: pathlib.Path) -> None:
    path = written(
        tmp_path,
        meta(),
        said("user_message", "<environment_context>\n</environment_context>", 1),
        said("user_message", "Why is it slow?", 2),
        said("agent_message", "Because of the loop.", 3),
        said("user_message", "Why is it slow?", 4),
    )
    found = entries(path)
    assert [row(draft) for draft in drafts(found)] == [
        ("user/message", "Why is it slow?"),
        ("assistant/message", "Because of the loop."),
        ("user/message", "Why is it slow?"),
    ]
    assert len({draft.key for draft in drafts(found)}) == 3
    for number, entry in enumerate(found, 1):
        assert entries(path, entry.position, entry.state) == found[number:]


@pytest.mark.promise("TRB-5")
@pytest.mark.parametrize("events_first", [True, False])
def test_texts_told_both_ways_are_taken_once(tmp_path: pathlib.Path, events_first: bool) -> None:
    texts = [("user", "Why?"), ("assistant", "So."), ("user", "Oh."), ("assistant", "Yes.")]
    lines: list[dict[str, Any]] = []
    for second, (role, text) in enumerate(texts):
        event = said("user_message" if role == "user" else "agent_message", text, second)
        pair = [event, message(role, text, second)]
        lines += pair if events_first else pair[::-1]
    found = drafts(entries(written(tmp_path, meta(), *lines)))
    assert [draft.body["text"] for draft in found] == ["Why?", "So.", "Oh.", "Yes."]


@pytest.mark.promise("TRB-5")
def test_a_rollout_without_its_first_record_has_the_session_of_its_name(tmp_path: pathlib.Path) -> None:
    found = entries(written(tmp_path, message("user", "hello")))
    assert found[0].header is not None
    assert found[0].header.host_session_id == "01a22ebd-2306-77f1-9ae5-ec59eaba4905"


@pytest.mark.promise("TRB-6")
@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
        "<user_instructions>be nice</user_instructions>",
        '<hook_prompt hook_run_id="1">go on</hook_prompt>',
        "<some_new_wrapper>text</some_new_wrapper>",
        "# AGENTS.md instructions for /src\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>",
        "Another language model started to solve this problem and produced a summary.\nAll done.",
    ],
)
def test_what_the_host_says_in_the_users_name_is_no_prompt(tmp_path: pathlib.Path, text: str) -> None:
    found = entries(written(tmp_path, meta(), message("user", text), message("user", "mine")))
    assert [draft.body["text"] for draft in drafts(found)] == ["mine"]


@pytest.mark.promise("TRB-6")
@pytest.mark.parametrize("text", ["<div>why is this blue?</div>", "<environment> what is that?", "a < b > c"])
def test_a_prompt_with_tags_in_it_stays_a_prompt(tmp_path: pathlib.Path, text: str) -> None:
    assert [d.body["text"] for d in drafts(entries(written(tmp_path, meta(), message("user", text))))] == [text]


@pytest.mark.promise("TRB-6")
@pytest.mark.parametrize("role", ["developer", "system"])
def test_messages_of_the_host_are_no_prompts(tmp_path: pathlib.Path, role: str) -> None:
    assert drafts(entries(written(tmp_path, meta(), message(role, "be nice")))) == []


@pytest.mark.promise("TRB-7")
@pytest.mark.parametrize(
    ("value", "outcome", "text"),
    [
        ("Wall time: 1 s\nProcess exited with code 0\nOutput:\nfine", "ok", "fine"),
        ("Exit code: 2\nWall time: 0 seconds\nOutput:\nbad\nOutput:\n", "failed", "bad\nOutput:\n"),
        ("Chunk ID: 1\nProcess exited with code -9\nOutput:\n", "failed", ""),
        ("Wall time: 9 s\nProcess running with session ID 4\nOutput:\n", "unknown", ""),
        ('{"output":"old","metadata":{"exit_code":0,"duration_seconds":0.1}}', "ok", "old"),
        ('{"output":"old","metadata":{"exit_code":1}}', "failed", "old"),
        ({"content": "told", "success": False}, "failed", "told"),
        ({"content": "told", "success": True}, "unknown", "told"),
        ("the log says: Process exited with code 0", "unknown", "the log says: Process exited with code 0"),
        (
            [{"type": "input_text", "text": "Wall time: 1 s\nOutput:"}, {"type": "input_text", "text": "x"}],
            "unknown",
            "x",
        ),
        (None, "unknown", ""),
        (7, "unknown", ""),
    ],
)
def test_an_outcome_is_what_the_host_said(tmp_path: pathlib.Path, value: object, outcome: str, text: str) -> None:
    found = drafts(entries(written(tmp_path, meta(), tool("exec_command", {"cmd": "make"}), output(value))))[-1]
    assert (found.type, found.outcome, found.body["output"], found.subject) == ("tool/result", outcome, text, "make")


@pytest.mark.promise("TRB-7")
def test_a_result_without_its_call_is_kept_without_a_name(tmp_path: pathlib.Path) -> None:
    found = drafts(entries(written(tmp_path, meta(), output("Exit code: 0\nOutput:\nx"))))
    assert [row(draft) for draft in found] == [("tool/result", "unknown", "ok", "x")]


@pytest.mark.promise("TRB-7")
@pytest.mark.parametrize(
    ("payload", "action", "subject"),
    [
        ({"type": "local_shell_call", "action": {"command": ["bash", "-lc", "ls -l"]}}, "command", "ls -l"),
        ({"type": "function_call", "name": "shell", "arguments": '{"command":["git","log"]}'}, "command", "git log"),
        (
            {
                "type": "function_call",
                "name": "shell",
                "arguments": '{"command":["apply_patch","*** Begin Patch\\n*** Add File: a.py\\n+x = 1"]}',
            },
            "edit",
            "a.py",
        ),
        ({"type": "web_search_call", "action": {"type": "search", "query": "weather"}}, "web", "weather"),
        ({"type": "function_call", "name": "spawn_agent", "arguments": '{"message":"look"}'}, "agent", "look"),
        ({"type": "function_call", "name": "novel", "arguments": "not json"}, "other", None),
    ],
)
def test_every_kind_of_call_tells_its_class_and_subject(
    payload: dict[str, Any], action: str, subject: str | None
) -> None:
    call = call_of(payload)
    assert (call.action, call.subject) == (action, subject)


@pytest.mark.promise("TRB-2")
@pytest.mark.parametrize(("told", "given_"), [("{}", {}), ("7", {"arguments": "7"}), ("", {"arguments": ""})])
def test_an_input_is_always_told_by_name(told: str, given_: dict[str, Any]) -> None:
    assert call_of({"type": "function_call", "name": "x", "arguments": told}).given == given_


@pytest.mark.promise("TRB-7")
def test_a_patch_that_did_not_apply_has_failed() -> None:
    call = call_of({"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch\n*** Delete File: a"})
    draft = result_draft(call, {"output": "apply_patch verification failed: no such file"}, "c1", None)
    assert (draft.outcome, draft.body["files"]) == ("failed", ["a"])


@pytest.mark.promise("TRB-8")
@pytest.mark.parametrize(
    "own", [{"name": "recall", "namespace": "mcp__segue"}, {"name": "mcp__segue__recall"}, {"name": "mcp__p_segue__x"}]
)
def test_segues_own_calls_are_skipped_with_their_results(tmp_path: pathlib.Path, own: dict[str, str]) -> None:
    name, more = own["name"], {key: value for key, value in own.items() if key != "name"}
    path = written(
        tmp_path,
        meta(),
        tool(name, {}, **more),
        output("remembered"),
        tool("mcp__other__x", {}, "c2"),
        output("seen", "c2"),
    )
    found = entries(path)
    assert [entry.skipped for entry in found] == [None, "own-block", "own-block", None, None]
    for number, entry in enumerate(found, 1):
        assert entries(path, entry.position, entry.state) == found[number:]


@pytest.mark.promise("TRB-8")
def test_segues_blocks_are_taken_out_of_texts(tmp_path: pathlib.Path) -> None:
    block = wrap("a memory", "0123456789abcdef")
    path = written(
        tmp_path, meta(), message("user", f"{block}\nfix it"), message("assistant", block), output(f"a{block}b")
    )
    found = entries(path)
    assert [entry.skipped for entry in found] == [None, None, "own-block", None]
    assert "a memory" not in json.dumps([draft.body for draft in drafts(found)])
    assert "fix it" in drafts(found)[0].body["text"]


@pytest.mark.promise("TRB-9")
def test_a_subagent_hangs_under_the_thread_that_spawned_it(tmp_path: pathlib.Path) -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "p1", "depth": 1, "agent_role": "explorer"}}}
    header = entries(written(tmp_path, meta(source=spawn)))[0].header
    assert header is not None
    assert (header.session_id, header.parent_id, header.agent_type) == ("codex:p1/agent-t1", "codex:p1", "explorer")


@pytest.mark.promise("TRB-9")
def test_a_subagent_of_a_subagent_hangs_under_its_own_parent(tmp_path: pathlib.Path) -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "p2", "depth": 2}}}
    header = entries(written(tmp_path, meta(source=spawn, session_id="root")))[0].header
    assert header is not None
    assert (header.session_id, header.parent_id) == ("codex:root/agent-t1", "codex:root/agent-p2")


@pytest.mark.promise("TRB-9")
@pytest.mark.parametrize("source", ["exec", "vscode", {"subagent": "review"}, None])
def test_a_session_without_a_parent_is_a_root(tmp_path: pathlib.Path, source: object) -> None:
    header = entries(written(tmp_path, meta(source=source, session_id="t1")))[0].header
    assert header is not None
    assert (header.session_id, header.agent_id) == ("codex:t1", None)


@pytest.mark.promise("TRB-9")
def test_the_first_of_two_session_records_names_the_session(tmp_path: pathlib.Path) -> None:
    found = entries(written(tmp_path, meta(), meta(id="origin"), message("user", "hi")))
    assert {entry.header.session_id for entry in found if entry.header} == {"codex:t1"}


@pytest.mark.promise("TRB-10")
def test_rollouts_are_found_below_a_home_and_nothing_else(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / ".codex" / "sessions" / "2026" / "11" / "30"
    folder.mkdir(parents=True)
    path = written(folder, meta())
    (folder / "notes.jsonl").write_text("{}", encoding="utf-8")
    assert [(s.path, s.size) for s in discover(str(tmp_path / ".codex"))] == [(str(path), path.stat().st_size)]
    assert list(discover(str(tmp_path / "nowhere"))) == []


@pytest.mark.promise("TRB-10")
def test_a_rollout_is_told_from_other_files(tmp_path: pathlib.Path) -> None:
    assert all(claims(str(path)) for path in RECORDED)
    other = tmp_path / "other.jsonl"
    other.write_text('{"type":"user","message":{"content":"text"}}\n' * 9, encoding="utf-8")
    assert not claims(str(other))
    assert not claims(str(tmp_path / "none.jsonl"))
    assert not claims(str(RECORDED[0].parent))


@pytest.mark.promise("TRB-17")
def test_a_plan_is_remembered_as_a_to_do_list(tmp_path: pathlib.Path) -> None:
    plan = {"plan": [{"step": "look", "status": "completed"}, {"step": "mend", "status": "in_progress"}, "?"]}
    found = drafts(entries(written(tmp_path, meta(), tool("update_plan", plan))))
    assert [draft.type for draft in found] == ["tool/call", "todo/write"]
    assert found[1].body["todos"] == [
        {"content": "look", "status": "completed"},
        {"content": "mend", "status": "in_progress"},
    ]
