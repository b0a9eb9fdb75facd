"""Owns the session header: who ran what, where, under which parent. Never holds events."""

from __future__ import annotations

from segue.model.record import Record


class SessionHeader(Record):
    """What a host tells about one session (or one subagent of it). Times are UTC text; None means not told.

    `agent_id` names a subagent inside the host's session; its own log then hangs under the main one.
    """

    host: str
    host_session_id: str
    agent_id: str | None = None
    agent_type: str | None = None
    parent_agent_id: str | None = None
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    started_at: str | None = None
    title: str | None = None

    @property
    def session_id(self) -> str:
        """Segue's id of this log, the same from a live hook and from an import."""
        return session_id(self.host, self.host_session_id, self.agent_id)

    @property
    def parent_id(self) -> str | None:
        """Segue's id of the log that started this one, if it is a subagent's."""
        if self.agent_id is None:
            return None
        return session_id(self.host, self.host_session_id, self.parent_agent_id)


def session_id(host: str, host_session_id: str, agent_id: str | None = None) -> str:
    """The deterministic id of a session log, e.g. `claude-code:0b1c…/agent-a5`."""
    base = f"{host}:{host_session_id}"
    return base if agent_id is None else f"{base}/agent-{agent_id}"


class Session(Record):
    """A stored session log's header. Times are UTC text; `next_seq` is the number of its events.

    `parent_id` is the log that started this one (a subagent's), or whose first `seed_length` events it began with (a
    fork's). `visibility` is `private` (its owner, in this project) or `project` (everyone in the project); `status`
    is `ok` or `quarantined` (briefs and lists leave it out, asked for by name it still shows; `problem` says why).
    """

    session_id: str
    project_id: str
    principal_id: str
    visibility: str
    host: str
    host_session_id: str
    agent_id: str | None
    agent_type: str | None
    parent_id: str | None
    cwd: str | None
    branch: str | None
    model: str | None
    title: str | None
    started_at: str
    last_event_at: str
    recorded_at: str
    next_seq: int
    status: str
    problem: str | None
    seed_length: int | None = None
    archived_at: str | None = None
    held_at: str | None = None
