"""Owns the history of an agent in this process: its sessions made, resumed, forked, looked at and searched.

Bound to one project and person when it opens (I11). Looking never changes anything: only `resume` repairs.
"""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack

from segue.app import locate
from segue.ctx import open_context
from segue.errors import NotFoundError, SegueError, SessionExists, SessionHeld, UsageError
from segue.frameworks.waiting import before_written, waiting_hits
from segue.model import event as kinds
from segue.model.event import Draft
from segue.model.operation import check
from segue.model.record import Record
from segue.model.session import Session, SessionHeader, session_id
from segue.operations.search import SEARCH
from segue.retrieval.query import plan
from segue.sessionlog.capture import plain_id
from segue.sessionlog.homes.store import StoreHome
from segue.sessionlog.live.cold import Cold
from segue.sessionlog.live.fork import check_boundary, copied, seeded
from segue.sessionlog.live.session import LiveSession
from segue.sessionlog.live.state import State, folded
from segue.sessionlog.live.writer import LIMIT, WINDOW_S

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from segue.ctx import Context

#: cold sessions that are kept folded, should they be looked at again
COLD_SESSIONS = 5
#: the longest window, in seconds: what a lock of the operating system can wait
MAX_WINDOW_S = 2_147_483.0


def _say_nothing(error: SegueError) -> None:
    """Nobody is told: the failure is raised by the next flush."""


class Snapshot(Record):
    """A session as it stands, looked at without changing it.

    `messages` are the model's history; `closers` are the events that `resume` would close an interrupted turn with,
    whose results `messages` do not hold yet.
    """

    session: Session
    surface: tuple[int, ...]
    messages: tuple[dict[str, Any], ...]
    closers: tuple[Draft, ...]
    is_live: bool


