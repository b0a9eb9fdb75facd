"""Owns locks between processes. The operating system frees them when their holder dies."""

from __future__ import annotations

import os
import time

from segue.errors import LockHeld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

#: how often a waiting process looks again, in seconds
POLL_S = 0.02


class FileLock:
    """An exclusive lock on a file beside what it protects. Waits up to `timeout_s` seconds, then raises `LockHeld`."""

    def __init__(self, path: str, timeout_s: float) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._handle = -1

    def __enter__(self) -> None:
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + self._timeout_s
        while not try_lock(handle):
            if time.monotonic() > deadline:
                os.close(handle)
                raise LockHeld(self._path)
            time.sleep(POLL_S)
        self._handle = handle

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._handle)  # closing frees the lock on every system


def try_lock(handle: int) -> bool:
    """Take an exclusive lock on an open file if nobody holds one."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
