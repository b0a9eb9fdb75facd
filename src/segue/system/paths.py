"""Owns where things lie on Linux, macOS and Windows. Pure but for looking at mounts; on the hook path."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: file systems on which SQLite's WAL must not be used: their locks and shared memory do not hold between machines
NETWORK_FILE_SYSTEMS = frozenset(
    "nfs nfs4 cifs smb smb2 smb3 smbfs afs ncpfs 9p fuse.sshfs fuse.rclone fuse.s3fs davfs ceph glusterfs".split()
)


def home(env: Mapping[str, str]) -> str | None:
    """The user's home; from the password database where the environment does not say."""
    found = env.get("HOME") or env.get("USERPROFILE")
    if found:
        return found
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir or None
    except (ImportError, KeyError, AttributeError):
        return None


def data_dir(env: Mapping[str, str], platform: str) -> str | None:
    """Segue's folder: SEGUE_HOME, or where this platform keeps a user's data; None where there is no home at all."""
    chosen = env.get("SEGUE_HOME")
    if chosen:
        return os.path.abspath(chosen)
    user = home(env)
    if platform == "win32":
        local = env.get("LOCALAPPDATA") or (f"{user}\\AppData\\Local" if user else None)
        return f"{local}\\segue" if local else None
    if user is None:
        return None
    if platform == "darwin":
        return f"{user}/Library/Application Support/segue"
    shared = env.get("XDG_DATA_HOME")
    return f"{shared}/segue" if shared and shared.startswith("/") else f"{user}/.local/share/segue"


def network_file_system(path: str, mounts: str = "/proc/self/mounts") -> str | None:
    """The kind of network file system that holds a path, where it can be told; None for a local one."""
    try:
        with open(mounts, encoding="utf-8", errors="replace") as table:
            rows = [line.split(" ") for line in table]
    except OSError:
        return None
    target = os.path.realpath(path)
    best, kind = "", ""
    for row in rows:
        if len(row) < 3:
            continue
        point = row[1].replace("\\040", " ")
        inside = target == point or target.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, row[2]
    return kind if kind in NETWORK_FILE_SYSTEMS else None
