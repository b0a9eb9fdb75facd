"""Owns saving what still reads of a damaged SQLite store. Never changes the damaged file: it is set aside.

Every session whose events read is copied row by row; the derived tables are built anew (I1).
"""

from __future__ import annotations

import os

from segue.errors import StoreUnavailable
from segue.model.record import Record
from segue.stores import salvage as rows
from segue.stores.open import open_store, sqlite_path
from segue.system.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.ctx import Place


#: what belongs to a SQLite file
SUFFIXES = ("", "-wal", "-shm")


class Salvaged(Record):
    """What was saved: rows copied per table, and where the damaged file lies."""

    aside: str
    copied: dict[str, int]
    lost: tuple[str, ...]


def salvage(place: Place) -> Salvaged:
    """Fill a new store with every row that still reads, then put it in the damaged one's place, which is kept aside.

    Processes that hold the damaged file open go on writing to it: end the hosts' sessions first.
    """
    path = sqlite_path(place.store_url)
    fresh_path = f"{path}.salvaged"
    _remove(fresh_path)
    fresh = open_store("sqlite:///" + fresh_path.removeprefix("/"), now=place.now())
    try:
        copied, lost = rows.copy(path, fresh)
    except StoreUnavailable as error:
        copied, lost = {}, [str(error)]
    finally:
        fresh.close()
    stamp = "".join(c for c in place.now() if c.isdigit())
    aside = f"{path}.damaged-{stamp}"
    with FileLock(path + ".lock", timeout_s=60):
        for suffix in SUFFIXES:
            if os.path.exists(path + suffix):
                os.replace(path + suffix, aside + suffix)
        os.replace(fresh_path, path)
    _remove(fresh_path)
    return Salvaged(aside=aside, copied=copied, lost=tuple(lost))


def _remove(path: str) -> None:
    for suffix in (*SUFFIXES, ".lock"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
