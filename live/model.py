"""Owns a scripted stand-in for the Anthropic Messages service on loopback. Never improvises, never leaves 127.0.0.1.

A step is one answer of the model: a text that ends the turn, or `{"say": TEXT, "do": [CALL, …]}`. A call is a list:

    ["bash", COMMAND]   ["read", PATH]   ["write", PATH, TEXT]   ["edit", PATH, OLD, NEW]
    ["segue", TOOL, ARGUMENTS]   ["tool", NAME, ARGUMENTS]

`{"hang": true}` answers nothing until the model closes, so that the host can be stopped in the middle of a turn.
Arguments may hold `$session_id` and `$seq`: the first event named by the latest result of a Segue tool.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
import uuid
from collections import deque
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from live.wire import blocks, last_tool_result, texts

MAIN, SUMMARY, ASIDE = "main", "summary", "aside"
SEGUE_TOOL = "mcp__segue__"
#: how Claude Code's compaction asks for a summary
SUMMARY_ASKED = re.compile(
    r"respond with text only.*summary|detailed summary of (the|our|this) conversation", re.I | re.S
)
EVENT_NAMED = re.compile(r"([\w.:/-]{8,})#(\d+)")
DEFAULT_SUMMARY = "<summary>Some work was done and the user was told so.</summary>"
JSON = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request that the host sent: what kind it was, in which session and turn, and its body."""

    kind: str
    label: str
    body: JSON


def kind_of(body: JSON) -> str:
    """Whether a request wants the next step, a summary of the conversation, or something aside (a title)."""
    messages = body.get("messages") or [{}]
    asked = "\n".join(texts(messages[-1]))
    if SUMMARY_ASKED.search(asked):
        return SUMMARY
    return MAIN if body.get("tools") else ASIDE


def offered(body: JSON) -> set[str]:
    """Tools that the model may call now: listed in the request, or loaded by a search earlier in it."""
    names = {tool["name"] for tool in body.get("tools") or [] if "name" in tool}
    found = (inner for block in blocks(body, "tool_result") for inner in block.get("content") or [])
    return names | {inner["tool_name"] for inner in found if isinstance(inner, dict) and "tool_name" in inner}


def searched(body: JSON) -> set[str]:
    """Tools that were asked for by name earlier in the request, found or not."""
    queries = (str(b.get("input", {}).get("query")) for b in blocks(body, "tool_use") if b.get("name") == "ToolSearch")
    return {query.removeprefix("select:") for query in queries}


def tool_use(call: list[Any], cwd: str, body: JSON) -> tuple[str, JSON]:
    """A scripted call as the name and arguments of a tool of the host."""
    what, *rest = call
    if what == "bash":
        return "Bash", {"command": rest[0], "description": "Run a command"}
    if what == "read":
        return "Read", {"file_path": os.path.join(cwd, rest[0])}
    if what == "write":
        return "Write", {"file_path": os.path.join(cwd, rest[0]), "content": rest[1]}
    if what == "edit":
        return "Edit", {"file_path": os.path.join(cwd, rest[0]), "old_string": rest[1], "new_string": rest[2]}
    if what == "segue":
        return SEGUE_TOOL + rest[0], _filled(rest[1], body)
    if what == "tool":
        return rest[0], rest[1]
    raise ValueError(f"unknown call {what!r}")


def _filled(arguments: JSON, body: JSON) -> JSON:
    named = EVENT_NAMED.search(last_tool_result(body, SEGUE_TOOL))
    session_id, seq = named.groups() if named else ("none-found", "0")
    known = {"$session_id": session_id, "$seq": int(seq)}
    return {name: known.get(value, value) if isinstance(value, str) else value for name, value in arguments.items()}


def answer(step: JSON, cwd: str, body: JSON) -> tuple[list[JSON], bool]:
    """The content blocks for a step, and whether they use it up: a tool that is not loaded is searched for first."""
    calls = [tool_use(call, cwd, body) for call in step.get("do", [])]
    absent = [name for name, _ in calls if name not in offered(body) and name not in searched(body)]
    if absent and "ToolSearch" in offered(body):
        return [_call("ToolSearch", {"query": f"select:{absent[0]}", "max_results": 5})], False
    said = [{"type": "text", "text": step["say"]}] if step.get("say") else []
    return said + [_call(name, arguments) for name, arguments in calls], True


