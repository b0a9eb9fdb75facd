"""Owns what `segue up` changes in Claude Code's files, and how to take it back. Pure: bytes in, bytes out."""

from __future__ import annotations

import json

from segue.errors import HostFileUnusable
from segue.model.install import FileChange, Undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

SERVER = "segue"
#: events and the seconds that a hook may take; the hook itself stops far earlier
EVENTS = {
    "SessionStart": 10, "UserPromptSubmit": 5, "PreToolUse": 5, "PostToolUse": 5, "PostToolUseFailure": 5,
    "PostToolBatch": 5, "Stop": 5, "SubagentStart": 5, "SubagentStop": 5, "PreCompact": 5, "PostCompact": 5,
    "SessionEnd": 10,
}  # fmt: skip
#: events that can be told to a running MCP server, and the fields of the payload that carry something
VIA_MCP = {
    "UserPromptSubmit": ("prompt",),
    "PreToolUse": ("tool_name", "tool_input", "tool_use_id", "agent_id", "agent_type"),
    "PostToolUse": ("tool_name", "tool_input", "tool_response", "tool_use_id", "agent_id", "agent_type"),
    "PostToolUseFailure": ("tool_name", "tool_input", "tool_use_id", "error", "is_interrupt", "agent_id", "agent_type"),
    "PostToolBatch": ("tool_calls", "agent_id", "agent_type"),
    "Stop": ("last_assistant_message", "stop_hook_active"),
}
ALWAYS = ("session_id", "transcript_path", "cwd", "prompt_id")


def paths(home: str) -> tuple[str, str]:
    """The user's settings and the file with the user's MCP servers."""
    return f"{home}/.claude/settings.json", f"{home}/.claude.json"


def plan(
    home: str,
    files: Mapping[str, bytes | None],
    *,
    command: Callable[[str], str],
    server: tuple[str, list[str]],
    is_ours: Callable[[str], bool],
    via_mcp: bool = False,
) -> list[FileChange]:
    """The files that `up` changes, with the new content. Planned over its own result, nothing changes.

    `command(event)` is the shell command of a hook, `server` starts the MCP server, `is_ours` knows a command of
    Segue.
    """
    settings_path, servers_path = paths(home)
    changes = [
        _change(settings_path, files.get(settings_path), lambda value: _add_hooks(value, command, is_ours, via_mcp)),
        _change(servers_path, files.get(servers_path), lambda value: _add_server(value, server, via_mcp)),
    ]
    return [change for change in changes if change.after != change.before]


def unplan(undo: Undo, current: bytes, is_ours: Callable[[str], bool]) -> bytes | None:
    """The file without Segue, where others changed it since: only our entries go. None means that nothing is left."""
    value = _parse(undo.path, current)
    _drop_hooks(value, is_ours)
    servers = value.get("mcpServers")
    if isinstance(servers, dict):
        servers.pop(SERVER, None)
        if not servers and "mcpServers" in undo.made_keys:
            del value["mcpServers"]
    if not value and not undo.existed:
        return None
    return _dump(value, current)


def problems(home: str, files: Mapping[str, bytes | None]) -> list[str]:
    """What in the settings keeps hooks from running."""
    value = _parse(paths(home)[0], files.get(paths(home)[0]))
    return ["disableAllHooks is set in settings.json: no hook runs"] if value.get("disableAllHooks") else []


def installed(home: str, files: Mapping[str, bytes | None], is_ours: Callable[[str], bool]) -> tuple[list[str], bool]:
    """Which events call Segue, and whether its MCP server is entered."""
    settings_path, servers_path = paths(home)
    hooks = _parse(settings_path, files.get(settings_path)).get("hooks")
    events = [
        event
        for event, groups in (hooks if isinstance(hooks, dict) else {}).items()
        if any(_is_own(handler, is_ours) for group in _groups(groups) for handler in _handlers(group))
    ]
    servers = _parse(servers_path, files.get(servers_path)).get("mcpServers")
    return events, isinstance(servers, dict) and SERVER in servers


def _change(path: str, before: bytes | None, edit: Callable[[dict[str, Any]], list[str]]) -> FileChange:
    value = _parse(path, before)
    keys = set(value)
    summary = edit(value)
    after = _dump(value, before)
    if before is not None and _parse(path, before) == value:
        after = before
    return FileChange(
        path=path, before=before, after=after, summary=tuple(summary), made_keys=tuple(sorted(set(value) - keys))
    )


def _parse(path: str, data: bytes | None) -> dict[str, Any]:
    if data is None or not data.strip():
        return {}
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise HostFileUnusable(f"{path} is not JSON ({error})") from error
    if not isinstance(value, dict):
        raise HostFileUnusable(f"{path} does not hold a JSON object")
    return value


