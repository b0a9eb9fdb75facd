"""Owns reading a log's file: as it was when it was opened, line by line or from its end. Never writes.

What follows on the last whole line is torn: it is skipped. So is a last line that is not whole JSON. Any other line
that does not hold is damage, told with its number.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from segue.errors import FileUnwritable, LogCorrupt, LogUnsupported, SurfaceInvalid
from segue.model.session import Session
from segue.sessionlog import chain
from segue.sessionlog.homes import lines
from segue.sessionlog.homes.scan import Scan
from segue.sessionlog.homes.seam import End
from segue.system.files import open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

    from segue.model.entry import Entry
    from segue.model.scope import Project

    Stamp = tuple[int, int, int, int, int]

#: bytes that are read first to find a log's last line
TAIL = 1 << 16
#: headers that are kept
SEEN = 10_000
QUARANTINED = "quarantined"


def stamp(handle: int) -> Stamp:
    """What changes whenever a file does."""
    told = os.fstat(handle)
    return told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns, told.st_ctime_ns


class Reading:
    """One pass over a log's file. Once its entries were read, `scan` is the whole log and `whole` the bytes of it."""

    def __init__(self, file: BinaryIO, path: str, session_id: str) -> None:
        self._file = file
        self._path = path
        self.stamp = stamp(file.fileno())
        self.size = self.stamp[2]
        self.scan = Scan(session_id)
        self.whole = 0
        self.line = 0

    def entries(self, low: int = 0) -> Iterator[Entry]:
        """The entries from number `low` on. Raises `LogCorrupt` and `LogUnsupported`.

        Those before are not looked at, but for the last of them, on which the others have to follow.
        """
        size = self.size
        while self.whole < size:
            line = self._next()
            self.line += 1
            after = self.whole + len(line)
            if not line.endswith(b"\n") or after > size:
                if len(line) > lines.MAX_LINE and self._goes_on(after, size):
                    raise self._corrupt(f"it has more than {lines.MAX_LINE} bytes")
                break
            entry = None
            if self.scan.next_seq < low - 1 and line.startswith(b'{"seq":%d,' % self.scan.next_seq):
                self.scan.skip()
            else:
                found = self._parsed(line, is_last=after == size)
                if found is None:
                    break
                entry = self._taken(found)
            self.whole = after
            if entry is not None and entry.seq >= low:
                yield entry
        if self.scan.told is None:
            self.line = 1
            raise self._corrupt("the header is missing")

    def _next(self) -> bytes:
        try:
            return self._file.readline(lines.MAX_LINE + 1)
        except OSError as error:
            raise FileUnwritable(f"{self._path}: {error.strerror or error}") from error

    def _goes_on(self, at: int, size: int) -> bool:
        """Whether a line of which that much was read ends somewhere in the file."""
        while at < size and (more := self._next()):
            if more.endswith(b"\n"):
                return True
            at += len(more)
        return False

    def _parsed(self, line: bytes, *, is_last: bool) -> dict[str, Any] | None:
        """The object that a line is; None for one that is torn."""
        try:
            return lines.parse(line)
        except ValueError as error:
            if is_last and self.scan.told is not None:
                return None
            raise self._corrupt(f"it is no JSON object ({error})") from error

    def _taken(self, found: dict[str, Any]) -> Entry | None:
        try:
            return self.scan.take(found)
        except lines.NewerLine as error:
            raise LogUnsupported(f"{self._path}, line {self.line}: {error}") from error
        except SurfaceInvalid as error:
            raise self._corrupt(f"its place does not hold: {error.detail}") from error
        except ValueError as error:
            raise self._corrupt(str(error)) from error

    def _corrupt(self, problem: str) -> LogCorrupt:
        return LogCorrupt(self.scan.session_id, self._path, self.line, problem)


