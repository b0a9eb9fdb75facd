"""Owns Claude Code's tools: what class of work each is, what names it, what its result says. Pure; on the hook path."""

from __future__ import annotations

from segue.model.codec import dumps
from segue.model.event import FAILED, OK, TODO_WRITE, TOOL_CALL, TOOL_RESULT, UNKNOWN, Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ACTIONS = {
    "Bash": "command", "BashOutput": "command", "KillShell": "command", "PowerShell": "command", "Monitor": "command",
    "Edit": "edit", "MultiEdit": "edit", "Write": "edit", "NotebookEdit": "edit",
    "Read": "read", "NotebookRead": "read", "LS": "read",
    "Grep": "search", "Glob": "search", "ToolSearch": "search", "LSP": "search",
    "WebFetch": "web", "WebSearch": "web",
    "Agent": "agent", "Task": "agent", "SendMessage": "agent",
    "TodoWrite": "plan", "TaskCreate": "plan", "TaskUpdate": "plan", "TaskList": "plan", "TaskGet": "plan",
    "EnterPlanMode": "plan", "ExitPlanMode": "plan",
}  # fmt: skip
#: fields of a tool's input that name the work, in order of preference
SUBJECTS = (
    "command",
    "file_path",
    "notebook_path",
    "path",
    "pattern",
    "query",
    "url",
    "description",
    "prompt",
    "skill",
)
#: fields of a result that hold what the model sees, in order of preference
OUTPUTS = ("stdout", "content", "output", "text", "result", "matches", "filenames")
OWN_SERVER = "segue"


def is_own(tool: str, server: object = None) -> bool:
    """Whether a tool is Segue's own, also inside a plugin: such calls are not recorded (I10)."""
    if isinstance(server, dict) and server.get("name") == OWN_SERVER:
        return True
    return tool.startswith("mcp__") and f"__{tool[5:]}".rsplit("__", 1)[0].endswith(
        (f"__{OWN_SERVER}", f"_{OWN_SERVER}")
    )


def action_of(tool: str) -> str:
    """The class of work of a tool."""
    return ACTIONS.get(tool) or ("mcp" if tool.startswith("mcp__") else "other")


def subject_of(given: Any) -> str | None:
    """The one line that names the work: the command, the path, the query."""
    if not isinstance(given, dict):
        return None
    return next((given[name] for name in SUBJECTS if isinstance(given.get(name), str) and given[name]), None)


def call_draft(tool: str, call_id: str | None, given: Any, time: str | None = None) -> Draft:
    """The call of a tool."""
    return Draft(
        type=TOOL_CALL,
        origin="model",
        body={"tool": tool, "call_id": call_id, "input": lean(given)},
        key=f"call:{call_id}" if call_id else None,
        time=time,
        action=action_of(tool),
        subject=subject_of(given),
    )


def result_draft(
    tool: str,
    call_id: str | None,
    given: Any,
    response: Any,
    *,
    error: str | None = None,
    interrupted: bool = False,
    duration_ms: object = None,
    time: str | None = None,
) -> Draft:
    """The result of a tool: what the model saw, what it says of success, and what changed."""
    body: dict[str, Any] = {"tool": tool, "call_id": call_id, "output": output_text(response)}
    if error is not None:
        body["error"] = error
    if isinstance(duration_ms, int):
        body["duration_ms"] = duration_ms
    action = action_of(tool)
    if action == "edit":
        body |= _edit_facts(given, response)
    stderr = response.get("stderr") if isinstance(response, dict) else None
    if isinstance(stderr, str) and stderr and error is None:
        body["output"] = f"{body['output']}\n{stderr}".strip("\n")
    return Draft(
        type=TOOL_RESULT,
        origin="web" if action == "web" else "tool",
        body=body,
        key=f"result:{call_id}" if call_id else None,
        time=time,
        action=action,
        outcome=_outcome(action, response, error, interrupted),
        subject=subject_of(given),
    )


def _outcome(action: str, response: Any, error: str | None, interrupted: bool) -> str:
    """What the host said of success. A failed shell command never comes as a plain result; no answer is unknown."""
    if error is not None:
        return UNKNOWN if interrupted else FAILED
    if interrupted or (isinstance(response, dict) and response.get("interrupted") is True):
        return UNKNOWN
    if isinstance(response, dict) and (response.get("isError") is True or response.get("is_error") is True):
        return FAILED
    if isinstance(response, dict) and response.get("backgroundTaskId"):
        return UNKNOWN
    return OK if action in ("command", "edit", "read") and response is not None else UNKNOWN


