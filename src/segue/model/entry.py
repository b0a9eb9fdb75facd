"""Owns the entry: one event of a log as it is kept, whole, wherever the log is kept. Never does I/O."""

from __future__ import annotations

from segue.model.record import Record


class Entry(Record):
    """A redacted, numbered and chained event with all that verifying it takes; `body` is JSON text.

    `body`, `salt` and `subject` are None once the body was deleted. `dedupe` is a keyed digest of the host's id of the
    event, which only the store that made it can compare. `rewrite` is the digest of the text that it has now, where a
    part was deleted; `body_digest` and the chain stay those of the first one. What an entry `replaces` and `cites`
    says its place on the surface, so that the surface of a log is a fold over its entries.
    """

    seq: int
    type: str
    origin: str
    event_time: str
    recorded_at: str
    action: str | None
    outcome: str | None
    dedupe: bytes | None
    body_digest: bytes
    chain: bytes
    salt: bytes | None
    size: int
    subject: str | None
    body: str | None
    replaces: tuple[int, int] | None = None
    cites: tuple[int, ...] = ()
    rewrite: bytes | None = None
