"""Owns the way of one transcript into the log: read and redacted in parts, each stored with the place to go on from."""

from __future__ import annotations

from segue.hosts.registry import host_of
from segue.model.codec import scrub
from segue.model.digest import digest
from segue.model.record import Record
from segue.model.scope import Project
from segue.model.transcript import Source
from segue.redaction import Policy, redact_text, redact_value
from segue.sessionlog.capture import Captured, Clean, append_within, clean
from segue.sessionlog.keeping.plan import untitled
from segue.sessionlog.place import identify, policy_for
from segue.stores import imports, sessions
from segue.stores.open import foreign_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from segue.config.settings import Settings
    from segue.ctx import Context
    from segue.model.event import Draft
    from segue.model.session import SessionHeader
    from segue.model.transcript import Entry

#: entries of a part, and the bytes after which one is closed early
BATCH, BATCH_BYTES = 200, 4_000_000
#: bytes of its first line by which a file is known again
HEAD_BYTES = 4096


class Job(Record):
    """A transcript to read on from `position`, where the last import stopped. `name` is its redacted path."""

    source: Source
    name: str
    position: int
    state: dict[str, Any]
    head: str
    counts: dict[str, int]


class Part(Record):
    """A part of a transcript, redacted: what each project's logs gain, and where to go on after it."""

    gains: tuple[tuple[Project, Clean], ...]
    position: int
    state: dict[str, Any]
    counts: dict[str, int]


class Reading(Record):
    """What reading needs to know of its place."""

    home: str | None
    settings: Settings
    now: Callable[[], str]
    nonce: Callable[[], str]


def name_of(source: Source) -> str:
    """The path under which the store remembers a transcript."""
    return redact_text(scrub(source.path), Policy())


def left_to_read(ctx: Context, source: Source) -> Job:
    """What is to read of a transcript. A file that was written anew is read from its beginning. Raises `OSError`."""
    by_bytes = host_of(source.host).by_bytes
    name = name_of(source)
    position, saved, counts = imports.position(ctx.store, ctx.tenant, name)
    state, head = saved.get("reader", {}), _head(source.path) if by_bytes else ""
    if by_bytes and (position > source.size or (position and head != saved.get("head"))):
        position, state, counts = 0, {}, {}
    return Job(source=source, name=name, position=position, state=state, head=head, counts=counts)


def read(job: Job, reading: Reading) -> Iterator[Part]:
    """The parts of a transcript from the job's position on. Raises `OSError` and `ValueError`."""
    counts = dict(job.counts)
    places: dict[str | None, tuple[Project, Policy]] = {}
    entries = host_of(job.source.host).read(job.source.path, job.position, job.state, foreign_rows)
    for batch in _batches(entries):
        gains = []
        for header, drafts in _by_session(batch, counts):
            if header.cwd not in places:  # a session whose directory nobody told belongs to no project
                project = identify(header.cwd, reading.home, reading.settings)
                places[header.cwd] = project, policy_for(project, header.cwd, reading.home)
            project, policy = places[header.cwd]
            gains.append((project, clean(header, drafts, policy, reading.now(), reading.nonce())))
        state = redact_value(batch[-1].state, Policy())
        yield Part(gains=tuple(gains), position=batch[-1].position, state=state, counts=dict(counts))


def store(ctx: Context, job: Job, part: Part) -> Captured:
    """Store a part and the place after it in one transaction: a kill loses no more than what is not stored yet."""
    added = folded = deleted = 0
    is_marked = False
    with ctx.store.transaction():  # redaction is done by now: a live hook waits for the rows alone
        for project, gain in part.gains:
            captured = append_within(ctx.replace(project=project), gain)
            added, folded = added + captured.added, folded + captured.folded
            deleted += captured.deleted
            # a title from which something was deleted is remembered no more than told
            has_title = gain.header.title is not None
            is_marked |= has_title and sessions.is_marked(ctx.store, ctx.tenant, gain.header.session_id)
        # of a session that was deleted nothing is remembered, not even its title
        state = untitled(part.state) if is_marked else part.state
        saved = {"reader": state if added or folded or not deleted else {}, "head": job.head}
        imports.move(ctx.store, ctx.tenant, job.name, job.source.host, part.position, saved, part.counts, ctx.now())
    return Captured(added=added, folded=folded, deleted=deleted)


def _head(path: str) -> str:
    """A digest of how a file begins, to tell it from another that takes its name."""
    with open(path, "rb") as file:
        return digest(file.read(HEAD_BYTES).split(b"\n", 1)[0]).hex()


def _batches(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    batch: list[Entry] = []
    start = None
    for entry in entries:
        start = entry.position if start is None else start
        batch.append(entry)
        if len(batch) >= BATCH or entry.position - start > BATCH_BYTES:
            yield batch
            batch, start = [], None
    if batch:
        yield batch


def _by_session(batch: list[Entry], counts: dict[str, int]) -> list[tuple[SessionHeader, list[Draft]]]:
    """The drafts of consecutive entries of one session together, and every entry counted."""
    groups: list[tuple[SessionHeader, list[Draft]]] = []
    for entry in batch:
        skipped = entry.skipped or ("no-session" if entry.drafts and entry.header is None else None)
        name = f"skipped: {skipped}" if skipped else entry.kind
        counts[name] = 1 if skipped == "cut-off" else counts.get(name, 0) + 1  # it is read again until it is whole
        if not entry.drafts or entry.header is None:
            continue
        if groups and groups[-1][0].session_id == entry.header.session_id:
            groups[-1] = (entry.header, groups[-1][1])
        else:
            groups.append((entry.header, []))
        groups[-1][1].extend(entry.drafts)
    return groups
