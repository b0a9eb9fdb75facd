"""Owns where in a text a word that names a secret stands beside what may be a value. Never says what the value is."""

from __future__ import annotations

from segue.redaction.judge import is_part, name_around, strength
from segue.redaction.screens import KEY_PHRASES, KEY_WORDS, fold, plain_letters

#: words too common in prose and code to be followed up without a sign of assignment
_QUIET = frozenset(
    "key auth pin sig session seed salt connect sas crypt dsn otp license licence basic webhook cookie code=".split()
)


def context_spans(text: str, words: list[str]) -> list[tuple[int, int]]:
    """The lines, with the two that follow, where one of these words stands beside something like a value."""
    low = fold(text)
    spans: list[tuple[int, int]] = []
    for at in sorted(_named(text, low, fold("\n".join(words)))):
        start, end = low.rfind("\n", 0, at) + 1, at
        for _ in range(3):
            end = low.find("\n", end + 1)
            if end < 0:
                end = len(low)
                break
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _named(text: str, low: str, bag: str) -> set[int]:
    words = [w for w in KEY_WORDS if w in bag] + [w for w in KEY_PHRASES if w in low]
    hits = set()
    for word in words:
        at = low.find(word)
        while at >= 0:
            end = at + len(word)
            if _assigns(text, low, at, end):
                hits.add(at)
                line_end = low.find("\n", end)
                end = line_end if line_end >= 0 else len(low)
            at = low.find(word, end)
    return hits


def _assigns(text: str, low: str, at: int, end: int) -> bool:
    start, stop = name_around(text, at, end)
    if (start < at or end < stop) and is_part(text, low, at, end):
        return False
    strong = strength(plain_letters(text[start:stop].strip("-_."))) > 0
    word = low[at:end]
    near = low[stop : stop + 100]
    if _followed(text, near, start, strong) or not text[stop : stop + 1].isascii():
        return True
    option = text[start : start + 1] == "-" or low[max(0, start - 5) : start] in (" env ", "\nenv ", "setx ")
    if option and near[:1] not in ("=", ":", ">", ","):
        return bool(near[1:7].strip()) and near[:1] == " "
    if "value" in near[:60] or (
        word in ("bearer", "auth", "basic")
        and any(len(w) > 5 for w in near.split()[:3])
        and any(w in low[at : at + 60] for w in ("bearer ", "basic ", "token "))
    ):
        return True
    line = near.partition("\n")[0]
    if has_else(line):
        return True
    if word in _QUIET and " is " not in line[:40] and " was " not in line[:40]:
        return False
    told = low[max(0, start - 60) : start].rpartition("\n")[2].split()[-4:]
    return any(map(_telling, line.split()[:10])) or any(map(_telling, told))


_VALUE_SIGNS, _SIGNS, _CODE = frozenset("0123456789!@$^*"), frozenset("!@#$^*"), frozenset("[](){}<>,%=")
#: what comes before a value that is used where another is missing
_ELSE = ("||", "??", ' or "', " or '", " or `")


def has_else(low: str) -> bool:
    """Whether a value may be given for the case that another one is missing."""
    return ("|" in low or "?" in low or " or " in low) and any(sign in low for sign in _ELSE)


def _followed(text: str, near: str, start: int, strong: bool) -> bool:
    """Whether a name is followed by a sign of assignment and something that may be a value."""
    tail = near.lstrip("\\\"'`])* \t?!")
    first = tail[:1]
    if first not in ("=", ":", ">", ",", "-", "(", "：") or (first == "(" and '"' not in near and "'" not in near):
        return False
    value = tail.lstrip("\\\"'`])* \t?!=:>,(-\n")[:60].split(None, 1)
    return (
        bool(value)
        and len(value[0]) >= 6
        and (strong or text[start - 1 : start] in (" ", ":", "\\"))
        and (
            first == "="
            or '"' in near[:16]
            or "'" in near[:16]
            or not _VALUE_SIGNS.isdisjoint(value[0])
            or "value" in near
        )
    )


def _telling(word: str) -> bool:
    if len(word) < 6 or word.isalpha():
        return False
    word = word.strip("\"'`.,;:()*[]").rpartition(":")[2]
    if not 5 < len(word) < 60 or word.isalpha() or not _CODE.isdisjoint(word) or word.count("/") > 1:
        return False
    if not _SIGNS.isdisjoint(word):
        return True
    return word.count(".") < 2 and any(map(str.isdigit, word)) and any(map(str.isalpha, word))
