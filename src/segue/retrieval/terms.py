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
ASCII = [chr(octet) for octet in range(128)]
#: what stands in the index for each sign of ASCII: a small letter, a digit, or a blank between words
FOLDED = "".join(sign.lower() if sign.isalnum() else " " for sign in ASCII).encode().ljust(256)
#: the shape of each: capital, other sign of a word, or blank
SHAPE = "".join(" aA"[sign.isalnum() + sign.isupper()] for sign in ASCII).encode().ljust(256)


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
    """The words of a text and the parts of its camelCase words, each with blanks between, ready for an index."""
    if text.isascii():
        return _plain(text)
    words: list[str] = []
    parts: list[str] = []
    # no word spans a blank, and most of a text that is not ASCII is: those stretches go the fast way
    for plain, stretch in itertools.groupby(unicodedata.normalize("NFC", text).split(), str.isascii):
        for found, into in zip((_plain if plain else _mixed)(" ".join(stretch)), (words, parts), strict=True):
            if found:
                into.append(found)
    return " ".join(words), " ".join(parts)


def _plain(text: str) -> tuple[str, str]:
    """The same of ASCII, by whole-text operations: a loop over its words would take five times as long."""
    octets = text.encode()
    words = octets.translate(FOLDED)
    if _has_long_word(words):
        return _plain(" ".join(word for word in ASCII_WORD.findall(text) if len(word) <= MAX_WORD))
    return words.decode().strip(), _all_parts(text, octets.translate(SHAPE))


def _has_long_word(words: bytes) -> bool:
    """Whether a word between blanks is too long to be indexed."""
    start, last = 0, len(words) - MAX_WORD
    while start < last:
        start = words.rfind(b" ", start, start + MAX_WORD + 1) + 1
        if not start:
            return True
    return False


def _all_parts(text: str, shape: bytes) -> str:
    """The parts of every word that may have some: a capital follows another sign, or two a small one."""
    shape = shape.replace(b"AAa", b"aAa") + b" "  # so that one search finds both, and every word ends
    find, before = shape.find, shape.rfind
    found = []
    at = find(b"aA")
    while at >= 0:
        end = find(b" ", at)
        found.append(_parts(text[before(b" ", 0, at) + 1 : end]))
        at = find(b"aA", end)
    return " ".join(filter(None, found))


def _mixed(text: str) -> tuple[str, str]:
    words: list[str] = []
    parts: list[str] = []
    for run, word in _piece().findall(text):
        if run:
            words.extend(pairs(fold(run)))
        elif len(word) <= MAX_WORD:
            words.extend(fold(word).split())
            parts.append(_parts(word))
    return " ".join(words), " ".join(filter(None, parts))


@functools.lru_cache(maxsize=8192)
def _parts(word: str) -> str:
    """The parts of a camelCase word with blanks between, or nothing; the same names come again and again."""
    return " ".join(camel_parts(word)) if _is_camel(word) else ""


def pairs(run: str) -> list[str]:
    """Overlapping pairs of a run, and its last character alone, so that any substring can be asked for."""
    return [run[at : at + 2] for at in range(len(run))]


def _is_camel(word: str) -> bool:
    return len(word) <= MAX_WORD and not (word.islower() or word.isdigit() or word.isupper() or word[1:].islower())


def camel_parts(word: str) -> list[str]:
    """The parts of a camelCase or PascalCase word, folded: `parseHTTPReply2` → parse http reply 2."""
    parts = [part.lower() for part in CAMEL.findall(word)] if word.isascii() else []
    return parts if len(parts) > 1 else []
