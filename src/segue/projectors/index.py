"""Owns the search index as a derivation of the log: each event with text becomes one document. Never ranks."""

from __future__ import annotations

from segue.model.codec import loads
from segue.model.event import SHADOWED
from segue.model.record import Record
from segue.retrieval.terms import analyse
from segue.sessionlog import chain
from segue.sessionlog.text import searchable
from segue.stores import docs, events, tombstones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from segue.ctx import Context
    from segue.stores.docs import Pending
    from segue.stores.engine import Row

    #: a stored event, its words and their parts
    Document = tuple[Row, str, str]

#: events per transaction, and the characters after which one is closed early: a live hook waits for no more than these
BATCH, BATCH_CHARS = 1000, 1_000_000
#: events read at a time
PAGE = 200


class Ready(Record):
    """What the next events of a log are found by; `end` is the number of the event after the last of them."""

    log: Pending
    end: int
    documents: tuple[Document, ...]


def batches(ctx: Context, logs: Sequence[Pending], room: int, broken: dict[str, str]) -> Iterator[list[Ready]]:
    """What is pending in these logs, read and made ready, a transaction's worth of one scope at a time.

    `room` bounds the events of all batches together. A log that cannot be read is left out and named in `broken`.
    """
    batch: list[Ready] = []
    events_, chars = 0, 0
    for log in logs:
        if batch and (events_ >= BATCH or chars >= BATCH_CHARS or log.scope != batch[0].log.scope):
            yield batch
            batch, events_, chars = [], 0, 0
        if room <= 0:
            break
        try:
            ready = read(ctx, log, min(room, BATCH - events_), BATCH_CHARS - chars)
        except ValueError as error:
            broken[log.session_id] = str(error)
            continue
        batch.append(ready)
        events_, room = events_ + ready.end - log.low, room - (ready.end - log.low)
        chars += sum(len(words) for _, words, _ in ready.documents)
    if batch:
        yield batch


def read(ctx: Context, log: Pending, most: int, chars: int) -> Ready:
    """Make the next events of a log ready: `most` of them at most, and no more once there are so many characters."""
    documents: list[Document] = []
    end = log.low
    while end - log.low < most and chars > 0:
        asked = min(PAGE, most - (end - log.low))
        rows = events.raw(ctx.store, ctx.tenant, log.session_id, end, asked)
        for row in rows:
            words, parts = document_words(row)
            if words:
                documents.append((row, words, parts))
                chars -= len(words)
        end = int(rows[-1][0]) + 1 if rows else end
        if len(rows) < asked:
            break
    if end == log.low:
        raise ValueError(f"the log has no event {end}, although its header counts on it")
    return Ready(log=log, end=end, documents=tuple(documents))


def write(ctx: Context, batch: Sequence[Ready]) -> int:
    """Index what was made ready, in one transaction; how many events the index moved on.

    Any number of processes may do it at once: where another one was faster, nothing is done. Reading was done before,
    so that a live hook waits for the writing alone; what was dropped or shadowed since then is asked for again.
    """
    moved = 0
    with ctx.store.transaction(durable=False):  # the log is: what of the index a power failure takes is made again
        # logs are locked in one order, or two processes would wait for each other
        found = [ready for ready in sorted(batch, key=_session_id) if _is_next(ctx, ready)]
        scope_no = docs.scope_of(ctx.store, ctx.tenant, batch[0].log)
        docid = docs.next_docid(ctx.store, scope_no)
        documents: list[Row] = []
        for ready in found:
            log, end = ready.log, ready.end
            there = docs.indexed(ctx.store, ctx.tenant, log.session_id, log.low, end)
            dropped, shadowed = events.changed(ctx.store, ctx.tenant, log.session_id, log.low, end)
            for row, words, parts in _as_now(ctx, ready):
                if row[0] not in there and row[0] not in dropped:
                    place = (docid + len(documents), ctx.tenant, log.session_id, row[0])
                    surface = SHADOWED if row[0] in shadowed else row[2]
                    documents.append((*place, row[1], surface, row[4], words, parts))
            docs.move_place(ctx.store, ctx.tenant, log.session_id, end)
            moved += end - log.low
        if documents:
            ctx.store.add_docs(documents)
    return moved


