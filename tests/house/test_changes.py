"""Change notes: one file per change, named after its kind, in words for a user."""

from __future__ import annotations

import re

import pytest

from tests.house.tree import ROOT

FOLDER = ROOT / "changes"
NAME = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*\.(feature|fix|change|removal|docs)\.md$")
#: words that a user has never seen: they belong in a commit
INSIDE = re.compile(r"\b(refactor\w*|pytest|mypy|ruff|import-linter|CI)\b")


def problems(name: str, text: str) -> list[str]:
    """What is wrong with one note."""
    found = []
    if not NAME.match(name):
        found.append("the name is not SLUG.TYPE.md")
    if not text.strip():
        found.append("it is empty")
    elif not text.strip().endswith((".", "`")):
        found.append("it is not a sentence")
    if re.search(r"^(#|=+$|-{3,}$)", text, re.MULTILINE):
        found.append("it has a heading")
    if INSIDE.search(text):
        found.append("it speaks of how it was built")
    return found


@pytest.mark.promise("HOUSE-10")
def test_every_change_note_is_well_named_and_speaks_to_a_user() -> None:
    notes = [path for path in FOLDER.iterdir() if path.name != "README.md"]
    wrong = {path.name: problems(path.name, path.read_text(encoding="utf-8")) for path in notes}
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.promise("HOUSE-10")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("search.improvement.md", "Search is faster."),
        ("Search.fix.md", "Search is faster."),
        ("search.md", "Search is faster."),
        ("search.fix.txt", "Search is faster."),
        ("search.fix.md", " \n"),
        ("search.fix.md", "Search"),
        ("search.fix.md", "# Search\n\nSearch is faster."),
        ("search.fix.md", "A refactoring of search."),
    ],
)
def test_a_bad_change_note_is_found(name: str, text: str) -> None:
    assert problems(name, text) != []


@pytest.mark.promise("HOUSE-10")
def test_a_good_change_note_is_left_alone() -> None:
    assert problems("search-cjk.fix.md", "`segue search` finds Chinese words of one character.\n") == []
