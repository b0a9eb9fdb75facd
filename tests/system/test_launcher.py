"""The launcher, run by a real shell in homes with difficult names."""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import subprocess
import sys

import pytest

from segue.system.files import write_atomic
from segue.system.launcher import MAX_LOG, files, hook_command, is_ours, launcher_path, mcp_command

NAMES = (
    "plain",
    "First Last",
    "it's & <more>; $(touch x) `y` $HOME",
    'a "quoted" \\back\\slash\\',
    "名前 😀 café",
    "100%PATH%!x!^",
)
#: a package that says how it was called
PACKAGE = """
import json, os, sys
def main(words):
    flags = [sys.flags.isolated, sys.flags.no_site, sys.flags.utf8_mode]
    print(json.dumps([words, os.environ.get("SEGUE_HOME"), *flags]), flush=True)
    return 4 if words[:1] == ["fail"] else 0
"""
SHELLS = [shell for shell in ("/bin/sh", "/bin/bash", "/bin/dash", "/bin/zsh") if os.path.exists(shell)]


def install(root: pathlib.Path, main: str | None = PACKAGE, python: str = sys.executable) -> tuple[str, str]:
    """A launcher and its package in a folder; the launcher and its data folder."""
    home, package = root / "home", root / "lib"
    (package / "segue").mkdir(parents=True)
    (package / "segue" / "__init__.py").touch()
    if main is not None:
        (package / "segue" / "__main__.py").write_text(main, encoding="utf-8")
    for path, (data, mode) in files(str(home), python, str(package), "linux").items():
        write_atomic(path, data, mode)
    return launcher_path(str(home), "linux"), str(home)


