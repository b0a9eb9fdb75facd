"""Owns Claude Code's transcripts: where they lie, and their records as drafts. Never stores anything.

Keys are those of live capture (`hooks`, `tools`), so what both saw is one event. Between entries only a small state is
kept, free of conversation: a call's input and the title are read again where they stand.
"""

from __future__ import annotations

import os

from segue.hosts.claude_code.hooks import NAME, answer_draft, is_hosts_own, prompt_draft, summary_draft
from segue.hosts.claude_code.tools import call_draft, is_own, output_text, result_draft, todo_draft
from segue.hosts.lines import CUT_OFF, first_records, head, lines, record, source
from segue.model import event as events
from segue.model.event import Draft
from segue.model.frame import strip
from segue.model.instant import from_text
from segue.model.record import Record
from segue.model.session import SessionHeader
from segue.model.transcript import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from segue.hosts.lines import Line
    from segue.model.transcript import Source

#: record types that are understood and hold nothing worth a draft
SILENT = (
    "queue-operation", "last-prompt", "mode", "cost-state", "tools-used", "atis-latch", "summary", "continued-in",
    "file-history-snapshot", "api-request", "api-request-shape", "api-request-blob",
)  # fmt: skip
#: beginnings of error results that say nothing about how the work would have ended
NOT_RUN = ("[Request interrupted by user", "The user doesn't want to")
#: subagents that the host runs for itself: their logs repeat the conversation
HOST_AGENTS = ("agent-acompact-", "agent-aprompt_suggestion-")
#: open calls that are remembered, and inputs of them that are kept at hand
MAX_CALLS, INPUTS_AT_HAND = 500, 16
KIND_CHARS = 60


class Known(Record):
    """What a reader remembers between records. JSON data, and no words of the conversation."""

    session: str
    agent_id: str | None = None
    agent_type: str | None = None
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    started_at: str | None = None
    #: where the record of the title begins
    title_at: int | None = None
    prompt_id: str | None = None
    #: the prompt whose first words were told
    asked: str | None = None
    #: open calls by id: the tool's name and where the call's record begins
    calls: dict[str, list[Any]] = {}
    #: a compaction that began, until its prompt's id is known: uuid, time, trigger
    compaction: list[Any] | None = None


class Place(Record):
    """Where a record stands, and what is at hand of earlier ones: inputs of open calls by id, and the title."""

    path: str
    start: int
    inputs: dict[str, Any]
    titles: dict[int, str | None]


class Taken(Record):
    """What one record gave."""

    known: Known
    drafts: tuple[Draft, ...] = ()
    skipped: str | None = None


def discover(folder: str) -> Iterator[Source]:
    """Every transcript in Claude Code's folder, a session before its subagents; no folder is entered twice."""
    yield from _below(os.path.join(folder, "projects"), set())


def _below(folder: str, seen: set[str]) -> Iterator[Source]:
    real = os.path.realpath(folder)
    if real in seen:
        return
    seen.add(real)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    paths = [os.path.join(folder, name) for name in names]
    for path in paths:
        if path.endswith(".jsonl") and not os.path.basename(path).startswith(HOST_AGENTS):
            yield from source(NAME, path)
    for path in paths:
        if os.path.isdir(path):
            yield from _below(path, seen)


def claims(path: str) -> bool:
    """Whether a file is a transcript of Claude Code, by its first records."""
    beginning = head(path)
    for value in first_records(beginning):
        kind = value.get("type")
        if isinstance(kind, str) and kind in READERS and _is_ours(value):
            return True
    return (
        beginning.startswith("{")
        and '"parentUuid":' in beginning
        and '"sessionId":"' in beginning
        and "\n" not in beginning
    )


def _is_ours(value: dict[str, Any]) -> bool:
    """Whether a record has a field that only this host gives its type."""
    if _text(value, "sessionId") or isinstance(value.get("message"), dict):
        return True
    return _text(value, "leafUuid") is not None or isinstance(value.get("snapshot"), dict)


