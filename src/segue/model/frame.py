"""Owns the frame around everything that Segue puts before a model, and taking it out of what is recorded (I8, I10).

The frame's end carries the same unguessable id as its beginning, and no text inside can spell either mark.
"""

from __future__ import annotations

OPEN, CLOSE = "<segue-memory", "</segue-memory"


def wrap(text: str, nonce: str) -> str:
    """The text in a frame that it cannot leave: marks inside are defanged."""
    return f'{OPEN} id="{nonce}">\n{defang(text)}\n{CLOSE} id="{nonce}">'


def defang(text: str) -> str:
    """The text with no mark of a frame in it, whatever its case."""
    out: list[str] = []
    done = 0
    at = text.find("<")
    while at >= 0:
        # only this piece is put in lower case: in some scripts that changes a text's length, and so every place in it
        if text[at : at + len(CLOSE)].lower().startswith((OPEN, CLOSE)):
            out += (text[done:at], "&lt;")
            done = at + 1
        at = text.find("<", at + 1)
    return "".join((*out, text[done:]))


def strip(text: str) -> str:
    """The text without Segue's blocks: each from its beginning to the end with the same id.

    A block without its end goes up to the end of its paragraph, so that what a person wrote after it stays. Words that
    only look like a mark are words. What stays has no beginning of a block, also where the texts around one would
    spell it together.
    """
    at = _next_mark(text, 0)
    if at < 0:
        return text
    kept: list[str] = []
    done = 0
    while at >= 0:
        kept.append(text[done:at])
        done = _end_of_block(text, at)
        at = _next_mark(text, done)
    kept.append(text[done:])
    return _join(kept)


#: longest id that a mark may have
MAX_ID = 40
MARK_CHARS = len(OPEN) + MAX_ID + 20


def _next_mark(text: str, start: int) -> int:
    """Where the next beginning of a block is; -1 where there is none."""
    at = text.find(OPEN, start)
    while at >= 0 and _rest_of_mark(text, at) is None:
        at = text.find(OPEN, at + 1)
    return at


def _rest_of_mark(text: str, at: int) -> str | None:
    """What follows the name in a mark, as ` id="ab12">`; None where this is no mark."""
    end = text.find(">", at, at + MARK_CHARS)
    rest = text[at + len(OPEN) : end + 1] if end >= 0 else ""
    bare = rest.replace("\\", "")  # inside JSON text its quotes are escaped
    name = bare[5:-2]
    return rest if bare.startswith(' id="') and bare.endswith('">') and name.isascii() and name.isalnum() else None


def _join(pieces: list[str]) -> str:
    """The pieces in a row, with a blank where two of them would spell a mark."""
    told = ""
    for piece in pieces:
        tail = told[-MARK_CHARS:]
        seam = tail + piece[:MARK_CHARS]
        spelled = _next_mark(seam, 0)
        while 0 <= spelled < len(tail) and spelled + len(OPEN) + len(_rest_of_mark(seam, spelled) or "") <= len(tail):
            spelled = _next_mark(seam, spelled + 1)
        told += (" " if 0 <= spelled < len(tail) else "") + piece
    return told


def _end_of_block(text: str, start: int) -> int:
    """Where a block that begins at `start` ends."""
    rest = _rest_of_mark(text, start) or ""
    closing = f"{CLOSE}{rest}"
    end = text.find(closing, start + len(OPEN))
    if end >= 0:
        return end + len(closing)
    paragraph = text.find("\n\n", start)
    return len(text) if paragraph < 0 else paragraph
