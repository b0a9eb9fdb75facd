"""Owns Claude Code's tools: what class of work each is, what names it, what its result says. Pure; on the hook path."""

from __future__ import annotations

from segue.model.codec import dumps
from segue.model.event import FAILED, OK, TODO_WRITE, TOOL_CALL, TOOL_RESULT, UNKNOWN, Draft
from segue.model.frame import strip

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
    "pattern",
    "query",
    "url",
    "path",
    "description",
    "prompt",
    "skill",
)
#: fields of a result that hold what the model sees, in order of preference
OUTPUTS = ("stdout", "content", "output", "text", "result", "matches", "filenames")
#: fields that hold the content of a file or image, and those that say what kind it is
CONTENTS = ("base64", "data", "blob", "image_data")
MEDIA = ("media_type", "mimeType", "mime_type", "type")
OWN_SERVER = "segue"
#: levels of a value that are followed
MAX_DEPTH = 40


def is_own(tool: str, server: object = None) -> bool:
    """Whether a tool is Segue's own, also inside a plugin: such calls are not recorded (I10)."""
    name = server.get("name") if isinstance(server, dict) else None
    if isinstance(name, str) and (
        name == OWN_SERVER or (name.startswith("plugin:") and name.endswith(f":{OWN_SERVER}"))
    ):
        return True
    if not tool.startswith("mcp__"):
        return False
    named = tool[5:]
    return named.startswith(f"{OWN_SERVER}__") or (named.startswith("plugin_") and f"_{OWN_SERVER}__" in named)


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
    action = action_of(tool)
    output = strip(_output(action, response, with_errors=error is None))
    body: dict[str, Any] = {"tool": tool, "call_id": call_id, "output": output}
    if error is None and action == "edit" and isinstance(response, dict):
        told = response.get("error")
        error = told if isinstance(told, str) and told else None
    if error is not None:
        body["error"] = strip(error)
    if isinstance(duration_ms, int):
        body["duration_ms"] = duration_ms
    if action == "edit":
        body |= _edit_facts(lean(given), response)
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


def _output(action: str, response: Any, with_errors: bool) -> str:
    """What the model saw; an edit's own words alone, for its result repeats the change and the whole file."""
    if action == "edit" and isinstance(response, dict):
        return ""
    output = output_text(response)
    stderr = response.get("stderr") if isinstance(response, dict) else None
    return f"{output}\n{stderr}".strip("\n") if with_errors and isinstance(stderr, str) and stderr else output


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


def output_text(response: Any, depth: int = 0) -> str:
    """What the model saw of a result, as text; images and files as what they were."""
    if isinstance(response, str):
        return response
    if isinstance(response, list):
        return "\n".join(part for part in map(_block_text, response) if part)
    if not isinstance(response, dict) or depth > MAX_DEPTH:
        return "" if response is None else str(lean(response))
    file = response.get("file")
    if isinstance(file, dict):
        return (
            output_text(file["content"], depth + 1) if "content" in file else attachment_of(file) or dumps(lean(file))
        )
    for name in OUTPUTS:
        if name in response and response[name] not in (None, ""):
            if name == "stdout" and response.get("isImage") is True:
                return _attachment({"base64": response[name], "type": "image"})
            return output_text(response[name], depth + 1)
    known = any(name in response for name in OUTPUTS)
    return "" if known or not response else dumps(lean(response))


def _block_text(block: Any) -> str:
    """The words of one block of a message or result."""
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return ""
    inner = block.get("resource")
    told = inner if isinstance(inner, dict) else block
    if isinstance(told.get("text"), str):
        return str(told["text"])
    found = attachment_of(told)
    if found is not None:
        return found
    return next((told[name] for name in ("tool_name", "uri") if isinstance(told.get(name), str)), "")


def attachment_of(value: dict[str, Any]) -> str | None:
    """One line for the image or file that a value holds; None when it holds none."""
    source = value.get("source")
    if value.get("type") in ("image", "document") and isinstance(source, dict):
        text = source.get("data") if source.get("type") == "text" else None
        return text if isinstance(text, str) else _attachment(source)
    contents = [name for name in CONTENTS if isinstance(value.get(name), str)]
    is_file = "base64" in contents or any(isinstance(value.get(name), str) for name in MEDIA[:-1])
    return _attachment(value) if contents and is_file else None


def _attachment(source: dict[str, Any]) -> str:
    """An image or file by type, size and digest, or by where it is."""
    from segue.model.attachment import describe

    told = [source[name] for name in MEDIA if isinstance(source.get(name), str)]
    data = next((source[name] for name in CONTENTS if isinstance(source.get(name), str)), None)
    if data is None:
        places = [source[name] for name in ("url", "file_id") if isinstance(source.get(name), str)]
        return f"[attachment {(places + told or ['of unknown kind'])[0]}]"
    return describe(told[0] if told else "file", data)


def lean(value: Any, depth: int = 0) -> Any:
    """A tool's input without the content of images and files, without Segue's blocks, and fit to be written as JSON."""
    if isinstance(value, str):
        return strip(value)
    if isinstance(value, float) and value - value != 0:  # a number beyond what JSON can hold
        return str(value)
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, dict):
        file = attachment_of(value)
        if file is not None:
            return {"attachment": file}
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
