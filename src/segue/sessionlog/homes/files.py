"""Owns the home of logs that is a folder of files, which a person can read and repair. Never makes an entry.

`<root>/<project>/<session>/session.jsonl`: a header, then one line an entry. Lines are only ever added. Who may read
the folder reads its logs: the home is one person's.
"""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager

from segue.errors import (
    FileUnwritable,
    LockHeld,
    LogCorrupt,
    LogUnsupported,
    NotFoundError,
    SessionHeld,
    StaleWriter,
    StoreUnavailable,
    UsageError,
)  # fmt: skip
from segue.sessionlog import chain
from segue.sessionlog.homes import lines, paths
from segue.sessionlog.homes.folders import Folders
from segue.sessionlog.homes.reading import Headers, last_end, reading, stamp, told_by
from segue.sessionlog.homes.scan import Scan, begun, gone_on, merged
from segue.sessionlog.homes.seam import End
from segue.system.files import extend, open_regular, publish, sync_folder
from segue.system.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from segue.model.entry import Entry
    from segue.model.scope import Project
    from segue.model.session import Session
    from segue.sessionlog.homes.reading import Stamp

#: whole scans that are kept for those who write
SCANNED = 8
#: how long an append waits for another one, in seconds
BUSY_S = 5.0
#: how often the folder of a log is made anew that another process tidies away
TRIES = 20


