"""Owns Claude Code's hook payloads and answers. Pure; on the hook path.

Every field is foreign: whatever type it has, parsing never raises. Keys are made from the host's own ids, the same
that the transcript carries.
"""

from __future__ import annotations

from segue.errors import PayloadUnusable
from segue.hosts.claude_code.tools import call_draft, is_own, output_text, result_draft, todo_draft
from segue.model import event as events
from segue.model import moment as kinds
from segue.model.codec import scrub
from segue.model.event import Draft
from segue.model.frame import strip
from segue.model.moment import Moment
from segue.model.session import SessionHeader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from segue.model.moment import Answer

NAME = "claude-code"
#: events whose answer may carry context for the model (spec: seen in the request body)
SPEAKING = ("SessionStart",)
#: beginnings of what the host writes in the user's name
NOT_A_PROMPT = (
    "<command-name>", "<command-message>", "<command-args>", "<local-command-", "<bash-input>", "<bash-stdout>",
    "<bash-stderr>", "<system-reminder>", "<task-notification>", "[Request interrupted by user",
    "Caveat: The messages below",
)  # fmt: skip
#: the beginning of a summary in a transcript, and of the lines that the host puts after it
CONTINUED = "This session is being continued"
AFTER_SUMMARY = (
    "If you need specific details from before compaction",
    "Recent messages are preserved verbatim",
    "Continue the conversation from where",
    "Please continue the conversation from where",
)


def parse(event: str, payload: dict[str, Any]) -> Moment:
    """The payload as a moment. Raises `PayloadUnusable` when it names no session."""
    session_id = _text(payload, "session_id")
    if session_id is None:
        raise PayloadUnusable("it names no session")
    agent_id = _text(payload, "agent_id")
    header = SessionHeader(
        host=NAME,
        host_session_id=session_id,
        agent_id=agent_id,
        agent_type=_text(payload, "agent_type") if agent_id else None,
        cwd=_text(payload, "cwd"),
        model=_text(payload, "model"),
    )
    reader = READERS.get(event)
    moment = Moment(kind="other", header=header)
    return moment if reader is None else reader(moment, payload)


def render(event: str, answer: Answer) -> str:
    """What goes to stdout: nothing, or the context for the model. Never `continue`, never a decision."""
    if answer.context is None or event not in SPEAKING:
        return ""
    quoted = _ascii_json(answer.context)
    return f'{{"hookSpecificOutput":{{"additionalContext":{quoted},"hookEventName":"{event}"}}}}'


def _ascii_json(text: str) -> str:
    """The text as a JSON string that any pipe carries, whatever its encoding."""
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:  # an interpreter without it
        from json import dumps as quote
    quoted: str = quote(text)
    return quoted


def _text(payload: dict[str, Any], name: str) -> str | None:
    value = payload.get(name)
    return scrub(value).replace("\0", " ") if isinstance(value, str) and value else None


def _session_start(moment: Moment, payload: dict[str, Any]) -> Moment:
    told = _text(payload, "source")
    source = told if told in kinds.SOURCES else "startup"
    draft = Draft(type=events.SESSION_START, origin="host", body={"source": source})
    return moment.replace(kind=kinds.SESSION_START, source=source, drafts=(draft,))


def _prompt(moment: Moment, payload: dict[str, Any]) -> Moment:
    told = payload.get("prompt")
    text = strip(output_text(told)) if isinstance(told, str | list) else ""
    if not text.strip() or is_hosts_own(text):
        return moment.replace(kind=kinds.PROMPT)
    draft = prompt_draft(text, _text(payload, "prompt_id"), by_model=moment.header.agent_id is not None)
    return moment.replace(kind=kinds.PROMPT, drafts=(draft,))


def is_hosts_own(text: str) -> bool:
    """Whether the host wrote this in the user's name."""
    return text.lstrip().startswith(NOT_A_PROMPT)


def prompt_draft(text: str, prompt_id: str | None, time: str | None = None, *, by_model: bool = False) -> Draft:
    """What was asked, by the user or by the model that a subagent works for. Where the host tells no id, as in older
    releases, the words are the id."""
    return Draft(
        type=events.USER_MESSAGE,
        origin="model" if by_model else "user",
        body={"text": text},
        key=f"prompt:{prompt_id or ''}",
        key_on_text=prompt_id is None,
        time=time,
    )


def answer_draft(text: str, prompt_id: str | None, time: str | None = None) -> Draft:
    """What the model said in answer to a prompt."""
    return Draft(
        type=events.ASSISTANT_MESSAGE,
        origin="model",
        body={"text": text},
        key=f"text:{prompt_id or ''}:",
        key_on_text=True,
        time=time,
    )


def summary_draft(text: str, time: str | None = None) -> Draft:
    """What the host kept of a conversation that it compacted."""
    return Draft(
        type=events.COMPACTION_SUMMARY,
        origin="host_summary",
        body={"text": bare_summary(text)},
        key="summary:",
        key_on_text=True,
        time=time,
    )


def bare_summary(text: str) -> str:
    """The summary alone: hooks tell it within `<summary>`, the transcript after `Summary:` with words around it."""
    start, end = text.find("<summary>"), text.rfind("</summary>")
    if 0 <= start < end:
        return text[start + 9 : end].strip()
    start = text.find("\nSummary:\n") if text.startswith(CONTINUED) else -1
    if start < 0:
        return text.strip()
    told = text[start + 10 :].strip().split("\n")
    while told and (not told[-1].strip() or told[-1].startswith(AFTER_SUMMARY)):
        del told[-1]
    return "\n".join(told).strip()


