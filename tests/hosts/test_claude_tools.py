"""Claude Code's tools: what a call and its result tell."""

from __future__ import annotations

from typing import Any

import pytest

from segue.hosts.claude_code.hooks import parse
from segue.hosts.claude_code.tools import is_own, output_text
from segue.model.codec import dumps
from tests.hosts.live import after, recorded, told

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}}
NAMED = "[attachment image/png, 5 bytes, sha256 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824]"


@pytest.mark.promise("HST-1")
def test_an_edit_tells_its_change_once_and_never_the_whole_file() -> None:
    given_ = {"file_path": "/p/a.py", "old_string": "a", "new_string": "b"}
    answers = [
        {
            "filePath": "/p/a.py",
            "oldString": "a",
            "newString": "b",
            "originalFile": "whole file",
            "structuredPatch": [],
        },
        {"type": "create", "filePath": "/p/a.py", "content": "whole file", "originalFile": None},
        {"notebook_path": "/p/a.py", "original_file": "whole file", "updated_file": "whole file", "error": ""},
    ]
    for answer in answers:
        result = after("Edit", given_, answer)
        assert (result.outcome, result.subject, result.action) == ("ok", "/p/a.py", "edit")
        assert result.body == {
            "tool": "Edit", "call_id": "t1", "output": "", "files": ["/p/a.py"], "change": {"old": "a", "new": "b"},
        }  # fmt: skip


@pytest.mark.promise("HST-1")
@pytest.mark.parametrize(
    ("tool", "given_", "subject", "action"),
    [
        ("Bash", {"command": "ls", "description": "list"}, "ls", "command"),
        ("Grep", {"pattern": "def add", "path": "/p"}, "def add", "search"),
        ("LS", {"path": "/p"}, "/p", "read"),
        ("WebSearch", {"query": "sqlite wal"}, "sqlite wal", "web"),
        ("mcp__probe__recall", {"query": "x"}, "x", "mcp"),
        ("Agent", {"description": "look", "prompt": "List it."}, "look", "agent"),
        ("SomethingNew", {}, None, "other"),
    ],
)
def test_a_call_is_named_by_what_it_works_on(tool: str, given_: dict[str, Any], subject: str, action: str) -> None:
    (call,) = told("PreToolUse", tool_name=tool, tool_use_id="t1", tool_input=given_).drafts
    assert (call.type, call.key, call.subject, call.action) == ("tool/call", "call:t1", subject, action)


@pytest.mark.promise("HST-1")
@pytest.mark.parametrize(
    ("tool", "response", "more", "outcome"),
    [
        ("Bash", {"stdout": "x", "stderr": "", "interrupted": False}, {}, "ok"),
        ("Bash", {"stdout": "x", "interrupted": True}, {}, "unknown"),
        ("Bash", {"stdout": "", "backgroundTaskId": "b1"}, {}, "unknown"),
        ("Bash", None, {}, "unknown"),
        ("Edit", {"filePath": "/p/a"}, {}, "ok"),
        ("NotebookEdit", {"error": "no such cell"}, {}, "failed"),
        ("mcp__probe__recall", [{"type": "text", "text": "x"}], {}, "unknown"),
        ("mcp__probe__recall", {"isError": True, "content": []}, {}, "failed"),
        ("Bash", None, {"event": "PostToolUseFailure", "error": "Exit code 1"}, "failed"),
        ("Bash", None, {"event": "PostToolUseFailure", "error": "stopped", "is_interrupt": True}, "unknown"),
        ("Bash", None, {"event": "PostToolUseFailure", "error": ["no", {"text": "text"}]}, "failed"),
    ],
)
def test_success_is_told_only_where_the_host_says_so(
    tool: str, response: object, more: dict[str, Any], outcome: str
) -> None:
    result = after(tool, {}, response, **more)
    assert result.outcome == outcome
    assert bool(result.body.get("error")) == ("error" in more or tool == "NotebookEdit")


@pytest.mark.promise("HST-1")
@pytest.mark.parametrize(
    ("tool", "given_", "response", "todos"),
    [
        ("TodoWrite", {"todos": [{"content": "a", "status": "done"}]}, {}, [{"content": "a", "status": "done"}]),
        ("TaskCreate", {"subject": "a"}, {"task": {"id": "7"}}, [{"id": "7", "content": "a", "status": "pending"}]),
        ("TaskUpdate", {"taskId": "7", "status": "completed"}, {}, [{"id": "7", "status": "completed"}]),
    ],
)  # fmt: skip
def test_a_to_do_list_that_was_written_is_told(
    tool: str, given_: dict[str, Any], response: object, todos: list[dict[str, str]]
) -> None:
    moment = told("PostToolUse", tool_name=tool, tool_use_id="t1", tool_input=given_, tool_response=response)
    (todo,) = [draft for draft in moment.drafts if draft.type == "todo/write"]
    assert (todo.key, todo.body["todos"]) == ("todo:t1", todos)


