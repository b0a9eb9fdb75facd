"""Owns what `segue up` changes in Claude Code's files, and how to take it back. Pure: bytes in, bytes out.

What is not Segue's keeps its bytes: the text is edited in place.
"""

from __future__ import annotations

from segue.errors import HostFileUnusable
from segue.hosts import jsontext
from segue.hosts.claude_code.hooks import NAME
from segue.model.install import FileChange, Undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
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


BOM = b"\xef\xbb\xbf"


def paths(home: str, chosen: str | None = None) -> tuple[str, str]:
    """The user's settings and the file with the user's MCP servers; both in the folder `chosen`, if there is one."""
    return f"{chosen or f'{home}/.claude'}/settings.json", f"{chosen or home}/.claude.json"


def plan(
    where: tuple[str, str],
    files: Mapping[str, bytes | None],
    *,
    command: Callable[[str], str],
    server: tuple[str, list[str]],
    is_ours: Callable[[str], bool],
    via_mcp: bool = False,
) -> list[FileChange]:
    """The files that `up` changes, with the new content. Planned over its own result, nothing changes.

    `where` are the `paths` of both files.
    `command(event)` is the shell command of a hook, `server` starts the MCP server, `is_ours` knows a command of
    Segue. Entries of another installation are replaced. `HostFileUnusable` for a file that cannot be changed safely.
    """
    settings_path, servers_path = where
    changes = [
        _plan_hooks(settings_path, files.get(settings_path), command, is_ours, via_mcp),
        _plan_server(servers_path, files.get(servers_path), server, is_ours, via_mcp),
    ]
    return [change for change in changes if change.after != change.before]


def unplan(undo: Undo, current: bytes, is_ours: Callable[[str], bool]) -> bytes | None:
    """The file without Segue, where others changed it since: only our entries go. None means that nothing is left."""
    text, value = _read(undo.path, current)
    made = set(undo.made_keys)
    events = {event for event, _, _, _ in _own(value, is_ours)}
    text, value = _drop_own(text, value, is_ours)
    for event in events:
        if value["hooks"][event] == [] and made & {"hooks", f"hooks.{event}"}:
            text, value = _changed(jsontext.drop(text, ("hooks", event)))
    if value.get("hooks") == {} and "hooks" in made:
        text, value = _changed(jsontext.drop(text, ("hooks",)))
    entry = _server_entry(value)
    if entry is not None and _starts_segue(entry, is_ours):
        text, value = _changed(jsontext.drop(text, ("mcpServers", SERVER)))
        if value["mcpServers"] == {} and "mcpServers" in made:
            text, value = _changed(jsontext.drop(text, ("mcpServers",)))
    return _bytes(text, current) if value or undo.existed else None


def problems(where: tuple[str, str], files: Mapping[str, bytes | None]) -> list[str]:
    """What in the settings keeps hooks from running."""
    _, value = _read(where[0], files.get(where[0]))
    return ["disableAllHooks is set in settings.json: no hook runs"] if value.get("disableAllHooks") else []


def goes_via_mcp(where: tuple[str, str], files: Mapping[str, bytes | None]) -> bool:
    """Whether hooks go through the running MCP server now."""
    entry = _server_entry(_read(where[1], files.get(where[1]))[1]) or {}
    return isinstance(entry.get("args"), list) and "--hooks" in entry["args"]


def installed(
    where: tuple[str, str], files: Mapping[str, bytes | None], is_ours: Callable[[str], bool]
) -> tuple[list[str], bool]:
    """Which events call Segue, and whether its MCP server is entered."""
    settings_path, servers_path = where
    _, settings = _read(settings_path, files.get(settings_path))
    _, servers = _read(servers_path, files.get(servers_path))
    entry = _server_entry(servers)
    events = list(dict.fromkeys(event for event, _, _, _ in _own(settings, is_ours)))
    return events, entry is not None and _starts_segue(entry, is_ours)


