"""The repository as a whole: no places of one machine, nothing unfinished, one command for every check."""

from __future__ import annotations

import re
import stat
import subprocess

import pytest

from tests.house.tree import ROOT, files, listed, relative

#: made-up texts to be redacted, which may name any place
MADE_UP = ("tests/redaction/",)
#: recorded sessions, in which others mark their unfinished business
RECORDED = (*MADE_UP, "src/segue/demo/", "tests/hosts/")


def either(*texts: str) -> str:
    """A pattern for any of these texts, which are written apart so that this file does not hold them."""
    return "(?:" + "|".join(re.escape(text.replace(" ", "")) for text in texts) + ")"


PLACES = re.compile(r"(?<![\w.~/\]-])" + either("/wo rk/", "/tm p/wt", "/ro ot/"))
HOSTS = re.compile(r"\b" + either("py pi.org", "python hosted.org", "npm js.com", "npm js.org") + r"\b")
MARKS = re.compile(r"\b" + either("TO DO", "FIX ME", "X XX") + r"\b")


def hits(pattern: re.Pattern[str], without: tuple[str, ...]) -> list[str]:
    """Where the pattern occurs in the repository, without some folders."""
    return [
        f"{relative(path)}:{number}: {found[0]}"
        for path in files()
        if not relative(path).startswith(without)
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        if (found := pattern.search(line))
    ]


@pytest.mark.promise("HOUSE-12")
def test_no_file_names_a_place_on_the_machine_it_was_written_on() -> None:
    assert listed(hits(PLACES, MADE_UP)) == ""


@pytest.mark.promise("HOUSE-12")
def test_no_file_names_the_host_of_a_package_registry() -> None:
    assert listed(hits(HOSTS, RECORDED)) == ""


@pytest.mark.promise("HOUSE-12")
def test_no_file_has_a_mark_for_unfinished_business() -> None:
    assert listed(hits(MARKS, RECORDED)) == ""


@pytest.mark.promise("HOUSE-12")
def test_what_must_not_be_there_is_told_from_what_may() -> None:
    slash = "/"
    assert PLACES.search(f"cd {slash}work{slash}main") and PLACES.search(f'"{slash}root{slash}.config"')
    assert not PLACES.search(f"{slash}home{slash}ana{slash}work{slash}shop")
    assert not PLACES.search(f"[WORKSPACE]{slash}work{slash}shop")
    assert HOSTS.search("see " + "py" + "pi.org now") and not HOSTS.search("copypi.organic")
    assert MARKS.search("# TO" + "DO: later") and not MARKS.search("TO" + "DO_WRITE todo")


@pytest.mark.promise("HOUSE-13")
def test_the_readme_names_the_command_that_ci_runs() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    command = script.rstrip().splitlines()[-1]
    assert command == "make check"
    assert re.search(rf"^(    |\$ )?{command}$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert "\nset -eu\n" in script
    assert (ROOT / ".ci" / "run").stat().st_mode & stat.S_IXUSR


@pytest.mark.promise("HOUSE-13")
def test_make_alone_lists_every_target_with_what_it_does() -> None:
    told = subprocess.run(["make", "--silent"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", text, re.MULTILINE))
    assert {
        "check",
        "test",
        "lint",
        "types",
        "floors",
        "sizes",
        "docs",
        "docs-check",
        "bench",
        "live",
        "venv",
    } <= targets
    assert {line.split()[0] for line in told.splitlines()[1:] if len(line.split()) > 2} == targets


@pytest.mark.promise("HOUSE-13")
def test_check_runs_every_kind_of_check() -> None:
    planned = subprocess.run(["make", "-n", "check"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for tool in ("ruff check", "ruff format --check", "mypy", "lint-imports", "cog", "pytest"):
        assert f"/{tool}" in planned, tool
