"""Owns the order of redaction: private tags, secrets, people, machines, paths. Never imports `re` before a screen hits."""

from __future__ import annotations

from segue.redaction import screens
from segue.redaction.contexts import ASSIGNMENT_RULES, ENTROPY_RULES, FRAMED_RULES
from segue.redaction.judge import masks, names_secret
from segue.redaction.personal import PERSONAL_RULES
from segue.redaction.providers import PREFIX_RULES, SHAPE_RULES
from segue.redaction.rule import EMAIL, IP, PHONE, Policy, Rule, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

_TOKEN_RULES = (*PREFIX_RULES, *SHAPE_RULES)
#: in the order in which they run: what is framed, what names its shape, what its context names, people and machines
RULES: tuple[Rule, ...] = (*FRAMED_RULES, *_TOKEN_RULES, *ASSIGNMENT_RULES, *ENTROPY_RULES, *PERSONAL_RULES)
MAX_DEPTH = 100
_DEEP = "[…]"
_TAGS = (
    ("<private", "</private", ">"),
    ("&lt;private", "&lt;/private", "&gt;"),
    ("\\u003cprivate", "\\u003c/private", "\\u003e"),
)
#: literals too common to import `re` for: a closer look comes first
_SIGHTED = {
    "query-secret": screens.has_query,
    "url-credentials": screens.has_userinfo,
    "url-user-token": screens.has_userinfo,
    "curl-user": screens.has_user_option,
}
_compiled: dict[str, re.Pattern[str]] = {}


def redact_text(text: str, policy: Policy) -> str:
    """The text without what must not be stored; redacting the result again changes nothing."""
    for _ in range(8):
        before = text
        text = normalise(_rules(_private(text)), policy)
        if text == before:
            break
    return text


def redact_value(value: Any, policy: Policy) -> Any:
    """JSON data with every string redacted, keys too; a value under a key that names a secret is masked."""
    return _value(value, policy, 0, "")


def _value(value: Any, policy: Policy, depth: int, key: str) -> Any:
    if isinstance(value, str):
        return "[REDACTED:assignment]" if key and masks(key, value) else redact_text(value, policy)
    if depth >= MAX_DEPTH and isinstance(value, (dict, list, tuple)):
        return _DEEP
    if isinstance(value, dict):
        told: dict[Any, Any] = {}
        for name, inner in value.items():
            known = name if isinstance(name, str) else ""
            told[redact_text(known, policy) if known else name] = _value(
                inner, policy, depth + 1, known if known and names_secret(known) else ""
            )
        return told
    if isinstance(value, (list, tuple)):
        return [_value(inner, policy, depth + 1, key) for inner in value]
    return value


def _rules(text: str) -> str:
    if len(text) < 6:
        return text
    low = screens.fold(text)
    words = set(text.split())
    tokens = screens.dense(words)
    for rule in FRAMED_RULES:
        if any(s in low for s in rule.screen) and (rule.name not in _SIGHTED or _SIGHTED[rule.name](low)):
            text = _apply(rule, text)
    if tokens:
        for rule in _TOKEN_RULES:
            if any(
                s in tokens and (len(s) > 4 or s[0] in ".:-+q" or screens.starts_token(tokens, s)) for s in rule.screen
            ):
                text = _apply(rule, text)
    text = _assignments(text)
    if tokens and screens.has_entropy(words):
        for rule in ENTROPY_RULES:
            text = _apply(rule, text)
    wanted = {EMAIL: screens.has_email(text), PHONE: screens.has_phone(text, low), IP: screens.has_ip(words)}
    for rule in PERSONAL_RULES:
        if wanted[rule.klass]:
            text = _apply(rule, text)
    return text


def _assignments(text: str) -> str:
    parts: list[str] = []
    kept = 0
    for start, end in screens.context_spans(text, screens.fold(text)):
        part = text[start:end]
        low = screens.fold(part)
        for rule in ASSIGNMENT_RULES:
            if any(s in low for s in rule.screen):
                part = _apply(rule, part)
        parts += [text[kept:start], part]
        kept = end
    return "".join((*parts, text[kept:])) if parts else text


def _apply(rule: Rule, text: str) -> str:
    pattern = _compiled.get(rule.name)
    if pattern is None:
        import re

        pattern = _compiled[rule.name] = re.compile(rule.pattern)
    group = "secret" if "secret" in pattern.groupindex else 0
    parts: list[str] = []
    kept = at = 0
    while at <= len(text) and (match := pattern.search(text, at)):
        start, end = match.span(group)
        if end > start >= kept and not _marked(text, start, end) and (rule.judge is None or rule.judge(match)):
            end = rule.reach(text, end) if rule.reach else end
            parts += [text[kept:start], rule.marker]
            kept = at = end
        else:
            at = match.start() + 1
    return "".join((*parts, text[kept:])) if parts else text


def _marked(text: str, start: int, end: int) -> bool:
    opened = text.rfind("[REDACTED:", max(0, start - 60), end)
    return opened >= 0 and (opened >= start or text.find("]", opened, start) < 0)


def _private(text: str) -> str:
    if "rivate" not in text and "RIVATE" not in text and "private" not in text.lower():
        return text
    for start, stop, close in _TAGS:
        low = screens.fold(text)
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
        quoted = not depth and low[found - 1 : found] == "`" and low[end + len(close) : end + len(close) + 1] == "`"
        if not inner.strip("/ \t\r\n") or (inner[0].isspace() and "<" not in inner and "=" in inner):
            if not quoted:
                return found, end + len(close)
        found = low.find(name, after)
    return None
