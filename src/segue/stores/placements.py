"""Owns the rows of placements and of whole entries: which events replace or cite which. Never judges a place."""

from __future__ import annotations

from segue.model.entry import Entry
from segue.model.record import Record
from segue.stores.events import ADDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from segue.stores.engine import Engine, Row

COLUMNS = ("tenant", "session_id", "seq", "low", "high", "cites")
#: what an entry is made of, beside its placement
ENTRY_FIELDS = (
    "seq", "type", "origin", "event_time", "recorded_at", "action", "outcome", "dedupe", "body_digest", "chain", "salt",
    "size", "subject", "body",
)  # fmt: skip
ENTRY_COLUMNS = ", ".join(f"e.{name}" for name in ENTRY_FIELDS) + ", r.digest, p.low, p.high, p.cites"
#: events whose surface is changed by one statement
SHADED_AT_ONCE = 500


class Placement(Record):
    """What one event replaces (the first and last of a range of places on the surface, or None) and cites."""

    seq: int
    replaces: tuple[int, int] | None
    cites: tuple[int, ...]


def add(engine: Engine, tenant: str, session_id: str, placements: Sequence[Placement]) -> None:
    """Store the placements of events that are stored in the same transaction."""
    engine.insert("placements", COLUMNS, [_row(tenant, session_id, placement) for placement in placements])


def _row(tenant: str, session_id: str, placement: Placement) -> Row:
    low, high = placement.replaces or (None, None)
    return tenant, session_id, placement.seq, low, high, " ".join(map(str, placement.cites))


def of(engine: Engine, tenant: str, session_id: str, low: int = 0, high: int | None = None) -> dict[int, Placement]:
    """The placements of a log's events with low <= seq < high, by their number."""
    rows = engine.all(
        "SELECT seq, low, high, cites FROM placements WHERE tenant = :tenant AND session_id = :session_id"
        " AND seq >= :low AND seq < :high ORDER BY seq",
        {"tenant": tenant, "session_id": session_id, "low": low, "high": (1 << 62) if high is None else high},
    )
    return {int(row[0]): _placement(row) for row in rows}


def entries(engine: Engine, tenant: str, session_id: str, low: int, limit: int) -> list[Entry]:
    """A log's entries from number `low` on, whole, without a reader's scope."""
    rows = engine.all(
        f"SELECT {ENTRY_COLUMNS} FROM events e LEFT JOIN placements p ON p.tenant = e.tenant"
        " AND p.session_id = e.session_id AND p.seq = e.seq LEFT JOIN rewrites r ON r.tenant = e.tenant"
        " AND r.session_id = e.session_id AND r.seq = e.seq WHERE e.tenant = :tenant AND e.session_id = :session_id"
        " AND e.seq >= :low ORDER BY e.seq LIMIT :limit",
        {"tenant": tenant, "session_id": session_id, "low": low, "limit": limit},
    )
    return [_entry(row) for row in rows]


def entry_of(row: Row, replaces: tuple[int, int] | None, cites: tuple[int, ...]) -> Entry:
    """The entry that a row in the order of `events.ADDED` is."""
    own = dict(zip(ADDED, row, strict=True))
    return Entry(**{name: own[name] for name in ENTRY_FIELDS}, replaces=replaces, cites=cites)


def _entry(row: Row) -> Entry:
    plain = dict(zip(ENTRY_FIELDS, row, strict=False))
    for name in ("dedupe", "body_digest", "chain", "salt"):
        plain[name] = None if plain[name] is None else bytes(plain[name])
    placement = _placement((row[0], *row[-3:-1], row[-1] or ""))
    rewrite = None if row[-4] is None else bytes(row[-4])
    return Entry(**plain, replaces=placement.replaces, cites=placement.cites, rewrite=rewrite)


def _placement(row: Row) -> Placement:
    return Placement(
        seq=int(row[0]),
        replaces=None if row[1] is None or row[2] is None else (int(row[1]), int(row[2])),
        cites=tuple(map(int, row[3].split())),
    )


def shade(engine: Engine, tenant: str, session_id: str, seqs: Sequence[int]) -> None:
    """Mark events as shadowed, in the log and in the index."""
    for at in range(0, len(seqs), SHADED_AT_ONCE):
        numbers = ", ".join(str(int(seq)) for seq in seqs[at : at + SHADED_AT_ONCE])
        for table in ("events", "event_docs"):
            engine.run(
                f"UPDATE {table} SET surface = 'shadowed' WHERE tenant = :tenant AND session_id = :session_id"
                f" AND seq IN ({numbers})",
                {"tenant": tenant, "session_id": session_id},
            )
