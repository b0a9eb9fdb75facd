"""Owns the format of git's own small files. Never trusts one: it may be broken, huge, a pipe or a device. Hot path."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    #: section, sub-section, key, value
    Setting = tuple[str, str, str, str]

#: bytes read of one file (I18)
MAX_BYTES = 256 * 1024
#: bytes that nearly every one of git's files fits into; asking for more at once costs more
FIRST_BYTES = 8192
#: remotes in the order in which they name a project
PREFERRED_REMOTES = ("origin", "upstream")
#: opening must not wait for the other end of a pipe
OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def read_text(path: str) -> str | None:
    """The beginning of a file; None where it cannot be read."""
    try:
        handle = os.open(path, OPEN_FLAGS)
    except (OSError, ValueError):
        return None
    try:
        data = os.read(handle, FIRST_BYTES)
        if len(data) == FIRST_BYTES:
            data += os.read(handle, MAX_BYTES)
        return data.decode("utf-8", "surrogateescape")
    except OSError:  # a directory, or a pipe that somebody holds open without a word
        return None
    finally:
        os.close(handle)


def settings(text: str) -> Iterator[Setting]:
    """The settings of a git configuration file, in order; lines that make no sense are passed over."""
    section = name = ""
    lines = iter(text.split("\n"))
    for line in lines:
        bare = line.strip()
        if bare[:1] == "[":
            section, name, bare = _heading(bare)
        key, equals, value = bare.partition("=")
        if equals and key[:1] not in ("#", ";"):
            while _is_continued(value):
                value = value.rstrip("\r")[:-1] + next(lines, "")
            yield section, name, key.strip().lower(), _plain(value.strip())


def _heading(line: str) -> tuple[str, str, str]:
    """Section and sub-section of `[section "sub"]`, and what follows on the line."""
    quote = line.find('"')
    end = line.find("]")
    if quote == -1 or end < quote:
        section, _, name = line[1:end].strip().partition(".")
        return section.lower(), name, line[end + 1 :].strip() if end != -1 else ""
    name, at = "", quote + 1
    while at < len(line) and line[at] != '"':
        at += line[at] == "\\"
        name += line[at : at + 1]
        at += 1
    end = line.find("]", at)
    return line[1:quote].strip().lower(), name, line[end + 1 :].strip() if end != -1 else ""


def _is_continued(value: str) -> bool:
    bare = value.rstrip("\r")
    return bare.endswith("\\") and (len(bare) - len(bare.rstrip("\\"))) % 2 == 1


def _plain(value: str) -> str:
    """A value without quotes, escapes and the comment after it."""
    if not any(sign in value for sign in '"\\#;'):
        return value
    plain, quoted, escaped = "", False, False
    for sign in value:
        if escaped:
            plain += ESCAPES.get(sign, sign)
            escaped = False
        elif sign == "\\":
            escaped = True
        elif sign == '"':
            quoted = not quoted
        elif sign in "#;" and not quoted:
            break
        else:
            plain += sign
    return plain.strip()


def remote_of(text: str) -> str | None:
    """The address of the remote that names a project, as its configuration file writes it."""
    remotes: dict[str, str] = {}
    for section, name, key, value in settings(text):
        if section == "remote" and key == "url" and value:
            remotes.setdefault(name, value)
    for name in PREFERRED_REMOTES:
        if name in remotes:
            return remotes[name]
    return next(iter(remotes.values()), None)


def expanded(url: str, text: str) -> str:
    """An abbreviated address (`gh:owner/name`) in full, by the longest `url.FULL.insteadOf` that fits."""
    best = full = ""
    for section, name, key, value in settings(text):
        if section == "url" and key == "insteadof" and url.startswith(value) and len(value) > len(best):
            best, full = value, name
    return full + url[len(best) :]
