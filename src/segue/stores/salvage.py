"""Owns copying rows out of a damaged SQLite file. Never writes to it.

A table is read in one go; events, the largest and the most precious, are read range by range, and where a range does
not read, row by row, so that one bad page costs only what stood on it.
"""

from __future__ import annotations

import os
import shutil

from segue.errors import StoreUnavailable
from segue.stores import docs
from segue.stores.open import foreign_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from segue.stores.engine import Engine, Row

#: the tables that are the truth (I1), in an order in which nothing is missing what it points to
TRUTH = (
    "store_meta", "principals", "projects", "project_roots", "sessions", "events", "import_positions", "injections",
    "injection_items", "placements", "rewrites", "tombstones", "audit",
)  # fmt: skip
#: rows per transaction and per range
ROWS_AT_ONCE = 100
#: how far beyond the events that the sessions tell of more are looked for
BEYOND = 2000


def copy(path: str, target: Engine) -> tuple[dict[str, int], list[str]]:
    """Rows copied per table, and what could not be read."""
    readable = _whole_length(path)
    copied: dict[str, int] = {}
    lost: list[str] = []
    try:
        for table in TRUTH:
            copied[table], problem = _copy_table(readable, target, table)
            if problem:
                lost.append(f"{table}: {problem}")
        with target.transaction():
            docs.clear(target)  # the index is made anew, whatever the sessions say of the old one
    finally:
        if readable != path:
            _remove_with_journal(readable)
    return copied, lost


def _remove_with_journal(path: str) -> None:
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)


def _whole_length(path: str) -> str:
    """The file, or a copy of it filled up with zeros where it was cut off: SQLite reads neither short files nor us."""
    with open(path, "rb") as file:
        head = file.read(100)
        size = os.fstat(file.fileno()).st_size
    page = int.from_bytes(head[16:18], "big") or 4096
    wanted = (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")
    if not head.startswith(b"SQLite format 3") or not size < wanted < size * 20 + 10_000_000:
        return path
    whole = path + ".whole"
    shutil.copyfile(path, whole)
    if os.path.exists(path + "-wal"):
        shutil.copyfile(path + "-wal", whole + "-wal")
    os.truncate(whole, wanted)
    return whole


def _copy_table(path: str, target: Engine, table: str) -> tuple[int, str | None]:
    try:
        columns = [str(row[1]) for row in foreign_rows(path, f"PRAGMA table_info({table})", ())]
    except StoreUnavailable as error:
        return 0, error.detail
    if not columns:
        return 0, "not in the file"
    names, values = ", ".join(columns), ", ".join(f":{column}" for column in columns)
    insert = f"INSERT INTO {table} ({names}) VALUES ({values}) ON CONFLICT DO NOTHING"
    copied = 0
    batch: list[dict[str, object]] = []
    problems: list[str] = []
    rows = _events(path, names, target, problems) if table == "events" else _rows(path, names, table, problems)
    for row in rows:
        batch.append(dict(zip(columns, row, strict=True)))
        if len(batch) >= ROWS_AT_ONCE:
            copied += _flush(target, insert, batch)
    copied += _flush(target, insert, batch)
    return copied, problems[0] if problems else None


def _flush(target: Engine, insert: str, batch: list[dict[str, object]]) -> int:
    with target.transaction():
        target.run_many(insert, batch)
    count = len(batch)
    batch.clear()
    return count


def _rows(path: str, names: str, table: str, problems: list[str]) -> Iterator[Row]:
    """A table from its beginning to its end, or to where it breaks off."""
    try:
        yield from foreign_rows(path, f"SELECT {names} FROM {table}", ())
    except StoreUnavailable as error:
        problems.append(error.detail)


def _events(path: str, names: str, target: Engine, problems: list[str]) -> Iterator[Row]:
    """Events range by range, bad ranges row by row."""
    known = target.one("SELECT coalesce(sum(next_seq), 0) FROM sessions")
    last = (int(known[0]) if known else 0) + BEYOND
    for low in range(1, last + 1, ROWS_AT_ONCE):
        query = f"SELECT {names} FROM events WHERE rowid BETWEEN ? AND ?"
        try:
            yield from list(foreign_rows(path, query, (low, low + ROWS_AT_ONCE - 1)))
        except StoreUnavailable as error:
            problems.append(error.detail)
            yield from _one_by_one(path, query, low)


def _one_by_one(path: str, query: str, low: int) -> Iterator[Row]:
    for rowid in range(low, low + ROWS_AT_ONCE):
        try:
            found = list(foreign_rows(path, query, (rowid, rowid)))
        except StoreUnavailable:
            continue  # this row stood on the damaged page; the table's loss is told already
        yield from found
