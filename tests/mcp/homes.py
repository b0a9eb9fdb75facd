"""Owns homes for tests of the MCP door: a data folder, projects, a filled store, and servers as a host starts them."""

from __future__ import annotations

import json
import os
import pathlib
import select
import subprocess
import sys
import time
from typing import Any

from segue import app
from segue.ctx import open_context
from segue.mcp.server import Server
from segue.model.event import Draft
from tests.places import capture, header

ROOT = pathlib.Path(__file__).parents[2]
RUN = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); from segue.__main__ import main; sys.exit(main())"
TOOLS = ["session_search", "session_event_search", "session_trace", "session_event_trace", "session_event_read"]


class Home:
    """A home with projects, whose store tests fill as hooks do."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.env = {"HOME": str(folder), "SEGUE_HOME": str(self.data), "PATH": os.environ["PATH"], "USER": "ann"}

    def project(self, name: str = "proj") -> str:
        path = self.folder / name
        path.mkdir(parents=True, exist_ok=True)
        return str(path)

    def fill(self, *drafts: Draft, name: str = "s1", project: str = "proj", **more: Any) -> None:
        cwd = self.project(project)
        ctx = open_context(app.locate(self.env, cwd))
        capture(ctx, *drafts, into=header(name, cwd=cwd, **more))
        ctx.store.close()

    def server(self, project: str = "proj", *, with_hooks: bool = False, **env: str) -> Server:
        return Server({**self.env, **env}, self.project(project), with_hooks=with_hooks)

    def start(self, *args: str, code: str = RUN, **env: str) -> Process:
        words = [sys.executable, "-I", "-S", "-X", "utf8", "-c", code, "mcp", *args]
        return Process(words, {**self.env, **env}, self.project())


class Process:
    """A running server and the host's ends of its pipes."""

    def __init__(self, words: list[str], env: dict[str, str], cwd: str) -> None:
        pipe = subprocess.PIPE
        self.popen = subprocess.Popen(words, env=env, cwd=cwd, stdin=pipe, stdout=pipe, stderr=pipe)
        self._held = b""

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        self.popen.kill()
        self.popen.communicate()

    def send(self, *messages: Any) -> None:
        self.send_raw(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def send_raw(self, data: bytes) -> None:
        assert self.popen.stdin is not None
        self.popen.stdin.write(data)
        self.popen.stdin.flush()

    def receive(self, within_s: float = 10.0) -> Any:
        """The next message; every line of stdout must be one."""
        assert self.popen.stdout is not None
        output = self.popen.stdout.fileno()
        while b"\n" not in self._held:
            assert ready(output, within_s), "no answer in time"
            chunk = os.read(output, 1 << 16)
            assert chunk, "the server ended"
            self._held += chunk
        line, _, self._held = self._held.partition(b"\n")
        return json.loads(line)

    def ask(self, method: str, params: dict[str, Any] | None = None, request_id: Any = 1) -> Any:
        self.send(request(method, params, request_id))
        return self.receive()

    def end(self, within_s: float) -> tuple[int, bytes, bytes]:
        """Close stdin: exit code, rest of stdout, stderr."""
        started = time.monotonic()
        out, err = self.popen.communicate(timeout=within_s + 10)
        assert time.monotonic() - started < within_s
        return self.popen.returncode, out, err


def ready(descriptor: int, within_s: float) -> bool:
    """Whether there is something to read, or an end, within so many seconds."""
    return bool(select.select([descriptor], [], [], within_s)[0])


def request(method: str, params: dict[str, Any] | None = None, request_id: Any = 1) -> dict[str, Any]:
    """A JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, **({} if params is None else {"params": params})}


def asked(server: Server, method: str, params: dict[str, Any] | None = None, request_id: Any = 1) -> Any:
    """The answer of a server in this process."""
    return server.handle(json.dumps(request(method, params, request_id)).encode())


def called(server: Server, tool: str, **arguments: Any) -> tuple[str, bool]:
    """The text of a tool's result, and whether it is an error."""
    result = asked(server, "tools/call", {"name": tool, "arguments": arguments})["result"]
    return text_of(result), result.get("isError", False)


def text_of(result: dict[str, Any]) -> str:
    """The only text of a result."""
    [part] = result["content"]
    assert part["type"] == "text"
    return str(part["text"])
