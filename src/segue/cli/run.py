"""Owns one run of the command line, from words to exit code. Never hides an error."""

from __future__ import annotations

import json
import os
import sys
import time

from segue import app
from segue.cli.parser import build, commands
from segue.ctx import open_context
from segue.errors import SegueError, UsageError
from segue.model.codec import scrub
from segue.model.operation import TEXTS, check
from segue.sessionlog.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any, TextIO

    from segue.ctx import Place
    from segue.model.operation import Operation

#: exit codes: done; done but something is broken; the request or the place is wrong; interrupted
DONE, BROKEN, REFUSED, INTERRUPTED = 0, 1, 2, 130


def run(words: list[str]) -> int:
    """Parse, run, print; the exit code."""
    _use_utf8()
    parser = build()
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    try:
        arguments = parser.parse_args(words)
    except UsageError as error:
        return _complain(error, as_json="--json" in words)
    if arguments.command is None:
        parser.print_help()
        return DONE
    operation = commands()[arguments.command]
    try:
        data = _perform(operation, arguments)
    except SegueError as error:
        return _complain(error, as_json=arguments.json)
    except KeyboardInterrupt:
        _warn("\ninterrupted; what was finished is kept")
        return INTERRUPTED
    try:
        text = (
            json.dumps(data, ensure_ascii=False, indent=1) if arguments.json else visible(scrub(operation.text(data)))
        )
        print(text, flush=True)  # to nowhere, if stdout was closed before
    except BrokenPipeError:
        return _closed()
    except OSError as error:
        _warn(f"segue: the answer could not be written: {error.strerror}")
        return _closed(BROKEN)
    return BROKEN if operation.failed(data) else DONE


def _perform(operation: Operation, arguments: argparse.Namespace) -> dict[str, Any]:
    given = {
        param.name: " ".join(value) if param.joined else value
        for param in operation.params
        if (value := getattr(arguments, param.name)) is not None and not (param.kind == TEXTS and not value)
    }
    request = check(operation.params, given, person=True)
    place = app.locate(os.environ, _cwd(), lenient=not operation.needs_store).replace(report=Progress().report)
    if not operation.needs_store:
        return operation.run(place, request)
    return _with_store(operation, place, request)


def _cwd() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise UsageError("the working directory was deleted", hint="Go to a folder that exists.") from error


def _with_store(operation: Operation, place: Place, request: dict[str, Any]) -> dict[str, Any]:
    context = open_context(place)
    try:
        return operation.run(context, request)
    finally:
        context.store.close()


def _complain(error: SegueError, *, as_json: bool) -> int:
    if as_json:
        _tell(json.dumps({"error": {"code": error.code, "message": str(error), "hint": error.hint}}), sys.stdout)
    else:
        _warn(f"segue: {error}\n{error.hint}")
    return REFUSED


def _warn(text: str) -> None:
    """Say it beside the answer."""
    _tell(text, sys.stderr)


def _tell(text: str, stream: TextIO | None) -> None:
    """Say it if anybody listens there: the exit code tells the rest."""
    if stream is None:  # it was closed before we began
        return
    try:
        print(text, file=stream, flush=True)
    except OSError:
        _to_nowhere(stream)


def _closed(code: int = DONE) -> int:
    """The reader of our output left (`| head`), or its disk is full: there is nothing more to flush."""
    _to_nowhere(sys.stdout)
    return code


def _to_nowhere(stream: TextIO) -> None:
    """What a stream still holds, and all that comes, is thrown away: nobody can read it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _use_utf8() -> None:
    """Text in every script, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


class Progress:
    """One line on the terminal that says how far long work is, from its second second on."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._told = 0.0

    def report(self, what: str, done: int, total: int) -> None:
        """Say it, at most ten times a second on a terminal and every five seconds elsewhere."""
        now = time.monotonic()
        if sys.stderr is None:  # it was closed before we began
            return
        live = sys.stderr.isatty()
        if now - self._started < 2 or now - self._told < (0.1 if live else 5):
            return
        self._told = now
        share = f"{100 * done // total} %" if total else "…"
        end = "" if live else "\n"
        line = f"\r{what} {share} ({done:,} of {total:,})" if live else f"{what} {share}"
        try:
            print(line, end=end, file=sys.stderr, flush=True)
        except OSError:  # nobody reads it any more: the work goes on
            _to_nowhere(sys.stderr)
