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
from typing import TYPE_CHECKING, NamedTuple

from segue.stores.migrate import schema_text

if TYPE_CHECKING:
    from segue.model.operation import Operation, Param

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


def commands() -> str:
    """Every command: what it does, an example, what it takes."""
    from segue.cli.parser import commands as known

    return "".join(
        f"\n## segue {name}\n\n{_sentence(operation.help)}\n\n    {operation.example}\n{_options(operation)}"
        for name, operation in sorted(known().items())
    )


def tools() -> str:
    """Every MCP tool: what it tells the model, what it takes."""
    from segue.operations.registry import OPERATIONS

    return "".join(
        f"\n## {operation.tool}\n\n{_sentence(operation.help)}\n{_options(operation, person=False)}"
        for operation in sorted(OPERATIONS, key=lambda operation: operation.tool or "")
        if operation.tool
    )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].rstrip(".") + "."


def _options(operation: Operation, *, person: bool = True) -> str:
    """The parameters as a table: at the command line with dashes, for a tool without those of persons alone."""
    rows = [
        (code(_spelled(p) if person else p.name), _takes(p), "yes" if p.required else "", p.help)
        for p in operation.params
        if person or not p.person_only
    ]
    return "\n" + table(("parameter", "takes", "required", "effect"), rows) if rows else ""


def _spelled(param: Param) -> str:
    return param.name.upper() if param.positional else "--" + param.name.replace("_", "-")


def _takes(param: Param) -> str:
    return ", ".join(map(code, param.choices)) or {"texts": "texts, repeatable", "flag": ""}.get(param.kind, param.kind)


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
    """Every table, column and index with its comment, as the SQLite schema declares it last."""
    return "".join(_tables(_as_it_became(schema_text("sqlite"))))


def _as_it_became(text: str) -> str:
    """The schema with its columns where they belong, and without what a later step dropped."""
    for name in re.findall(r"^DROP TABLE (\w+);$", text, re.MULTILINE):
        text = re.sub(rf"^CREATE (?:VIRTUAL )?TABLE {name} .*?;\n", "", text, count=1, flags=re.MULTILINE | re.DOTALL)
    for name, column, comment in re.findall(r"^ALTER TABLE (\w+) ADD COLUMN ([^;]+);( -- .*)$", text, re.MULTILINE):
        begun = f"CREATE TABLE {name} (\n"
        text = text.replace(begun, f"{begun}  {column},{comment}\n")
    return text


def _tables(text: str) -> Iterator[str]:
    """A section for each table, with the indexes that belong to it."""
    comment = ""
    sections: dict[str, str] = {}
    for statement in re.findall(r"^(?:--.*|CREATE .*INDEX .*|CREATE .*TABLE (?:.*\n)+?\).*)$", text, re.MULTILINE):
        first = statement.partition("\n")[0]
        if first.startswith("--"):
            comment = first.removeprefix("--").strip()
        elif "INDEX" in first:
            named, _, on = first.partition(" ON ")
            sections[on.split()[0]] += f"- index {code(named.split()[-1])}: {comment}\n"
        else:
            sections[re.split(r"\bTABLE ", first, maxsplit=1)[1].split()[0]] = _columns(statement)
    return iter(sections.values())


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
    "commands": commands,
    "errors": errors,
    "events": events,
    "promises": promises,
    "schema": schema,
    "settings": settings,
    "tools": tools,
}
