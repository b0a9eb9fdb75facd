"""Owns the operations by which a person says what is kept: delete, archive, restore, hold, release, audit."""

from __future__ import annotations

from segue.audit import record as acts
from segue.errors import NotOwner, UsageError
from segue.model.codec import loads
from segue.model.operation import FLAG, NUMBER, TEXT, TEXTS, Operation, Param
from segue.operations.render import counted, session_line, session_text, stamp
from segue.operations.retention import RETAIN
from segue.projectors.derive import derive
from segue.projectors.erase import perform
from segue.sessionlog import read, spool
from segue.sessionlog.keeping import leftovers
from segue.sessionlog.keeping import plan as plans
from segue.sessionlog.keeping.plan import Plan
from segue.stores import audit, erase, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from segue.ctx import Context
    from segue.model.session import Session
    from segue.sessionlog.keeping.plan import Target

#: acts that `audit` shows
ACTS = 50
#: characters of a reason
REASON_CHARS = 40
#: places that Segue cannot reach
OUTSIDE = {
    "sqlite": (
        "the host's own transcript",
        "copies, exports and backups that you made",
        "the disk's own unused blocks",
    ),
    "postgresql": (
        "the host's own transcript",
        "the server's write-ahead log and log files",
        "the server's backups and replicas",
    ),
}
#: where a text that was typed to be deleted may be kept
SHELL = "your shell's history, where you typed the text"


