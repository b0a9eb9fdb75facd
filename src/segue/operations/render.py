"""Owns how sessions, events and times read in every operation's text. Never reads a store."""

from __future__ import annotations

from segue.model.codec import dumps
from segue.sessionlog.text import one_line, searchable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from segue.model.event import Event
    from segue.model.session import Session


def stamp(time: str) -> str:
    """A UTC time to the second, for people."""
    return time[:19].replace("T", " ") + "Z"


def counted(number: int, what: str) -> str:
    """A number of things in words: 1 event, 2 events."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def session_line(session: Session) -> dict[str, Any]:
    """A session in short."""
    return {
        "id": session.session_id,
        "project_id": session.project_id,
        "title": session.title,
        "host": session.host,
        "agent_type": session.agent_type,
        "branch": session.branch,
        "started_at": session.started_at,
        "last_event_at": session.last_event_at,
        "events": session.next_seq,
        "status": session.status,
    }


def session_text(session: dict[str, Any]) -> str:
    """A session in short, on one line."""
    agent = f" ({session['agent_type']})" if session["agent_type"] else ""
    title = f"  {session['title']}" if session["title"] else ""
    problem = "  QUARANTINED" if session["status"] != "ok" else ""
    return (
        f"{session['id']}{agent}  {stamp(session['started_at'])}, {counted(session['events'], 'event')}{title}{problem}"
    )


def event_line(event: Event, width: int = 100) -> dict[str, Any]:
    """An event in short."""
    return {
        "seq": event.seq,
        "type": event.type,
        "surface": event.surface,
        "origin": event.origin,
        "time": event.event_time,
        "action": event.action,
        "outcome": event.outcome,
        "deleted": event.body is None,
        "text": one_line(searchable(event.type, event.subject, event.body), width),
    }


def event_text(event: dict[str, Any]) -> str:
    """An event in short, on one line."""
    outcome = f" {event['outcome']}" if event["outcome"] else ""
    text = "(deleted)" if event["deleted"] else event["text"]
    return f"{event['seq']:>5}  {event['time'][11:19]}  {event['type']:<18}{outcome} {text}".rstrip()


def body_lines(event: Event) -> str:
    """A whole event as indented JSON, its text unabridged."""
    import json

    value = {**event.as_dict(), "body": event.body}
    return json.dumps(json.loads(dumps(value)), ensure_ascii=False, indent=2)


def told_lines(event: dict[str, Any]) -> list[str]:
    """A whole event for people: what it is on one line, then each part of its body, texts as they are."""
    told = (event["type"], event["outcome"], f"by {event['origin']}", stamp(event["event_time"]), event["surface"])
    lines = ["  ".join(part for part in told if part)]
    lines += [f"subject: {event['subject']}"] if event["subject"] else []
    if event["body"] is None:
        return [*lines, "(deleted)"]
    for name, value in event["body"].items():
        if not isinstance(value, str):
            lines.append(f"{name}: {dumps(value)}")
        elif "\n" in value:
            lines += [f"{name}:", *(f"  {line}" for line in value.splitlines())]
        else:
            lines.append(f"{name}: {value}")
    return lines


def table(rows: Sequence[Sequence[str]], indent: str = "") -> str:
    """Columns padded to their widest cell, the last one left as it is."""
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        lines.append((indent + "  ".join([*cells, row[-1]])).rstrip())
    return "\n".join(lines)
