"""Owns the store's own facts: its id and its dedupe key. Never holds settings."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.stores.engine import Engine


def value(engine: Engine, name: str) -> str | None:
    """The fact of that name."""
    row = engine.one("SELECT value FROM store_meta WHERE name = :name", {"name": name})
    return None if row is None else str(row[0])


def set_once(engine: Engine, name: str, text: str) -> str:
    """Keep a fact unless there is one; the fact that holds now."""
    engine.run(
        "INSERT INTO store_meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING",
        {"name": name, "value": text},
    )
    return value(engine, name) or text
