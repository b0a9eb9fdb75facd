"""Owns the home of logs that is the store: their rows, and whose they are. Never makes an entry."""

from __future__ import annotations

from contextlib import contextmanager

from segue.errors import LockHeld, NotFoundError, SessionDeleted, SessionHeld, StaleWriter, UsageError
from segue.model.event import CURRENT, LOG_ONLY, SESSION_TITLE, SURFACE_TYPES
from segue.sessionlog import chain, placing
from segue.sessionlog.capture import clean_project
from segue.sessionlog.homes.seam import End
from segue.stores import docs, events, placements, projects, sessions, tombstones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from segue.ctx import Context
    from segue.model.entry import Entry
    from segue.model.session import Session
    from segue.stores.engine import Row

#: entries read at a time
PAGE = 500


class StoreHome:
    """The logs of one project and person in the store. Reads see what that person may see (I3)."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def session(self, session_id: str) -> Session | None:
        ctx = self._ctx
        if ctx.project.kind != "none":
            return sessions.get(ctx.store, ctx.scope(), session_id)
        # outside of any project a log is seen by whoever knows it and owns it, and stands in no list
        found = sessions.get(ctx.store, ctx.scope(wide=True), session_id)
        return found if found is not None and found.project_id == ctx.project.project_id else None

    def end(self, session_id: str) -> End | None:
        if self.session(session_id) is None:
            return None
        row = sessions.end(self._ctx.store, self._ctx.tenant, session_id)
        return None if row is None else End(seq=row[0], chain=row[1])

    def sessions(self) -> Iterator[Session]:
        return sessions.each(self._ctx.store, self._ctx.scope())

    def entries(self, session_id: str, low: int = 0, high: int | None = None) -> Iterator[Entry]:
        found = self.session(session_id)
        if found is None:
            raise NotFoundError(session_id)
        end = found.next_seq if high is None else min(high, found.next_seq)
        while low < end:
            page = placements.entries(self._ctx.store, self._ctx.tenant, session_id, low, min(PAGE, end - low))
            yield from page
            if not page:
                return
            low = page[-1].seq + 1

    def append(self, session: Session, entries: Sequence[Entry], end: End) -> None:
        ctx = self._ctx
        if not entries:
            return
        with ctx.store.transaction():
            place = sessions.lock(ctx.store, ctx.tenant, session.session_id)
            if place is None and end.seq == 0:
                place = self._begin(session)
            if place != (end.seq, end.chain):
                raise StaleWriter(f"{session.session_id} no longer ends with its event {end.seq - 1}")
            self._check_keys(session.session_id, entries)
            events.add(ctx.store, [_row(ctx.tenant, session.session_id, entry) for entry in entries])
            if any(entry.replaces is not None or entry.cites for entry in entries):
                placing.place(ctx.store, ctx.tenant, session.session_id, end.seq, entries)
            tombstones.add_rewritten(ctx.store, ctx.tenant, session.session_id, entries)
            after = {"next_seq": entries[-1].seq + 1, "head": entries[-1].chain}
            titled = any(entry.type == SESSION_TITLE for entry in entries)
            sessions.advance(ctx.store, {**self._values(session), **after}, titled=titled)

    def _check_keys(self, session_id: str, entries: Sequence[Entry]) -> None:
        """Raises `UsageError` where an entry bears the key of another event, in this log or elsewhere."""
        keys = [entry.dedupe for entry in entries if entry.dedupe is not None]
        if len(set(keys)) < len(keys) or (keys and events.known(self._ctx.store, self._ctx.tenant, sorted(keys))):
            raise UsageError(f"an event of {session_id} is in the store already, in another place")

    def _begin(self, session: Session) -> tuple[int, bytes] | None:
        ctx = self._ctx
        for name in {session.session_id, session.session_id.partition("/agent-")[0]}:
            if tombstones.has(ctx.store, ctx.tenant, tombstones.target(ctx.store, ctx.tenant, name)):
                raise SessionDeleted(session.host_session_id)
        values = self._values(session)
        projects.remember(ctx.store, ctx.tenant, clean_project(ctx.project), ctx.principal_id, values["now"])
        sessions.add(ctx.store, {**values, "head": chain.genesis(session.session_id)})
        if session.seed_length:
            docs.begin_place(ctx.store, ctx.tenant, session.session_id)
        return sessions.lock(ctx.store, ctx.tenant, session.session_id)

    def _values(self, session: Session) -> dict[str, Any]:
        return {**session.as_dict(), "tenant": self._ctx.tenant, "now": session.recorded_at}

    @contextmanager
    def hold(self, session_id: str) -> Iterator[None]:
        try:
            with self._ctx.store.hold(f"{self._ctx.tenant}\0{session_id}"):
                yield
        except LockHeld as error:
            raise SessionHeld(session_id) from error

    def close(self) -> None:
        self._ctx.store.close()


def _row(tenant: str, session_id: str, entry: Entry) -> Row:
    """An entry in the order of `events.ADDED`."""
    surface = CURRENT if entry.type in SURFACE_TYPES else LOG_ONLY
    own = {**entry.as_dict(), "tenant": tenant, "session_id": session_id, "surface": surface}
    return tuple(own[name] for name in events.ADDED)
