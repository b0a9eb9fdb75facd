"""The command line, as a person calls it."""

from __future__ import annotations

import hashlib
import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest

from segue.operations.registry import OPERATIONS
from tests.doors.test_hook import ROOT, Home, recorded

COMMANDS = [operation for operation in OPERATIONS if operation.tool is None]


def call_segue(home: Home, *words: str, code: int = 0, **env: str) -> tuple[str, str]:
    """Run `segue WORDS` in the home's project; what it said on both streams. The exit code must be `code`."""
    done = subprocess.run(
        [sys.executable, "-m", "segue", *words],
        cwd=home.project,
        env={**home.env, "PYTHONPATH": str(ROOT / "src"), **env},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def segue(home: Home, *words: str, code: int = 0, **env: str) -> str:
    """What a person sees."""
    return "".join(call_segue(home, *words, code=code, **env))


def as_json(home: Home, *words: str, code: int = 0, **env: str) -> Any:
    """What a program sees: progress and warnings are on the other stream."""
    return json.loads(call_segue(home, *words, "--json", code=code, **env)[0])


def tree(folder: pathlib.Path) -> dict[str, str]:
    """Every file below a folder with a digest of its content."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def used(home: Home) -> Home:
    """A home in which Claude Code was used: settings in somebody's own style."""
    (home.folder / ".claude").mkdir()
    bell = '"Stop": [{"hooks": [{"type": "command", "command": "bell"}]}]'
    settings = f'{{\n    "model": "opus",\n    "hooks": {{\n        {bell}\n    }}\n}}'
    (home.folder / ".claude" / "settings.json").write_text(settings, encoding="utf-8")
    (home.folder / ".claude.json").write_text('{"numStartups":3,"projects":{"/ü":{}}}', encoding="utf-8")
    return home


@pytest.mark.promise("CLI-1")
@pytest.mark.parametrize("name", [operation.name for operation in COMMANDS])
def test_help_shows_an_example_and_changes_nothing(name: str, used: Home) -> None:
    before = tree(used.folder)
    told = segue(used, name, "--help")
    example = next(operation.example for operation in COMMANDS if operation.name == name)
    assert f"example:\n  {example}" in told
    assert "--json" in told
    assert max(map(len, told.splitlines())) <= 100
    assert tree(used.folder) == before


@pytest.mark.promise("CLI-1")
def test_commands_print_one_json_object(used: Home) -> None:
    for words in (
        ["up", "--dry-run"], ["status"], ["brief"], ["why"], ["search", "x"], ["verify"], ["derive"], ["rebuild"],
        ["config"], ["doctor"], ["import"], ["down"], ["demo"],
    ):  # fmt: skip
        assert isinstance(as_json(used, *words), dict), words


@pytest.mark.promise("CLI-2")
@pytest.mark.parametrize(
    ("words", "code"),
    [(["show", "nothing-like-it"], "not_found"), (["search", "x", "--time-from", "yesterday"], "usage"),
     (["config", "colour", "red"], "usage"), (["import", "/nonexistent"], "usage"),
     (["why", "zz"], "not_found")],
)  # fmt: skip
def test_errors_say_what_and_what_to_do(words: list[str], code: str, home: Home) -> None:
    told = as_json(home, *words, code=2)
    assert told["error"]["code"] == code
    assert told["error"]["message"]
    assert told["error"]["hint"]
    plain = segue(home, *words, code=2)
    assert told["error"]["message"] in plain
    assert told["error"]["hint"] in plain


@pytest.mark.promise("CLI-2")
def test_what_a_command_does_not_know_is_refused_with_its_own_help(home: Home) -> None:
    told = segue(home, "show", "make", "zebra", code=2)
    assert "unrecognized arguments: zebra" in told
    assert "segue show --help" in told
    assert "segue --help" in segue(home, "--surprise", code=2)


@pytest.mark.promise("CLI-2")
def test_a_store_that_cannot_be_used_is_said(home: Home) -> None:
    told = json.loads(segue(home, "status", "--json", code=2, SEGUE_STORE="mysql://x"))
    assert told["error"]["code"] == "config_invalid"
    told = json.loads(segue(home, "status", "--json", code=2, SEGUE_STORE="postgresql://127.0.0.1:1/none"))
    assert told["error"]["code"] == "store_unavailable"


@pytest.mark.promise("CLI-3")
def test_up_is_idempotent_and_down_restores_byte_for_byte(used: Home) -> None:
    before = tree(used.folder)
    assert "hooks on 12 events" in segue(used, "up")
    after = tree(used.folder)
    again = segue(used, "up")
    assert "nothing to change" in again
    assert {k: v for k, v in tree(used.folder).items() if "/.claude" in f"/{k}"} == {
        k: v for k, v in after.items() if "/.claude" in f"/{k}"
    }
    settings = json.loads((used.folder / ".claude" / "settings.json").read_text(encoding="utf-8"))
    assert settings["model"] == "opus"
    assert settings["hooks"]["Stop"][0]["hooks"] == [{"type": "command", "command": "bell"}]
    assert "byte for byte" in segue(used, "down")
    left = {path: digest for path, digest in tree(used.folder).items() if not path.startswith("data/")}
    assert left == before
    assert "not installed" in segue(used, "down")


@pytest.mark.promise("CLI-3")
def test_down_takes_out_only_its_own_entries_where_others_changed_the_file(used: Home) -> None:
    segue(used, "up")
    path = used.folder / ".claude.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    value["numStartups"] = 4
    value["mcpServers"]["theirs"] = {"command": "x"}
    path.write_text(json.dumps(value), encoding="utf-8")
    segue(used, "down")
    left = json.loads(path.read_text(encoding="utf-8"))
    assert left == {"numStartups": 4, "projects": {"/ü": {}}, "mcpServers": {"theirs": {"command": "x"}}}


@pytest.mark.promise("CLI-3")
def test_files_that_up_made_are_gone_after_down(home: Home) -> None:
    (home.folder / ".claude").mkdir()
    segue(home, "up")
    assert (home.folder / ".claude.json").exists()
    segue(home, "down")
    assert not (home.folder / ".claude.json").exists()
    assert list((home.folder / ".claude").iterdir()) == []


@pytest.mark.promise("CLI-4")
def test_dry_runs_change_nothing(used: Home) -> None:
    before = tree(used.folder)
    told = segue(used, "up", "--dry-run")
    assert "would change" in told
    assert tree(used.folder) == before
    segue(used, "up")
    before = tree(used.folder)
    assert "byte for byte" in segue(used, "down", "--dry-run")
    assert tree(used.folder) == before


@pytest.mark.promise("CLI-5")
def test_where_nothing_is_found_up_says_so_and_offers_the_demo(home: Home) -> None:
    told = segue(home, "up", PATH="/usr/bin:/bin")
    for part in ("Claude Code", ".codex/sessions", "opencode", ".gemini", "segue demo"):
        assert part in told
    assert not home.data.exists()


@pytest.mark.promise("CLI-5")
def test_up_says_what_is_so_where_capture_is_off_and_where_the_command_is_not_on_the_path(used: Home) -> None:
    program = pathlib.Path(sys.executable).parent
    assert "From now on every session is recorded." in segue(used, "up", "--no-import")
    segue(used, "config", "capture", "off")
    told = segue(used, "up", "--no-import", PATH="/usr/bin:/bin")
    assert "From now on" not in told
    assert "capture is off" in told
    assert (f'export PATH="{program}:$PATH"' in told) is (program / "segue").exists()


@pytest.mark.promise("CLI-6")
def test_the_demo_shows_recorded_sessions_and_leaves_nothing(home: Home, tmp_path: pathlib.Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    told = segue(home, "demo", TMPDIR=str(scratch))
    for part in (
        "claude-code",
        "codex",
        "gemini",
        "Please fix add() in app.py.",
        "<segue-memory",
        "number 1 of what its part offers",
    ):
        assert part in told
    assert list(scratch.iterdir()) == []
    assert not home.data.exists()


@pytest.mark.promise("CLI-7")
def test_config_shows_value_source_and_effect(home: Home) -> None:
    rows = {row["name"]: row for row in as_json(home, "config")["settings"]}
    assert rows["brief"] == {"name": "brief", "value": "on", "source": "default", "help": rows["brief"]["help"]}
    segue(home, "config", "brief", "off")
    assert as_json(home, "config", "brief")["settings"][0]["source"] == "file"
    assert (
        json.loads(segue(home, "config", "store", "--json", SEGUE_STORE="sqlite:///tmp/x.db"))["settings"][0]["source"]
        == "SEGUE_STORE"
    )
    segue(home, "config", "brief", "--unset")
    assert as_json(home, "config", "brief")["settings"][0]["source"] == "default"
    for words in (["brief", "maybe"], ["brief_tokens", "7"], ["store", "nonsense"], ["tenant", ""]):
        assert as_json(home, "config", *words, code=2)["error"]["code"] == "config_invalid"


@pytest.mark.promise("CLI-7")
@pytest.mark.parametrize("text", ["{", "[]", '{"colour": 1}', '{"brief": "maybe"}', '{"brief_tokens": true}'])
def test_a_wrong_configuration_file_is_an_error_and_a_hook_survives_it(text: str, home: Home) -> None:
    home.data.mkdir()
    (home.data / "config.json").write_text(text, encoding="utf-8")
    assert as_json(home, "status", code=2)["error"]["code"] == "config_invalid"
    home.tell("UserPromptSubmit", prompt="x")
    assert "ConfigInvalid" in home.errors()


@pytest.mark.promise("CLI-7")
def test_every_setting_has_its_effect(home: Home) -> None:
    home.tell("UserPromptSubmit", prompt="question")
    assert home.tell("SessionStart", session_id="s2", source="startup")
    segue(home, "config", "brief", "off")
    assert home.tell("SessionStart", session_id="s3", source="startup") == b""
    segue(home, "config", "capture", "off")
    before = len(home.events())
    home.tell("UserPromptSubmit", prompt="unheard", prompt_id="p9")
    assert len(home.events()) == before
    segue(home, "config", "tenant", "acme")
    assert as_json(home, "status")["everywhere"] == []
    segue(home, "config", "tenant", "--unset")
    segue(home, "config", "principal", "somebody")
    assert as_json(home, "status")["everywhere"] == []


@pytest.mark.promise("CLI-8")
def test_the_doctor_finds_what_is_broken_and_mends_it(used: Home) -> None:
    used.tell("UserPromptSubmit", prompt="question")
    segue(used, "up")
    (used.data / "segue.db").chmod(0o644)
    (used.data / "bin" / "boot.py").write_text("broken", encoding="utf-8")
    (used.folder / ".claude" / "settings.json").write_text('{"disableAllHooks": true}', encoding="utf-8")
    wrong = {row["check"]: row for row in as_json(used, "doctor")["findings"] if row["status"] != "ok"}
    assert {"store file", "launcher", "claude-code"} <= set(wrong)
    assert all(row["fix"] for row in wrong.values())
    mended = as_json(used, "doctor", "--fix")
    left = {row["text"] for row in mended["findings"] if row["status"] != "ok"}
    assert len(mended["mended"]) >= 2
    assert left == {"disableAllHooks is set in settings.json: no hook runs"}


@pytest.mark.promise("CLI-9")
@pytest.mark.parametrize("damage", ["header", "middle", "truncated"])
def test_a_damaged_store_is_set_aside_and_what_reads_is_saved(damage: str, home: Home) -> None:
    for at in range(60):
        home.tell(
            "UserPromptSubmit", prompt=f"question {at} " + "x" * 3000, prompt_id=f"p{at}", session_id=f"s{at % 3}"
        )
    segue(home, "derive")
    path = home.data / "segue.db"
    data = bytearray(path.read_bytes())
    if damage == "header":
        data[:100] = b"\xff" * 100
    elif damage == "middle":
        at = len(data) // 2 // 4096 * 4096
        data[at : at + 4096 * 6] = b"\xaa" * 4096 * 6
    else:
        data = data[: len(data) * 2 // 3]
    path.write_bytes(bytes(data))
    home.tell("UserPromptSubmit", prompt="while damaged", prompt_id="later")
    told = as_json(home, "doctor", "--fix", code=0 if damage == "header" else 1)
    assert any("set aside" in line for line in told["mended"])
    failed = [row for row in told["findings"] if row["status"] == "fail"]
    assert {row["check"] for row in failed} <= {"quarantine"}
    home.tell("UserPromptSubmit", prompt="after mending", prompt_id="new", session_id="fresh")
    found = as_json(home, "search", "mending damaged", "--events")
    assert any("after mending" in hit["snippet"] for hit in found["hits"])
    if damage != "header":
        assert as_json(home, "status")["everywhere"][0]["events"] > 10


@pytest.mark.promise("CLI-10")
def test_live_capture_and_import_give_one_log(home: Home) -> None:
    transcript = next((ROOT / "tests" / "hosts" / "claude").rglob("01dddda3*.jsonl"))
    told = as_json(home, "import", str(transcript))["hosts"]["claude-code"]
    assert told["added"] > 10
    again = as_json(home, "import", str(transcript), "--again")["hosts"]["claude-code"]
    assert (again["added"], again["known"]) == (0, told["added"])
    assert as_json(home, "import", str(transcript))["hosts"]["claude-code"]["added"] == 0
    imported = [row for row in home.events() if row[0] in ("user/message", "tool/call", "tool/result")]
    for row in recorded("basic"):
        home.send(row["event"], json.dumps(row["payload"]).encode())
    both = [row for row in home.events() if row[0] in ("user/message", "tool/call", "tool/result")]
    assert len(both) == len(imported)
    answers = [body for type_, body in home.events() if type_ == "assistant/message"]
    assert len(answers) == len(set(answers))


@pytest.mark.promise("CLI-10")
def test_import_after_live_capture_adds_only_what_the_hooks_do_not_tell(home: Home) -> None:
    for row in recorded("basic"):
        home.send(row["event"], json.dumps(row["payload"]).encode())
    before = len(home.events())
    transcript = next((ROOT / "tests" / "hosts" / "claude").rglob("01dddda3*.jsonl"))
    told = as_json(home, "import", str(transcript))["hosts"]["claude-code"]
    added = home.events()[before:]
    assert {type_ for type_, _ in added} <= {"assistant/message"}
    assert told["added"] == len(added)
    assert told["known"] > 10


def launcher_of(home: Home) -> str:
    settings = json.loads((home.folder / ".claude" / "settings.json").read_text(encoding="utf-8"))
    command: str = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"]
    return command


def call(command: str, home: Home, **payload: Any) -> subprocess.CompletedProcess[bytes]:
    data = json.dumps({"session_id": "s1", "cwd": str(home.project), "prompt_id": "p", **payload}).encode()
    return subprocess.run(["/bin/sh", "-c", command], input=data, env=home.env, capture_output=True, check=False)


@pytest.mark.promise("CLI-11")
def test_an_installation_that_is_gone_is_silent(used: Home) -> None:
    segue(used, "up")
    command = launcher_of(used)
    assert call(command, used, prompt="recorded").returncode == 0
    assert len(used.events()) == 1
    boot = used.data / "bin" / "boot.py"
    whole = boot.read_text(encoding="utf-8")
    boot.write_text(whole.replace(str(ROOT / "src"), "/nonexistent"), encoding="utf-8")
    done = call(command, used, prompt="x")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    boot.unlink()
    done = call(command, used, prompt="x")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    run = used.data / "bin" / "segue-run"
    run.write_text(run.read_text(encoding="utf-8").replace(sys.executable, "/nonexistent/python"), encoding="utf-8")
    done = call(command, used, prompt="x")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    run.unlink()
    done = call(command, used, prompt="x")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(used.events()) == 1


@pytest.mark.promise("CLI-12")
def test_a_reader_that_leaves_early_is_no_error(home: Home) -> None:
    for at in range(5):
        home.tell("UserPromptSubmit", prompt=f"needle {at}", prompt_id=f"p{at}")
    env = {**home.env, "PYTHONPATH": str(ROOT / "src")}
    line = f"{sys.executable} -m segue search needle --events | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], cwd=home.project, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.promise("CLI-12")
def test_an_output_that_was_closed_before_is_no_error(home: Home) -> None:
    env = {**home.env, "PYTHONPATH": str(ROOT / "src")}
    for sign in (">&-", ">/dev/null"):
        line = f"{sys.executable} -m segue status {sign}"
        done = subprocess.run(["bash", "-c", line], cwd=home.project, env=env, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.promise("CLI-13")
@pytest.mark.parametrize("text", ["{", "// comment\n{}", "[]", '{"hooks": []}', '{"hooks": {"Stop": 5}}', "\xff"])
def test_a_host_file_that_cannot_be_changed_safely_is_left_alone(text: str, used: Home) -> None:
    path = used.folder / ".claude" / "settings.json"
    path.write_text(text, encoding="latin-1")
    before = tree(used.folder)
    told = as_json(used, "up", code=2)
    assert told["error"]["code"] == "host_file_unusable"
    assert "settings.json" in told["error"]["message"]
    assert {k: v for k, v in tree(used.folder).items() if not k.startswith("data/")} == before


@pytest.mark.promise("CLI-14")
def test_why_accounts_for_every_item(home: Home) -> None:
    home.tell("UserPromptSubmit", prompt="what was asked")
    out = json.loads(home.tell("SessionStart", session_id="s2", source="startup"))
    block = out["hookSpecificOutput"]["additionalContext"]
    injection = as_json(home, "why", "--session", "claude-code:s2")["injections"][0]
    assert f'id="{injection["id"]}"' in block
    assert as_json(home, "why", injection["id"])["injections"] == [injection]
    for item in injection["items"]:
        assert item["from"].startswith("claude-code:s1#")
        assert item["reason"]
        assert item["text"] in block


@pytest.mark.promise("CLI-15")
def test_a_session_open_during_an_upgrade_goes_on_recording(used: Home) -> None:
    segue(used, "up")
    command = launcher_of(used)
    call(command, used, prompt="before")
    boot = used.data / "bin" / "boot.py"
    boot.write_text(boot.read_text(encoding="utf-8").replace("sys.path.insert", "sys.path.insert"), encoding="utf-8")
    segue(used, "up", "--no-import")
    assert launcher_of(used) == command
    call(command, used, prompt="after", prompt_id="p2")
    assert [body for _, body in used.events()] == ['{"text":"before"}', '{"text":"after"}']


@pytest.mark.promise("CLI-16")
def test_a_second_installation_takes_the_first_ones_place(used: Home, tmp_path: pathlib.Path) -> None:
    segue(used, "up")
    other = str(tmp_path / "other data")
    told = segue(used, "up", SEGUE_HOME=other)
    assert "in place of 12 hooks" in told
    settings = json.loads((used.folder / ".claude" / "settings.json").read_text(encoding="utf-8"))
    own = [
        h for groups in settings["hooks"].values() for g in groups for h in g["hooks"] if "segue-run" in h["command"]
    ]
    assert len(own) == 12
    assert all(other in handler["command"] for handler in own)
