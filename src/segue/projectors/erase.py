"""Owns carrying out a deletion: log, index, blocks, readers' memory, spool, copies; its tombstone and record.

The rows go in one transaction. Then what lies beside them is removed and the store is written anew, so that no byte is
left; until that was done, the store remembers that it has to be (I9).
"""

from __future__ import annotations

import os

from segue.audit import record as acts
from segue.errors import StoreUnavailable
from segue.model.codec import dumps, loads
from segue.model.event import USER_MESSAGE
from segue.model.record import Record
from segue.projectors import index
from segue.projectors.derive import derive
from segue.sessionlog import chain, spool
from segue.sessionlog.capture import SALT_BYTES
from segue.sessionlog.keeping import leftovers
from segue.sessionlog.keeping.plan import MARK, is_damaged, quotes, text_of, untitled, without
from segue.stores import docs, erase, events, imports, sessions, tombstones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from segue.ctx import Context
    from segue.sessionlog.keeping.plan import Plan, Target
    from segue.stores.engine import Row

#: what is counted of a deletion
NOTHING = {"sessions": 0, "events": 0, "texts": 0}


class Cleaned(Record):
    """What went beside the rows: files of the spool, copies of the store. `problem` says why some bytes are left."""

    spooled: int = 0
    copies: tuple[str, ...] = ()
    problem: str | None = None


class Erased(Record):
    """What went. Where some bytes are left, `problem` says why: `finish` tries again."""

    sessions: int
    events: int
    texts: int
    spooled: int
    copies: tuple[str, ...]
    problem: str | None


def perform(ctx: Context, plan: Plan, reason: str, act: str = "delete") -> Erased:
    """Delete what the plan says. After a kill, `finish` ends what was begun."""
    found: list[dict[str, int]] = []
    is_whole = True
    named = {target.session.session_id for target in plan.targets}
    with ctx.store.transaction():
        acts.hold(ctx)
        erase.begin(ctx.store, named)
        for target in plan.targets:
            is_whole = _unindex(ctx, target) and is_whole
            counted = _take(ctx, target, reason)
            acts.record(ctx, act, target.session.session_id, reason, counted)
            found.append(counted)
        if not is_whole:  # some words cannot be told any more
            docs.clear(ctx.store)
    if not is_whole:
        derive(ctx, ctx.spool_dir)
    cleaned = finish(ctx)
    return Erased(
        sessions=sum(counted["sessions"] for counted in found),
        events=sum(counted["events"] for counted in found),
        texts=sum(counted["texts"] for counted in found),
        spooled=cleaned.spooled,
        copies=cleaned.copies,
        problem=cleaned.problem,
    )


def finish(ctx: Context) -> Cleaned:
    """Remove what a deletion left beside the rows, and write the store anew; nothing where none was begun."""
    named = erase.pending(ctx.store)
    if named is None:
        return Cleaned()
    removed: list[str] = []
    spooled = 0
    try:
        spooled = _clean_spool(ctx, named)
        for copy in ctx.store.copies():
            ctx.store.remove_copy(copy)
            removed.append(copy)
        erase.nameless(ctx.store)  # what stood there is written over as well
        if not ctx.store.scrub():
            raise StoreUnavailable("another process still reads the store's journal")
        erase.end(ctx.store)
    except StoreUnavailable as error:
        return Cleaned(spooled=spooled, copies=tuple(removed), problem=error.detail or str(error))
    return Cleaned(spooled=spooled, copies=tuple(removed))