class Headers:
    """The headers of logs after all of their lines, kept until their files change."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[Stamp, Session, Project | None]] = {}

    def of(self, path: str, session_id: str) -> tuple[Session, Project | None]:
        """A log's header and the project that it names; a broken log's is `quarantined`, and says why.

        `FileNotFoundError` where there is no such file.
        """
        log = None
        try:
            with reading(path, session_id) as log:
                kept = self._seen.get(path)
                if kept is not None and kept[0] == log.stamp:
                    return kept[1], kept[2]
                for _ in log.entries():
                    pass
        except LogCorrupt as error:
            return _broken(log, session_id, f"line {error.line}: {error.problem}")
        except (LogUnsupported, FileUnwritable) as error:
            return _broken(log, session_id, f"{error}. {error.hint}")
        session = log.scan.session or _unknown(session_id)
        self.remember(path, log.stamp, session, log.scan.project)
        return session, log.scan.project

    def remember(self, path: str, told: Stamp, session: Session, project: Project | None) -> None:
        """Keep what is known of a log as its file is now."""
        self._seen.pop(path, None)
        self._seen[path] = told, session, project
        while len(self._seen) > SEEN:
            del self._seen[next(iter(self._seen))]


def _broken(log: Reading | None, session_id: str, problem: str) -> tuple[Session, Project | None]:
    session = (None if log is None else log.scan.session) or _unknown(session_id)
    return session.replace(status=QUARANTINED, problem=problem), None if log is None else log.scan.project


def _unknown(session_id: str) -> Session:
    """What is known of a log whose header cannot be read: its id."""
    host, _, own = session_id.partition(":")
    return Session(
        session_id=session_id, project_id="", principal_id="", visibility="private", host=host, host_session_id=own,
        agent_id=None, agent_type=None, parent_id=None, cwd=None, branch=None, model=None, title=None, started_at="",
        last_event_at="", recorded_at="", next_seq=0, status="ok", problem=None,
    )  # fmt: skip


def _first(path: str) -> dict[str, Any]:
    """A file's first line; an empty object where that is none, or cannot be read."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            return lines.parse(file.readline(lines.MAX_LINE))
    except (FileUnwritable, ValueError):
        return {}


def told_by(path: str) -> dict[str, Any] | None:
    """What a log's first line tells; None where it is no header that this Segue reads."""
    try:
        return lines.header_of(_first(path))[0]
    except ValueError:
        return None


def is_log(path: str) -> bool:
    """Whether a file begins as a log does, be it of a newer form."""
    try:
        found = _first(path)
    except FileNotFoundError:
        return False
    return found.get("type") == lines.HEADER and "session_id" in found and "version" in found


@contextmanager
def reading(path: str, session_id: str) -> Iterator[Reading]:
    """One pass over a log's file; `FileNotFoundError` where there is none."""
    with os.fdopen(open_regular(path), "rb", buffering=1 << 18) as file:
        yield Reading(file, path, session_id)


def last_end(handle: int, session_id: str) -> tuple[End, int] | None:
    """Where an open log ends, read from its end, and the bytes up to there. None where only a whole pass can tell.

    Raises `NewerLine` where what stands last is of a newer form.
    """
    size = os.fstat(handle).st_size
    window = TAIL
    while True:
        start = max(0, size - window)
        found = _last(_at(handle, start, size - start), start, session_id)
        if found is not None or start == 0 or window > lines.MAX_LINE:
            return found
        window *= 16


def _at(handle: int, start: int, count: int) -> bytes:
    os.lseek(handle, start, os.SEEK_SET)
    data = b""
    while len(data) < count and (more := os.read(handle, count - len(data))):
        data += more
    return data


def _last(data: bytes, start: int, session_id: str) -> tuple[End, int] | None:
    """The end of a log in the last bytes of its file, which begin at `start`."""
    whole = data.rfind(b"\n") + 1
    is_torn = whole < len(data)
    at = whole
    while at:
        begin = data.rfind(b"\n", 0, at - 1) + 1
        if begin == 0 and start:
            return None  # perhaps the line began before
        try:
            found = lines.parse(data[begin:at])
        except ValueError:
            if is_torn or at < whole:
                return None  # damage: a whole pass tells where
            is_torn, whole, at = True, begin, begin
            continue
        lines.check_version(found)
        if "seq" in found:
            entry = lines.entry_of(found)
            return End(seq=entry.seq + 1, chain=entry.chain), start + whole
        at = begin
    return (End(seq=0, chain=chain.genesis(session_id)), whole) if whole else None
