"""Owns the processes that write to one store at once, and what they say they wrote."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Mapping

ROOT = pathlib.Path(__file__).parents[2]

WRITER = """
import pathlib, sys
from tests.places import capture, context, header, prompt
url, folder, session, name, count = sys.argv[1:]
ctx = context(url, pathlib.Path(folder))
for number in range(int(count)):
    key = f"{name}-{number}"
    capture(ctx, prompt(f"event {key}", key=key), into=header(session))
    print(key, flush=True)
ctx.store.close()
"""


def process(code: str, *words: str, env: Mapping[str, str] = os.environ) -> subprocess.Popen[str]:
    """A process that runs `code` with Segue and its tests in reach, its output a pipe of text."""
    env = {**env, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    return subprocess.Popen([sys.executable, "-c", code, *words], env=env, stdout=subprocess.PIPE, text=True)


def start(url: str, folder: pathlib.Path, session: str, name: str, count: int) -> subprocess.Popen[str]:
    """A process that appends `count` events one by one and prints the key of each when it is acknowledged."""
    return process(WRITER, url, str(folder), session, name, str(count))
