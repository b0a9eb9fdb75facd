"""Owns the server's standard input and output: lines in, protocol out. Never lets anything else reach the host.

Whatever prints in this process (a library's banner, a forgotten debug line, a child) goes to stderr.
"""

from __future__ import annotations

import os
import sys

from segue.model.codec import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

#: how often the server looks whether its parent is still there, in seconds
PARENT_CHECK_S = 2.0
#: how long input must be quiet before the server works for itself, in seconds
QUIET_S = 0.2
#: longest message that is read, in bytes
MAX_MESSAGE = 16 * 1024 * 1024
#: bytes read at a time
CHUNK = 1 << 16


def claim_output() -> int:
    """Take stdout for the protocol alone; the descriptor to write it to. What anything else prints goes to stderr."""
    sys.stdout.flush()
    protocol = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return protocol


def write(descriptor: int, message: dict[str, Any] | list[dict[str, Any]]) -> None:
    """One message as one line."""
    data = dumps(message).encode("utf-8", "replace") + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]


def read_lines(idle: Callable[[], None]) -> Iterator[bytes | None]:
    """Lines of standard input until it ends or the parent is gone; None for a line that is too long to be read.

    `idle` is called in a quiet moment.
    """
    parent = os.getppid()
    held: list[bytes] = []
    size = 0
    while True:
        if not _wait(idle):
            if os.getppid() != parent:
                return
            continue
        chunk = os.read(0, CHUNK)
        if not chunk:
            break
        first, *others = chunk.split(b"\n")
        held, size = _hold(held, size, first)
        for line in others:
            yield b"".join(held) if size <= MAX_MESSAGE else None
            held, size = [line], len(line)
    if held and size <= MAX_MESSAGE:
        yield b"".join(held)


def _hold(held: list[bytes], size: int, part: bytes) -> tuple[list[bytes], int]:
    """What is held of a line with one more part, and the line's size; nothing is held of one that is too long."""
    size += len(part)
    if size > MAX_MESSAGE:
        return [], size
    held.append(part)
    return held, size


def _wait(idle: Callable[[], None]) -> bool:
    """Whether there is input. Waits a moment, then lets the server work, then waits for the next look at the parent."""
    if os.name == "nt":
        return True
    import select

    if select.select([0], [], [], QUIET_S)[0]:
        return True
    idle()
    return bool(select.select([0], [], [], PARENT_CHECK_S)[0])