class FileHome:
    """The logs below a folder: of one project, or of all; then none can be begun, because it would belong to none."""

    def __init__(self, root: str, project: Project | None = None, *, busy_s: float = BUSY_S) -> None:
        self._folders = Folders(root, project)
        self._project = project
        self._busy_s = busy_s
        self._lock = threading.RLock()
        self._held: set[str] = set()
        self._headers = Headers()
        self._scans: dict[str, tuple[Stamp, Scan]] = {}

    def session(self, session_id: str) -> Session | None:
        found = self._look(session_id)
        if not found:
            return None
        return found[0][0] if len(found) == 1 else _twice(found[0][0])

    def project(self, session_id: str) -> Project | None:
        """The project that the log's header names."""
        found = self._look(session_id)
        return found[0][1] if found else None

    def end(self, session_id: str) -> End | None:
        path = self._path(session_id)
        if path is None:
            return None
        with _open(path) as handle:
            found = _end(handle, path, session_id)
        return _whole(path, session_id)[0].end if found is None else found[0]

    def sessions(self) -> Iterator[Session]:
        kept: dict[str, Session] = {}
        for _, session_id in self._folders.logs():
            session = None if session_id in kept else self.session(session_id)
            if session is not None:
                kept[session_id] = session
        yield from sorted(kept.values(), key=lambda session: (session.started_at, session.session_id))

    def entries(self, session_id: str, low: int = 0, high: int | None = None) -> Iterator[Entry]:
        path = self._path(session_id)
        if path is None:
            raise NotFoundError(session_id)
        try:
            with reading(path, session_id) as log:
                for entry in log.entries(low):
                    if high is not None and entry.seq >= high:
                        return
                    yield entry
        except FileNotFoundError:
            raise NotFoundError(session_id) from None

    def append(self, session: Session, entries: Sequence[Entry], end: End) -> None:
        if not entries:
            return
        with self._lock, self._writing(session.session_id):
            path = self._path(session.session_id)
            try:
                if path is None:
                    self._begin(session, entries, end)
                else:
                    self._go_on(path, session, entries, end)
            except ValueError as error:
                raise UsageError(f"events from number {end.seq} on: {error}") from error

    @contextmanager
    def hold(self, session_id: str) -> Iterator[None]:
        with self._locked(session_id, 0):
            self._held.add(session_id)
            try:
                yield
            finally:
                self._held.discard(session_id)

    def close(self) -> None:
        self._headers = Headers()
        self._scans.clear()

    def _begin(self, session: Session, entries: Sequence[Entry], end: End) -> None:
        session_id = session.session_id
        if end != End(seq=0, chain=chain.genesis(session_id)) or self._folders.of(session_id):
            raise _stale(session_id, end)
        if self._project is None or session.project_id != self._project.project_id:
            raise UsageError(f"{session_id} is of no project that this folder was opened for")
        scan = Scan(session_id)
        for entry in entries:
            scan.add(entry)
        data, scan.told = begun(session, self._project, entries)
        path = self._folders.new(session_id)
        self._folders.sweep(path)
        if not publish(path, data):
            raise _stale(session_id, end)
        for folder in self._folders.above(path):
            sync_folder(folder)
        scan.project = self._project.replace(root=None)
        with _open(path) as handle:
            self._keep(handle, path, scan)

    def _go_on(self, path: str, session: Session, entries: Sequence[Entry], end: End) -> None:
        session_id = session.session_id
        with _open(path, os.O_RDWR | os.O_APPEND) as handle:
            scan, whole = self._known(handle, path, session_id)
            if scan.end != end or scan.told is None:
                raise _stale(session_id, end)
            data, after = gone_on(scan.told, merged(scan.told.session(0), session), entries)
            self._scans.pop(path, None)  # it is no log's, should one of these events be refused
            for entry in entries:
                scan.add(entry)
            scan.told = after
            try:
                extend(handle, whole, data)
            except FileUnwritable as error:
                raise FileUnwritable(f"{path}: {error.detail}", hint=error.hint) from error
            self._keep(handle, path, scan)

    def _known(self, handle: int, path: str, session_id: str) -> tuple[Scan, int]:
        """The whole log, checked, and the bytes of it that are whole; read anew only if somebody else changed it."""
        kept = self._scans.get(path)
        if kept is not None and kept[0] == stamp(handle):
            found = _end(handle, path, session_id)
            if found is not None and found[0] == kept[1].end:
                return kept[1], found[1]
        return _whole(path, session_id)

    @contextmanager
    def _writing(self, session_id: str) -> Iterator[None]:
        """Be the only writer for one append; whoever holds the log is already."""
        if session_id in self._held:
            yield
        else:
            with self._locked(session_id, self._busy_s):
                yield

    @contextmanager
    def _locked(self, session_id: str, timeout_s: float) -> Iterator[None]:
        for attempt in range(TRIES):
            path = self._path(session_id) or self._folders.new(session_id)
            try:
                folder = self._folders.made(path)
                lock = FileLock(os.path.join(folder, paths.LOCK), timeout_s, vanishes=True)
                lock.__enter__()
            except LockHeld as error:
                raise SessionHeld(session_id) from error
            except (StoreUnavailable, FileUnwritable):
                if attempt == TRIES - 1 or os.path.isdir(os.path.dirname(path)):
                    raise
                continue  # its last holder tidied the folder away between our two steps
            break
        try:
            yield
        finally:
            lock.__exit__(None, None, None)
            self._folders.tidy(folder)

    def _path(self, session_id: str) -> str | None:
        """The log's file, of this home's project; `LogCorrupt` where there are two."""
        found = [path for path in self._folders.of(session_id) if self._is_ours(path)]
        if len(found) > 1:
            raise LogCorrupt(session_id, found[1], 1, f"the same session is in {found[0]}")
        return found[0] if found else None

    def _is_ours(self, path: str) -> bool:
        if self._project is None:
            return True
        try:
            told = told_by(path)
        except FileNotFoundError:
            return False  # it vanished between our two looks
        return self._project.project_id == (self._folders.owner(path) if told is None else told["project_id"])

    def _look(self, session_id: str) -> list[tuple[Session, Project | None]]:
        """The log's header, be it broken, and its project: two where there are two such logs."""
        found = []
        for path in self._folders.of(session_id):
            try:
                if self._is_ours(path):
                    found.append(self._headers.of(path, session_id))
            except FileNotFoundError:
                continue
        return found

    def _keep(self, handle: int, path: str, scan: Scan) -> None:
        """Remember what we know of a log that we just wrote."""
        self._scans[path] = stamp(handle), scan
        while len(self._scans) > SCANNED:
            del self._scans[next(iter(self._scans))]
        if scan.session is not None:
            self._headers.remember(path, stamp(handle), scan.session, scan.project)


def _whole(path: str, session_id: str) -> tuple[Scan, int]:
    """The whole log, checked, and the bytes of it that are whole."""
    with reading(path, session_id) as log:
        for _ in log.entries():
            pass
    return log.scan, log.whole


@contextmanager
def _open(path: str, flags: int = os.O_RDONLY) -> Iterator[int]:
    handle = open_regular(path, flags)
    try:
        yield handle
    finally:
        os.close(handle)


def _end(handle: int, path: str, session_id: str) -> tuple[End, int] | None:
    try:
        return last_end(handle, session_id)
    except lines.NewerLine as error:
        raise LogUnsupported(f"{path}: {error}") from error
    except ValueError:
        return None  # damage: a whole pass tells where


def _stale(session_id: str, end: End) -> StaleWriter:
    return StaleWriter(f"{session_id} does not end with event {end.seq - 1} as this writer knows it")


def _twice(session: Session) -> Session:
    return session.replace(status="quarantined", problem="the same session is in two folders")
