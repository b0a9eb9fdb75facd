"""Owns the hook door: JSON on stdin, the host's own JSON on stdout, always exit 0 (I7). Never keeps the host waiting.

Everything that goes wrong is recorded in hook-errors.log; what could not be stored waits in the spool.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FrameType
    from typing import Any


#: longest payload that is read, in bytes
MAX_INPUT = 32 * 1024 * 1024
#: bytes of a payload from which on the next hook does the storing
LARGE = 8192
#: how long a hook waits for its input, and altogether, in seconds
INPUT_S, TOTAL_S, START_TOTAL_S = 1.5, 2.0, 5.0
#: bytes of the error log beyond which it begins anew
MAX_ERROR_LOG = 256 * 1024


def main(args: list[str]) -> int:
    """`segue hook HOST [EVENT]`. Returns 0, whatever happens."""
    answer = b""
    try:
        data = _read_input()
        _set_alarm(START_TOTAL_S if "SessionStart" in args else TOTAL_S)
        answer = run(args, os.environ, data)
    except BaseException as error:  # noqa: BLE001 - the door's top: the host must not be hurt, the error is recorded
        _set_alarm(0)  # or it could ring while the error is being recorded
        _record_error(error)
    _set_alarm(0)
    _write_output(answer)
    return 0


def run(args: list[str], env: Mapping[str, str], data: bytes) -> bytes:
    """Handle one payload; the bytes for stdout."""
    from segue import app

    if not args or app.is_off(env) or not data.strip():
        return b""
    event = args[1] if len(args) > 1 else ""
    is_large = len(data) > LARGE
    answer = app.receive(args[0], event, parse_payload(data), env, record_error=_record_error, is_large=is_large)
    return answer.encode()


def parse_payload(data: bytes) -> dict[str, Any]:
    """The payload of a hook: a JSON object, with or without a BOM, broken characters replaced."""
    from segue.errors import UsageError
    from segue.model.codec import loads

    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")  # `utf-8-sig` is a module more to load
    payload = loads(text, lenient=True)
    if not isinstance(payload, dict):
        raise UsageError("the payload is not a JSON object")
    return payload


def _read_input() -> bytes:
    """Standard input to its end, or what there is of it when the host leaves it open."""
    from segue.errors import TooLate

    chunks: list[bytes] = []
    size = 0
    try:
        while size < MAX_INPUT:
            _set_alarm(INPUT_S)
            chunk = os.read(0, 1 << 20)
            if not chunk:
                break
            chunks.append(chunk)
            size += len(chunk)
    except (TooLate, OSError):
        return b"".join(chunks)
    return b"".join(chunks)


def _set_alarm(seconds: float) -> None:
    """Raise `TooLate` in this process after so many seconds; 0 takes it back. Nothing where there is no such signal."""
    try:
        import _signal  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return
    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, _ring)
        _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _ring(number: int, frame: FrameType | None) -> None:
    from segue.errors import TooLate

    raise TooLate(f"signal {number}")


def _write_output(answer: bytes) -> None:
    from segue.errors import TooLate

    if not answer:
        return
    try:
        _set_alarm(TOTAL_S)
        while answer:
            answer = answer[os.write(1, answer) :]
        _set_alarm(0)
    except (OSError, TooLate) as error:  # the host closed its end, or does not read
        _set_alarm(0)
        _record_error(error)


def _record_error(error: BaseException) -> None:
    """One line in hook-errors.log: when, what kind, what it said, where. Never the payload."""
    from segue.system.paths import data_dir

    try:
        folder = data_dir(os.environ, sys.platform)
        if folder is None:
            return
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = os.path.join(folder, "hook-errors.log")
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
        if os.path.exists(path) and os.path.getsize(path) > MAX_ERROR_LOG:
            flags |= os.O_TRUNC
        handle = os.open(path, flags, 0o600)
        os.write(handle, _error_line(error).encode("utf-8", "replace"))
        os.close(handle)
    except OSError:
        return  # nowhere to write: the host must still not be hurt


def _error_line(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else "?"
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    text = " ".join(str(error).split())[:300] if hasattr(error, "code") else ""
    return f"{at} {type(error).__name__} at {place} {text}".rstrip() + "\n"
