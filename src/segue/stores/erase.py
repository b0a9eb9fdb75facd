"""Owns taking what was said out of every table. Never decides what goes; the caller holds the transaction."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from segue.stores.engine import Engine, Params

#: tables with rows of one log that go with it
OF_LOG = ("event_docs", "placements", "rewrites", "projections", "events", "sessions")
#: fields of a header that people or models wrote
SPOKEN = ("title", "cwd", "branch", "model", "agent_type")
#: events named in one statement
AT_ONCE = 500
HERE = "tenant = :tenant AND session_id = :session_id"


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
    """Drop the texts of events, their documents and the lines that blocks took from them; their places stay."""
    params = {"tenant": tenant, "session_id": session_id}
    for at in range(0, len(seqs), AT_ONCE):
        some = ", ".join(str(int(seq)) for seq in seqs[at : at + AT_ONCE])
        engine.run(
            f"UPDATE events SET body = NULL, salt = NULL, subject = NULL WHERE {HERE} AND seq IN ({some})", params
        )
        for table in ("event_docs", "rewrites"):
            engine.run(f"DELETE FROM {table} WHERE {HERE} AND seq IN ({some})", params)
        engine.run(f"DELETE FROM projections WHERE {HERE}", params)
        engine.run(f"DELETE FROM injection_items WHERE {HERE} AND (seq IN ({some}) OR seq IS NULL)", params)


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


def lines_with(engine: Engine, tenant: str, text: str) -> None:
    """Remove the lines of blocks in which a text stands."""
    engine.run(
        "DELETE FROM injection_items WHERE tenant = :tenant AND text LIKE :told ESCAPE '!'",
        {"tenant": tenant, "told": f"%{_literal(text)}%"},
    )


def import_state(engine: Engine, tenant: str, host_session_id: str) -> None:
    """Drop what the readers of transcripts remember of a session, where they told its host's id."""
    engine.run(
        "UPDATE import_positions SET state = '{}' WHERE tenant = :tenant AND state LIKE :told ESCAPE '!'",
        {"tenant": tenant, "told": f'%"{_literal(host_session_id)}"%'},
    )


def _literal(text: str) -> str:
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
