"""Cold start: a hook that captures loads nothing of the standard library that costs more than its work."""

from __future__ import annotations

import ast
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder

import pytest

from segue.__main__ import ShortWay
from tests.house.tree import PRODUCT, module, product

#: too slow for the hook path (docs/decisions/0001): each costs from a tenth to three times an interpreter's start
SLOW = """
argparse ast asyncio base64 collections concurrent contextlib copy dataclasses datetime decimal dis email enum functools
gettext glob hashlib hmac http importlib inspect ipaddress json locale logging multiprocessing operator pathlib pickle
platform pprint psycopg queue random re secrets selectors shlex shutil signal socket sqlite3 ssl string subprocess
tempfile textwrap threading tokenize traceback types typing unicodedata urllib uuid warnings weakref xml zipfile
"""
FORBIDDEN = frozenset(SLOW.split())
#: rules and what compiles them: ordinary text, and the ids of hosts, need none
RULES = ("segue.redaction.rules", "segue.redaction.patterns", "segue.redaction.prefixes")
#: ids as a host gives them
SESSION = "01dddda3-5686-4411-8ebe-019be0f3d4a1"
#: rooms that a capture has no business in
ROOMS = ("cli", "mcp", "web", "operations", "injection", "projectors", "retrieval", "upkeep", "stores.migrate", "demo")
#: C modules that the hook path needs; what they load by themselves is not ours
NEEDED = "import os, _json, _sqlite3, select"
PAYLOADS: tuple[dict[str, object], ...] = (
    {"hook_event_name": "UserPromptSubmit", "prompt": "Why does the build fail?"},
    {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": "toolu_01" + "AbCdEfGhJkMnPqRsTuVw12",
        "tool_input": {"command": "make test"},
        "tool_response": {"stdout": "12 passed\n" * 40, "stderr": "", "interrupted": False},
    },
)


def run(code: str, home: pathlib.Path, payload: object = None) -> set[str]:
    """The modules that an isolated interpreter has loaded after this code."""
    script = f"import sys\nsys.path.insert(0, {str(PRODUCT.parent)!r})\n{code}\nsys.stderr.write(' '.join(sys.modules))"
    env = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), "SEGUE_HOME": str(home / "segue"), "USER": "ana"}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script],
        input=json.dumps(payload).encode(),
        env=env,
        cwd=home,
        capture_output=True,
        check=True,
    )
    log = home / "segue" / "hook-errors.log"
    assert not log.exists(), log.read_text(encoding="utf-8")
    return set(done.stderr.decode().split())


def capture(home: pathlib.Path, payload: dict[str, object]) -> set[str]:
    """The modules that a hook has loaded after capturing one payload into a store that is ready."""
    whole = {"session_id": SESSION, "cwd": str(home / "shop"), "transcript_path": str(home / "t.jsonl"), **payload}
    (home / "shop").mkdir(exist_ok=True)
    code = f"from segue.__main__ import main\nmain(['hook', 'claude-code', {payload['hook_event_name']!r}])"
    run(code, home, whole)  # the first one makes the store
    return run(code, home, {**whole, "tool_use_id": "toolu_01" + "xYzWvUtSrQpNmKjHgFeD34", "prompt": "And now?"})


def at_start(body: list[ast.stmt]) -> Iterator[tuple[int, str]]:
    """What a module imports when it is loaded, with lines: not in functions, for type checkers or as a fallback."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
        elif isinstance(node, ast.If):
            yield from at_start([] if ast.unparse(node.test) == "TYPE_CHECKING" else node.body)
            yield from at_start(node.orelse)
        elif isinstance(node, ast.Try):
            yield from at_start(node.body + node.orelse + node.finalbody)
        elif isinstance(node, ast.ClassDef | ast.With):
            yield from at_start(node.body)


def slow_imports(tree: ast.Module) -> list[tuple[int, str]]:
    return [(line, name) for line, name in at_start(tree.body) if name.partition(".")[0] in FORBIDDEN]


@pytest.mark.promise("HOUSE-8")
@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: str(payload["hook_event_name"]))
def test_a_capture_loads_no_slow_module_and_no_room_it_does_not_need(
    tmp_path: pathlib.Path, payload: dict[str, object]
) -> None:
    loaded = capture(tmp_path, payload)
    assert "segue.sessionlog.capture" in loaded
    extra = {name.partition(".")[0] for name in loaded} - {n.partition(".")[0] for n in run(NEEDED, tmp_path)}
    assert sorted(extra & FORBIDDEN) == []
    assert sorted(name for name in loaded if name.startswith(tuple(f"segue.{room}" for room in ROOMS))) == []
    assert sorted(name for name in loaded if name.startswith(RULES)) == []


@pytest.mark.promise("HOUSE-8")
def test_no_module_that_a_capture_loads_imports_a_slow_one_by_itself(tmp_path: pathlib.Path) -> None:
    hot = {name for payload in PAYLOADS for name in capture(tmp_path, payload)}
    found = [f"{m.path}:{line}: {name}" for m in product() if m.name in hot for line, name in slow_imports(m.tree)]
    assert found == []


def told_of(spec: ModuleSpec | None) -> tuple[object, ...] | None:
    """What makes two specs of one module alike."""
    if spec is None:
        return None
    return (spec.name, spec.origin, spec.cached, spec.has_location, type(spec.loader), spec.submodule_search_locations)


@pytest.mark.promise("HOUSE-16")
def test_a_hook_finds_the_modules_that_python_finds() -> None:
    names = [m.name for m in product() if m.name != "segue"]
    assert len(names) > 100
    for name in names:
        folder = [str(PRODUCT.parent.joinpath(*name.split(".")[:-1]))]
        assert told_of(ShortWay.find_spec(name, folder)) == told_of(PathFinder.find_spec(name, folder)) is not None


@pytest.mark.promise("HOUSE-16")
def test_what_is_not_there_or_not_segues_is_left_to_python(tmp_path: pathlib.Path) -> None:
    folder = [str(tmp_path)]
    (tmp_path / "folder").mkdir()
    (tmp_path / "json.py").touch()
    (tmp_path / "compiled.pyc").touch()
    for name in ("segue.folder", "segue.compiled", "segue.gone", "json", "othersegue.json"):
        assert ShortWay.find_spec(name, folder) is None
    assert ShortWay.find_spec("segue", None) is None
    assert ShortWay.find_spec("segue.json", folder) is not None


@pytest.mark.promise("HOUSE-8")
def test_a_slow_module_is_found_where_it_is_loaded(tmp_path: pathlib.Path) -> None:
    assert "json" in run("import json", tmp_path)
    assert "json" not in run(NEEDED, tmp_path)


@pytest.mark.promise("HOUSE-8")
def test_a_slow_import_is_told_from_one_that_waits() -> None:
    text = (
        "import re\nfrom json import loads\n"
        "if TYPE_CHECKING:\n    import typing\nelse:\n    import enum\n"
        "try:\n    import _sqlite3\nexcept ImportError:\n    import sqlite3\n"
        "def f():\n    import pathlib\n"
    )
    assert slow_imports(module("segue.planted", text).tree) == [(1, "re"), (2, "json"), (6, "enum")]
