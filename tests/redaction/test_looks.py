"""What redaction remembers of words, and where it tries a rule, change nothing in what it finds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence

import pytest

from segue.redaction import RULES, Policy, Rule, redact_text, screens
from tests.redaction import corpus, fresh

NONE = Policy()
IN_A_NEW_PROCESS = """
import json, sys
from segue.redaction import Policy, redact_text
print(json.dumps([redact_text(text, Policy()) for text in json.load(sys.stdin)]))
"""


def texts() -> list[str]:
    """Texts with a secret and lines without, mixed."""
    hidden = [sample.text for sample in (*corpus.positives(), *fresh.positives())]
    plain = [*corpus.negatives(), *fresh.negatives()]
    return [text for pair in zip(hidden, plain, strict=False) for text in pair]


def in_a_new_process(given: Sequence[str]) -> list[str]:
    """What a process that has seen no word yet makes of these texts."""
    found = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", IN_A_NEW_PROCESS],
        input=json.dumps(given), capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    told: list[str] = json.loads(found.stdout)
    return told


@pytest.mark.promise("RED-9")
def test_the_order_of_texts_does_not_change_what_is_redacted_in_each() -> None:
    given = texts()
    there, back = in_a_new_process(given), in_a_new_process(given[::-1])[::-1]
    assert there == back
    assert sum(text != told for text, told in zip(given, there, strict=True)) >= len(given) // 3  # the control


@pytest.mark.promise("RED-9")
def test_words_are_remembered_within_bounds() -> None:
    for at in range(0, 4 * screens.MOST_PLAIN, 1000):
        redact_text(" ".join(f"word{number} key{number}={number}" for number in range(at, at + 1000)), NONE)
    assert 0 < len(screens.plain_words) <= screens.MOST_PLAIN + 1000
    assert 0 < len(screens.word_kinds) <= screens.MOST_KINDS + 1000
    assert max(map(len, screens.plain_words)) <= screens.LONGEST_KNOWN


def begun_elsewhere(rule: Rule, starts: Iterable[str], given: Iterable[str]) -> list[str]:
    """The matches of a rule that begin with none of these."""
    pattern, known = re.compile(rule.pattern), tuple(starts)
    found = [match for text in given for match in pattern.finditer(text)]
    return [m.group() for m in found if not m.string.lower().startswith(known, m.start())]


@pytest.mark.promise("RED-10")
def test_every_match_of_a_rule_begins_with_one_of_its_starts() -> None:
    told = [rule for rule in RULES if rule.starts]
    given = [*texts(), *(rule.vanish for rule in RULES), *(rule.stay for rule in RULES)]
    assert {rule.name: found for rule in told if (found := begun_elsewhere(rule, rule.starts, given))} == {}
    assert len(told) > 100
    missing_one = [rule for rule in told if begun_elsewhere(rule, rule.starts[1:], given)]
    assert len(missing_one) > 50  # the control: a start that is left out is noticed
