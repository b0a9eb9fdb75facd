"""Owns Codex's tools: what class of work each is, what names it, what its output says of success. Pure."""

from __future__ import annotations

from segue.hosts.lines import record, whole_characters
from segue.model.attachment import describe
from segue.model.event import FAILED, OK, TODO_WRITE, TOOL_CALL, TOOL_RESULT, UNKNOWN, Draft
from segue.model.frame import strip
from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ACTIONS = {
    "exec_command": "command", "write_stdin": "command", "shell": "command", "shell_command": "command",
    "local_shell": "command", "container.exec": "command", "unified_exec": "command",
    "apply_patch": "edit",
    "read_file": "read", "view_image": "read", "read_mcp_resource": "read",
    "tool_search": "search", "grep_files": "search", "list_dir": "search",
    "web_search": "web", "web_fetch": "web",
    "update_plan": "plan",
    "spawn_agent": "agent", "send_input": "agent", "wait_agent": "agent", "close_agent": "agent",
    "resume_agent": "agent",
}  # fmt: skip
#: fields of a tool's input that name the work, in order of preference
SUBJECTS = ("cmd", "command", "path", "file_path", "pattern", "query", "url", "message", "prompt")
OWN_SERVER = "segue"
PATCH_FILES = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")
#: how the lines begin that Codex puts before a tool's own output
PREAMBLE = (
    "Chunk ID:",
    "Wall time:",
    "Exit code:",
    "Process ",
    "Original token count:",
    "Total output lines:",
    "Output:",
)


class Call(Record):
    """A tool's call as its result needs it."""

    tool: str
    call_id: str | None
    given: dict[str, Any]
    action: str
    subject: str | None
    facts: dict[str, Any]
    own: bool


def call_of(payload: dict[str, Any]) -> Call:
    """The call that a response item holds, whatever kind of tool it is."""
    kind = payload.get("type")
    given = _given(payload)
    tool = _text(payload.get("name")) or str(kind).removesuffix("_call")
    namespace = _text(payload.get("namespace"))
    if namespace and not tool.startswith(namespace):
        tool = f"{namespace}__{tool}"
    command = command_of(given)
    patch = given.get("input") if tool == "apply_patch" else command
    facts: dict[str, Any] = {}
    if isinstance(patch, str) and "*** Begin Patch" in patch and (tool == "apply_patch" or _is_patch(patch)):
        facts = patch_facts(patch)
    action = "edit" if facts else ACTIONS.get(tool) or ("mcp" if tool.startswith("mcp__") else "other")
    subject = next(iter(facts["files"]), None) if facts else command or _subject(given)
    return Call(
        tool=tool,
        call_id=_text(payload.get("call_id")) or _text(payload.get("id")),
        given=given,
        action=action,
        subject=subject,
        facts=facts,
        own=is_own(tool),
    )


def is_own(tool: str) -> bool:
    """Whether a tool is Segue's own, also inside a plugin: such calls are not recorded (I10)."""
    if not tool.startswith("mcp__"):
        return False
    server = tool[5:].rpartition("__")[0] or tool[5:]
    return server == OWN_SERVER or server.endswith(("_" + OWN_SERVER,))


def _given(payload: dict[str, Any]) -> dict[str, Any]:
    """The input of a call, always by name."""
    told = payload.get("arguments", payload.get("input", payload.get("action")))
    if isinstance(told, str):
        if payload.get("type") == "custom_tool_call":
            return {"input": told}
        named = record(whole_characters(told))
        return {"arguments": told} if named is None else named
    if isinstance(told, dict):
        return told
    return {} if told is None else {"arguments": told}


def command_of(given: dict[str, Any]) -> str | None:
    """The command line of a shell call: told as text, or as the words of `bash -lc TEXT`."""
    told = given.get("cmd", given.get("command"))
    if isinstance(told, str):
        return told or None
    if not isinstance(told, list) or not told:
        return None
    words = [word for word in told if isinstance(word, str)]
    if len(words) == 3 and words[1] in ("-lc", "-c"):
        return words[2]
    return " ".join(words)


def _is_patch(command: str) -> bool:
    return command.lstrip().startswith("apply_patch")


def _subject(given: dict[str, Any]) -> str | None:
    return next((given[name] for name in SUBJECTS if isinstance(given.get(name), str) and given[name]), None)


