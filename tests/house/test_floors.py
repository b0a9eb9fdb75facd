"""Floors: the contracts know every room, and bite."""

from __future__ import annotations

import configparser
import pathlib
import shutil
import subprocess
import sys

import pytest

from tests.house.tree import PRODUCT, ROOT

LINT = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"


def layers() -> list[set[str]]:
    """The rooms of each floor, top first; rooms that are not built stand in parentheses."""
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter", encoding="utf-8")
    lines = contracts["importlinter:contract:floors"]["layers"].split("\n")
    return [{room.strip() for room in line.split("|")} for line in lines if line.strip()]


def lint(folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Run the contracts on the product that lies in a folder."""
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(folder)!r}); {LINT}"]
    options = [str(ROOT / ".importlinter"), "--no-cache"]
    return subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.promise("HOUSE-15")
def test_rooms_in_parentheses_are_exactly_those_that_are_not_built() -> None:
    named = set().union(*layers())
    rooms = {path.stem for path in PRODUCT.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    built = {name for name in named if not name.startswith("(")}
    assert built == rooms - {"__init__"}
    assert {name.strip("()") for name in named - built}.isdisjoint(rooms)


@pytest.mark.promise("HOUSE-15")
@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("model/planted.py", "import segue.stores.open"),
        ("model/planted.py", "import os"),
        ("errors.py", "from segue import model"),
        ("cli/planted.py", "from segue import hook"),
        ("sessionlog/planted.py", "import segue.retrieval.terms"),
        ("sessionlog/planted.py", "import sqlite3"),
        ("sessionlog/planted.py", "def f() -> None:\n    import _sqlite3"),
        ("operations/planted.py", "import psycopg"),
        ("operations/planted.py", "from segue.stores import sqlite"),
        ("unnamed/__init__.py", ""),
    ],
)
def test_each_contract_finds_a_planted_import(tmp_path: pathlib.Path, file: str, text: str) -> None:
    shutil.copytree(PRODUCT, tmp_path / "segue", ignore=shutil.ignore_patterns("__pycache__"))
    planted = tmp_path / "segue" / file
    planted.parent.mkdir(exist_ok=True)
    with planted.open("a", encoding="utf-8") as target:
        target.write(f"\n{text}\n")
    done = lint(tmp_path)
    assert done.returncode == 1 and "BROKEN" in done.stdout, done.stdout + done.stderr


@pytest.mark.promise("HOUSE-15")
def test_the_contracts_hold_on_a_copy_without_a_planted_import(tmp_path: pathlib.Path) -> None:
    shutil.copytree(PRODUCT, tmp_path / "segue", ignore=shutil.ignore_patterns("__pycache__"))
    done = lint(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
