"""Owns Gemini CLI's transcripts: where they lie, and their records as drafts. Never stores anything.

The host writes a message again when its tools have ended, and whole lists of messages again after a resume or a
compression: keys are made from its ids, so that what is told again folds.
"""

from __future__ import annotations

import os

from segue.hosts.gemini.tools import call_draft, is_own, result_draft, todo_draft
from segue.hosts.lines import CUT_OFF, TOO_LONG, first_records, head, lines, record, source, whole_characters
from segue.model import event as events
from segue.model.attachment import describe
from segue.model.event import Draft
from segue.model.frame import strip
from segue.model.instant import from_text
from segue.model.record import Record
from segue.model.session import SessionHeader
from segue.model.transcript import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from segue.hosts.lines import Line
    from segue.model.transcript import Source

NAME = "gemini"
#: message types that the host writes to the person, and that hold nothing worth a draft
SILENT = ("info", "error", "warning", "system", "about", "help", "stats", "model_stats", "tool_stats", "quit")
#: beginnings of user messages that the host wrote
NOT_A_PROMPT = ("<session_context>", "This is the Gemini CLI. We are setting up the context for our chat")
#: beginnings of what a compression left, and the model's made-up answer to it
SUMMARY = ("<state_snapshot>", "<summary>")
ACKNOWLEDGED = "Got it. Thanks for the additional context!"
HOOK_OPEN, HOOK_CLOSE = "<hook_context>", "</hook_context>"
#: bytes of the older form, one JSON object in one file, beyond which it is not read
MAX_FILE_BYTES = 64 * 1024 * 1024
KIND_CHARS = 60


class Known(Record):
    """What a reader remembers between records. JSON data, and no words of the conversation.

    `done` is how many messages of an older file were told; 0 before and after.
    """

    session: str | None = None
    cwd: str | None = None
    model: str | None = None
    started_at: str | None = None
    done: int = 0


class Taken(Record):
    """What one record gave."""

    kind: str
    known: Known
    drafts: tuple[Draft, ...] = ()
    skipped: str | None = None


def discover(folder: str) -> Iterator[Source]:
    """Every transcript in Gemini CLI's folder, by project and name."""
    root = os.path.join(folder, "tmp")
    for project in _names(root):
        chats = os.path.join(root, project, "chats")
        for name in _names(chats):
            path = os.path.join(chats, name)
            if name.startswith("session-") and name.endswith((".json", ".jsonl")):
                yield from source(NAME, path)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def claims(path: str) -> bool:
    """Whether a file is a transcript of Gemini CLI, by its header."""
    beginning = head(path)
    first = next(first_records(beginning), None)
    if first is not None:
        return isinstance(first.get("sessionId"), str) and "projectHash" in first
    start = beginning[:2000]  # one object over many lines, or a long one
    return start.lstrip().startswith("{") and '"sessionId"' in start and '"projectHash"' in start


def read(path: str, position: int, state: dict[str, Any], query: object = None) -> Iterator[Entry]:
    """The entries of a transcript from a position on; `state` is that of the entry before it."""
    del query
    known = Known(**{name: value for name, value in state.items() if name in Known._fields})
    if path.endswith(".json"):
        yield from _read_whole(path, position, known)
        return
    for line in lines(path, position):
        taken = _take(known, line, path)
        known = taken.known
        yield _entry(taken, line.start if line.problem == CUT_OFF else line.end)


def _entry(taken: Taken, position: int) -> Entry:
    known = taken.known
    header = None
    if known.session is not None:
        header = SessionHeader(
            host=NAME, host_session_id=known.session, cwd=known.cwd, model=known.model, started_at=known.started_at
        )
    return Entry(
        position=position,
        state=known.as_dict(),
        kind=taken.kind,
        header=header,
        drafts=taken.drafts,
        skipped=taken.skipped,
    )


def _read_whole(path: str, position: int, known: Known) -> Iterator[Entry]:
    """The messages of an older file. It is written anew as it grows, so it is told anew when its size has changed."""
    size = os.path.getsize(path)
    if position == size:
        return
    if size > MAX_FILE_BYTES:
        yield _entry(Taken(kind="file", known=known, skipped=TOO_LONG), size)
        return
    with open(path, "rb") as file:
        text = file.read(MAX_FILE_BYTES).decode("utf-8", "replace").removeprefix("\ufeff")
    whole = record(whole_characters(text))
    messages = whole.get("messages") if whole is not None else None
    if whole is None or not isinstance(messages, list):
        yield _entry(Taken(kind="file", known=known, skipped=CUT_OFF if whole is None else "not-a-record"), 0)
        return
    known = _learn(known, whole, path)
    yield from _told_whole(messages, known, size)


def _told_whole(messages: list[Any], known: Known, size: int) -> Iterator[Entry]:
    if not messages:
        yield _entry(Taken(kind="file", known=known), size)
    for number in range(known.done, len(messages)):
        last = number == len(messages) - 1
        message = messages[number]
        known = known.replace(done=0 if last else number + 1)
        if isinstance(message, dict):
            taken = _message(known, message)
        else:
            taken = Taken(kind="message", known=known, skipped="not-a-record")
        known = taken.known
        yield _entry(taken, size if last else 0)


