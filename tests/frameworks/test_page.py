"""The page that shows how a program keeps its history."""

from __future__ import annotations

import json
import os
import pathlib
import re

import pytest

from tests.doors.test_hook import ROOT
from tests.sessionlog.writers import process

TELL = "\nimport json\nprint(json.dumps([answer, [hit['id'] for hit in hits]]))\n"


@pytest.mark.promise("HIST-4")
def test_the_example_of_the_page_runs_as_it_stands(tmp_path: pathlib.Path) -> None:
    page = (ROOT / "docs" / "in-process.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "shop").mkdir()
    env = {"HOME": str(tmp_path), "SEGUE_HOME": str(tmp_path / "data"), "PATH": os.environ["PATH"]}
    with process(example.replace("/src/shop", str(tmp_path / "shop")) + TELL, env=env) as child:
        said = child.communicate(timeout=60)[0]
    answer, hits = json.loads(said)
    assert answer == [
        {"role": "user", "content": "Why does the login test fail?"},
        {"role": "assistant", "content": "The clock of the test is not frozen."},
    ]
    assert len(hits) == 1