def _as_now(ctx: Context, ready: Ready) -> list[Document]:
    """The documents, made anew of events from which a text was deleted since they were read."""
    rewritten = tombstones.rewritten(ctx.store, ctx.tenant, ready.log.session_id)
    seqs = [document[0][0] for document in ready.documents if document[0][0] in rewritten]
    again = {row[0]: (row, *document_words(row)) for row in _rows(ctx, ready.log.session_id, seqs)}
    documents = [again.get(document[0][0], document) for document in ready.documents]
    return [document for document in documents if document[1]]


def _session_id(ready: Ready) -> str:
    return ready.log.session_id


def _is_next(ctx: Context, ready: Ready) -> bool:
    """Whether the index, whose place in the log is locked from now on, is still where the batch begins."""
    return docs.lock_place(ctx.store, ctx.tenant, ready.log.session_id) == ready.log.low


def remove(ctx: Context, session_id: str, seqs: Sequence[int] | None = None) -> bool:
    """Take a log's documents (or those of some events) out of the text index. Their texts must be there yet.

    Their rows in `event_docs` go with what else is erased. False where an event is not what was indexed: its words can
    only be taken out by making the index anew.
    """
    held = docs.docids(ctx.store, ctx.tenant, session_id)
    wanted = sorted(held.keys() if seqs is None else held.keys() & set(seqs))
    rewritten = tombstones.rewritten(ctx.store, ctx.tenant, session_id)
    for at in range(0, len(wanted), PAGE):
        removed = []
        for row in _rows(ctx, session_id, wanted[at : at + PAGE]):
            seq = int(row[0])
            if row[12] is None or chain.body_digest(row[10], row[11], row[12]) != rewritten.get(seq, row[8]):
                return False
            removed.append((held[seq], *document_words(row)))
        if len(removed) < len(wanted[at : at + PAGE]):
            return False
        ctx.store.remove_docs(removed)
    return True


def _rows(ctx: Context, session_id: str, seqs: Sequence[int]) -> list[Row]:
    """The stored events of these numbers, in order, read at once where they lie together."""
    if not seqs:
        return []
    if seqs[-1] - seqs[0] >= 4 * len(seqs):
        found = [events.raw(ctx.store, ctx.tenant, session_id, seq, 1) for seq in seqs]
        return [rows[0] for seq, rows in zip(seqs, found, strict=True) if rows and rows[0][0] == seq]
    wanted = set(seqs)
    rows = events.raw(ctx.store, ctx.tenant, session_id, seqs[0], seqs[-1] - seqs[0] + 1)
    return [row for row in rows if row[0] in wanted]


def document_words(row: Row) -> tuple[str, str]:
    """The words and parts under which a stored event is found; both empty when it is not searchable."""
    subject, body = row[11], row[12]
    return analyse(searchable(row[1], subject, None if body is None else loads(body)))


def missing(ctx: Context, progress: Callable[[int, int], None] | None = None) -> list[str]:
    """The logs whose documents are not those that their indexed events should have."""
    held = docs.by_log(ctx.store, ctx.tenant)
    logs = docs.places(ctx.store, ctx.tenant)
    wrong = []
    for at, (session_id, start, end) in enumerate(logs):
        wanted = _searchable(ctx, session_id, start, end)
        if wanted != held.get(session_id, 0):
            wrong.append(session_id)
        if progress:
            progress(at, len(logs))
    return wrong


def _searchable(ctx: Context, session_id: str, low: int, end: int) -> int:
    """How many of a log's events with low <= seq < end have words."""
    count = 0
    while low < end:
        rows = [row for row in events.raw(ctx.store, ctx.tenant, session_id, low, PAGE) if row[0] < end]
        if not rows:
            break
        count += sum(bool(document_words(row)[0]) for row in rows)
        low = rows[-1][0] + 1
    return count
