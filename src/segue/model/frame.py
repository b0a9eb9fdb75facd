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

    A block without its end goes up to the end of its paragraph, so that what a person wrote after it stays. What stays
    has no mark of a beginning, also where the texts around a block would spell one together.
    """
    at = text.find(OPEN)
    if at < 0:
        return text
    kept: list[str] = []
    done = 0
    while at >= 0:
        kept.append(text[done:at])
        done = _end_of_block(text, at)
        at = text.find(OPEN, done)
    kept.append(text[done:])
    return _join(kept)


def _join(pieces: list[str]) -> str:
    """The pieces in a row, with a blank where two of them would spell a mark."""
    out: list[str] = []
    before = ""
    for piece in pieces:
        if OPEN in before + piece[: len(OPEN) - 1]:
            out.append(" ")
            before = ""
        out.append(piece)
        before = (before + piece)[1 - len(OPEN) :]
    return "".join(out)


def _end_of_block(text: str, start: int) -> int:
    """Where a block that begins at `start` ends."""
    mark_end = text.find(">", start)
    mark = text[start + len(OPEN) : mark_end] if 0 <= mark_end - start < 80 else None
    if mark is not None:
        closing = f"{CLOSE}{mark}>"
        end = text.find(closing, mark_end)
        if end >= 0:
            return end + len(closing)
    paragraph = text.find("\n\n", start)
    return len(text) if paragraph < 0 else paragraph
