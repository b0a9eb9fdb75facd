"""Owns setting up and taking back: launcher, hosts' files, first import, first brief. Never parses a host's file."""

from __future__ import annotations

import hashlib
import json
import os
import shutil

from segue.ctx import open_context
from segue.errors import FileUnwritable, HostFileUnusable, UndoUnreadable, UsageError
from segue.hosts.claude_code import install as claude
from segue.hosts.claude_code.hooks import NAME as CLAUDE
from segue.hosts.registry import HOSTS, host_of
from segue.model.install import FileChange, Undo, restored, undo_of
from segue.model.operation import FLAG, Operation, Param
from segue.operations import brief, imports
from segue.system import files, launcher
from segue.upkeep import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.ctx import Place

#: what was changed outside of Segue's folder, in Segue's folder
UNDO_FILE = "installed.json"
#: how often a change is planned anew because the host wrote its file meanwhile
ATTEMPTS = 5
#: whether sessions are recorded, where the settings cannot be used
UNKNOWN = "unknown"


def run_up(place: Place, request: dict[str, Any]) -> dict[str, Any]:
    """Install the launcher, hooks and MCP entry, import what is there, show the first brief; or only say so."""
    looked = _looked_for(place)
    found = _has_claude(place)
    via_mcp = found and _via_mcp(place, request)
    changes = _planned(place, via_mcp=via_mcp) if found else []
    sources = imports.find(HOSTS, place.folders, ())
    answer: dict[str, Any] = {
        "dry_run": bool(request.get("dry_run")),
        "looked_for": looked,
        "hosts": ["claude-code"] if found else [],
        "transcripts": _counted(sources),
        "launcher": launcher.launcher_path(place.data_dir, place.platform),
        "changes": [
            {"path": change.path, "new": change.before is None, "what": list(change.summary)} for change in changes
        ],
        "problems": [*(_problems(place) if found else []), *([place.problem] if place.problem else [])],
        "capture": UNKNOWN if place.problem else place.settings.capture,
        **_calling(place),
    }
    if request.get("dry_run") or not (found or sources):
        return answer
    if found:
        _read_undos(place)  # where it cannot be read, nothing could be taken back: before anything is written
        answer["problems"] += _write_launcher(place)
        _apply(place, changes, via_mcp=via_mcp)
    if place.problem:  # another store may be meant, or none
        return answer
    context = open_context(place)
    try:
        if not request.get("no_import"):
            answer["import"] = imports.run_import(context, {})
        answer["brief"] = brief.run_brief(context, {})
    finally:
        context.store.close()
    return answer


def _via_mcp(place: Place, request: dict[str, Any]) -> bool:
    """Whether hooks are to go through the MCP server: as asked, else as they go now."""
    if request.get("via_mcp") and request.get("via_commands"):
        raise UsageError("--via-mcp and --via-commands exclude each other")
    if request.get("via_commands"):
        return False
    return bool(request.get("via_mcp")) or claude.goes_via_mcp(_where(place), _current(place))


def _has_claude(place: Place) -> bool:
    """Whether Claude Code is used here: its folder is there, or its program can be called."""
    folder = place.folders.get(CLAUDE)
    return folder is not None and (
        os.path.isdir(folder) or shutil.which("claude", path=place.env.get("PATH")) is not None
    )


def _looked_for(place: Place) -> list[str]:
    folders = {host.name: place.folders.get(host.name, "(no home)") for host in HOSTS}
    return [
        f"Claude Code: the folder {folders['claude-code']}, or `claude` on the PATH",
        f"transcripts of Claude Code in {folders['claude-code']}/projects",
        f"transcripts of Codex in {folders['codex']}/sessions",
        f"transcripts of OpenCode in {folders['opencode']}",
        f"transcripts of Gemini CLI in {folders['gemini']}/tmp",
    ]


def _calling(place: Place) -> dict[str, Any]:
    """How to call Segue where its command is not on the PATH."""
    folder, path = os.path.dirname(place.python), place.env.get("PATH", "")
    command = os.path.join(folder, "segue")
    if shutil.which("segue", path=path) or not os.path.exists(command):
        return {"call_as": None, "path_line": None}
    return {"call_as": command, "path_line": f'export PATH="{folder}:$PATH"'}


def _called(data: dict[str, Any]) -> list[str]:
    if not data["call_as"]:
        return []
    return [
        f"`segue` is not on your PATH: call {data['call_as']}, or put this into your shell's profile:",
        f"  {data['path_line']}",
    ]