def patch_facts(patch: str) -> dict[str, Any]:
    """Which files a patch touches, and its first run of removed and added lines."""
    files: list[str] = []
    old: list[str] = []
    new: list[str] = []
    done = False
    for line in patch.split("\n"):
        mark = next((m for m in PATCH_FILES if line.startswith(m)), None)
        if mark is not None:
            path = line[len(mark) :].strip()
            files += [path] if path and path not in files else []
        if line.startswith(("-", "+")) and not done:
            (old if line[0] == "-" else new).append(line[1:])
        elif old or new:
            done = True
    return {"files": files, "change": {"old": "\n".join(old), "new": "\n".join(new)}}


def call_draft(call: Call, key: str, time: str | None) -> Draft:
    """The call of a tool."""
    return Draft(
        type=TOOL_CALL,
        origin="model",
        body={"tool": call.tool, "call_id": call.call_id, "input": call.given},
        key=f"call:{key}",
        time=time,
        action=call.action,
        subject=call.subject,
    )


def todo_draft(call: Call, key: str, time: str | None) -> Draft | None:
    """The to-do list that a call wrote, if it wrote one."""
    plan = call.given.get("plan")
    if call.tool != "update_plan" or not isinstance(plan, list):
        return None
    todos = [
        {"content": str(step.get("step", "")), "status": str(step.get("status", "pending"))}
        for step in plan
        if isinstance(step, dict)
    ]
    return Draft(type=TODO_WRITE, origin="model", body={"todos": todos}, key=f"todo:{key}", time=time)


def result_draft(call: Call, payload: dict[str, Any], key: str, time: str | None) -> Draft:
    """The result of a tool: what the model saw, what it says of success, and what changed."""
    output, outcome = _output(payload)
    if call.action == "edit" and output.startswith("apply_patch verification failed"):
        outcome = FAILED
    return Draft(
        type=TOOL_RESULT,
        origin="web" if call.action == "web" else "tool",
        body={"tool": call.tool, "call_id": call.call_id, "output": strip(output), **call.facts},
        key=f"result:{key}",
        time=time,
        action=call.action,
        outcome=outcome,
        subject=call.subject,
    )


def _output(payload: dict[str, Any]) -> tuple[str, str]:
    """The tool's own output and its outcome. Older releases tell both as JSON text, newer ones as lines before it."""
    told = payload.get("output", payload.get("tools"))
    success = None
    if isinstance(told, str) and told.startswith('{"'):
        told = _unpacked(told)
    if isinstance(told, dict):
        success = told.get("success")
        code = _code(told.get("metadata"))
        told = told.get("output", told.get("content", ""))
        if code is not None:
            return content_text(told), OK if code == 0 else FAILED
    output, code = _after_preamble(content_text(told))
    if code is not None:
        return output, OK if code == 0 else FAILED
    return output, FAILED if success is False else UNKNOWN


def _unpacked(text: str) -> Any:
    told = record(whole_characters(text))
    return told if told is not None and "output" in told and "metadata" in told else text


def _code(metadata: Any) -> int | None:
    code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    return code if isinstance(code, int) else None


def _after_preamble(text: str) -> tuple[str, int | None]:
    """The text after `Output:`, and the exit code told before it."""
    at = 0
    code = None
    while at < len(text):
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else len(text)]
        if not line.startswith(PREAMBLE):
            return text, code
        for mark in ("Process exited with code ", "Exit code: "):
            if line.startswith(mark):
                code = _number(line[len(mark) :])
        at = end + 1 if end >= 0 else len(text)
        if line.rstrip() == "Output:":
            return text[at:], code
    return text, code


def _number(text: str) -> int | None:
    digits = text.strip()
    return int(digits) if digits.removeprefix("-").isascii() and digits.removeprefix("-").isdigit() else None


def content_text(content: Any) -> str:
    """The text of a message's or an output's content; images as what they were."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(text for text in map(item_text, content) if text)


def item_text(item: Any) -> str:
    """The text of one item of a content list."""
    if isinstance(item, str):
        return item
    if not isinstance(item, dict):
        return ""
    for name in ("text", "name"):
        if isinstance(item.get(name), str):
            return str(item[name])
    url = item.get("image_url")
    if isinstance(url, str) and url.startswith("data:"):
        kind, _, data = url[5:].partition(",")
        return describe(kind.partition(";")[0] or "image", data)
    return f"[attachment {url}]" if isinstance(url, str) else ""


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
