"""Owns what an operation is: a name, parameters, a function from context to data, and the text of that data."""

from __future__ import annotations

from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

TEXT, TEXTS, NUMBER, FLAG = "text", "texts", "number", "flag"
#: entries of a list (I18)
MAX_TEXTS = 100


def _never(data: dict[str, Any]) -> bool:
    return False


class Param(Record):
    """One parameter. `kind` is TEXT, TEXTS (a list), NUMBER (an integer from `low` to `high`) or FLAG.

    `person_only` parameters exist at the command line alone: no agent's tool has them (I11, I14). A `joined` one takes
    all words of the command line that stand for it, as one text.
    """

    name: str
    kind: str
    help: str
    required: bool = False
    positional: bool = False
    low: int = 0
    high: int = 2**53 - 1
    choices: tuple[str, ...] = ()
    person_only: bool = False
    joined: bool = False


class Operation(Record):
    """One thing that Segue can do, whatever the door.

    `run(ctx, request)` gives JSON data; `text(data)` is the same for people and for a model. `tool` is its name as
    an MCP tool, None where agents do not get it; an operation with a tool name only is no command. With
    `needs_store` False, `run` is given a place and opens what it needs. `failed(data)` says that a command should end
    with a non-zero code although it could answer.
    """

    name: str
    help: str
    example: str
    params: tuple[Param, ...]
    run: Callable[[Any, dict[str, Any]], dict[str, Any]]
    text: Callable[[dict[str, Any]], str]
    tool: str | None = None
    needs_store: bool = True
    failed: Callable[[dict[str, Any]], bool] = _never


def check(params: tuple[Param, ...], given: dict[str, Any], *, person: bool) -> dict[str, Any]:
    """The request with every parameter present (None, False or () where it was not given). Raises `UsageError`."""
    from segue.errors import UsageError

    known = {param.name for param in params if person or not param.person_only}
    for name in given:
        if name not in known:
            raise UsageError(f"unknown parameter {name!r}", hint=f"Known: {', '.join(sorted(known))}.")
    return {param.name: _value(param, given.get(param.name)) for param in params}


def _value(param: Param, value: Any) -> Any:
    from segue.errors import UsageError

    if value is None:
        if param.required:
            raise UsageError(f"{param.name} is missing")
        return {TEXTS: None, FLAG: False}.get(param.kind)
    fits = {
        TEXT: isinstance(value, str) and (not param.choices or value in param.choices),
        TEXTS: isinstance(value, list | tuple) and all(isinstance(item, str) for item in value),
        NUMBER: isinstance(value, int) and not isinstance(value, bool),
        FLAG: isinstance(value, bool),
    }[param.kind]
    if not fits:
        wish = f"one of {', '.join(param.choices)}" if param.choices else param.kind
        raise UsageError(f"{param.name} must be {wish}")
    if param.kind == NUMBER and not param.low <= value <= param.high:
        raise UsageError(f"{param.name} must be {param.low} to {param.high}")
    if param.kind == TEXTS and not 0 < len(value) <= MAX_TEXTS:
        raise UsageError(f"{param.name} must be a list of 1 to {MAX_TEXTS}")
    return tuple(value) if param.kind == TEXTS else value
