"""Claude Code's hook payloads as moments, and answers to them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.errors import HostUnknown, PayloadUnusable
from segue.hosts.claude_code.hooks import READERS, parse, render
from segue.hosts.claude_code.transcript import read
from segue.hosts.registry import HOSTS, hooks_of
from segue.model.codec import dumps
from segue.model.event import Draft
from segue.model.frame import wrap
from segue.model.moment import Answer
from tests.hosts.entries import HERE, effective_key
from tests.hosts.live import CLAUDE, logs, recorded, told

RECORDED = ("basic", "basic-2.1.197", "compact", "autocompact", "subagent")


def row(log: str, draft: Draft) -> str:
    """A draft as a line of a golden table."""
    agent = log.partition("/")[2] or "main"
    words = draft.body.get("text") or draft.body.get("source") or draft.body.get("reason") or draft.subject or ""
    outcome = f" {draft.outcome}" if draft.outcome else ""
    return f"{agent[:8]} {draft.type} {draft.origin}{outcome}: {words[:40]}".rstrip(": ")


GOLDEN = {
    "basic": """
        SessionStart: main session/start host: startup
        UserPromptSubmit: main user/message user: Please fix add() in app.py.
        PreToolUse: main tool/call model: ls && git log --oneline | head -3
        PostToolUse: main tool/call model: ls && git log --oneline | head -3
        PostToolUse: main tool/result tool ok: ls && git log --oneline | head -3
        PostToolBatch: main tool/result tool unknown: ls && git log --oneline | head -3
        PreToolUse: main tool/call model: /home/dev/proj/app.py
        PostToolUse: main tool/call model: /home/dev/proj/app.py
        PostToolUse: main tool/result tool ok: /home/dev/proj/app.py
        PostToolBatch: main tool/result tool unknown: /home/dev/proj/app.py
        PreToolUse: main tool/call model: /home/dev/proj/app.py
        PostToolUse: main tool/call model: /home/dev/proj/app.py
        PostToolUse: main tool/result tool ok: /home/dev/proj/app.py
        PreToolUse: main tool/call model: select:mcp__probe__recall
        PostToolUse: main tool/call model: select:mcp__probe__recall
        PostToolUse: main tool/result tool unknown: select:mcp__probe__recall
        PreToolUse: main tool/call model: add function
        PostToolUse: main tool/call model: add function
        PostToolUse: main tool/result tool unknown: add function
        PreToolUse: main tool/call model: python3 app.py && false
        PostToolUseFailure: main tool/call model: python3 app.py && false
        PostToolUseFailure: main tool/result tool failed: python3 app.py && false
        Stop: main assistant/message model: Fixed: add() now adds. The failing comma
        Stop: main turn/end host
        SessionEnd: main session/end host: other
        SessionStart: main session/start host: resume
        UserPromptSubmit: main user/message user: Thanks. Anything else?
        Stop: main assistant/message model: Second prompt answered: nothing else to
        Stop: main turn/end host
        SessionEnd: main session/end host: other
    """,
    "subagent": """
        SessionStart: main session/start host: startup
        UserPromptSubmit: main user/message user: Delegate a look around.
        PreToolUse: main tool/call model: look around
        SubagentStart: main subagent/start host
        PreToolUse: agent-a5 tool/call model: ls
        PostToolUse: agent-a5 tool/call model: ls
        PostToolUse: agent-a5 tool/result tool ok: ls
        PostToolBatch: agent-a5 tool/result tool unknown: ls
        SubagentStop: main subagent/end host
        SubagentStop: agent-a5 assistant/message model: SUBAGENT-REPORT: README.md and app.py.
        PostToolUse: main tool/call model: look around
        PostToolUse: main tool/result tool unknown: look around
        PostToolBatch: main tool/result tool unknown: look around
        Stop: main assistant/message model: The subagent reported two files.
        Stop: main turn/end host
        SessionEnd: main session/end host: other
    """,
    "compact": """
        PreCompact: main compaction/start host
        SubagentStop
        SessionStart: main session/start host: compact
        PostCompact: main compaction/summary host_summary: SUMMARY-MARK: the user asked for a small
    """,
}


def golden(name: str) -> list[str]:
    """What the payloads of a recorded run gave, a line per draft; an event that gave nothing stands alone."""
    lines = []
    for payload in recorded(name):
        event = payload["hook_event_name"]
        rows = [row(log, draft) for log, drafts in logs(parse(event, payload)) for draft in drafts]
        lines += [f"{event}: {line}" for line in rows] or [event]
    return lines


@pytest.mark.promise("HST-1")
@pytest.mark.parametrize("name", ["basic", "subagent"])
def test_recorded_payloads_give_what_was_agreed(name: str) -> None:
    assert golden(name) == [line.strip() for line in GOLDEN[name].strip().split("\n")]


@pytest.mark.promise("HST-1")
def test_a_recorded_compaction_gives_its_summary_and_not_its_own_subagent() -> None:
    lines = golden("compact")
    start = lines.index("PreCompact: main compaction/start host")
    assert lines[start : start + 4] == [line.strip() for line in GOLDEN["compact"].strip().split("\n")]


@pytest.mark.promise("HST-1")
def test_a_moment_knows_its_session_and_kind() -> None:
    moment = told("PreToolUse", agent_id="a5", agent_type="explore", tool_name="Bash")
    header = moment.header
    assert (header.session_id, header.parent_id) == ("claude-code:s1/agent-a5", "claude-code:s1")
    assert (header.agent_type, header.cwd) == ("explore", "/src/shop")
    kinds = {event: told(event).kind for event in READERS}
    assert kinds == {
        "SessionStart": "session_start", "UserPromptSubmit": "prompt", "PreToolUse": "tool_before",
        "PostToolUse": "tool_after", "PostToolUseFailure": "tool_after", "PostToolBatch": "tool_after", "Stop": "stop",
        "SubagentStart": "subagent", "SubagentStop": "subagent", "PreCompact": "compaction",
        "PostCompact": "compaction", "SessionEnd": "session_end",
    }  # fmt: skip


@pytest.mark.promise("HST-1")
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_start_tells_why_it_started(source: str) -> None:
    moment = told("SessionStart", source=source)
    assert (moment.source, [draft.body for draft in moment.drafts]) == (source, [{"source": source}])


@pytest.mark.promise("HST-2")
@pytest.mark.parametrize("payload", [{}, {"session_id": ""}, {"session_id": 7}, {"session_id": None}])
def test_a_payload_without_a_session_is_a_named_error(payload: dict[str, Any]) -> None:
    with pytest.raises(PayloadUnusable, match="it names no session"):
        parse("Stop", payload)
    assert parse("Stop", {**payload, "session_id": "s1"}).drafts[0].type == "turn/end"


@pytest.mark.promise("HST-2")
@pytest.mark.parametrize("event", ["MessageDisplay", "Notification", "PermissionRequest", "NoSuchEvent", ""])
def test_an_event_that_carries_nothing_is_a_moment_without_drafts(event: str) -> None:
    moment = told(event, prompt="x", tool_name="Bash", last_assistant_message="x")
    assert logs(moment) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
PAYLOADS = [payload for name in RECORDED for payload in recorded(name)]


@pytest.mark.promise("HST-2")
@given(st.sampled_from(PAYLOADS), st.sampled_from(sorted(READERS)), JSON, st.data())
def test_a_field_of_any_type_is_no_reason_to_stop(
    payload: dict[str, Any], event: str, value: object, draw: st.DataObject
) -> None:
    changed = json.loads(json.dumps(payload))
    place = changed
    while draw.draw(st.booleans()):
        inner = [found for found in place.values() if isinstance(found, dict) and found]
        if not inner:
            break
        place = draw.draw(st.sampled_from(inner))
    place[draw.draw(st.sampled_from(sorted(place)))] = value
    changed["session_id"] = "s1"
    for _, drafts in logs(parse(event, changed)):
        for draft in drafts:
            assert dumps(draft.body)


SILENT = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop", "SubagentStart", "SubagentStop",
          "PreCompact", "PostCompact", "SessionEnd", "Notification", "")  # fmt: skip
CONTEXT, SHOWN = 'a "b"\né😀', r'"a \"b\"\n\u00e9\ud83d\ude00"'
ANSWERS = {
    **dict.fromkeys(SILENT, ""),
    "SessionStart": f'{{"hookSpecificOutput":{{"additionalContext":{SHOWN},"hookEventName":"SessionStart"}}}}',
    "UserPromptSubmit": "",
}


@pytest.mark.promise("HST-3")
@pytest.mark.parametrize("event", ANSWERS)
def test_each_event_is_answered_in_the_hosts_own_words(event: str) -> None:
    assert render(event, Answer(context=CONTEXT)) == ANSWERS[event]
    assert render(event, Answer()) == ""


@pytest.mark.promise("HST-3")
def test_every_event_that_is_read_has_an_agreed_answer() -> None:
    assert set(READERS) <= set(ANSWERS)


@pytest.mark.promise("HST-3")
@given(st.text(st.characters(exclude_categories=())))
def test_any_context_goes_through_any_pipe(context: str) -> None:
    answer = render("SessionStart", Answer(context=context))
    assert answer.isascii() and "\n" not in answer
    told_ = json.loads(answer)["hookSpecificOutput"]
    assert told_["hookEventName"] == "SessionStart"
    assert told_["additionalContext"].encode("utf-16", "surrogatepass") == context.encode("utf-16", "surrogatepass")


def without_time(draft: Draft) -> Draft:
    """A draft without what only one of hook and transcript tells."""
    body = {name: value for name, value in draft.body.items() if name not in ("duration_ms", "instructions")}
    return draft.replace(time=None, body=body)


@pytest.mark.promise("HST-4")
@pytest.mark.parametrize("name", RECORDED)
def test_hooks_and_transcript_tell_the_same(name: str) -> None:
    filed: dict[object, Draft] = {}
    for file in (CLAUDE / name).glob("*.jsonl"):
        for entry in read(str(file), 0, {}):
            for draft in entry.drafts:
                assert entry.header is not None
                filed.setdefault((entry.header.session_id, *effective_key(draft)), draft)
    live: dict[object, Draft] = {}
    for payload in recorded(name):
        for log, drafts in logs(parse(payload["hook_event_name"], payload)):
            for draft in drafts:
                live.setdefault((log, *effective_key(draft)), draft)
    both = live.keys() & filed.keys()
    assert len(both) >= 7
    assert [without_time(live[key]) for key in both] == [without_time(filed[key]) for key in both]
    assert {live[key].type for key in live.keys() - both} <= {"turn/end", "session/start", "session/end"}
    assert {filed[key].type for key in filed.keys() - both} <= {"assistant/message", "user/message", "tool/call",
                                                                "tool/result"}  # fmt: skip


@pytest.mark.promise("HST-5")
def test_a_prompt_is_the_users_and_what_a_subagent_is_asked_the_models() -> None:
    assert [draft.origin for draft in told("UserPromptSubmit", prompt="go").drafts] == ["user"]
    assert [draft.origin for draft in told("UserPromptSubmit", prompt="go", agent_id="a5").drafts] == ["model"]
    (agent,) = (CLAUDE / "subagent").glob("*agent-*.jsonl")
    asked = [draft for entry in read(str(agent), 0, {}) for draft in entry.drafts if draft.type == "user/message"]
    assert [(draft.body["text"], draft.origin) for draft in asked] == [("List the files and report.", "model")]


@pytest.mark.promise("HST-5")
@pytest.mark.parametrize(
    "prompt",
    [
        "<task-notification>done</task-notification>", "<local-command-stdout>x</local-command-stdout>",
        "<command-name>/compact</command-name>", "[Request interrupted by user]", "  ", "", None, 7, {"text": "x"}, [],
    ],
)  # fmt: skip
def test_what_the_host_wrote_is_no_prompt(prompt: object) -> None:
    assert told("UserPromptSubmit", prompt=prompt).drafts == ()
    assert told("UserPromptSubmit", prompt="use <command-name> here").drafts != ()


@pytest.mark.promise("HST-5")
@pytest.mark.parametrize("prompt", ["go on", ["go on"], [{"type": "text", "text": "go on"}]])
def test_a_prompt_is_taken_as_text_and_as_a_list(prompt: object) -> None:
    (draft,) = told("UserPromptSubmit", prompt=prompt).drafts
    assert (draft.key, draft.key_on_text, draft.body) == ("prompt:p1", False, {"text": "go on"})
    (older,) = parse("UserPromptSubmit", {"session_id": "s1", "prompt": prompt}).drafts
    assert (older.key, older.key_on_text) == ("prompt:", True)


@pytest.mark.promise("HST-6")
def test_segues_block_is_taken_out_wherever_it_comes_back() -> None:
    block = wrap("an old memory", "0123456789abcdef")
    shown = f"before {block} after"
    escaped = json.dumps(shown)
    moments = [
        told("UserPromptSubmit", prompt=shown),
        told("Stop", last_assistant_message=shown),
        told("PostCompact", compact_summary=f"<summary>{shown}</summary>"),
        told("SubagentStop", agent_id="a5", agent_type="x", last_assistant_message=shown),
        told("PostToolUse", tool_name="Bash", tool_use_id="t1", tool_input={"command": shown},
             tool_response={"stdout": escaped, "stderr": shown}),
        told("PostToolUse", tool_name="Edit", tool_use_id="t1", tool_input={"new_string": shown}, tool_response={}),
        told("PostToolUseFailure", tool_name="Bash", tool_use_id="t1", error=shown),
        told("PostToolBatch", tool_calls=[{"tool_name": "Read", "tool_use_id": "t1", "tool_response": shown}]),
    ]  # fmt: skip
    for moment in moments:
        bodies = dumps([draft.body for _, drafts in logs(moment) for draft in drafts])
        assert "before " in bodies and " after" in bodies
        assert "old memory" not in bodies
    assert told("UserPromptSubmit", prompt=block).drafts == ()


@pytest.mark.promise("HST-8")
def test_several_stops_of_one_prompt_end_one_turn() -> None:
    first, again = (told("Stop", last_assistant_message=words, stop_hook_active=True) for words in ("one", "two"))
    assert first.drafts[-1] == again.drafts[-1]
    assert first.drafts[-1].key == "turn:p1"
    assert effective_key(first.drafts[0]) != effective_key(again.drafts[0])


@pytest.mark.promise("HST-9")
def test_the_dialect_loads_the_model_and_nothing_else() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(HERE.parents[1] / 'src')!r}); import _json; before = set(sys.modules);"
        "from segue.hosts.registry import hooks_of; hooks_of('claude-code');"
        "print('\\n'.join(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    loaded = [name for name in done.stdout.split() if not name.startswith("segue.model")]
    assert loaded == ["__future__", "segue", "segue.errors", "segue.hosts", "segue.hosts.claude_code",
                      "segue.hosts.claude_code.hooks", "segue.hosts.claude_code.tools",
                      "segue.hosts.registry"]  # fmt: skip


@pytest.mark.promise("HST-10")
def test_an_unknown_host_is_named() -> None:
    assert [host.name for host in HOSTS if host.has_hooks] == ["claude-code"]
    assert hooks_of("claude-code").render("Stop", Answer()) == ""
    for name in ("codex", "nobody"):
        with pytest.raises(HostUnknown, match=name):
            hooks_of(name)


@pytest.mark.promise("HST-10")
def test_each_recorded_transcript_is_claimed_by_its_own_host_alone() -> None:
    folders = {"claude": "claude-code", "codex": "codex", "gemini": "gemini"}
    for folder, name in folders.items():
        files = [file for file in (HERE / folder).glob("*/*.jsonl") if file.parent.name != "payloads"]
        assert len(files) >= 2
        for file in files:
            assert [host.name for host in HOSTS if host.claims(str(file))] == [name]
