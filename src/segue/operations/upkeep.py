"""Owns the operations that keep the store: status, verify, derive, rebuild. Never touches a host."""

from __future__ import annotations

import os

from segue.audit.record import check
from segue.errors import UsageError
from segue.model.operation import NUMBER, TEXT, Operation, Param
from segue.operations.render import counted, stamp, table
from segue.operations.retention import daily
from segue.projectors import index
from segue.projectors.derive import derive, rebuild
from segue.projectors.erase import finish
from segue.sessionlog import spool
from segue.sessionlog.verify import verify, verify_files
from segue.stores import docs, erase, events, injections, sessions, tombstones
from segue.upkeep import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.ctx import Context


def run_status(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """What is recorded here and elsewhere, when each host's newest event was, and what is pending."""
    spool.catch_up(ctx)
    here, everywhere = ctx.scope(), ctx.scope(wide=True)
    latest = injections.latest(ctx.store, here)
    return {
        "project": {"name": ctx.project.name, "kind": ctx.project.kind, "id": ctx.project.project_id},
        "here": _activity(ctx, here) if here.project_id else [],
        "everywhere": _activity(ctx, everywhere),
        "events": events.counts_by_type(ctx.store, here) if here.project_id else {},
        "store": {"engine": ctx.store.name, "bytes": ctx.store.size_bytes()},
        "pending": {
            "index": docs.behind(ctx.store, ctx.tenant),
            "spool": len(spool.waiting(ctx.spool_dir)),
            "scrub": erase.pending(ctx.store) is not None,
        },
        "deleted": {
            "here": tombstones.count(ctx.store, here) if here.project_id else 0,
            "everywhere": tombstones.count(ctx.store, everywhere),
        },
        "last_brief": latest[0].created_at if latest else None,
    }


def _activity(ctx: Context, scope: Any) -> list[dict[str, Any]]:
    return [
        {"host": host, "sessions": count, "events": total, "last": last}
        for host, count, total, last in sessions.activity(ctx.store, scope)
    ]


def text_status(data: dict[str, Any]) -> str:
    """A few short tables."""
    project = data["project"]
    lines = [f"project {project['name']} ({project['kind']})"]
    rows = [("host", "sessions", "events", "newest event")]
    rows += [(r["host"], str(r["sessions"]), str(r["events"]), stamp(r["last"])) for r in data["here"]]
    lines.append(table(rows, "  ") if data["here"] else "  nothing recorded here yet")
    total = sum(row["sessions"] for row in data["everywhere"])
    events_ = sum(row["events"] for row in data["everywhere"])
    lines.append(f"all projects: {counted(total, 'session')}, {counted(events_, 'event')}")
    store = data["store"]
    lines.append(f"store: {store['engine']}, {store['bytes'] / 1e6:.1f} MB")
    if data["deleted"]["everywhere"]:
        lines.append(f"deleted: {counted(data['deleted']['everywhere'], 'session')}; they do not come back")
    pending = data["pending"]
    lines.append(f"pending: {pending['index']} events to index, {pending['spool']} batches in the spool")
    lines += ["Some bytes of what was deleted are left; segue derive removes them."] if pending["scrub"] else []
    lines.append(f"last brief here: {stamp(data['last_brief']) if data['last_brief'] else 'none'}")
    return "\n".join(lines)


def run_verify(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Check every log against its chain, and the index against the log; or the logs in a folder against theirs."""
    if request.get("folder") is not None:
        return _verify_files(request["folder"])
    verified = verify(ctx, lambda at, total: ctx.report("verifying", at, total))
    unindexed = index.missing(ctx, lambda at, total: ctx.report("comparing the index", at, total))
    engine = ctx.store.check()
    audited = check(ctx)
    return {
        "sessions": verified.sessions,
        "events": verified.events,
        "deleted": verified.deleted,
        "broken": [finding.as_dict() for finding in verified.findings],
        "index": {
            "documents": docs.count(ctx.store, ctx.tenant),
            "behind": docs.behind(ctx.store, ctx.tenant),
            "wrong": unindexed,
        },
        "engine": engine,
        "audit": None if audited is None else audited.as_dict(),
        "ok": not (verified.findings or unindexed or engine or audited),
    }


def _verify_files(folder: str) -> dict[str, Any]:
    if not os.path.isdir(folder):
        raise UsageError(f"{folder} is no folder")
    verified = verify_files(folder)
    broken = [finding.as_dict() for finding in verified.findings]
    counts = {name: value for name, value in verified.as_dict().items() if name != "findings"}
    return {"folder": folder, **counts, "broken": broken, "ok": not broken}


def _text_verify_files(data: dict[str, Any], verdict: str) -> str:
    lines = [f"{verdict}: {data['sessions']} sessions, {data['events']} events ({data['deleted']} deleted)"]
    lines += [f"  {found['session_id']}, line {found['line']}: {found['problem']}" for found in data["broken"]]
    if data["torn"]:
        lines.append(f"{data['torn']} of them end with half a line, which the next writer takes away")
    if data["strange"]:
        lines.append(f"{data['strange']} other names beside them are no logs")
    return "\n".join(lines)


def text_verify(data: dict[str, Any]) -> str:
    """The verdict first, then what is broken."""
    verdict = "intact" if data["ok"] else "BROKEN"
    if "folder" in data:
        return _text_verify_files(data, verdict)
    lines = [f"{verdict}: {data['sessions']} sessions, {data['events']} events ({data['deleted']} deleted)"]
    for finding in data["broken"]:
        lines.append(f"  {finding['session_id']}, event {finding['seq']}: {finding['problem']}; quarantined")
    if data["audit"]:
        lines.append(f"  record of acts, number {data['audit']['audit_no']}: {data['audit']['problem']}")
    lines += [f"  engine: {line}" for line in data["engine"]]
    lines.append(f"index: {data['index']['documents']} documents, {data['index']['behind']} events behind")
    lines += [f"  {name}: its documents are not its events; segue rebuild" for name in data["index"]["wrong"]]
    return "\n".join(lines)


def run_derive(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Run what is pending."""
    cleaned = finish(ctx)
    derived = derive(
        ctx, ctx.spool_dir, limit=request.get("limit"), progress=lambda at, all_: ctx.report("indexing", at, all_)
    )
    patterns.renew(ctx.patterns_path)
    return {**derived.as_dict(), "scrub": cleaned.as_dict(), "retained": daily(ctx)}


def run_rebuild(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Make every derived table anew from the log."""
    return rebuild(ctx, ctx.spool_dir, lambda at, all_: ctx.report("indexing", at, all_)).as_dict()


def text_derived(data: dict[str, Any]) -> str:
    """What was done and what is left."""
    problem = data["scrub"]["problem"] if "scrub" in data else None
    lines = [f"{data['spooled']} events moved from the spool, {data['indexed']} indexed, {data['left']} left"]
    lines += [f"Some bytes of what was deleted are left: {problem}."] if problem else []
    lines += [f"{counted(data['retained'], 'session')} deleted (see segue retain)"] if data.get("retained") else []
    return "\n".join(lines + [f"quarantined: {name}" for name in data["quarantined"]])


STATUS = Operation(
    name="status",
    help="show what is recorded here, when each host last wrote, and what is pending",
    example="segue status",
    params=(),
    run=run_status,
    text=text_status,
)
VERIFY = Operation(
    name="verify",
    help="check every log against its hash chain, and the index against the log",
    example="segue verify",
    params=(
        Param(
            name="folder",
            kind=TEXT,
            help="a folder of exported logs, to check these instead",
            positional=True,
            person_only=True,
        ),
    ),
    run=run_verify,
    text=text_verify,
    failed=lambda data: not data["ok"],
)
DERIVE = Operation(
    name="derive",
    help="run what is pending: move the spool into the store, index new events",
    example="segue derive",
    params=(Param(name="limit", kind=NUMBER, help="most events in this run", low=1),),
    run=run_derive,
    text=text_derived,
)
REBUILD = Operation(
    name="rebuild",
    help="make every derived table anew from the log",
    example="segue rebuild",
    params=(),
    run=run_rebuild,
    text=text_derived,
)
