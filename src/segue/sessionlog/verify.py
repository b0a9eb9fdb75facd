"""Owns the check of logs against their hash chains, and the quarantine of a broken one. Never repairs."""

from __future__ import annotations

from segue.errors import FileUnwritable, LogCorrupt, LogUnsupported, SurfaceInvalid
from segue.model.event import CURRENT, SHADOWED, SURFACE_TYPES
from segue.model.record import Record
from segue.sessionlog import chain, placing
from segue.sessionlog.check import check_event
from segue.sessionlog.homes.folders import Folders
from segue.sessionlog.homes.reading import reading
from segue.stores import events, placements, sessions, tombstones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from segue.ctx import Context
    from segue.stores.engine import Engine, Row
    from segue.stores.placements import Placement

#: events read at a time, so that a log of any length fits in memory
PAGE = 500


class Finding(Record):
    """One broken session: which event is the first that does not hold, and what is wrong with it."""

    session_id: str
    seq: int
    problem: str


class Verified(Record):
    """What a verification saw."""

    sessions: int
    events: int
    deleted: int
    findings: tuple[Finding, ...]


class LineFinding(Record):
    """One broken log of a folder: its first line that does not hold, and what is wrong with it."""

    session_id: str
    line: int
    problem: str


class VerifiedFiles(Record):
    """What a verification of a folder saw. `torn` logs end with half a line, which is skipped; `strange` is no log."""

    sessions: int
    events: int
    deleted: int
    torn: int
    strange: int
    findings: tuple[LineFinding, ...]


def verify_files(root: str) -> VerifiedFiles:
    """Check every log below a folder: its chain, its numbers, its surface. Changes nothing."""
    folders = Folders(root, None)
    counts = dict.fromkeys(("sessions", "events", "deleted", "torn"), 0)
    findings: list[LineFinding] = []
    seen: set[str] = set()
    for path, session_id in folders.logs():
        line, problem = 1, "the same session is in another folder" if session_id in seen else None
        seen.add(session_id)
        try:
            with reading(path, session_id) as log:
                counts["events"] += sum(1 for _ in log.entries())
                counts["torn"] += log.whole < log.size
                counts["deleted"] += log.scan.deleted
        except FileNotFoundError:
            continue  # it was removed meanwhile
        except LogCorrupt as error:
            line, problem = error.line, error.problem
        except (LogUnsupported, FileUnwritable) as error:
            problem = f"{error}. {error.hint}"
        counts["sessions"] += 1
        if problem is not None:
            findings.append(LineFinding(session_id=session_id, line=line, problem=problem))
    return VerifiedFiles(**counts, strange=folders.strange(), findings=tuple(findings))


def verify(ctx: Context, progress: Callable[[int, int], None] | None = None) -> Verified:
    """Check every log of the tenant; broken ones are quarantined, mended ones released (I1)."""
    logs = list(sessions.all_of(ctx.store, ctx.tenant))
    total = sum(log[1] for log in logs)
    seen = deleted = 0
    findings: list[Finding] = []
    for session_id, next_seq, head, status in logs:
        finding, gone = verify_log(ctx.store, ctx.tenant, session_id, next_seq, head)
        added = sessions.beyond(ctx.store, ctx.tenant, session_id)
        if finding is None and added is not None:
            finding = Finding(session_id=session_id, seq=added, problem="the event was added past the log's end")
        seen, deleted = seen + next_seq, deleted + gone
        if finding is not None:
            findings.append(finding)
            sessions.quarantine(ctx.store, ctx.tenant, session_id, f"event {finding.seq}: {finding.problem}")
        elif status != "ok":
            sessions.release(ctx.store, ctx.tenant, session_id)
        if progress:
            progress(seen, total)
    return Verified(sessions=len(logs), events=seen, deleted=deleted, findings=tuple(findings))


def verify_log(engine: Engine, tenant: str, session_id: str, next_seq: int, head: bytes) -> tuple[Finding | None, int]:
    """The first thing wrong with one log, and how many of its bodies were deleted.

    Events that a live writer adds meanwhile are beyond `next_seq` and left to the next check.
    """
    current = chain.genesis(session_id)
    expected = deleted = 0
    placed = placements.of(engine, tenant, session_id, 0, next_seq)
    rewritten = tombstones.rewritten(engine, tenant, session_id)
    shadowed: set[int] = set()
    while expected < next_seq:
        rows = events.raw(engine, tenant, session_id, expected, min(PAGE, next_seq - expected))
        if not rows:
            return Finding(session_id=session_id, seq=expected, problem="the event is missing"), deleted
        for row in rows:
            problem, current = _check(session_id, expected, current, row, placed.get(expected), rewritten.get(expected))
            if problem:
                return Finding(session_id=session_id, seq=expected, problem=problem), deleted
            deleted += row[10] is None
            if row[2] == SHADOWED:
                shadowed.add(expected)
            expected += 1
    if current != head:
        return Finding(session_id=session_id, seq=max(0, next_seq - 1), problem="the log's end does not match"), deleted
    return _check_surface(engine, tenant, session_id, next_seq, shadowed, replacing=bool(placed)), deleted


def _check_surface(
    engine: Engine, tenant: str, session_id: str, next_seq: int, shadowed: set[int], *, replacing: bool
) -> Finding | None:
    """Whether exactly those events are marked as shadowed that the whole log, read anew, shadows."""
    expected: set[int] = set()
    if replacing:
        try:
            expected = set(placing.surface(engine, tenant, session_id, next_seq).replaced_by)
        except SurfaceInvalid as error:
            return Finding(session_id=session_id, seq=next_seq - 1, problem=f"its places do not hold: {error.detail}")
    wrong = sorted(expected ^ shadowed)
    return Finding(session_id=session_id, seq=wrong[0], problem="its surface was changed") if wrong else None


def _check(
    session_id: str, expected: int, previous: bytes, row: Row, placement: Placement | None, rewrite: bytes | None
) -> tuple[str | None, bytes]:
    seq, type_, surface, origin, event_time, recorded_at, action, outcome, digest, link, salt, subject, body, size = row
    if seq == expected and (surface in (CURRENT, SHADOWED)) != (type_ in SURFACE_TYPES):
        return "its surface was changed", previous
    place = () if placement is None else chain.place(placement.replaces, placement.cites)
    fields = (type_, origin, event_time, recorded_at, action, outcome, str(size), *place)
    text_digest = rewrite or bytes(digest)
    return check_event(session_id, expected, previous, seq, fields, digest, link, salt, subject, body, text_digest)
