"""Owns opening a store by its URL. The only module that names an engine; never migrates a store that is ready."""

from __future__ import annotations

import os

from segue.errors import StoreNewer, StoreOlder, StoreUnavailable, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from segue.stores.engine import Engine, Row

#: the newest schema that this version writes; `migrate` knows the way there
SCHEMA_VERSION = 6


def open_store(url: str, *, now: str, busy_s: float = 5.0, upgrade: bool = True) -> Engine:
    """Open `sqlite:///PATH`, `sqlite://:memory:` or `postgresql://…`, migrated to the newest schema.

    `busy_s` is how long to wait for another writer, in seconds. Without `upgrade` an older store raises `StoreOlder`.
    """
    if url.startswith("sqlite://"):
        return _ready(_open_sqlite(sqlite_path(url), busy_s), now, upgrade)
    if url.startswith(("postgresql://", "postgres://")):
        return _ready(_open_postgres(url, busy_s), now, upgrade)
    raise UsageError(f"store URL {url.split(':', 1)[0]}:…", hint="Use sqlite:///PATH or postgresql://….")


def sqlite_path(url: str) -> str:
    """The file that a `sqlite://` URL names."""
    rest = url.removeprefix("sqlite://")
    if rest == ":memory:":
        return rest
    # three slashes and a drive letter: sqlite:///C:/x names C:/x
    return rest[1:] if len(rest) > 2 and rest[2] == ":" else rest


def _open_sqlite(path: str, busy_s: float) -> Engine:
    from segue.stores.sqlite import SqliteEngine

    if path != ":memory:":
        _make_private(path)
    engine = SqliteEngine(path, busy_s=busy_s)
    engine.run("PRAGMA synchronous = FULL")
    return engine


def _open_postgres(url: str, busy_s: float) -> Engine:
    from segue.stores.postgres import PostgresEngine

    return PostgresEngine(url, busy_s=busy_s)


def _ready(engine: Engine, now: str, upgrade: bool) -> Engine:
    try:
        version = engine.schema_version()
        if version > SCHEMA_VERSION:
            raise StoreNewer(f"schema {version}, this Segue knows {SCHEMA_VERSION}")
        if 0 < version < SCHEMA_VERSION and not upgrade:
            raise StoreOlder(f"schema {version}, this Segue writes {SCHEMA_VERSION}")
        if version != SCHEMA_VERSION:
            from segue.stores.migrate import migrate

            migrate(engine, now)
    except BaseException:
        engine.close()
        raise
    return engine


def _make_private(path: str) -> None:
    """Owner-only folder and file, made before the engine could make them wider."""
    try:
        folder = os.path.dirname(path)
        if folder and not os.path.isdir(folder):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        if not os.path.exists(path):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StoreUnavailable(f"{path}: {error.strerror}") from error


def foreign_rows(path: str, sql: str, params: tuple[object, ...]) -> Iterator[Row]:
    """Stream rows of another program's SQLite file, opened read-only."""
    from segue.stores import sqlite

    return sqlite.foreign_rows(path, sql, params)
