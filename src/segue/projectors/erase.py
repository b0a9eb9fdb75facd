"""Owns carrying out a deletion: log, index, blocks, readers' memory, spool, copies; its tombstone and record.

The rows go in one transaction. Then the store is written anew, so that no byte is left; until that was done, the store
remembers that it has to be (I9).
"""

from __future__ import annotations

import os

from segue.audit.record import record
from segue.errors import StoreUnavailable
from segue.model.codec import dumps, loads
from segue.model.record import Record
from segue.projectors import index
from segue.sessionlog import chain, spool
from segue.sessionlog.capture import SALT_BYTES
from segue.sessionlog.keeping.plan import MARK, without
from segue.sessionlog.text import searchable
from segue.stores import docs, erase, events, meta, sessions, tombstones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from segue.ctx import Context
    from segue.sessionlog.keeping.plan import Plan, Target

#: the fact that the store has to be written anew
PENDING = "scrub"


class Erased(Record):
    """What went. Where the store could not be written anew yet, `problem` says why: `finish` tries again."""

    sessions: int
    events: int
    texts: int
    spooled: int
    copies: tuple[str, ...]
    problem: str | None


def perform(ctx: Context, plan: Plan, reason: str, act: str = "delete") -> Erased:
    """Delete what the plan says. Doing it again after a kill finishes what was begun."""
    gone = events_ = texts = 0
    with ctx.store.transaction():
        meta.put(ctx.store, PENDING, ctx.now())
        for target in plan.targets:
            counted = _take(ctx, target, reason)
            record(ctx, act, target.session.session_id, reason, counted)
            gone, events_ = gone + counted["sessions"], events_ + counted["events"]
            texts += counted["texts"]
    gone_whole = [target.session.host_session_id for target in plan.targets if target.seqs is None]
    spooled = spool.forget(ctx.spool_dir, gone_whole)
    copies = ctx.store.copies()
    for name in copies:
        ctx.store.remove_copy(name)
    return Erased(
        sessions=gone, events=events_, texts=texts, spooled=spooled, copies=tuple(copies), problem=_finish_now(ctx)
    )


def _finish_now(ctx: Context) -> str | None:
    try:
        return None if finish(ctx) else "another process still reads the store's journal"
    except StoreUnavailable as error:
        return str(error)


def finish(ctx: Context) -> bool:
    """Write the store anew where a deletion asked for it; whether nothing is left to do."""
    if meta.value(ctx.store, PENDING) is None:
        return True
    done = ctx.store.scrub()
    if done:
        meta.drop(ctx.store, PENDING)
    return done


def _take(ctx: Context, target: Target, reason: str) -> dict[str, int]:
    session = target.session
    place = sessions.lock(ctx.store, ctx.tenant, session.session_id)
    if target.seqs is None:
        return _take_log(ctx, target, 0 if place is None else place[0], reason)
    if place is None:
        return {"sessions": 0, "events": 0, "texts": 0}
    _take_header(ctx, target)
    index.remove(ctx, session.session_id, target.seqs)
    if target.text is None:
        erase.bodies(ctx.store, ctx.tenant, session.session_id, target.seqs)
        return {"sessions": 0, "events": len(target.seqs), "texts": 0}
    for seq in target.seqs:
        _rewrite(ctx, target, seq, target.text)
    erase.lines_with(ctx.store, ctx.tenant, target.text)
    return {"sessions": 0, "events": 0, "texts": len(target.seqs)}


def _take_log(ctx: Context, target: Target, count: int, reason: str) -> dict[str, int]:
    session = target.session
    for child in sessions.children(ctx.store, ctx.scope(wide=True), session.session_id):
        if child.seed_length:  # what it inherited is found under its own name from now on
            docs.move_place(ctx.store, ctx.tenant, child.session_id, 0)
    index.remove(ctx, session.session_id)
    erase.log(ctx.store, ctx.tenant, session.session_id)
    erase.import_state(ctx.store, ctx.tenant, session.host_session_id)
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
    return {"sessions": 1, "events": count, "texts": 0}


def _take_header(ctx: Context, target: Target) -> None:
    """What the header says of it goes, too: the text in any of its fields, or a title that quotes what goes."""
    session = target.session
    if target.text is not None:
        told = {name: getattr(session, name) for name in erase.SPOKEN}
        changed = {name: text.replace(target.text, MARK) for name, text in told.items() if text and target.text in text}
        erase.header(ctx.store, ctx.tenant, session.session_id, changed)
        return
    if session.title is None:
        return
    title = " ".join(session.title.rstrip("…").split()).casefold()
    for row in _rows(ctx, session.session_id, target.seqs or ()):
        text = searchable(row[1], row[11], None if row[12] is None else loads(row[12]))
        if title in " ".join(text.split()).casefold():
            erase.header(ctx.store, ctx.tenant, session.session_id, {"title": None})
            return


def _rewrite(ctx: Context, target: Target, seq: int, text: str) -> None:
    """Put the event's text without that text in its place, and in the index."""
    session = target.session
    row = _rows(ctx, session.session_id, (seq,))[0]
    body = None if row[12] is None else dumps(without(loads(row[12]), text))
    if body is None:
        return
    subject, salt = row[11] if row[11] is None else row[11].replace(text, MARK), os.urandom(SALT_BYTES)
    values = {"tenant": ctx.tenant, "session_id": session.session_id, "seq": seq, "body": body, "subject": subject}
    digest = chain.body_digest(salt, subject, body)
    held = docs.docids(ctx.store, ctx.tenant, session.session_id).get(seq)
    erase.rewrite(ctx.store, {**values, "salt": salt, "digest": digest})
    words, parts = index.document_words((*row[:11], subject, body, row[13]))
    if held is not None:
        docs.drop(ctx.store, ctx.tenant, session.session_id, seq)
        if words:
            place = (held, ctx.tenant, session.session_id, seq)
            ctx.store.add_docs([(*place, row[1], row[2], row[4], words, parts)])


def _rows(ctx: Context, session_id: str, seqs: Sequence[int]) -> list[Any]:
    found = (events.raw(ctx.store, ctx.tenant, session_id, seq, 1) for seq in seqs)
    return [rows[0] for rows in found if rows]
