"""Owns the names of folders and files in which logs are kept. Pure; never looks whether one is there.

A name is readable where that is safe, and no two ids share one.
"""

from __future__ import annotations

from segue.model.digest import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.model.scope import Project

#: the file of a log, and the one that its writer locks
LOG, LOCK = "session.jsonl", "lock"
LITERAL = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
#: characters of a name beyond which only its beginning is readable: file systems take 255 bytes
MOST, READABLE = 200, 100
#: characters of a project's name and of its id that its folder has
SLUG_NAME, SLUG_ID = 80, 16


def encoded(text: str) -> str:
    """The name of a folder for that id; `ValueError` for the empty one.

    All but letters, digits, `.`, `_` and `-` is `~` and four hexadecimal digits, or `~u` and six. Of a long one only
    the beginning is kept, then `~~` and a digest of all.
    """
    if not text:
        raise ValueError("an empty id names nothing")
    name = "".join(char if char in LITERAL else _units(char) for char in text)
    if name in (".", ".."):
        name = _units(text)
    if len(name) <= MOST:
        return name
    whole = digest(text.encode("utf-8", "surrogatepass")).hex()
    return f"{name[:READABLE]}~~{whole}"


def _units(text: str) -> str:
    return "".join(f"~{ord(char):04X}" if ord(char) < 0x10000 else f"~u{ord(char):06X}" for char in text)


def decoded(name: str) -> str | None:
    """The id that a folder is named after; None where that cannot be told from the name, or it names none."""
    first, *rest = name.split("~")
    text = first
    for part in rest:
        digits, literal = (part[1:7], part[7:]) if part.startswith("u") else (part[:4], part[4:])
        try:
            text += chr(int(digits, 16)) + literal
        except (ValueError, OverflowError):
            return None
    return text if text and encoded(text) == name else None


def slug(project: Project) -> str:
    """The name of a project's folder: readable, bounded. Should two projects share one, their headers tell."""
    name = "".join(char if char in LITERAL else " " for char in project.name)
    readable = "-".join(name.split()).strip(".-")[:SLUG_NAME] or "project"
    return f"{readable}-{encoded(project.project_id)[:SLUG_ID]}"
