"""Owns reading Codex's rollouts: JSON lines that are only ever appended to. Never writes to them.

One text is often told twice, as a `response_item` and as an `event_msg`; the first is preferred, and the second is used
by rollouts of older releases that have nothing else. What later lines need of earlier ones is in the state, so that
reading can be taken up after any line.
"""

from __future__ import annotations

import os

from segue.hosts.codex.tools import Call, call_draft, call_of, content_text, item_text, result_draft, todo_draft
from segue.hosts.lines import CUT_OFF, first_records, head, lines, record, source
from segue.model import event as events
from segue.model.event import Draft
from segue.model.frame import strip
from segue.model.instant import from_text
from segue.model.session import SessionHeader
from segue.model.transcript import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from segue.model.transcript import Query, Source

    State = dict[str, Any]
    Told = tuple[tuple[Draft, ...], str | None]

NAME = "codex"
#: as much of a foreign kind as is told
KIND_CHARS = 60
#: calls whose results are still awaited; the oldest is forgotten first
OPEN_CALLS = 256
OWN, UNKNOWN_TYPE, NOT_A_RECORD = "own-block", "unknown-type", "not-a-record"

#: record types that hold nothing to remember
SILENT = ("world_state", "token_usage_record", "inter_agent_communication")
SILENT_ITEMS = ("reasoning", "ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other")
SILENT_EVENTS = (
    "task_started", "task_complete", "turn_started", "turn_complete", "turn_aborted", "token_count",
    "thread_settings_applied", "thread_rolled_back", "item_started", "item_completed", "agent_reasoning",
    "agent_reasoning_raw_content", "agent_reasoning_section_break", "context_compacted", "entered_review_mode",
    "exited_review_mode", "exec_command_begin", "exec_command_end", "patch_apply_begin", "patch_apply_end",
    "mcp_tool_call_begin", "mcp_tool_call_end", "web_search_begin", "web_search_end", "view_image_tool_call",
    "plan_update", "turn_diff", "background_event", "session_configured", "error", "warning", "stream_error",
    "undo_started", "undo_completed",
)  # fmt: skip
CALLS = ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "web_search_call")
RESULTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output")
#: how texts begin that Codex writes in the user's name, where no metadata says so
HOST_TEXTS = (
    "<environment_context", "<user_instructions", "<hook_prompt", "<turn_aborted", "<user_shell_command",
    "<subagent_notification", "<skill", "<permissions instructions", "<INSTRUCTIONS", "# AGENTS.md instructions for",
)  # fmt: skip
SUMMARY_OPENING = "Another language model started to solve this problem"


def discover(folder: str) -> Iterator[Source]:
    """Every rollout in Codex's folder, oldest first."""
    for below, folders, names in os.walk(os.path.join(folder, "sessions")):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(below, name)
            if name.startswith("rollout-") and name.endswith(".jsonl"):
                yield from source(NAME, path)


def claims(path: str) -> bool:
    """Whether one of a file's first lines is a record of a rollout."""
    return path.endswith(".jsonl") and any(map(_is_ours, first_records(head(path))))


def _is_ours(told: dict[str, Any]) -> bool:
    kind = told.get("type")
    return isinstance(kind, str) and kind in READERS and isinstance(told.get("payload"), dict)


def read(path: str, position: int, state: dict[str, Any], query: Query) -> Iterator[Entry]:
    """The entries of a rollout from a position on."""
    rollout = _Rollout(path, dict(state))
    for line in lines(path, position):
        if line.problem == CUT_OFF:
            if rollout.state.get("cut") != line.start:  # told once: it is read again when its end is there
                rollout.set(cut=line.start)
                yield rollout.entry(line.start, "line", ((), CUT_OFF))
            return
        told = record(line.text) if line.text is not None else None
        if told is None:
            yield rollout.entry(line.end, "line", ((), line.problem or NOT_A_RECORD))
            continue
        kind, taken = rollout.take(told, line.start)
        yield rollout.entry(line.end, kind, taken)