def _tool_before(moment: Moment, payload: dict[str, Any]) -> Moment:
    tool, call_id, given = _tool(payload)
    if tool is None or is_own(tool, payload.get("mcp_server")):
        return moment.replace(kind=kinds.TOOL_BEFORE)
    return moment.replace(kind=kinds.TOOL_BEFORE, drafts=(call_draft(tool, call_id, given),))


def _tool(payload: dict[str, Any]) -> tuple[str | None, str | None, Any]:
    return _text(payload, "tool_name"), _text(payload, "tool_use_id"), payload.get("tool_input")


def _tool_after(moment: Moment, payload: dict[str, Any]) -> Moment:
    return _after(moment, payload, error=None)


def _tool_failed(moment: Moment, payload: dict[str, Any]) -> Moment:
    return _after(moment, payload, error=output_text(payload.get("error")) or "failed")


def _after(moment: Moment, payload: dict[str, Any], error: str | None) -> Moment:
    """Result and call: the call is folded unless its own hook was lost."""
    tool, call_id, given = _tool(payload)
    if tool is None or is_own(tool, payload.get("mcp_server")):
        return moment.replace(kind=kinds.TOOL_AFTER)
    result = result_draft(
        tool,
        call_id,
        given,
        payload.get("tool_response"),
        error=error,
        interrupted=payload.get("is_interrupt") is True,
        duration_ms=payload.get("duration_ms"),
    )
    told = (call_draft(tool, call_id, given), result, todo_draft(tool, call_id, given, payload.get("tool_response")))
    return moment.replace(kind=kinds.TOOL_AFTER, drafts=tuple(draft for draft in told if draft is not None))


def _tool_batch(moment: Moment, payload: dict[str, Any]) -> Moment:
    """The results of one message's calls again, for those whose own hook was lost."""
    calls = payload.get("tool_calls")
    drafts = []
    for call in calls if isinstance(calls, list) else ():
        if not isinstance(call, dict):
            continue
        tool, call_id, given = _tool(call)
        if tool is not None and call_id is not None and not is_own(tool, call.get("mcp_server")):
            result = result_draft(tool, call_id, given, call.get("tool_response"))
            # the batch does not say how a call ended: it stands in only where the call's own result is missing
            drafts.append(result.replace(outcome=events.UNKNOWN, key=f"batch:{call_id}", unless=f"result:{call_id}"))
    return moment.replace(kind=kinds.TOOL_AFTER, drafts=tuple(drafts))


def _stop(moment: Moment, payload: dict[str, Any]) -> Moment:
    prompt_id = _text(payload, "prompt_id")
    end = Draft(type=events.TURN_END, origin="host", body={}, key=f"turn:{prompt_id}" if prompt_id else None)
    return moment.replace(kind=kinds.STOP, drafts=(*_last_words(payload), end))


def _last_words(payload: dict[str, Any]) -> tuple[Draft, ...]:
    text = strip(_text(payload, "last_assistant_message") or "")
    return (answer_draft(text, _text(payload, "prompt_id")),) if text.strip() else ()


def _subagent(moment: Moment, payload: dict[str, Any]) -> Moment:
    """A subagent began: told in its parent's log."""
    return _in_parent(moment, events.SUBAGENT_START, "agent-start")


def _subagent_stop(moment: Moment, payload: dict[str, Any]) -> Moment:
    """A subagent ended: told in its parent's log, its last words in its own."""
    told = _in_parent(moment, events.SUBAGENT_END, "agent-end")
    words = _last_words(payload) if told.drafts else ()
    return told.replace(extra=((moment.header, words),) if words else ())


def _in_parent(moment: Moment, type_: str, key: str) -> Moment:
    """The moment in the parent's log: one event about the subagent; none for compaction's own, which has no type."""
    agent_id, agent_type = moment.header.agent_id, moment.header.agent_type
    parent = moment.replace(kind=kinds.SUBAGENT, header=moment.header.replace(agent_id=None, agent_type=None))
    if agent_id is None or agent_type is None:
        return parent
    body = {"agent_id": agent_id, "agent_type": agent_type}
    return parent.replace(drafts=(Draft(type=type_, origin="host", body=body, key=f"{key}:{agent_id}"),))


def _compact_before(moment: Moment, payload: dict[str, Any]) -> Moment:
    prompt_id = _text(payload, "prompt_id")
    body = {"trigger": _text(payload, "trigger"), "instructions": _text(payload, "custom_instructions")}
    key = f"compact-start:{prompt_id}" if prompt_id else None
    return moment.replace(
        kind=kinds.COMPACTION, drafts=(Draft(type=events.COMPACTION_START, origin="host", body=body, key=key),)
    )


def _compact_after(moment: Moment, payload: dict[str, Any]) -> Moment:
    summary = strip(_text(payload, "compact_summary") or "")
    return moment.replace(kind=kinds.COMPACTION, drafts=(summary_draft(summary),) if summary.strip() else ())


def _session_end(moment: Moment, payload: dict[str, Any]) -> Moment:
    body = {"reason": _text(payload, "reason")}
    return moment.replace(kind=kinds.SESSION_END, drafts=(Draft(type=events.SESSION_END, origin="host", body=body),))


READERS: dict[str, Callable[[Moment, dict[str, Any]], Moment]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "PreToolUse": _tool_before,
    "PostToolUse": _tool_after,
    "PostToolUseFailure": _tool_failed,
    "PostToolBatch": _tool_batch,
    "Stop": _stop,
    "SubagentStart": _subagent,
    "SubagentStop": _subagent_stop,
    "PreCompact": _compact_before,
    "PostCompact": _compact_after,
    "SessionEnd": _session_end,
}
