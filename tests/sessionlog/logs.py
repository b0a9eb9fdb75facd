"""Owns logs for tests of their homes: a header, entries that follow on each other, ends."""

from __future__ import annotations

import pathlib
from typing import Any

from segue.model.entry import Entry
from segue.model.scope import Project
from segue.model.session import Session
from segue.sessionlog import chain
from segue.sessionlog.homes.files import FileHome
from segue.sessionlog.homes.seam import End

#: as in `tests.engines`, which costs a process that writes more than its work
NOW = "2026-11-30T12:00:00.000Z"
ALPHA = Project(project_id="id-alpha", kind="directory", identity="/src/alpha", name="alpha", root="/src/alpha")
SLUG = "alpha-id-alpha"


def log(name: str = "local:a", **more: Any) -> Session:
    """The header of a log that has no event yet."""
    fields: dict[str, Any] = {
        "session_id": name, "project_id": "id-alpha", "principal_id": "ann", "visibility": "private", "host": "local",
        "host_session_id": name.partition(":")[2], "agent_id": None, "agent_type": None, "parent_id": None,
        "cwd": "/src/alpha", "branch": None, "model": None, "title": None, "started_at": NOW, "last_event_at": NOW,
        "recorded_at": NOW, "next_seq": 0, "status": "ok", "problem": None,
    }  # fmt: skip
    return Session(**{**fields, **more})


def entries(session: Session, count: int, end: End | None = None, **last: Any) -> list[Entry]:
    """That many prompts that follow on `end`; `last` are fields of the last one."""
    seq, head = (0, chain.genesis(session.session_id)) if end is None else (end.seq, end.chain)
    made = []
    for at in range(count):
        made.append(entry(session, End(seq=seq + at, chain=head), **(last if at == count - 1 else {})))
        head = made[-1].chain
    return made


def entry(session: Session, end: End, **own: Any) -> Entry:
    """The entry that follows on `end`: a prompt, but for its `own` fields; chained."""
    body = own.get("body", f'{{"text":"event {end.seq} ☃"}}')
    fields: dict[str, Any] = {
        "type": "user/message", "origin": "user", "event_time": NOW, "recorded_at": NOW, "action": None,
        "outcome": None, "dedupe": None, "salt": bytes([end.seq % 256]) * 16, "size": len(body), "subject": None,
        "body": body, "replaces": None, "cites": (), **own,
    }  # fmt: skip
    digest = chain.body_digest(fields["salt"], fields["subject"], body)
    told = [fields[name] for name in ("type", "origin", "event_time", "recorded_at", "action", "outcome")]
    place = chain.place(fields["replaces"], fields["cites"])
    head = chain.link(end.chain, session.session_id, end.seq, (*told, str(fields["size"]), *place), digest)
    return Entry(**fields, seq=end.seq, body_digest=digest, chain=head)


def start(session: Session) -> End:
    return End(seq=0, chain=chain.genesis(session.session_id))


def end_of(made: list[Entry]) -> End:
    return End(seq=made[-1].seq + 1, chain=made[-1].chain)


def opened(tmp_path: pathlib.Path) -> FileHome:
    """The home of files in a test's folder."""
    return FileHome(str(tmp_path / "logs"), ALPHA)


def file_of(tmp_path: pathlib.Path, name: str = "local~003Aa") -> pathlib.Path:
    """The file of a log in it."""
    return tmp_path / "logs" / SLUG / name / "session.jsonl"


def begun(tmp_path: pathlib.Path, count: int = 3, name: str = "local:a") -> list[Entry]:
    """A log of that many events."""
    session = log(name)
    made = entries(session, count)
    opened(tmp_path).append(session, made, start(session))
    return made
