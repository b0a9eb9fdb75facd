"""Owns reading and replacing small files whole. Never leaves half a file."""

from __future__ import annotations

import os
import stat

from segue.errors import FileUnwritable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def read_bytes_or_none(path: str, most: int = -1) -> bytes | None:
    """The file's bytes, or only the first so many; None where there is no such file."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise FileUnwritable(f"{path} is no file")
        with open(path, "rb") as file:
            return file.read(most)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unwritable(path, error) from error


def ensure_private_dir(path: str) -> None:
    """Make a folder for the owner alone. One that is there already is left as it is: it may not be Segue's own."""
    try:
        if not os.path.isdir(path):
            os.makedirs(path, mode=0o700, exist_ok=True)
            os.chmod(path, 0o700)  # a file system with ACLs, or an odd umask, may have given another
    except OSError as error:
        raise _unwritable(path, error) from error


def write_atomic(path: str, data: bytes, mode: int = 0o600) -> None:
    """Replace a file's content at once, or leave it as it was. An existing file keeps its mode and owner; a link stays.

    Refused where the file is read-only or cannot keep its owner, and where something else has its name.
    """
    _write(path, data, mode, lambda: True)


def replace_same(path: str, before: bytes | None, data: bytes, mode: int = 0o600) -> bool:
    """Like `write_atomic`, but only while the file still is `before`; False where another program changed it."""
    return _write(path, data, mode, lambda: read_bytes_or_none(path) == before)


def _write(path: str, data: bytes, mode: int, is_due: Callable[[], bool]) -> bool:
    target = os.path.realpath(path)
    part = f"{target}.{os.getpid()}-{os.urandom(4).hex()}.part"
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        _write_part(part, data, mode, target)
        due = is_due()
        if due:
            os.replace(part, target)
            _sync_folder(os.path.dirname(target))
        else:
            _remove_quietly(part)
    except BaseException as error:
        _remove_quietly(part)
        if isinstance(error, OSError):
            raise _unwritable(path, error) from error
        raise
    return due


def _write_part(part: str, data: bytes, mode: int, target: str) -> None:
    """Write the new file beside the old one, with its mode and owner."""
    try:
        old = os.stat(target)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise OSError(None, "it is no file")  # a link may lead to a device or a pipe, which must stay what it is
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(None, "it is read-only")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        if old is not None and hasattr(os, "fchown"):
            _give(handle, old)
        if hasattr(os, "fchmod"):
            os.fchmod(handle, mode if old is None else old.st_mode & 0o7777)
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def _give(handle: int, old: os.stat_result) -> None:
    """Give an open file the owner of another one; its group, where that may be given."""
    new = os.fstat(handle)
    if new.st_uid != old.st_uid:
        os.fchown(handle, old.st_uid, -1)
    if new.st_gid != old.st_gid:
        try:
            os.fchown(handle, -1, old.st_gid)
        except PermissionError:
            return  # a group that the owner is not in: the file is the owner's all the same


def _sync_folder(path: str) -> None:
    """Make a rename last through a power cut, where the system can."""
    if os.name != "posix":
        return
    try:
        handle = os.open(path or ".", os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError:
        return  # some file systems cannot; the content itself is synced


def remove(path: str) -> None:
    """Remove a file; nothing if it is gone already."""
    try:
        os.remove(path)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise _unwritable(path, error) from error


def _remove_quietly(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        return  # it was never made, or is the very thing that cannot be removed


def _unwritable(path: str, error: OSError) -> FileUnwritable:
    return FileUnwritable(f"{path}: {error.strerror or error}")


def remove_empty_dir(path: str) -> None:
    """Remove a folder if there is nothing in it."""
    try:
        os.rmdir(path)
    except OSError:
        return  # not there, or still used
