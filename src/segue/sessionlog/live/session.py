"""Owns a live session: the log that this process writes, one event after another. Never writes to a host's session.

What is appended is redacted, numbered and chained at once, so that the log in memory is the log that will be kept;
it is written within the window, and durable after `flush`. Any number of threads may use one session.
"""

from __future__ import annotations

import copy
import os
import threading

from segue.errors import SessionClosed, StaleWriter, SurfaceInvalid, UsageError
from segue.model import event as kinds
from segue.model import vocabulary
from segue.model.codec import loads
from segue.model.event import Draft
from segue.model.lossless import lossless
from segue.model.session import SessionHeader
from segue.sessionlog import capture
from segue.sessionlog.homes.seam import End
from segue.sessionlog.live.titles import FALLBACK, USER, first_words, plain_title
from segue.sessionlog.live.turns import INTERRUPTED
from segue.sessionlog.live.writer import Writer
from segue.stores.placements import entry_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager, ExitStack
    from typing import Any

    from segue.errors import SegueError
    from segue.model.entry import Entry
    from segue.model.session import Session
    from segue.redaction import Policy
    from segue.sessionlog.homes.seam import Home
    from segue.sessionlog.live.state import State

#: whose words an event holds, where the caller does not say
ORIGINS = {kinds.USER_MESSAGE: "user", kinds.ASSISTANT_MESSAGE: "model", kinds.TOOL_RESULT: "tool"}
#: fields of a tool's result that a replacement may change
CONTENT = ("text", "output", "message")


