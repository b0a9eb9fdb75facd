"""Owns the reading of a query: which terms it asks for. Pure. A query is data: no sign in it is syntax."""

from __future__ import annotations

import functools
import re

from segue.model.record import Record
from segue.retrieval.terms import MAX_WORD, UNSPACED, camel_parts, fold, is_unspaced, pairs

#: what people join into one name: letters and digits around these signs
SIGNS = r"[-_./\\:@+]+"
JOINED_ASCII = re.compile(rf"\w+(?:{SIGNS}\w+)*", re.ASCII)
SPLIT = re.compile(r"[\W_]+")
#: terms that one query may have; the rest is dropped and said (I18)
MAX_TERMS = 64

STOP_WORDS = frozenset(
    "a about after all also am an and any are as at be been but by can could did do does doing don for from had has"
    " have how i if in into is it its just let like may me might more most my near no not now of on or our out over"
    " please s shall she should so some such t than that the their them then there these they this those to too up us"
    " very was we were what when where which while who why will with would you your"
    " aber als auch auf aus bei das dem den der des die ein eine einem einen einer es für hat ich im ist mit nicht noch"
    " oder sich sie sind und uns von war was wie wir zu zum zur"
    " ao aos como com da das de del do dos e el ela ele em en era es essa esse esta este eu foi há la las lo los mais"
    " mas na nas no nos nós não o os ou para pela pelo por porque qual que quem se ser sobre son sua su te tem tu um"
    " uma un una unos y ya yo algo"
    " au aux avec ce ces cette dans des du elle est et il ils je le les leur ne nous par pas plus pour qu que qui sa"
    " ses son sur une vous".split()
)


class Query(Record):
    """A query as terms: each is a phrase of one or more words. `capped` says that terms were dropped.

    `terms` is empty when nothing in the text can be searched for: then the most recent is the answer.
    """

    terms: tuple[tuple[str, ...], ...]
    capped: bool = False


@functools.cache
def _joined() -> re.Pattern[str]:
    """A joined name of any script, or a run of an unspaced one."""
    word = rf"[^\W{UNSPACED}]+"
    return re.compile(rf"{word}(?:{SIGNS}{word})*|[{UNSPACED}]+")


def plan(text: str) -> Query:
    """The terms of a query: joined names as phrases and by their words, unspaced runs as pairs, no stop words."""
    names: list[tuple[str, ...]] = []
    words: list[str] = []
    pattern = JOINED_ASCII if text.isascii() else _joined()
    for name in pattern.findall(text):
        _take(name, names, words)
    asked: list[tuple[str, ...]] = [(word,) for word in words if word not in STOP_WORDS]
    unique = list(dict.fromkeys(names + asked))
    return Query(terms=tuple(unique[:MAX_TERMS]), capped=len(unique) > MAX_TERMS)


def _take(name: str, names: list[tuple[str, ...]], words: list[str]) -> None:
    if is_unspaced(name[0]):
        run = fold(name)
        if len(run) == 1:
            words.append(run + "*")
        else:
            names.append(tuple(pairs(run)[:-1]))
            words.extend(pairs(run)[:-1])
        return
    raw = [part for part in SPLIT.split(name) if part and len(part) <= MAX_WORD]
    folded = [word for part in raw for word in fold(part).split()]
    if len(folded) > 1:
        names.append(tuple(folded))
    words.extend(folded)
    for part in raw:
        parts = camel_parts(part)
        if parts:
            names.append(tuple(parts))


def words_of(query: Query) -> tuple[str, ...]:
    """Every word that a match may have been found by, for marking it in a snippet."""
    return tuple(dict.fromkeys(word.rstrip("*") for term in query.terms for word in term))
