"""Owns one connection: one message in, one message out, work when idle, an end when the host is gone.

The store is opened by the first tool call, so that the server is ready before the host's first model request.
"""

from __future__ import annotations

import os
import sys

from segue.errors import SegueError
from segue.mcp import protocol, stdio
from segue.model.codec import loads, scrub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.ctx import Context
    from segue.model.operation import Operation

#: how long a call waits for another writer, in seconds: reading goes on without, and a host's end must not wait
BUSY_S = 1.0
#: characters of a name that is not known which its answer repeats
NAME_CHARS = 80
#: messages that one array may hold
MAX_BATCH = 100
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

    def handle(self, line: bytes) -> dict[str, Any] | list[dict[str, Any]] | None:
        """The reply to one line; None where there is nothing to say: notifications and replies."""
        try:
            message = loads(line.decode("utf-8-sig", "replace"))
        except ValueError as error:
            return protocol.failure(None, protocol.PARSE_ERROR, f"not JSON: {error}")
        if not isinstance(message, list):
            return self._answer(message)
        if not 0 < len(message) <= MAX_BATCH:
            return protocol.failure(None, protocol.INVALID_REQUEST, f"an array holds 1 to {MAX_BATCH} messages")
        return [answer for part in message if (answer := self._answer(part)) is not None] or None

    def _answer(self, message: Any) -> dict[str, Any] | None:
        if not isinstance(message, dict):
            return protocol.failure(None, protocol.INVALID_REQUEST, "a message is a JSON object")
        method, request_id = message.get("method"), message.get("id")
        if not isinstance(method, str):
            if "result" in message or "error" in message:
                return None
            known = request_id if protocol.is_id(request_id) else None
            return protocol.failure(known, protocol.INVALID_REQUEST, "not a request")
        if "id" not in message:
            return None  # a notification; unknown ones are ignored
        if not protocol.is_id(request_id):
            return protocol.failure(None, protocol.INVALID_REQUEST, "an id is a text or a whole number")
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        asked = protocol.version_asked(params)
        if asked is not None and asked not in protocol.VERSIONS:
            return protocol.unsupported(request_id, asked)
        return self._reply(request_id, method, params)

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
                return protocol.failure(request_id, protocol.NO_METHOD, f"no method {method[:NAME_CHARS]}")
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
            return protocol.failure(request_id, protocol.INVALID_PARAMS, f"no tool {str(name)[:NAME_CHARS]}")
        self._pending = True
        return protocol.reply(request_id, protocol.envelope(self._run(operation, arguments), params, cacheable=False))

    def _run(self, operation: Operation, arguments: dict[str, Any]) -> dict[str, Any]:
        from segue.model.operation import check

        try:
            request = check(operation.params, arguments, person=False)
            return protocol.tool_result(protocol.fit(scrub(operation.text(operation.run(self._open(), request)))))
        except SegueError as error:
            return protocol.tool_result(protocol.fit(scrub(f"{error.code}: {error} {error.hint}")), is_error=True)
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

            self._context = open_context(app.locate(self._env, self._cwd), busy_s=BUSY_S)
        if self._context.session_id is None:  # the running session's first event may come after the first call
            running = _known(self._context, self._env.get("CLAUDE_CODE_SESSION_ID"))
            self._context = self._context.replace(session_id=running)
        return self._context

    def idle(self) -> None:
        """Use a quiet moment: move what hooks spooled, index what is pending, a little at a time."""
        if not self._pending and not self._spooled():
            return
        self._pending = False
        try:
            from segue.projectors.derive import derive
            from segue.upkeep import patterns

            context = self._open()
            derived = derive(context, context.spool_dir, limit=IDLE_STEP)
            self._pending = derived.left > 0 and derived.indexed > 0
            patterns.renew(context.patterns_path)
            if not self._pending and context.settings.retain == "daily":
                from segue.operations.retention import daily

                daily(context)
        except Exception as error:  # noqa: BLE001 - the door's top: what fails when nobody asked must not end the server
            _log(error)

    def _spooled(self) -> bool:
        from segue.sessionlog import spool

        return self._context is not None and bool(spool.waiting(self._context.spool_dir))

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
    from segue.operations.tools import TOOLS

    return {operation.tool: operation for operation in TOOLS if operation.tool}


#: fields of a hook payload that are no text
STRUCTURED = ("tool_input", "tool_response", "tool_calls", "stop_hook_active", "is_interrupt", "duration_ms")


def _payload(arguments: dict[str, Any]) -> dict[str, Any]:
    """A hook payload from a tool's arguments: whole objects come as JSON text, missing fields as empty text."""
    payload: dict[str, Any] = {}
    for name, value in arguments.items():
        if name == "host" or value in ("", f"${{{name}}}"):
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


def _stateless(params: dict[str, Any]) -> dict[str, Any]:
    return {**params, "_meta": {protocol.VERSION_KEY: protocol.STATELESS_VERSION}}


def serve(*, with_hooks: bool) -> int:
    """Serve standard input and output; the exit code."""
    server = Server(dict(os.environ), os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd(), with_hooks=with_hooks)
    output = stdio.claim_output()
    try:
        for line in stdio.read_lines(server.idle):
            answer = protocol.TOO_LONG if line is None else server.handle(line) if line.strip() else None
            if answer is not None:
                stdio.write(output, answer)
    except (BrokenPipeError, KeyboardInterrupt):
        return 0  # the host closed its end, or asked for the end
    finally:
        server.close()
    return 0


def _log(error: BaseException) -> None:
    """To stderr, where hosts keep their servers' logs."""
    print(f"segue: {type(error).__name__}: {error}", file=sys.stderr)