def _read(path: str, data: bytes | None) -> tuple[str, dict[str, Any]]:
    """A file's text and its value; an object without members for a file that is not there or empty."""
    if data is None or not data.removeprefix(BOM).strip():
        return "{}", {}
    try:
        text = data.decode("utf-8-sig")
        value = jsontext.parse(text)
    except ValueError as error:
        raise HostFileUnusable(f"{path} is not JSON ({error})") from error
    if not isinstance(value, dict):
        raise HostFileUnusable(f"{path} does not hold a JSON object")
    return text, value


def _changed(text: str) -> tuple[str, dict[str, Any]]:
    """An edited text and its value. Parsed anew each time, so that an edit that went wrong is never written."""
    value: dict[str, Any] = jsontext.parse(text)
    return text, value


def _bytes(text: str, like: bytes | None) -> bytes:
    """The text as a file, with the BOM of the one before; a file that held nothing gets a last newline."""
    if like is None or not like.removeprefix(BOM).strip():
        text += "\n"
    try:
        return (BOM if like is not None and like.startswith(BOM) else b"") + text.encode()
    except UnicodeEncodeError as error:
        raise HostFileUnusable(f"a path is not text ({error})", hint="Set SEGUE_HOME to another folder.") from error


def _own(value: dict[str, Any], is_ours: Callable[[str], bool]) -> Iterator[tuple[str, int, int, dict[str, Any]]]:
    """Every handler of Segue's: event, number of the group, number in the group, the handler."""
    hooks = value.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for number, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                if isinstance(handler, dict) and _is_own(handler, is_ours):
                    yield event, at, number, handler


def _is_own(handler: dict[str, Any], is_ours: Callable[[str], bool]) -> bool:
    if handler.get("type") == "mcp_tool":
        return handler.get("server") == SERVER
    return isinstance(handler.get("command"), str) and is_ours(handler["command"])


def _drop_own(text: str, value: dict[str, Any], is_ours: Callable[[str], bool]) -> tuple[str, dict[str, Any]]:
    """Without Segue's handlers, and the groups that held nothing else."""
    for event, at, number, _ in reversed(list(_own(value, is_ours))):
        only = len(value["hooks"][event][at]["hooks"]) == 1
        place: jsontext.Path = ("hooks", event, at) if only else ("hooks", event, at, "hooks", number)
        text, value = _changed(jsontext.drop(text, place))
    return text, value


def _plan_hooks(
    path: str, before: bytes | None, command: Callable[[str], str], is_ours: Callable[[str], bool], via_mcp: bool
) -> FileChange:
    text, value = _read(path, before)
    wanted = {event: _handler(event, seconds, command, via_mcp) for event, seconds in EVENTS.items()}
    found: dict[str, list[dict[str, Any]]] = {}
    for event, _, _, handler in _own(value, is_ours):
        found.setdefault(event, []).append(handler)
    if found == {event: [handler] for event, handler in wanted.items()}:
        return FileChange(path=path, before=before, after=before or b"")
    made = _missing(path, value, wanted)
    text, value = _drop_own(text, value, is_ours)
    if "hooks" not in value:
        text, value = _changed(jsontext.put(text, ("hooks",), {event: _groups(h) for event, h in wanted.items()}))
    else:
        for event, handler in wanted.items():
            if event in value["hooks"]:
                text = jsontext.append(text, ("hooks", event), _groups(handler)[0])
            else:
                text = jsontext.put(text, ("hooks", event), _groups(handler))
        for event in found.keys() - wanted.keys():  # an event that an earlier release listened to
            if value["hooks"][event] == []:
                text = jsontext.drop(text, ("hooks", event))
        _changed(text)
    summary = (f"hooks on {len(wanted)} events", *_replaced(found, wanted))
    return FileChange(path=path, before=before, after=_bytes(text, before), summary=summary, made_keys=made)


def _groups(handler: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"hooks": [handler]}]


