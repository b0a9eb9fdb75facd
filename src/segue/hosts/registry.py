"""Owns the table of hosts. A new host is a row here and its files beside it. Never imports one unasked."""

from __future__ import annotations

from segue.errors import HostUnknown
from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
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

    It keeps its things in the folder `keeps` of a home, or where its own environment variable says. `by_bytes` says
    that a place in its transcripts is a number of bytes; else it is a number of rows.
    """

    name: str
    keeps: str
    variable: str | None = None
    has_hooks: bool = False
    by_bytes: bool = True

    def _module(self, part: str) -> ModuleType:
        from importlib import import_module

        return import_module(f"segue.hosts.{self.name.replace('-', '_')}.{part}")

    def chosen(self, env: Mapping[str, str], cwd: str) -> str | None:
        """The folder that its variable names, if it is set; a relative one is meant from the working directory."""
        named = env.get(self.variable) if self.variable else None
        if not named:
            return None
        from os.path import join, normpath  # a hook's dialect loads nothing that it does not need

        return normpath(join(cwd, named))

    def folder(self, home: str | None, env: Mapping[str, str], cwd: str) -> str | None:
        """Where it keeps its things; None where there is no home either."""
        return self.chosen(env, cwd) or (f"{home}/{self.keeps}" if home else None)

    def discover(self, folder: str) -> Iterator[Source]:
        """The transcripts in the folder where it keeps its things."""
        found: Iterator[Source] = self._module("transcript").discover(folder)
        return found

    def claims(self, path: str) -> bool:
        """Whether a file is a transcript of this host."""
        return bool(self._module("transcript").claims(path))

    def read(self, path: str, position: int, state: dict[str, Any], query: Query) -> Iterator[Entry]:
        """The entries of a transcript from a position on. `query` reads rows of a database file."""
        entries: Iterator[Entry] = self._module("transcript").read(path, position, state, query)
        return entries


HOSTS = (
    Host(name="claude-code", keeps=".claude", variable="CLAUDE_CONFIG_DIR", has_hooks=True),
    Host(name="codex", keeps=".codex", variable="CODEX_HOME"),
    Host(name="opencode", keeps=".local/share/opencode", by_bytes=False),
    Host(name="gemini", keeps=".gemini"),
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
