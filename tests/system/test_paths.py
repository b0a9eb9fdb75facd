"""Where things lie, on every system."""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Callable

import pytest

from segue.system.paths import (
    data_dir,
    home,
    is_absolute,
    is_caseless,
    network_file_system,
    one_spelling,
    resolved,
)

WINDOWS = {"USERPROFILE": "C:\\Users\\First Last", "LOCALAPPDATA": "C:\\Users\\First Last\\AppData\\Local"}


@pytest.mark.promise("SYS-1")
@pytest.mark.parametrize(
    ("env", "platform", "folder"),
    [
        ({"HOME": "/home/ana"}, "linux", "/home/ana/.local/share/segue"),
        ({"HOME": "/home/ana", "XDG_DATA_HOME": "/data"}, "linux", "/data/segue"),
        ({"HOME": "/home/ana", "XDG_DATA_HOME": "data"}, "linux", "/home/ana/.local/share/segue"),
        ({"HOME": "/Users/ana", "XDG_DATA_HOME": "/data"}, "darwin", "/Users/ana/Library/Application Support/segue"),
        (WINDOWS, "win32", "C:\\Users\\First Last\\AppData\\Local\\segue"),
        ({"USERPROFILE": "C:\\Users\\ana"}, "win32", "C:\\Users\\ana\\AppData\\Local\\segue"),
        ({"HOME": "/home/ana", "SEGUE_HOME": "/srv/it's & 名"}, "linux", "/srv/it's & 名"),
        ({"HOME": "/home/ana", "SEGUE_HOME": "~/notes"}, "linux", "/home/ana/notes"),
        ({**WINDOWS, "SEGUE_HOME": "D:/segue"}, "win32", "D:/segue"),
        ({"SEGUE_HOME": "/srv/segue"}, "linux", "/srv/segue"),
    ],
)
def test_the_data_folder_is_where_the_system_keeps_it_or_where_it_was_told(
    env: dict[str, str], platform: str, folder: str
) -> None:
    assert data_dir(env, platform) == folder


@pytest.mark.promise("SYS-1")
def test_a_relative_segue_home_is_made_absolute() -> None:
    assert data_dir({"SEGUE_HOME": "notes"}, sys.platform) == os.path.join(os.getcwd(), "notes")


@pytest.mark.promise("SYS-1")
def test_home_is_the_environments_or_the_password_databases() -> None:
    known = home({}, "linux")
    assert known is not None
    assert known.startswith("/")
    assert home({"HOME": "/home/ana", "USERPROFILE": "C:\\Users\\ana"}, "linux") == "/home/ana"
    assert home({"HOME": "/c/Users/ana", "USERPROFILE": "C:\\Users\\ana"}, "win32") == "C:\\Users\\ana"
    assert home({"HOME": "."}, "linux") == known


@pytest.mark.promise("SYS-1")
@pytest.mark.parametrize(
    ("path", "platform", "absolute"),
    [
        ("/a", "linux", True),
        ("a", "linux", False),
        ("C:\\a", "linux", False),
        ("", "linux", False),
        ("C:\\a", "win32", True),
        ("C:/a", "win32", True),
        ("\\\\server\\share", "win32", True),
        ("C:a", "win32", False),
        ("/c/Users", "win32", False),
        ("", "win32", False),
    ],
)
def test_an_absolute_path_is_told_from_a_relative_one(path: str, platform: str, absolute: bool) -> None:
    assert is_absolute(path, platform) is absolute


@pytest.mark.promise("SYS-8")
@pytest.mark.parametrize("path", ["", "a\0b"])
def test_what_cannot_be_a_path_is_resolved_to_nothing(path: str) -> None:
    assert resolved(path) == ""


@pytest.mark.promise("SYS-8")
def test_a_link_is_followed_and_a_loop_of_links_raises_nothing(tmp_path: pathlib.Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "loop").symlink_to("loop")
    assert resolved(str(tmp_path / "link")) == str((tmp_path / "real").resolve())
    assert isinstance(resolved(str(tmp_path / "loop" / "x")), str)


