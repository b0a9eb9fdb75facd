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
from typing import Any

import pytest

from segue import app
from segue.config.settings import Settings
from segue.model.transcript import Source
from segue.operations.readers import Ended, parts
from segue.operations.transcripts import Job, Part, Reading
from tests.doors.test_cli import as_json
from tests.doors.test_hook import ROOT, Home
from tests.engines import NOW

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
                    "uuid": f"u{session}-{at}", "timestamp": NOW,
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


def begin(home: Home, *paths: pathlib.Path, processes: int = 2, before: str = "") -> subprocess.Popen[bytes]:
    """An import with processes that read, in the background; `before` is run in it before it begins."""
    code = f"import sys\n{before}\nfrom segue.__main__ import main\nsys.exit(main())"
    words = [sys.executable, "-c", code, "import", *map(str, paths), "--processes", str(processes), "--json"]
    env = {**home.env, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.Popen(words, cwd=home.project, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def end(process: subprocess.Popen[bytes], code: int = 0) -> Any:
    """What an import says at its end, which must come, and with this exit code; it never shows a traceback."""
    try:
        out, err = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert (process.returncode, b"Traceback" in err) == (code, False), err
    return json.loads(out)


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
    process = begin(home, transcripts, processes=1)  # of two, one might not have begun to read yet
    wait_for_events(home, process)
    (victim,) = readers(process.pid)
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


#: what becomes of the program that is to be run beside an import
NO_PROGRAM = {
    "unknown": "sys.executable = ''",
    "absent": "sys.executable = '/nowhere/python'",
    "another": "import shutil; sys.executable = shutil.which('true')",
    "no more processes": "import resource; resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))",
    "no more files": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))",
}


@pytest.mark.promise("CLI-20")
@pytest.mark.parametrize("why", NO_PROGRAM)
def test_where_no_process_can_be_started_the_import_reads_by_itself(
    why: str, transcripts: pathlib.Path, wanted: list[tuple[str, str]], tmp_path: pathlib.Path
) -> None:
    home = Home(tmp_path / "home")
    told = end(begin(home, transcripts, before=NO_PROGRAM[why]))["hosts"]["claude-code"]
    assert (told["added"], told["errors"]) == (SESSIONS * PROMPTS, [])
    assert home.events() == wanted


@pytest.mark.promise("CLI-20")
def test_no_more_processes_are_started_than_there_are_transcripts(
    transcripts: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    home = Home(tmp_path / "home")
    one = transcripts / "0.jsonl"
    process = begin(home, one, one, processes=64)
    wait_for_events(home, process)
    assert len(readers(process.pid)) == 1
    told = end(process)["hosts"]["claude-code"]
    assert (told["added"], told["known"], told["errors"]) == (PROMPTS, 0, [])
    empty = tmp_path / "home without transcripts"
    empty.mkdir()
    assert end(begin(Home(empty), processes=64))["hosts"] == {}


def job(host: str, path: pathlib.Path, **state: Any) -> Job:
    """What is to read of a transcript, from its beginning."""
    source = Source(host=host, path=str(path), size=path.stat().st_size)
    return Job(source=source, name=source.path, position=0, state=state, head="", counts={})


@pytest.mark.promise("CLI-18")
@pytest.mark.parametrize("processes", [0, 1])
def test_a_transcript_that_breaks_its_reader_is_named_and_the_others_go_on(
    processes: int, transcripts: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    other = tmp_path / "session-1.jsonl"
    other.write_text(json.dumps({"id": "m1", "type": "user", "content": "why?", "timestamp": NOW}) + "\n")
    jobs = [job("gemini", other, session=5), job("claude-code", transcripts / "0.jsonl")]
    reading = Reading(home=None, settings=Settings(), now=app.now, nonce=app.nonce)
    said = list(parts(jobs, reading, processes))
    ends = {job.source.host: part for job, part in said if isinstance(part, Ended)}
    assert ends.pop("claude-code") == Ended()
    assert (ends["gemini"].error or "").startswith("AttributeError: ")
    assert sum(len(gain.drafts) for _, part in said if isinstance(part, Part) for _, gain in part.gains) == PROMPTS


@pytest.mark.promise("CLI-20")
@pytest.mark.parametrize("processes", [0, 1])
def test_what_cannot_be_told_to_another_process_is_read_in_this_one(processes: int, transcripts: pathlib.Path) -> None:
    reading = Reading(home=None, settings=Settings(), now=lambda: NOW, nonce=app.nonce)
    said = list(parts([job("claude-code", transcripts / "0.jsonl")], reading, processes))
    assert said[-1][1] == Ended()


@pytest.mark.promise("CLI-20")
@pytest.mark.parametrize("processes", [0, 2])
def test_a_store_that_takes_no_more_ends_an_import_with_what_is_wrong_and_no_reader_is_left(
    processes: int, transcripts: pathlib.Path, wanted: list[tuple[str, str]], tmp_path: pathlib.Path
) -> None:
    home = Home(tmp_path / "home")
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))"
    process = begin(home, transcripts, processes=processes, before=full)
    assert end(process, code=2)["error"]["code"] == "store_unavailable"
    assert not [pid for pid, (_, words) in running().items() if "segue.operations.readers" in words]
    assert 0 < len(home.events()) < len(wanted)
    as_json(home, "import", str(transcripts))
    assert home.events() == wanted
