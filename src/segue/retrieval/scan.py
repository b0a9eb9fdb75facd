"""Owns matching a query against a few texts that are in no index yet. Pure."""

from __future__ import annotations

from segue.retrieval.terms import analyse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.retrieval.query import Query


def matched(query: Query, text: str) -> int:
    """How many of the query's terms the text holds; a term is found by the index in the same texts."""
    held = " ".join(("", *analyse(text), ""))
    return sum(_phrase(words) in held for words in query.terms)


def _phrase(words: tuple[str, ...]) -> str:
    phrase = " " + " ".join(words)
    return phrase[:-1] if phrase.endswith("*") else phrase + " "
