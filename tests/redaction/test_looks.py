"""What redaction remembers of words, and where it tries a rule, change nothing in what it finds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence

import pytest

from segue.redaction import RULES, Policy, Rule, engine, redact_text, screens
from segue.redaction.prefixes import PREFIXED
from tests.redaction import corpus, fresh

NONE = Policy()
IN_A_NEW_PROCESS = """
import json, sys
from segue.redaction import Policy, redact_text
print(json.dumps([redact_text(text, Policy()) for text in json.load(sys.stdin)]))
"""


def texts() -> list[str]:
    """Texts with a secret and lines without, mixed."""
    hidden = [*(sample.text for sample in corpus.positives()), *(sample.text for sample in fresh.positives())]
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


@pytest.mark.promise("RED-9")
def test_a_text_that_was_redacted_before_is_rewritten_for_each_workspace_and_remembered_within_bounds() -> None:
    text = "cat /src/shop/a.py /src/lab/b.py"
    shop, lab = Policy(workspace="/src/shop"), Policy(workspace="/src/lab")
    for _ in range(2):
        assert redact_text(text, shop) == "cat [WORKSPACE]/a.py /src/lab/b.py"
        assert redact_text(text, lab) == "cat /src/shop/a.py [WORKSPACE]/b.py"
        assert redact_text(text, NONE) == text
    for number in range(2 * engine.MOST_RECENT):
        redact_text(f"the text of number {number}", NONE)
        redact_text(f"{number} ".ljust(engine.LONGEST_RECENT + 1, "."), NONE)
    assert 0 < len(engine.recent) <= engine.MOST_RECENT
    assert max(len(text) for text, _, _ in engine.recent) <= engine.LONGEST_RECENT


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


LETTERS = {"low": "qwertzuiopasdfghjkly" * 12, "up": "QWERTZUIOPASDFGHJKLY" * 12}


def one_digit(prefix: str, tail: str, fewest: int) -> str:
    """A token of letters in one case, with a digit at its end alone."""
    return f"use {prefix}{tail[: max(fewest, 17) - 1]}7 now"


@pytest.mark.promise("RED-9")
@pytest.mark.parametrize("case", ["low", "up"])
def test_a_token_is_looked_at_although_its_only_digit_ends_it(case: str) -> None:
    alphabets = ("b62", "url", "dot", "b64", "low" if case == "low" else "up")
    rows = [row for row in PREFIXED if row[2] in alphabets and row[0] not in ("aws-session-token", "square")]
    given = {row[0]: one_digit(row[1].split()[0], LETTERS[case], row[3]) for row in rows}
    assert [name for name, text in given.items() if redact_text(text, NONE) == text] == []
    assert len(given) > 40
    name = "a_name_with_a_number_behind_it_1"
    assert redact_text(f"use {name} now", NONE) == f"use {name} now"


@pytest.mark.promise("RED-9")
def test_a_token_that_ends_in_a_uuid_is_looked_at_whatever_its_digits_are() -> None:
    prefixes = [prefix for row in PREFIXED if row[2] == "uuid" for prefix in row[1].split()]
    assert prefixes
    for uuid in ("4fb53407-689e-42b4-a21e-e63b01983567", "aaaaaaa1-aaaa-aaaa-aaaa-aaaaaaaaaaaa"):
        given = [f"use {prefix}{uuid} now" for prefix in prefixes]
        assert [text for text in given if redact_text(text, NONE) == text] == []
        assert redact_text(f"use {uuid} now", NONE) == f"use {uuid} now"


#: texts with a letter that a pattern which ignores case takes for one of ASCII: a long s, a Kelvin sign, Turkish i's
ALIKE = {
    "the pa\u017f\u017fword is {}": "the password is {}",
    "Coo\u212aie: sid={}": "Cookie: sid={}",
    'log\u0130n("ann", "{}")': 'login("ann", "{}")',
    "Set-Cook\u0131e: sid={}": "Set-Cookie: sid={}",
    "<password\u0130>{}</password>": "<password>{}</password>",
}


@pytest.mark.promise("RED-10")
@pytest.mark.parametrize("text", ALIKE)
def test_a_letter_that_is_taken_for_an_ascii_one_hides_no_secret(text: str) -> None:
    value = "s3cr3t" + "pw99"
    assert value not in redact_text(ALIKE[text].format(value), NONE)
    assert value not in redact_text(text.format(value), NONE)
    assert screens.fold(text).isascii()