def read(path: str, position: int, state: dict[str, Any], query: object = None) -> Iterator[Entry]:
    """The entries of a transcript from a position on; `state` is that of the entry before it."""
    del query
    known = Known(**{name: value for name, value in state.items() if name in Known._fields}) if state else _start(path)
    place = Place(path=path, start=position, inputs={}, titles={})
    remembered, header = known.as_dict(), _header(known, place)
    for line in lines(path, position):
        place = place.replace(start=line.start)
        kind, taken = _take(known, line, place)
        if taken.known is not known:
            known = taken.known
            remembered, header = known.as_dict(), _header(known, place)
        yield Entry(
            position=line.start if line.problem == CUT_OFF else line.end,
            state=remembered,
            kind=kind,
            header=header,
            drafts=taken.drafts,
            skipped=taken.skipped,
        )


def _start(path: str) -> Known:
    """What a transcript's own name tells, and what lies beside a subagent's."""
    name = os.path.basename(path).removesuffix(".jsonl").removeprefix("subagents__")
    if not name.startswith("agent-"):
        return Known(session=name)
    folder = os.path.dirname(os.path.abspath(path))
    session = os.path.basename(os.path.dirname(folder) if os.path.basename(folder) == "subagents" else folder)
    told = record(head(path.removesuffix(".jsonl") + ".meta.json")) or {}
    return Known(session=session, agent_id=name.removeprefix("agent-"), agent_type=_text(told, "agentType"))


def _header(known: Known, place: Place) -> SessionHeader:
    return SessionHeader(
        host=NAME,
        host_session_id=known.session,
        agent_id=known.agent_id,
        agent_type=known.agent_type,
        cwd=known.cwd,
        branch=known.branch,
        model=known.model,
        started_at=known.started_at,
        title=_title(known.title_at, place),
    )


def _title(at: int | None, place: Place) -> str | None:
    if at is None:
        return None
    if at not in place.titles:
        told = _again(place.path, at)
        place.titles.clear()
        place.titles[at] = next(
            (_text(told, name) for name in ("aiTitle", "customTitle", "title") if _text(told, name)), None
        )
    return place.titles[at]


def _again(path: str, start: int) -> dict[str, Any]:
    """A record that was read before."""
    line = next(lines(path, start), None)
    return (record(line.text) if line is not None and line.text is not None else None) or {}


def _take(known: Known, line: Line, place: Place) -> tuple[str, Taken]:
    """The kind of a line and what it gave."""
    if line.problem is not None or line.text is None:
        return "line", Taken(known=known, skipped=line.problem)
    value = record(line.text)
    if value is None:
        return "line", Taken(known=known, skipped="not-a-record")
    kind = value.get("type")
    reader = READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        return str(kind)[:KIND_CHARS], Taken(known=known, skipped="unknown-type")
    known = _learn(known, value)
    if value.get("isSidechain") is True and known.agent_id is None:  # an older release's subagent inside its parent
        return _kind(value), Taken(known=known, skipped="sidechain")
    return _kind(value), reader(known, value, place)


def _kind(value: dict[str, Any]) -> str:
    """The record's type, with its subtype where types are many things."""
    kind = str(value["type"])
    inner = value.get("attachment")
    subtype = value.get("subtype") if kind == "system" else inner.get("type") if isinstance(inner, dict) else None
    return f"{kind}:{subtype}"[:KIND_CHARS] if kind in ("system", "attachment") and isinstance(subtype, str) else kind


def _learn(known: Known, value: dict[str, Any]) -> Known:
    """What a record says of its session. The first folder stays; a session belongs to where it began."""
    told = {
        "session": _text(value, "sessionId") or known.session,
        "cwd": known.cwd or _text(value, "cwd"),
        "branch": _text(value, "gitBranch") or known.branch,
        "started_at": known.started_at or from_text(value.get("timestamp")),
    }
    return known if all(getattr(known, name) == now for name, now in told.items()) else known.replace(**told)


def _text(value: dict[str, Any], name: str) -> str | None:
    found = value.get(name)
    return found if isinstance(found, str) and found else None


