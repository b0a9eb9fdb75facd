"""What a word is: the fast way for ASCII says the same as the general one."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.retrieval import query, terms

#: pieces that join, split, fold and overflow
PIECES = st.sampled_from(
    ["a", "B", "7", "_", "-", ".", "/", ":", " ", "Az", "parseHTTP", "x" * 64, "Y" * 65, "\n", "9" * 60]
)
BEYOND = st.sampled_from(
    ["é", "e\u0301", "ß", "Ä", "数据库", "한", "\u3000", "\u0e33", "\u0301", "—", "ﬁX", "\x85", "İ"]
)
ANY = st.lists(PIECES | BEYOND, max_size=12).map("".join) | st.text(max_size=60)
ASCII = st.lists(PIECES, max_size=12).map("".join) | st.text(st.characters(max_codepoint=127), max_size=60)


@pytest.mark.promise("SEA-4")
@settings(max_examples=400)
@given(text=ASCII | ANY)
def test_the_fast_ways_give_the_words_and_parts_that_a_plain_reading_gives(text: str) -> None:
    words, parts = terms.analyse(text)
    assert (words.split(), parts) == plain_reading(text)
    assert words == words.strip()


def plain_reading(text: str) -> tuple[list[str], str]:
    """What is promised of a text's words, one by one and without any short way."""
    words: list[str] = []
    parts: list[str] = []
    for run, word in terms._piece().findall(unicodedata.normalize("NFC", text)):
        if run:
            words += terms.pairs(terms.fold(run))
        elif len(word) <= terms.MAX_WORD:
            words += terms.fold(word).split()
            inner = not (word.islower() or word.isdigit() or word.isupper() or word[1:].islower())
            parts += terms.camel_parts(word) if inner else []
    return words, " ".join(parts)


@pytest.mark.promise("SEA-4")
@given(text=ASCII)
def test_the_names_of_an_ascii_query_are_those_of_any_query(text: str) -> None:
    assert query.JOINED_ASCII.findall(text) == query._joined().findall(text)


@pytest.mark.promise("SEA-2")
@given(character=st.characters())
def test_a_character_is_of_an_unspaced_script_as_the_word_pattern_says(character: str) -> None:
    assert terms.is_unspaced(character) == bool(re.match(f"[{terms.UNSPACED}]", character))
