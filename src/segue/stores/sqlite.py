"""Owns the SQLite engine: one file, WAL, no loadable extension. Never known outside `stores.open`.

The C module is imported directly because the `sqlite3` package costs a hook several milliseconds (decision 0001).
"""

from __future__ import annotations

import os
import sys
import time

from segue.errors import StoreCorrupt, StoreLocked, StoreUnavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Any

    from segue.stores.engine import Params, Row, Terms
    from segue.system.locks import FileLock


def _load_driver() -> Any:
    """The C module of `sqlite3`, without the imports it makes only to cache statements.

    It wants `functools.lru_cache`; importing `functools` costs a hook as much as the database does, and the C part of
    that cache is built in. Where `functools` is loaded already, or the module is another, nothing is different.
    """
    try:
        if "functools" in sys.modules:
            import _sqlite3

            return _sqlite3
        return _load_alone()
    except (ImportError, AttributeError):
        import sqlite3

        return sqlite3


def _load_alone() -> Any:
    from _functools import _lru_cache_wrapper  # type: ignore[import-not-found, unused-ignore]

    def lru_cache(maxsize: int) -> Any:
        return lambda function: _lru_cache_wrapper(function, maxsize, False, tuple)

    stand_in = type(sys)("functools")
    stand_in.lru_cache = lru_cache  # type: ignore[attr-defined]
    sys.modules["functools"] = stand_in
    try:
        import _sqlite3

        return _sqlite3
    finally:
        del sys.modules["functools"]


driver = _load_driver()

#: "SEGU": tells a Segue store from any other SQLite file (PRAGMA application_id)
APPLICATION_ID = 0x53454755
NO_PARAMS: Mapping[str, Any] = {}


class _Transaction:
    """A write transaction: the lock is taken at the start, so it cannot fail halfway for another writer."""

    __slots__ = ("_connection", "_durable")

    def __init__(self, connection: Any, *, durable: bool) -> None:
        self._connection = connection
        self._durable = durable

    def __enter__(self) -> None:
        with _Named("begin"):
            if not self._durable:  # in WAL, what was committed before stays, and in order
                self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                with _Named("commit"):
                    self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if not self._durable:
                self._connection.execute("PRAGMA synchronous = FULL")


class _Named:
    """Turns the driver's errors into Segue's."""

    __slots__ = ("_what",)

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, driver.Error):
            return
        text = str(error)
        if "locked" in text or "busy" in text:
            raise StoreLocked(text) from error
        if "malformed" in text or "not a database" in text or "corrupt" in text:
            raise StoreCorrupt(text) from error
        if "unable to open" in text or "readonly" in text or "disk" in text or "full" in text:
            raise StoreUnavailable(text) from error
        raise StoreUnavailable(f"{self._what.split(maxsplit=1)[0]}: {text}") from error


