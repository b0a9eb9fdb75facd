"""Owns OpenCode's tools: what class of work each is, what names it, what its state says of success. Pure."""

from __future__ import annotations

from segue.model.event import FAILED, OK, TOOL_CALL, TOOL_RESULT, UNKNOWN, Draft
from segue.model.frame import strip
from segue.model.instant import from_epoch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ACTIONS = {
    "bash": "command", "shell": "command",
    "edit": "edit", "multiedit": "edit", "write": "edit", "patch": "edit", "apply_patch": "edit",
    "read": "read", "list": "read",
    "grep": "search", "glob": "search", "lsp": "search", "codesearch": "search",
    "webfetch": "web", "websearch": "web",
    "task": "agent",
    "todowrite": "plan", "todoread": "plan", "plan_enter": "plan", "plan_exit": "plan",
    "question": "other", "skill": "other", "invalid": "other",
}  # fmt: skip
#: fields of a tool's input that name the work, in order of preference
SUBJECTS = ("command", "filePath", "path", "pattern", "query", "url", "description", "prompt", "name")
OWN_SERVER = "segue"
PATCH_FILES = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")


def is_own(tool: str) -> bool:
    """Whether a tool is Segue's own: such calls are not recorded (I10)."""
    return tool.startswith(f"{OWN_SERVER}_")


def action_of(tool: str) -> str:
    """The class of work of a tool. Those of MCP servers are called SERVER_TOOL, with nothing else to tell them by."""
    return ACTIONS.get(tool) or ("mcp" if "_" in tool else "other")


def tool_drafts(data: dict[str, Any], part_id: str, time: str | None) -> tuple[Draft, ...]:
    """What a tool part tells: its call once the input is there, its result once it ended."""
    state = data.get("state")
    state = state if isinstance(state, dict) else {}
    tool = str(data.get("tool") or "unknown")
    call_id = data.get("callID") if isinstance(data.get("callID"), str) else None
    given = state.get("input")
    given = given if isinstance(given, dict) else {}
    status = state.get("status")
    if status == "pending" and not given:  # the model is still writing it
        return ()
    action = action_of(tool)
    subject = _subject(given, action)
    call = Draft(
        type=TOOL_CALL,
        origin="model",
        body={"tool": tool, "call_id": call_id, "input": given},
        key=f"call:{call_id or part_id}",
        time=_instant(state, "start") or time,
        action=action,
        subject=subject,
    )
    if status not in ("completed", "error"):
        return (call,)
    result = Draft(
        type=TOOL_RESULT,
        origin="web" if action == "web" else "tool",
        body={"tool": tool, "call_id": call_id, **_result_facts(state, given, action)},
        key=f"result:{call_id or part_id}",
        time=_instant(state, "end") or time,
        action=action,
        outcome=_outcome(state, action),
        subject=subject,
    )
    return call, result


def _outcome(state: dict[str, Any], action: str) -> str:
    if state.get("status") == "error":
        return FAILED
    metadata = state.get("metadata")
    code = metadata.get("exit") if isinstance(metadata, dict) else None
    if isinstance(code, int):
        return OK if code == 0 else FAILED
    return OK if action in ("edit", "read") else UNKNOWN


def _result_facts(state: dict[str, Any], given: dict[str, Any], action: str) -> dict[str, Any]:
    output, error = state.get("output"), state.get("error")
    facts: dict[str, Any] = {"output": strip(output) if isinstance(output, str) else ""}
    if state.get("status") == "error":
        facts["error"] = strip(error) if isinstance(error, str) and error else "failed"
    times = state.get("time")
    if isinstance(times, dict) and _is_number(times.get("start")) and _is_number(times.get("end")):
        facts["duration_ms"] = int(times["end"] - times["start"])
    return facts | (_edit_facts(given) if action == "edit" else {})


def _edit_facts(given: dict[str, Any]) -> dict[str, Any]:
    """Which files changed and how."""
    patch = given.get("patchText")
    if isinstance(patch, str):
        return {"files": _patched(patch), "change": _first_change(patch)}
    edits = given.get("edits")
    told = edits[0] if isinstance(edits, list) and edits and isinstance(edits[0], dict) else given
    old, new = told.get("oldString"), told.get("newString", told.get("content"))
    path = given.get("filePath")
    return {
        "files": [path] if isinstance(path, str) and path else [],
        "change": {"old": old if isinstance(old, str) else "", "new": new if isinstance(new, str) else ""},
    }


def _patched(patch: str) -> list[str]:
    """The files of a patch, each once."""
    found = (line[len(m) :].strip() for line in patch.split("\n") for m in PATCH_FILES if line.startswith(m))
    return list(dict.fromkeys(path for path in found if path))


def _first_change(patch: str) -> dict[str, str]:
    """The first run of removed and added lines."""
    run: list[str] = []
    for line in patch.split("\n"):
        if line.startswith(("-", "+")):
            run.append(line)
        elif run:
            break
    return {
        "old": "\n".join(line[1:] for line in run if line[0] == "-"),
        "new": "\n".join(line[1:] for line in run if line[0] == "+"),
    }


def _subject(given: dict[str, Any], action: str) -> str | None:
    if action == "edit" and isinstance(given.get("patchText"), str):
        return next(iter(_patched(given["patchText"])), None)
    return next((given[name] for name in SUBJECTS if isinstance(given.get(name), str) and given[name]), None)


def _instant(state: dict[str, Any], name: str) -> str | None:
    times = state.get("time")
    return millis(times.get(name)) if isinstance(times, dict) else None


def millis(value: object) -> str | None:
    """The instant of a number of milliseconds after 1970."""
    return from_epoch(value / 1000) if isinstance(value, (int, float)) and _is_number(value) else None


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e15
