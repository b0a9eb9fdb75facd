"""Owns beginning a log with another one's events: copies of its own, in their old places, under a chain of its own."""

from __future__ import annotations

from segue.errors import OpenTurn, UsageError
from segue.sessionlog import chain
from segue.sessionlog.live.state import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from segue.model.entry import Entry


def copied(entries: Iterable[Entry], child_id: str) -> list[Entry]:
    """The entries under the chain of another log. Whatever their host called them stays with the original."""
    head = chain.genesis(child_id)
    made = []
    for entry in entries:
        fields = (
            entry.type, entry.origin, entry.event_time, entry.recorded_at, entry.action, entry.outcome,
            str(entry.size), *chain.place(entry.replaces, entry.cites),
        )  # fmt: skip
        head = chain.link(head, child_id, entry.seq, fields, entry.body_digest)
        made.append(entry.replace(chain=head, dedupe=None))
    return made


def check_boundary(boundary: int, next_seq: int) -> None:
    """Raises `UsageError` where a log of `next_seq` events has no such event."""
    if not 0 <= boundary < next_seq:
        raise UsageError(f"event {boundary} as the last one of a fork", hint=f"The log has events 0 to {next_seq - 1}.")


def seeded(child_id: str, entries: Iterable[Entry]) -> State:
    """The state of a log that begins with these entries; raises `OpenTurn` where they end inside a turn."""
    state = State(child_id)
    for entry in entries:
        state.add(entry)
    if state.turns.is_open:
        raise OpenTurn(f"event {state.end.seq - 1}")
    return state
