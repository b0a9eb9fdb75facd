"""Owns what a word is, for the index and for the query alike. Pure.

Words are folded (case, width, accents). Identifiers joined by `_`, `-`, `.`, `/` or `::` are adjacent words, so the
whole is found as a phrase and each part by itself; camelCase words are kept whole among the words and split among the
parts. Scripts without spaces are cut into overlapping pairs of characters, so every run of two or more is found.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata

#: scripts written without spaces: Thai, Lao, Tibetan, Myanmar, Khmer, kana, CJK, Hangul
UNSPACED_RANGES = (
    ("\u0e00", "\u0eff"),
    ("\u0f00", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
    ("\ua960", "\ua97f"),
    ("\uac00", "\ud7ff"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),
)
#: the same inside a character class of `re`, which takes so long to compile that only text beyond ASCII pays for it
UNSPACED = "".join(f"{low}-{high}" for low, high in UNSPACED_RANGES)
CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
#: longest word that is indexed whole, in characters; longer ones are data, not words
MAX_WORD = 64
ASCII_WORD = re.compile(r"[A-Za-z0-9]+")


@functools.cache
def _piece() -> re.Pattern[str]:
    """A run of an unspaced script, or a word of any other."""
    return re.compile(rf"([{UNSPACED}]+)|([^\W_{UNSPACED}]+)")


def is_unspaced(character: str) -> bool:
    """Whether a character is of a script that is written without spaces."""
    return any(low <= character <= high for low, high in UNSPACED_RANGES)


def fold(text: str) -> str:
    """Case, width and accents folded away; the letters of every script stay."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in decomposed if unicodedata.category(c) != "Mn" or "\u0e00" <= c <= "\u17ff")
    return unicodedata.normalize("NFC", bare).casefold()


def analyse(text: str) -> tuple[str, str]:
    """The words of a text and the parts of its camelCase words, each joined by blanks, ready for an index."""
    if text.isascii():
        found = ASCII_WORD.findall(text)
        if len(max(found, key=len, default="")) > MAX_WORD:
            found = [word for word in found if len(word) <= MAX_WORD]
        words = " ".join(found).lower()
    else:
        found, words = _mixed(text)
    capitals = itertools.filterfalse(str.islower, found)  # few of many, sorted out faster than a loop here could
    parts = " ".join(part for word in capitals if _is_camel(word) for part in camel_parts(word))
    return words, parts


def _mixed(text: str) -> tuple[list[str], str]:
    raw: list[str] = []
    words: list[str] = []
    for run, word in _piece().findall(unicodedata.normalize("NFC", text)):
        if run:
            words.extend(pairs(fold(run)))
        elif len(word) <= MAX_WORD:
            raw.append(word)
            words.extend(fold(word).split())
    return raw, " ".join(words)


def pairs(run: str) -> list[str]:
    """Overlapping pairs of a run, and its last character alone, so that any substring can be asked for."""
    return [run[at : at + 2] for at in range(len(run))]


def _is_camel(word: str) -> bool:
    return len(word) <= MAX_WORD and not (word.islower() or word.isdigit() or word.isupper() or word[1:].islower())


def camel_parts(word: str) -> list[str]:
    """The parts of a camelCase or PascalCase word, folded: `parseHTTPReply2` → parse http reply 2."""
    parts = [part.lower() for part in CAMEL.findall(word)] if word.isascii() else []
    return parts if len(parts) > 1 else []