def shell(command: str, *, program: str = "/bin/sh", **env: str) -> tuple[int, str, str]:
    """Exit code and output of a command, run as a host runs a hook."""
    told = {"PATH": "/usr/bin:/bin", **env}
    done = subprocess.run([program, "-c", command], env=told, input=b"{}", capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.promise("SYS-15", "SYS-16")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("program", SHELLS)
def test_the_hooks_command_runs_segue_in_a_home_of_any_name(tmp_path: pathlib.Path, name: str, program: str) -> None:
    launcher, home = install(tmp_path / name)
    code, out, err = shell(hook_command(launcher, "claude-code", "Stop", "linux"), program=program)
    assert (code, err) == (0, "")
    assert json.loads(out) == [["hook", "claude-code", "Stop"], home, 1, 1, 1]
    assert os.access(launcher, os.X_OK)


@pytest.mark.promise("SYS-15")
def test_the_mcp_command_needs_no_shell_and_hands_on_the_exit_code(tmp_path: pathlib.Path) -> None:
    launcher, _ = install(tmp_path / "it's & 名")
    program, args = mcp_command(launcher, "linux")
    done = subprocess.run([program, *args], env={}, capture_output=True, check=True)
    assert json.loads(done.stdout)[0] == ["mcp"]
    assert subprocess.run([program, "fail", "a b", "$x"], env={}, capture_output=True, check=False).returncode == 4


@pytest.mark.promise("SYS-16")
def test_the_environment_may_name_another_data_folder(tmp_path: pathlib.Path) -> None:
    launcher, home = install(tmp_path)
    command = hook_command(launcher, "claude-code", "Stop", "linux")
    assert json.loads(shell(command, SEGUE_HOME="/else where")[1])[1] == "/else where"
    assert json.loads(shell(command, SEGUE_HOME="")[1])[1] == home


GONE = ("no launcher", "no boot", "no interpreter", "not executable")


def broken(root: pathlib.Path, how: str) -> str:
    """A launcher with something missing."""
    mains = {
        "no module": None,
        "half installed": "def main(words):\n    from segue import hook",
        "another age": "match x:\n  this is no python",
        "an error": "raise RuntimeError('x' * 9000)",
    }
    launcher, home = install(root, mains.get(how, PACKAGE))
    if how == "no launcher":
        os.remove(launcher)
    elif how == "no boot":
        os.remove(os.path.join(home, "bin", "boot.py"))
    elif how == "no package":
        os.rename(root / "lib", root / "gone")
    elif how == "no interpreter":
        launcher, home = install(root / "again", python="/nowhere/bin/python3")
    elif how == "not executable":
        os.chmod(launcher, 0o600)
    elif how.endswith(("a pipe", "a folder")):
        path = launcher if how.startswith("launcher") else os.path.join(home, "bin", "boot.py")
        os.remove(path)
        (os.mkfifo if how.endswith("pipe") else os.mkdir)(path, 0o700)
    return launcher


@pytest.mark.promise("SYS-14")
@pytest.mark.parametrize(
    "how", [*GONE, "boot is a pipe", "boot is a folder", "launcher is a pipe", "launcher is a folder"]
)
def test_an_installation_that_is_gone_is_silent(tmp_path: pathlib.Path, how: str) -> None:
    command = hook_command(broken(tmp_path, how), "claude-code", "Stop", "linux")
    assert shell(command) == (0, "", "")


@pytest.mark.promise("SYS-14")
@pytest.mark.parametrize("how", ["no package", "no module", "half installed", "another age", "an error"])
def test_a_package_that_cannot_be_used_is_silent_and_noted_once_per_call(tmp_path: pathlib.Path, how: str) -> None:
    launcher = broken(tmp_path, how)
    log = tmp_path / "home" / "hook-errors.log"
    assert shell(hook_command(launcher, "claude-code", "Stop", "linux")) == (0, "", "")
    assert len(log.read_text(encoding="utf-8").splitlines()) == 1
    assert len(log.read_bytes()) < 500
    log.write_bytes(b"x" * MAX_LOG)
    assert shell(hook_command(launcher, "claude-code", "Stop", "linux")) == (0, "", "")
    assert log.stat().st_size == MAX_LOG


@pytest.mark.promise("SYS-14")
def test_a_log_of_errors_that_nobody_reads_holds_no_hook_up(tmp_path: pathlib.Path) -> None:
    launcher = broken(tmp_path, "no module")
    os.mkfifo(tmp_path / "home" / "hook-errors.log")
    assert shell(hook_command(launcher, "claude-code", "Stop", "linux")) == (0, "", "")


@pytest.mark.promise("SYS-14")
def test_a_package_that_answers_with_a_code_blocks_no_prompt(tmp_path: pathlib.Path) -> None:
    launcher, _ = install(tmp_path, "def main(words):\n    return 2 if words[:1] == ['hook'] else 3")
    assert shell(hook_command(launcher, "claude-code", "Stop", "linux")) == (0, "", "")
    assert subprocess.run([launcher, "mcp"], env={}, capture_output=True, check=False).returncode == 3


@pytest.mark.promise("SYS-14")
def test_what_a_person_starts_says_what_is_wrong(tmp_path: pathlib.Path) -> None:
    launcher = broken(tmp_path, "no package")
    done = subprocess.run([launcher, "mcp"], env={}, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"ModuleNotFoundError" in done.stderr


@pytest.mark.promise("SYS-14")
def test_a_package_beside_segue_cannot_stand_in_for_the_standard_library(tmp_path: pathlib.Path) -> None:
    launcher, _ = install(tmp_path)
    (tmp_path / "lib" / "json").mkdir()
    (tmp_path / "lib" / "json" / "__init__.py").write_text("raise SystemExit(9)", encoding="utf-8")
    assert shell(hook_command(launcher, "claude-code", "Stop", "linux"))[0] == 0


@pytest.mark.promise("SYS-15")
def test_on_windows_each_kind_of_shell_has_its_launcher() -> None:
    home, python = "C:\\Users\\First Last\\segue", "C:\\Program Files\\Py%1\\python.exe"
    made = files(home, python, "C:\\lib", "win32")
    names = sorted(path.rpartition("\\")[2] for path in made)
    assert names == ["boot.py", "segue-run", "segue-run.cmd"]
    batch = made[f"{home}\\bin\\segue-run.cmd"][0].decode()
    assert 'set "P=C:\\Program Files\\Py%%1\\python.exe"\r\n' in batch
    assert batch.count("\n") == batch.count("\r\n")
    assert "chcp" not in batch
    script = made[f"{home}\\bin\\segue-run"][0].decode()
    assert "P='C:/Program Files/Py%1/python.exe'\n" in script
    assert "\r" not in script
    assert "chcp 65001" in files("C:\\名", python, "C:\\lib", "win32")["C:\\名\\bin\\segue-run.cmd"][0].decode()
    compile(made[f"{home}\\bin\\boot.py"][0], "boot.py", "exec")


@pytest.mark.promise("SYS-15")
def test_on_windows_a_hosts_own_kind_of_shell_decides_the_command() -> None:
    launcher = launcher_path("C:\\Users\\It's Ana\\segue", "win32")
    posix = hook_command(launcher, "claude-code", "Stop", "win32")
    assert shlex.split(posix)[-5:] == ["exec", "C:/Users/It's Ana/segue/bin/segue-run", "hook", "claude-code", "Stop"]
    assert hook_command(launcher, "codex", "Stop", "win32") == f'if exist "{launcher}" "{launcher}" hook codex Stop'
    assert mcp_command(launcher, "win32") == ("cmd", ["/d", "/c", "call", launcher, "mcp"])


@pytest.mark.promise("SYS-15")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("platform", ["linux", "win32"])
@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_segues_commands_are_known_whatever_the_home(name: str, platform: str, host: str) -> None:
    launcher = launcher_path(f"/home/{name}" if platform == "linux" else f"C:\\Users\\{name}", platform)
    assert is_ours(hook_command(launcher, host, "Stop", platform))
    assert is_ours(launcher)


@pytest.mark.promise("SYS-15")
@pytest.mark.parametrize(
    "command",
    [
        "",
        "echo hi",
        "nice /home/ana/.local/share/segue/bin/segue-run hook claude-code Stop",
        "/opt/bin/segue-runner hook claude-code Stop",
        "/opt/bin/segue-run --version",
        "segue-run hook claude-code Stop",
        "# /opt/bin/segue-run hook claude-code Stop",
        "cat /opt/bin/segue-run",
    ],
)
def test_other_commands_are_not_taken_for_segues(command: str) -> None:
    assert not is_ours(command)
