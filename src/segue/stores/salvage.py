"""Owns copying rows out of a damaged SQLite file. Never writes to it."""

from __future__ import annotations

from segue.errors import StoreUnavailable
from segue.stores.open import foreign_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.stores.engine import Engine

#: the tables that are the truth (I1), in an order in which nothing is missing what it points to
TRUTH = (
    "store_meta", "principals", "projects", "project_roots", "sessions", "events", "import_positions", "injections",
    "injection_items",
)  # fmt: skip
ROWS_AT_ONCE = 100


def copy(path: str, target: Engine) -> tuple[dict[str, int], list[str]]:
    """Rows copied per table, and what could not be read. A table that breaks off keeps what came before the break."""
    copied: dict[str, int] = {}
    lost: list[str] = []
    for table in TRUTH:
        copied[table] = 0
        try:
            columns = [str(row[1]) for row in foreign_rows(path, f"PRAGMA table_info({table})", ())]
            if not columns:
                lost.append(f"{table}: not in the file")
                continue
            _copy_table(path, target, table, columns, copied)
        except StoreUnavailable as error:
            lost.append(f"{table}: {error.detail}")
    return copied, lost


def _copy_table(path: str, target: Engine, table: str, columns: list[str], copied: dict[str, int]) -> None:
    names, values = ", ".join(columns), ", ".join(f":{column}" for column in columns)
    insert = f"INSERT INTO {table} ({names}) VALUES ({values}) ON CONFLICT DO NOTHING"
    batch: list[dict[str, object]] = []

    def flush() -> None:
        with target.transaction():
            target.run_many(insert, batch)
        copied[table] += len(batch)
        batch.clear()

    try:
        for row in foreign_rows(path, f"SELECT {names} FROM {table}", ()):
            batch.append(dict(zip(columns, row, strict=True)))
            if len(batch) >= ROWS_AT_ONCE:
                flush()
    finally:
        if batch:
            flush()
