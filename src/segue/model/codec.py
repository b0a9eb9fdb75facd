"""Owns JSON text: strict in, canonical out. Never imports `json` where the interpreter's own scanner is at hand.

Importing `json` costs a hook more than all of its work on the payload (docs/decisions/0001); the C scanner and encoder
behind it are used directly, and `json` itself is the fallback.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WHITESPACE = " \t\n\r"


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _held(text: str) -> float:
    value = float(text)
    if value - value != 0:
        raise ValueError(f"{text[:20]} is beyond what a number can hold")
    return value


class _Options:
    strict = False  # hosts send raw control characters inside strings; they are kept as text
    object_hook = None
    object_pairs_hook = None
    parse_float = staticmethod(_held)
    parse_int = int
    parse_constant = staticmethod(_refuse_constant)
    memo: dict[str, str] = {}


def _nothing(name: str) -> None:
    return None


def _finite(text: str) -> float | None:
    value = float(text)
    return value if value - value == 0 else None


def _counted(text: str) -> int | str:
    return int(text) if len(text) < 300 else text


class _Lenient(_Options):
    """What a host sends is taken where JSON itself would refuse it: no number is worth an event."""

    parse_float: Any = staticmethod(_finite)
    parse_int = staticmethod(_counted)  # type: ignore[assignment]
    parse_constant = staticmethod(_nothing)


_scan: Any = None
_scan_leniently: Any = None
_encode: Any = None
try:
    import _json

    _make_encoder: Any = _json.make_encoder
    _make_scanner: Any = _json.make_scanner
    _scan = _make_scanner(_Options())
    _scan_leniently = _make_scanner(_Lenient())
    _encode = _make_encoder(None, None, _json.encode_basestring, None, ":", ",", True, False, False)
    _encode({"probe": [1, "é", None]}, 0)
except (ImportError, AttributeError, TypeError):  # an interpreter without them, or with another signature
    _scan = _scan_leniently = _encode = None


def loads(text: str, *, lenient: bool = False) -> Any:
    """The value of a JSON text. `ValueError` for anything else, hostile nesting included.

    A `lenient` caller gets None for numbers that are none, and text for endless ones.
    """
    scan = _scan_leniently if lenient else _scan
    if scan is None:
        return _loads_slowly(text, lenient=lenient)
    end = len(text)
    start = 0
    while start < end and text[start] in WHITESPACE:
        start += 1
    try:
        value, at = scan(text, start)
    except StopIteration:
        raise ValueError(f"not JSON at character {start}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except SystemError:  # the scanner wanted to name a mistake with `json`, which was never imported
        return _loads_slowly(text, lenient=lenient)
    if text[at:].strip(WHITESPACE):
        raise ValueError(f"more after the JSON value at character {at}")
    return value


def dumps(value: Any) -> str:
    """Canonical JSON: keys sorted, no blanks, text as it is. `ValueError` for NaN, cycles and hostile nesting."""
    if _encode is None:
        return _dumps_slowly(value)
    try:
        return "".join(_encode(value, 0))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _loads_slowly(text: str, *, lenient: bool) -> Any:
    import json

    options: type[_Options] = _Lenient if lenient else _Options
    try:
        return json.loads(
            text,
            strict=False,
            parse_constant=options.parse_constant,
            parse_float=options.parse_float,
            parse_int=options.parse_int,
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _dumps_slowly(value: Any) -> str:
    import json

    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def scrub(text: str) -> str:
    """The text without lone surrogates, which no store and no host can take."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