def _call(name: str, arguments: JSON) -> JSON:
    return {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:24]}", "name": name, "input": arguments}


def message(content: list[JSON], body: JSON) -> JSON:
    """A whole answer in the service's shape."""
    calls = any(block["type"] == "tool_use" for block in content)
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": content,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": len(json.dumps(body)) // 4, "output_tokens": 20},
    }


def stream(whole: JSON) -> list[JSON]:
    """The same answer as the events of a stream, each block in one delta."""
    opening = {**whole, "content": [], "stop_reason": None}
    events: list[JSON] = [{"type": "message_start", "message": opening}]
    for index, block in enumerate(whole["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            partial = json.dumps(block["input"], ensure_ascii=False)
            empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": partial}
        events += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": ending, "usage": whole["usage"]}, {"type": "message_stop"}]


class Model:
    """A running model: give it the steps of a turn, then look at what was asked of it."""

    def __init__(self, log_dir: str) -> None:
        os.makedirs(log_dir, exist_ok=True)
        self.requests: list[Request] = []
        self.hung = threading.Event()
        self.overrun = 0
        self._log_dir = log_dir
        self._steps: deque[JSON] = deque()
        self._label, self._cwd, self._summary = "", "", DEFAULT_SUMMARY
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Door", (_Door,), {"model": self}))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def url(self) -> str:
        """Where the host finds the model."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def left(self) -> int:
        """Steps of the turn that were not asked for yet."""
        return len(self._steps)

    def play(self, label: str, steps: list[JSON | str], cwd: str, summary: str | None = None) -> None:
        """Make these the steps of the next turn."""
        with self._lock:
            self._steps = deque({"say": step} if isinstance(step, str) else step for step in steps)
            self.overrun = 0
            self._label, self._cwd, self._summary = label, cwd, summary or DEFAULT_SUMMARY

    def close(self) -> None:
        """Let hanging answers go and stop listening."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def reply(self, body: JSON) -> JSON | None:
        """Record a request and answer it by the script; None where the script hangs."""
        kind = kind_of(body)
        with self._lock:
            self._record(Request(kind=kind, label=self._label, body=body))
            if kind == SUMMARY:
                content = [{"type": "text", "text": self._summary}]
            elif kind == ASIDE:
                content = [{"type": "text", "text": "Scripted session"}]
            elif not self._steps:
                self.overrun += 1
                content = [{"type": "text", "text": "Nothing more is scripted."}]
            else:
                step = self._steps[0]
                content, used = answer(step, self._cwd, body)
                if used:
                    self._steps.popleft()
                if step.get("hang"):
                    self.hung.set()
                    return None
        return message(content, body)

    def wait(self) -> None:
        """Return when the model closes."""
        self._closing.wait()

    def _record(self, request: Request) -> None:
        self.requests.append(request)
        path = os.path.join(self._log_dir, f"{len(self.requests):04}-{request.label}-{request.kind}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"time": time.time(), "body": request.body}, file, ensure_ascii=False, indent=1)


class _Door(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *_: object) -> None:
        """Stay quiet: requests are kept as files."""

    def do_HEAD(self) -> None:
        self._send({})

    def do_GET(self) -> None:
        self._send({"data": [], "has_more": False})

    def do_POST(self) -> None:
        try:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        except ValueError:
            self._send({"type": "error", "error": {"type": "invalid_request_error", "message": "not JSON"}}, 400)
            return
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            self._send({"input_tokens": len(json.dumps(body)) // 4})
        elif path.endswith("/messages"):
            self._answer(body)
        else:
            self._send({})

    def _answer(self, body: JSON) -> None:
        whole = self.model.reply(body)
        if whole is None:
            self.model.wait()
            self.close_connection = True
        elif body.get("stream"):
            self._stream(whole)
        else:
            self._send(whole)

    def _send(self, value: JSON, status: int = 200) -> None:
        raw = b"" if self.command == "HEAD" else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _stream(self, whole: JSON) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in stream(whole):
            data = json.dumps(event, ensure_ascii=False)
            self.wfile.write(f"event: {event['type']}\ndata: {data}\n\n".encode())
        self.close_connection = True