def _take(known: Known, line: Line, path: str) -> Taken:
    """What a line gave."""
    if line.problem is not None or line.text is None:
        return Taken(kind="line", known=known, skipped=line.problem)
    value = record(line.text)
    if value is None:
        return Taken(kind="line", known=known, skipped="not-a-record")
    if "type" in value:
        return _message(known, value)
    if isinstance(value.get("$set"), dict):
        return _patch(known, value["$set"], path)
    if isinstance(value.get("sessionId"), str):
        return Taken(kind="header", known=_learn(known, value, path))
    return Taken(kind="other", known=known, skipped="unknown-type")


def _learn(known: Known, value: dict[str, Any], path: str) -> Known:
    """What a header says of its session; the first folder and the first time stay."""
    return known.replace(
        session=_text(value, "sessionId") or known.session,
        started_at=known.started_at or from_text(value.get("startTime")),
        cwd=known.cwd or _folder(value, path),
    )


def _folder(value: dict[str, Any], path: str) -> str | None:
    """Where a session ran: what the header names, what lies beside the transcripts, or what the host's table says."""
    told = value.get("directories")
    if isinstance(told, list) and told and isinstance(told[0], str):
        return told[0]
    project = os.path.dirname(os.path.dirname(os.path.abspath(path)))
    root = head(os.path.join(project, ".project_root")).strip()
    return root or _from_table(project, _text(value, "projectHash"))


def _from_table(project: str, digest: str | None) -> str | None:
    from hashlib import sha256

    table = record(head(os.path.join(os.path.dirname(os.path.dirname(project)), "projects.json"), 4 * 1024 * 1024))
    projects = table.get("projects") if table is not None else None
    for folder, name in projects.items() if isinstance(projects, dict) else ():
        if name == os.path.basename(project) or sha256(folder.encode("utf-8", "replace")).hexdigest() == digest:
            return str(folder)
    return None


def _patch(known: Known, told: dict[str, Any], path: str) -> Taken:
    """A change of the header, or the whole list of messages again.

    After a compression the list is its summary, the host's answer to that, and earlier messages under new ids: of
    those only tools are told, whose ids stay.
    """
    known = _learn(known, told, path)
    messages = told.get("messages")
    if not isinstance(messages, list):
        return Taken(kind="$set", known=known)
    drafts: list[Draft] = []
    given = _inputs(messages)
    compressed = False
    for number, message in enumerate(messages):
        if not isinstance(message, dict):
            continue
        follows = messages[number + 1] if number + 1 < len(messages) else None
        said = _said(message)
        if message.get("type") == "user" and (said.startswith(SUMMARY) or _acknowledges(follows)):
            drafts.append(_summary(said, from_text(message.get("timestamp"))))
            compressed = True
        elif not _acknowledges(message):
            taken = _message(known, message, given)
            known = taken.known
            drafts += [d for d in taken.drafts if not compressed or d.type not in events.SURFACE_TYPES[:2]]
    return Taken(kind="$set:messages", known=known, drafts=tuple(drafts))


def _summary(said: str, time: str | None) -> Draft:
    for opening in SUMMARY:
        said = said.removeprefix(opening).removesuffix(opening.replace("<", "</")).strip()
    body = {"text": said}
    return Draft(
        type=events.COMPACTION_SUMMARY, origin="host_summary", body=body, key="summary:", key_on_text=True, time=time
    )


def _acknowledges(message: Any) -> bool:
    return isinstance(message, dict) and message.get("type") == "gemini" and _said(message) == ACKNOWLEDGED


def _inputs(messages: list[Any]) -> dict[str, Any]:
    """The inputs of the calls in a list of messages, by the call's id."""
    calls = [part["functionCall"] for message in messages if isinstance(message, dict) for part in _parts(message)
             if isinstance(part.get("functionCall"), dict)]  # fmt: skip
    return {call["id"]: call.get("args") for call in calls if isinstance(call.get("id"), str)}


def _message(known: Known, message: dict[str, Any], given: dict[str, Any] | None = None) -> Taken:
    """What a message gave. `given` are inputs of calls that other messages beside it hold."""
    kind = message.get("type")
    if kind not in ("user", "gemini"):
        skipped = None if kind in SILENT else "unknown-type"
        return Taken(kind=str(kind)[:KIND_CHARS], known=known, skipped=skipped)
    known = known.replace(model=_text(message, "model") or known.model)
    time = from_text(message.get("timestamp"))
    said = _said(message)
    drafts: list[Draft] = []
    if said and not (kind == "user" and said.startswith(NOT_A_PROMPT)):
        drafts.append(_words(str(kind), said, _text(message, "id"), time))
    told, own = _tools(message, given or {}, time)
    drafts += told
    own = own or (not said and bool(_raw(message).strip()) and HOOK_OPEN not in _raw(message))
    return Taken(kind=str(kind), known=known, drafts=tuple(drafts), skipped="own-block" if own and not drafts else None)


