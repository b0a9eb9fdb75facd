"""Compiled patterns that are kept: the same as compiled ones, and never used where they do not belong."""

import json
import marshal
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.redaction import RULES, Policy, Rule, patterns, redact_text, use_kept
from tests.redaction import fresh, heldout

KEPT = patterns.pack(RULES) or b""
ROWS = patterns.unpack(KEPT)
SOURCE = Path(__file__).parents[2] / "src"
PASSWORD = "hunter" + "2xyz"


@pytest.mark.promise("RED-11")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_kept_pattern_is_the_one_that_re_compiles(rule: Rule) -> None:
    kept, compiled = patterns.pattern_of(rule, {rule.name: ROWS[rule.name]}), re.compile(rule.pattern)
    assert kept is not patterns.pattern_of(rule, {})
    assert kept == compiled  # flags, groups and code
    assert (kept.pattern, kept.flags, kept.groups) == (compiled.pattern, compiled.flags, compiled.groups)
    assert dict(kept.groupindex) == dict(compiled.groupindex)
    for text in (rule.vanish, rule.stay):
        assert found(kept, text) == found(compiled, text)


def found(pattern: re.Pattern[str], text: str) -> list[Any]:
    return [(match.span(), match.groupdict(), match.lastgroup) for match in pattern.finditer(text)]


#: prints what redaction makes of each text of its input, with the kept patterns of a file, and what was loaded
REDACT = """
import sys
sys.path.insert(0, sys.argv[1])
from segue.model.codec import dumps, loads
from segue.redaction import Policy, redact_text, use_kept
use_kept(lambda: open(sys.argv[2], "rb").read())
told = [redact_text(text, Policy()) for text in loads(open(0).read())]
print(dumps([told, list(sys.modules)]))
"""


def redact(kept: bytes, texts: list[str], folder: Path) -> tuple[list[str], set[str]]:
    """What an interpreter of its own makes of the texts, and the modules that it has loaded then."""
    (folder / "kept").write_bytes(kept)
    words = [sys.executable, "-I", "-S", "-c", REDACT, str(SOURCE), str(folder / "kept")]
    done = subprocess.run(words, input=json.dumps(texts), capture_output=True, check=True, text=True)
    told, modules = json.loads(done.stdout)
    return told, set(modules)


@pytest.mark.promise("RED-11")
def test_kept_patterns_find_the_same_in_every_corpus(tmp_path: Path) -> None:
    texts = [text.text for corpus in (heldout, fresh) for text in corpus.positives()]
    texts += [line for corpus in (heldout, fresh) for line in corpus.negatives()]
    texts += [text for rule in RULES for text in (rule.vanish, rule.stay)]
    assert len(texts) > 2000
    told, loaded = redact(KEPT, texts, tmp_path)
    assert told == [redact_text(text, Policy()) for text in texts]
    assert not {"re", "enum", "functools"} & loaded


def foreign() -> bytes:
    """Rows as another interpreter keeps them, intact."""
    (version, name, hexversion, *rest), places = marshal.loads(KEPT[8:])
    body = marshal.dumps(((version, name, hexversion + 1, *rest), places)) + KEPT[min(places.values()) :]
    return (patterns._check(body) or b"") + body


def older() -> bytes:
    """Rows whose patterns match nothing, kept for other texts of the same rules."""
    never = re.compile("(?!)")
    rules = [rule.replace(pattern=never.pattern) for rule in RULES]
    return patterns.pack(rules) or b""


BROKEN = {
    "absent": lambda: b"",
    "truncated": lambda: KEPT[:-1000],
    "cut to its check": lambda: KEPT[:8],
    "one bit": lambda: KEPT[:90_000] + bytes([KEPT[90_000] ^ 1]) + KEPT[90_001:],
    "garbage": lambda: b"\xff\x00garbage" * 999,
    "foreign": foreign,
    "stale": older,
}


@pytest.mark.promise("RED-12")
@pytest.mark.parametrize("how", BROKEN)
def test_kept_patterns_that_are_not_ours_are_not_used(how: str, tmp_path: Path) -> None:
    kept = BROKEN[how]()
    assert kept != KEPT
    assert how == "stale" or patterns.unpack(kept) == {}
    told, loaded = redact(kept, [f"pwd={PASSWORD}"], tmp_path)
    assert told == ["pwd=[REDACTED:assignment]"]
    assert "re" in loaded


@pytest.mark.promise("RED-12")
@given(st.binary(max_size=200), st.integers(0, len(KEPT)))
@settings(deadline=None)
def test_no_bytes_make_kept_patterns_fail(noise: bytes, at: int) -> None:
    assert patterns.unpack(KEPT) == ROWS
    assert patterns.unpack(noise) == {}
    assert patterns.unpack(KEPT[:at] + noise + KEPT[at:]) == (ROWS if noise == b"" else {})


@pytest.mark.promise("RED-12")
def test_a_row_that_the_interpreter_refuses_is_compiled() -> None:
    rule = next(rule for rule in RULES if rule.name == "told")
    text, flags, groups, names, code = marshal.loads(ROWS["told"])
    rows: list[Any] = [(text, flags, groups, names, code[4:]), (text, flags, 0, names, code), (text, 0, 4, {}, b"x")]
    for row in rows:
        assert patterns.pattern_of(rule, {"told": memoryview(marshal.dumps(row))}) == re.compile(rule.pattern)


#: what an interpreter without the private parts of `re`, or without those that run its code, does
WITHOUT = """
import re, sys
sys.path.insert(0, sys.argv[1])
name, kept = sys.argv[2], open(sys.argv[3], "rb").read()
if name == "the compiler":
    del re._parser
    sys.modules["re._parser"] = None
elif name == "the engine's name":
    sys.modules["_sre"] = None
elif name == "the check":
    import _imp
    del _imp.source_hash
elif name == "the number":
    import _sre
    del _sre.MAGIC
from segue.redaction import RULES, patterns, redact_text, use_kept, Policy
use_kept(lambda: kept)
print(patterns.pack(RULES[:3]) is None, len(patterns.unpack(kept)), redact_text(sys.argv[4], Policy()))
"""


@pytest.mark.promise("RED-12")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nothing", f"False {len(RULES)}"),
        ("the compiler", f"True {len(RULES)}"),
        ("the engine's name", "True 0"),
        ("the check", "True 0"),
        ("the number", "True 0"),
    ],
)
def test_an_interpreter_without_the_private_parts_keeps_nothing_and_redacts(
    name: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / "kept").write_bytes(KEPT)
    words = [sys.executable, "-I", "-S", "-c", WITHOUT, str(SOURCE), name, str(tmp_path / "kept"), f"pwd={PASSWORD}"]
    done = subprocess.run(words, capture_output=True, check=True, text=True)
    assert done.stdout == f"{told} pwd=[REDACTED:assignment]\n"


@pytest.mark.promise("RED-11")
def test_kept_patterns_are_asked_for_only_when_a_rule_is_needed() -> None:
    asked: list[bool] = []
    use_kept(lambda: asked.append(True))
    redact_text("Why does the build fail?", Policy())
    assert asked == []