class SqliteEngine:
    """One connection to one file (or to `:memory:`). `busy_s` is how long a writer waits for another, in seconds."""

    name = "sqlite"
    for_update = for_update_free = ""
    match_from = "event_fts JOIN event_docs d ON d.docid = event_fts.rowid"
    match_where = "event_fts MATCH :match AND event_fts.rowid BETWEEN :low AND :high"
    match_score = "bm25(event_fts, 1.0, 0.4)"

    def __init__(self, path: str, *, busy_s: float = 5.0, read_only: bool = False) -> None:
        self.path = path
        target = path
        if read_only:
            quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
            target = f"file:{quoted}?mode=ro"
        with _Named("open"):
            self._connection = driver.connect(
                target, timeout=busy_s, isolation_level=None, check_same_thread=False, uri=read_only
            )

    def prepare(self) -> None:
        """Set up a new file before its first migration, with WAL where that is safe."""
        from segue.system.paths import network_file_system

        if self.path != ":memory:":
            journal = "delete" if network_file_system(self.path) else "wal"
            deadline = time.monotonic() + 5
            while self._switch_journal(journal) is False and time.monotonic() < deadline:
                time.sleep(0.01)
        self.run(f"PRAGMA application_id = {APPLICATION_ID}")

    def _switch_journal(self, journal: str) -> bool:
        # The switch needs the file alone for a moment and does not wait for it by itself.
        try:
            self.all(f"PRAGMA journal_mode = {journal}")
        except StoreLocked:
            return False
        return True

    def is_foreign(self) -> bool:
        """Whether the file belongs to another program."""
        row = self.one("SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id")
        return row is not None and row[0] != APPLICATION_ID and row[1] > 0

    def schema_version(self) -> int:
        """The newest migration in the file; 0 for a new one or one that is not Segue's."""
        row = self.one("SELECT user_version, application_id FROM pragma_user_version, pragma_application_id")
        return int(row[0]) if row and row[1] == APPLICATION_ID else 0

    def set_schema_version(self, version: int) -> None:
        """Record the newest migration where opening reads it without touching a table."""
        self.run(f"PRAGMA user_version = {version:d}")

    def all(self, sql: str, params: Params = NO_PARAMS) -> list[Row]:
        with _Named(sql):
            rows: list[Row] = self._connection.execute(sql, params).fetchall()
            return rows

    def one(self, sql: str, params: Params = NO_PARAMS) -> Row | None:
        with _Named(sql):
            row: Row | None = self._connection.execute(sql, params).fetchone()
            return row

    def run(self, sql: str, params: Params = NO_PARAMS) -> int:
        with _Named(sql):
            return int(self._connection.execute(sql, params).rowcount)

    def run_many(self, sql: str, rows: Sequence[Params]) -> None:
        with _Named(sql):
            self._connection.executemany(sql, rows)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        with _Named(sql):
            self._connection.executemany(sql, rows)

    def run_script(self, text: str) -> None:
        """Run a migration's statements inside the open transaction (`executescript` would commit it)."""
        for statement in split_statements(text):
            self.run(statement)

    def transaction(self, *, durable: bool = True) -> _Transaction:
        return _Transaction(self._connection, durable=durable)

    def match_query(self, terms: Terms) -> str:
        return " OR ".join(_phrase(words) for words in terms)

    def add_docs(self, rows: Sequence[Row]) -> None:
        columns = ("docid", "tenant", "session_id", "seq", "type", "surface", "event_time")
        self.insert("event_docs", columns, [row[:-2] for row in rows])
        self.insert("event_fts", ("rowid", "words", "parts"), [(row[0], row[-2], row[-1]) for row in rows])

    def remove_docs(self, rows: Sequence[Row]) -> None:
        self._connection.executemany(
            "INSERT INTO event_fts (event_fts, rowid, words, parts) VALUES ('delete', ?, ?, ?)", rows
        )

    def clear_index(self) -> None:
        self.run("INSERT INTO event_fts (event_fts) VALUES ('delete-all')")
        self.run("DELETE FROM event_docs")

    def migration_lock(self) -> FileLock | _Named:
        """Held by the one process that migrates."""
        from segue.system.locks import FileLock

        if self.path == ":memory:":
            return _Named("migrate")
        return FileLock(self.path + ".lock", timeout_s=60)

    def hold(self, name: str) -> FileLock | _Named:
        """A lock file beside the store, gone when it is free; a store in memory has no other process."""
        from hashlib import sha256

        from segue.system.locks import FileLock

        if self.path == ":memory:":
            return _Named("hold")
        folder = self.path + ".held"
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"{folder}: {error.strerror}") from error
        digest = sha256(name.encode("utf-8", "replace")).hexdigest()[:32]
        return FileLock(os.path.join(folder, digest), timeout_s=0, vanishes=True)

    def back_up(self, label: str) -> str:
        """Write a complete copy beside the file; its path."""
        path = f"{self.path}.{label}"
        if os.path.exists(path):
            os.remove(path)
        self.run("VACUUM INTO :path", {"path": path})
        os.chmod(path, 0o600)
        return path

    def copies(self) -> list[str]:
        """The copies beside the store that upgrades and rescues left; a file of another name is somebody else's."""
        if self.path == ":memory:":
            return []
        folder, name = os.path.split(self.path)
        found = (
            entry for entry in os.listdir(folder or ".") if entry.startswith(name) and _is_copy(entry[len(name) :])
        )
        return sorted(filter(os.path.isfile, (os.path.join(folder, entry) for entry in found)))

    def remove_copy(self, name: str) -> None:
        """Remove such a file. Raises `StoreUnavailable` where that cannot be."""
        if name not in self.copies():
            return
        try:
            os.remove(name)
        except OSError as error:
            raise StoreUnavailable(f"{name}: {error.strerror}") from error

    def scrub(self) -> bool:
        """Merge the index into one part, write the file anew, and empty the journal, unless a reader needs it."""
        self.run("INSERT INTO event_fts (event_fts) VALUES ('optimize')")
        self.run("VACUUM")
        row = self.one("PRAGMA wal_checkpoint(TRUNCATE)")
        return row is None or row[0] == 0

    def check(self) -> list[str]:
        """The engine's own findings about the file; empty when it is sound."""
        found = [str(row[0]) for row in self.all("PRAGMA quick_check(20)")]
        return [] if found == ["ok"] else found

    def size_bytes(self) -> int:
        """Bytes of the database file, without its journal."""
        row = self.one("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        return int(row[0]) if row else 0

    def close(self) -> None:
        self._connection.close()


def _is_copy(suffix: str) -> bool:
    """Whether a file of the store's name and this suffix is a copy that Segue made, or belongs to one."""
    for mark in ("-wal", "-shm", "-journal", ".lock"):
        bare = suffix.removesuffix(mark)
        if bare != suffix:
            return _is_copy(bare)
    if suffix in (".salvaged", ".whole"):
        return True
    return any(suffix.removeprefix(begin).isdigit() for begin in (".before_v", ".damaged-") if suffix.startswith(begin))


def _phrase(words: tuple[str, ...]) -> str:
    # Words hold only letters, digits and marks (retrieval.terms); quotes are doubled all the same: a query is data.
    if words[-1].endswith("*"):
        return f'"{words[-1][:-1].replace(chr(34), chr(34) * 2)}"*'
    return '"' + " ".join(words).replace('"', '""') + '"'


def split_statements(text: str) -> Iterator[str]:
    """The statements of a schema file, whose `;` end a line and never stand inside a literal."""
    statement: list[str] = []
    for line in text.splitlines():
        bare = line.split("--", 1)[0].rstrip()
        if line.strip():
            statement.append(line)
        if bare.endswith(";"):
            yield "\n".join(statement)
            statement = []


def foreign_rows(path: str, sql: str, params: tuple[Any, ...]) -> Iterator[Row]:
    """Stream rows of another program's database, opened read-only."""
    engine = SqliteEngine(path, read_only=True)
    try:
        with _Named(sql):
            yield from engine._connection.execute(sql, params)
    finally:
        engine.close()