def _edit_facts(given: Any, response: Any) -> dict[str, Any]:
    """Which file changed and how; never the whole original."""
    told = given if isinstance(given, dict) else {}
    path = next((told[n] for n in ("file_path", "notebook_path") if isinstance(told.get(n), str)), None)
    if path is None and isinstance(response, dict) and isinstance(response.get("filePath"), str):
        path = response["filePath"]
    old, new = told.get("old_string"), told.get("new_string", told.get("content", told.get("new_source")))
    edits = told.get("edits")
    if isinstance(edits, list) and edits and isinstance(edits[0], dict):
        old, new = edits[0].get("old_string"), edits[0].get("new_string")
    change = {"old": old if isinstance(old, str) else "", "new": new if isinstance(new, str) else ""}
    return {"files": [path] if path else [], "change": change}


def output_text(response: Any) -> str:
    """What the model saw of a result, as text; images and files as what they were."""
    if isinstance(response, str):
        return response
    if isinstance(response, list):
        return "\n".join(part for part in map(_block_text, response) if part)
    if not isinstance(response, dict):
        return "" if response is None else str(response)
    file = response.get("file")
    if isinstance(file, dict):
        return output_text(file.get("content")) if "content" in file else _attachment(file)
    for name in OUTPUTS:
        if name in response and response[name] not in (None, ""):
            if name == "stdout" and response.get("isImage") is True:
                return _attachment({"base64": response[name], "type": "image"})
            return output_text(response[name])
    known = any(name in response for name in OUTPUTS) or "originalFile" in response
    return "" if known or not response else dumps(lean(response))


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return ""
    if isinstance(block.get("text"), str):
        return str(block["text"])
    source = block.get("source")
    if block.get("type") in ("image", "document") and isinstance(source, dict):
        return _attachment(source)
    if isinstance(block.get("tool_name"), str):
        return str(block["tool_name"])
    return ""


def _attachment(source: dict[str, Any]) -> str:
    """An image or file by type, size and digest."""
    from segue.model.attachment import describe

    data = source.get("data") or source.get("base64") or ""
    kind = source.get("media_type") or source.get("type") or "file"
    return describe(str(kind), data if isinstance(data, str) else "")


def lean(value: Any, depth: int = 0) -> Any:
    """A tool's input without the content of images and files."""
    if depth > 40:
        return None
    if isinstance(value, dict):
        source = value.get("source")
        if value.get("type") in ("image", "document") and isinstance(source, dict):
            return {"attachment": _attachment(source)}
        return {str(name): lean(inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, list):
        return [lean(inner, depth + 1) for inner in value]
    return value


def todo_draft(
    tool: str, call_id: str | None, given: Any, response: Any = None, time: str | None = None
) -> Draft | None:
    """What a call wrote to the to-do list: the whole list (TodoWrite), or one entry of it (TaskCreate, TaskUpdate)."""
    if not isinstance(given, dict):
        return None
    key = f"todo:{call_id}" if call_id else None
    if tool == "TodoWrite" and isinstance(given.get("todos"), list):
        body: dict[str, Any] = {"todos": [_todo(todo) for todo in given["todos"] if isinstance(todo, dict)]}
    elif tool == "TaskCreate" and isinstance(given.get("subject"), str):
        body = {
            "todos": [{"id": _task_id(response), "content": given["subject"], "status": "pending"}],
            "partial": True,
        }
    elif tool == "TaskUpdate" and isinstance(given.get("taskId"), str):
        told = {"id": given["taskId"], "content": given.get("subject"), "status": given.get("status")}
        body = {"todos": [{name: value for name, value in told.items() if isinstance(value, str)}], "partial": True}
    else:
        return None
    return Draft(type=TODO_WRITE, origin="model", body=body, key=key, time=time)


def _todo(todo: dict[str, Any]) -> dict[str, Any]:
    return {"content": str(todo.get("content", "")), "status": str(todo.get("status", "pending"))}


def _task_id(response: Any) -> str | None:
    """The id that a new task was given, where the result tells it."""
    task = response.get("task") if isinstance(response, dict) else None
    found = task.get("id") if isinstance(task, dict) else None
    return str(found) if isinstance(found, str | int) else None