class _Rollout:
    """One reading of a rollout: its state is replaced, never changed, since entries hold it."""

    def __init__(self, path: str, state: State) -> None:
        self.path = path
        self.state = state
        self.calls: dict[str, Call] = {}

    def entry(self, position: int, kind: str, told: Told) -> Entry:
        header = self.state.get("header")
        return Entry(
            position=position,
            state=self.state,
            kind=kind,
            header=SessionHeader(**header) if header else None,
            drafts=told[0],
            skipped=told[1],
        )

    def take(self, line: dict[str, Any], start: int) -> tuple[str, Told]:
        """The kind of a record, and what it tells."""
        kind, payload = line.get("type"), line.get("payload")
        reader = READERS.get(kind) if isinstance(kind, str) else None
        if reader is None or not isinstance(payload, dict):
            known = isinstance(kind, str) and kind in SILENT
            return str(kind)[:KIND_CHARS], ((), None if known else UNKNOWN_TYPE)
        if "header" not in self.state and kind != "session_meta":
            self.set(header=_header_of_name(self.path))
        part = payload.get("type")
        name = f"{kind}:{part}" if isinstance(part, str) and kind in ("response_item", "event_msg") else str(kind)
        return name[:KIND_CHARS], reader(self, payload, line, start)

    def set(self, **changes: Any) -> None:
        self.state = {**self.state, **changes}

    def remember(self, call: Call, key: str, start: int) -> None:
        """Keep where a call stands until its result comes."""
        self.calls[key] = call
        calls = {**self.state.get("calls", {}), key: start}
        for old in list(calls)[:-OPEN_CALLS]:
            del calls[old]
            self.calls.pop(old, None)
        self.set(calls=calls)

    def recall(self, key: str) -> Call | None:
        """The call of a result, read again from the file if it was read in another run."""
        calls = dict(self.state.get("calls", {}))
        start = calls.pop(key, None)
        call = self.calls.pop(key, None)
        if start is None:
            return call
        self.set(calls=calls)
        if call is not None:
            return call
        text = next((line.text for line in lines(self.path, start)), None)
        payload = (record(text or "") or {}).get("payload")
        return call_of(payload) if isinstance(payload, dict) else None


def _header_of_name(path: str) -> dict[str, Any]:
    """What a rollout's name says of its session, where no record does: rollout-TIME-ID.jsonl."""
    name = os.path.basename(path).removesuffix(".jsonl")
    return SessionHeader(host=NAME, host_session_id=name[-36:] or name).as_dict()


def _session_meta(rollout: _Rollout, payload: dict[str, Any], line: dict[str, Any], start: int) -> Told:
    """Who ran what; a fork repeats its origin's after its own."""
    if "header" in rollout.state:
        return (), None
    own = _text(payload.get("id")) or _text(payload.get("session_id"))
    if own is None:
        return (), NOT_A_RECORD
    git = payload.get("git")
    parent, agent_type = _parent(payload)
    root = _text(payload.get("session_id"))
    if root is None or root == own:
        root = parent
    header = SessionHeader(
        host=NAME,
        host_session_id=own if parent is None else root or parent,
        agent_id=own if parent else None,
        agent_type=agent_type if parent else None,
        parent_agent_id=parent if parent != root else None,
        cwd=_text(payload.get("cwd")),
        branch=_text(git.get("branch")) if isinstance(git, dict) else None,
        started_at=from_text(payload.get("timestamp")) or from_text(line.get("timestamp")),
    )
    rollout.set(header=header.as_dict())
    source = payload.get("source")
    if parent or (isinstance(source, dict) and "subagent" in source):
        rollout.set(asker="model")
    return (), None