class LiveSession:
    """One session that this process writes. Made by `History`; closing it lets another process go on with it."""

    def __init__(
        self,
        home: Home,
        session: Session,
        state: State,
        *,
        policy: Policy,
        now: Callable[[], str],
        held: ExitStack,
        io: AbstractContextManager[object],
        report: Callable[[SegueError], None],
        window_s: float,
        limit: int,
    ) -> None:
        self._home = home
        self._session = session
        self._state = state
        self._policy = policy
        self._now = now
        self._held = held
        self._io = io
        self._header = SessionHeader(host=session.host, host_session_id=session.host_session_id)
        self._lock = threading.RLock()
        self._is_closed = False
        self._writer = Writer(self._write, report, window_s=window_s, limit=limit)
        self._written = state.end

    @property
    def id(self) -> str:
        """Segue's id of this session."""
        return self._session.session_id

    @property
    def title(self) -> str | None:
        """What people call it."""
        return self._session.title

    @property
    def next_seq(self) -> int:
        """The number that the next event gets."""
        return self._state.end.seq

    @property
    def header(self) -> Session:
        """The session's header as it is now; `next_seq` counts what is not written yet, too."""
        return self._session.replace(next_seq=self.next_seq)

    @property
    def surface(self) -> tuple[int, ...]:
        """The numbers of the events that make up the model's history, in its order."""
        return self._state.surface.nodes

    def surface_of(self, seq: int) -> str:
        """Whether an event is `current`, `shadowed` or `log-only`."""
        return self._state.surface.surface_of(seq)

    @property
    def generation(self) -> int:
        """How often a range was replaced."""
        return self._state.surface.generation

    def append(
        self,
        type_: str,
        body: dict[str, Any],
        *,
        origin: str | None = None,
        replaces: tuple[int, int] | None = None,
        cites: Sequence[int] = (),
        action: str | None = None,
        outcome: str | None = None,
        subject: str | None = None,
    ) -> int:
        """Add an event; its number. `body` is JSON data, copied and redacted at once.

        Raises `NotJson`, `SurfaceInvalid`, `UsageError` for an unknown type, `QueueFull` and `SessionClosed`; then
        nothing was added.
        """
        if type_ not in vocabulary.known():
            raise UsageError(f"{type_!r} as a type of event", hint="Register it first: segue.model.vocabulary.register")
        if type_ == kinds.SEED_END or (type_ == kinds.TURN_END and body.get("reason") == INTERRUPTED):
            raise UsageError(f"{type_} of that kind is only written by recovery and forks")
        draft = Draft(
            type=type_,
            origin=origin or ORIGINS.get(type_, "host"),
            body=lossless(body, type_),
            replaces=replaces,
            cites=tuple(cites),
            action=action,
            outcome=outcome,
            subject=subject,
        )
        return self.add(draft)

    def replace(self, start: int, end: int, type_: str, body: dict[str, Any], *, origin: str | None = None) -> int:
        """Put one event in the place of a range on the surface, all of which it cites; its number.

        A tool's result takes the place of one tool's result, and changes its content alone.
        """
        with self._lock:
            cites = self._state.surface.range(start, end)
            return self.append(type_, body, origin=origin, replaces=(start, end), cites=sorted(cites))

    def add(self, draft: Draft) -> int:
        """Add an event unchecked by its type, as recovery and forks do; its number."""
        with self._lock:
            if self._is_closed:
                raise SessionClosed(self.id)
            self._state.check(draft.type, draft.replaces, draft.cites)
            now = max(self._now(), self._state.recorded_at)
            clean = capture.clean(self._header, [draft], self._policy, now, "").drafts[0]
            if clean.type == kinds.TOOL_RESULT and clean.replaces is not None:
                _check_content(self.events(clean.replaces[0], clean.replaces[0] + 1)[0]["body"], clean.body)
            entry = _entry(self.id, self._state.end, clean, now)
            if draft.type == kinds.SESSION_TITLE:
                self._session = self._session.replace(title=clean.body["title"])
            self._writer.put(entry)
            self._state.add(entry)
            if draft.type == kinds.USER_MESSAGE and self._session.title is None:
                self._title(first_words(clean.body), FALLBACK)
            return entry.seq

    def messages(self) -> list[dict[str, Any]]:
        """The model's history as messages, oldest first: a copy, which never changes."""
        with self._lock:
            return copy.deepcopy(self._state.messages())

    def events(self, low: int = 0, high: int | None = None) -> list[dict[str, Any]]:
        """The events with low <= seq < high, those included that are not written yet."""
        with self._lock:
            end = self.next_seq if high is None else min(high, self.next_seq)
            waiting = [entry for entry in self._writer.pending() if low <= entry.seq < end]
            first = waiting[0].seq if waiting else end
            kept: list[Entry] = []
            if low < first:
                with self._io:
                    kept = list(self._home.entries(self.id, low, first))
            return [_event(entry) for entry in (*kept, *waiting)]

    def pending(self) -> list[Entry]:
        """What is not known to be written yet, in order."""
        return self._writer.pending()

    def flush(self) -> None:
        """Return when everything that was appended is durable; the failure of the write is raised, nothing is lost."""
        self._writer.flush()

    def rename(self, title: str) -> None:
        """Give the session a title that no automatic one replaces."""
        with self._lock:
            self._title(plain_title(title), USER)

    def _title(self, title: str, source: str) -> None:
        if title:
            origin = "user" if source == USER else "segue"
            self.add(Draft(type=kinds.SESSION_TITLE, origin=origin, body={"title": title, "source": source}))

    def close(self) -> None:
        """Flush, and let other processes go on with the session.

        Where the flush fails, its failure is raised and the session stays open, with all that waits.
        """
        with self._lock:
            if self._is_closed:
                return
            self._writer.flush()
            self.abandon()

    def abandon(self) -> int:
        """Close without writing what waits; how many events are lost by that."""
        with self._lock, self._io:
            self._is_closed = True
            self._held.close()
        return self._writer.stop()

    def __enter__(self) -> LiveSession:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _write(self, entries: Sequence[Entry]) -> None:
        session = self._session.replace(
            recorded_at=entries[-1].recorded_at,
            last_event_at=max(entry.event_time for entry in entries),
            started_at=min(entry.event_time for entry in entries),
        )
        after = End(seq=entries[-1].seq + 1, chain=entries[-1].chain)
        with self._io:
            try:
                self._home.append(session, entries, self._written)
            except StaleWriter:
                if self._home.end(self.id) != after:  # else it was written, and only the answer was lost
                    raise
        self._written = after


def _entry(session_id: str, end: End, draft: Draft, now: str) -> Entry:
    """The draft as the log's next entry."""
    row = capture.row_of("", session_id, end.seq, end.chain, draft, None, os.urandom(capture.SALT_BYTES), now)
    return entry_of(row, draft.replaces, draft.cites)


def _check_content(before: dict[str, Any] | None, after: dict[str, Any]) -> None:
    """Raises `SurfaceInvalid` where a tool's result that replaces another changes more than its content."""
    told = [{name: body[name] for name in body if name not in CONTENT} for body in (before or {}, after)]
    if told[0] != told[1]:
        raise SurfaceInvalid("a tool's result that replaces one changes its content alone")


def _event(entry: Entry) -> dict[str, Any]:
    return {**entry.as_dict(), "body": None if entry.body is None else loads(entry.body)}