class History:
    """The sessions of one agent program in one project. Close it, or use it as a context manager.

    `folder` is where the agent works, which says what its project is; `name` is the program's, as it shows beside its
    sessions. `report` is told of a write that failed in the background: what was appended is kept and tried again.
    `window_s` is how long events are gathered before they are written, `limit` how many may wait.
    """

    def __init__(
        self,
        folder: str | None = None,
        *,
        name: str = "python",
        report: Callable[[SegueError], None] | None = None,
        window_s: float = WINDOW_S,
        limit: int = LIMIT,
        env: Mapping[str, str] | None = None,
    ) -> None:
        if not 0 < window_s <= MAX_WINDOW_S or limit < 1:
            raise UsageError(f"a window of {window_s} s for {limit} events")
        place = locate(os.environ if env is None else env, os.path.abspath(folder or os.getcwd()))
        self._name = name
        self._report = report or _say_nothing
        self._window_s, self._limit = window_s, limit
        self._ctx = open_context(place)
        self._home = StoreHome(self._ctx)
        self._io = threading.RLock()
        self._live: dict[str, LiveSession] = {}
        self._cold = Cold(COLD_SESSIONS)

    def create(self, name: str | None = None, *, title: str | None = None, model: str | None = None) -> LiveSession:
        """Begin a session; `name` is its id in your program. Nothing is written before its first event."""
        header = SessionHeader(host=self._name, host_session_id=self._plain(name or self._ctx.nonce()))
        with ExitStack() as held:
            self._hold(held, header.session_id)
            if self._session(header.session_id) is not None:
                raise SessionExists(header.session_id)
            session = _fresh(self._ctx, header, model)
            live = self._open(held.pop_all(), session, State(session.session_id))
        if title is not None:
            live.rename(title)
        return live

    def resume(self, name: str) -> LiveSession:
        """Go on with a session that no process writes to; a turn that was interrupted is closed first, durably."""
        with ExitStack() as held:
            identity = self._identity(name)
            self._hold(held, identity)
            session = self._known(identity)
            if session.host != self._name:
                raise UsageError(f"{identity} is a session of {session.host}", hint="Fork it: a fork is yours.")
            with self._io:
                state = folded(identity, self._home.entries(identity))
            closers = state.turns.closers()
            live = self._open(held.pop_all(), session, state)
        _mark(live, state, closers)
        return live

    def fork(self, name: str, at: int | None = None, *, into: str | None = None) -> LiveSession:
        """Begin a session with the events of another up to number `at` (by default all), which stay as they are."""
        header = SessionHeader(host=self._name, host_session_id=self._plain(into or self._ctx.nonce()))
        child = header.session_id
        with ExitStack() as held:
            self._hold(held, child)
            if self._session(child) is not None:
                raise SessionExists(child)
            source = self._source(name)
            boundary = source.next_seq - 1 if at is None else at
            check_boundary(boundary, source.next_seq)
            with self._io:
                entries = copied(self._home.entries(source.session_id, 0, boundary + 1), child)
                state = seeded(child, entries)
                session = _fresh(self._ctx, header, source.model).replace(
                    parent_id=source.session_id, seed_length=len(entries), title=source.title
                )
                self._home.append(session, entries, State(child).end)
            live = self._open(held.pop_all(), session, state)
        _mark(live, state, [])
        return live

    def inspect(self, name: str) -> Snapshot:
        """Look at a session, live or not, without changing it. Of a live one also what is not written yet."""
        identity = self._identity(name)
        live = self._live.get(identity)
        if live is not None:
            return Snapshot(
                session=live.header, surface=live.surface, messages=tuple(live.messages()), closers=(), is_live=True
            )
        session = self._known(identity)
        with self._io:
            state = self._cold.state(self._home, identity)
        return Snapshot(
            session=session,
            surface=state.surface.nodes,
            messages=tuple(state.messages()),
            closers=tuple(state.turns.closers()),
            is_live=False,
        )

    def search(self, query: str, *, session: str | None = None, limit: int = 20) -> dict[str, Any]:
        """What this project's sessions hold that matches, as `segue search --events --json` answers it.

        What live sessions of this process have not written yet is found too, and comes first.
        """
        request: dict[str, Any] = {"query": query, "events": True, "limit": limit}
        if session is not None:
            request["session"] = self._identity(session)
        planned = plan(query)
        asked = [live for identity, live in self._live.items() if session is None or identity == request["session"]]
        hits = [hit for live in asked for hit in waiting_hits(live, planned)]
        try:
            with self._io:
                answer = SEARCH.run(self._ctx, check(SEARCH.params, request, person=True))
        except NotFoundError:
            if not asked:
                raise
            answer = {"project": self._ctx.project.name, "hits": [], "notes": [], "capped": False}
        return before_written(hits, answer, limit)

    def sessions(self) -> Iterator[Session]:
        """The headers of this project's sessions, oldest first, of every host; live ones as they are now."""
        with self._io:
            kept = list(self._home.sessions())
        seen = {session.session_id for session in kept}
        for session in kept:
            live = self._live.get(session.session_id)
            yield session if live is None else live.header
        yield from (live.header for identity, live in self._live.items() if identity not in seen and live.next_seq)

    def close(self) -> None:
        """Flush and close every session, then the store. The first failure is raised when all were tried.

        What could not be written then is lost: who wants to keep it calls `flush` on the session until it succeeds.
        """
        failures = []
        for live in list(self._live.values()):
            try:
                live.close()
            except SegueError as error:
                failures.append(error)
                live.abandon()
        self._home.close()
        if failures:
            raise failures[0]

    def __enter__(self) -> History:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _plain(self, name: str) -> str:
        return plain_id(name, self._ctx.policy)

    def _identity(self, name: str) -> str:
        """Segue's id of a session that is called by it, or by the program's own name for it."""
        return name if ":" in name else session_id(self._name, self._plain(name))

    def _session(self, identity: str) -> Session | None:
        with self._io:
            return self._home.session(identity)

    def _known(self, identity: str) -> Session:
        session = self._session(identity)
        if session is None:
            raise NotFoundError(identity)
        return session

    def _source(self, name: str) -> Session:
        """The session to fork, all of whose events are durable."""
        identity = self._identity(name)
        if identity in self._live:
            self._live[identity].flush()
        return self._known(identity)

    def _hold(self, held: ExitStack, identity: str) -> None:
        if identity in self._live:
            raise SessionHeld(f"{identity} is live in this process")
        with self._io:
            held.enter_context(self._home.hold(identity))

    def _open(self, held: ExitStack, session: Session, state: State) -> LiveSession:
        held.callback(self._live.pop, session.session_id, None)
        live = LiveSession(
            self._home,
            session,
            state,
            policy=self._ctx.policy,
            now=self._ctx.now,
            held=held,
            io=self._io,
            report=self._report,
            window_s=self._window_s,
            limit=self._limit,
        )
        self._live[session.session_id] = live
        return live


def _mark(live: LiveSession, state: State, closers: list[Draft]) -> None:
    """Close what was interrupted and mark where the live events begin, so that a writer of before is refused."""
    try:
        for draft in closers:
            live.add(draft)
        if state.last_type != kinds.SEED_END:
            live.add(Draft(type=kinds.SEED_END, origin="segue", body={}))
        live.flush()
    except SegueError:
        live.abandon()
        raise


def _fresh(ctx: Context, header: SessionHeader, model: str | None) -> Session:
    """The header of a session that begins now."""
    now = ctx.now()
    told: dict[str, Any] = dict.fromkeys(("agent_id", "agent_type", "parent_id", "cwd", "branch", "title", "problem"))
    return Session(
        **told,
        session_id=header.session_id,
        project_id=ctx.project.project_id,
        principal_id=ctx.principal_id,
        visibility=ctx.settings.visibility,
        host=header.host,
        host_session_id=header.host_session_id,
        model=model,
        started_at=now,
        last_event_at=now,
        recorded_at=now,
        next_seq=0,
        status="ok",
    )
