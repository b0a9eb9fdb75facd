"""Owns which sessions a retention rule lets go: by age, by number, by size. Pure."""

from __future__ import annotations

from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from segue.model.session import Session

AGE, NUMBER, SIZE = "age", "number", "size"


class Rules(Record):
    """What is kept at most; 0 is no limit. `not_before` is the time before which a session is too old, or None."""

    not_before: str | None
    sessions: int
    bytes: int


def leaving(sessions: Sequence[Session], sizes: Mapping[str, int], rules: Rules, running: str | None) -> dict[str, str]:
    """The sessions that go, and by which rule: those that were active longest ago first.

    A session goes whole, with its subagents, whose bytes are its own. Held ones and the running one stay, and count.
    """
    whole: dict[str, int] = {}
    for session in sessions:
        root = session.session_id.partition("/agent-")[0]
        whole[root] = whole.get(root, 0) + sizes.get(session.session_id, 0)
    mains = sorted(
        (session for session in sessions if session.agent_id is None),
        key=lambda session: (session.last_event_at, session.session_id),
    )
    number, total = len(mains), sum(whole.values())
    found: dict[str, str] = {}
    for session in mains:
        if session.held_at is not None or session.session_id == running:
            continue
        reason = _reason(session, number, total, rules)
        if reason is None:
            continue
        found[session.session_id] = reason
        number, total = number - 1, total - whole.get(session.session_id, 0)
    return found


def _reason(session: Session, number: int, total: int, rules: Rules) -> str | None:
    if rules.not_before is not None and session.last_event_at < rules.not_before:
        return AGE
    if rules.sessions and number > rules.sessions:
        return NUMBER
    return SIZE if rules.bytes and total > rules.bytes else None
