"""Owns running the real Claude Code headless in a scratch home. Never touches the real home, never goes online.

One process is one session: prompts go in as stream-json lines, a `result` line ends each turn.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import threading
import time
import uuid
from dataclasses import dataclass
from typing import IO, Any

from live.model import Model

TURN_SECONDS, END_SECONDS = 120.0, 30.0
ALLOWED = "Agent,Bash,Edit,Read,TaskCreate,TaskUpdate,TodoWrite,ToolSearch,Write,mcp__segue"
GIT = ("git", "-c", "user.name=dev", "-c", "user.email=dev@example.com")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """The folders of one scenario: a home, repositories in it, programs of its own, and what was seen."""

    root: str

    @property
    def home(self) -> str:
        """The HOME of the host and of the product."""
        return os.path.join(self.root, "home")

    @property
    def programs(self) -> str:
        """What stands first on the PATH."""
        return os.path.join(self.root, "bin")

    @property
    def seen(self) -> str:
        """Requests, briefs and the host's own output."""
        return os.path.join(self.root, "seen")

    def repo(self, name: str) -> str:
        """Where a repository of this name is."""
        return os.path.join(self.home, "code", name)


def prepare(root: str, repos: dict[str, dict[str, str]], programs: dict[str, str]) -> Scratch:
    """Make the folders anew, each repository with its files committed."""
    scratch = Scratch(root=root)
    shutil.rmtree(root, ignore_errors=True)
    for folder in (scratch.home, scratch.programs, scratch.seen, os.path.join(scratch.home, ".claude")):
        os.makedirs(folder)  # the host's own folder: somebody has used it before
    for name, text in programs.items():
        _write(os.path.join(scratch.programs, name), text)
        os.chmod(os.path.join(scratch.programs, name), 0o755)
    for name, files in repos.items():
        repo = scratch.repo(name)
        for path, text in files.items():
            _write(os.path.join(repo, path), text)
        for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Start"]):
            subprocess.run([*GIT, "-C", repo, *words], check=True, env=environment(scratch), capture_output=True)
    return scratch


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def environment(scratch: Scratch, url: str = "", extra: dict[str, str] | None = None) -> dict[str, str]:
    """The environment of the host, built from nothing but the PATH."""
    return {
        "HOME": scratch.home,
        "PATH": scratch.programs + os.pathsep + os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "SHELL": "/bin/bash",
        "TERM": "dumb",
        "USER": "dev",
        "NO_PROXY": "127.0.0.1,localhost",
        "PYTHONDONTWRITEBYTECODE": "1",
        "IS_SANDBOX": "1",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "made-up",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_TELEMETRY": "1",
        **(extra or {}),
    }


def version(claude: str, scratch: Scratch) -> str:
    """The version that the binary tells, without what it adds."""
    told = subprocess.run([claude, "--version"], env=environment(scratch), capture_output=True, text=True, check=True)
    return told.stdout.split()[0]


class TurnError(Exception):
    """The host did not end its turn as expected."""


class Running:
    """A session in progress. Use it as a context: leaving ends it in peace, or kills what does not end."""

    def __init__(
        self, claude: str, cwd: str, env: dict[str, str], *, seen: str, name: str, resume: str | None = None
    ) -> None:
        self.session_id = resume or str(uuid.uuid4())
        command = [
            claude, "-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json",
            "--model", "claude-sonnet-4-5", "--permission-mode", "acceptEdits", "--allowedTools", ALLOWED,
            "--resume" if resume else "--session-id", self.session_id,
        ]  # fmt: skip
        self._log = open(os.path.join(seen, f"{name}.jsonl"), "w", encoding="utf-8")  # noqa: SIM115 (as long as the process)
        self._errors = open(os.path.join(seen, f"{name}.stderr"), "w", encoding="utf-8")  # noqa: SIM115
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
        )
        self._lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        assert self._process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # a killed host reads no more
            self._process.stdin.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._reader.join(END_SECONDS)
        self._log.close()
        self._errors.close()

    def ask(self, prompt: str) -> None:
        """Type a prompt and return when its turn has ended."""
        self._type(prompt)
        deadline = time.monotonic() + TURN_SECONDS
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise TurnError(f"no end of the turn within {TURN_SECONDS:.0f} s") from None
            if line is None:
                raise TurnError("the host ended in the middle of a turn")
            if line.get("type") == "result":
                if line.get("is_error"):
                    raise TurnError(str(line.get("result")))
                return

    def ask_and_kill(self, prompt: str, model: Model) -> None:
        """Type a prompt and kill the host while the model keeps it waiting."""
        self._type(prompt)
        if not model.hung.wait(TURN_SECONDS):
            raise TurnError(f"the model was not asked for its hanging step within {TURN_SECONDS:.0f} s")
        self.kill()

    def kill(self) -> None:
        """End the process at once, as a crash would."""
        self._process.kill()
        self._process.wait()

    def _type(self, prompt: str) -> None:
        assert self._process.stdin is not None
        line = {"type": "user", "message": {"role": "user", "content": prompt}}
        try:
            self._process.stdin.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise TurnError("the host is gone") from None

    def _read(self, stdout: IO[str]) -> None:
        for text in stdout:
            self._log.write(text)
            try:
                self._lines.put(json.loads(text))
            except ValueError:
                continue  # a warning of the host's on the wrong stream; it is in the log
        self._lines.put(None)


def left_behind(scratch: Scratch, seconds: float = 5.0) -> list[int]:
    """Processes of this home that still run after a grace; empty where there is no /proc to tell."""
    deadline = time.monotonic() + seconds
    while (found := _of_home(scratch.home)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def _of_home(home: str) -> list[int]:
    wanted = f"HOME={home}".encode()
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if wanted in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            continue  # ended meanwhile, or another user's
    return found


def end(pids: list[int]) -> None:
    """End processes that were left behind in a scratch home."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue  # ended by itself
