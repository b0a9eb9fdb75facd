"""Owns a process of ours beside this one, and what the two say to each other. Never outlives the one that started it.

They speak in pickled values, which only ever come from the other end of a pipe that we made ourselves.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from os.path import dirname

try:
    from _pickle import PickleError, dumps, load  # all that is needed of `pickle`, at a tenth of what it costs to load
except ImportError:  # an interpreter without it
    from pickle import PickleError, dumps, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

#: the folder that holds the package, for a child that is started without any path of its own
PACKAGE_PARENT = dirname(dirname(dirname(__file__)))
#: by how much a child gives way to the one that started it, which everything else waits for
NICER = 10
BOOT = "import sys; sys.path.append({path!r}); from segue.system.child import attend; attend({module!r}, {function!r})"
#: what pickling raises where something cannot be said or makes no sense, and a pipe whose other end is gone
NO_SENSE = (
    *(EOFError, OSError, ValueError, PickleError),
    *(TypeError, AttributeError, ImportError, LookupError, RecursionError, MemoryError),
)


class Pipe:
    """One end: what is said here is heard there. `is_broken` once the other end is gone or says no sense."""

    def __init__(self, hears: IO[bytes], says: IO[bytes]) -> None:
        self._hears, self._says = hears, says
        self.is_broken = False

    def hear(self) -> Any:
        """The next value; None when there will be no more."""
        try:
            return load(self._hears)
        except NO_SENSE:
            self.is_broken = True
            return None

    def say(self, value: Any) -> None:
        """Pass a value on, whole or not at all. Where it cannot be said or nobody hears it, the pipe is broken."""
        try:
            self._says.write(dumps(value, protocol=5))
            self._says.flush()
        except NO_SENSE:
            self.is_broken = True


class Child(Pipe):
    """A new process that runs `function(pipe)` of one of our modules, without the path and settings of this one.

    Raises `OSError` where there can be none.
    """

    def __init__(self, module: str, function: str) -> None:
        import subprocess  # the child itself starts none

        if not sys.executable:
            raise FileNotFoundError("this interpreter does not know its own program")
        boot = BOOT.format(path=PACKAGE_PARENT, module=module, function=function)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-X", "utf8", "-c", boot],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        super().__init__(self._process.stdout, self._process.stdin)

    def kill(self) -> None:
        """End it at once, if it has not ended; who hears it hears no more."""
        self._process.kill()

    def stop(self) -> int:
        """End it, if it has not ended; its exit code, negative for a signal."""
        self.kill()
        code = self._process.wait()
        for stream in (self._hears, self._says):
            try:
                stream.close()
            except OSError:  # what was still to be said cannot be any more
                continue
        return code


def attend(module: str, function: str) -> None:
    """Be the child: run the function with the pipe to the parent, which also decides over an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICER)
    pipe = Pipe(sys.stdin.buffer, sys.stdout.buffer)
    sys.stdout = sys.stderr  # nothing but values may come through the pipe
    getattr(import_module(module), function)(pipe)
