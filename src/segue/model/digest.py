"""Owns the digest of several parts. Never imports more than the one small module that a hook can afford."""

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
    from collections.abc import Sequence
    from typing import Any


def digest(*parts: bytes) -> bytes:
    """SHA-256 over parts, each preceded by its length, so that no two lists of parts read alike."""
    found: bytes = hashed(parts).digest()
    return found


def hashed(parts: Sequence[bytes]) -> Any:
    """The same, not finished: more parts may follow."""
    return sha256(b"".join([len(part).to_bytes(8, "big") + part for part in parts]))
