"""Owns what a directory is to git, read from git's own files: no process is started. On the hook path.

File formats: gitrepository-layout(5), gitglossary, git-worktree(1).
"""

from __future__ import annotations

import os

from segue.model.record import Record

#: directories looked at on the way up, and bytes read of one of git's files (I18)
MAX_DEPTH, MAX_BYTES = 64, 256 * 1024
#: remotes in the order in which they name a project
PREFERRED_REMOTES = ("origin", "upstream")
#: hosts whose paths are the same in every case
CASELESS_HOSTS = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org")


#: where everybody's scratch files lie: the folder itself is no project, folders in it are
TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp")


class Repository(Record):
    """A git working tree. `root` is its top, `common_dir` what all its worktrees share."""

    root: str
    common_dir: str
    git_dir: str
    remote: str | None
    branch: str | None


class Identity(Record):
    """What a directory is: `kind` is remote, git, directory or none, `value` what tells it from others."""

    kind: str
    value: str
    root: str | None


def project_identity(cwd: str, home: str | None) -> Identity:
    """The project of a directory: the normalised remote, else the git common directory, else the directory itself.

    `$HOME`, `/`, a drive's root and the folders above a home are no project, and neither is a repository whose top is
    one of them. A clone of a local repository is the same project as that repository (its common directory).
    """
    place = os.path.realpath(cwd) if cwd else ""
    repository = find_repository(place) if place else None
    root = repository.root if repository else place
    if not root or _is_no_project(root, home):
        return Identity(kind="none", value="", root=None)
    if repository is None:
        return Identity(kind="directory", value=root, root=root)
    if repository.remote is not None:
        hosted = normalise_remote(repository.remote)
        if hosted is not None:
            return Identity(kind="remote", value=hosted, root=root)
        origin = _local_origin(repository)
        if origin is not None:
            return Identity(kind="git", value=origin, root=root)
    return Identity(kind="git", value=repository.common_dir, root=root)


def _is_no_project(root: str, home: str | None) -> bool:
    if os.path.dirname(root) == root or root in TEMPORARY:
        return True
    if home is None:
        return False
    user = os.path.realpath(home)
    return root == user or user.startswith(root.rstrip(os.sep) + os.sep)


def find_repository(cwd: str) -> Repository | None:
    """The git working tree that holds a directory; None outside of one. Broken files of git are no repository."""
    at = cwd
    for _ in range(MAX_DEPTH):
        mark = os.path.join(at, ".git")
        if os.path.isdir(mark):
            return _repository(at, mark)
        if os.path.isfile(mark):
            pointed = _pointed_at(at, mark)
            return None if pointed is None else _repository(at, pointed)
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above
    return None


def _pointed_at(root: str, mark: str) -> str | None:
    """The git directory that a `.git` file of a worktree or submodule names."""
    text = _read(mark)
    if text is None or not text.startswith("gitdir:"):
        return None
    path = os.path.realpath(os.path.join(root, text[7:].strip()))
    return path if os.path.isdir(path) else None


def _repository(root: str, git_dir: str) -> Repository | None:
    head = _read(os.path.join(git_dir, "HEAD"))
    if head is None:
        return None
    common = _read(os.path.join(git_dir, "commondir"))
    common_dir = os.path.realpath(os.path.join(git_dir, common.strip())) if common else os.path.realpath(git_dir)
    branch = head.strip().removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else None
    return Repository(root=root, common_dir=common_dir, git_dir=git_dir, remote=_remote(common_dir), branch=branch)


def _remote(common_dir: str) -> str | None:
    """The URL of the remote that names the project."""
    remotes: dict[str, str] = {}
    section = None
    for line in (_read(os.path.join(common_dir, "config")) or "").splitlines():
        bare = line.strip()
        if bare.startswith("["):
            section = bare[8:].strip(' "]') if bare.startswith("[remote ") else None
        elif section is not None and bare.split("=", 1)[0].strip().lower() == "url" and "=" in bare:
            remotes.setdefault(section, bare.split("=", 1)[1].strip().strip('"'))
    for name in PREFERRED_REMOTES:
        if name in remotes:
            return remotes[name]
    return next(iter(remotes.values()), None)


def _local_origin(repository: Repository) -> str | None:
    """The common directory of the local repository that this one was cloned from."""
    path = (repository.remote or "").removeprefix("file://")
    if not path or (":" in path and not os.path.isabs(path)):
        return None
    target = os.path.realpath(os.path.join(repository.root, path))
    for candidate in (os.path.join(target, ".git"), target, target + ".git"):
        if os.path.isfile(os.path.join(candidate, "HEAD")):
            return os.path.realpath(candidate)
    return None


def normalise_remote(url: str) -> str | None:
    """`host/path` of a hosted remote, the same for every way to write it; None for a local path.

    Dropped: scheme, user, password, port, trailing `/` and `.git`. Folded: the host's case, and the path's where the
    host does not tell cases apart.
    """
    text = url.strip()
    if "://" in text:
        scheme, rest = text.split("://", 1)
        if scheme.lower() == "file":
            return None
        place, _, path = rest.partition("/")
        host = _host(place)
    elif _is_scp(text):
        place, path = text.split(":", 1)
        host = _host(place)
    else:
        return None
    path = "/".join(part for part in path.split("/") if part)
    path = path[:-4] if path.endswith(".git") else path
    if not host or not path:
        return None
    return f"{host}/{path.lower() if host in CASELESS_HOSTS else path}"


def _is_scp(text: str) -> bool:
    """`user@host:path`, and not a path or a Windows drive."""
    before, colon, _ = text.partition(":")
    return bool(colon) and len(before) > 1 and "/" not in before and "\\" not in before


def _host(place: str) -> str:
    name = place.rsplit("@", 1)[-1]
    if name.startswith("["):  # an IPv6 address
        return name.partition("]")[0].lower() + "]"
    return name.partition(":")[0].lower()


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_BYTES)
    except OSError:
        return None
