"""Docs: the reference is generated and fresh, links lead somewhere, decisions are listed."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest
from docs import _generate

from segue.stores.migrate import schema_text
from tests.house.tree import ROOT, files, relative

REFERENCE = ROOT / "docs" / "reference"
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def run_cog(pages: list[pathlib.Path], *options: str) -> subprocess.CompletedProcess[str]:
    """Run cog as `make docs` does."""
    command = [sys.executable, "-m", "cogapp", "-U", "-I", ".", "-I", "src", *options]
    return subprocess.run([*command, *map(str, pages)], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.promise("HOUSE-11")
def test_every_generated_page_exists_and_calls_its_function() -> None:
    assert {page.stem for page in REFERENCE.glob("*.md")} == set(_generate.PAGES)
    for name, function in _generate.PAGES.items():
        text = (REFERENCE / f"{name}.md").read_text(encoding="utf-8")
        assert f"cog.out(_generate.{function.__name__}())" in text, name


@pytest.mark.promise("HOUSE-11")
def test_every_generated_page_is_fresh() -> None:
    done = run_cog(sorted(REFERENCE.glob("*.md")), "--check")
    assert done.returncode == 0, done.stdout + done.stderr + "\nrun: make docs"


@pytest.mark.promise("HOUSE-11")
def test_a_stale_page_is_found(tmp_path: pathlib.Path) -> None:
    fresh = (REFERENCE / "events.md").read_text(encoding="utf-8")
    copy = tmp_path / "events.md"
    copy.write_text(fresh, encoding="utf-8")
    assert run_cog([copy], "--check").returncode == 0
    copy.write_text(fresh.replace("`turn/end`", "`turn/ended`"), encoding="utf-8")
    assert run_cog([copy], "--check").returncode != 0


@pytest.mark.promise("HOUSE-11")
def test_the_schema_page_shows_every_table_and_index() -> None:
    schema = schema_text("sqlite")
    page = _generate.schema()
    gone = set(re.findall(r"^DROP TABLE (\w+)", schema, re.MULTILINE)) - {"event_fts"}  # that one was made anew
    tables = {*re.findall(r"^CREATE (?:VIRTUAL )?TABLE (\w+)", schema, re.MULTILINE)} - gone
    added = re.findall(r"^ALTER TABLE \w+ ADD COLUMN (\w+)", schema, re.MULTILINE)
    indexes = re.findall(r"^CREATE (?:UNIQUE )?INDEX (\w+)", schema, re.MULTILINE)
    assert tables and [name for name in tables if f"\n## {name}\n" not in page] == []
    assert [name for name in gone if f"\n## {name}\n" in page] == []
    assert added and [name for name in added if f"| `{name}` |" not in page] == []
    assert indexes and [name for name in indexes if f"- index `{name}`: " not in page] == []


@pytest.mark.promise("HOUSE-11")
def test_every_link_between_pages_leads_somewhere() -> None:
    broken = [
        f"{relative(page)}: {target}"
        for page in files()
        if page.suffix == ".md" and "tests" not in page.parts
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


@pytest.mark.promise("HOUSE-11")
def test_every_decision_is_listed_with_its_number() -> None:
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    records = [path.name for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md")]
    assert len({name[:4] for name in records}) == len(records) > 0
    assert [name for name in records if f"[{name[:4]}]({name})" not in index] == []