def _silent(known: Known, _value: dict[str, Any], _place: Place) -> Taken:
    return Taken(known=known)


def _titled(known: Known, _value: dict[str, Any], place: Place) -> Taken:
    return Taken(known=known.replace(title_at=place.start))


def _system(known: Known, value: dict[str, Any], _place: Place) -> Taken:
    """A compaction is told when the next record of the user names its prompt, as the hook did."""
    if value.get("subtype") != "compact_boundary":
        return Taken(known=known)
    about = value.get("compactMetadata")
    trigger = _text(about, "trigger") if isinstance(about, dict) else None
    return Taken(known=known.replace(compaction=[_text(value, "uuid"), from_text(value.get("timestamp")), trigger]))


def _user(known: Known, value: dict[str, Any], place: Place) -> Taken:
    prompt_id = _text(value, "promptId")
    if prompt_id is not None and prompt_id != known.prompt_id:
        known = known.replace(prompt_id=prompt_id)
    drafts: list[Draft] = []
    if known.compaction is not None:
        drafts.append(_compaction(known.compaction, prompt_id))
        known = known.replace(compaction=None)
    blocks = _blocks(value)
    results = [block for block in blocks if block.get("type") == "tool_result"]
    known, told, skipped = _results(known, value, results, place)
    drafts += told
    said, own = _said(blocks)
    time = from_text(value.get("timestamp"))
    if value.get("isCompactSummary") is True:
        drafts += [summary_draft(said, time)] if said else []
    elif said and not _hosts_own(value, said):
        drafts.append(_prompt(known, said, prompt_id, value, time))
        known = known.replace(asked=prompt_id)
    return Taken(known=known, drafts=tuple(drafts), skipped=skipped or ("own-block" if own and not drafts else None))


def _compaction(told: list[Any], prompt_id: str | None) -> Draft:
    uuid, time, trigger = told
    name = prompt_id or uuid
    key = f"compact-start:{name}" if name else f"compact-start:{time}"
    body = {"trigger": trigger, "instructions": None}
    return Draft(type=events.COMPACTION_START, origin="host", body=body, key=key, time=time)


def _prompt(known: Known, said: str, prompt_id: str | None, value: dict[str, Any], time: str | None) -> Draft:
    """A prompt under the host's id; further words under the same id are events of their own."""
    draft = prompt_draft(said, prompt_id, time, by_model=known.agent_id is not None)
    if prompt_id is None or prompt_id != known.asked:
        return draft
    return draft.replace(key=f"{draft.key}:{_text(value, 'uuid') or ''}", key_on_text="uuid" not in value)


def _blocks(value: dict[str, Any]) -> list[dict[str, Any]]:
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _said(blocks: list[dict[str, Any]]) -> tuple[str, bool]:
    """A message's words, images as what they were, and whether nothing but Segue's own block was in it."""
    parts = [block for block in blocks if block.get("type") in ("text", "image", "document")]
    whole = "\n".join(part for part in map(output_text, ([part] for part in parts)) if part)
    said = strip(whole)
    return (said, False) if said.strip() else ("", bool(whole.strip()))


def _hosts_own(value: dict[str, Any], said: str) -> bool:
    """Whether the host wrote this in the user's name."""
    if value.get("isMeta") is True or value.get("isVisibleInTranscriptOnly") is True:
        return True
    return is_hosts_own(said)


def _results(
    known: Known, value: dict[str, Any], blocks: list[dict[str, Any]], place: Place
) -> tuple[Known, list[Draft], str | None]:
    """The results in a record. One whose call is not known cannot be told from Segue's own, so it is left out."""
    drafts: list[Draft] = []
    skipped = None
    for block in blocks:
        call_id = _text(block, "tool_use_id")
        call = known.calls.get(call_id) if call_id else None
        if call_id is None or call is None:
            skipped = skipped or "no-call"
            continue
        tool = str(call[0])
        if is_own(tool):
            skipped = skipped or "own-block"
        else:
            structured = value.get("toolUseResult") if len(blocks) == 1 else None
            told = _result(tool, call_id, _given(call_id, call, place), block, structured)
            time = from_text(value.get("timestamp"))
            drafts += [draft.replace(time=time) for draft in told]
        known = known.replace(calls={key: kept for key, kept in known.calls.items() if key != call_id})
    return known, drafts, None if drafts else skipped


