"""Owns the check that a value is JSON and nothing else. Pure; hands out a copy that shares nothing with its source."""

from __future__ import annotations

from segue.errors import NotJson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: how deep lists and objects may lie in one another
MAX_DEPTH = 100
#: digits of a whole number
MAX_DIGITS = 300


def lossless(value: object, what: str, depth: int = 0) -> Any:
    """A detached copy of a value that JSON text gives back as it was; raises `NotJson`, which names the place.

    What would come back as something else is refused: tuples, keys that are no text, NaN, infinities, negative zero,
    objects of any other class, and what holds itself.
    """
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        if abs(value) >= 10**MAX_DIGITS:  # type: ignore[arg-type]
            raise NotJson(f"{what}: a number of more than {MAX_DIGITS} digits")
        return value
    if kind is float:
        if value - value != 0 or (value == 0 and str(value)[0] == "-"):  # type: ignore[operator]
            raise NotJson(f"{what}: {value}")
        return value
    if depth >= MAX_DEPTH:
        raise NotJson(f"{what}: nested more than {MAX_DEPTH} deep")
    if kind is list:
        return [lossless(inner, f"{what}[{at}]", depth + 1) for at, inner in enumerate(value)]  # type: ignore[arg-type, var-annotated]
    if kind is dict:
        return {_key(name, what): lossless(inner, f"{what}.{name}", depth + 1) for name, inner in value.items()}  # type: ignore[attr-defined]
    raise NotJson(f"{what}: {kind.__name__}")


def _key(name: object, what: str) -> str:
    if type(name) is not str:
        raise NotJson(f"{what}: a key that is {type(name).__name__}, not text")
    return name
