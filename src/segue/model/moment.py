"""Owns the moment: one thing that a live host told a hook. Never knows a host's wire format."""

from __future__ import annotations

from segue.model.event import Draft
from segue.model.record import Record
from segue.model.session import SessionHeader

SESSION_START = "session_start"
PROMPT = "prompt"
TOOL_BEFORE = "tool_before"
TOOL_AFTER = "tool_after"
STOP = "stop"
SUBAGENT = "subagent"
COMPACTION = "compaction"
SESSION_END = "session_end"

SOURCES = ("startup", "resume", "clear", "compact")


class Moment(Record):
    """A host's payload in Segue's words: whose session, what kind of moment, and the drafts to record.

    `source` is why a session started (one of SOURCES) and None for other moments. `extra` are drafts for other logs:
    what a subagent said last belongs to its own log, although its parent's hook tells it.
    """

    kind: str
    header: SessionHeader
    drafts: tuple[Draft, ...] = ()
    extra: tuple[tuple[SessionHeader, tuple[Draft, ...]], ...] = ()
    source: str | None = None


class Answer(Record):
    """What Segue has to say at a moment: text for the model's context, or nothing."""

    context: str | None = None
