"""Owns whole logs as files: export to a folder that a person can read, and taking one in. Never cuts a log."""

from __future__ import annotations

import os

from segue.model.operation import FLAG, TEXT, TEXTS, Operation, Param
from segue.operations.render import counted
from segue.sessionlog import copying, read, spool
from segue.sessionlog.capture import clean_project
from segue.sessionlog.homes import folders
from segue.sessionlog.homes.files import FileHome
from segue.sessionlog.homes.store import StoreHome
from segue.stores import projects, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from segue.ctx import Context
    from segue.model.scope import Project
    from segue.model.session import Session
    from segue.sessionlog.copying import Copied


def run_export(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Write this project's logs, or all of this person's, into a folder; again adds only what is new."""
    spool.catch_up(ctx)
    wide = bool(request.get("all"))
    scope = ctx.scope(wide=wide)
    named = request.get("sessions")
    wanted = [read.session(ctx, scope, name) for name in named] if named else sessions.each(ctx.store, scope)
    known = {project.project_id: project for project in projects.of_principal(ctx.store, scope)} if wide else {}
    known.setdefault(ctx.project.project_id, clean_project(ctx.project))
    folder = os.path.abspath(request["folder"])
    return _told(folder, _exported(ctx, folder, known, wanted))


def _exported(ctx: Context, folder: str, known: dict[str, Project], wanted: Any) -> Iterator[Copied]:
    for number, session in enumerate(wanted):
        project = known[session.project_id]
        source = StoreHome(ctx.replace(project=project))
        yield copying.copy(source, FileHome(folder, project), session, session)
        ctx.report("exporting", number + 1, 0)


def is_home(path: str) -> bool:
    """Whether a folder is one that an export filled."""
    return os.path.isdir(path) and folders.is_home(path)


def take_in(ctx: Context, folder: str, *, everything: bool) -> dict[str, Any]:
    """Take the logs of a folder into the store, owned by who asks. Only `everything` takes other projects' logs."""
    home = FileHome(folder)
    left_out = 0
    results = []
    for number, session in enumerate(home.sessions()):
        project = home.project(session.session_id)
        if project is None or project.project_id == ctx.project.project_id:
            project = ctx.project
        elif not everything and session.status == "ok":
            left_out += 1
            continue
        results.append(
            copying.copy(
                home, StoreHome(ctx.replace(project=project)), session, _own(ctx, session, project, everything)
            )
        )
        ctx.report("importing", number + 1, 0)
    return {**_told(os.path.abspath(folder), results), "left_out": left_out}


def _own(ctx: Context, session: Session, project: Project, everything: bool) -> Session:
    """The header as this door keeps it: the owner is who asks; how visible it is, its file tells a person alone."""
    is_fork = session.parent_id is not None and (session.seed_length or 0) <= session.next_seq
    return session.replace(
        seed_length=session.seed_length if is_fork else None,
        project_id=project.project_id,
        principal_id=ctx.principal_id,
        visibility=session.visibility if everything else ctx.settings.visibility,
    )


def _told(folder: str, results: Any) -> dict[str, Any]:
    data: dict[str, Any] = {"folder": folder, "sessions": 0, "added": 0, "known": 0, "forgotten": [], "skipped": []}
    for copied in results:
        data["sessions"] += 1
        data["added"] += copied.added
        data["known"] += copied.known
        if copied.forgotten:
            data["forgotten"].append({"session": copied.session_id, "events": copied.forgotten})
        if copied.problem is not None:
            data["skipped"].append({"session": copied.session_id, "problem": copied.problem})
    return data


def text_taken(data: dict[str, Any]) -> str:
    """How much there was, how much is new, and what was skipped and why."""
    lines = [
        f"{data['folder']}: {counted(data['sessions'], 'session')}, {counted(data['added'], 'new event')},"
        f" {data['known']} known before"
    ]
    lines += [f"  skipped, {row['session']}: {row['problem']}" for row in data["skipped"]]
    lines += [
        f"  {row['session']}: the text of {counted(row['events'], 'event')} was deleted since, and is still there"
        for row in data["forgotten"]
    ]
    if data.get("left_out"):
        lines.append(f"  left out: {counted(data['left_out'], 'session')} of other projects; --all takes them")
    return "\n".join(lines)


EXPORT = Operation(
    name="export",
    help="write whole logs into a folder, as files that a person can read and `segue import` takes in again",
    example="segue export ~/logs",
    params=(
        Param(
            name="folder",
            kind=TEXT,
            help="where to; what is there already is gone on with",
            required=True,
            positional=True,
        ),
        Param(name="sessions", kind=TEXTS, help="which; by default all of this project", positional=True),
        Param(name="all", kind=FLAG, help="all sessions of yours, of every project", person_only=True),
    ),
    run=run_export,
    text=text_taken,
    failed=lambda data: bool(data["skipped"]),
)