def _parent(payload: dict[str, Any]) -> tuple[str | None, str | None]:
    """The thread that started this one as a subagent, and what kind of agent this is."""
    spawn: Any = payload
    for name in ("source", "subagent", "thread_spawn"):
        spawn = spawn.get(name) if isinstance(spawn, dict) else None
    told = spawn if isinstance(spawn, dict) else {}
    parent = _text(told.get("parent_thread_id")) or _text(payload.get("parent_thread_id"))
    return parent, _text(told.get("agent_role")) or _text(payload.get("agent_role"))


def _turn_context(rollout: _Rollout, payload: dict[str, Any], line: dict[str, Any], start: int) -> Told:
    header = rollout.state["header"]
    told = {"model": _text(payload.get("model")) or header["model"], "cwd": header["cwd"] or _text(payload.get("cwd"))}
    if any(header[name] != value for name, value in told.items()):
        rollout.set(header={**header, **told})
    return (), None


def _response_item(rollout: _Rollout, payload: dict[str, Any], line: dict[str, Any], start: int) -> Told:
    kind = payload.get("type")
    time = from_text(line.get("timestamp"))
    if kind == "message":
        return _message(rollout, payload, line, time)
    if kind in CALLS:
        return _call(rollout, payload, start, time)
    if kind in RESULTS:
        return _result(rollout, payload, start, time)
    return (), None if kind in SILENT_ITEMS else UNKNOWN_TYPE


def _message(rollout: _Rollout, payload: dict[str, Any], line: dict[str, Any], time: str | None) -> Told:
    role = payload.get("role")
    if role not in ("user", "assistant") or _is_compaction(line):
        return (), None if role in ("user", "assistant", "developer", "system") else UNKNOWN_TYPE
    metadata = payload.get("internal_chat_message_metadata_passthrough", payload.get("metadata"))
    metadata = metadata if isinstance(metadata, dict) else {}
    whole = _user_text(payload, metadata) if role == "user" else content_text(payload.get("content"))
    text = strip(whole)
    if not text.strip():
        return (), OWN if whole.strip() else None
    echo = rollout.state.get("echo", {})
    if rollout.state.get("texts") != "response_item" or echo:
        rollout.set(texts="response_item", echo={})
    if echo.get(role) == _digest(text):  # the event before it told the same words
        return (), None
    message_id = _text(payload.get("id"))
    if role == "assistant":
        return (_answer(text, message_id, time),), None
    return (_prompt(rollout, text, _text(metadata.get("turn_id")), message_id, time),), None


def _is_compaction(line: dict[str, Any]) -> bool:
    metadata = line.get("metadata")
    return isinstance(metadata, dict) and metadata.get("compaction_output") is True


def _user_text(payload: dict[str, Any], metadata: dict[str, Any]) -> str:
    """What the user wrote of a message in the user's name: items that the host put there are left out."""
    content = payload.get("content")
    items = content if isinstance(content, list) else [content]
    kinds = metadata.get("content_item_kinds")
    if not isinstance(kinds, list) or len(kinds) != len(items):
        kinds = [None] * len(items)
    kept = [text for item, kind in zip(items, kinds, strict=True) if not _is_host_text(text := item_text(item), kind)]
    return "\n".join(text for text in kept if text)


def _is_host_text(text: str, kind: object) -> bool:
    if isinstance(kind, str) and kind.startswith("user."):
        return False
    start = text.lstrip()
    if start.startswith(HOST_TEXTS) or start.startswith(SUMMARY_OPENING):
        return True
    name = start[1 : start.find(">")] if start.startswith("<") else ""
    wrapped = bool(name) and name.isidentifier() and start.rstrip().endswith(f"</{name}>")
    return wrapped and ("_" in name or isinstance(kind, str))


def _prompt(rollout: _Rollout, text: str, turn: str | None, message_id: str | None, time: str | None) -> Draft:
    """What a user asked, or the model that a subagent works for.

    The first message of a turn has the turn's id, as hooks tell it; later ones their own too.
    """
    key = f"prompt:{turn}" if turn else f"prompt:{time or ''}:"
    again = turn is not None and rollout.state.get("turn") == turn
    if again:
        key += f":{message_id or time or ''}"
    if turn is not None and not again:
        rollout.set(turn=turn)
    origin = rollout.state.get("asker", "user")
    return Draft(
        type=events.USER_MESSAGE, origin=origin, body={"text": text}, key=key, key_on_text=turn is None, time=time
    )


