"""Owns finding what live sessions hold that is not written yet, in the form of other hits. Never reads the store."""

from __future__ import annotations

from segue.model.codec import loads
from segue.operations.render import session_line
from segue.retrieval.query import words_of
from segue.retrieval.scan import matched
from segue.retrieval.snippet import snippet
from segue.sessionlog.text import searchable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.model.entry import Entry
    from segue.retrieval.query import Query
    from segue.sessionlog.live.session import LiveSession


def waiting_hits(live: LiveSession, query: Query) -> list[dict[str, Any]]:
    """What of a live session matches and is not known to be written; the best and newest first."""
    found = []
    for entry in live.pending():
        text = searchable(entry.type, entry.subject, None if entry.body is None else loads(entry.body))
        terms = matched(query, text)
        if terms:
            found.append((terms, entry.seq, _hit(live, entry, snippet(text, words_of(query)))))
    return [hit for _, _, hit in sorted(found, key=lambda row: row[:2], reverse=True)]


def _hit(live: LiveSession, entry: Entry, quoted: str) -> dict[str, Any]:
    return {
        "session": session_line(live.header),
        "id": f"{live.id}#{entry.seq}",
        "seq": entry.seq,
        "type": entry.type,
        "surface": live.surface_of(entry.seq),
        "time": entry.event_time,
        "outcome": entry.outcome,
        "snippet": quoted,
    }


def before_written(hits: list[dict[str, Any]], answer: dict[str, Any], limit: int) -> dict[str, Any]:
    """An answer of search with other hits before its own, none twice."""
    seen = {hit["id"] for hit in hits}
    found = [*hits, *(hit for hit in answer["hits"] if hit["id"] not in seen)]
    return {**answer, "hits": found[:limit], "capped": answer["capped"] or len(found) > limit}
