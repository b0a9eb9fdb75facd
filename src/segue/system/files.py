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
            sync_folder(os.path.dirname(target))
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
        _write_all(handle, data)
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


def sync_folder(path: str) -> None:
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


def publish(path: str, data: bytes) -> bool:
    """Make a new file whole and durable, for the owner alone; False, and nothing done, where the name is taken."""
    part = f"{path}.{os.urandom(6).hex()}.tmp"
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            _write_all(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        _name(part, path)
    except FileExistsError:
        return False
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        _remove_quietly(part)
    sync_folder(os.path.dirname(path))
    return True


def _name(part: str, path: str) -> None:
    """Give a file its name, which no other file has; `FileExistsError` where one does."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links; Windows renames onto nothing that is there
        if os.name != "nt" and os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(part, path)


def extend(handle: int, size: int, data: bytes) -> None:
    """Put data behind the first `size` bytes of an open file, durably; what else stood there goes.

    Where that fails, the file is cut back to its `size` bytes; where that fails too, both failures are told.
    """
    try:
        if os.fstat(handle).st_size != size:
            os.ftruncate(handle, size)
        _write_all(handle, data)
        os.fsync(handle)
    except BaseException as error:
        try:
            os.ftruncate(handle, size)
            os.fsync(handle)
        except OSError as second:
            told = f"{error}; what was half written could not be taken away either: {second.strerror or second}"
            hint = "What was half written is skipped by readers, and goes with the next append that succeeds."
            raise FileUnwritable(told, hint=hint) from error
        if isinstance(error, OSError):
            raise FileUnwritable(error.strerror or str(error)) from error
        raise


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def open_regular(path: str, flags: int = os.O_RDONLY) -> int:
    """The file, open; `FileNotFoundError` where there is none, `FileUnwritable` for what is no file or unreadable."""
    extra = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a pipe must not be waited for
    try:
        handle = os.open(path, flags | extra)
    except FileNotFoundError as error:
        if os.path.islink(path):
            raise FileUnwritable(f"{path} leads nowhere") from error
        raise
    except OSError as error:
        raise _unwritable(path, error) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FileUnwritable(f"{path} is no file")
    return handle


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