@pytest.mark.promise("HST-2")
def test_values_nested_without_end_are_cut_and_kept() -> None:
    deep: Any = "end"
    wide: Any = "end"
    for _ in range(900):
        deep, wide = {"content": deep}, [wide]
    for value in (deep, wide):
        drafts = told("PostToolUse", tool_name="Other", tool_input=value, tool_response=value).drafts
        assert all(dumps(draft.body) for draft in drafts)


@pytest.mark.promise("HST-5")
@pytest.mark.parametrize(("tool", "origin"), [("WebFetch", "web"), ("WebSearch", "web"), ("Bash", "tool")])
def test_what_comes_from_the_web_says_so(tool: str, origin: str) -> None:
    assert after(tool, {"url": "https://example.org"}, {"result": "text"}).origin == origin


@pytest.mark.promise("HST-6")
@pytest.mark.parametrize(
    ("tool", "server", "own"),
    [
        ("mcp__segue__recall", None, True),
        ("mcp__plugin_memory_segue__recall", None, True),
        ("mcp__segue__a__b", None, True),
        ("mcp__other__recall", {"name": "segue"}, True),
        ("mcp__x__recall", {"name": "plugin:memory:segue"}, True),
        ("mcp__not_segue__recall", {"name": "not_segue"}, False),
        ("mcp__probe__segue__recall", {"name": "probe", "source": "user"}, False),
        ("Bash", None, False),
        ("segue", "segue", False),
    ],
)
def test_segues_own_tools_are_told_from_others(tool: str, server: object, own: bool) -> None:
    assert is_own(tool, server) == own
    call = {"tool_name": tool, "tool_use_id": "t1", "tool_input": {}, "tool_response": "x", "mcp_server": server}
    for event, payload in (("PreToolUse", call), ("PostToolUse", call), ("PostToolUseFailure", call),
                           ("PostToolBatch", {"tool_calls": [call]})):  # fmt: skip
        assert (told(event, **payload).drafts == ()) == own


@pytest.mark.promise("HST-7")
@pytest.mark.parametrize(
    ("response", "output"),
    [
        ([{"type": "text", "text": "seen"}, IMAGE], f"seen\n{NAMED}"),
        ({"type": "image", "file": {"base64": "aGVsbG8=", "type": "image/png", "originalSize": 5}}, NAMED),
        ([{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}], NAMED),
        ([{"type": "resource", "resource": {"uri": "x", "mimeType": "image/png", "blob": "aGVsbG8="}}], NAMED),
        ([{"type": "resource", "resource": {"uri": "x", "text": "words"}}], "words"),
        ([{"type": "resource_link", "uri": "file:///x"}], "file:///x"),
        ([{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "words"}}], "words"),
        ([{"type": "image", "source": {"type": "url", "url": "https://x/y.png"}}], "[attachment https://x/y.png]"),
        ({"type": "file_unchanged", "file": {"filePath": "/a"}}, '{"filePath":"/a"}'),
        ({"cells": [{"image": {"media_type": "image/png", "image_data": "aGVsbG8="}}]},
         f'{{"cells":[{{"image":{{"attachment":"{NAMED}"}}}}]}}'),
    ],
)  # fmt: skip
def test_images_and_files_are_named_and_their_content_left_out(response: object, output: str) -> None:
    assert output_text(response) == output
    result = after("Other", {"shown": [IMAGE]}, response)
    assert "aGVsbG8=" not in dumps(result.body)
    (call,) = told("PreToolUse", tool_name="Other", tool_input={"shown": [IMAGE]}).drafts
    assert call.body["input"] == {"shown": [{"attachment": NAMED}]}


@pytest.mark.promise("HST-7")
def test_a_command_that_printed_an_image_is_told_by_it() -> None:
    result = after("Bash", {}, {"stdout": "aGVsbG8=", "stderr": "", "isImage": True})
    assert result.body["output"].startswith("[attachment image, 5 bytes, sha256 2cf24dba")
    assert after("Bash", {}, {"stdout": "aGVsbG8=", "stderr": "warned"}).body["output"] == "aGVsbG8=\nwarned"


@pytest.mark.promise("HST-8")
def test_a_result_brings_its_call_with_it() -> None:
    payloads = {payload["tool_use_id"]: payload for payload in recorded("basic") if "tool_response" in payload}
    assert len(payloads) == 5
    for payload in payloads.values():
        before = parse("PreToolUse", payload).drafts
        assert parse("PostToolUse", payload).drafts[:1] == before


@pytest.mark.promise("HST-8")
def test_a_batch_and_the_single_results_have_the_same_keys() -> None:
    single = {after("Bash", {}, "x").key, after("Bash", {}, "x", "PostToolUseFailure").key}
    batch = told("PostToolBatch", tool_calls=[{"tool_name": "Bash", "tool_use_id": "t1", "tool_response": "x"}, 7])
    assert {draft.key for draft in batch.drafts} == single == {"result:t1"}