def _clean_spool(ctx: Context, named: list[str]) -> int:
    """Move the spool, which forgets what was deleted, and remove what does not move; how many files were removed."""
    while spool.drain(ctx, ctx.spool_dir).batches:
        pass
    found = leftovers.find(ctx.spool_dir, named)
    for path in found.theirs:
        try:
            os.remove(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StoreUnavailable(f"{path}: {error.strerror}") from error
    if found.in_writing:
        raise StoreUnavailable("a hook is writing to the spool")
    return len(found.theirs)


def _unindex(ctx: Context, target: Target) -> bool:
    """Take its documents out of the index; whether that could be done."""
    sessions.lock(ctx.store, ctx.tenant, target.session.session_id)
    return index.remove(ctx, target.session.session_id, target.seqs)


def _take(ctx: Context, target: Target, reason: str) -> dict[str, int]:
    session = target.session
    place = sessions.lock(ctx.store, ctx.tenant, session.session_id)
    if target.seqs is None:
        return _take_log(ctx, target, 0 if place is None else place[0], reason)
    if place is None:
        return NOTHING
    _take_header(ctx, target, target.seqs)
    erase.lines(ctx.store, ctx.tenant, session.session_id, target.seqs)
    if target.text is None:
        erase.bodies(ctx.store, ctx.tenant, session.session_id, target.seqs)
        return {**NOTHING, "events": len(target.seqs)}
    held = docs.docids(ctx.store, ctx.tenant, session.session_id)
    for row in _rows(ctx, session.session_id, target.seqs):
        _rewrite(ctx, target, row, held.get(int(row[0])), target.text)
    return {**NOTHING, "texts": len(target.seqs)}


def _rows(ctx: Context, session_id: str, seqs: Sequence[int]) -> Iterator[Row]:
    """The stored events of these numbers, one at a time: a log of any length fits in memory."""
    for seq in seqs:
        yield from (row for row in events.raw(ctx.store, ctx.tenant, session_id, seq, 1) if row[0] == seq)


def _take_log(ctx: Context, target: Target, count: int, reason: str) -> dict[str, int]:
    session = target.session
    for child in sessions.children(ctx.store, ctx.scope(wide=True), session.session_id):
        if child.seed_length:  # what it inherited is found under its own name from now on
            docs.move_place(ctx.store, ctx.tenant, child.session_id, 0)
    erase.log(ctx.store, ctx.tenant, session.session_id)
    for path, _ in imports.states(ctx.store, ctx.tenant, session.host_session_id):
        imports.put_state(ctx.store, ctx.tenant, path, {})
    tombstones.add(
        ctx.store,
        {
            "tenant": ctx.tenant,
            "digest": tombstones.target(ctx.store, ctx.tenant, session.session_id),
            "project_id": session.project_id,
            "principal_id": session.principal_id,
            "created_at": ctx.now(),
            "events": count,
            "reason": reason,
        },
    )
    return {**NOTHING, "sessions": 1, "events": count}


def _take_header(ctx: Context, target: Target, seqs: Sequence[int]) -> None:
    """What the session's header says of what goes is taken with it, and what readers of transcripts remember of that.

    A title that quotes it, or might come and quote it, is marked, so that no host brings it back.
    """
    session, text = target.session, target.text
    told = {name: getattr(session, name) for name in erase.SPOKEN}
    marked = dict(told)
    if text is not None:
        marked = {name: value and value.replace(text, MARK) for name, value in told.items()}
    if session.title is None:
        is_quoted = any(row[1] == USER_MESSAGE for row in _rows(ctx, session.session_id, seqs))
    else:
        rows = _rows(ctx, session.session_id, seqs)
        is_quoted = marked["title"] == session.title and any(
            is_damaged(row) or quotes(session.title, [text_of(row)]) for row in rows
        )
    if is_quoted and (text is None or _cuts(session.title, text)):  # also where nobody can tell any more
        marked["title"] = MARK
    if marked == told:
        return
    erase.header(ctx.store, ctx.tenant, session.session_id, marked)
    for path, state in imports.states(ctx.store, ctx.tenant, session.host_session_id):
        once = state if text is None else without(state, text)
        is_marked = session.title is not None and marked["title"] != session.title
        imports.put_state(ctx.store, ctx.tenant, path, untitled(once) if is_marked else once)


def _cuts(title: str | None, text: str) -> bool:
    """Whether a title that quotes an event may hold a piece of a text that stands there: how the title ends."""
    if title is None:
        return True
    line, spoken = (" ".join(words.split()).casefold() for words in (title.rstrip("…"), text))
    return any(line.endswith(spoken[:length]) for length in range(1, len(spoken) + 1)) or spoken in line


def _rewrite(ctx: Context, target: Target, row: Row, held: int | None, text: str) -> None:
    """Put the event's text without that text in its place, and in the index; one that is damaged goes whole."""
    session, seq = target.session, int(row[0])
    try:
        body = None if row[12] is None else dumps(without(loads(row[12]), text))
    except ValueError:
        body = None
    if body is None:
        erase.bodies(ctx.store, ctx.tenant, session.session_id, (seq,))
        return
    salt = os.urandom(SALT_BYTES)
    subject = None if row[11] is None else row[11].replace(text, MARK)
    values = {"tenant": ctx.tenant, "session_id": session.session_id, "seq": seq, "body": body, "subject": subject}
    digest = chain.body_digest(salt, subject, body)
    erase.rewrite(ctx.store, {**values, "salt": salt, "digest": digest})
    words, parts = index.document_words((*row[:11], subject, body, row[13]))
    if held is not None:
        docs.drop(ctx.store, ctx.tenant, session.session_id, seq)
        if words:
            place: Any = (held, ctx.tenant, session.session_id, seq)
            ctx.store.add_docs([(*place, row[1], row[2], row[4], words, parts)])
