"""Owns the order of redaction: paths, private tags, secrets, people. Never loads a rule before its screen hits."""

from __future__ import annotations

from segue.redaction import screens
from segue.redaction.rule import EMAIL, IP, PHONE, fold, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from typing import Any

    from segue.redaction.rule import Policy, Rule

    #: the next match at or after a place
    Seek = Callable[[int], re.Match[str] | None]

MAX_DEPTH = 100
_PASSES = 8
_DEEP = "[…]"
_TAGS = (
    ("<private", "</private", ">"),
    ("&lt;private", "&lt;/private", "&gt;"),
    ("\\u003cprivate", "\\u003c/private", "\\u003e"),
)
_compiled: dict[str, re.Pattern[str]] = {}


def rules() -> tuple[Rule, ...]:
    """Every rule in the order in which they run: framed, token shapes, told by context, people and machines."""
    from segue.redaction.contexts import ASSIGNMENT_RULES
    from segue.redaction.framed import ENTROPY_RULES, FRAMED_RULES
    from segue.redaction.personal import PERSONAL_RULES
    from segue.redaction.providers import token_rules

    return (*FRAMED_RULES, *token_rules(), *ASSIGNMENT_RULES, *ENTROPY_RULES, *PERSONAL_RULES)


def redact_text(text: str, policy: Policy) -> str:
    """The text without what must not be stored; redacting the result again changes nothing."""
    text = normalise(text, policy)
    for _ in range(_PASSES):
        before = text
        text = normalise(_screened(_private(text)), policy)
        if text == before:
            break
    return text


def redact_value(value: Any, policy: Policy) -> Any:
    """JSON data with every string redacted, keys too; a value under a key that names a secret is masked."""
    return _value(value, policy, 0, "")


def _value(value: Any, policy: Policy, depth: int, key: str) -> Any:
    if isinstance(value, str):
        return "[REDACTED:assignment]" if key and _masks(key, value) else redact_text(value, policy)
    if depth >= MAX_DEPTH and isinstance(value, (dict, list, tuple)):
        return _DEEP
    if isinstance(value, dict):
        return {
            redact_text(name, policy) if isinstance(name, str) else name: _value(
                inner, policy, depth + 1, name if isinstance(name, str) and _names_secret(name) else ""
            )
            for name, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_value(inner, policy, depth + 1, key) for inner in value]
    return value


def _masks(key: str, value: str) -> bool:
    from segue.redaction.judge import masks

    return masks(key, value)


def _names_secret(key: str) -> bool:
    if not screens.may_name_secret(key):
        return False
    from segue.redaction.judge import names_secret

    return names_secret(key)


def _screened(text: str) -> str:
    if len(text) < screens.SHORTEST:
        return text
    view = screens.look(text)
    text = _framed(text, view)
    if view.tokens:
        text = _tokens(text, view)
    text = _assignments(text, view)
    if view.is_random:
        from segue.redaction.framed import ENTROPY_RULES

        text = _all(ENTROPY_RULES, text)
    return _personal(text, view)


def _framed(text: str, view: screens.View) -> str:
    names = screens.framed(view)
    if not names:
        return text
    from segue.redaction.framed import FRAMED_RULES

    return _all(tuple(rule for rule in FRAMED_RULES if rule.name in names), text)


def _tokens(text: str, view: screens.View) -> str:
    from segue.redaction.providers import suspects, token_rules

    names = suspects(view.tokens)
    return _all(tuple(rule for rule in token_rules() if rule.name in names), text) if names else text


def _assignments(text: str, view: screens.View) -> str:
    """The text without secrets that a word beside them tells of; only the lines about such a word are looked at."""
    if not screens.may_assign(view):
        return text
    spans = screens.context_spans(text, view)
    if not spans:
        return text
    from segue.redaction.contexts import ASSIGNMENT_RULES

    parts: list[str] = []
    kept = 0
    for start, end in spans:
        part = text[start:end]
        low = fold(part)
        for rule in ASSIGNMENT_RULES:
            if not rule.screen or any(s in low for s in rule.screen):
                part = _apply(rule, part)
        parts += [text[kept:start], part]
        kept = end
    return "".join((*parts, text[kept:]))