def _dump(value: dict[str, Any], like: bytes | None) -> bytes:
    """JSON in the manner of the file that was there: indent, line ends, BOM, last newline, escapes."""
    text = (like or b"").decode("utf-8-sig", "replace")
    second = text.split("\n", 2)[1] if "\n" in text.strip() else ""
    blanks = second[: len(second) - len(second.lstrip())]
    indent: str | int | None = blanks or (None if like is not None and text.strip() and "\n" not in text.strip() else 2)
    separators = (",", ":") if indent is None and '": ' not in text else None
    out = json.dumps(value, ensure_ascii=text.isascii() and "\\u" in text, indent=indent, separators=separators)
    if like is None or text.endswith("\n") or not text:
        out += "\n"
    if "\r\n" in text:
        out = out.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if (like or b"").startswith(b"\xef\xbb\xbf") else b"") + out.encode()


def _groups(groups: Any) -> list[Any]:
    return groups if isinstance(groups, list) else []


def _handlers(group: Any) -> list[Any]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []


def _is_own(handler: Any, is_ours: Callable[[str], bool]) -> bool:
    if not isinstance(handler, dict):
        return False
    if handler.get("type") == "mcp_tool":
        return handler.get("server") == SERVER
    return isinstance(handler.get("command"), str) and is_ours(handler["command"])


def _drop_hooks(value: dict[str, Any], is_ours: Callable[[str], bool]) -> int:
    """Take our handlers out, and what is empty without them; how many there were."""
    hooks = value.get("hooks")
    if not isinstance(hooks, dict):
        return 0
    dropped = 0
    for event in list(hooks):
        groups = _groups(hooks[event])
        for group in list(groups):
            own = [handler for handler in _handlers(group) if _is_own(handler, is_ours)]
            if not own:
                continue
            dropped += len(own)
            group["hooks"] = [handler for handler in group["hooks"] if handler not in own]
            if not group["hooks"]:
                groups.remove(group)
        if not groups and isinstance(hooks[event], list) and dropped:
            del hooks[event]
    if not hooks and dropped:
        del value["hooks"]
    return dropped


def _add_hooks(
    value: dict[str, Any], command: Callable[[str], str], is_ours: Callable[[str], bool], via_mcp: bool
) -> list[str]:
    found, _ = _current_handlers(value, is_ours)
    wanted = {event: _handler(event, seconds, command, via_mcp) for event, seconds in EVENTS.items()}
    if found == {event: [handler] for event, handler in wanted.items()}:
        return []
    replaced = _drop_hooks(value, is_ours)
    hooks = value.setdefault("hooks", {})
    if not isinstance(hooks, dict):
        raise HostFileUnusable("hooks in settings.json is not an object")
    for event, handler in wanted.items():
        groups = hooks.setdefault(event, [])
        if not isinstance(groups, list):
            raise HostFileUnusable(f"hooks.{event} in settings.json is not a list")
        groups.append({"hooks": [handler]})
    lines = [f"hooks on {len(wanted)} events"]
    return lines + (
        [f"in place of {replaced} hooks of an earlier or another installation of Segue"] if replaced else []
    )


def _current_handlers(
    value: dict[str, Any], is_ours: Callable[[str], bool]
) -> tuple[dict[str, list[dict[str, Any]]], int]:
    hooks = value.get("hooks")
    found: dict[str, list[dict[str, Any]]] = {}
    for event, groups in (hooks if isinstance(hooks, dict) else {}).items():
        own = [handler for group in _groups(groups) for handler in _handlers(group) if _is_own(handler, is_ours)]
        if own:
            found[event] = own
    return found, sum(map(len, found.values()))


def _handler(event: str, seconds: int, command: Callable[[str], str], via_mcp: bool) -> dict[str, Any]:
    if via_mcp and event in VIA_MCP:
        fields = {name: "${" + name + "}" for name in (*ALWAYS, *VIA_MCP[event])}
        given = {"host": "claude-code", "hook_event_name": event, **fields}
        return {"type": "mcp_tool", "server": SERVER, "tool": "hook_event", "input": given, "timeout": seconds}
    return {"type": "command", "command": command(event), "timeout": seconds}


def _add_server(value: dict[str, Any], server: tuple[str, list[str]], via_mcp: bool) -> list[str]:
    servers = value.setdefault("mcpServers", {})
    if not isinstance(servers, dict):
        raise HostFileUnusable("mcpServers is not an object")
    program, arguments = server
    args = [*arguments, "--hooks"] if via_mcp else list(arguments)
    servers[SERVER] = {"type": "stdio", "command": program, "args": args, "env": {}, "alwaysLoad": True}
    return ["MCP server segue"]
