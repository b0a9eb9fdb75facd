"""Owns where things lie on Linux, macOS and Windows. Never writes, and never fails on a path; on the hook path."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: file systems on which SQLite's WAL must not be used: their locks and shared memory do not hold between machines
NETWORK_FILE_SYSTEMS = frozenset({
    "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "ncpfs", "9p", "drvfs", "ceph", "glusterfs", "davfs",
    "vboxsf", "prl_fs", "virtiofs", "lustre", "beegfs", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse",
    "fuse.glusterfs", "fuse.ceph", "fuse.vmhgfs-fuse", "fuse.gvfsd-fuse",
})  # fmt: skip
#: how /proc writes what would break its table; the backslash itself must come last
MOUNT_ESCAPES = (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\"))
#: bytes of the table of mounts that are read
MAX_MOUNTS = 1_000_000


def home(env: Mapping[str, str], platform: str = sys.platform) -> str | None:
    """The user's home; from the password database where the environment does not say, or says a relative path."""
    found = env.get("USERPROFILE" if platform == "win32" else "HOME", "")
    return found if is_absolute(found, platform) else _known_home()


def _known_home() -> str | None:
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir or None
    except (ImportError, KeyError, AttributeError):
        return None


def is_absolute(path: str, platform: str = sys.platform) -> bool:
    """Whether a path names one place whatever the working directory and the drive are."""
    if platform == "win32":
        flat = path.replace("\\", "/")
        return flat.startswith("//") or flat[1:3] == ":/"
    return path.startswith("/")


def data_dir(env: Mapping[str, str], platform: str) -> str | None:
    """Segue's folder: SEGUE_HOME, or where this platform keeps a user's data; None where there is no home at all."""
    user = home(env, platform)
    chosen = env.get("SEGUE_HOME")
    if chosen:
        if user and (chosen == "~" or chosen[:2] in ("~/", "~\\")):  # set where no shell has looked at it
            chosen = user + chosen[1:]
        return chosen if is_absolute(chosen, platform) else os.path.abspath(chosen)
    if platform == "win32":
        local = env.get("LOCALAPPDATA", "")
        local = local if is_absolute(local, platform) else f"{user}\\AppData\\Local" if user else ""
        return f"{local}\\segue" if local else None
    if platform == "darwin":
        return f"{user}/Library/Application Support/segue" if user else None
    shared = env.get("XDG_DATA_HOME", "")
    if is_absolute(shared, platform):
        return f"{shared}/segue"
    return f"{user}/.local/share/segue" if user else None


def resolved(path: str) -> str:
    """The path without links and dots; empty for what cannot be a path. Need not exist."""
    try:
        return os.path.realpath(path) if path else ""
    except (OSError, ValueError):  # a zero byte, or a loop of links
        return ""


def _inode(path: str) -> tuple[int, int]:
    found = os.lstat(path)
    return found.st_dev, found.st_ino


def is_caseless(path: str, inode: Callable[[str], tuple[int, int]] = _inode) -> bool:
    """Whether the file system that holds a path takes `Repo` and `repo` for one: asked of the file system itself."""
    head = path
    while True:
        above, name = os.path.split(head)
        if not name:
            return False
        other = name.swapcase()
        if other != name and name.isascii():
            try:
                known = inode(head)
            except (OSError, ValueError):
                known = None  # not there: ask for the folder above
            if known is not None:
                return _is_same(os.path.join(above, other), known, inode)
        head = above


def _is_same(path: str, known: tuple[int, int], inode: Callable[[str], tuple[int, int]]) -> bool:
    try:
        return inode(path) == known
    except OSError:
        return False


def one_spelling(path: str, caseless: bool | None = None) -> str:
    """The one spelling of a path by which it can be compared and kept.

    Folded where the file system does not tell cases (nor, then, composed from decomposed accents) apart. Bytes that are
    no text are written out, so that the answer can always be encoded.
    """
    if is_caseless(path) if caseless is None else caseless:
        if not path.isascii():
            import unicodedata

            path = unicodedata.normalize("NFC", path)
        path = path.casefold()
    return path if path.isascii() else path.encode("utf-8", "backslashreplace").decode("utf-8")


def network_file_system(path: str, mounts: str = "/proc/self/mounts", platform: str = sys.platform) -> str | None:
    """The kind of network file system that holds a path, where it can be told; None for a local one.

    SQLite's WAL is unsafe there. Told by the table of mounts on Linux and by the path on Windows; macOS says nothing.
    """
    if platform == "win32":
        return "smb" if path.replace("/", "\\").startswith("\\\\") and not path.startswith("\\\\?\\") else None
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as table:
            rows = [line.split(" ") for line in table.read(MAX_MOUNTS).split("\n")]
    except OSError:
        return None
    target = resolved(path)
    best, kind = "", ""
    for row in rows:
        if len(row) < 3:
            continue
        point = row[1]
        for escape, plain in MOUNT_ESCAPES:
            point = point.replace(escape, plain)
        inside = target == point or target.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, row[2]
    return kind if kind in NETWORK_FILE_SYSTEMS else None
