"""Importing all that the four hosts left behind."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys

import pytest

from tests.doors.test_cli import as_json
from tests.doors.test_hook import ROOT, Home
from tests.hosts.test_opencode_transcript import again, recorded

FIXTURES = ROOT / "tests" / "hosts"


@pytest.fixture
def full(tmp_path: pathlib.Path) -> Home:
    """A home in which all four hosts were used, their transcripts where each keeps them."""
    home = Home(tmp_path / "home")
    places = {
        "claude": (home.folder / ".claude" / "projects" / "-home-dev-proj", "*.jsonl"),
        "codex": (home.folder / ".codex" / "sessions" / "2026" / "11" / "30", "*.jsonl"),
        "gemini": (home.folder / ".gemini" / "tmp" / "proj" / "chats", "*.jsonl"),
    }
    for host, (folder, pattern) in places.items():
        for source in sorted((FIXTURES / host).rglob(pattern)):
            target = folder / source.name
            if "subagents__" in source.name:
                target = folder / "53b4292d-ebb0-48d8-a837-a54ceec878b2" / "subagents" / source.name.split("__")[1]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    opencode = home.folder / ".local" / "share" / "opencode"
    opencode.mkdir(parents=True)
    again("basic", opencode)
    return home


def lines_below(folder: pathlib.Path) -> dict[str, int]:
    """An independent count: records by their type, read by nothing of the product."""
    counts: dict[str, int] = {}
    for path in folder.rglob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            name = str(record.get("type", "?"))
            counts[name] = counts.get(name, 0) + 1
    return counts


@pytest.mark.promise("CLI-17")
def test_every_record_of_every_host_is_counted_and_a_second_import_adds_nothing(full: Home) -> None:
    told = as_json(full, "import")["hosts"]
    assert sorted(told) == ["claude-code", "codex", "gemini", "opencode"]
    for host, folder in (("claude-code", ".claude"), ("codex", ".codex"), ("gemini", ".gemini")):
        independent = lines_below(full.folder / folder)
        seen = told[host]["records"]
        assert sum(seen.values()) == sum(independent.values()), host
        assert told[host]["errors"] == []
    claude = lines_below(full.folder / ".claude")
    for kind in ("user", "assistant", "queue-operation", "last-prompt"):
        assert (
            told["claude-code"]["records"].get(kind, 0) + told["claude-code"]["records"].get("skipped: own-block", 0)
            >= claude[kind]
        )
    parts = len(recorded("basic", "part"))
    opencode = told["opencode"]["records"]
    synthetic = sum(row["data"].get("synthetic") is True for row in recorded("basic", "part"))
    assert (
        sum(n for kind, n in opencode.items() if kind.startswith("part:")) + opencode.get("skipped: synthetic", 0)
        == parts
    )
    assert opencode.get("skipped: synthetic", 0) == synthetic
    before = full.events()
    second = as_json(full, "import")["hosts"]
    assert sum(row["added"] for row in second.values()) == 0
    assert {host: row["records"] for host, row in second.items()} == {
        host: row["records"] for host, row in told.items()
    }
    everything = as_json(full, "import", "--again")["hosts"]
    assert sum(row["added"] for row in everything.values()) == 0
    assert full.events() == before
    assert as_json(full, "verify")["ok"] is True


@pytest.mark.promise("CLI-17")
def test_a_subagent_hangs_under_its_parent_after_an_import(full: Home) -> None:
    as_json(full, "import")
    with sqlite3.connect(full.data / "segue.db") as store:
        found = store.execute("SELECT session_id, parent_id FROM sessions WHERE parent_id IS NOT NULL").fetchall()
    parent = "claude-code:53b4292d-ebb0-48d8-a837-a54ceec878b2"
    assert (f"{parent}/agent-a57c528cabf207891", parent) in found


@pytest.mark.promise("CLI-18")
def test_an_import_that_was_killed_goes_on_where_it_stopped(tmp_path: pathlib.Path) -> None:
    whole, killed = Home(tmp_path / "whole"), Home(tmp_path / "killed")
    transcript = tmp_path / "long.jsonl"
    with transcript.open("w", encoding="utf-8") as file:
        for at in range(6000):
            record = {"type": "user", "message": {"role": "user", "content": f"question {at} " + "word " * 60},
                      "promptId": f"p{at}", "uuid": f"u{at}", "timestamp": "2026-11-30T12:00:00.000Z",
                      "sessionId": "long", "cwd": "/srv/x"}  # fmt: skip
            file.write(json.dumps(record) + "\n")
    assert as_json(whole, "import", str(transcript))["hosts"]["claude-code"]["added"] == 6000
    env = {**killed.env, "PYTHONPATH": str(ROOT / "src")}
    words = [sys.executable, "-m", "segue", "import", str(transcript)]
    kills = 0
    for _ in range(4):
        process = subprocess.Popen(words, cwd=killed.project, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(400):
            if len(killed.events()) > (kills + 1) * 900 or process.poll() is not None:
                break
            os.sched_yield()
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.communicate()
    as_json(killed, "import", str(transcript))
    assert kills
    assert killed.events() == whole.events()
    assert as_json(killed, "verify")["ok"] is True


@pytest.mark.promise("CLI-18")
def test_hostile_transcripts_are_counted_and_cost_only_themselves(tmp_path: pathlib.Path) -> None:
    home = Home(tmp_path / "home")
    good = {"type": "user", "message": {"content": "sound words"}, "promptId": "p", "sessionId": "s", "cwd": "/srv/x",
            "uuid": "u", "timestamp": "2026-11-30T12:00:00Z"}  # fmt: skip
    lines = [
        json.dumps(good).encode(), b"not json at all", b'{"type":"atis-latch","atis":"","sessionId":"s"}',
        b'{"type":"user","message":{"content":[{"type":"text","text":"list form"}]},"promptId":"q","sessionId":"s"}',
        b'{"type":"brand-new-kind","sessionId":"s"}', b"\xff\xfe\x00garbage", b"[]", b"17", b'{"type":7}',
        b'{"type":"turn_ended","status":"aborted","error":"User aborted/interrupted manually."}',
        json.dumps({**good, "promptId": "r", "message": {"content": "y" * 40_000_000}}).encode(),
        json.dumps({**good, "promptId": "t", "message": {"content": "after all"}}).encode(),
        b'{"type":"assistant","message":{"cont',
    ]  # fmt: skip
    path = tmp_path / "hostile.jsonl"
    path.write_bytes(b"\n".join(lines))
    told = as_json(home, "import", str(path))["hosts"]["claude-code"]
    assert told["errors"] == []
    assert told["added"] == 3
    assert sum(told["records"].values()) == len(lines)
    skipped = {kind: n for kind, n in told["records"].items() if kind.startswith("skipped")}
    assert skipped["skipped: too-long"] == 1
    assert skipped["skipped: cut-off"] == 1
    assert skipped["skipped: unknown-type"] >= 2
    assert any("after all" in body for _, body in home.events())
