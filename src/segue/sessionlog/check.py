"""Owns the check of one event against the chain of its log, wherever the log is kept. Pure."""

from __future__ import annotations

from segue.model.codec import loads
from segue.sessionlog import chain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from segue.model.entry import Entry


def check_event(
    session_id: str,
    expected: int,
    previous: bytes,
    seq: int,
    fields: Sequence[str | None],
    digest: bytes,
    link: bytes,
    salt: bytes | None,
    subject: str | None,
    body: str | None,
    text_digest: bytes,
) -> tuple[str | None, bytes]:
    """What is wrong with the event that has to be number `expected`, and the chain after it. `fields` as in `link`.

    `digest` is what the chain holds of its first text, `text_digest` that of the text it has now, should a part of it
    have been deleted.
    """
    if seq != expected:
        return f"the event is missing, the next is {seq}", previous
    if body is None and (salt is not None or subject is not None):
        return "its text was taken away, not deleted", previous
    if body is not None:
        if salt is None or chain.body_digest(bytes(salt), subject, body) != bytes(text_digest):
            return "its text was changed", previous
        try:
            loads(body)
        except ValueError:
            return "its text is not JSON", previous
    current = chain.link(previous, session_id, seq, fields, bytes(digest))
    return (None if current == bytes(link) else "its place in the chain does not hold"), current


def check_entry(session_id: str, expected: int, previous: bytes, entry: Entry) -> tuple[str | None, bytes]:
    """The same of a whole entry."""
    place = chain.place(entry.replaces, entry.cites)
    told = (entry.type, entry.origin, entry.event_time, entry.recorded_at, entry.action, entry.outcome)
    fields = (*told, str(entry.size), *place)
    return check_event(
        session_id, expected, previous, entry.seq, fields,
        entry.body_digest, entry.chain, entry.salt, entry.subject, entry.body, entry.rewrite or entry.body_digest,
    )  # fmt: skip
