"""Owns the PostgreSQL engine. Never known outside `stores.open`; the driver is an extra."""

from __future__ import annotations

import re
from contextlib import contextmanager
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from segue.errors import DriverMissing, LockHeld, StoreCorrupt, StoreLocked, StoreUnavailable

try:
    import psycopg
except ImportError as error:
    raise DriverMissing() from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from segue.stores.engine import Params, Row, Terms, Transaction

#: one key for all of Segue's advisory locks, "SEGU"
LOCK_KEY = 0x53454755
#: the last position that a tsvector can hold (PostgreSQL manual, 12.11)
MAX_POSITION = 16383
#: words and parts of one event that are indexed, far below the 1 MiB limit of a tsvector
MAX_LEXEMES = 40_000
NAMED = re.compile(r"(?<![:\w]):([a-z_]+)")
NO_PARAMS: Mapping[str, Any] = {}


class PostgresEngine:
    """One connection, bound to one schema (`?schema=` in the URL, `segue` if there is none)."""

    name = "postgresql"
    for_update = " FOR UPDATE"
    for_update_free = " FOR UPDATE SKIP LOCKED"
    match_from = "event_docs d, CAST(:match AS tsquery) AS q"
    match_where = "d.words @@ q AND d.docid BETWEEN :low AND :high"
    # weights of D, C, B, A: words carry A, parts carry D; 1 divides by 1 + log(length)
    match_score = "-ts_rank('{0.4, 0.4, 0.4, 1.0}', d.words, q, 1)"

    def __init__(self, url: str, *, busy_s: float = 5.0) -> None:
        address, self.schema = _split_schema(url)
        self._texts: dict[str, str] = {}
        self._busy_s = busy_s
        try:
            self._connection = psycopg.connect(address, autocommit=True, connect_timeout=max(2, int(busy_s)))
        except psycopg.Error as error:
            raise StoreUnavailable(str(error).strip().splitlines()[0]) from error
        self.run(f'SET search_path TO "{self.schema}"')
        self.run(f"SET lock_timeout TO {int(busy_s * 1000)}")
        self.run("SET client_min_messages TO warning")

    def prepare(self) -> None:
        """Make the schema before the first migration."""
        self.run(f'CREATE SCHEMA IF NOT EXISTS "{self.schema}"')

    def _tables(self) -> set[str]:
        rows = self.all("SELECT tablename FROM pg_tables WHERE schemaname = :schema", {"schema": self.schema})
        return {row[0] for row in rows}

    def is_foreign(self) -> bool:
        """Whether the schema belongs to another program."""
        tables = self._tables()
        return bool(tables) and not {"migrations", "store_meta"} <= tables

    def schema_version(self) -> int:
        """The newest migration in the schema; 0 for a new one."""
        if "migrations" not in self._tables():
            return 0
        row = self.one("SELECT max(version) FROM migrations")
        return int(row[0] or 0) if row else 0

    def set_schema_version(self, version: int) -> None:
        """Nothing: on PostgreSQL the ledger is the only record."""

    def all(self, sql: str, params: Params = NO_PARAMS) -> list[Row]:
        with self._named():
            return self._connection.execute(self._text(sql), params or None).fetchall()

    def one(self, sql: str, params: Params = NO_PARAMS) -> Row | None:
        with self._named():
            return self._connection.execute(self._text(sql), params or None).fetchone()

    def run(self, sql: str, params: Params = NO_PARAMS) -> int:
        with self._named():
            return self._connection.execute(self._text(sql), params or None).rowcount

    def run_many(self, sql: str, rows: Sequence[Params]) -> None:
        with self._named(), self._connection.cursor() as cursor:
            cursor.executemany(self._text(sql), rows)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})"
        with self._named(), self._connection.cursor() as cursor:
            cursor.executemany(sql, rows)

    def run_script(self, text: str) -> None:
        """Run a migration's statements inside the open transaction."""
        self.run(text)

    def transaction(self, *, durable: bool = True) -> Transaction:
        return self._transaction(durable)

    @contextmanager
    def _transaction(self, durable: bool) -> Iterator[None]:
        with self._named(), self._connection.transaction():
            if not durable:
                self.run("SET LOCAL synchronous_commit TO off")
            yield

    def migration_lock(self) -> Transaction:
        """Held by the one process that migrates."""
        return self._advisory_lock()

    @contextmanager
    def _advisory_lock(self) -> Iterator[None]:
        self.run("SET lock_timeout TO 60000")  # a migration may take longer than a writer may wait
        self.run("SELECT pg_advisory_lock(:key)", {"key": LOCK_KEY})
        try:
            yield
        finally:
            self.run("SELECT pg_advisory_unlock(:key)", {"key": LOCK_KEY})
            self.run(f"SET lock_timeout TO {int(self._busy_s * 1000)}")

    @contextmanager
    def hold(self, name: str) -> Iterator[None]:
        """An advisory lock of the connection, which the server frees when the connection ends."""
        params = {"key": f"{self.schema}\0{name}".replace("\0", "\x1f")}
        row = self.one("SELECT pg_try_advisory_lock(hashtextextended(:key, 0))", params)
        if row is None or not row[0]:
            raise LockHeld(name.replace("\0", " "))
        try:
            yield
        finally:
            self.run("SELECT pg_advisory_unlock(hashtextextended(:key, 0))", params)

    def match_query(self, terms: Terms) -> str:
        return " | ".join("(" + " <-> ".join(map(_lexeme, words)) + ")" for words in terms)

    def add_docs(self, rows: Sequence[Row]) -> None:
        with self._named(), self._connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO event_docs (docid, tenant, session_id, seq, type, surface, event_time, words)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, CAST(%s AS tsvector)) ON CONFLICT DO NOTHING",
                [(*row[:-2], _vector(row[-2], row[-1])) for row in rows],
            )

    def remove_docs(self, rows: Sequence[Row]) -> None:
        """Nothing: the words stand in the rows of `event_docs`."""

    def clear_index(self) -> None:
        self.run("DELETE FROM event_docs")

    def back_up(self, label: str) -> str:
        """Copy every table into a schema of its own; its name."""
        target = f"{self.schema}_{label}"
        self.run(f'DROP SCHEMA IF EXISTS "{target}" CASCADE')
        self.run(f'CREATE SCHEMA "{target}"')
        for table in sorted(self._tables()):
            self.run(f'CREATE TABLE "{target}"."{table}" AS TABLE "{self.schema}"."{table}"')
        return target

    def copies(self) -> list[str]:
        """Schemas that upgrades left; one of another name is somebody else's."""
        rows = self.all(
            "SELECT nspname FROM pg_namespace WHERE nspname ~ :name ORDER BY nspname",
            {"name": f"^{self.schema}_before_v[0-9]+$"},
        )
        return [str(row[0]) for row in rows]

    def remove_copy(self, name: str) -> None:
        """Drop such a schema."""
        if name in self.copies():
            self.run(f'DROP SCHEMA "{name}" CASCADE')

    def scrub(self) -> bool:
        """Write every table and index anew. The server's own log and its backups are beyond our reach."""
        for table in sorted(self._tables()):
            self.run(f'VACUUM (FULL) "{self.schema}"."{table}"')
        return True

    def check(self) -> list[str]:
        """The engine's own findings; PostgreSQL has none to give to a client."""
        return []

    def size_bytes(self) -> int:
        """Bytes of all tables with their indexes."""
        row = self.one(
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = :schema AND c.relkind = 'r'",
            {"schema": self.schema},
        )
        return int(row[0]) if row else 0

    def close(self) -> None:
        self._connection.close()

    def _text(self, sql: str) -> str:
        text = self._texts.get(sql)
        if text is None:
            text = self._texts[sql] = NAMED.sub(r"%(\1)s", sql)
        return text

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected) as error:
            raise StoreLocked(str(error).strip()) from error
        except psycopg.errors.DataCorrupted as error:
            raise StoreCorrupt(str(error).strip()) from error
        except psycopg.Error as error:
            raise StoreUnavailable(str(error).strip()) from error


def _split_schema(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    query = parse_qsl(parts.query)
    schema = next((value for name, value in query if name == "schema"), "segue")
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,40}", schema):
        raise StoreUnavailable(f"schema name {schema!r}", hint="Use lower-case letters, digits and underscores.")
    rest = urlencode([pair for pair in query if pair[0] != "schema"])
    return urlunsplit(parts._replace(query=rest)), schema


def _lexeme(word: str) -> str:
    bare = word[:-1] if word.endswith("*") else word
    quoted = "'" + bare.replace("\\", "\\\\").replace("'", "''") + "'"
    return quoted + ":*" if word.endswith("*") else quoted


def _vector(words: str, parts: str) -> str:
    """Our own words as a tsvector, so that no text-search parser decides what a word is."""
    marks = [
        f"{_lexeme(word)}:{min(at, MAX_POSITION)}A" for at, word in enumerate(words.split()[:MAX_LEXEMES], start=1)
    ]
    gap = len(marks) + 2
    marks += [
        f"{_lexeme(word)}:{min(at, MAX_POSITION)}" for at, word in enumerate(parts.split()[:MAX_LEXEMES], start=gap)
    ]
    return " ".join(marks)
