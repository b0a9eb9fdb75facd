"""Owns the order of redaction: tags, secrets, people, machines, paths. Never loads a rule before a screen hits."""

from __future__ import annotations

from segue.redaction import screens
from segue.redaction.rule import EMAIL, IP, PHONE, Policy, Rule, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

MAX_DEPTH = 100
_DEEP = "[…]"
#: one pass after another until nothing changes; text that was redacted before needs one
_PASSES = 8
_TAGS = (
    ("<private", "</private", ">"),
    ("&lt;private", "&lt;/private", "&gt;"),
    ("\\u003cprivate", "\\u003c/private", "\\u003e"),
)
#: characters of a text that is looked at together with others
_SHORT = 400
#: texts that were redacted before, and under which policy: a command comes with its call, its result and their subjects
recent: dict[tuple[str, str | None, str | None], str] = {}
MOST_RECENT, LONGEST_RECENT = 512, 2000
_compiled: dict[str, re.Pattern[str]] = {}
#: what gives the code of patterns that was kept, until the first rule is needed; then that code, by rule
_sources: list[Callable[[], bytes | None]] = []
_kept: dict[str, memoryview] = {}


def use_kept(source: Callable[[], bytes | None]) -> None:
    """Take the code of patterns from what `patterns.pack` made, when a rule is needed; it need not be there."""
    _sources[:] = [source]


def all_rules() -> tuple[Rule, ...]:
    """All rules in the order in which they run: what is framed, its own shape, its context, people and machines."""
    from segue.redaction.rules.contexts import ASSIGNMENT_RULES, ENTROPY_RULES
    from segue.redaction.rules.framed import FRAMED_RULES
    from segue.redaction.rules.personal import PERSONAL_RULES
    from segue.redaction.rules.providers import token_rules

    return (*FRAMED_RULES, *token_rules(), *ASSIGNMENT_RULES, *ENTROPY_RULES, *PERSONAL_RULES)


def redact_text(text: str, policy: Policy) -> str:
    """The text without what must not be stored; redacting the result again changes nothing."""
    if (len(text) < 6 or screens.is_plain(text)) and "/" not in text and "\\" not in text:  # nor is there any root
        return text
    if len(text) > LONGEST_RECENT:
        return _passes(text, policy)
    name = text, policy.workspace, policy.home
    told = recent.get(name)
    if told is None:
        if len(recent) >= MOST_RECENT:
            recent.clear()
        told = recent[name] = _passes(text, policy)
    return told


def _passes(text: str, policy: Policy) -> str:
    for _ in range(_PASSES):
        given, told = text, normalise(_private(text), policy)
        text = _secrets(told)
        if text == told and (told == given or normalise(_private(text), policy) == text):
            break
    return text


def look_ahead(values: Iterable[Any]) -> None:
    """Look at the short texts of all these at once, where no word is known yet: a look costs more than its words."""
    if not screens.plain_words:
        screens.look("\n".join(text for value in values for text in _short_texts(value, 0)))


def _short_texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) < _SHORT:
            yield value
    elif depth < MAX_DEPTH and isinstance(value, (dict, list)):
        for inner in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from _short_texts(inner, depth + 1)


def redact_value(value: Any, policy: Policy) -> Any:
    """JSON data with every string redacted, keys too; a value under a key that names a secret is masked."""
    return _value(value, policy, 0, "")


def _value(value: Any, policy: Policy, depth: int, key: str) -> Any:
    if isinstance(value, str):
        return _named(key, value, policy) if key else redact_text(value, policy)
    if depth >= MAX_DEPTH and isinstance(value, (dict, list, tuple)):
        return _DEEP
    if isinstance(value, dict):
        told: dict[Any, Any] = {}
        for name, inner in value.items():
            known = name if isinstance(name, str) else ""
            clean = _free(redact_text(known, policy), told) if known else name
            told[clean] = _value(inner, policy, depth + 1, known)
        return told
    if isinstance(value, (list, tuple)):
        return [_value(inner, policy, depth + 1, key) for inner in value]
    return value


def _named(key: str, value: str, policy: Policy) -> str:
    if len(value) > 5 and screens.may_name_secret(key):
        from segue.redaction.judge import masks, names_secret

        plain = screens.plain_letters(key)
        if names_secret(plain) and masks(plain, value):
            return "[REDACTED:assignment]"
    return redact_text(value, policy)


def _free(key: str, told: dict[Any, Any]) -> str:
    """The key, with a number where redaction made two keys alike, so that no value is lost."""
    free, number = key, 2
    while free in told:
        free, number = f"{key} ({number})", number + 1
    return free


def _secrets(text: str) -> str:
    seen = screens.look(text) if len(text) > 5 else {}
    return _screened(text, seen) if seen else text


def _screened(text: str, seen: dict[str, list[str]]) -> str:
    given, low = text, screens.fold(text)
    text = _framed(text, low, seen)
    if screens.TOKEN in seen:
        from segue.redaction.rules.providers import sighted

        text = _apply_all(sighted("\n".join(seen[screens.TOKEN])), text)
    if screens.may_assign(low, seen):
        text = _assignments(text, seen.get(screens.KEY, []))
    if screens.MIXED in seen and screens.has_entropy(given, seen[screens.MIXED]):
        from segue.redaction.rules.contexts import ENTROPY_RULES

        text = _apply_all(ENTROPY_RULES, text)
    return _personal(text, low, seen)


def _framed(text: str, low: str, seen: dict[str, list[str]]) -> str:
    names = [name for name in screens.FRAMES if name in seen and screens.framed(name, low)]
    if not names:
        return text
    from segue.redaction.rules.framed import FRAMED_RULES

    return _apply_all([rule for rule in FRAMED_RULES if rule.name in names], text)