def _result(tool: str, call_id: str, given: Any, block: dict[str, Any], structured: Any) -> list[Draft]:
    if block.get("is_error") is True:
        error = output_text(block.get("content")).removeprefix("<tool_use_error>").removesuffix("</tool_use_error>")
        interrupted = error.startswith(NOT_RUN)
        return [result_draft(tool, call_id, given, None, error=error or "failed", interrupted=interrupted)]
    response = structured if isinstance(structured, (dict, list)) and structured else block.get("content")
    todo = todo_draft(tool, call_id, given, response)
    told = [result_draft(tool, call_id, given, response), *([todo] if todo is not None else [])]
    return told + (_subagent(response) if tool in ("Agent", "Task") and isinstance(response, dict) else [])


def _subagent(response: dict[str, Any]) -> list[Draft]:
    """That a subagent began and ended, under the keys of its hooks."""
    agent_id, agent_type = _text(response, "agentId"), _text(response, "agentType")
    if agent_id is None or agent_type is None:
        return []
    body = {"agent_id": agent_id, "agent_type": agent_type}
    start = Draft(type=events.SUBAGENT_START, origin="host", body=body, key=f"agent-start:{agent_id}")
    if response.get("status") != "completed":
        return [start]
    return [start, start.replace(type=events.SUBAGENT_END, key=f"agent-end:{agent_id}")]


def _given(call_id: str, call: list[Any], place: Place) -> Any:
    """A call's input: at hand, or read again where it stands."""
    if call_id in place.inputs:
        return place.inputs.pop(call_id)
    blocks = _blocks(_again(place.path, call[1]))
    return next((block.get("input") for block in blocks if block.get("id") == call_id), None)


def _assistant(known: Known, value: dict[str, Any], place: Place) -> Taken:
    message = value.get("message")
    model = _text(message, "model") if isinstance(message, dict) else None
    if value.get("isApiErrorMessage") is True or model == "<synthetic>":  # the host's words, not the model's
        return Taken(known=known)
    if model is not None and model != known.model:
        known = known.replace(model=model)
    time = from_text(value.get("timestamp"))
    drafts: list[Draft] = []
    own = False
    for number, block in enumerate(_blocks(value)):
        text = _text(block, "text") if block.get("type") == "text" else None
        if text is not None:
            said = strip(text)
            drafts += [answer_draft(said, known.prompt_id, time)] if said.strip() else []
        tool = _text(block, "name") if block.get("type") == "tool_use" else None
        if tool is not None:
            call_id = _text(block, "id") or f"{_text(value, 'uuid')}.{number}"
            known = _open(known, call_id, tool, place, block.get("input"))
            own = own or is_own(tool)
            drafts += [] if is_own(tool) else [call_draft(tool, call_id, block.get("input"), time)]
    return Taken(known=known, drafts=tuple(drafts), skipped="own-block" if own and not drafts else None)


def _open(known: Known, call_id: str, tool: str, place: Place, given: Any) -> Known:
    """Remember a call until its result: the newest ones."""
    calls = {**known.calls, call_id: [tool, place.start]}
    while len(calls) > MAX_CALLS:
        del calls[next(iter(calls))]
    place.inputs[call_id] = given
    while len(place.inputs) > INPUTS_AT_HAND:
        del place.inputs[next(iter(place.inputs))]
    return known.replace(calls=calls)


READERS: dict[str, Callable[[Known, dict[str, Any], Place], Taken]] = {
    **dict.fromkeys(SILENT, _silent),
    "attachment": _silent,
    "ai-title": _titled,
    "custom-title": _titled,
    "system": _system,
    "user": _user,
    "assistant": _assistant,
}
