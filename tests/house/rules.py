"""Owns the rules on source text that no linter knows: each looks at one module and names what breaks it.

A rule is a row: what it forbids, where it does not hold (with the reason), text that breaks it and text that keeps it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from tests.house.tree import Module, functions

Found = Iterator[tuple[int, str]]

DRIVERS = {"sqlite3", "_sqlite3", "psycopg", "psycopg_pool"}
STARTERS = {"subprocess", "_posixsubprocess", "multiprocessing", "pty"}
#: functions of `os` that start a process
OS_STARTERS = re.compile(r"^(system|popen|fork|forkpty|posix_spawnp?|startfile|(exec|spawn)[lv]p?e?)$")
SQL = re.compile(
    r"\b(SELECT\s+\S|INSERT\s+(OR\s+\w+\s+)?INTO\b|UPDATE\s+\w+\s+SET\b|DELETE\s+FROM\b|CREATE\s+(TABLE|INDEX)\b|\w\s+MATCH\b)"
)
READS = {"os.environ", "os.environb", "os.getenv", "os.getenvb"}
BROAD = {"Exception", "BaseException"}


class Rule(NamedTuple):
    """One rule. `exempt` has modules, or rooms ending in a dot for all below; `breaks` and `keeps` are examples."""

    name: str
    find: Callable[[Module], Found]
    exempt: Mapping[str, str]
    breaks: tuple[str, ...]
    keeps: tuple[str, ...]

    def findings(self, module: Module) -> list[str]:
        """What in the module breaks the rule, with its line."""
        if any(module.name == e or (e.endswith(".") and (module.name + ".").startswith(e)) for e in self.exempt):
            return []
        return [f"{module.path}:{line}: {what}" for line, what in self.find(module)]


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every absolute name that is imported anywhere in the tree, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module


def find_drivers(module: Module) -> Found:
    return ((line, name) for line, name in imported(module.tree) if name.partition(".")[0] in DRIVERS)


def find_starters(module: Module) -> Found:
    yield from ((line, name) for line, name in imported(module.tree) if name.partition(".")[0] in STARTERS)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and _is_name(node.value, "os") and OS_STARTERS.match(node.attr):
            yield node.lineno, f"os.{node.attr}"


def find_sql(module: Module) -> Found:
    docs = {id(node.body[0].value) for node in ast.walk(module.tree) if _has_docstring(node)}  # type: ignore[attr-defined]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            match = SQL.search(node.value)
            if match:
                yield node.lineno, match[0]


def find_open(module: Module) -> Found:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and _opens_text(node) and not any(k.arg == "encoding" for k in node.keywords):
            yield node.lineno, f"{ast.unparse(node.func)} without encoding"


def _opens_text(call: ast.Call) -> bool:
    """Whether the call opens a file as text: `open` and its kind, without a mode for bytes, or `read_text`."""
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in ("read_text", "write_text"):
        return True
    known = _is_name(function, "open") or (
        isinstance(function, ast.Attribute)
        and ((_is_name(function.value, "io") and function.attr == "open") or function.attr == "fdopen")
    )
    modes = [k.value for k in call.keywords if k.arg == "mode"] or call.args[1:2]
    return known and not any(isinstance(m, ast.Constant) and "b" in str(m.value) for m in modes)


def find_print(module: Module) -> Found:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and _is_name(node.func, "print"):
            yield node.lineno, "print"


def find_environment(module: Module) -> Found:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in READS:
            yield node.lineno, ast.unparse(node)


#: functions at the top of a door, which must answer whatever happens: what they swallow they record
DOOR_TOPS = {
    "segue.hook.main": "a hook never hurts the host",
    "segue.mcp.server.Server._run": "the model gets no diagnostics, the log does",
    "segue.mcp.server.Server._hook": "a hook never hurts the host",
    "segue.mcp.server.Server.idle": "what fails when nobody asked must not end the server, the log tells it",
}


def find_swallowing(module: Module) -> Found:
    tops = [f for name, f in functions(module.tree) if f"{module.name}.{name}" in DOOR_TOPS]
    allowed = {id(node) for top in tops for node in ast.walk(top)}
    for node in ast.walk(module.tree):
        if id(node) in allowed:
            continue
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type) and not _raises_again(node):
            yield node.lineno, "except " + (ast.unparse(node.type) if node.type else "everything")
        elif isinstance(node, ast.Call) and _suppresses(node) and any(map(_is_broad, node.args)):
            yield node.lineno, ast.unparse(node)


def _suppresses(call: ast.Call) -> bool:
    return ast.unparse(call.func).rpartition(".")[2] == "suppress"


def _is_broad(kind: ast.expr | None) -> bool:
    if isinstance(kind, ast.Tuple):
        return any(_is_broad(part) for part in kind.elts)
    return kind is None or (isinstance(kind, ast.Name) and kind.id in BROAD)


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def find_unowned(module: Module) -> Found:
    text = ast.get_docstring(module.tree)
    if not text:
        yield 1, "no docstring"
    elif not module.is_package and not text.startswith("Owns "):
        yield 1, f"the docstring begins with {text.split()[0]!r}, not with 'Owns'"


def _has_docstring(node: ast.AST) -> bool:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


DRIVER_IMPORTS = Rule(
    "a database driver is imported outside the engine modules",
    find_drivers,
    {"segue.stores.sqlite": "the SQLite engine", "segue.stores.postgres": "the PostgreSQL engine"},
    breaks=("import sqlite3", "from sqlite3 import connect", "def f():\n    import _sqlite3", "import psycopg.rows"),
    keeps=("import segue.stores.sqlite", "from segue.stores import postgres"),
)
SQL_TEXT = Rule(
    "SQL stands outside the stores",
    find_sql,
    {"segue.stores.": "the only SQL", "segue.hosts.opencode.": "reads another program's tables"},
    breaks=(
        "x = 'SELECT a FROM b'",
        "x = f'DELETE FROM {t}'",
        "x = 'INSERT OR IGNORE INTO t'",
        "x = 'UPDATE t SET a = 1'",
    ),
    keeps=("'''SELECT a FROM b'''", "x = 'Select one'", "x = 'UPDATE it'", "x = 'no MATCHES'"),
)
OPEN_CALLS = Rule(
    "text is opened in whatever encoding the locale has",
    find_open,
    {},
    breaks=("open(p)", "open(p, 'w')", "io.open(p, mode='r')", "os.fdopen(n, 'w')", "path.read_text()"),
    keeps=(
        "open(p, encoding='utf-8')",
        "open(p, 'rb')",
        "os.open(p, flags)",
        "os.fdopen(n, mode='wb')",
        "path.read_bytes()",
    ),
)
PROCESSES = Rule(
    "a process is started outside the system room",
    find_starters,
    {"segue.system.": "the only room that starts processes"},
    breaks=("import subprocess", "from multiprocessing import Pool", "os.execvp(a, b)", "os.system(a)", "os.fork()"),
    keeps=("import os", "os.execution", "os.spawned"),
)
PRINTS = Rule(
    "something other than a door prints",
    find_print,
    {"segue.cli.": "a door", "segue.hook": "a door", "segue.mcp.": "a door"},
    breaks=("print(1)", "def f():\n    print()"),
    keeps=("pprint(1)", "x.print(1)", "log = print"),
)
ENVIRONMENT = Rule(
    "something other than a door or the composition root reads the environment",
    find_environment,
    {
        "segue.app": "the composition root",
        "segue.cli.": "a door passes it on",
        "segue.frameworks.": "a door passes it on",
        "segue.hook": "a door passes it on",
        "segue.mcp.": "a door passes it on",
    },
    breaks=("os.environ['A']", "os.getenv('A')"),
    keeps=("env['A']", "os.environment"),
)
SWALLOWED = Rule(
    "an error is swallowed without being named",
    find_swallowing,
    {},
    breaks=(
        "try:\n    f()\nexcept Exception:\n    pass",
        "try:\n    f()\nexcept:\n    pass",
        "try:\n    f()\nexcept (OSError, BaseException) as e:\n    log(e)",
        "with contextlib.suppress(Exception):\n    f()",
    ),
    keeps=(
        "try:\n    f()\nexcept OSError:\n    pass",
        "try:\n    f()\nexcept BaseException:\n    close()\n    raise",
        "with contextlib.suppress(KeyError):\n    f()",
    ),
)
OWNERS = Rule(
    "a module does not say what it owns",
    find_unowned,
    {},
    breaks=("import os", "'''Helpers.'''"),
    keeps=("'''Owns the clock. Never sleeps.'''",),
)
RULES = (DRIVER_IMPORTS, SQL_TEXT, OPEN_CALLS, PROCESSES, PRINTS, ENVIRONMENT, SWALLOWED, OWNERS)
