"""No door opens a connection."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest

from tests.doors.test_hook import ROOT, Home

#: ends the process at the first socket: an audit hook cannot be taken off again
GUARD = f"""
import os, sys
sys.path.insert(0, {str(ROOT / "src")!r})
def watch(event, arguments):
    if event.startswith("socket."):
        os.write(2, event.encode())
        os._exit(99)
sys.addaudithook(watch)
"""


def guarded(home: Home, code: str, *words: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-c", GUARD + code, *words]
    return subprocess.run(line, cwd=home.project, env=home.env, input=data, capture_output=True, check=False)


@pytest.mark.promise("NET-1")
def test_no_door_opens_a_connection(tmp_path: pathlib.Path) -> None:
    home = Home(tmp_path)
    main = "from segue.__main__ import main; sys.exit(main())"
    payload = json.dumps({"session_id": "s", "cwd": str(home.project), "prompt": "look at http://example.org"}).encode()
    assert guarded(home, main, "hook", "claude-code", "UserPromptSubmit", data=payload).returncode == 0
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "session_search", "arguments": {"query": "look"}}}  # fmt: skip
    assert guarded(home, main, "mcp", data=json.dumps(call).encode() + b"\n").returncode == 0
    for words in (["up"], ["import"], ["search", "look"], ["brief"], ["doctor"], ["verify"], ["rebuild"], ["demo"]):
        done = guarded(home, main, *words)
        assert done.returncode == 0, (words, done.stderr)
    assert guarded(home, "import socket; socket.socket()").returncode == 99
