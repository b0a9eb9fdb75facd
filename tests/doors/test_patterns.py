"""The compiled patterns beside the launcher: who writes them, who uses them, and that nobody needs them."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

from segue.redaction import RULES, patterns
from segue.upkeep import patterns as keeping
from tests.doors.test_cli import as_json, segue
from tests.doors.test_hook import ROOT, Home
from tests.mcp.homes import Home as McpHome

#: made up, of the right shape
SECRET = "hunter" + "2xyz"
#: a hook that tells what it has loaded at its end
LOADED = f"""
import sys
sys.path.append({str(ROOT / "src")!r})
from segue import hook
hook.main(sys.argv[1:])
sys.stderr.write(" ".join(sys.modules))
"""


@pytest.fixture
def used(tmp_path: pathlib.Path) -> Home:
    """A home in which Claude Code was used and Segue is installed."""
    home = Home(tmp_path / "dev home's & 家 😀")
    (home.folder / ".claude").mkdir()
    segue(home, "up")
    return home


def kept(home: Home) -> pathlib.Path:
    return home.data / "bin" / "patterns"


def written(path: pathlib.Path) -> tuple[int, int]:
    """Which file lies there, and since when."""
    return path.stat().st_ino, path.stat().st_mtime_ns


def told_secret(home: Home, mark: str) -> set[str]:
    """Tell a hook a secret; the modules that it has loaded at its end. What is stored must be redacted."""
    payload = {"session_id": "s1", "cwd": str(home.project), "prompt": f"{mark} pwd={SECRET}", "prompt_id": mark}
    words = [sys.executable, "-I", "-S", "-c", LOADED, "claude-code", "UserPromptSubmit"]
    done = subprocess.run(
        words, env=home.env, input=json.dumps(payload).encode(), capture_output=True, check=True, timeout=30
    )
    assert done.stdout == b""
    assert ("user/message", f'{{"text":"{mark} pwd=[REDACTED:assignment]"}}') in home.events()
    assert home.errors() == ""
    return set(done.stderr.decode().split())


@pytest.mark.promise("HOOK-14")
def test_a_hook_with_a_secret_loads_no_re_once_segue_is_installed(used: Home) -> None:
    assert not {"re", "enum", "functools", "collections"} & told_secret(used, "installed")
    kept(used).unlink()
    assert "re" in told_secret(used, "without")


def pipe(path: pathlib.Path) -> None:
    path.unlink()
    os.mkfifo(path)


def folder(path: pathlib.Path) -> None:
    path.unlink()
    path.mkdir()


BROKEN: dict[str, Any] = {
    "absent": pathlib.Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "garbage": lambda path: path.write_bytes(os.urandom(4000)),
    "huge": lambda path: os.truncate(path, 50_000_000),
    "endless": lambda path: os.truncate(path, 1 << 40),
    "a pipe": pipe,
    "a folder": folder,
}


@pytest.mark.promise("HOOK-14")
@pytest.mark.parametrize("how", BROKEN)
def test_whatever_became_of_the_patterns_a_hook_redacts_and_nothing_is_told(how: str, used: Home) -> None:
    BROKEN[how](kept(used))
    assert "re" in told_secret(used, "broken")


@pytest.mark.promise("HOOK-14")
@pytest.mark.parametrize("how", ["absent", "truncated", "garbage", "endless"])
def test_deriving_renews_patterns_that_cannot_be_used_and_no_others(how: str, used: Home) -> None:
    whole = written(kept(used))
    segue(used, "derive")
    assert written(kept(used)) == whole
    BROKEN[how](kept(used))
    segue(used, "derive")
    assert keeping.are_current(str(kept(used)))
    assert "re" not in told_secret(used, "renewed")
    assert kept(used).stat().st_mode & 0o077 == 0


@pytest.mark.promise("HOOK-14")
def test_a_server_renews_them_when_it_is_idle_and_only_where_a_launcher_is(tmp_path: pathlib.Path) -> None:
    home = McpHome(tmp_path)
    path = home.data / "bin" / "patterns"
    for made in (False, True):
        if made:
            path.parent.mkdir()
        server = home.server()
        server.idle()
        server.close()
        assert path.exists() == made
    assert keeping.are_current(str(path))


@pytest.mark.promise("HOOK-14")
def test_the_doctor_tells_of_patterns_that_are_not_this_versions_and_mends_them(used: Home) -> None:
    assert wrong(used) == []
    rule, *others = RULES
    stale = patterns.pack((rule.replace(pattern="(?!)"), *others))
    assert stale is not None
    kept(used).write_bytes(stale)
    assert wrong(used) == [f"{kept(used)} is not this version's: hooks are slower"]
    as_json(used, "doctor", "--fix")
    assert wrong(used) == []


@pytest.mark.promise("HOOK-14")
@pytest.mark.parametrize("how", ["truncated", "endless", "a pipe", "a folder"])
def test_the_doctor_tells_of_whatever_lies_in_the_place_of_patterns(how: str, used: Home) -> None:
    BROKEN[how](kept(used))
    assert wrong(used) == [f"{kept(used)} is not this version's: hooks are slower"]


@pytest.mark.promise("HOOK-14")
def test_a_folder_in_the_place_of_patterns_is_left_alone_by_up_and_down_which_say_so(used: Home) -> None:
    folder(kept(used))
    (kept(used) / "somebody's").write_text("x", encoding="utf-8")
    told = as_json(used, "up")
    assert [str(kept(used)) in problem for problem in told["problems"]] == [True]
    assert "warning: " in segue(used, "up")
    rows = [row for row in as_json(used, "doctor")["findings"] if row["text"].startswith(str(kept(used)))]
    assert [row["fix"] for row in rows] == [f"Move {kept(used)} away, then: segue up"]
    assert "would be removed" in segue(used, "down", "--dry-run")
    told = as_json(used, "down", code=1)
    assert [str(kept(used)) in problem for problem in told["problems"]] == [True]
    assert [row["how"] for row in told["files"]] == ["removed, because `segue up` made it"] * 2
    assert [path.name for path in kept(used).parent.iterdir()] == ["patterns"]
    assert (kept(used) / "somebody's").exists()
    assert "warning: " in segue(used, "down", code=1)
    (kept(used) / "somebody's").unlink()
    kept(used).rmdir()
    assert as_json(used, "up")["problems"] == []  # the control: with nothing in the way all is well again
    assert as_json(used, "down")["problems"] == []


def wrong(home: Home) -> list[str]:
    findings = as_json(home, "doctor")["findings"]
    return [row["text"] for row in findings if row["check"] == "launcher" and row["status"] != "ok"]


@pytest.mark.promise("HOOK-14")
def test_patterns_go_with_the_launcher(used: Home) -> None:
    assert kept(used).exists()
    segue(used, "down", "--dry-run")
    assert kept(used).exists()
    segue(used, "down")
    assert not kept(used).parent.exists()
    segue(used, "derive")
    assert not kept(used).parent.exists()


@pytest.mark.promise("HOOK-14")
def test_a_disk_that_takes_no_patterns_stops_no_derivation(used: Home) -> None:
    folder(kept(used))
    assert as_json(used, "derive")["left"] == 0
    assert kept(used).is_dir()