def _personal(text: str, view: screens.View) -> str:
    wanted = []
    if screens.has_email(text):
        wanted.append(EMAIL)
    if screens.has_phone(text, view.low):
        wanted.append(PHONE)
    if view.has_ip:
        wanted.append(IP)
    if not wanted:
        return text
    from segue.redaction.personal import PERSONAL_RULES

    return _all(tuple(rule for rule in PERSONAL_RULES if rule.klass in wanted), text)


def _all(group: tuple[Rule, ...], text: str) -> str:
    for rule in group:
        text = _apply(rule, text)
    return text


def _apply(rule: Rule, text: str) -> str:
    """The text with the rule's marker in the place of every match that the rule's judge lets pass."""
    pattern = _compiled.get(rule.name)
    if pattern is None:
        import re

        pattern = _compiled[rule.name] = re.compile(rule.pattern)
    group = "secret" if "secret" in pattern.groupindex else 0
    seek = _seek_starts(rule.starts, pattern, text) if rule.starts else _seek(pattern, text)
    parts: list[str] = []
    kept = at = 0
    while match := seek(at):
        start, end = match.span(group)
        if end > start >= kept and not _marked(text, start, end) and (rule.judge is None or rule.judge(match)):
            end = rule.reach(text, end) if rule.reach else end
            parts += [text[kept:start], rule.marker]
            kept = at = end
        else:
            at = match.start() + 1
    return "".join((*parts, text[kept:])) if parts else text


def _seek(pattern: re.Pattern[str], text: str) -> Seek:
    return lambda at: pattern.search(text, at)


def _seek_starts(starts: tuple[str, ...], pattern: re.Pattern[str], text: str) -> Seek:
    """The same for a rule whose matches all start with a literal: no other place is tried."""
    low = fold(text)
    places = iter(sorted({at for literal in starts for at in _places(low, literal)}))

    def seek(at: int) -> re.Match[str] | None:
        return next((match for place in places if place >= at and (match := pattern.match(text, place))), None)

    return seek


def _places(low: str, literal: str) -> Iterator[int]:
    at = low.find(literal)
    while at >= 0:
        yield at
        at = low.find(literal, at + 1)


def _marked(text: str, start: int, end: int) -> bool:
    opened = text.rfind("[REDACTED:", max(0, start - 60), end)
    return opened >= 0 and (opened >= start or text.find("]", opened, start) < 0)


def _private(text: str) -> str:
    if "private" not in text.lower():
        return text
    for start, stop, close in _TAGS:
        low = fold(text)
        if start in low or stop in low:
            text = _cut(text, low, start, stop, close)
    return text


def _cut(text: str, low: str, start: str, stop: str, close: str) -> str:
    """The text without its private parts: an open tag hides to the end, a lone closing tag all before it."""
    parts: list[str] = []
    kept, depth, at = 0, 0, 0
    while True:
        opens, closes = _tag(low, start, close, at, depth), _tag(low, stop, close, at, depth)
        if opens is None and closes is None:
            break
        if opens is not None and (closes is None or opens[0] < closes[0]):
            if depth == 0:
                parts.append(text[kept : opens[0]])
            depth, at = depth + 1, opens[1]
        elif closes is not None:
            at = kept = closes[1]
            if depth == 0:
                parts = ["[PRIVATE]"]
            elif depth == 1:
                parts.append("[PRIVATE]")
            depth = max(0, depth - 1)
    return "".join((*parts, "[PRIVATE]" if depth else text[kept:]))


def _tag(low: str, name: str, close: str, at: int, depth: int) -> tuple[int, int] | None:
    found = low.find(name, at)
    while found >= 0:
        after = found + len(name)
        end = low.find(close, after, after + 200)
        inner = low[after:end] if end >= 0 else "x"
        if _is_tag(inner) and (depth or not _is_code(low, found, end + len(close))):
            return found, end + len(close)
        found = low.find(name, after)
    return None


def _is_tag(inner: str) -> bool:
    """Whether nothing stands within the brackets after the name, or attributes."""
    return not inner.strip("/ \t\r\n") or (inner[0].isspace() and "<" not in inner and "=" in inner)


def _is_code(low: str, start: int, end: int) -> bool:
    """Whether a tag stands between backticks: it is spoken of."""
    return low[start - 1 : start] == "`" == low[end : end + 1]
