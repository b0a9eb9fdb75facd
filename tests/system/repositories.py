"""Owns making repositories with the real git, without anybody's settings."""

from __future__ import annotations

import pathlib
import subprocess

ENV = {
    "PATH": "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "ana",
    "GIT_AUTHOR_EMAIL": "ana@example.org",
    "GIT_COMMITTER_NAME": "ana",
    "GIT_COMMITTER_EMAIL": "ana@example.org",
}


def git(cwd: pathlib.Path, *args: str) -> str:
    """What git says."""
    words = ["git", "-c", "protocol.file.allow=always", *args]
    return subprocess.run(words, cwd=cwd, env=ENV, check=True, capture_output=True).stdout.decode()


def repository(path: pathlib.Path, remote: str | None = None) -> pathlib.Path:
    """A repository with one commit on `main`, and perhaps a remote called origin."""
    path.mkdir(parents=True)
    git(path, "init", "-q", "-b", "main")
    git(path, "commit", "-q", "--allow-empty", "-m", "Begin")
    if remote is not None:
        git(path, "remote", "add", "origin", remote)
    return path
