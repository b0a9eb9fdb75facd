"""Owns the generated parts of docs/reference: each function gives one page's text, taken from the code itself.

Pages call these functions from cog blocks; `make docs` writes them anew, `make docs-check` fails where one is stale.
A new page is a row in PAGES and a file with one block. Never runs anything of the product beyond importing it.
"""

from __future__ import annotations

import ast
import importlib
import pathlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
PRODUCT = ROOT / "src" / "segue"


class Fault(NamedTuple):
    """An error as a reader of the reference needs it."""

    name: str
    code: str
    message: str
    hint: str


def table(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    head = list(headings)
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(_cell(cell) for cell in line) + " |\n" for line in lines)


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|")


def code(value: object) -> str:
    """The value as code; nothing where there is none."""
    return f"`{value}`" if value not in ("", None) else ""


def events() -> str:
    """Event types with the surface they begin on, and the other words that an event may hold."""
    from segue.model import event

    rows = [
        (code(kind), "current" if kind in event.SURFACE_TYPES else "log-only", code(_constant(event, kind)))
        for kind in event.EVENT_TYPES
    ]
    words = [
        ("surface", event.SURFACES),
        ("origin", event.ORIGINS),
        ("action", event.ACTIONS),
        ("outcome", (event.OK, event.FAILED, event.UNKNOWN)),
    ]
    other = table(("field", "values"), ((code(name), ", ".join(map(code, values))) for name, values in words))
    return f"\n{table(('type', 'surface', 'name in code'), rows)}\n{other}\n"


def _constant(module: object, value: str) -> str:
    return next(name for name, held in vars(module).items() if held == value and name.isupper())


def errors() -> str:
    """Every error that Segue raises: code, message, hint."""
    rows = ((code(f.code), f.message, f.hint, code(f.name)) for f in sorted(faults(_trees()), key=lambda f: f.code))
    return f"\n{table(('code', 'message', 'hint', 'class'), rows)}\n"


def _trees() -> Iterator[ast.Module]:
    return (ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PRODUCT.rglob("*.py")))


def faults(trees: Iterable[ast.Module]) -> list[Fault]:
    """The errors that are declared in these modules: `SegueError` and all that descend from it."""
    declared = {node.name: node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    return [_fault(node, declared) for node in declared.values() if "SegueError" in _line(node, declared)]


def _line(node: ast.ClassDef, declared: Mapping[str, ast.ClassDef]) -> list[str]:
    """The class and its ancestors as far as they are declared here, nearest first."""
    names = [node.name]
    for base in node.bases:
        name = ast.unparse(base).rpartition(".")[2]
        if name in declared and name != node.name:
            names += _line(declared[name], declared)
    return names


def _fault(node: ast.ClassDef, declared: Mapping[str, ast.ClassDef]) -> Fault:
    values: dict[str, str] = {}
    for name in _line(node, declared):
        for part in declared[name].body:
            if isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant):
                values.setdefault(ast.unparse(part.targets[0]), str(part.value.value))
    message = (ast.get_docstring(node) or "").partition("\n")[0]
    return Fault(node.name, values.get("code", ""), message, values.get("hint", ""))


def settings() -> str:
    """Every setting: default, what fits, the environment variable that overrides it, what it does."""
    from segue.config.settings import SETTINGS

    rows = (
        (code(s.name), code(s.default), _fits(s.choices, s.low, s.high), code(s.variable), s.help) for s in SETTINGS
    )
    return f"\n{table(('setting', 'default', 'values', 'variable', 'effect'), rows)}\n"


def _fits(choices: tuple[str, ...], low: int, high: int) -> str:
    if choices:
        return ", ".join(map(code, choices))
    return f"{low} to {high}" if high else "text"


def schema() -> str:
    """Every table, column and index with its comment, as the SQLite schema declares it."""
    return "".join(_tables((PRODUCT / "stores" / "schema" / "sqlite.sql").read_text(encoding="utf-8")))


def _tables(text: str) -> Iterator[str]:
    """A section for each table; indexes follow the table that they belong to."""
    comment = ""
    for statement in re.findall(r"^(?:--[^\n]*|CREATE.*?;[^\n]*)$", text, re.MULTILINE | re.DOTALL):
        first = statement.partition("\n")[0]
        if first.startswith("--"):
            comment = first.removeprefix("--").strip()
        elif "INDEX" in first:
            yield f"- index {code(first.split(' ON ')[0].split()[-1])}: {comment}\n"
        else:
            yield _columns(statement)


def _columns(statement: str) -> str:
    name = re.split(r"\bTABLE ", statement, maxsplit=1)[1].split()[0]
    rows = []
    for line in statement.split("\n")[1:]:
        declared, _, comment = line.partition(" -- ")
        if comment:
            column, _, kind = declared.strip().rstrip(",").partition(" ")
            rows.append((code(column), kind, comment))
    return f"\n## {name}\n\n{table(('column', 'type', 'holds'), rows)}\n"


def promises() -> str:
    """Every promise with its sentence and source, by noun."""
    package = importlib.import_module("tests.promises")
    parts = []
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        rows = importlib.import_module(f"tests.promises.{found.name}").PROMISES
        listed = ((code(promise.id), promise.sentence, promise.source) for promise in rows)
        parts.append(f"\n## {found.name}\n\n{table(('id', 'promise', 'source'), listed)}")
    return "".join(parts) + "\n"


#: page in docs/reference → what fills it
PAGES: dict[str, Callable[[], str]] = {
    "errors": errors,
    "events": events,
    "promises": promises,
    "schema": schema,
    "settings": settings,
}
