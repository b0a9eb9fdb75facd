"""What a command was for, and what its exit state proves."""

from __future__ import annotations

import pytest

from segue.injection.commands import proven, purpose

PURPOSES = {
    "pytest -q": "test", "python -m pytest tests": "test", "python3 -m unittest": "test", "npm test": "test",
    "npm run test:unit": "test", "yarn build": "build", "cargo test --all": "test", "cargo build": "build",
    "go test ./...": "test", "go vet ./...": "check", "make": "build", "make test": "test", "./gradlew build": "build",
    "cd app && npm run lint": "check", "FOO=1 pytest": "test", "ruff check .": "check", "mypy src": "check",
    "tsc --noEmit": "build", "npx jest": "test", ".venv/bin/pytest -x": "test", "uv run pytest": "test",
    "mvn -q package": "build", "dotnet test": "test", "poetry run mypy .": "check", "tox -e py311": "test",
    "ls -l": None, "git commit -m 'make test pass'": None, "cat pytest.ini": None, "grep -r test .": None,
    "echo make": None, "": None, "npm install": "build", "npm start": None, "python app.py": None,
}  # fmt: skip
PROOFS = {
    "pytest -q": True, "cd x && pytest": True, "pytest 2>&1": True, "set -o pipefail; pytest | tail": True,
    "pytest | tail -5": False, "pytest || true": False, "pytest; echo done": False, "pytest &": False,
    "pytest\necho done": False, "pytest -k 'a | b'": True, 'pytest -k "a;b"': True, "pytest > log 2>&1": True,
}  # fmt: skip


@pytest.mark.promise("BRF-4")
@pytest.mark.parametrize("command", PURPOSES)
def test_purpose(command: str) -> None:
    assert purpose(command) == PURPOSES[command]


@pytest.mark.promise("BRF-5")
@pytest.mark.parametrize("command", PROOFS)
def test_proof(command: str) -> None:
    for outcome in ("ok", "failed"):
        assert proven(command, outcome) == (outcome if PROOFS[command] else "unknown")
    assert proven(command, None) == proven(command, "unknown") == "unknown"
