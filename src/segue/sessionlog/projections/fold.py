"""Owns what a fold over a log is, and the shipped ones. Pure; a new fold is a row of FOLDS.

A state is JSON data. A fold that is changed takes the next version: what the older one kept is not used any more.
"""

from __future__ import annotations

from segue.model import event as kinds
from segue.model.record import Record
from segue.sessionlog.text import todos

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

#: to-dos that are kept of one log (I18)
MOST_TODOS = 200


class Step(Record):
    """One event as a fold sees it. `body` is None once it was deleted."""

    seq: int
    type: str
    action: str | None
    outcome: str | None
    time: str
    body: dict[str, Any] | None


class Fold(Record):
    """A fold: its name, its version, the state of a log without events, and the state after one more event.

    `after` gives the same state back where the event changes nothing, and never changes the one that it was given.
    """

    name: str
    version: int
    start: Any
    after: Callable[[Any, Step], Any]


def _todos(state: list[dict[str, Any]], step: Step) -> list[dict[str, Any]]:
    """The to-do list: each write replaces it, or (partial) one entry of it by its id or number."""
    if step.type != kinds.TODO_WRITE or step.body is None:
        return state
    listed = {str(todo["id"]): todo for todo in state} if step.body.get("partial") is True else {}
    for todo in todos(step.body):
        name = str(todo.get("id") or len(listed) + 1)
        told = {key: todo[key] for key in ("content", "status") if isinstance(todo.get(key), str)}
        listed[name] = {**listed.get(name, {}), **told, "id": name}
    return list(listed.values())[-MOST_TODOS:]


def _counts(state: dict[str, Any], step: Step) -> dict[str, Any]:
    """How often what was done: prompts, answers, tool results by their class and outcome, compactions."""
    names = {
        kinds.USER_MESSAGE: "prompts",
        kinds.ASSISTANT_MESSAGE: "answers",
        kinds.COMPACTION_SUMMARY: "compactions",
        kinds.SUBAGENT_START: "subagents",
    }
    name = names.get(step.type)
    if name is not None:
        return {**state, name: state.get(name, 0) + 1}
    if step.type != kinds.TOOL_RESULT:
        return state
    action = f"{step.action or 'other'}, {step.outcome or kinds.UNKNOWN}"
    results = state.get("results", {})
    return {**state, "results": {**results, action: results.get(action, 0) + 1}}


TODOS = Fold(name="todos", version=1, start=[], after=_todos)
COUNTS = Fold(name="counts", version=1, start={}, after=_counts)
FOLDS = (TODOS, COUNTS)
