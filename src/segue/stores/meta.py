"""Owns the store's own facts: its id and its dedupe key. Never holds settings."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.stores.engine import Engine


def value(engine: Engine, name: str) -> str | None:
    """The fact of that name."""
    row = engine.one("SELECT value FROM store_meta WHERE name = :name", {"name": name})
    return None if row is None else str(row[0])


def dedupe_key(engine: Engine) -> str:
    """The store's key for digests that tell nothing without it, made when it is first asked for."""
    return value(engine, "dedupe_key") or set_once(engine, "dedupe_key", os.urandom(16).hex())


def hold(engine: Engine) -> None:
    """Let others who ask for this wait, where the engine locks rows, until the transaction ends."""
    dedupe_key(engine)
    engine.one("SELECT value FROM store_meta WHERE name = 'dedupe_key'" + engine.for_update)


def put(engine: Engine, name: str, text: str) -> None:
    """Keep a fact in place of what was kept."""
    engine.run(
        "INSERT INTO store_meta (name, value) VALUES (:name, :value)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        {"name": name, "value": text},
    )


def drop(engine: Engine, name: str) -> None:
    """Forget a fact."""
    engine.run("DELETE FROM store_meta WHERE name = :name", {"name": name})


def set_once(engine: Engine, name: str, text: str) -> str:
    """Keep a fact unless there is one; the fact that holds now."""
    engine.run(
        "INSERT INTO store_meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING",
        {"name": name, "value": text},
    )
    return value(engine, name) or text
