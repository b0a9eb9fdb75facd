"""Owns the table of hosts. A new host is a row here and its files beside it. Never imports one unasked."""

from __future__ import annotations

from segue.errors import HostUnknown
from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
    from typing import Any, Protocol

    from segue.model.moment import Answer, Moment
    from segue.model.transcript import Entry, Query, Source

    class Hooks(Protocol):
        """A host's live dialect."""

        def parse(self, event: str, payload: dict[str, Any]) -> Moment: ...
        def render(self, event: str, answer: Answer) -> str: ...


class Host(Record):
    """One host: how it is called, and which of its dialects Segue speaks.

    `by_bytes` says that a place in its transcripts is a number of bytes; else it is a number of rows.
    """

    name: str
    has_hooks: bool = False
    by_bytes: bool = True

    def _module(self, part: str) -> ModuleType:
        from importlib import import_module

        return import_module(f"segue.hosts.{self.name.replace('-', '_')}.{part}")

    def discover(self, home: str) -> Iterator[Source]:
        """Where this host keeps its transcripts below a home."""
        found: Iterator[Source] = self._module("transcript").discover(home)
        return found

    def claims(self, path: str) -> bool:
        """Whether a file is a transcript of this host."""
        return bool(self._module("transcript").claims(path))

    def read(self, path: str, position: int, state: dict[str, Any], query: Query) -> Iterator[Entry]:
        """The entries of a transcript from a position on. `query` reads rows of a database file."""
        entries: Iterator[Entry] = self._module("transcript").read(path, position, state, query)
        return entries


HOSTS = (
    Host(name="claude-code", has_hooks=True),
    Host(name="codex"),
    Host(name="opencode", by_bytes=False),
    Host(name="gemini"),
)


def host_of(name: str) -> Host:
    """The host of that name."""
    return next(host for host in HOSTS if host.name == name)


def hooks_of(name: str) -> Hooks:
    """The live dialect of a host."""
    if name == "claude-code":
        from segue.hosts.claude_code import hooks

        return hooks
    raise HostUnknown(name, hint=f"Hosts with hooks: {', '.join(h.name for h in HOSTS if h.has_hooks)}.")
