"""Owns running other programs, and telling whether a process still runs. Never leaves one behind."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time

from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO

#: output of a process that is kept, in bytes; the rest is read and dropped, so that it does not stand still
MAX_OUTPUT = 1_000_000
#: how long the output of a process that ended may still come from what it left behind, in seconds
GRACE_S = 0.5
#: tells hooks in whatever program we run that Segue is already at work above them
DEPTH_VARIABLE = "SEGUE_HOOK_DEPTH"


class Finished(Record):
    """A process that ended. `code` is None when it was stopped after its time, or could not be started."""

    code: int | None
    stdout: bytes
    stderr: bytes
    problem: str | None = None


def run(
    argv: Sequence[str], *, env: Mapping[str, str], cwd: str | None = None, data: bytes = b"", timeout_s: float = 10
) -> Finished:
    """Run a program to its end or its time. Its whole group is stopped then, and what it left behind when it ended."""
    try:
        process = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env={**env, DEPTH_VARIABLE: "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=os.name == "posix",
        )
    except (OSError, ValueError) as error:
        text = error.strerror if isinstance(error, OSError) else str(error)
        return Finished(code=None, stdout=b"", stderr=b"", problem=f"{argv[0]}: {text}")
    out, err = _Reader(process.stdout), _Reader(process.stderr)
    writer = threading.Thread(target=_feed, args=(process.stdin, data), daemon=True)
    writer.start()
    problem = None
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        problem = f"no end in {timeout_s} s"
        _stop(process)
        process.wait()
    deadline = time.monotonic() + GRACE_S
    for thread in (out, err, writer):
        thread.join(max(0.0, deadline - time.monotonic()))
    if out.is_alive() or err.is_alive():
        _stop(process)  # children that the program left hold its output open
    return Finished(code=None if problem else process.returncode, stdout=out.kept, stderr=err.kept, problem=problem)


class _Reader(threading.Thread):
    """Reads one output to its end and keeps its beginning."""

    def __init__(self, pipe: IO[bytes] | None) -> None:
        super().__init__(daemon=True)
        self.kept = b""
        self._pipe = pipe
        self.start()

    def run(self) -> None:
        if self._pipe is None:
            return
        with self._pipe as pipe:
            while chunk := os.read(pipe.fileno(), 1 << 16):
                self.kept += chunk[: MAX_OUTPUT - len(self.kept)]


def _feed(pipe: IO[bytes] | None, data: bytes) -> None:
    if pipe is None:
        return
    try:
        with pipe:
            pipe.write(data)
    except OSError:
        return  # the program did not want to read it all


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Stop a process and all of its children."""
    if os.name == "posix":
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # all gone; macOS says the second of a group of the dead
            return
    else:
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
        process.kill()