def run_delete(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Show what a deletion would take; with `yes`, take it."""
    derive(ctx, ctx.spool_dir)  # what waits is part of what goes, and documents go by their words
    planned = plans.joined(_planned(ctx, name, request) for name in request["ids"])
    left = leftovers.find(ctx.spool_dir, {target.session.session_id for target in planned.targets})
    answer = {
        "targets": [_told(ctx, target) for target in planned.targets],
        "staying": [_told(ctx, target) for target in planned.staying],
        "copies_of_the_store": ctx.store.copies(),
        "spool": {"of_these": list(left.theirs), "unknown": list(left.unknown)},
        "outside": [*OUTSIDE[ctx.store.name], *([SHELL] if request.get("text") else [])],
        "done": None,
    }
    if request.get("yes"):
        ctx.report("deleting", 0, 1)
        done = perform(ctx, planned, _reason(request.get("reason")))
        answer["done"] = done.as_dict()
    return answer


def _planned(ctx: Context, name: str, request: dict[str, Any]) -> Plan:
    """The deletion of one of those that are named."""
    scope = ctx.scope(wide=bool(request.get("all")))
    name, seqs = _parse(name)
    session = _owned(ctx, read.session(ctx, scope, name))
    copies, text = not request.get("keep_copies"), request.get("text")
    if text is not None:
        seqs = range(max(1, session.next_seq)) if seqs is None else seqs
        return plans.span(ctx, scope, session, seqs, _text(text), copies=copies)
    if seqs is not None:
        return plans.some(ctx, scope, session, seqs, copies=copies)
    return plans.whole(ctx, scope, session, copies=copies, subagents=not request.get("keep_subagents"))


def _owned(ctx: Context, session: Session) -> Session:
    """The session, if it is this person's: one that others share is only read."""
    if session.principal_id != ctx.principal_id:
        raise NotOwner(f"{session.session_id} is {session.principal_id}'s")
    return session


def _parse(name: str) -> tuple[str, range | None]:
    """A session's id, or with `#7` or `#7-9` some of its events."""
    session, mark, numbers = name.rpartition("#")
    if not mark:
        return name, None
    low, _, high = numbers.partition("-")
    if not all(part.isascii() and part.isdigit() and len(part) < 16 for part in (low, high or low)):
        raise UsageError(f"{name!r}: after # comes an event's number, or two with - between them")
    if int(high or low) < int(low):
        raise UsageError(f"{name!r}: the first number is the smaller one")
    return session, range(int(low), int(high or low) + 1)


def _text(text: str) -> str:
    if not text.strip():
        raise UsageError("--text is empty")
    return text


def _reason(given: str | None) -> str:
    return " ".join((given or "asked").split())[:REASON_CHARS] or "asked"


def _told(ctx: Context, target: Target) -> dict[str, Any]:
    events = target.session.next_seq if target.seqs is None else len(target.seqs)
    return {
        "session": session_line(target.session),
        "whole": target.seqs is None,
        "events": events,
        "seqs": None if target.seqs is None else list(target.seqs),
        "copied_from": target.copied_from,
        "places": erase.counted(ctx.store, ctx.tenant, target.session.session_id, target.seqs),
    }


def text_delete(data: dict[str, Any]) -> str:
    """What goes, what stays, and how to go on."""
    done = data["done"]
    lines = [("deleted:" if done else "would be deleted:")]
    lines += [f"  {_line(row)}" for row in data["targets"]]
    lines += [f"  a copy of the store: {name}" for name in data["copies_of_the_store"]]
    lines += [f"  a batch that was set aside: {name}" for name in data["spool"]["of_these"]]
    if data["staying"]:
        lines += ["copies that stay in forks:", *(f"  {_line(row)}" for row in data["staying"])]
    if data["spool"]["unknown"]:
        lines += [
            "batches that were set aside and may be of any session:",
            *(f"  {p}" for p in data["spool"]["unknown"]),
        ]
    lines.append(f"not in Segue's reach: {', '.join(data['outside'])}")
    if not done:
        return "\n".join([*lines, "Nothing was deleted. To do it, add --yes."])
    if done["problem"]:
        lines.append(f"Some of its bytes are left: {done['problem']}. `segue derive` finishes that later.")
    return "\n".join(lines)


def _line(row: dict[str, Any]) -> str:
    what = "all of" if row["whole"] else f"{counted(row['events'], 'event')} of"
    copy = f" (copied from {row['copied_from']})" if row["copied_from"] else ""
    places = ", ".join(counted(number, name[:-1]) for name, number in row["places"].items() if number)
    return f"{what} {session_text(row['session'])}{copy}; {places or 'nothing of it is left'}"


def _mark(act: str, name: str, *, on: bool) -> Callable[[Context, dict[str, Any]], dict[str, Any]]:
    """The operation that sets or clears a session's mark, and records it."""

    def run(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
        spool.catch_up(ctx)
        session = _owned(ctx, read.session(ctx, ctx.scope(wide=bool(request.get("all"))), request["id"]))
        is_so = (getattr(session, name) is not None) == on
        if not is_so:
            with ctx.store.transaction():
                acts.hold(ctx)
                sessions.mark(ctx.store, ctx.tenant, session.session_id, name, ctx.now() if on else None)
                acts.record(ctx, act, session.session_id, "asked", {"sessions": 1})
        return {"session": session_line(session), "act": act, "changed": not is_so}

    return run


SAID = {
    "archive": "is put aside: only `segue search --archived` finds it now, `segue restore` undoes it",
    "restore": "is back in briefs and searches",
    "hold": "is held: no retention deletes it",
    "release": "is released: retention may delete it",
}


def text_mark(data: dict[str, Any]) -> str:
    """The session and what it is now."""
    already = "" if data["changed"] else " (it was so already)"
    return f"{session_text(data['session'])}\n{SAID[data['act']]}{already}"


def run_audit(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """The newest acts, newest first."""
    found = audit.latest(ctx.store, ctx.scope(wide=bool(request.get("all"))), request.get("limit") or ACTS)
    return {
        "acts": [
            {**act.as_dict(), "target": act.target.hex(), "chain": act.chain.hex(), "counts": loads(act.counts)}
            for act in found
        ]
    }


def text_audit(data: dict[str, Any]) -> str:
    """One act per line: when, who, what, how much, why, and what stands for the session."""
    lines = []
    for act in data["acts"]:
        counts = ", ".join(counted(value, name.removesuffix("s")) for name, value in act["counts"].items() if value)
        lines.append(
            f"{stamp(act['recorded_at'])}  {act['principal_id']}  {act['act']:<8}{act['target'][:12]}  {counts}"
            f"  ({act['reason']})"
        )
    return "\n".join(lines) or "Nothing was deleted, put aside or held here."


ID = Param(name="id", kind=TEXT, help="a session's id or how it begins", required=True, positional=True)
IDS = Param(
    name="ids",
    kind=TEXTS,
    help="sessions' ids or how they begin, or events: ID#7, ID#7-9",
    required=True,
    positional=True,
)
ALL = Param(name="all", kind=FLAG, help="in all of your projects", person_only=True)

DELETE = Operation(
    name="delete",
    help="delete sessions, some of their events, or a text inside them: first shown, done with --yes",
    example="segue delete claude-code:0b1c4d2e#12 --yes",
    params=(
        IDS,
        Param(name="text", kind=TEXT, help="only this text, wherever it stands there"),
        Param(name="keep_copies", kind=FLAG, help="leave the copies that forks hold"),
        Param(name="keep_subagents", kind=FLAG, help="leave the logs of its subagents"),
        Param(name="reason", kind=TEXT, help="a word for the record"),
        Param(name="yes", kind=FLAG, help="do it"),
        ALL,
    ),
    run=run_delete,
    text=text_delete,
    failed=lambda data: bool(data["done"] and data["done"]["problem"]),
)
ARCHIVE = Operation(
    name="archive",
    help="put a session aside: out of briefs and searches, nothing deleted",
    example="segue archive claude-code:0b1c4d2e",
    params=(ID, ALL),
    run=_mark("archive", "archived_at", on=True),
    text=text_mark,
)
RESTORE = Operation(
    name="restore",
    help="bring back a session that was put aside",
    example="segue restore claude-code:0b1c4d2e",
    params=(ID, ALL),
    run=_mark("restore", "archived_at", on=False),
    text=text_mark,
)
HOLD = Operation(
    name="hold",
    help="keep a session whatever the retention settings say",
    example="segue hold claude-code:0b1c4d2e",
    params=(ID, ALL),
    run=_mark("hold", "held_at", on=True),
    text=text_mark,
)
RELEASE = Operation(
    name="release",
    help="let retention delete a session again",
    example="segue release claude-code:0b1c4d2e",
    params=(ID, ALL),
    run=_mark("release", "held_at", on=False),
    text=text_mark,
)
AUDIT = Operation(
    name="audit",
    help="show who deleted, put aside or held what, and when",
    example="segue audit",
    params=(Param(name="limit", kind=NUMBER, help="most acts to show", low=1, high=1000), ALL),
    run=run_audit,
    text=text_audit,
)
KEEPING = (DELETE, ARCHIVE, RESTORE, HOLD, RELEASE, RETAIN, AUDIT)
