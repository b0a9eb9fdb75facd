"""Owns a process of ours beside this one, and what the two say to each other. Never outlives the one that started it.

They speak in pickled values, which only ever come from the other end of a pipe that we made ourselves.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from importlib import import_module
from os.path import dirname

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

#: the folder that holds the package, for a child that is started without any path of its own
PACKAGE_PARENT = dirname(dirname(dirname(__file__)))
BOOT = "import sys; sys.path.append({path!r}); from segue.system.child import attend; attend({module!r}, {function!r})"


class Pipe:
    """One end: what is said here is heard there. `is_broken` once the other end is gone or says no sense."""

    def __init__(self, hears: IO[bytes], says: IO[bytes]) -> None:
        self._hears, self._says = hears, says
        self.is_broken = False

    def hear(self) -> Any:
        """The next value; None when there will be no more."""
        try:
            return pickle.load(self._hears)
        except (EOFError, OSError, pickle.UnpicklingError, ValueError):
            self.is_broken = True
            return None

    def say(self, value: Any) -> None:
        """Pass a value on. Where nobody hears any more, the pipe is broken."""
        try:
            pickle.dump(value, self._says, protocol=5)
            self._says.flush()
        except (OSError, ValueError):
            self.is_broken = True


class Child(Pipe):
    """A new process that runs `function(pipe)` of one of our modules, without the path and settings of this one."""

    def __init__(self, module: str, function: str) -> None:
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

    def stop(self) -> int:
        """End it, if it has not ended; its exit code, negative for a signal."""
        self._process.kill()
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
    pipe = Pipe(sys.stdin.buffer, sys.stdout.buffer)
    sys.stdout = sys.stderr  # nothing but values may come through the pipe
    getattr(import_module(module), function)(pipe)
