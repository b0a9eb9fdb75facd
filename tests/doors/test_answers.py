"""What commands tell a person: words, help, filters, settings, and what an installation is."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

import pytest

from segue.model.frame import OPEN
from tests.doors.test_cli import as_json, segue
from tests.doors.test_hook import ROOT, Home

LINES = 'first line\nsecond "line"'


@pytest.fixture
def told(home: Home) -> Home:
    """A home with one session: a prompt and a command."""
    home.tell("UserPromptSubmit", prompt="lease of the parcel")
    home.tell("PostToolUse", tool_name="Bash", tool_input={"command": "make lease"}, tool_use_id="t1",
              tool_response={"stdout": LINES, "stderr": ""})  # fmt: skip
    return home


@pytest.mark.promise("CLI-21")
def test_a_query_of_several_words_needs_no_quotes(told: Home) -> None:
    assert as_json(told, "search", "parcel", "lease") == as_json(told, "search", "parcel lease")
    assert len(as_json(told, "search", "parcel", "lease")["hits"]) == 1


@pytest.mark.promise("CLI-21")
def test_help_is_asked_for_in_either_way(home: Home) -> None:
    assert segue(home, "help") == segue(home, "--help")
    assert segue(home, "help", "search") == segue(home, "search", "--help")
    assert "there is no command" in segue(home, "help", "serch", code=2)


@pytest.mark.promise("CLI-21")
def test_an_event_reads_as_text_and_is_exact_as_json(told: Home) -> None:
    shown = segue(told, "show", "claude-code:s1#2")
    assert 'output:\n  first line\n  second "line"\n' in shown
    assert "subject: make lease" in shown
    exact = as_json(told, "show", "claude-code:s1#2")
    assert exact["event"]["body"]["output"] == LINES
    assert json.loads(exact["text"])["body"]["output"] == LINES


@pytest.mark.promise("CLI-22")
def test_no_match_names_the_filters_that_were_on(told: Home) -> None:
    none = as_json(told, "search", "lease", "--time-from", "2999-01-01T00:00:00Z", "--event-types", "user/message")
    assert none["hits"] == []
    assert none["notes"] == ["No match within these filters: types, time_from."]
    assert as_json(told, "search", "nowhere")["notes"] == ["No match."]


@pytest.mark.promise("CLI-22")
def test_a_brief_that_is_switched_off_says_so(told: Home) -> None:
    assert "lease of the parcel" in segue(told, "brief")
    segue(told, "config", "brief", "off")
    assert "segue config brief on" in segue(told, "brief")
    assert "segue config brief on" in segue(told, "why")
    assert as_json(told, "brief")["switched_off"] is True
    segue(told, "config", "brief", "on")
    assert "lease of the parcel" in segue(told, "brief")


@pytest.mark.promise("CLI-22")
def test_status_tells_the_time_of_the_newest_event_not_of_its_import(home: Home, tmp_path: pathlib.Path) -> None:
    entry = {
        "type": "user", "uuid": "u1", "sessionId": "old", "cwd": str(home.project), "timestamp": "2020-02-29T10:00:00Z",
        "message": {"role": "user", "content": "long ago"},
    }  # fmt: skip
    (tmp_path / "old.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    segue(home, "import", str(tmp_path / "old.jsonl"))
    assert "newest event" in segue(home, "status")
    assert as_json(home, "status")["here"][0]["last"] == "2020-02-29T10:00:00.000Z"


@pytest.mark.promise("CLI-22")
def test_the_way_of_the_hooks_stays_until_another_is_asked_for(home: Home) -> None:
    (home.folder / ".claude").mkdir()
    settings = home.folder / ".claude" / "settings.json"
    segue(home, "up", "--via-mcp")
    via_mcp = settings.read_bytes()
    assert b"mcp_tool" in via_mcp
    segue(home, "up")
    assert settings.read_bytes() == via_mcp
    segue(home, "up", "--via-commands")
    assert b"mcp_tool" not in settings.read_bytes()
    assert as_json(home, "up", "--via-mcp", "--via-commands", code=2)["error"]["code"] == "usage"
    would = segue(home, "down", "--dry-run")
    assert f"{settings}: would be removed" in would
    assert settings.exists()


@pytest.mark.promise("CLI-23")
def test_a_closed_stream_of_progress_does_not_end_the_work(home: Home, tmp_path: pathlib.Path) -> None:
    code = (
        "import sys, time; from segue.cli.run import Progress; p = Progress(); p._started -= 10\n"
        "for at in range(3): p._told = 0.0; p.report('importing', at, 3)\n"
        "print('done')"
    )
    for closed in ("2>&-", "2>/dev/full"):
        line = f'"$0" -c "$1" {closed}'
        env = {**home.env, "PYTHONPATH": str(ROOT / "src")}
        done = subprocess.run(["/bin/sh", "-c", line, sys.executable, code], env=env, capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (0, b"done\n"), closed


@pytest.mark.promise("CLI-23")
def test_an_error_that_nobody_reads_keeps_its_exit_code_and_is_not_put_among_the_answers(home: Home) -> None:
    env = {**home.env, "PYTHONPATH": str(ROOT / "src")}
    for words in ("show nothing-by-this-id", "serch"):
        for closed in ("", "2>&-", "2>/dev/full"):
            line = ["/bin/sh", "-c", f'"$0" -m segue {words} {closed}', sys.executable]
            done = subprocess.run(line, env=env, cwd=home.project, capture_output=True, check=False)
            assert (done.returncode, done.stdout) == (2, b""), (words, closed)
            assert bool(done.stderr) is not bool(closed)  # the control: it is said to who reads it


@pytest.mark.promise("CLI-23")
def test_an_error_as_json_that_nobody_reads_keeps_its_exit_code(home: Home) -> None:
    env = {**home.env, "PYTHONPATH": str(ROOT / "src")}
    for closed in ("", ">&-", ">/dev/full"):
        line = ["/bin/sh", "-c", f'"$0" -m segue show nothing-by-this-id --json {closed}', sys.executable]
        done = subprocess.run(line, env=env, cwd=home.project, capture_output=True, check=False)
        assert (done.returncode, b"Traceback" in done.stderr) == (2, False), closed
        assert bool(done.stdout) is not bool(closed)


@pytest.mark.promise("CLI-24")
def test_a_host_that_was_told_to_keep_its_things_elsewhere_is_found_there(home: Home, tmp_path: pathlib.Path) -> None:
    entry = {
        "type": "user", "uuid": "u1", "sessionId": "there", "cwd": str(home.project),
        "timestamp": "2026-02-28T10:00:00Z", "message": {"role": "user", "content": "kept elsewhere"},
    }  # fmt: skip
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "projects" / "p").mkdir(parents=True)
    (elsewhere / "projects" / "p" / "there.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    assert as_json(home, "up")["hosts"] == []  # the control: nothing is at home
    told = as_json(home, "up", CLAUDE_CONFIG_DIR=str(elsewhere))
    assert told["import"]["hosts"]["claude-code"]["added"] == 1
    assert {change["path"] for change in told["changes"]} == {
        str(elsewhere / "settings.json"),
        str(elsewhere / ".claude.json"),
    }
    assert not (home.folder / ".claude").exists()
    checks = as_json(home, "doctor", CLAUDE_CONFIG_DIR=str(elsewhere))
    assert "MCP server entered" in json.dumps(checks)
    segue(home, "down")
    assert sorted(path.name for path in elsewhere.iterdir()) == ["projects"]
    relative = os.path.relpath(elsewhere, home.project)  # what is told from there holds everywhere
    assert as_json(home, "up", CLAUDE_CONFIG_DIR=relative)["changes"][0]["path"] == str(elsewhere / "settings.json")
    segue(home, "down")
    assert sorted(path.name for path in elsewhere.iterdir()) == ["projects"]


def pipe(path: pathlib.Path) -> None:
    os.mkfifo(path)


def latin(path: pathlib.Path) -> None:
    path.write_bytes(b'{"capture": "off", "tenant": "\xff"}')


def endless(path: pathlib.Path) -> None:
    path.touch()
    os.truncate(path, 6_000_000_000)


UNREADABLE: dict[str, Callable[[pathlib.Path], None]] = {
    "a folder": pathlib.Path.mkdir,
    "a pipe": pipe,
    "no text": latin,
    "a link to nothing": lambda path: path.symlink_to("/nonexistent/settings"),
    "endless": endless,
}


@pytest.mark.promise("HOOK-17")
@pytest.mark.parametrize("what", UNREADABLE)
def test_whatever_lies_in_the_place_of_the_settings_is_told_to_the_next_session_and_to_a_person(
    what: str, home: Home
) -> None:
    home.tell("UserPromptSubmit", prompt="recorded")
    before = len(home.events())
    settings = home.data / "config.json"
    UNREADABLE[what](settings)
    assert home.tell("UserPromptSubmit", prompt="not recorded") == b""
    block = json.loads(home.tell("SessionStart", session_id="s2", source="startup"))["hookSpecificOutput"]
    assert block["additionalContext"].startswith(OPEN)
    assert str(settings) in block["additionalContext"]
    assert "segue doctor" in block["additionalContext"]
    assert len(home.events()) == before
    assert home.errors().count("ConfigInvalid") == 2
    assert as_json(home, "status", code=2)["error"]["code"] == "config_invalid"
    assert str(settings) in as_json(home, "config")["problem"]
    findings = as_json(home, "doctor", code=1)["findings"]
    assert [row["status"] for row in findings if row["check"] == "settings"] == ["fail"]
    refused = as_json(home, "config", "brief", "off", code=2)["error"]
    assert str(settings) in refused["message"]


@pytest.mark.promise("CLI-22")
def test_up_takes_nothing_in_while_the_settings_cannot_be_used_and_says_so(home: Home) -> None:
    kept = home.folder / ".claude" / "projects" / "p"
    kept.mkdir(parents=True)
    entry = {
        "type": "user", "uuid": "u1", "sessionId": "old", "cwd": str(home.project), "timestamp": "2026-02-28T10:00:00Z",
        "message": {"role": "user", "content": "long ago"},
    }  # fmt: skip
    (kept / "old.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    home.data.mkdir()
    (home.data / "config.json").write_text('{"store": "postgresql://elsewhere/x"', encoding="utf-8")
    told = segue(home, "up", code=1)
    assert "No session is recorded" in told
    assert str(home.data / "config.json") in told
    assert not (home.data / "segue.db").exists()
    (home.data / "config.json").unlink()
    assert "From now on every session is recorded" in segue(home, "up")  # the control
    assert home.events()
