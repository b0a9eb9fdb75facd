"""Owns Gemini CLI's tools: what class of work each is, what names it, what its result says. Pure."""

from __future__ import annotations

from segue.model.event import FAILED, OK, TODO_WRITE, TOOL_CALL, TOOL_RESULT, UNKNOWN, Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ACTIONS = {
    "run_shell_command": "command",
    "replace": "edit", "write_file": "edit", "edit": "edit",
    "read_file": "read", "read_many_files": "read", "list_directory": "read",
    "glob": "search", "search_file_content": "search", "grep_search": "search",
    "web_fetch": "web", "google_web_search": "web",
    "write_todos": "plan",
    "delegate_to_agent": "agent", "codebase_investigator": "agent",
}  # fmt: skip
#: fields of a tool's input that name the work, in order of preference
SUBJECTS = ("command", "file_path", "absolute_path", "path", "dir_path", "pattern", "query", "url", "prompt", "name")
OWN = ("mcp_segue_", "mcp__segue__", "segue__")
CONTEXT_OPEN, CONTEXT_CLOSE = "<untrusted_context>\n", "</untrusted_context>"
EXIT_CODE = "Exit Code: "
#: the other lines that the host writes below a command's output
BELOW_OUTPUT = ("Process Group PGID: ", "Background PIDs: ", "Signal: ", "Error: ")


def is_own(tool: str) -> bool:
    """Whether a tool is Segue's own: such calls are not recorded (I10)."""
    return tool.startswith(OWN)


def action_of(tool: str) -> str:
    """The class of work of a tool."""
    return ACTIONS.get(tool) or ("mcp" if tool.startswith("mcp_") or "__" in tool else "other")


def subject_of(given: Any) -> str | None:
    """The one line that names the work: the command, the path, the query."""
    if not isinstance(given, dict):
        return None
    return next((given[name] for name in SUBJECTS if isinstance(given.get(name), str) and given[name]), None)


def call_draft(tool: str, call_id: str, given: Any, time: str | None) -> Draft:
    """The call of a tool."""
    return Draft(
        type=TOOL_CALL,
        origin="model",
        body={"tool": tool, "call_id": call_id, "input": given},
        key=f"call:{call_id}",
        time=time,
        action=action_of(tool),
        subject=subject_of(given),
    )


def result_draft(tool: str, call_id: str, given: Any, *, output: str, status: str | None, time: str | None) -> Draft:
    """The result of a tool: what the model saw, what it says of success, and what changed."""
    output = unwrapped(output)
    action = action_of(tool)
    body: dict[str, Any] = {"tool": tool, "call_id": call_id, "output": output}
    outcome = _outcome(action, output, status)
    if outcome == FAILED and status == "error":
        body["error"] = output or "failed"
    if action == "edit":
        body |= _edit_facts(given)
    return Draft(
        type=TOOL_RESULT,
        origin="web" if action == "web" else "tool",
        body=body,
        key=f"result:{call_id}",
        time=time,
        action=action,
        outcome=outcome,
        subject=subject_of(given),
    )


def unwrapped(output: str) -> str:
    """The output without the host's mark around what it does not trust."""
    output = output.strip("\n")
    if output.startswith(CONTEXT_OPEN) and output.endswith(CONTEXT_CLOSE):
        return output[len(CONTEXT_OPEN) : -len(CONTEXT_CLOSE)].strip("\n")
    return output


def exit_code(output: str) -> int | None:
    """The exit code among the lines that the host wrote below a command's output; it writes none for success."""
    for line in reversed(output[-2000:].split("\n")):
        if line.startswith(EXIT_CODE):
            code = line.removeprefix(EXIT_CODE).strip()
            return int(code) if code.isascii() and code.removeprefix("-").isdigit() else None
        if not line.startswith(BELOW_OUTPUT):
            return None
    return None


def _outcome(action: str, output: str, status: str | None) -> str:
    """What the host said of success. A command counts as successful only if the host gave its exit code."""
    if status == "error":
        return FAILED
    if action == "command":
        code = exit_code(output)
        return UNKNOWN if code is None else OK if code == 0 else FAILED
    return OK if action in ("edit", "read") and status == "success" else UNKNOWN


def _edit_facts(given: Any) -> dict[str, Any]:
    """Which file changed and how."""
    told = given if isinstance(given, dict) else {}
    path, old, new = told.get("file_path"), told.get("old_string"), told.get("new_string", told.get("content"))
    change = {"old": old if isinstance(old, str) else "", "new": new if isinstance(new, str) else ""}
    return {"files": [path] if isinstance(path, str) and path else [], "change": change}


def todo_draft(tool: str, call_id: str, given: Any, time: str | None) -> Draft | None:
    """The to-do list that a call wrote, if it wrote one."""
    todos = given.get("todos") if tool == "write_todos" and isinstance(given, dict) else None
    if not isinstance(todos, list):
        return None
    told = [
        {"content": str(todo.get("description", "")), "status": str(todo.get("status", "pending"))}
        for todo in todos
        if isinstance(todo, dict)
    ]
    return Draft(type=TODO_WRITE, origin="model", body={"todos": told}, key=f"todo:{call_id}", time=time)
