"""Reading and replacing small files."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

import segue
from segue.errors import FileUnwritable
from segue.system.files import ensure_private_dir, read_bytes_or_none, remove, replace_same, write_atomic


def listing(folder: pathlib.Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.promise("SYS-9")
def test_a_new_file_is_the_owners_alone_and_nothing_else_is_left(tmp_path: pathlib.Path) -> None:
    target = tmp_path / "new folder" / "名.json"
    write_atomic(str(target), b"{}")
    assert target.read_bytes() == b"{}"
    assert target.stat().st_mode & 0o777 == 0o600
    assert listing(target.parent) == ["名.json"]


@pytest.mark.promise("SYS-9")
def test_an_existing_file_keeps_its_mode_and_its_link(tmp_path: pathlib.Path) -> None:
    real = tmp_path / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_bytes(b"old")
    real.chmod(0o644)
    link = tmp_path / "settings.json"
    link.symlink_to("dotfiles/settings.json")
    write_atomic(str(link), b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o644
    assert listing(real.parent) == ["settings.json"]


@pytest.mark.promise("SYS-10")
def test_what_is_no_file_is_refused_and_stays_what_it_is_behind_a_link_too(tmp_path: pathlib.Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(FileUnwritable, match="it is no file"):
            write_atomic(str(path), b"new")
        assert pipe.is_fifo()
    assert listing(tmp_path) == ["link", "pipe"]


@pytest.mark.promise("SYS-9")
def test_an_existing_file_keeps_its_owner_or_is_left_alone(tmp_path: pathlib.Path) -> None:
    target = tmp_path / "settings.json"
    target.write_bytes(b"old")
    if os.geteuid() == 0:
        os.chown(target, 12345, 12345)
    write_atomic(str(target), b"new")
    assert target.read_bytes() == b"new"
    assert target.stat().st_uid == (12345 if os.geteuid() == 0 else os.geteuid())


@pytest.mark.promise("SYS-9")
def test_a_file_that_another_program_changed_is_not_replaced(tmp_path: pathlib.Path) -> None:
    target = tmp_path / "x.json"
    target.write_bytes(b"theirs")
    assert not replace_same(str(target), b"mine", b"new")
    assert not replace_same(str(target), None, b"new")
    assert target.read_bytes() == b"theirs"
    assert replace_same(str(target), b"theirs", b"new")
    assert replace_same(str(tmp_path / "y.json"), None, b"new")
    assert target.read_bytes() == b"new"
    assert listing(tmp_path) == ["x.json", "y.json"]


@pytest.mark.promise("SYS-10")
def test_a_target_that_is_a_folder_or_below_a_file_is_refused_and_nothing_is_left(tmp_path: pathlib.Path) -> None:
    (tmp_path / "folder" / "x").mkdir(parents=True)
    (tmp_path / "file").write_bytes(b"x")
    for path in (tmp_path / "folder", tmp_path / "file" / "x"):
        with pytest.raises(FileUnwritable, match=path.name):
            write_atomic(str(path), b"new")
    assert listing(tmp_path) == ["file", "folder"]
    with pytest.raises(FileUnwritable, match="folder"):
        read_bytes_or_none(str(tmp_path / "folder"))
    with pytest.raises(FileUnwritable, match="file"):
        ensure_private_dir(str(tmp_path / "file" / "x"))
    with pytest.raises(FileUnwritable, match="folder"):
        remove(str(tmp_path / "folder"))


FILL = """
import resource, sys
from segue.errors import FileUnwritable
from segue.system.files import write_atomic
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomic(sys.argv[1], b"x" * 2000)
except FileUnwritable as error:
    print(error)
write_atomic(sys.argv[1] + ".small", b"fits")
"""


@pytest.mark.promise("SYS-9", "SYS-10")
def test_when_there_is_no_room_the_old_file_stays_and_the_reason_is_said(tmp_path: pathlib.Path) -> None:
    target = tmp_path / "x.json"
    target.write_bytes(b"old")
    source = pathlib.Path(segue.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(target)], env={"PYTHONPATH": str(source)}, capture_output=True, check=True
    )
    assert str(target) in done.stdout.decode()
    assert target.read_bytes() == b"old"
    assert listing(tmp_path) == ["x.json", "x.json.small"]


@pytest.mark.promise("SYS-10")
def test_reading_or_removing_what_is_not_there_is_no_error(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    assert read_bytes_or_none(str(tmp_path / "none")) is None
    assert read_bytes_or_none(str(tmp_path / "file" / "below")) is None
    assert read_bytes_or_none(str(tmp_path / "file")) == b"x"
    remove(str(tmp_path / "none"))
    remove(str(tmp_path / "file"))
    assert listing(tmp_path) == []


@pytest.mark.promise("SYS-9")
def test_a_private_folder_is_made_for_the_owner_and_one_that_exists_is_left(tmp_path: pathlib.Path) -> None:
    made, shared = tmp_path / "a" / "b", tmp_path / "shared"
    shared.mkdir(mode=0o755)
    shared.chmod(0o755)
    ensure_private_dir(str(made))
    ensure_private_dir(str(shared))
    assert made.stat().st_mode & 0o777 == 0o700
    assert shared.stat().st_mode & 0o777 == 0o755
