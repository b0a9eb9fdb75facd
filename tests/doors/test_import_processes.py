"""Importing with several processes that read: the same log, whatever becomes of them."""

from __future__ import annotations

import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

import pytest

from tests.doors.test_cli import as_json
from tests.doors.test_hook import ROOT, Home

SESSIONS, PROMPTS = 6, 1500
#: how long a process is waited for, in seconds
PATIENCE_S = 60


@pytest.fixture
def transcripts(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder of transcripts, each of a session of its own."""
    folder = tmp_path / "transcripts"
    folder.mkdir()
    for session in range(SESSIONS):
        with (folder / f"{session}.jsonl").open("w", encoding="utf-8") as file:
            for at in range(PROMPTS):
                text = f"question {at} of {session}: " + " ".join(f"word{at * 7 % 613}x{n}" for n in range(60))
                file.write(json.dumps({
                    "type": "user", "message": {"role": "user", "content": text}, "promptId": f"p{at}",
                    "uuid": f"u{session}-{at}", "timestamp": "2026-11-30T12:00:00.000Z",
                    "sessionId": f"s{session}", "cwd": "/srv/x",
                }) + "\n")  # fmt: skip
    return folder


@pytest.fixture
def wanted(transcripts: pathlib.Path, tmp_path: pathlib.Path) -> list[tuple[str, str]]:
    """The events as one process brings them into the log."""
    home = Home(tmp_path / "wanted")
    told = as_json(home, "import", str(transcripts), "--processes", "0")["hosts"]["claude-code"]
    assert (told["added"], told["errors"]) == (SESSIONS * PROMPTS, [])
    return home.events()


def begin(home: Home, folder: pathlib.Path) -> subprocess.Popen[bytes]:
    """An import with two processes that read, in the background."""
    words = [sys.executable, "-m", "segue", "import", str(folder), "--processes", "2", "--json"]
    env = {**home.env, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.Popen(words, cwd=home.project, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def readers(parent: int) -> list[int]:
    """The processes that it started and that have begun to read."""
    return [pid for pid, row in running().items() if row[0] == parent and "segue.operations.readers" in row[1]]


def running() -> dict[int, tuple[int, str]]:
    """Every process that has not ended: who started it, and its words."""
    if not os.path.isdir("/proc/self"):
        found = subprocess.run(
            ["ps", "-wwax", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
        )
        rows = [line.split(None, 3) for line in found.stdout.splitlines()]
        return {int(row[0]): (int(row[1]), row[-1]) for row in rows if row[2][0] != "Z"}
    told = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it ended while we looked
            continue
        if state != "Z":
            told[int(folder.name)] = (int(parent), words)
    return told


def wait_for_events(home: Home, process: subprocess.Popen[bytes]) -> None:
    """Until something is stored."""
    deadline = time.monotonic() + PATIENCE_S
    while not home.events():
        assert process.poll() is None
        assert time.monotonic() < deadline
        select.select([], [], [], 0.01)


@pytest.mark.promise("CLI-19")
@pytest.mark.parametrize("processes", ["1", "3"])
def test_several_processes_that_read_make_the_same_log(
    processes: str, transcripts: pathlib.Path, wanted: list[tuple[str, str]], tmp_path: pathlib.Path
) -> None:
    home = Home(tmp_path / "home")
    told = as_json(home, "import", str(transcripts), "--processes", processes)
    assert told["hosts"]["claude-code"]["added"] == told["indexed"] == SESSIONS * PROMPTS
    assert home.events() == wanted
    assert as_json(home, "verify")["ok"] is True
    assert as_json(home, "import", str(transcripts), "--processes", processes)["hosts"]["claude-code"]["added"] == 0


@pytest.mark.promise("CLI-19")
def test_a_reader_that_is_killed_costs_its_transcript_and_a_second_import_brings_the_rest(
    transcripts: pathlib.Path, wanted: list[tuple[str, str]], tmp_path: pathlib.Path
) -> None:
    home = Home(tmp_path / "home")
    process = begin(home, transcripts)
    wait_for_events(home, process)
    victim = readers(process.pid)[0]
    os.kill(victim, signal.SIGKILL)
    told = json.loads(process.communicate(timeout=PATIENCE_S)[0])["hosts"]["claude-code"]
    assert process.returncode == 0
    assert len(told["errors"]) == 1
    assert "ended with -9" in told["errors"][0]
    assert 0 < len(home.events()) < len(wanted)
    assert as_json(home, "import", str(transcripts))["hosts"]["claude-code"]["errors"] == []
    assert home.events() == wanted
    assert as_json(home, "verify")["ok"] is True


@pytest.mark.promise("CLI-19")
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_no_reader_outlives_an_import_that_was_stopped(
    sign: signal.Signals, transcripts: pathlib.Path, wanted: list[tuple[str, str]], tmp_path: pathlib.Path
) -> None:
    home = Home(tmp_path / "home")
    process = begin(home, transcripts)
    wait_for_events(home, process)
    left = readers(process.pid)
    assert len(left) == 2
    process.send_signal(sign)
    process.communicate(timeout=PATIENCE_S)
    deadline = time.monotonic() + PATIENCE_S
    while not running().keys().isdisjoint(left):
        assert time.monotonic() < deadline
        select.select([], [], [], 0.01)
    assert len(home.events()) < len(wanted)
    as_json(home, "import", str(transcripts))
    assert home.events() == wanted