def _missing(path: str, value: dict[str, Any], wanted: dict[str, Any]) -> tuple[str, ...]:
    """The keys that are not there yet, as dotted paths. `HostFileUnusable` where something else is in their place."""
    if "hooks" not in value:
        return ("hooks",)
    hooks = value["hooks"]
    if not isinstance(hooks, dict):
        raise HostFileUnusable(f"hooks in {path} is not an object")
    for event in wanted:
        if not isinstance(hooks.get(event, []), list):
            raise HostFileUnusable(f"hooks.{event} in {path} is not a list")
    return tuple(f"hooks.{event}" for event in wanted if event not in hooks)


def _replaced(found: dict[str, list[dict[str, Any]]], wanted: dict[str, dict[str, Any]]) -> Iterator[str]:
    """What goes for the new hooks: said, because it may be another installation of Segue."""
    old = [h for event, handlers in found.items() for h in handlers if h != wanted.get(event)]
    if old:
        commands = [handler["command"] for handler in old if "command" in handler]
        named = f": {commands[0]}" if commands else ""
        yield f"in place of {len(old)} hooks of an earlier or another installation of Segue{named}"


def _handler(event: str, seconds: int, command: Callable[[str], str], via_mcp: bool) -> dict[str, Any]:
    if via_mcp and event in VIA_MCP:
        fields = {name: "${" + name + "}" for name in (*ALWAYS, *VIA_MCP[event])}
        given = {"host": NAME, "hook_event_name": event, **fields}
        return {"type": "mcp_tool", "server": SERVER, "tool": "hook_event", "input": given, "timeout": seconds}
    return {"type": "command", "command": command(event), "timeout": seconds}


def _plan_server(
    path: str, before: bytes | None, server: tuple[str, list[str]], is_ours: Callable[[str], bool], via_mcp: bool
) -> FileChange:
    text, value = _read(path, before)
    servers, entry = value.get("mcpServers", {}), _server_entry(value)
    if not isinstance(servers, dict):
        raise HostFileUnusable(f"mcpServers in {path} is not an object")
    if SERVER in servers and (entry is None or not _starts_segue(entry, is_ours)):
        raise HostFileUnusable(f"{path} has another MCP server called {SERVER}", hint="Rename it; nothing was changed.")
    program, arguments = server
    args = [*arguments, "--hooks"] if via_mcp else list(arguments)
    # what a person added to the entry (an environment, a time limit) stays
    wanted = {"type": "stdio", "env": {}, **(entry or {}), "command": program, "args": args, "alwaysLoad": True}
    if entry == wanted:
        return FileChange(path=path, before=before, after=before or b"")
    summary = ["MCP server segue"]
    if entry is not None and entry.get("command") != program:
        summary.append(f"in place of one that was started by {entry.get('command')}")
    if "mcpServers" in value:
        text = jsontext.put(text, ("mcpServers", SERVER), wanted)
    else:
        text = jsontext.put(text, ("mcpServers",), {SERVER: wanted})
    _changed(text)
    made = () if "mcpServers" in value else ("mcpServers",)
    return FileChange(path=path, before=before, after=_bytes(text, before), summary=tuple(summary), made_keys=made)


def _server_entry(value: dict[str, Any]) -> dict[str, Any] | None:
    servers = value.get("mcpServers")
    entry = servers.get(SERVER) if isinstance(servers, dict) else None
    return entry if isinstance(entry, dict) else None


def _starts_segue(entry: dict[str, Any], is_ours: Callable[[str], bool]) -> bool:
    """Whether an MCP entry is Segue's: by the launcher of any home, or by the program itself, as a person enters it."""
    words = [entry.get("command"), *(entry["args"] if isinstance(entry.get("args"), list) else ())]
    texts = [word for word in words if isinstance(word, str)]
    names = [text.replace("\\", "/").rpartition("/")[2].removesuffix(".exe") for text in texts]
    return any(map(is_ours, texts)) or (names[:1] == ["segue"] and "mcp" in texts)
