"""JSON text in and out."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.model.codec import dumps, loads, scrub

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
BROKEN = ["", " ", "{", "[1", "nul", "NaN", "Infinity", '{"a":NaN}', '{"a":1} x', "{'a':1}", '"abc', "[1,]", "\ufeff1"]


@pytest.mark.promise("LOG-15")
@given(VALUES)
def test_a_value_comes_back_and_its_text_is_canonical(value: object) -> None:
    text = dumps(value)
    assert loads(text) == value
    assert text == json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@pytest.mark.promise("LOG-15")
@pytest.mark.parametrize("text", BROKEN)
def test_what_is_not_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        loads(text)
    assert loads(' {"a" : [1, 2.5, "x\\u0000"]} \n') == {"a": [1, 2.5, "x\0"]}


@pytest.mark.promise("LOG-15")
def test_hostile_nesting_and_cycles_are_value_errors() -> None:
    with pytest.raises(ValueError, match="deep"):
        loads("[" * 200_000)
    knot: list[object] = []
    knot.append(knot)
    with pytest.raises(ValueError, match="deep"):
        dumps(knot)
    with pytest.raises(ValueError):
        dumps(float("nan"))


SLOW = """
import sys
sys.modules["_json"] = None
from segue.model import codec
assert codec._scan is None
import json
for text in json.loads(sys.argv[1]):
    try:
        print(json.dumps(codec.dumps(codec.loads(text))))
    except ValueError:
        print("refused")
"""


@pytest.mark.promise("LOG-15")
def test_it_is_the_same_without_the_c_scanner() -> None:
    texts = [*BROKEN, '{"b":1,"a":[true,null,"é\\n"]}', "1e5", '"\\ud83d\\ude00"', '"raw\tcontrol"']
    root = pathlib.Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", SLOW, json.dumps(texts)],
        env={"PYTHONPATH": str(root / "src"), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = []
    for text in texts:
        try:
            expected.append(json.dumps(dumps(loads(text))))
        except ValueError:
            expected.append("refused")
    assert ran.stdout.splitlines() == expected
    assert expected.count("refused") == len(BROKEN)


@pytest.mark.promise("LOG-15")
@given(st.text(alphabet=st.characters(min_codepoint=0, max_codepoint=0x10FFFF), max_size=40))
def test_scrubbed_text_can_be_encoded_and_sound_text_stays(text: str) -> None:
    scrubbed = scrub(text + "\ud800")
    scrubbed.encode()
    assert scrub("grüße 😀") == "grüße 😀"
