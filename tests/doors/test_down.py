"""Taking back what `up` changed: with its record, without it, and beside files that are none."""

from __future__ import annotations

import pytest

from tests.doors.test_cli import as_json, segue, used
from tests.doors.test_hook import Home

__all__ = ["used"]


def taken_back(home: Home, *words: str, code: int) -> list[str]:
    """What `down` says of each host's file."""
    lines = segue(home, "down", *words, code=code).splitlines()
    return [line.partition(": ")[2] for line in lines if line.startswith(str(home.folder))]


@pytest.mark.promise("CLI-4")
def test_a_dry_run_of_down_tells_of_each_file_what_would_become_of_it(used: Home) -> None:
    settings, servers = used.folder / ".claude" / "settings.json", used.folder / ".claude.json"
    segue(used, "up")
    whole = settings.read_bytes()
    assert taken_back(used, "--dry-run", code=0) == ["would be restored, byte for byte"] * 2
    settings.write_bytes(whole + b"\n")
    servers.unlink()
    would = ["changed by others since: only Segue's entries would be taken out", "gone already"]
    assert taken_back(used, "--dry-run", code=0) == would
    settings.write_bytes(whole[:-1])
    would = taken_back(used, "--dry-run", code=1)
    assert would[0].startswith("would be left as it is: ")
    assert taken_back(used, code=1)[0] == would[0].replace(
        "would be left", "left"
    )  # the control: what is done is told as done
    settings.write_bytes(whole)
    assert taken_back(used, code=0) == ["restored, byte for byte"]


@pytest.mark.promise("CLI-4")
@pytest.mark.parametrize("what", ["gone", "empty"])
def test_without_a_record_down_takes_segues_entries_out_of_the_hosts_files(what: str, used: Home) -> None:
    segue(used, "up")
    undo = used.data / "installed.json"
    undo.unlink()
    if what == "empty":
        undo.touch()
    told = taken_back(used, code=0)
    assert told == ["changed by others since: only Segue's entries taken out"] * 2
    for path in (used.folder / ".claude" / "settings.json", used.folder / ".claude.json"):
        assert not path.exists() or b"segue-run" not in path.read_bytes()
    assert taken_back(used, code=0) == []


@pytest.mark.promise("CLI-4")
@pytest.mark.parametrize("record", [b"bad", b"[1,2]", b'{"a":1}', b"7", b'[{"path":"/x"}]', b"\xff\xfe"])
def test_a_record_that_cannot_be_read_is_told_before_anything_is_written(record: bytes, home: Home) -> None:
    (home.folder / ".claude").mkdir()
    home.data.mkdir()
    undo = home.data / "installed.json"
    undo.write_bytes(record)
    for words in (("up",), ("down",), ("down", "--dry-run")):
        assert as_json(home, *words, code=2)["error"]["code"] == "undo_unreadable"
    assert [path.name for path in home.data.iterdir()] == ["installed.json"]
    assert list((home.folder / ".claude").iterdir()) == []
    undo.unlink()
    segue(home, "up")  # the control


@pytest.mark.promise("CLI-4")
def test_down_goes_on_beside_a_file_that_became_a_folder(used: Home) -> None:
    segue(used, "up")
    servers = used.folder / ".claude.json"
    servers.unlink()
    servers.mkdir()
    for words in (("--dry-run",), ()):
        told = taken_back(used, *words, code=1)
        assert sorted("left as it is: " in line for line in told) == [False, True]
    assert b"segue-run" not in (used.folder / ".claude" / "settings.json").read_bytes()
    assert "may still call Segue" in segue(used, "down", code=1)
