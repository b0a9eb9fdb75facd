"""Owns reading the repository: its files as text and its modules as syntax trees. Never changes one."""

from __future__ import annotations

import ast
import functools
import pathlib
import subprocess
from collections.abc import Iterable, Iterator
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRODUCT = ROOT / "src" / "segue"
TESTS = ROOT / "tests"

Definition = ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    """One Python file: its dotted name, its path in the repository, its text, and that text parsed."""

    name: str
    path: str
    text: str
    tree: ast.Module

    @property
    def is_package(self) -> bool:
        """Whether it is the `__init__` of a package."""
        return self.path.endswith("/__init__.py")


def module(name: str, text: str, path: str | None = None) -> Module:
    """A module from its text; without a path, as if it lay in the product."""
    place = path or f"src/{name.replace('.', '/')}.py"
    return Module(name, place, text, ast.parse(text, place))


@functools.cache
def product() -> tuple[Module, ...]:
    """Every module of the product."""
    return _modules(PRODUCT, PRODUCT.parent)


@functools.cache
def suite() -> tuple[Module, ...]:
    """Every module of the tests."""
    return _modules(TESTS, ROOT)


def _modules(folder: pathlib.Path, above: pathlib.Path) -> tuple[Module, ...]:
    return tuple(
        module(_dotted(path.relative_to(above)), path.read_text(encoding="utf-8"), relative(path))
        for path in sorted(folder.rglob("*.py"))
    )


def _dotted(path: pathlib.Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Definition]]:
    """Every function under a node with its qualified name, nested ones too."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition):
            yield prefix + node.name, node
            yield from functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")
        else:
            yield from functions(node, prefix)


def classes(tree: ast.AST) -> Iterator[ast.ClassDef]:
    """Every class under a node."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def files() -> list[pathlib.Path]:
    """Every file that is in version control, or would be if all were added."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    return [path for name in sorted(set(listed.split("\0"))) if name and (path := ROOT / name).is_file()]


def listed(findings: Iterable[str]) -> str:
    """Findings as text, so that a failing comparison with "" shows all of them."""
    return "\n".join(findings)


def relative(path: pathlib.Path) -> str:
    """The path from the top of the repository, with slashes."""
    return path.relative_to(ROOT).as_posix()
