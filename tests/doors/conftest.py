"""The home that the doors are tried in."""

from __future__ import annotations

import pathlib

import pytest

from tests.doors.test_hook import Home


@pytest.fixture
def home(tmp_path: pathlib.Path) -> Home:
    """An empty one, below a folder whose name is hard on shells and on encodings."""
    return Home(tmp_path / "dev home's & 家 😀")
