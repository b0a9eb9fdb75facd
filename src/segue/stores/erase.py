"""Owns taking what was said out of every table. Never decides what goes; the caller holds the transaction."""

from __future__ import annotations

from segue.model.codec import dumps, loads
from segue.stores import meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from segue.stores.engine import Engine, Params

#: the fact that the store has to be written anew, and of which sessions' deletion
PENDING = "scrub"
#: tables with rows of one log that go with it
OF_LOG = ("event_docs", "placements", "rewrites", "projections", "events", "sessions")
#: places that a plan counts, and what of the table belongs to them
PLACES = {
    "events": ("events", " AND body IS NOT NULL"),
    "documents": ("event_docs", ""),
    "lines": ("injection_items", ""),
}
#: fields of a header that people or models wrote
SPOKEN = ("title", "cwd", "branch", "model", "agent_type")
#: events named in one statement
AT_ONCE = 500
HERE = "tenant = :tenant AND session_id = :session_id"


def begin(engine: Engine, session_ids: Collection[str]) -> None:
    """Remember that what was deleted of these sessions has left bytes."""
    meta.put(engine, PENDING, dumps(sorted({*session_ids, *(pending(engine) or ())})))


def pending(engine: Engine) -> list[str] | None:
    """The sessions of which bytes may be left beside the rows; None where no deletion has to be ended."""
    told = meta.value(engine, PENDING)
    return None if told is None else [str(name) for name in loads(told)]


def nameless(engine: Engine) -> None:
    """Forget the sessions: only what was written over is left of them."""
    meta.put(engine, PENDING, "[]")


def end(engine: Engine) -> None:
    """No byte is left."""
    meta.drop(engine, PENDING)


def log(engine: Engine, tenant: str, session_id: str) -> None:
    """Remove every row of a log, the blocks that it was shown, and the lines that other blocks took from it."""
    params = {"tenant": tenant, "session_id": session_id}
    engine.run(
        "DELETE FROM injection_items WHERE tenant = :tenant AND (session_id = :session_id OR injection_id IN"
        " (SELECT injection_id FROM injections WHERE tenant = :tenant AND session_id = :session_id))",
        params,
    )
    engine.run(f"DELETE FROM injections WHERE {HERE}", params)
    for table in OF_LOG:
        engine.run(f"DELETE FROM {table} WHERE {HERE}", params)


def bodies(engine: Engine, tenant: str, session_id: str, seqs: Sequence[int]) -> None:
    """Drop the texts of events, and their documents; their places stay."""
    params = {"tenant": tenant, "session_id": session_id}
    for some in _listed(seqs):
        engine.run(
            f"UPDATE events SET body = NULL, salt = NULL, subject = NULL WHERE {HERE} AND seq IN ({some})", params
        )
        for table in ("event_docs", "rewrites"):
            engine.run(f"DELETE FROM {table} WHERE {HERE} AND seq IN ({some})", params)
    engine.run(f"DELETE FROM projections WHERE {HERE}", params)


def lines(engine: Engine, tenant: str, session_id: str, seqs: Sequence[int]) -> None:
    """Remove the lines that blocks took from events, and from what was told of their log as a whole."""
    params = {"tenant": tenant, "session_id": session_id}
    engine.run(f"DELETE FROM injection_items WHERE {HERE} AND seq IS NULL", params)
    for some in _listed(seqs):
        engine.run(f"DELETE FROM injection_items WHERE {HERE} AND seq IN ({some})", params)


def counted(engine: Engine, tenant: str, session_id: str, seqs: Sequence[int] | None) -> dict[str, int]:
    """How much of a log, or of some of its events, lies in which place."""
    params = {"tenant": tenant, "session_id": session_id}
    conditions = ["1 = 1"] if seqs is None else [f"seq IN ({some})" for some in _listed(seqs)]
    found = dict.fromkeys(PLACES, 0)
    for condition in conditions:
        for name, (table, more) in PLACES.items():
            row = engine.one(f"SELECT count(*) FROM {table} WHERE {HERE} AND {condition}{more}", params)
            found[name] += int(row[0]) if row else 0
    if seqs is None:
        row = engine.one(f"SELECT count(*) FROM injections WHERE {HERE}", params)
        found["blocks"] = int(row[0]) if row else 0
    return found


def _listed(seqs: Sequence[int]) -> Iterator[str]:
    """The numbers as text, as many at a time as one statement takes."""
    for at in range(0, len(seqs), AT_ONCE):
        yield ", ".join(str(int(seq)) for seq in seqs[at : at + AT_ONCE])


def rewrite(engine: Engine, values: Params) -> None:
    """Put another text in an event's place, with its own salt and the digest that stands for it."""
    engine.run(f"UPDATE events SET body = :body, salt = :salt, subject = :subject WHERE {HERE} AND seq = :seq", values)
    engine.run(f"DELETE FROM projections WHERE {HERE}", values)
    engine.run(f"DELETE FROM rewrites WHERE {HERE} AND seq = :seq", values)
    engine.run(
        "INSERT INTO rewrites (tenant, session_id, seq, digest) VALUES (:tenant, :session_id, :seq, :digest)", values
    )


def header(engine: Engine, tenant: str, session_id: str, changed: Mapping[str, str | None]) -> None:
    """Give fields of a session's header another text, or none."""
    params = {"tenant": tenant, "session_id": session_id}
    for name in SPOKEN:
        if name in changed:
            engine.run(f"UPDATE sessions SET {name} = :text WHERE {HERE}", {**params, "text": changed[name]})
