"""Owns what of a log is unfinished (a turn, a step, tool calls without a result) and how it is closed. Pure.

A turn that ended with its process is closed by events that no running agent emits, so that whoever reads on knows
which end was real. Closing the same log twice gives the same events.
"""

from __future__ import annotations

from segue.model import event as kinds
from segue.model.event import Draft
from segue.sessionlog.surface.messages import answered, calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: the reason of a turn's end that only recovery gives
INTERRUPTED = "interrupted"
NOT_STARTED, OUTCOME_UNKNOWN = "TOOL_NOT_STARTED", "TOOL_OUTCOME_UNKNOWN"
TOLD = {
    NOT_STARTED: "The process ended before this tool call began. It had no effect and may be made again.",
    OUTCOME_UNKNOWN: "The process ended while this tool call ran. Whether it took effect is unknown: check that, or"
    " ask, before making it again.",
}


class Turns:
    """What is open at the end of a log, while its events are added in order."""

    def __init__(self) -> None:
        self.is_open = False
        self._turn: Any = None
        self._step: Any = None
        self._has_step = False
        self._last_time: str | None = None
        #: calls asked for in this turn that have no result, with the number of the event that says that it began
        self._unanswered: dict[str, int | None] = {}

    def add(self, seq: int, type_: str, body: dict[str, Any] | None, time: str) -> None:
        """Take the next event."""
        self._last_time = time
        if type_ == kinds.TURN_START:
            self.is_open, self._turn, self._has_step, self._unanswered = True, (body or {}).get("turn"), False, {}
        elif type_ == kinds.TURN_END:
            self.is_open, self._has_step, self._unanswered = False, False, {}
        elif type_ in (kinds.STEP_START, kinds.STEP_END):
            self._has_step, self._step = type_ == kinds.STEP_START, (body or {}).get("step")
        elif type_ == kinds.ASSISTANT_MESSAGE:
            self._unanswered.update(dict.fromkeys(calls(body)))
        elif type_ == kinds.TOOL_CALL and (call := answered(body)) is not None:
            self._unanswered[call] = seq
        elif type_ == kinds.TOOL_RESULT and (call := answered(body)) is not None:
            self._unanswered.pop(call, None)

    def closers(self) -> list[Draft]:
        """The events that close what is open; none where nothing is."""
        if not self.is_open:
            return []
        made = [self._result(call, began) for call, began in self._unanswered.items()]
        if self._has_step:
            made.append(self._draft(kinds.STEP_END, {"turn": self._turn, "step": self._step}))
        made.append(self._draft(kinds.TURN_END, {"turn": self._turn, "reason": INTERRUPTED}))
        return made

    def _result(self, call: str, began: int | None) -> Draft:
        code = NOT_STARTED if began is None else OUTCOME_UNKNOWN
        body = {"call_id": call, "text": TOLD[code], "error": {"code": code}}
        outcome = kinds.FAILED if began is None else kinds.UNKNOWN
        cites = () if began is None else (began,)
        return self._draft(kinds.TOOL_RESULT, body).replace(outcome=outcome, cites=cites)

    def _draft(self, type_: str, body: dict[str, Any]) -> Draft:
        return Draft(type=type_, origin="segue", body=body, time=self._last_time)