def _words(kind: str, said: str, message_id: str | None, time: str | None) -> Draft:
    """A message's words. Its id is its key, so that a message that is written again is not told twice."""
    user = kind == "user"
    return Draft(
        type=events.USER_MESSAGE if user else events.ASSISTANT_MESSAGE,
        origin="user" if user else "model",
        body={"text": said},
        key=f"{'prompt' if user else 'text'}:{message_id or ''}",
        key_on_text=message_id is None,
        time=time,
    )


def _parts(message: dict[str, Any], name: str = "content") -> list[dict[str, Any]]:
    content = message.get(name)
    if isinstance(content, str):
        return [{"text": content}]
    if isinstance(content, dict):
        return [content]
    return [part if isinstance(part, dict) else {"text": part} for part in content] if isinstance(content, list) else []


def _raw(message: dict[str, Any]) -> str:
    """A message's words as the person saw them, and images as what they were."""
    parts = _parts(message, "displayContent") or _parts(message)
    return "\n".join(text for text in map(_part_text, parts) if text)


def _part_text(part: dict[str, Any]) -> str:
    text, data = part.get("text"), part.get("inlineData")
    if isinstance(data, dict) and isinstance(data.get("data"), str):
        return describe(str(data.get("mimeType") or "file"), data["data"])
    return text if isinstance(text, str) and part.get("thought") is not True else ""


def _said(message: dict[str, Any]) -> str:
    """A message's words without what hooks put in."""
    return bare(_raw(message)).strip()


def bare(text: str) -> str:
    """The text without Segue's blocks and without what hooks put in."""
    text = strip(text)
    kept: list[str] = []
    done = 0
    while (at := text.find(HOOK_OPEN, done)) >= 0 and (end := text.find(HOOK_CLOSE, at)) >= 0:
        kept.append(text[done:at])
        done = end + len(HOOK_CLOSE)
    return "".join(kept) + text[done:]


def _text(value: dict[str, Any], name: str) -> str | None:
    found = value.get(name)
    return found if isinstance(found, str) and found else None


def _tools(message: dict[str, Any], given: dict[str, Any], time: str | None) -> tuple[list[Draft], bool]:
    """The calls and results of a message, and whether one of them was of Segue's own tools."""
    drafts: list[Draft] = []
    own = False
    calls = message.get("toolCalls")
    for number, call in enumerate(calls if isinstance(calls, list) else ()):
        tool = _text(call, "name") if isinstance(call, dict) else None
        if tool is None:
            continue
        own = own or is_own(tool)
        call_id = _text(call, "id") or f"{_text(message, 'id')}.{number}"
        drafts += () if is_own(tool) else _called(tool, call_id, call, from_text(call.get("timestamp")) or time)
    for part in _parts(message):
        told = part.get("functionCall") or part.get("functionResponse")
        if not isinstance(told, dict) or not isinstance(told.get("name"), str) or not _text(told, "id"):
            continue
        own = own or is_own(told["name"])
        drafts += () if is_own(told["name"]) else _part_drafts("functionCall" in part, told, given, time)
    return drafts, own


def _part_drafts(is_call: bool, told: dict[str, Any], given: dict[str, Any], time: str | None) -> list[Draft]:
    """A call or result as the model's own message holds it, for those that no `toolCalls` told."""
    tool, call_id = told["name"], told["id"]
    if is_call:
        return [call_draft(tool, call_id, told.get("args"), time)]
    output = bare(_output(told))
    return [result_draft(tool, call_id, given.get(call_id), output=output, status=_status(told), time=time)]


def _called(tool: str, call_id: str, call: dict[str, Any], time: str | None) -> list[Draft]:
    """A call of the message, and its result when it has ended."""
    given = call.get("args")
    drafts = [call_draft(tool, call_id, given, time)]
    todo = todo_draft(tool, call_id, given, time)
    drafts += [todo] if todo is not None else []
    results = call.get("result")
    parts = [part for part in results if isinstance(part, dict)] if isinstance(results, list) else []
    told = [part["functionResponse"] for part in parts if isinstance(part.get("functionResponse"), dict)]
    status = _text(call, "status")
    if told or status in ("success", "error", "cancelled"):
        output = bare("\n".join(map(_output, told)))
        failed = "error" if any(map(_status, told)) else status
        drafts.append(result_draft(tool, call_id, given, output=output, status=failed, time=time))
    return drafts


def _output(told: dict[str, Any]) -> str:
    response = told.get("response")
    found = (response.get("output") or response.get("error")) if isinstance(response, dict) else response
    return found if isinstance(found, str) else ""


def _status(told: dict[str, Any]) -> str | None:
    """What a function's response says of success: only that it failed."""
    response = told.get("response")
    return "error" if isinstance(response, dict) and response.get("error") else None
