"""Owns the hash chain of a session. Never stores.

Each event's digest covers a random salt, its subject and its body; the chain covers that digest and the fields that
outlive a deletion. So a body and its salt can be dropped and the chain still verifies, and nothing is left to guess
the body from.
"""

from __future__ import annotations

try:
    from _sha256 import sha256  # type: ignore[import-not-found, unused-ignore]
except ImportError:  # 3.12 and later, or an interpreter without the small module
    try:
        from _sha2 import sha256  # type: ignore[import-not-found, no-redef, unused-ignore]
    except ImportError:
        from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


def genesis(session_id: str) -> bytes:
    """The chain before the first event of a session."""
    return digest(b"segue-log-1", session_id.encode())


def digest(*parts: bytes) -> bytes:
    """SHA-256 over parts, each preceded by its length, so that no two lists of parts read alike."""
    found: bytes = _hashed(parts).digest()
    return found


def _hashed(parts: Sequence[bytes]) -> Any:
    return sha256(b"".join([len(part).to_bytes(8, "big") + part for part in parts]))


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
    begun = _hashed((store_key.encode(), session_id.encode()))

    def of(key: str) -> bytes:
        hashed = begun.copy()  # most of what is hashed is the same for every event of a session
        octets = key.encode("utf-8", "replace")
        hashed.update(len(octets).to_bytes(8, "big") + octets)
        found: bytes = hashed.digest()[:16]
        return found

    return of
