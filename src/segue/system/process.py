"""Owns starting processes: the only module that does. Never leaves one behind."""

from __future__ import annotations

import os
import signal
import subprocess

from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: output of a process that is kept, in bytes
MAX_OUTPUT = 1_000_000
#: tells hooks in whatever we start that Segue is already at work above them
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
    """Run a program to its end or its time; its whole group is stopped then."""
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
    except OSError as error:
        return Finished(code=None, stdout=b"", stderr=b"", problem=f"{argv[0]}: {error.strerror}")
    try:
        out, err = process.communicate(data, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        _stop(process)
        out, err = process.communicate()
        return Finished(code=None, stdout=out[:MAX_OUTPUT], stderr=err[:MAX_OUTPUT], problem=f"no end in {timeout_s} s")
    return Finished(code=process.returncode, stdout=out[:MAX_OUTPUT], stderr=err[:MAX_OUTPUT])


def _stop(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
    else:
        process.kill()
