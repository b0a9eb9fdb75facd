"""Sizes: small modules, functions, classes and packages. A table says which package may be large, and why."""

from __future__ import annotations

import ast
import statistics

import pytest

from tests.house.tree import Definition, Module, classes, functions, listed, module, product, suite

MODULE_LINES, MODULE_MEDIAN = 500, 150
FUNCTION_LINES, FUNCTION_MEDIAN = 60, 10
CLASS_LINES = 200
PACKAGE_FILES, PACKAGE_DEPTH = 8, 2

#: packages that may have more files, because a file there is a noun, a row of a table made visible
LARGE_PACKAGES = {
    "segue": "a file or package is a room",
    "segue.model": "a file is a noun",
    "segue.stores": "a file is a noun, beside the seam and the two engines",
    "segue.operations": "a file is a noun",
    "segue.hosts": "a package is a host",
    "segue.sessionlog": "a package is a thing that a log can do",
}


def length(node: Definition | ast.ClassDef) -> int:
    """Lines from the first word to the last, without the docstring; decorators are not counted."""
    whole = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is None:
        return whole
    return whole - ((first.end_lineno or first.lineno) - first.lineno + 1)


def lines(part: Module) -> int:
    """How many lines a module has."""
    return len(part.text.splitlines())


def is_stub(function: Definition) -> bool:
    """Whether the function only declares: its body is a docstring or `...`."""
    return all(isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) for part in function.body)


def too_long(modules: tuple[Module, ...]) -> list[str]:
    """Each module, function and class beyond its size."""
    found = [f"{part.path}: {lines(part)} lines" for part in modules if lines(part) > MODULE_LINES]
    for part in modules:
        sizes = [(name, length(function), FUNCTION_LINES) for name, function in functions(part.tree)]
        sizes += [(node.name, length(node), CLASS_LINES) for node in classes(part.tree)]
        found += [f"{part.name}.{name}: {size} lines" for name, size, most in sizes if size > most]
    return found


def crowded(files: list[str]) -> list[str]:
    """Packages with more modules than fit beside `__init__`, and packages that lie too deep. Takes dotted names."""
    counts: dict[str, int] = {}
    for name in files:
        package = name.rpartition(".")[0]
        counts[package] = counts.get(package, 0) + 1
    found = [f"{p}: {n} files" for p, n in counts.items() if n > PACKAGE_FILES and p not in LARGE_PACKAGES]
    return found + [f"{p}: too deep" for p in counts if p.count(".") > PACKAGE_DEPTH]


def _file_names() -> list[str]:
    return [m.name for m in product() if not m.is_package]


@pytest.mark.promise("HOUSE-1")
def test_no_module_function_or_class_is_too_long() -> None:
    assert listed(too_long(product() + suite())) == ""


@pytest.mark.promise("HOUSE-1")
def test_the_median_module_and_the_median_function_are_short() -> None:
    modules = [lines(m) for m in product() if not m.is_package]
    lengths = [length(f) for m in product() for _, f in functions(m.tree) if not is_stub(f)]
    assert statistics.median(modules) <= MODULE_MEDIAN
    assert statistics.median(lengths) <= FUNCTION_MEDIAN


@pytest.mark.promise("HOUSE-1")
def test_packages_are_small_and_shallow() -> None:
    assert listed(crowded(_file_names())) == ""


@pytest.mark.promise("HOUSE-1")
def test_every_package_that_may_be_large_exists() -> None:
    packages = {m.name for m in product() if m.is_package}
    assert {name for name in LARGE_PACKAGES if name not in packages} <= {"segue.hosts"}


@pytest.mark.promise("HOUSE-1")
def test_a_long_module_function_and_class_are_found() -> None:
    function = "def long():\n" + "    pass\n" * FUNCTION_LINES
    text = function + "class Wide:\n" + "    x = 1\n" * CLASS_LINES + "y = 1\n" * MODULE_LINES
    assert [line.split(": ")[0] for line in too_long((module("segue.planted", text),))] == [
        "src/segue/planted.py",
        "segue.planted.long",
        "segue.planted.Wide",
    ]


@pytest.mark.promise("HOUSE-1")
def test_a_crowded_and_a_deep_package_are_found() -> None:
    names = [f"segue.room.file{n}" for n in range(PACKAGE_FILES + 1)]
    assert crowded(names) == ["segue.room: 9 files"]
    assert crowded(names[1:]) == []
    assert crowded(["segue.a.b.c.d"]) == ["segue.a.b.c: too deep"]
    assert crowded(["segue.a.b.c"]) == []
