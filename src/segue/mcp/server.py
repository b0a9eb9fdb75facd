"""Owns the loop on stdio: one message in, one message out, work when idle, an end when the host is gone.

The store is opened by the first tool call, so that the server is ready before the host's first model request.
"""

from __future__ import annotations

import os
import sys

from segue.errors import SegueError
from segue.mcp import protocol
from segue.model.codec import dumps, loads, scrub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from segue.ctx import Context
    from segue.model.operation import Operation

#: how often the server looks whether its parent is still there, in seconds
PARENT_CHECK_S = 2.0
#: longest message that is read, in bytes
MAX_MESSAGE = 16 * 1024 * 1024
#: events that one idle moment indexes
IDLE_STEP = 400
#: the tool that the host's hooks call; it is in no list, so that no model is offered it (I14)
HOOK_TOOL = "hook_event"


class Server:
    """One connection. `environ` and `cwd` are read when it opens and never again (I11)."""

    def __init__(self, env: dict[str, str], cwd: str, *, with_hooks: bool) -> None:
        self._env = env
        self._cwd = cwd
        self._with_hooks = with_hooks
        self._context: Context | None = None
        self._pending = True

    def handle(self, line: bytes) -> dict[str, Any] | None:
        """The reply to one line; None for notifications and replies."""
        try:
            message = loads(line.decode("utf-8", "replace"))
        except ValueError as error:
            return protocol.failure(None, protocol.PARSE_ERROR, f"not JSON: {error}")
        if not isinstance(message, dict):
            return protocol.failure(None, protocol.INVALID_REQUEST, "a message is one JSON object")
        method, request_id = message.get("method"), message.get("id")
        if not isinstance(method, str):
            return None if "result" in message or "error" in message else _invalid(request_id)
        if request_id is None:
            return None  # a notification; unknown ones are ignored
        if not isinstance(request_id, str | int):
            return _invalid(None)
        params = message.get("params")
        return self._reply(request_id, method, params if isinstance(params, dict) else {})

    def _reply(self, request_id: str | int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "initialize":
                result = protocol.initialize(params)
            case "server/discover":
                result = protocol.envelope(protocol.discover(), _stateless(params), cacheable=True)
            case "ping":
                result = protocol.envelope({}, params, cacheable=False)
            case "tools/list":
                result = protocol.envelope({"tools": self._tools()}, params, cacheable=True)
            case "tools/call":
                return self._call(request_id, params)
            case "prompts/list" | "resources/list" | "resources/templates/list":
                name = {"prompts/list": "prompts", "resources/list": "resources"}.get(method, "resourceTemplates")
                result = protocol.envelope({name: []}, params, cacheable=True)
            case _:
                return protocol.failure(request_id, protocol.NO_METHOD, f"no method {method}")
        return protocol.reply(request_id, result)

    def _tools(self) -> list[dict[str, Any]]:
        return [protocol.describe(operation) for operation in _tool_operations().values()]

    def _call(self, request_id: str | int, params: dict[str, Any]) -> dict[str, Any]:
        name, given = params.get("name"), params.get("arguments")
        arguments = given if isinstance(given, dict) else {}
        if name == HOOK_TOOL and self._with_hooks:
            return protocol.reply(request_id, protocol.envelope(self._hook(arguments), params, cacheable=False))
        operation = _tool_operations().get(name) if isinstance(name, str) else None
        if operation is None:
            return protocol.failure(request_id, protocol.INVALID_PARAMS, f"no tool {name}")
        self._pending = True
        return protocol.reply(request_id, protocol.envelope(self._run(operation, arguments), params, cacheable=False))

    def _run(self, operation: Operation, arguments: dict[str, Any]) -> dict[str, Any]:
        from segue.model.operation import check

        try:
            request = check(operation.params, arguments, person=False)
            return protocol.tool_result(scrub(operation.text(operation.run(self._open(), request))))
        except SegueError as error:
            return protocol.tool_result(f"{error.code}: {error} {error.hint}", is_error=True)
        except Exception as error:  # noqa: BLE001 - the door's top: the model gets no diagnostics, the log does (TSQ-35)
            _log(error)
            return protocol.tool_result("failed: Segue could not answer; `segue doctor` shows why.", is_error=True)

    def _hook(self, arguments: dict[str, Any]) -> dict[str, Any]:
        from segue import app

        self._pending = True
        try:
            if app.is_off(self._env):
                return protocol.tool_result("{}")
            host, event = str(arguments.get("host", "")), str(arguments.get("hook_event_name", ""))
            answer = app.receive(host, event, _payload(arguments), self._env, record_error=_log)
            return protocol.tool_result(answer or "{}")
        except Exception as error:  # noqa: BLE001 - the door's top: a hook never hurts the host (I7)
            _log(error)
            return protocol.tool_result("{}")

    def _open(self) -> Context:
        if self._context is None:
            from segue import app
            from segue.ctx import open_context

            context = open_context(app.locate(self._env, self._cwd))
            running = self._env.get("CLAUDE_CODE_SESSION_ID")
            self._context = context.replace(session_id=_known(context, running))
        return self._context

    def idle(self) -> None:
        """Use a quiet moment: index what is pending, a little at a time."""
        if not self._pending:
            return
        self._pending = False
        try:
            from segue.projectors.derive import derive

            context = self._open()
            derived = derive(context, context.spool_dir, limit=IDLE_STEP)
            self._pending = derived.left > 0 and derived.indexed > 0
        except SegueError as error:
            _log(error)

    def close(self) -> None:
        """Let the store go."""
        if self._context is not None:
            self._context.store.close()


def _known(context: Context, host_session_id: str | None) -> str | None:
    """Segue's id of the running session, if the environment names one that is really recorded.

    Claude Code gives a resumed session's server a throw-away id, which is in no log.
    """
    from segue.model.session import session_id
    from segue.stores import sessions

    if not host_session_id:
        return None
    name = session_id("claude-code", host_session_id)
    return name if sessions.get(context.store, context.scope(), name) else None


def _tool_operations() -> dict[str, Operation]:
    from segue.operations.registry import OPERATIONS

    return {operation.tool: operation for operation in OPERATIONS if operation.tool}


#: fields of a hook payload that are no text
STRUCTURED = ("tool_input", "tool_response", "tool_calls", "stop_hook_active", "is_interrupt", "duration_ms")


def _payload(arguments: dict[str, Any]) -> dict[str, Any]:
    """A hook payload from a tool's arguments: whole objects come as JSON text, missing fields as empty text."""
    payload: dict[str, Any] = {}
    for name, value in arguments.items():
        if name == "host" or value == "" or (isinstance(value, str) and value.startswith("${")):
            continue
        payload[name] = _value(value) if name in STRUCTURED else value
    return payload


def _value(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return loads(value)
    except ValueError:
        return value


def _invalid(request_id: Any) -> dict[str, Any]:
    return protocol.failure(request_id, protocol.INVALID_REQUEST, "not a request")


def _stateless(params: dict[str, Any]) -> dict[str, Any]:
    return {**params, "_meta": {protocol.VERSION_KEY: protocol.STATELESS_VERSION}}


def serve(*, with_hooks: bool) -> int:
    """Serve standard input and output; the exit code."""
    server = Server(dict(os.environ), os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd(), with_hooks=with_hooks)
    try:
        for line in read_lines(server):
            answer = server.handle(line)
            if answer is not None:
                _write(answer)
    except BrokenPipeError:
        return 0
    finally:
        server.close()
    return 0


def read_lines(server: Server) -> Iterator[bytes]:
    """Lines of standard input until it ends or the parent is gone; quiet moments are the server's."""
    parent = os.getppid()
    buffer = b""
    while True:
        if not _wait(server.idle):
            if os.getppid() != parent:
                return
            continue
        chunk = os.read(0, 1 << 16)
        if not chunk:
            return
        buffer += chunk
        *lines, buffer = buffer.split(b"\n")
        yield from (line for line in lines if line.strip())
        if len(buffer) > MAX_MESSAGE:
            _write(protocol.failure(None, protocol.INVALID_REQUEST, f"a message is at most {MAX_MESSAGE} bytes"))
            return


def _wait(idle: Any) -> bool:
    """Whether there is input. Waits a moment, then works a little, then waits for the next look at the parent."""
    if os.name == "nt":
        return True
    import select

    if select.select([0], [], [], 0.2)[0]:
        return True
    idle()
    return bool(select.select([0], [], [], PARENT_CHECK_S)[0])


def _write(message: dict[str, Any]) -> None:
    data = dumps(message).encode("utf-8", "replace") + b"\n"
    while data:
        data = data[os.write(1, data) :]


def _log(error: BaseException) -> None:
    """To stderr, where hosts keep their servers' logs."""
    print(f"segue: {type(error).__name__}: {error}", file=sys.stderr)
