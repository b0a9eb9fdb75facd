"""Owns how a store comes to the newest schema: once, backed up, in the ledger. Never run on a ready store."""

from __future__ import annotations

import hashlib
import os

from segue.errors import MigrationChanged, StoreForeign, StoreNewer
from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from segue.stores.engine import Engine

SCHEMA_DIR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema")


class Migration(Record):
    """One step of the schema. `text` is its SQL for each engine."""

    version: int
    name: str
    text: dict[str, str]

    def checksum(self, engine: str) -> str:
        """SHA-256 of the step's text on that engine, in hex."""
        return hashlib.sha256(self.text[engine].encode()).hexdigest()

    def changes(self, engine: str) -> bool:
        """Whether the step does anything on that engine."""
        return any(line.strip() and not line.startswith("--") for line in self.text[engine].splitlines())


#: the steps of the schema, oldest first; the text of the first is `sqlite.sql`, of the second `sqlite-2.sql`, …
STEPS = (
    "first schema",
    "an index that is filled faster",
    "replaced events and inherited ones",
    "what was deleted",
    "what is to be indexed",
    "what is folded from a log",
)
_FILES = {"sqlite": "sqlite", "postgresql": "postgres"}


def shipped_migrations() -> tuple[Migration, ...]:
    """The migrations of this version, oldest first."""
    return tuple(
        Migration(version=version, name=name, text={engine: _text(engine, version) for engine in _FILES})
        for version, name in enumerate(STEPS, start=1)
    )


def _text(engine: str, version: int) -> str:
    file = _FILES[engine] + (f"-{version}" if version > 1 else "") + ".sql"
    with open(os.path.join(SCHEMA_DIR, file), encoding="utf-8") as schema:
        return schema.read()


def schema_text(engine: str) -> str:
    """The whole way to the newest schema on an engine."""
    return "\n".join(step.text[engine] for step in shipped_migrations())


def migrate(engine: Engine, now: str, migrations: Sequence[Migration] | None = None) -> str | None:
    """Bring the store to the newest schema; where its backup lies, or None if nothing had to be kept.

    Any number of processes may call this at once: one migrates, the others find it done.
    """
    steps = tuple(migrations or shipped_migrations())
    with engine.migration_lock():
        if engine.is_foreign():
            raise StoreForeign()
        found = engine.schema_version()
        if found == 0:
            engine.prepare()
        else:
            _check_ledger(engine, steps, found)
        pending = [step for step in steps if step.version > found]
        is_changed = found and any(step.changes(engine.name) for step in pending)
        backup = engine.back_up(f"before_v{pending[-1].version}") if is_changed else None
        for step in pending:
            _apply(engine, step, now)
    return backup


def _check_ledger(engine: Engine, steps: Sequence[Migration], found: int) -> None:
    newest = steps[-1].version
    if found > newest:
        raise StoreNewer(f"schema {found}, this Segue knows {newest}")
    known = {step.version: step.checksum(engine.name) for step in steps}
    for version, checksum, name in engine.all("SELECT version, checksum, engine FROM migrations ORDER BY version"):
        if name != engine.name or known.get(version) != checksum:
            raise MigrationChanged(f"version {version} on {name}")


def _apply(engine: Engine, step: Migration, now: str) -> None:
    with engine.transaction():
        engine.run_script(step.text[engine.name])
        engine.run(
            "INSERT INTO migrations (version, name, checksum, engine, applied_at)"
            " VALUES (:version, :name, :checksum, :engine, :now)",
            {
                "version": step.version,
                "name": step.name,
                "checksum": step.checksum(engine.name),
                "engine": engine.name,
                "now": now,
            },
        )
        engine.set_schema_version(step.version)
