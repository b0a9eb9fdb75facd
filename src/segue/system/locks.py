"""Owns locks between processes. Never holds one longer than its process lives: the operating system sees to that."""

from __future__ import annotations

import errno
import os
import time

from segue.errors import LockHeld, StoreUnavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

#: how often a waiting process looks again, in seconds
POLL_S = 0.02
#: how systems say that another process has it
HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


class FileLock:
    """An exclusive lock on a file beside what it protects. Waits up to `timeout_s` seconds, then raises `LockHeld`.

    The file stays, unless it `vanishes` when it is free: then whoever got a lock looks whether the file still has its
    name, since a lock on a removed one keeps nobody out. `StoreUnavailable` where the file cannot be made, or its file
    system has no locks.
    """

    def __init__(self, path: str, timeout_s: float, *, vanishes: bool = False) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._vanishes = vanishes
        self._handle = -1

    def __enter__(self) -> None:
        while True:
            handle = self._open()
            if not self._vanishes or _is_named(handle, self._path):
                break
            os.close(handle)  # its last holder removed it between our opening and our lock
        self._handle = handle

    def _open(self) -> int:
        """The file, open and locked."""
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreUnavailable(f"{self._path}: {error.strerror}") from error
        try:
            self._wait(handle)
        except BaseException as error:
            os.close(handle)
            if isinstance(error, OSError):
                raise StoreUnavailable(f"{self._path}: {error.strerror}") from error
            raise
        return handle

    def _wait(self, handle: int) -> None:
        deadline = time.monotonic() + self._timeout_s
        while not try_lock(handle):
            if time.monotonic() >= deadline:
                raise LockHeld(self._path)
            time.sleep(POLL_S)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        handle, self._handle = self._handle, -1
        if handle != -1:
            if self._vanishes and os.name != "nt":  # Windows removes no open file; there it stays
                _remove(self._path)
            _unlock(handle)
            os.close(handle)


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except FileNotFoundError:
        return  # somebody tidied up: the lock on it is ours all the same


def _is_named(handle: int, path: str) -> bool:
    """Whether an open file is the one that has that name now."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def try_lock(handle: int) -> bool:
    """Take an exclusive lock on an open file if nobody holds one; `OSError` where there are no locks at all."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in HELD:
            return False
        raise
    return True


def _unlock(handle: int) -> None:
    """Free the lock now. Closing frees it too, but Windows does not say when."""
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined, unused-ignore]
