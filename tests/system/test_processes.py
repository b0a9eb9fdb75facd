"""Running processes, telling them apart, and locks between them."""

from __future__ import annotations

import os
import pathlib
import select
import subprocess
import sys

import pytest

import segue
from segue.errors import LockHeld, StoreUnavailable
from segue.system.locks import FileLock
from segue.system.process import (
    MAX_OUTPUT,
    run,
)

SOURCE = str(pathlib.Path(segue.__file__).parents[1])
ENV = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": SOURCE}


def python(code: str, *args: str) -> list[str]:
    return [sys.executable, "-S", "-c", code, *args]


def start(code: str, *args: str) -> subprocess.Popen[bytes]:
    """A Python process that may use Segue."""
    return subprocess.Popen(python(code, *args), env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def is_closed(handle: int) -> bool:
    """Whether no process has the other end of a pipe open any more; waits a moment for the last one to go."""
    return bool(select.select([handle], [], [], 5)[0]) and os.read(handle, 1) == b""


@pytest.mark.promise("SYS-12")
def test_a_process_gets_its_input_folder_and_environment_and_its_output_comes_back(tmp_path: pathlib.Path) -> None:
    code = (
        "import os, sys; d = sys.stdin.buffer.read(); sys.stderr.write(os.getcwd()); "
        "sys.stdout.buffer.write(d[::-1] + os.environ['SEGUE_HOOK_DEPTH'].encode()); sys.exit(3)"
    )
    done = run(python(code), env={**ENV, "A": "b"}, cwd=str(tmp_path), data=b"\x00abc" * 50_000)
    assert (done.code, done.problem) == (3, None)
    assert done.stdout == b"cba\x00" * 50_000 + b"1"
    assert os.path.samefile(done.stderr.decode(), tmp_path)


@pytest.mark.promise("SYS-12")
@pytest.mark.parametrize("argv", [["/nowhere/program"], ["a\0b"], [os.curdir]])
def test_what_cannot_be_started_is_an_answer(argv: list[str]) -> None:
    done = run(argv, env={})
    assert done.code is None
    assert done.problem is not None
    assert argv[0] in done.problem


@pytest.mark.promise("SYS-12")
def test_output_without_end_is_cut_and_the_process_goes_on() -> None:
    code = f"import sys\nfor _ in range(8): sys.stdout.write('x' * {MAX_OUTPUT // 2})\nsys.stderr.write('end')"
    done = run(python(code), env=ENV)
    assert (done.code, len(done.stdout), done.stderr) == (0, MAX_OUTPUT, b"end")


@pytest.mark.promise("SYS-12")
def test_a_process_that_closes_its_input_is_no_error() -> None:
    done = run(python("import os; os.close(0)"), env=ENV, data=b"x" * 1_000_000)
    assert (done.code, done.problem) == (0, None)


FAMILY = """
import signal, subprocess, sys
pipe = open(sys.argv[1], "w")
subprocess.Popen([sys.executable, "-S", "-c", "import signal; signal.pause()"], pass_fds=[pipe.fileno()])
print("started", flush=True)
if sys.argv[2] == "stays":
    signal.pause()
"""


@pytest.mark.promise("SYS-12")
@pytest.mark.parametrize(("then", "code"), [("stays", None), ("ends", 0)])
def test_neither_a_process_that_is_too_slow_nor_the_children_it_left_remain(
    tmp_path: pathlib.Path, then: str, code: int | None
) -> None:
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    done = run(python(FAMILY, pipe, then), env=ENV, timeout_s=3)
    assert (done.code, done.stdout) == (code, b"started\n")
    assert (done.problem is None) is (code == 0)
    assert is_closed(reader)
    os.close(reader)


COUNT = """
import sys
from segue.system.locks import FileLock
for _ in range(25):
    with FileLock(sys.argv[1] + ".lock", 30):
        with open(sys.argv[1], "r+", encoding="ascii") as file:
            number = int(file.read())
            file.seek(0)
            file.write(str(number + 1))
"""
HOLD = """
import sys
from segue.system.locks import FileLock
with FileLock(sys.argv[1], 30):
    print("held", flush=True)
    input()
"""


@pytest.mark.promise("SYS-11")
def test_eight_processes_count_together_and_no_step_is_lost(tmp_path: pathlib.Path) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0", encoding="ascii")
    contenders = [start(COUNT, str(counter)) for _ in range(8)]
    for contender in contenders:
        contender.communicate()
    assert [contender.returncode for contender in contenders] == [0] * 8
    assert counter.read_text(encoding="ascii") == "200"


@pytest.mark.promise("SYS-11")
def test_a_killed_holder_frees_the_lock(tmp_path: pathlib.Path) -> None:
    path = str(tmp_path / "名 lock")
    holder = start(HOLD, path)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(LockHeld, match="名 lock"), FileLock(path, 0):
        pass
    holder.kill()
    holder.communicate()
    with FileLock(path, 5):
        pass


@pytest.mark.promise("SYS-11")
def test_a_lock_is_free_after_an_error_inside_and_for_the_next_in_this_process(tmp_path: pathlib.Path) -> None:
    path = str(tmp_path / "lock")
    lock = FileLock(path, 0)
    with pytest.raises(ZeroDivisionError), lock:
        1 / 0  # noqa: B018 - the error is the point
    with lock, pytest.raises(LockHeld), FileLock(path, 0):
        pass
    with lock:
        pass


@pytest.mark.promise("SYS-10")
def test_a_lock_that_cannot_be_made_says_where(tmp_path: pathlib.Path) -> None:
    with pytest.raises(StoreUnavailable, match="no such place"), FileLock(str(tmp_path / "no such place" / "x"), 0):
        pass
