"""Owns the folders of a home that is files: where a log is, where a new one goes. Never opens a log, but for its id."""

from __future__ import annotations

import os

from segue.errors import FileUnwritable, UsageError
from segue.sessionlog.homes import paths
from segue.sessionlog.homes.reading import is_log, told_by
from segue.system.files import ensure_private_dir, remove, remove_empty_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from segue.model.scope import Project


class Folders:
    """The folders below a root. One that is not there has no logs; `FileUnwritable` for a root that is no folder."""

    def __init__(self, root: str, project: Project | None) -> None:
        self.root = os.path.abspath(root)
        self._project = project
        self._own = None if project is None else paths.slug(project)
        self._names(self.root)

    def of(self, session_id: str) -> list[str]:
        """The files that are named as this session's log: one, if any, except where somebody made a second."""
        name = _name(session_id)
        found = [os.path.join(self.root, slug, name, paths.LOG) for slug in self._names(self.root)]
        return _once([path for path in found if _is_there(path)])

    def logs(self) -> Iterator[tuple[str, str]]:
        """All logs' files, each with its session's id as its folder's name, or else its header, tells."""
        for slug in self._names(self.root):
            for name in self._names(os.path.join(self.root, slug)):
                path = os.path.join(self.root, slug, name, paths.LOG)
                if _is_there(path):
                    yield path, paths.decoded(name) or _told_id(path) or name

    def new(self, session_id: str) -> str:
        """Where the log of a new session goes."""
        if self._own is None:
            raise UsageError(f"{session_id} is no session of this folder, and it was opened for no project")
        return os.path.join(self.root, self._own, _name(session_id), paths.LOG)

    def above(self, path: str) -> list[str]:
        """The folders in which a log's folder lies, nearest first."""
        project = os.path.dirname(os.path.dirname(path))
        return [project, self.root, os.path.dirname(self.root)]

    def made(self, path: str) -> str:
        """The folder of a log, made for the owner alone where it is not there."""
        folder = os.path.dirname(path)
        for each in (self.root, os.path.dirname(folder), folder):
            ensure_private_dir(each)
        return folder

    def tidy(self, folder: str) -> None:
        """Remove a log's folder in which no log was begun."""
        remove_empty_dir(folder)
        remove_empty_dir(os.path.dirname(folder))

    def sweep(self, path: str) -> None:
        """Remove what a writer that was killed left half made beside a log. Only for who holds its lock."""
        folder = os.path.dirname(path)
        for name in os.listdir(folder):
            if name.startswith(f"{paths.LOG}.") and name.endswith(".tmp"):
                remove(os.path.join(folder, name))

    def strange(self) -> int:
        """How many names at the places of projects' and logs' folders are none."""
        slugs = self._names(self.root)
        found = len(_listed(self.root)) - len(slugs)
        for slug in slugs:
            folder = os.path.join(self.root, slug)
            found += sum(not _is_there(os.path.join(folder, name, paths.LOG)) for name in _listed(folder))
        return found

    def owner(self, path: str) -> str:
        """The id of the project in whose folder a log is that does not tell its own; empty for another's."""
        slug = os.path.basename(os.path.dirname(os.path.dirname(path)))
        return self._project.project_id if self._project is not None and slug == self._own else ""

    def _names(self, folder: str) -> list[str]:
        """The folders in a folder."""
        return [name for name in _listed(folder) if os.path.isdir(os.path.join(folder, name))]


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FileUnwritable(f"{folder}: {error.strerror or error}") from error


def _is_there(path: str) -> bool:
    """Whether there is something by that name, be it out of reach: whoever opens it says so."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _name(session_id: str) -> str:
    try:
        return paths.encoded(session_id)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _once(found: list[str]) -> list[str]:
    """The paths without those that lead to a file that another one leads to."""
    kept: dict[tuple[int, int] | str, str] = {}
    for path in found:
        try:
            told = os.stat(path)
        except OSError:
            kept[path] = path  # whoever opens it says what is wrong
        else:
            kept.setdefault((told.st_dev, told.st_ino), path)
    return list(kept.values())


def _told_id(path: str) -> str | None:
    """The id in a log's header, where its folder has that id's name."""
    try:
        told = told_by(path)
    except FileNotFoundError:
        return None
    if told is None or not told["session_id"]:
        return None
    return told["session_id"] if _name(told["session_id"]) == os.path.basename(os.path.dirname(path)) else None


def is_home(root: str) -> bool:
    """Whether a folder has a log in it, of whatever form."""
    return any(is_log(path) for path, _ in Folders(root, None).logs())
