"""Owns the seam between the two engines: what a store may ask of a database. Never names an engine.

Statements are written once, with `:name` parameters, and run on both. What truly differs is named here: text match,
the lock a writer takes on a session, the backup before an upgrade.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Any, Protocol

    Params = Mapping[str, Any]
    Row = tuple[Any, ...]
    Terms = Sequence[tuple[str, ...]]

    class Transaction(Protocol):
        """Commits when its block ends, rolls back when the block raises."""

        def __enter__(self) -> None: ...
        def __exit__(
            self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
        ) -> bool | None: ...

    class Engine(Protocol):
        """One open database."""

        name: str
        #: appended to a SELECT whose rows the transaction is going to change
        for_update: str
        #: the same, but a row that another transaction holds is left out
        for_update_free: str
        #: FROM, WHERE and score of a text match on `event_docs d`; a lower score is a better match
        match_from: str
        match_where: str
        match_score: str

        def all(self, sql: str, params: Params = ...) -> list[Row]: ...
        def one(self, sql: str, params: Params = ...) -> Row | None: ...
        def run(self, sql: str, params: Params = ...) -> int:
            """Run one statement; the number of rows it changed."""

        def run_many(self, sql: str, rows: Sequence[Params]) -> None: ...
        def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
            """Add many rows, their values in the order of the columns: the fast way."""

        def transaction(self, *, durable: bool = True) -> Transaction:
            """Until it ends. Without `durable`, a power failure may lose it, whole: for what can be made anew."""

        def match_query(self, terms: Terms) -> str:
            """The engine's own text for "any of these phrases"; a last word ending in `*` is a prefix."""

        def add_docs(self, rows: Sequence[Row]) -> None:
            """Index events: docid, tenant, session_id, seq, type, surface, event_time, words, parts."""

        def remove_docs(self, rows: Sequence[Row]) -> None:
            """Take out of the text index: docid, words and parts, as they were put in. Not out of `event_docs`."""

        def clear_index(self) -> None: ...
        def prepare(self) -> None: ...
        def is_foreign(self) -> bool: ...
        def schema_version(self) -> int: ...
        def set_schema_version(self, version: int) -> None: ...
        def run_script(self, text: str) -> None: ...
        def migration_lock(self) -> Transaction: ...
        def hold(self, name: str) -> Transaction:
            """Be the only one among all processes that holds `name`, until the block ends; else `LockHeld` at once."""

        def back_up(self, label: str) -> str:
            """Keep a complete copy before an upgrade; where it lies."""

        def copies(self) -> list[str]:
            """The copies of the store that upgrades and rescues left."""

        def remove_copy(self, name: str) -> None: ...
        def scrub(self) -> bool:
            """Rewrite index and tables so that no byte of what was deleted is left; whether that was done whole."""

        def check(self) -> list[str]: ...
        def size_bytes(self) -> int: ...
        def close(self) -> None: ...
