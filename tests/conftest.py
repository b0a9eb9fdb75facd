"""Owns the fixtures that every room shares."""

from __future__ import annotations

import os
import pathlib
import tempfile
from collections.abc import Iterator

import pytest

from segue.ctx import Context
from tests.engines import ENGINES, new_url, postgres_server
from tests.places import context


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(id): the promise that this test keeps")


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    with postgres_server() as address:
        yield address


@pytest.fixture(params=ENGINES)
def store_url(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> str:
    """An empty store's URL, once per engine."""
    return new_url(request.param, tmp_path, request)


@pytest.fixture
def ctx(store_url: str, tmp_path: pathlib.Path) -> Iterator[Context]:
    """A context on an empty store, once per engine."""
    made = context(store_url, tmp_path)
    yield made
    made.store.close()


@pytest.fixture
def open_folder() -> Iterator[pathlib.Path]:
    """A folder that nobody can reach, too: those of pytest are the owner's alone."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield pathlib.Path(name)
