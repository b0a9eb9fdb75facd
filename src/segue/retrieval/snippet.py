"""Owns the few words that show why something was found. Pure; never cuts inside a code point."""

from __future__ import annotations

from segue.retrieval.terms import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: characters of a snippet with its ellipses (spec: 240)
WIDTH = 240


def snippet(text: str, words: Sequence[str], width: int = WIDTH) -> str:
    """The stretch of the text with the most matching words, on one line, with an ellipsis at each cut side."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    start = _best_start(line, words, width)
    end = min(len(line), start + width)
    shown = line[start:end]
    if start > 0:
        shown = "…" + shown[1:]
    if end < len(line):
        shown = shown[:-1] + "…"
    return shown


def _best_start(line: str, words: Sequence[str], width: int) -> int:
    folded = fold(line)
    if len(folded) != len(line):  # folding changed lengths: positions would lie
        folded = line.lower() if len(line.lower()) == len(line) else line
    places = sorted(place for word in words for place in _places(folded, word))
    if not places:
        return 0
    best, most = places[0], 0
    for place in places:
        within = len({word for word in words if folded.find(word, place, place + width * 2 // 3) >= 0})
        if within > most:
            best, most = place, within
    return max(0, min(best - width // 3, len(line) - width))


def _places(text: str, word: str) -> list[int]:
    """The first few places of a word that are not the inside of another word."""
    found: list[int] = []
    at = text.find(word)
    while at >= 0 and len(found) < 20:
        if at == 0 or not text[at - 1].isalnum() or not word.isascii():
            found.append(at)
        at = text.find(word, at + 1)
    return found
