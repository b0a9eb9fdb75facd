"""Owns how a rule comes to its pattern: from code that was compiled before, else from `re`. Never reads a file.

`re` and what it loads cost a hook as much as all of its own work; `_sre`, which runs patterns, is built in and takes
the code that `re` once made of them (decision 0008). Kept code holds for one interpreter and one text of a pattern;
whatever else is found is not used, and the pattern is compiled.
"""

from __future__ import annotations

import marshal
import sys

from segue import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping
    from typing import Any

    from segue.redaction.rule import Rule

#: bytes of the check that stands before the kept code
_CHECK = 8


def pattern_of(rule: Rule, kept: Mapping[str, memoryview]) -> re.Pattern[str]:
    """The rule's pattern, ready to search with: from what `unpack` gave if its text is the same, else compiled."""
    row = marshal.loads(kept[rule.name]) if rule.name in kept else None
    made = _made(row) if row is not None and row[0] == rule.pattern else None
    if made is None:
        import re

        made = re.compile(rule.pattern)
    return made


def unpack(data: bytes | None) -> dict[str, memoryview]:
    """Where in the bytes the code of each rule is; empty for bytes that are damaged or of another interpreter."""
    mark, body = _mark(), memoryview(data or b"")[_CHECK:]
    if not data or mark is None or data[:_CHECK] != _check(body):
        return {}
    made_for, places = marshal.loads(body)  # the check holds, so these are the bytes that `pack` gave
    return {name: body[place:] for name, place in places.items()} if made_for == mark else {}


def texts(kept: Mapping[str, memoryview]) -> dict[str, str]:
    """The text of each pattern that is kept."""
    return {name: marshal.loads(row)[0] for name, row in kept.items()}


def _made(row: tuple[str, int, int, dict[str, int], bytes]) -> re.Pattern[str] | None:
    """A pattern from its code; None where the interpreter takes no such code."""
    import _sre  # type: ignore[import-not-found, unused-ignore]

    text, flags, groups, names, code = row
    by_number: list[str | None] = [None] * (groups + 1)
    try:
        for name, number in names.items():
            by_number[number] = name
        numbers = memoryview(code).cast("I").tolist()
        made: re.Pattern[str] = _sre.compile(text, flags, numbers, groups, dict(names), tuple(by_number))
    except (LookupError, TypeError, ValueError, RuntimeError, OverflowError):
        return None
    return made


def _mark() -> tuple[object, ...] | None:
    """What code is bound to: the interpreter, its machine, and what packed it. None where code cannot be kept."""
    try:
        import _sre

        magic, size = _sre.MAGIC, _sre.CODESIZE
    except (ImportError, AttributeError):
        return None
    if size != 4:
        return None
    return (__version__, sys.implementation.name, sys.hexversion, magic, size, sys.byteorder)


def _check(body: bytes | memoryview) -> bytes | None:
    """What changes with any change of the bytes; None where the interpreter has no such function."""
    try:
        from _imp import source_hash
    except ImportError:
        return None
    return source_hash(sys.hexversion, body)


def pack(rules: Iterable[Rule]) -> bytes | None:
    """The compiled code of every rule as bytes to keep; None where this interpreter does not let it be had."""
    mark = _mark()
    rows = {rule.name: _row(rule.pattern) for rule in rules} if mark else {}
    if not rows or not all(rows.values()):
        return None
    parts = [marshal.dumps(row) for row in rows.values()]
    places = {name: -sum(map(len, parts[at:])) for at, name in enumerate(rows)}  # from the end, behind the table itself
    told: Any = (mark, places)
    body = b"".join((marshal.dumps(told), *parts))
    check = _check(body)
    return check + body if check else None


def _row(text: str) -> tuple[str, int, int, dict[str, int], bytes] | None:
    """A pattern's code as `re` makes it. None unless it comes to the very pattern that `re` compiles."""
    import array
    import re

    wanted = re.compile(text)
    try:
        from re import _compiler, _parser  # type: ignore[attr-defined]

        parsed = _parser.parse(text, 0)
        code = array.array("I", _compiler._code(parsed, 0)).tobytes()
    except (ImportError, AttributeError, TypeError, ValueError, OverflowError):
        return None
    row = (text, wanted.flags, wanted.groups, dict(wanted.groupindex), code)
    return row if _made(row) == wanted else None