def _answer(text: str, message_id: str | None, time: str | None) -> Draft:
    return Draft(
        type=events.ASSISTANT_MESSAGE,
        origin="model",
        body={"text": text},
        key=f"text:{message_id}" if message_id else f"text:{time or ''}:",
        key_on_text=message_id is None,
        time=time,
    )


def _call(rollout: _Rollout, payload: dict[str, Any], start: int, time: str | None) -> Told:
    call = call_of(payload)
    key = call.call_id or f"@{start}"  # lines never move, so their place is an id
    if payload.get("type") != "web_search_call":  # its result is never told
        rollout.remember(call, key, start)
    if call.own:
        return (), OWN
    drafts = (call_draft(call, key, time), todo_draft(call, key, time))
    return tuple(draft for draft in drafts if draft is not None), None


def _result(rollout: _Rollout, payload: dict[str, Any], start: int, time: str | None) -> Told:
    call_id = _text(payload.get("call_id")) or _text(payload.get("id"))
    key = call_id or f"@{start}"
    call = rollout.recall(key) or call_of({"type": "unknown", "call_id": call_id})
    if call.own:
        return (), OWN
    return (result_draft(call, payload, key, time),), None


def _event(rollout: _Rollout, payload: dict[str, Any], line: dict[str, Any], start: int) -> Told:
    kind = payload.get("type")
    if kind == "thread_name_updated":
        title = _text(payload.get("thread_name"))
        rollout.set(header={**rollout.state["header"], "title": title or rollout.state["header"]["title"]})
        return (), None
    if kind not in ("user_message", "agent_message"):
        return (), None if kind in SILENT_EVENTS else UNKNOWN_TYPE
    whole = _text(payload.get("message")) or ""
    text = strip(whole)
    if not text.strip():
        return (), OWN if whole.strip() else None
    if rollout.state.get("texts") == "response_item":
        return (), None
    time = from_text(line.get("timestamp"))
    if kind == "agent_message":
        rollout.set(echo={**rollout.state.get("echo", {}), "assistant": _digest(text)})
        return (_answer(text, None, time),), None
    if _is_host_text(text, None):
        return (), None
    rollout.set(echo={**rollout.state.get("echo", {}), "user": _digest(text)})
    return (_prompt(rollout, text, None, None, time),), None


def _compacted(rollout: _Rollout, payload: dict[str, Any], line: dict[str, Any], start: int) -> Told:
    """What Codex kept of the conversation. The history it goes on with was told before."""
    text = strip(_bare_summary(_text(payload.get("message")) or ""))
    if not text.strip():
        return (), None
    time = from_text(line.get("timestamp"))
    key = f"summary:{_text(payload.get('window_id')) or f'@{start}'}"
    summary = Draft(
        type=events.COMPACTION_SUMMARY, origin="host_summary", body={"text": text.strip()}, key=key, time=time
    )
    return (summary,), None


def _bare_summary(text: str) -> str:
    """The summary without the paragraph that hands it to the next model."""
    if text.startswith(SUMMARY_OPENING) and "\n" in text:
        text = text.partition("\n")[2]
    start, end = text.find("<summary>"), text.rfind("</summary>")
    return text[start + 9 : end] if 0 <= start < end else text


def _digest(text: str) -> str:
    from hashlib import sha256

    return sha256(text.strip().encode("utf-8", "replace")).hexdigest()[:16]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


if TYPE_CHECKING:
    Reader = Callable[[_Rollout, dict[str, Any], dict[str, Any], int], Told]

READERS: dict[str, Reader] = {
    "session_meta": _session_meta,
    "turn_context": _turn_context,
    "response_item": _response_item,
    "event_msg": _event,
    "compacted": _compacted,
}