def _counted(sources: list[Any]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for host, _ in sources:
        counts[host.name] = counts.get(host.name, 0) + 1
    return counts


def _current(place: Place) -> dict[str, bytes | None]:
    return {path: files.read_bytes_or_none(path) for path in _where(place)}


def _where(place: Place) -> tuple[str, str]:
    return claude.paths(place.home or "", host_of(CLAUDE).chosen(place.env, place.cwd))


def _problems(place: Place) -> list[str]:
    return claude.problems(_where(place), _current(place))


def _planned(place: Place, *, via_mcp: bool) -> list[FileChange]:
    run = launcher.launcher_path(place.data_dir, place.platform)
    return claude.plan(
        _where(place),
        _current(place),
        command=lambda event: launcher.hook_command(run, "claude-code", event, place.platform),
        server=launcher.mcp_command(run, place.platform),
        is_ours=launcher.is_ours,
        via_mcp=via_mcp,
    )


def _write_launcher(place: Place) -> list[str]:
    """Write the launcher and the patterns beside it; what kept those, which nothing needs, from being written."""
    files.ensure_private_dir(place.data_dir)
    for path, (data, mode) in launcher.files(
        place.data_dir, place.python, place.package_parent, place.platform
    ).items():
        files.write_atomic(path, data, mode)
    try:
        patterns.write(place.patterns_path)
    except FileUnwritable as error:
        return [f"{error.detail}: hooks are slower until that is mended and `segue up` run again"]
    return []


def _apply(place: Place, changes: list[FileChange], *, via_mcp: bool) -> None:
    """Write each file, after noting how to take it back, so that a kill leaves nothing that `down` misses.

    A host may write its file meanwhile: then the change is planned anew on what it wrote.
    """
    for _ in range(ATTEMPTS):
        written = [_apply_one(place, change) for change in changes]
        if all(written):
            return
        changes = _planned(place, via_mcp=via_mcp)
    raise FileUnwritable(changes[0].path, hint="Its host keeps writing it: end the host's sessions, then try again.")


def _apply_one(place: Place, change: FileChange) -> bool:
    undos = _read_undos(place)
    earlier = undos.get(change.path)
    first = change
    if earlier is not None and change.before is not None:
        made = tuple(dict.fromkeys((*earlier.made_keys, *change.made_keys)))
        first = change.replace(before=_without_segue(earlier, change.before), made_keys=made)
    undos[change.path] = undo_of(first, _digest(change.after))
    _write_undos(place, undos)
    return files.replace_same(change.path, change.before, change.after)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _without_segue(undo: Undo, current: bytes) -> bytes | None:
    """A host's file as it would be without Segue."""
    if _digest(current) == undo.after_digest:
        return restored(undo, current)
    return claude.unplan(undo, current, launcher.is_ours)


def _read_undos(place: Place) -> dict[str, Undo]:
    data = files.read_bytes_or_none(os.path.join(place.data_dir, UNDO_FILE))
    try:
        rows = json.loads(data) if data else []
        undos = [Undo(**{**row, "made_keys": tuple(row["made_keys"])}) for row in rows]
        if not all(isinstance(undo.path, str) and isinstance(undo.replaced, str) for undo in undos):
            raise TypeError
    except (ValueError, TypeError, KeyError) as error:
        raise UndoUnreadable(os.path.join(place.data_dir, UNDO_FILE)) from error
    return {undo.path: undo for undo in undos}


def _found_undos(place: Place) -> dict[str, Undo]:
    """How to take back what no record tells of: Segue's entries in the hosts' files, and nothing else."""
    current = _current(place)
    try:
        events, is_entered = claude.installed(_where(place), current, launcher.is_ours)
    except HostFileUnusable:  # which one, taking it back tells
        events, is_entered = ["?"], True
    chosen = [path for path, is_there in zip(_where(place), (bool(events), is_entered), strict=True) if is_there]
    return {
        path: Undo(path=path, existed=True, after_digest="", start=0, end=0, replaced="")
        for path in chosen
        if current.get(path) is not None
    }


def _write_undos(place: Place, undos: dict[str, Undo]) -> None:
    path = os.path.join(place.data_dir, UNDO_FILE)
    if not undos:
        files.remove(path)
        return
    files.ensure_private_dir(place.data_dir)
    files.write_atomic(path, json.dumps([undo.as_dict() for undo in undos.values()], indent=1).encode())


def text_up(data: dict[str, Any]) -> str:
    """What was found, what changed, what was imported, and the first brief."""
    if not data["hosts"] and not data["transcripts"]:
        lines = ["Nothing to set up: no host and no transcript was found. Looked for:"]
        lines += [f"  {line}" for line in data["looked_for"]]
        return "\n".join([*lines, "To see what Segue does on recorded sessions: segue demo", *_called(data)])
    would = "would change" if data["dry_run"] else "changed"
    lines = [f"{would} {change['path']}: {', '.join(change['what'])}" for change in data["changes"]]
    if data["hosts"] and not data["changes"]:
        lines.append("Claude Code calls Segue already; nothing to change")
    lines += [f"warning: {problem}" for problem in data["problems"]]
    found = ", ".join(f"{count} of {name}" for name, count in data["transcripts"].items()) or "none"
    lines.append(f"transcripts found: {found}")
    if data["dry_run"]:
        return "\n".join([*lines, "Nothing was changed (--dry-run)."])
    if "import" in data and data["import"]["hosts"]:
        lines.append(imports.text_import(data["import"]))
    if "brief" in data and data["brief"]["text"]:
        lines += ["", "The next session here starts with:", "", data["brief"]["text"]]
    if data["hosts"]:
        recorded = "From now on every session is recorded."
        if data["capture"] == UNKNOWN:
            recorded = "No session is recorded and nothing was imported, until the settings can be used: segue config"
        elif data["capture"] != "on":
            recorded = "No session is recorded, because capture is off: segue config capture on"
        lines += ["", f"{recorded} Look: segue status. Take back: segue down", *_called(data)]
    return "\n".join(lines)


def run_down(place: Place, request: dict[str, Any]) -> dict[str, Any]:
    """Take back every change outside of Segue's folder; the store stays unless it is asked for."""
    undos = _read_undos(place) or _found_undos(place)
    done = [_take_back(undo, dry_run=bool(request.get("dry_run"))) for undo in undos.values()]
    answer = {"dry_run": bool(request.get("dry_run")), "files": done, "kept": place.data_dir, "problems": []}
    if not request.get("dry_run"):
        answer["problems"] = _remove_launcher(place)
        kept = {row["path"] for row in done if row.get("kept")}
        _write_undos(place, {path: undo for path, undo in undos.items() if path in kept})
    return answer


def _remove_launcher(place: Place) -> list[str]:
    """Remove the launcher and what lies beside it; what could not be removed, because it is no file of Segue's."""
    problems = []
    own = launcher.files(place.data_dir, place.python, place.package_parent, place.platform)
    for path in (*own, place.patterns_path):
        try:
            files.remove(path)
        except FileUnwritable as error:
            problems.append(f"left as it is: {error.detail}")
    files.remove_empty_dir(os.path.join(place.data_dir, "bin"))
    return problems


def _take_back(undo: Undo, *, dry_run: bool) -> dict[str, Any]:
    """Take a file back, or only say what would become of it."""
    done = "would be " if dry_run else ""
    try:
        current = files.read_bytes_or_none(undo.path)
        if current is None:
            return {"path": undo.path, "how": "gone already"}
        before = _without_segue(undo, current)
        if dry_run:
            pass
        elif before is None:
            files.remove(undo.path)
        else:
            files.write_atomic(undo.path, before)
    except (HostFileUnusable, FileUnwritable) as error:
        return {"path": undo.path, "how": f"{done}left as it is: {error}", "kept": True}
    exact = _digest(current) == undo.after_digest
    if before is None:
        taken = f"{done}removed, because `segue up` made it"
    elif exact:
        taken = f"{done}restored, byte for byte"
    else:
        taken = f"changed by others since: only Segue's entries {done}taken out"
    return {"path": undo.path, "how": taken}


def text_down(data: dict[str, Any]) -> str:
    """Each file and how it was taken back."""
    warnings = [f"warning: {problem}" for problem in data["problems"]]
    if not data["files"]:
        return "\n".join([*warnings, "Segue is not installed in any host; nothing to take back."])
    lines = [*(f"{row['path']}: {row['how']}" for row in data["files"]), *warnings]
    if data["dry_run"]:
        return "\n".join([*lines, "Nothing was changed (--dry-run)."])
    if any(row.get("kept") for row in data["files"]):
        return "\n".join([*lines, f"What was left may still call Segue. What was recorded stays in {data['kept']}"])
    return "\n".join([*lines, f"Hosts no longer call Segue. What was recorded stays in {data['kept']}"])


UP = Operation(
    name="up",
    help="find hosts, install hooks and MCP entry, import what is there, show the first brief",
    example="segue up --dry-run",
    params=(
        Param(name="dry_run", kind=FLAG, help="only say what would be changed"),
        Param(name="via_mcp", kind=FLAG, help="prompt, tool and stop hooks through the running MCP server"),
        Param(name="via_commands", kind=FLAG, help="all hooks as commands again, after --via-mcp"),
        Param(name="no_import", kind=FLAG, help="do not import existing transcripts"),
    ),
    run=run_up,
    text=text_up,
    needs_store=False,
    failed=lambda data: data["capture"] == UNKNOWN and bool(data["hosts"] or data["transcripts"]),
)
DOWN = Operation(
    name="down",
    help="take back every change that `up` made; what was recorded stays",
    example="segue down --dry-run",
    params=(Param(name="dry_run", kind=FLAG, help="only say what would be changed"),),
    run=run_down,
    text=text_down,
    needs_store=False,
    failed=lambda data: bool(data["problems"]) or any(row.get("kept") for row in data["files"]),
)
