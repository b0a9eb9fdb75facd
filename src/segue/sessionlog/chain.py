"""Owns the hash chain of a session. Never stores.

Each event's digest covers a random salt, its subject and its body; the chain covers that digest and the fields that
outlive a deletion. So a body and its salt can be dropped and the chain still verifies, and nothing is left to guess
the body from.
"""

from __future__ import annotations

from segue.model.digest import digest, hashed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def genesis(session_id: str) -> bytes:
    """The chain before the first event of a session."""
    return digest(b"segue-log-1", session_id.encode())


def body_digest(salt: bytes, subject: str | None, body: str) -> bytes:
    """What stands for a body in the chain."""
    return digest(salt, (subject or "").encode(), body.encode())


def link(previous: bytes, session_id: str, seq: int, fields: Sequence[str | None], body: bytes) -> bytes:
    """The chain after an event. `fields`: type, origin, event time, recorded time, action, outcome, size; then, of an
    event that replaces or cites others, what `place` says.
    """
    named = [b"\0" if field is None else field.encode() for field in fields]
    return digest(previous, session_id.encode(), str(seq).encode(), *named, body)


def place(replaces: tuple[int, int] | None, cites: Sequence[int]) -> tuple[str, ...]:
    """What the chain holds of an event's place on the surface: nothing of one that only stands at the end."""
    if replaces is None and not cites:
        return ()
    return (" ".join(map(str, replaces or ())), " ".join(map(str, cites)))


def dedupe(store_key: str, session_id: str) -> Callable[[str], bytes]:
    """What makes keyed digests, 16 bytes, of a host's own ids of events; without the store's key they tell nothing."""
    begun = hashed((store_key.encode(), session_id.encode()))

    def of(key: str) -> bytes:
        hashed = begun.copy()  # most of what is hashed is the same for every event of a session
        octets = key.encode("utf-8", "replace")
        hashed.update(len(octets).to_bytes(8, "big") + octets)
        found: bytes = hashed.digest()[:16]
        return found

    return of
