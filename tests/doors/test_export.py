"""Export and import of whole logs, as a person calls them."""

from __future__ import annotations

import json
import pathlib

import pytest

from tests.doors.test_cli import as_json, segue, tree
from tests.doors.test_hook import Home


def told(home: Home, project: pathlib.Path, session: str, text: str) -> None:
    """A session of Claude Code in that project, as its hook tells it."""
    home.tell("UserPromptSubmit", session_id=session, cwd=str(project), prompt=text)


@pytest.fixture
def two(tmp_path: pathlib.Path) -> Home:
    """A home with sessions in two projects; the first one is the door's."""
    home = Home(tmp_path / "home")
    other = home.folder / "other"
    other.mkdir()
    told(home, home.project, "s1", "paint the shed green")
    told(home, home.project, "s2", "paint the fence")
    told(home, other, "s3", "mow the lawn")
    return home


def elsewhere(tmp_path: pathlib.Path, like: Home) -> Home:
    """Another installation whose project has the identity of the first one's."""
    home = Home(tmp_path / "elsewhere")
    home.project = like.project
    return home


@pytest.mark.promise("HOME-13")
def test_this_projects_logs_go_into_a_folder_and_another_installation_searches_them(
    two: Home, tmp_path: pathlib.Path
) -> None:
    folder = str(tmp_path / "out")
    done = as_json(two, "export", folder)
    assert (done["sessions"], done["known"], done["skipped"]) == (2, 0, [])
    assert len(list(pathlib.Path(folder).glob("*/*/session.jsonl"))) == 2
    assert "intact: 2 sessions" in segue(two, "verify", folder)
    before = tree(pathlib.Path(folder))
    assert as_json(two, "export", folder)["added"] == 0
    other = elsewhere(tmp_path, two)
    taken = as_json(other, "import", folder)
    assert taken["hosts"] == {}
    assert taken["logs"][0]["added"] == done["added"]
    assert "shed green" in segue(other, "search", "shed")
    assert as_json(other, "verify")["ok"] is True
    assert "0 new events" in segue(other, "import", folder)
    assert tree(pathlib.Path(folder)) == before
    back = str(tmp_path / "back")
    as_json(other, "export", back)
    assert tree(pathlib.Path(back)) == before


@pytest.mark.promise("HOME-13")
def test_other_projects_logs_are_left_out_until_a_person_asks_for_all(two: Home, tmp_path: pathlib.Path) -> None:
    folder = str(tmp_path / "out")
    assert as_json(two, "export", folder, "--all")["sessions"] == 3
    other = elsewhere(tmp_path, two)
    assert "left out: 1 session of other projects; --all takes them" in segue(other, "import", folder)
    assert as_json(other, "search", "lawn", "--all")["hits"] == []
    assert as_json(other, "import", folder, "--all")["logs"][0]["sessions"] == 3
    assert as_json(other, "search", "lawn")["hits"] == []  # it is in its own project
    assert len(as_json(other, "search", "lawn", "--all")["hits"]) == 1


@pytest.mark.promise("HOME-13")
def test_one_session_is_exported_by_its_name_and_one_of_another_project_is_not_found(
    two: Home, tmp_path: pathlib.Path
) -> None:
    folder = tmp_path / "out"
    assert as_json(two, "export", str(folder), "claude-code:s2")["sessions"] == 1
    assert [path.parent.name for path in folder.glob("*/*/session.jsonl")] == ["claude-code~003As2"]
    for name in ("claude-code:s3", "claude-code:s9"):
        assert as_json(two, "export", str(folder), name, code=2)["error"]["code"] == "not_found"
    assert as_json(two, "export", str(folder), "claude-code:s3", "--all")["sessions"] == 1


@pytest.mark.promise("HOME-13")
def test_who_takes_a_log_in_owns_it_and_says_how_visible_it_is(two: Home, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "out"
    segue(two, "export", str(folder), "claude-code:s1")
    path = next(folder.glob("*/*/session.jsonl"))
    lines = path.read_bytes().splitlines(keepends=True)
    header = {**json.loads(lines[0]), "principal_id": "mallory", "visibility": "project"}
    path.write_bytes(json.dumps(header).encode() + b"\n" + b"".join(lines[1:]))
    for number, (words, visibility) in enumerate((((), "private"), (("--all",), "project"))):
        other = Home(tmp_path / f"home {number}")
        other.project = two.project
        segue(other, "import", str(folder), *words)
        segue(other, "export", str(tmp_path / f"out {number}"))
        written = next((tmp_path / f"out {number}").glob("*/*/session.jsonl")).read_bytes().splitlines()[0]
        assert [json.loads(written)[name] for name in ("principal_id", "visibility")] == ["dev", visibility]


@pytest.mark.promise("HOME-13")
def test_a_damaged_folder_is_told_with_its_line_and_the_sound_logs_are_taken(two: Home, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "out"
    segue(two, "export", str(folder))
    path = next(folder.glob("*/claude-code~003As1/session.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"green", b"black"))
    said = segue(two, "verify", str(folder), code=1)
    assert "BROKEN" in said
    assert "claude-code:s1, line" in said
    other = elsewhere(tmp_path, two)
    assert "its text was changed" in segue(other, "import", str(folder))
    assert as_json(other, "search", "fence")["hits"]
    assert as_json(other, "search", "shed")["hits"] == []
    assert segue(two, "verify", str(tmp_path / "nowhere"), code=2)


@pytest.mark.promise("HOME-13")
def test_an_export_that_skips_a_log_says_so_with_its_exit_code(two: Home, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "out"
    segue(two, "export", str(folder))
    path = next(folder.glob("*/claude-code~003As1/session.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"green", b"black"))
    told(two, two.project, "s1", "and more")
    done = as_json(two, "export", str(folder), code=1)
    assert [skipped["session"] for skipped in done["skipped"]] == ["claude-code:s1"]
    blocked = tmp_path / "a file"
    blocked.write_bytes(b"")
    assert as_json(two, "export", str(blocked), code=2)["error"]["code"] == "file_unwritable"
