"""What a word is: the fast way for ASCII says the same as the general one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.retrieval import query, terms

#: pieces that join, split, fold and overflow
PIECES = st.sampled_from(
    ["a", "B", "7", "_", "-", ".", "/", ":", " ", "Az", "parseHTTP", "x" * 64, "Y" * 65, "\n", "9" * 60]
)
ASCII = st.lists(PIECES, max_size=12).map("".join) | st.text(st.characters(max_codepoint=127), max_size=60)


@pytest.mark.promise("SEA-4")
@given(text=ASCII)
def test_the_words_and_parts_of_ascii_text_are_those_of_any_text(text: str) -> None:
    words = [word for word in re.findall("[A-Za-z0-9]+", text) if len(word) <= terms.MAX_WORD]
    parts = [part for word in words if not word[1:].islower() for part in terms.camel_parts(word) if not plain(word)]
    assert terms.analyse(text) == (" ".join(words).lower(), " ".join(parts))


def plain(word: str) -> bool:
    """Whether a word has no inner capital that would split it."""
    return word.islower() or word.isupper() or word.isdigit()


@pytest.mark.promise("SEA-4")
@given(text=ASCII)
def test_the_names_of_an_ascii_query_are_those_of_any_query(text: str) -> None:
    assert query.JOINED_ASCII.findall(text) == query._joined().findall(text)


@pytest.mark.promise("SEA-2")
@given(character=st.characters())
def test_a_character_is_of_an_unspaced_script_as_the_word_pattern_says(character: str) -> None:
    assert terms.is_unspaced(character) == bool(re.match(f"[{terms.UNSPACED}]", character))
