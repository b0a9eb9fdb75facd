"""Owns the last few cold sessions that were looked at, folded, should they be looked at again. Never changes one."""

from __future__ import annotations

from segue.sessionlog.live.state import State, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.sessionlog.homes.seam import End, Home


class Cold:
    """Keeps at most `limit` states, each as long as its log ends as it did."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._states: dict[tuple[str, End | None], State] = {}

    def state(self, home: Home, session_id: str) -> State:
        """The state of a log that is there."""
        key = session_id, home.end(session_id)
        state = self._states.pop(key, None) or folded(session_id, home.entries(session_id))
        self._states[key] = state  # the newest stand last
        while len(self._states) > self._limit:
            del self._states[next(iter(self._states))]
        return state
