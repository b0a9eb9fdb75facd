"""Owns how images and files are remembered: by type, size and digest, never by content."""

from __future__ import annotations


def describe(media_type: str, base64_text: str) -> str:
    """One line for an image or file that passed by: its type, its size in bytes, its SHA-256."""
    import binascii
    from hashlib import sha256

    try:
        data = binascii.a2b_base64(base64_text)
    except ValueError:  # not base64: the text itself is what there was
        data = base64_text.encode("utf-8", "replace")
    return f"[attachment {media_type}, {len(data)} bytes, sha256 {sha256(data).hexdigest()}]"
