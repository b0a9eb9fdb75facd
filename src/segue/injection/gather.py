"""Owns what a brief reads of the log: a bounded look at each of the last sessions. Never writes, never ranks."""

from __future__ import annotations

from segue.model import event as kinds
from segue.model.record import Record
from segue.stores import events, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.model.event import Event
    from segue.model.scope import Scope
    from segue.model.session import Session
    from segue.stores.engine import Engine

#: sessions a brief looks back at, and how much of each (I18)
SESSIONS, SUBAGENTS, PROMPTS, TODOS, COMMANDS, EDITS = 5, 6, 4, 60, 60, 60


class Look(Record):
    """What one session left in the log, newest first in every list."""

    session: Session
    first_prompt: Event | None
    prompts: tuple[Event, ...]
    answers: tuple[Event, ...]
    turn_ends: tuple[Event, ...]
    todos: tuple[Event, ...]
    commands: tuple[Event, ...]
    edits: tuple[Event, ...]

    @property
    def unanswered(self) -> Event | None:
        """The last prompt, if neither an answer nor an end of its turn came after it."""
        if not self.prompts:
            return None
        asked = self.prompts[0]
        later = [told for told in (*self.answers, *self.turn_ends) if _when(told) > _when(asked)]
        return None if later else asked


def look(engine: Engine, scope: Scope, session: Session) -> Look:
    """A bounded look at a session and its subagents."""

    def latest(type_: str, limit: int) -> tuple[Event, ...]:
        return tuple(events.latest_of_type(engine, scope, session.session_id, type_, limit))

    first = events.first_of_type(engine, scope, session.session_id, kinds.USER_MESSAGE)
    commands = events.latest_work(engine, scope, session.session_id, "command", COMMANDS)
    edits = events.latest_work(engine, scope, session.session_id, "edit", EDITS)
    for child in sessions.children(engine, scope, session.session_id)[-SUBAGENTS:]:
        commands += events.latest_work(engine, scope, child.session_id, "command", COMMANDS // 3)
        edits += events.latest_work(engine, scope, child.session_id, "edit", EDITS // 3)
    return Look(
        session=session,
        first_prompt=first,
        prompts=latest(kinds.USER_MESSAGE, PROMPTS),
        answers=latest(kinds.ASSISTANT_MESSAGE, 2),
        turn_ends=latest(kinds.TURN_END, 1),
        todos=latest(kinds.TODO_WRITE, TODOS),
        commands=tuple(sorted(commands, key=_when, reverse=True)),
        edits=tuple(sorted(edits, key=_when, reverse=True)),
    )


def _when(event: Event) -> tuple[str, int]:
    return (event.event_time, event.seq)


def last_sessions(engine: Engine, scope: Scope, without: str, since: str | None = None) -> list[Look]:
    """The last sessions of the project in which somebody asked something, newest first; `since` a UTC text."""
    looks = []
    for session in sessions.latest(engine, scope, SESSIONS * 3):
        if session.session_id == without or (since is not None and session.last_event_at <= since):
            continue
        found = look(engine, scope, session)
        if found.prompts:
            looks.append(found)
        if len(looks) == SESSIONS:
            break
    return looks