def disk(*there: str, caseless: bool) -> Callable[[str], tuple[int, int]]:
    """A file system with these paths that tells cases apart or does not."""
    known = {path.lower() if caseless else path: (1, number) for number, path in enumerate(there)}

    def inode(path: str) -> tuple[int, int]:
        key = path.lower() if caseless else path
        if key not in known:
            raise FileNotFoundError(path)
        return known[key]

    return inode


@pytest.mark.promise("SYS-2")
def test_a_file_system_is_asked_whether_it_tells_cases_apart(tmp_path: pathlib.Path) -> None:
    there = ("/Users", "/Users/ana", "/Users/ana/Repo")
    assert is_caseless("/Users/ana/Repo", disk(*there, caseless=True))
    assert not is_caseless("/Users/ana/Repo", disk(*there, caseless=False))
    assert not is_caseless("/Users/ana/Repo", disk(*there, "/Users/ana/rEPO", caseless=False))
    assert is_caseless("/Users/ana/Repo/gone/123", disk(*there, caseless=True))
    assert not is_caseless("/123/456", disk(caseless=True))
    (tmp_path / "Repo").mkdir()
    if not (tmp_path / "rEPO").exists():
        (tmp_path / "rEPO").symlink_to("Repo")
        assert not is_caseless(str(tmp_path / "Repo"))


@pytest.mark.promise("SYS-2")
def test_a_path_has_one_spelling_only_where_cases_are_not_told_apart() -> None:
    assert one_spelling("/Users/Ana/Repo", caseless=True) == one_spelling("/users/ana/repo", caseless=True)
    assert one_spelling("/x/Cafe\u0301", caseless=True) == one_spelling("/x/CAF\u00c9", caseless=True)
    assert one_spelling("/x/Repo", caseless=False) != one_spelling("/x/repo", caseless=False)
    assert one_spelling("/x/名前", caseless=False) == "/x/名前"


@pytest.mark.promise("SYS-2")
def test_a_path_of_bytes_that_are_no_text_can_be_kept() -> None:
    spelled = one_spelling(os.fsdecode(b"/x/caf\xe9"), caseless=False)
    assert spelled.encode("utf-8") != one_spelling(os.fsdecode(b"/x/caf\xe8"), caseless=False).encode("utf-8")


MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb1 /home/ana/local\\040disk ext4 rw 0 0
//nas/x /mnt/na\\134s cifs rw 0 0
C:\\134 /mnt/c 9p rw 0 0
ana@host: /mnt/ssh fuse.sshfs rw 0 0
tmpfs /home/bo tmpfs rw 0 0
bad line
"""


@pytest.mark.promise("SYS-3")
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/segue", None),
        ("/home/ana/segue", "nfs4"),
        ("/home/ana/local disk/segue", None),
        ("/home/ana/local diskette", "nfs4"),
        ("/home2/ana", None),
        ("/mnt/na\\s/segue", "cifs"),
        ("/mnt/c/Users", "9p"),
        ("/mnt/ssh", "fuse.sshfs"),
        ("/home/bo/x", None),
        ("", None),
    ],
)
def test_the_mount_that_holds_a_path_says_whether_it_is_a_network(
    tmp_path: pathlib.Path, path: str, kind: str | None
) -> None:
    table = tmp_path / "mounts"
    table.write_text(MOUNTS, encoding="utf-8")
    assert network_file_system(path, str(table), "linux") == kind


@pytest.mark.promise("SYS-3")
def test_without_a_table_of_mounts_nothing_is_claimed_and_windows_tells_by_the_path(tmp_path: pathlib.Path) -> None:
    assert network_file_system("/home/ana", str(tmp_path / "none"), "darwin") is None
    assert network_file_system("\\\\nas\\home\\segue", platform="win32") == "smb"
    assert network_file_system("//nas/home/segue", platform="win32") == "smb"
    assert network_file_system("C:\\segue", platform="win32") is None
    assert network_file_system("\\\\?\\C:\\segue", platform="win32") is None
