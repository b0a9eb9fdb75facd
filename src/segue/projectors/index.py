"""Owns the search index as a derivation of the log: each event with text becomes one document. Never ranks."""

from __future__ import annotations

from segue.model.codec import loads
from segue.retrieval.terms import analyse
from segue.sessionlog.text import searchable
from segue.stores import docs, events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from segue.ctx import Context
    from segue.stores.docs import Pending
    from segue.stores.engine import Row

#: events per transaction: short enough that a live hook hardly waits
BATCH = 200


def step(ctx: Context, log: Pending) -> int:
    """Index the next batch of one log; how many events the cursor moved. Any number of processes may do it at once."""
    with ctx.store.transaction():
        low = docs.lock_cursor(ctx.store, ctx.tenant, docs.INDEX_CURSOR, log.session_id)
        rows = events.raw(ctx.store, ctx.tenant, log.session_id, low, BATCH)
        if not rows:
            raise ValueError(f"the log has no event {low}, although its header counts on it")
        end = int(rows[-1][0]) + 1
        scope_no = docs.scope_of(ctx.store, ctx.tenant, log)
        docid = docs.next_docid(ctx.store, scope_no)
        documents: list[dict[str, object]] = []
        there = docs.indexed(ctx.store, ctx.tenant, log.session_id, low, end)
        for row in rows:
            words, parts = document_words(row)
            if words and row[0] not in there:
                documents.append(_document(ctx.tenant, log.session_id, docid + len(documents), row, words, parts))
        if documents:
            ctx.store.add_docs(documents)
        docs.move_cursor(ctx.store, ctx.tenant, docs.INDEX_CURSOR, log.session_id, end)
    return end - low


def document_words(row: Row) -> tuple[str, str]:
    """The words and parts under which a stored event is found; both empty when it is not searchable."""
    subject, body = row[11], row[12]
    return analyse(searchable(row[1], subject, None if body is None else loads(body)))


def _document(tenant: str, session_id: str, docid: int, row: Row, words: str, parts: str) -> dict[str, object]:
    return {
        "docid": docid,
        "tenant": tenant,
        "session_id": session_id,
        "seq": row[0],
        "type": row[1],
        "surface": row[2],
        "event_time": row[4],
        "words": words,
        "parts": parts,
    }


def missing(ctx: Context, progress: Callable[[int, int], None] | None = None) -> list[str]:
    """The logs whose documents are not those that their indexed events should have."""
    held = docs.by_log(ctx.store, ctx.tenant)
    logs = docs.cursors(ctx.store, ctx.tenant, docs.INDEX_CURSOR)
    wrong = []
    for at, (session_id, end) in enumerate(logs):
        wanted = _searchable(ctx, session_id, end)
        if wanted != held.get(session_id, 0):
            wrong.append(session_id)
        if progress:
            progress(at, len(logs))
    return wrong


def _searchable(ctx: Context, session_id: str, end: int) -> int:
    """How many of a log's events below `end` have words."""
    count = low = 0
    while low < end:
        rows = [row for row in events.raw(ctx.store, ctx.tenant, session_id, low, BATCH) if row[0] < end]
        if not rows:
            break
        count += sum(bool(document_words(row)[0]) for row in rows)
        low = rows[-1][0] + 1
    return count
