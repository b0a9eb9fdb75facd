"""Owns saving what still reads of a damaged SQLite store. Never changes the damaged file: it is set aside.

Every session whose events read is copied row by row; the derived tables are built anew (I1).
"""

from __future__ import annotations

import os

from segue.errors import StoreUnavailable
from segue.model.record import Record
from segue.stores import salvage as rows
from segue.stores.open import open_store, sqlite_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.ctx import Place


class Salvaged(Record):
    """What was saved: rows copied per table, and where the damaged file lies."""

    aside: str
    copied: dict[str, int]
    lost: tuple[str, ...]


def salvage(place: Place) -> Salvaged:
    """Set the damaged store aside and fill a new one with every row that still reads."""
    path = sqlite_path(place.store_url)
    stamp = "".join(c for c in place.now() if c.isdigit())
    aside = f"{path}.damaged-{stamp}"
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.replace(path + suffix, aside + suffix)
    fresh = open_store(place.store_url, now=place.now())
    try:
        copied, lost = rows.copy(aside, fresh)
    except StoreUnavailable as error:
        copied, lost = {}, [str(error)]
    finally:
        fresh.close()
    return Salvaged(aside=aside, copied=copied, lost=tuple(lost))
