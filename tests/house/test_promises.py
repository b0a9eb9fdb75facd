"""Promises and tests name each other: none without the other, whatever part of the tests is run."""

from __future__ import annotations

import ast
import collections
import importlib
import pkgutil
from collections.abc import Iterable, Iterator

import pytest

from tests import promises
from tests.house.tree import Module, functions, listed, module, suite
from tests.promises import Promise


def promised() -> list[Promise]:
    """Every promise of every noun."""
    found: list[Promise] = []
    for part in pkgutil.iter_modules(promises.__path__):
        found += importlib.import_module(f"tests.promises.{part.name}").PROMISES
    return found


def marks(modules: Iterable[Module]) -> Iterator[tuple[str, list[str]]]:
    """Every test by name, with the ids that it carries."""
    for part in modules:
        if part.path.rpartition("/")[2].startswith("test_"):
            for name, function in functions(part.tree):
                if name.startswith("test_"):
                    yield f"{part.path}::{name}", [mark for d in function.decorator_list for mark in _ids(d)]


def _ids(decorator: ast.expr) -> list[str]:
    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.promise":
        return [str(part.value) for part in decorator.args if isinstance(part, ast.Constant)]
    return []


def gaps(known: Iterable[Promise], carried: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Promises without a test, tests without a promise, and ids that nobody promised."""
    ids = {promise.id for promise in known}
    tests = dict(carried)
    kept = {mark for marked in tests.values() for mark in marked}
    found = [f"{name} keeps no promise" for name, marked in tests.items() if not marked]
    found += [
        f"{name} carries {mark}, which nobody promised" for name, m in tests.items() for mark in m if mark not in ids
    ]
    return found + [f"{missing} has no test" for missing in sorted(ids - kept)]


@pytest.mark.promise("HOUSE-9")
def test_every_promise_has_a_test_and_every_test_a_promise() -> None:
    assert listed(gaps(promised(), marks(suite()))) == ""


@pytest.mark.promise("HOUSE-9")
def test_every_promise_has_an_id_of_its_own_a_sentence_and_a_source() -> None:
    counted = collections.Counter(promise.id for promise in promised())
    assert [name for name, count in counted.items() if count > 1] == []
    assert [p.id for p in promised() if not (p.id.strip() and p.source.strip())] == []
    assert [p.id for p in promised() if len(p.sentence.split()) < 3 or not p.sentence.endswith(".")] == []


@pytest.mark.promise("HOUSE-9")
def test_no_test_is_in_a_class_or_skipped() -> None:
    decorators = [ast.unparse(d) for part in suite() for _, f in functions(part.tree) for d in f.decorator_list]
    assert [d for d in decorators if d.startswith(("pytest.mark.skip", "pytest.mark.xfail", "unittest.skip"))] == []
    assert [name for name, _ in marks(suite()) if "." in name.partition("::")[2]] == []


@pytest.mark.promise("HOUSE-9")
def test_a_missing_test_a_missing_mark_and_an_unknown_mark_are_found() -> None:
    text = (
        "@pytest.mark.promise('A-1')\ndef test_one(): ...\n"
        "def test_two(): ...\n"
        "@pytest.mark.promise('A-3')\nasync def test_three(): ...\n"
        "def helper(): ...\n"
    )
    planted = [
        module("tests.test_planted", text, "tests/test_planted.py"),
        module("tests.planted", text, "tests/planted.py"),
    ]
    known = [Promise("A-1", "It works.", "here"), Promise("A-2", "It lasts.", "here")]
    assert gaps(known, marks(planted)) == [
        "tests/test_planted.py::test_two keeps no promise",
        "tests/test_planted.py::test_three carries A-3, which nobody promised",
        "A-2 has no test",
    ]
