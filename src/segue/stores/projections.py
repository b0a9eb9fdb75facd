"""Owns the rows of projections: states folded from a log, each as of one of its events. Never folds."""

from __future__ import annotations

from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.stores.engine import Engine

HERE = "tenant = :tenant AND session_id = :session_id"


class Kept(Record):
    """A state as it was after `seq` events, whose last has this chain. `state` is JSON text."""

    name: str
    version: int
    seq: int
    chain: bytes
    state: str


def of(engine: Engine, tenant: str, session_id: str) -> dict[str, Kept]:
    """What is kept of a log, by the fold's name."""
    rows = engine.all(
        f"SELECT name, version, seq, chain, state FROM projections WHERE {HERE}",
        {"tenant": tenant, "session_id": session_id},
    )
    return {str(r[0]): Kept(name=r[0], version=int(r[1]), seq=int(r[2]), chain=bytes(r[3]), state=r[4]) for r in rows}


def put(engine: Engine, tenant: str, session_id: str, kept: Kept) -> None:
    """Keep a state in place of an older one."""
    engine.run(
        "INSERT INTO projections (tenant, session_id, name, version, seq, chain, state) VALUES (:tenant, :session_id,"
        " :name, :version, :seq, :chain, :state) ON CONFLICT (tenant, session_id, name) DO UPDATE SET"
        " version = excluded.version, seq = excluded.seq, chain = excluded.chain, state = excluded.state",
        {"tenant": tenant, "session_id": session_id, **kept.as_dict()},
    )


def drop(engine: Engine, tenant: str, session_id: str) -> None:
    """Forget what is kept of a log."""
    engine.run(f"DELETE FROM projections WHERE {HERE}", {"tenant": tenant, "session_id": session_id})


def clear(engine: Engine) -> None:
    """Forget everything, of every tenant: it is folded anew when it is asked for."""
    engine.run("DELETE FROM projections")
