"""The few words that show why something was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.retrieval.snippet import snippet


@pytest.mark.promise("SEA-15")
def test_the_match_is_inside_and_cut_sides_are_marked() -> None:
    text = "start " + "filler " * 100 + "the needle is here " + "more " * 100
    shown = snippet(text, ["needle"], 80)
    assert "needle" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) == 80
    assert snippet("short\n  text", ["text"], 80) == "short text"


@pytest.mark.promise("SEA-15")
def test_the_densest_place_is_shown() -> None:
    text = "alpha " + "x " * 300 + "alpha beta gamma " + "y " * 300
    assert "alpha beta gamma" in snippet(text, ["alpha", "beta", "gamma"], 90)


@pytest.mark.promise("SEA-15")
@given(st.text(max_size=400), st.lists(st.text(min_size=1, max_size=5), max_size=4), st.integers(3, 100))
def test_it_is_one_line_within_the_width_and_whole_characters(text: str, words: list[str], width: int) -> None:
    shown = snippet(text + "😀" * 50, words, width)
    assert len(shown) <= width
    assert "\n" not in shown
