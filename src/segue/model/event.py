"""Owns the event: what a session log is made of, before (`Draft`) and after (`Event`) capture. Never does I/O."""

from __future__ import annotations

from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

USER_MESSAGE = "user/message"
ASSISTANT_MESSAGE = "assistant/message"
TOOL_CALL = "tool/call"
TOOL_RESULT = "tool/result"
TODO_WRITE = "todo/write"
TURN_START = "turn/start"
TURN_END = "turn/end"
STEP_START = "step/start"
STEP_END = "step/end"
SEED_END = "session/end-seed"
SESSION_START = "session/start"
SESSION_END = "session/end"
SESSION_TITLE = "session/title"
COMPACTION_START = "compaction/start"
COMPACTION_SUMMARY = "compaction/summary"
SUBAGENT_START = "subagent/start"
SUBAGENT_END = "subagent/end"
INJECTION = "injection/shown"

SURFACE_TYPES = (USER_MESSAGE, ASSISTANT_MESSAGE, TOOL_RESULT)
LOG_ONLY_TYPES = (
    TOOL_CALL,
    TODO_WRITE,
    TURN_START,
    TURN_END,
    STEP_START,
    STEP_END,
    SEED_END,
    SESSION_START,
    SESSION_END,
    SESSION_TITLE,
    COMPACTION_START,
    COMPACTION_SUMMARY,
    SUBAGENT_START,
    SUBAGENT_END,
    INJECTION,
)
EVENT_TYPES = SURFACE_TYPES + LOG_ONLY_TYPES

CURRENT, SHADOWED, LOG_ONLY = "current", "shadowed", "log-only"
SURFACES = (CURRENT, SHADOWED, LOG_ONLY)

ORIGINS = ("user", "tool", "model", "host_summary", "host", "web", "segue")
ACTIONS = ("command", "edit", "read", "search", "web", "mcp", "agent", "plan", "other")
OK, FAILED, UNKNOWN = "ok", "failed", "unknown"


class Draft(Record):
    """An event as a host told it: not yet redacted, numbered or stored.

    `body` is JSON data whose strings may hold anything. `key` is unique within the session and made from the host's
    own ids, so that live capture and a later import of the same happening give one event; with `key_on_text` a keyed
    digest of the redacted `body["text"]` is added to it, for hosts that give one text two ids. A draft without a key
    is always new. With the key `unless` in the log already, the draft tells nothing new.
    `time` is UTC as `YYYY-MM-DDTHH:MM:SS.mmmZ`; None means now. `action` and `outcome` belong to tool
    events: what class of work it was, and whether the host said that it worked (unknown is not success, I13).
    `subject` is the one line that names the work: the command, or the path. Only an event of a surface type `replaces`
    others (the first and the last of a range of places on the surface, by their numbers) or `cites` earlier events.
    """

    type: str
    body: dict[str, Any]
    origin: str
    key: str | None = None
    key_on_text: bool = False
    unless: str | None = None
    time: str | None = None
    action: str | None = None
    outcome: str | None = None
    subject: str | None = None
    replaces: tuple[int, int] | None = None
    cites: tuple[int, ...] = ()


class Event(Record):
    """A stored event: redacted, numbered from 0 without gaps in its session, chained to the one before it.

    `body` is None when it was deleted; `seq`, `type` and `body_digest` stay, so the chain can still be verified.
    """

    session_id: str
    seq: int
    type: str
    surface: str
    origin: str
    event_time: str
    recorded_at: str
    action: str | None
    outcome: str | None
    subject: str | None
    body: dict[str, Any] | None
    size: int
