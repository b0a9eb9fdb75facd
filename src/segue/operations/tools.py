"""Owns which operations are an agent's tools. Apart from the registry, so that a server loads nothing else to start."""

from __future__ import annotations

from segue.operations import history, search

TOOLS = (
    search.SESSION_SEARCH,
    search.EVENT_SEARCH,
    history.SESSION_TRACE,
    history.EVENT_TRACE,
    history.EVENT_READ,
)