def _assignments(text: str, words: list[str]) -> str:
    from segue.redaction.spans import context_spans

    spans = context_spans(text, words)
    if not spans:
        return text
    from segue.redaction.rules.contexts import ASSIGNMENT_RULES, ASSIGNMENT_SCREENS

    parts: list[str] = []
    kept = 0
    for start, end in spans:
        part = text[start:end]
        low = screens.fold(part)
        held = {literal for literal in ASSIGNMENT_SCREENS if literal in low}
        wanted = [r for r in ASSIGNMENT_RULES if not held.isdisjoint(r.screen) and (r.sight is None or r.sight(low))]
        parts += [text[kept:start], _apply_all(wanted, part)]
        kept = end
    return "".join((*parts, text[kept:]))


def _personal(text: str, low: str, seen: dict[str, list[str]]) -> str:
    wanted = {klass for klass in (EMAIL, IP) if klass in seen}
    if screens.has_phone(text, low, seen):
        wanted.add(PHONE)
    if not wanted:
        return text
    from segue.redaction.rules.personal import PERSONAL_RULES

    return _apply_all([rule for rule in PERSONAL_RULES if rule.klass in wanted], text)


def _apply_all(some: Iterable[Rule], text: str) -> str:
    for rule in some:
        text = _apply(rule, text)
    return text


def _apply(rule: Rule, text: str) -> str:
    places = _places(rule, text)
    if places == []:
        return text
    pattern = _compiled.get(rule.name) or _pattern(rule)
    group = "secret" if "secret" in pattern.groupindex else 0
    parts: list[str] = []
    kept = at = 0
    found = _finder(pattern, text, places)
    while at <= len(text) and (match := found(at)):
        start, end = match.span(group)
        if (
            end > start >= kept
            and not _touches(text, match.start(), start, end)
            and (not rule.judge or rule.judge(match))
        ):
            end = rule.reach(text, end) if rule.reach else end
            parts += [text[kept:start], rule.marker]
            kept = at = end
        else:
            at = match.start() + 1
    return "".join((*parts, text[kept:])) if parts else text


def _pattern(rule: Rule) -> re.Pattern[str]:
    from segue.redaction import patterns

    while _sources:
        _kept.update(patterns.unpack(_sources.pop()()))
    pattern = _compiled[rule.name] = patterns.pattern_of(rule, _kept)
    return pattern


def _places(rule: Rule, text: str) -> list[int] | None:
    """Where a match of the rule can begin; None where that cannot be told."""
    if not rule.starts:
        return None
    low = screens.fold(text)
    return sorted({at for start in rule.starts if start in low for at in screens.places(low, start)})


def _finder(pattern: re.Pattern[str], text: str, places: list[int] | None) -> Callable[[int], re.Match[str] | None]:
    """What finds the first match from a place on. To try where one can begin is far faster than to search."""
    if places is None:
        return lambda at: pattern.search(text, at)
    left = iter(places)
    return lambda at: next((m for place in left if place >= at and (m := pattern.match(text, place))), None)


def _touches(text: str, begin: int, start: int, end: int) -> bool:
    """Whether a match begins inside a marker, whose name is no key, or its secret holds or is part of one."""
    return _marked(text, start, end) or (begin < start and _marked(text, begin, begin + 1))


def _marked(text: str, start: int, end: int) -> bool:
    opened = text.rfind("[REDACTED:", max(0, start - 60), end + 9)
    return opened >= 0 and (opened >= start or text.find("]", opened, start) < 0)


def _private(text: str) -> str:
    if "rivate" not in text and "RIVATE" not in text and "private" not in text.lower():
        return text
    for start, stop, close in _TAGS:
        low = screens.fold(text)
        if start in low or stop in low:
            text = _cut(text, low, (start, stop, close))
    return text


def _cut(text: str, low: str, tags: tuple[str, str, str]) -> str:
    """The text without its private parts: an open tag hides to the end, a lone closing tag all before it."""
    parts: list[str] = []
    kept = depth = at = 0
    while tag := _tag(text, low, tags, at, depth):
        begin, at, opens = tag
        if opens:
            if depth == 0:
                parts.append(text[kept:begin])
            depth += 1
            continue
        kept = at
        if depth == 0:
            parts = []
        if depth < 2:
            parts.append("[PRIVATE]")
        depth = max(0, depth - 1)
    return "".join((*parts, "[PRIVATE]" if depth else text[kept:]))


def _tag(text: str, low: str, tags: tuple[str, str, str], at: int, depth: int) -> tuple[int, int, bool] | None:
    """The next tag from `at` on: where it begins and ends, and whether it opens."""
    start, stop, close = tags
    word = low.find("private", at)
    while word >= 0:
        after = word + len("private")
        opens = low.startswith(start, after - len(start)) and after - len(start) >= at
        begin = after - len(start if opens else stop)
        if opens or (low.startswith(stop, begin) and begin >= at):
            end = low.find(close, after, after + 200)
            inner = low[after:end] if end >= 0 else "x"
            if not inner.strip("/ \t\r\n") or (inner[0].isspace() and "<" not in inner and "=" in inner):
                end += len(close)
                if depth or not (_mentioned(low, begin, end) or (opens and _is_type(text, low, begin, end, stop))):
                    return begin, end, opens
        word = low.find("private", after)
    return None


def _mentioned(low: str, begin: int, end: int) -> bool:
    return low[begin - 1 : begin] == "`" == low[end : end + 1]


def _is_type(text: str, low: str, begin: int, end: int, stop: str) -> bool:
    """Whether this is a type's parameter, `Local<Private>`, in a text that closes no tag."""
    return text[begin:end] == "<Private>" and (text[begin - 1 : begin] or "-")[0].isalnum() and stop not in low
