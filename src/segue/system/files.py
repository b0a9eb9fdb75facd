"""Owns reading and replacing small files whole. Never leaves half a file."""

from __future__ import annotations

import os

from segue.errors import FileUnwritable


def read_bytes_or_none(path: str) -> bytes | None:
    """The file's bytes; None where there is no such file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise FileUnwritable(f"{path}: {error.strerror}") from error


def ensure_private_dir(path: str) -> None:
    """Make a folder, and those above it, for the owner alone."""
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise FileUnwritable(f"{path}: {error.strerror}") from error


def write_atomic(path: str, data: bytes, mode: int = 0o600) -> None:
    """Replace a file's content at once, or leave it as it was. An existing file keeps its mode; a link stays a link."""
    target = os.path.realpath(path)
    part = f"{target}.{os.getpid()}.part"
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        try:
            mode = os.stat(target).st_mode & 0o7777
        except FileNotFoundError:
            pass
        _write_part(part, data, mode)
        os.replace(part, target)
    except OSError as error:
        _remove_quietly(part)
        raise FileUnwritable(f"{path}: {error.strerror}") from error


def _write_part(part: str, data: bytes, mode: int) -> None:
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(handle, mode)
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: str) -> None:
    """Remove a file; nothing if it is gone already."""
    try:
        os.remove(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise FileUnwritable(f"{path}: {error.strerror}") from error


def _remove_quietly(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        return  # it was never made, or is the very thing that cannot be removed
