"""What redaction does to texts and data."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.redaction import RULES, Policy, Rule, redact_text, redact_value
from segue.redaction.judge import STRONG, WEAK
from tests.redaction import corpus
from tests.redaction.scoring import score

NONE = Policy()
HERE = Policy(workspace="/home/dev/project", home="/home/dev")
PASSWORD = "hunter" + "2xyz"
# fmt: off
PIECES = (
    "password = '", "token: ", "<private>", "</private>", "://a:", "@", "+49 30 ", "eyJ", "-----BEGIN ",
    "KEY-----", "\n", "=", "sk-", "93.184.", "1234567", "a7Kq2Zx9Lm4Tp0Vb", "[REDACTED:x]",
    "/home/dev/project",
)
#: what makes a rule begin and never end
HOSTILE = (
    "<private>", "<private></private>", "`<private>`", "-----BEGIN A KEY-----", "a@", "eyJ", "1.", "0 1 ", "(415",
    "://a:", "?a=", "\\n", "{\"key\":", "x or '", "2001:", "::1",
)
# fmt: on


@pytest.mark.promise("RED-1")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_example_of_a_rule_vanishes_and_its_counterexample_stays(rule: Rule) -> None:
    assert rule.marker in redact_text(rule.vanish, NONE)
    assert redact_text(rule.stay, NONE) == rule.stay


@pytest.mark.promise("RED-2")
def test_our_own_corpus_is_redacted_within_the_thresholds() -> None:
    texts, lines = corpus.positives(), corpus.negatives()
    assert len(texts) >= 200
    assert len({t.shape for t in texts if t.shape.startswith("provider:")}) >= 80
    assert len({t.shape for t in texts}) >= 120
    assert len(lines) >= 1000
    told = score(texts, lines)
    assert told.recall >= 0.97, told.missed
    assert told.provider_recall >= 0.99, told.missed
    assert told.wrong_per_thousand <= 1, [lines[at] for at in told.wrong]


@pytest.mark.promise("RED-1")
@pytest.mark.parametrize("token", ["AKIA" + "IOSFODNN7" + "EXAMPLE", "nsk-" + "a7Kq2Zx9Lm4Tp0Vb" * 2])
def test_published_examples_and_tokens_of_little_known_providers_vanish(token: str) -> None:
    assert token not in redact_text(f"it said {token} and stopped", NONE)


@pytest.mark.promise("RED-1")
def test_a_token_longer_than_any_pattern_vanishes_whole() -> None:
    for start in ("eyJ", "ghp_", "sk-proj-"):
        assert redact_text(start + "a7Kq2Zx9" * 3000 + " end", NONE).endswith("] end")


@pytest.mark.promise("RED-3")
@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact_text(text, HERE)
    assert redact_text(once, HERE) == once


@pytest.mark.promise("RED-3")
@pytest.mark.parametrize("text", ["\ud800", "\x00@\x00", "", "password=\udfff" * 9, "İ<PRIVATE>x"])
def test_no_string_is_too_strange(text: str) -> None:
    assert isinstance(redact_text(text, HERE), str)


@pytest.mark.promise("RED-4")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a <private>b</private> c", "a [PRIVATE] c"),
        ("a <PRIVATE>b</Private> c", "a [PRIVATE] c"),
        ("a <private>b <private>c</private> d</private> e", "a [PRIVATE] e"),
        ("a <private>b", "a [PRIVATE]"),
        ("a</private> b", "[PRIVATE] b"),
        ("<PrivateRoute path='x'>", "<PrivateRoute path='x'>"),
        ("Local<Private> key;", "Local<Private> key;"),
        ("Local<Private> key; </private>", "Local[PRIVATE]"),
        ("a <Private> b", "a [PRIVATE]"),
        ("the `<private>` tag", "the `<private>` tag"),
    ],
)
def test_private_parts_vanish_and_doubt_hides_more(text: str, told: str) -> None:
    assert redact_text(text, NONE) == told


@pytest.mark.promise("RED-5")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("at /home/dev/project/src/app.py:3", "at [WORKSPACE]/src/app.py:3"),
        ("at /home/dev/project", "at [WORKSPACE]"),
        ("at /home/dev/project2/x", "at ~/project2/x"),
        ("at /home/developer/x", "at /home/developer/x"),
        ("file:///home/dev/project/a", "[WORKSPACE]/a"),
    ],
)
def test_paths_are_told_by_name_and_keep_their_rest(text: str, told: str) -> None:
    assert redact_text(text, HERE) == told


@pytest.mark.promise("RED-5")
def test_windows_paths_are_found_in_every_spelling() -> None:
    policy = Policy(workspace="C:\\work\\app")
    assert (
        redact_text("c:\\Work\\app\\x.py C:/work/app/x.py C:\\\\work\\\\app\\\\x.py", policy)
        == "[WORKSPACE]\\x.py [WORKSPACE]/x.py [WORKSPACE]\\\\x.py"
    )


@pytest.mark.promise("RED-5")
def test_a_root_that_is_too_short_is_ignored() -> None:
    assert redact_text("/usr/bin", Policy(workspace="/", home="/us")) == "/usr/bin"


@pytest.mark.promise("RED-6")
def test_data_is_redacted_by_key_and_by_value_and_in_keys() -> None:
    mail = "ann" + "@mail.example.org"
    assert redact_value({"password": PASSWORD, mail: [f"to {mail}", 3, None]}, NONE) == {
        "password": "[REDACTED:assignment]",
        "[EMAIL]": ["to [EMAIL]", 3, None],
    }


@pytest.mark.promise("RED-6")
@pytest.mark.parametrize("key", sorted((STRONG | WEAK) - {"tokens"}))  # of which there is mostly a number
def test_every_word_that_names_a_secret_masks_the_value_under_it(key: str) -> None:
    value = "a7Kq2Zx9Lm4" + "Tp0Vb6"
    assert redact_value({key: value, "note": value}, NONE) == {key: "[REDACTED:assignment]", "note": value}


@pytest.mark.promise("RED-6")
def test_deep_data_is_cut_and_not_a_crash() -> None:
    deep: object = "end"
    for _ in range(5000):
        deep = [deep]
    assert "[…]" in str(redact_value(deep, NONE))


@pytest.mark.promise("RED-6")
def test_keys_that_become_alike_keep_their_values() -> None:
    ann, ben = "ann" + "@mail.example.org", "ben" + "@mail.example.org"
    assert redact_value({ann: 1, ben: 2}, NONE) == {"[EMAIL]": 1, "[EMAIL] (2)": 2}


def run(code: str, *arguments: str) -> list[str]:
    """What an isolated interpreter prints, line by line."""
    source = str(Path(__file__).parents[2] / "src")
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {source!r})\n{code}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.promise("RED-7")
def test_recorded_payloads_and_ordinary_logs_load_no_rule_and_no_re() -> None:
    tests = Path(__file__).parents[1]
    payloads = sorted(tests.glob("hosts/claude/*/payloads.ndjson"))
    logs = sorted((tests / "redaction" / "ordinary").glob("*.txt"))
    assert len(payloads) >= 4
    assert len(logs) >= 2
    code = (
        "from segue.redaction import Policy, redact_text, redact_value\n"
        "from segue.model.codec import loads\n"
        "policy = Policy(workspace='/home/dev/proj', home='/home/dev')\n"
        "rules = ('re', 'segue.redaction.rules.contexts', 'segue.redaction.rules.personal')\n"
        "print(0, *(m for m in rules if m in sys.modules))\n"
        "for path in sys.argv[2:]:\n"
        "    text = open(path, encoding='utf-8').read()\n"
        "    if path.endswith('.ndjson'):\n"
        "        [redact_value(loads(line), policy) for line in text.splitlines()]\n"
        "    else:\n"
        "        redact_text((text * (20_000 // len(text) + 1))[:20_000], policy)\n"
        "    print(path, *(m for m in rules if m in sys.modules))\n"
        "redact_text('password=' + sys.argv[1], policy)\n"
        "print('re' in sys.modules)\n"
    )
    *told, control = run(code, PASSWORD, *map(str, (*payloads, *logs)))
    assert [line for line in told if " " in line] == []
    assert len(told) == 1 + len(payloads) + len(logs)
    assert control == "True"


@pytest.mark.promise("RED-7")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_pattern_repeats_without_bound(rule: Rule) -> None:
    assert unbounded(rule.pattern) == []


@pytest.mark.promise("RED-7")
def test_a_repeat_without_bound_is_found() -> None:
    assert unbounded(r"a(?:b|c+)\s*") == ["MAX_REPEAT", "MAX_REPEAT"]


def unbounded(pattern: str) -> list[str]:
    """The repeats of a pattern that have no upper bound outside of looks to the side, which are tried once a place."""
    parser: Any = re._parser  # type: ignore[attr-defined]  # the only place that knows what a pattern says
    found: list[str] = []

    def walk(node: Any) -> None:
        if isinstance(node, tuple) and len(node) == 2 and "REPEAT" in str(node[0]) and node[1][1] == parser.MAXREPEAT:
            found.append(str(node[0]))
        if isinstance(node, (tuple, list, parser.SubPattern)):
            for inner in node:
                walk(inner)

    walk(parser.parse(pattern))
    return found


@pytest.mark.promise("RED-7")
@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_line_of_a_megabyte_is_redacted(piece: str) -> None:
    told = redact_text(piece * (1_000_000 // len(piece)), NONE)
    assert told.startswith(("[PRIVATE]", "[IP]", "[REDACTED:jwt]", piece[:1]))


@pytest.mark.promise("RED-7")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_survives_its_own_beginning_a_thousand_times(rule: Rule) -> None:
    cut = rule.vanish[: max(4, len(rule.vanish) * 3 // 4)]
    told = redact_text(cut * 1000, NONE)
    assert redact_text(told, NONE) == told


@pytest.mark.promise("RED-8")
@pytest.mark.parametrize(
    "line",
    [
        "listening on 127.0.0.1:8080 and 192.168.1.7",
        "commit 3f9a0c7be1d258463f9a0c7be1d258463f9a0c7b",
        "password = os.environ['DB_PASSWORD']",
        "Password: required, at least 12 characters.",
        "token: Token",
        "passwd:         files systemd",
        "git clone git@example.org:ann/tool.git",
        "user@1000.service started, icon@2x.png copied, npm i left@1.2.3",
        "No Firebase API key in the build at all.",
        "apiKey: import.meta.env.VITE_FIREBASE_API_KEY,",
        "upgrade to version 4.18.2.1 on 2024-05-01",
    ],
)
def test_what_only_looks_like_a_secret_stays(line: str) -> None:
    assert redact_text(line, NONE) == line
