"""Owns the fold of a log's lines into its header, its end and its surface, each line checked. Pure; holds no event.

What a header says is told by its first line, and from there on by the events: times, and the title. An update line
stands only where a writer told it otherwise.
"""

from __future__ import annotations

from segue.model.codec import loads
from segue.model.event import SESSION_TITLE
from segue.model.session import Session
from segue.sessionlog import chain
from segue.sessionlog.check import check_entry
from segue.sessionlog.homes import lines
from segue.sessionlog.homes.seam import End
from segue.sessionlog.surface.fold import Surface

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from segue.model.entry import Entry
    from segue.model.scope import Project


def title_of(entry: Entry) -> str | None:
    """The title that an entry of that type gives; None where its text tells none, or was deleted."""
    body = None if entry.body is None else loads(entry.body)
    title = body.get("title") if isinstance(body, dict) else None
    return title if isinstance(title, str) and "\0" not in title else None


class Told:
    """What the header of a log is after some of its lines."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        self.fields: dict[str, Any] = {**dict.fromkeys(lines.MAYBE), "seed_length": None, **header}
        self._has_start = self.fields["started_at"] is not None
        self.fields.update(last_event_at="", recorded_at="")

    def add(self, entry: Entry) -> None:
        """Take the next entry."""
        fields, time = self.fields, entry.event_time
        fields["recorded_at"] = entry.recorded_at
        fields["last_event_at"] = max(fields["last_event_at"], time)
        if not self._has_start and (fields["started_at"] is None or time < fields["started_at"]):
            fields["started_at"] = time
        if entry.type == SESSION_TITLE and (title := title_of(entry)) is not None:
            fields["title"] = title

    def differs(self, told: Session) -> dict[str, Any]:
        """What of the header that can change is not yet as told."""
        return {name: getattr(told, name) for name in lines.CHANGING if getattr(told, name) != self.fields[name]}

    def session(self, next_seq: int) -> Session:
        """The header, of a log of so many events."""
        own = {**self.fields, "started_at": self.fields["started_at"] or ""}
        return Session(**own, next_seq=next_seq, status="ok", problem=None)

    def copy(self) -> Told:
        """A fold that goes its own way from here on."""
        made = Told({})
        made.fields, made._has_start = dict(self.fields), self._has_start
        return made


class Scan:
    """A log read line by line. The first line that does not hold raises `ValueError`, a newer one `NewerLine`, an event
    whose place cannot be taken `SurfaceInvalid`.

    Where the first events were skipped, the chain is taken from the first one that was read, and there is no surface.
    """

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.told: Told | None = None
        self.project: Project | None = None
        self.next_seq = 0
        self.deleted = 0
        self.surface: Surface | None = Surface()
        self._head: bytes | None = chain.genesis(session_id)

    @property
    def end(self) -> End | None:
        """Where the log ends; None where its events were skipped."""
        return None if self._head is None else End(seq=self.next_seq, chain=self._head)

    @property
    def session(self) -> Session | None:
        """The header after the lines so far."""
        return None if self.told is None else self.told.session(self.next_seq)

    def take(self, found: Mapping[str, Any]) -> Entry | None:
        """Take the next line; the entry that it is, if it is one."""
        if self.told is None:
            told, self.project = lines.header_of(found)
            if told["session_id"] != self.session_id:
                raise ValueError("its header is another session's")
            self.told = Told(told)
            return None
        if "seq" not in found:
            self.told.fields.update(lines.update_of(found))
            return None
        entry = lines.entry_of(found)
        self.add(entry)
        return entry

    def skip(self) -> None:
        """Go past an event that is not looked at."""
        self.next_seq += 1
        self.surface = self._head = None

    def add(self, entry: Entry) -> None:
        """Take the next entry, checked."""
        head = entry.chain
        if self._head is not None:
            problem, head = check_entry(self.session_id, self.next_seq, self._head, entry)
        else:
            problem = None if entry.seq == self.next_seq else f"the event is missing, the next is {entry.seq}"
        if problem:
            raise ValueError(problem)
        if self.surface is not None:
            self.surface.add(entry.type, entry.replaces, entry.cites)
        self._head = head
        self.next_seq += 1
        self.deleted += entry.body is None
        if self.told is not None:
            self.told.add(entry)


def merged(before: Session, told: Session) -> Session:
    """The header once a writer told what it newly knows: the rule of both homes."""
    return before.replace(
        recorded_at=told.recorded_at,
        started_at=min(before.started_at, told.started_at),
        last_event_at=max(before.last_event_at, told.last_event_at),
        model=_first(told.model, before.model),
        title=_first(told.title, before.title),
        branch=_first(before.branch, told.branch),
        agent_type=_first(before.agent_type, told.agent_type),
        cwd=_first(before.cwd, told.cwd),
    )


def _first(one: str | None, other: str | None) -> str | None:
    return other if one is None else one


def begun(session: Session, project: Project | None, entries: Sequence[Entry]) -> tuple[bytes, Told]:
    """The lines of a log that begins with these entries, and what its header is after them."""
    header = {name: getattr(session, name) for name in (*lines.ALWAYS, *lines.MAYBE, "seed_length")}
    header |= {"title": None, "started_at": None}
    plain = Told(header)
    for entry in entries:
        plain.add(entry)
    if plain.fields["title"] is None:
        header["title"] = session.title
    if plain.fields["started_at"] != session.started_at:
        header["started_at"] = session.started_at
    data, after = gone_on(Told(header), session, entries)
    return lines.header_line(header, project) + data, after


def gone_on(before: Told, told: Session, entries: Sequence[Entry]) -> tuple[bytes, Told]:
    """The lines of entries that follow on others, and of what the header newly is; and the header after them.

    `ValueError` where an entry cannot be written.
    """
    after = before.copy()
    for entry in entries:
        after.add(entry)
    changes = after.differs(told)
    written = [*map(lines.entry_line, entries), *([lines.update_line(changes)] if changes else [])]
    if any(len(line) > lines.MAX_LINE for line in written):
        raise ValueError(f"an event has more than {lines.MAX_LINE} bytes")
    after.fields.update(changes)
    return b"".join(written), after
