"""Owns which sessions a retention rule lets go: by age, by number, by size. Pure."""

from __future__ import annotations

from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from segue.model.session import Session

AGE, NUMBER, SIZE = "age", "number", "size"


class Rules(Record):
    """What is kept at most; 0 is no limit. `not_before` is the time before which a session is too old, or None.

    A session that was active since `running_since` may be running still, and stays: what it says next is wanted.
    """

    running_since: str
    not_before: str | None
    sessions: int
    bytes: int


def leaving(sessions: Sequence[Session], sizes: Mapping[str, int], rules: Rules, running: str | None) -> dict[str, str]:
    """The sessions that go, and by which rule: those that were active longest ago first.

    A session goes whole, with its subagents, whose bytes and activity are its own. Held ones and running ones stay, and
    count.
    """
    whole: dict[str, int] = {}
    active: dict[str, str] = {}
    for session in sessions:
        root = session.session_id.partition("/agent-")[0]
        whole[root] = whole.get(root, 0) + sizes.get(session.session_id, 0)
        active[root] = max(active.get(root, ""), session.last_event_at)
    mains = sorted(
        (session for session in sessions if session.agent_id is None),
        key=lambda session: (active[session.session_id], session.session_id),
    )
    number, total = len(mains), sum(whole.values())
    found: dict[str, str] = {}
    for session in mains:
        is_running = session.session_id == running or active[session.session_id] >= rules.running_since
        if session.held_at is not None or is_running:
            continue
        reason = _reason(active[session.session_id], number, total, rules)
        if reason is None:
            continue
        found[session.session_id] = reason
        number, total = number - 1, total - whole.get(session.session_id, 0)
    return found


def _reason(active: str, number: int, total: int, rules: Rules) -> str | None:
    if rules.not_before is not None and active < rules.not_before:
        return AGE
    if rules.sessions and number > rules.sessions:
        return NUMBER
    return SIZE if rules.bytes and total > rules.bytes else None
