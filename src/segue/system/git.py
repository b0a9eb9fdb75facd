"""Owns what a directory is to git, read from git's own files: no process is started for it. On the hook path.

File formats: gitrepository-layout(5), git-config(1), git-worktree(1).
"""

from __future__ import annotations

import os
from stat import S_ISDIR, S_ISREG

from segue.model.record import Record
from segue.system.gitfiles import expanded, read_text, remote_of
from segue.system.paths import is_caseless, one_spelling, resolved

#: directories looked at on the way up, and local clones followed (I18)
MAX_DEPTH, MAX_CLONES = 64, 8
#: longest address that names a project
MAX_URL = 2000
#: hosts whose paths are the same in every case
CASELESS_HOSTS = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org")
#: other names of a host
HOST_NAMES = {
    "www.github.com": "github.com",
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
#: where everybody's scratch files lie: the folder itself is no project, folders in it are
TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp")


class Repository(Record):
    """A git working tree, or a bare repository. `root` is its top, `common_dir` what all its worktrees share.

    `remote` is the address of the remote that names the project: origin, else upstream, else the first.
    """

    root: str
    common_dir: str
    git_dir: str
    remote: str | None
    branch: str | None
    worktree: bool


class Identity(Record):
    """What a directory is: `kind` is remote, git, directory or none, `value` what tells it from others."""

    kind: str
    value: str
    root: str | None


NO_PROJECT = Identity(kind="none", value="", root=None)


def project_identity(cwd: str, home: str | None) -> Identity:
    """The project of a directory: the normalised remote, else the git common directory, else the directory itself.

    - Worktrees, sub-folders and moved checkouts are the project of their repository; a submodule is its own.
    - A clone of a local repository is the project of that repository, and so of its remote if it has one. When the
      original is gone, the clone stands for itself.
    - `$HOME`, what is above it, `/`, a drive and the folders for temporary files are no project. A repository that
      spans one of them (dotfiles kept in git) is passed over: a directory in it is a project of its own.
    - A worktree whose repository cannot be found is the directory at its top.
    """
    place = resolved(cwd)
    if not place:
        return NO_PROJECT
    caseless = is_caseless(place)
    root, repository = _look_up(place, home)
    if _is_no_project(root, home, caseless):
        root, repository = place, None
        if _is_no_project(root, home, caseless):
            return NO_PROJECT
    top = one_spelling(root, caseless=False)
    if repository is None:
        return Identity(kind="directory", value=one_spelling(root, caseless), root=top)
    hosted, common_dir = _origin(repository, home)
    if hosted is not None:
        return Identity(kind="remote", value=hosted, root=top)
    return Identity(kind="git", value=one_spelling(common_dir, caseless), root=top)


def _is_no_project(root: str, home: str | None, caseless: bool) -> bool:
    if os.path.dirname(root) == root or root in TEMPORARY:
        return True
    flat = one_spelling(root, caseless).replace("\\", "/")
    below = flat.lower()
    if below.startswith(("/private/var/folders/", "/var/folders/")) and below.endswith("/t"):
        return True  # macOS: a folder for temporary files per user
    if below.endswith("/appdata/local/temp"):
        return True
    user = one_spelling(resolved(home or ""), caseless).replace("\\", "/")
    return (user + "/").startswith(flat + "/")


def find_repository(cwd: str, home: str | None = None) -> Repository | None:
    """The git repository that holds a directory; None outside of one. `home` has the user's own settings of git."""
    place = resolved(cwd)
    return _look_up(place, home)[1] if place else None


def _look_up(place: str, home: str | None) -> tuple[str, Repository | None]:
    """The top of what holds a directory, and its repository. Without one, the top is the directory itself.

    Like git: a `.git` folder that is no repository is passed over, a `.git` file that leads nowhere ends the search.
    """
    at = place
    for _ in range(MAX_DEPTH):
        git_dir = _git_dir(at)
        if git_dir is not None:
            repository = _repository(at, git_dir, home)
            if repository is not None or not git_dir:
                return at, repository
        above = os.path.dirname(at)
        if above == at:
            break
        at = above
    return place, None


def _git_dir(at: str) -> str | None:
    """The git directory of which a folder is the top: empty where a `.git` file leads nowhere, None where none is."""
    mark = os.path.join(at, ".git")
    kind = _kind(mark)
    if S_ISDIR(kind):
        return mark
    if S_ISREG(kind):
        return _pointed_at(at, mark)
    if S_ISREG(_kind(os.path.join(at, "HEAD"))) and S_ISDIR(_kind(os.path.join(at, "objects"))):
        inside = f"{os.sep}.git{os.sep}" in at + os.sep
        return None if inside else at  # a bare repository
    return None


def _kind(path: str) -> int:
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return 0


def _pointed_at(root: str, mark: str) -> str:
    """The git directory that a `.git` file of a worktree or submodule names; empty if there is none."""
    text = read_text(mark)
    if text is None or not text.startswith("gitdir:"):
        return ""
    path = resolved(os.path.join(root, text[7:].strip("\r\n ")))
    return path if os.path.isdir(path) else ""


def _repository(root: str, git_dir: str, home: str | None) -> Repository | None:
    head = (read_text(os.path.join(git_dir, "HEAD")) or "").strip() if git_dir else ""
    if not head:
        return None
    common = (read_text(os.path.join(git_dir, "commondir")) or "").strip("\r\n")
    common_dir = resolved(os.path.join(git_dir, common))
    branch = head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else None
    return Repository(
        root=root,
        common_dir=common_dir,
        git_dir=git_dir,
        remote=_remote(common_dir, home),
        branch=None if branch == ".invalid" else branch,  # a repository that keeps its refs in tables
        worktree=bool(common),
    )


def _remote(common_dir: str, home: str | None) -> str | None:
    config = read_text(os.path.join(common_dir, "config")) or ""
    url = remote_of(config)
    if url is None or not _is_short(url):
        return url
    full = expanded(url, config)
    if full == url and home:
        full = expanded(url, read_text(os.path.join(home, ".gitconfig")) or "")
    return full


def _origin(repository: Repository, home: str | None) -> tuple[str | None, str]:
    """What names a repository: its hosted remote, or else the common directory of the original of local clones."""
    chain = [repository.common_dir]
    for _ in range(MAX_CLONES):
        hosted = normalise_remote(repository.remote) if repository.remote else None
        original = None if hosted is not None else _original(repository, home)
        if original is None:
            return hosted, chain[-1]
        if original.common_dir in chain:  # clones of each other: whichever one starts from, the answer is the same
            return None, min(chain[chain.index(original.common_dir) :])
        chain.append(original.common_dir)
        repository = original
    return None, chain[-1]


def _original(repository: Repository, home: str | None) -> Repository | None:
    """The local repository that this one was cloned from."""
    path = _local_path(repository.remote or "")
    if path is None:
        return None
    target = resolved(os.path.join(repository.root, path))
    for top in (target, target + ".git"):
        git_dir = _git_dir(top) if target else None
        if git_dir:
            return _repository(top, git_dir, home)
        if target.endswith(f"{os.sep}.git") and S_ISDIR(_kind(target)):
            return _repository(os.path.dirname(target), target, home)
    return None


def _local_path(url: str) -> str | None:
    """The path that a remote names, if it names one; `file://` addresses are written with %-codes."""
    if url[:7].lower() == "file://":
        path = _decoded(url[7:].removeprefix("localhost"))
        return path[1:] if path[2:3] == ":" else path  # file:///C:/x
    if not url or "://" in url or _is_scp(url):
        return None
    return url


def _decoded(text: str) -> str:
    first, *rest = text.encode("utf-8", "surrogateescape").split(b"%")
    for part in rest:
        try:
            first += bytes((int(part[:2], 16),)) + part[2:]
        except ValueError:
            first += b"%" + part
    return first.decode("utf-8", "surrogateescape")


def normalise_remote(url: str) -> str | None:
    """`host/path` of a hosted remote, the same for every way to write it; None for a local path.

    Dropped: scheme, user, password, port, trailing `/` and `.git`, query. Folded: the host's case and its other names,
    and the path's case where the host does not tell cases apart.
    """
    text = url.strip()
    if len(text) > MAX_URL or not text.isprintable():
        return None
    if "://" in text:
        scheme, rest = text.split("://", 1)
        if scheme.lower() == "file":
            return None
        place, path = _authority(rest)
        path = path.split("?", 1)[0].split("#", 1)[0]
    elif _is_scp(text):
        at = text.find("]:") + 1 or text.find(":")
        place, path = text[:at], text[at + 1 :]
    else:
        return None
    host = _host(place)
    path = "/".join(part for part in path.split("/") if part)
    path = path[:-4] if path.endswith(".git") else path
    if not host or not path:
        return None
    return f"{host}/{path.lower() if host in CASELESS_HOSTS else path}"


def _authority(rest: str) -> tuple[str, str]:
    """The part of an address before its path, and the path. A password may hold what ought to be encoded."""
    place, _, path = rest.partition("/")
    port = place.rpartition(":")[2] if ":" in place and "@" not in place else ""
    if port and not port.isdigit() and "@" in path and not place.startswith("["):
        place, _, path = rest.rpartition("@")[2].partition("/")
    return place, path


def _is_scp(text: str) -> bool:
    """`user@host:path`, and not a path, a Windows drive or a transport's own address."""
    before, colon, after = text.partition(":")
    if before.endswith("[") or "@[" in before:
        return "]:" in after
    return bool(colon) and len(before) > 1 and "/" not in before and "\\" not in before and after[:1] != ":"


def _is_short(url: str) -> bool:
    """Whether an address can only be understood with the settings that say what it is short for."""
    before = url.partition(":")[0]
    return _is_scp(url) and "://" not in url and "." not in before and "[" not in before


def _host(place: str) -> str:
    name = place.rsplit("@", 1)[-1]
    if name.startswith("["):  # an IPv6 address
        return name.partition("]")[0].lower() + "]"
    host = name.partition(":")[0].lower().rstrip(".")
    return HOST_NAMES.get(host, host)
