"""Owns the spool: batches that a hook could not put in the store, one owner-only file each. Never holds raw text.

A hook writes here when it has much to redact, or when the store is PostgreSQL, locked for too long, or damaged. The
next process that opens the store moves the files into it; every event has a key by then, so that a kill between the
commit and the removal doubles nothing.
"""

from __future__ import annotations

import os

from segue.ctx import SPOOLED
from segue.errors import StoreUnavailable
from segue.model.codec import dumps, loads
from segue.model.event import Draft
from segue.model.record import Record
from segue.model.scope import Project
from segue.model.session import SessionHeader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeVar

    from segue.ctx import Context
    from segue.sessionlog.capture import Clean

    R = TypeVar("R", bound=Record)

#: fields of records that hold no text
_KINDS: dict[str, type] = {"body": dict, "key_on_text": bool}
#: files moved in one go
DRAIN_LIMIT = 500


class Drained(Record):
    """What moving the spool did: batches moved, events they added, files that could not be read (kept, renamed)."""

    batches: int
    added: int
    broken: int


def put(folder: str, batch: Clean, project: Project, principal_id: str, nonce: str) -> str:
    """Write a batch durably; the file's path. Raises `StoreUnavailable` if even that fails."""
    from segue.sessionlog.capture import clean_project

    name = f"{batch.drafts[0].time or ''}-{nonce}".replace(":", "") + SPOOLED
    text = dumps(
        {
            "header": batch.header.as_dict(),
            "drafts": [_told(draft) for draft in batch.drafts],
            "project": clean_project(project).as_dict(),
            "principal_id": principal_id,
        }
    )
    path = os.path.join(folder, name)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _write_durably(path, text.encode())
    except OSError as error:
        raise StoreUnavailable(f"spool {folder}: {error.strerror}") from error
    return path


def _write_durably(path: str, data: bytes) -> None:
    part = path + ".part"
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    except BaseException:  # a full disk, or a hook's time that is up
        os.close(handle)
        os.remove(part)
        raise
    os.close(handle)
    os.replace(part, path)


def waiting(folder: str) -> list[str]:
    """The spooled files, oldest first."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names) if name.endswith(SPOOLED)]


def drain(ctx: Context, folder: str, limit: int = DRAIN_LIMIT) -> Drained:
    """Move spooled batches into the store, oldest first. Where no file can be removed, one is moved again and again."""
    batches = added = broken = 0
    paths = waiting(folder)[:limit]
    if paths:
        from segue.sessionlog.capture import append  # redaction comes with it, which a search need not load
    for path in paths:
        if not os.path.isfile(path):  # a pipe would be waited for
            broken += _set_aside(path)
            continue
        batch, project, principal_id = _read(path)
        if batch is None or project is None:
            broken += _set_aside(path)
            continue
        owner = ctx.replace(project=project, principal_id=principal_id)
        try:
            added += append(owner, batch).added
        except (ValueError, TypeError, AttributeError):  # it reads, but is no batch
            broken += _set_aside(path)
            continue
        if not _remove(path):
            break  # nor will the next one go
        batches += 1
    return Drained(batches=batches, added=added, broken=broken)


def _told(draft: Draft) -> dict[str, Any]:
    """The fields of a draft of a hook's, which never replaces or cites an event."""
    return {name: value for name, value in draft.as_dict().items() if name not in ("replaces", "cites")}


def catch_up(ctx: Context) -> None:
    """Move what hooks left, before a reader looks; where the store takes no writing now, it goes on waiting."""
    try:
        drain(ctx, ctx.spool_dir)
    except StoreUnavailable:
        return


def _read(path: str) -> tuple[Clean | None, Project | None, str]:
    from segue.sessionlog.capture import Clean

    try:
        with open(path, encoding="utf-8") as file:
            value: dict[str, Any] = loads(file.read())
        batch = Clean(
            header=_whole(SessionHeader(**value["header"])),
            drafts=tuple(_whole(Draft(**draft)) for draft in value["drafts"]),
        )
        project, principal_id = _whole(Project(**value["project"])), value["principal_id"]
        if not isinstance(principal_id, str):
            raise TypeError("principal_id")
    except (OSError, ValueError, TypeError, KeyError):
        return None, None, ""
    return batch, project, principal_id


def _whole(record: R) -> R:
    """The record, whose fields hold what they should: nothing else may come to the store. Raises `TypeError`."""
    for name, value in record.as_dict().items():
        is_left_out = name in record._defaults and value == record._defaults[name]
        if not is_left_out and not isinstance(value, _KINDS.get(name, str)):
            raise TypeError(f"{type(record).__name__}: {name}")
    return record


def _set_aside(path: str) -> int:
    """Rename what is no batch, so that it is looked at once; how many that are."""
    aside = f"{path}.broken"
    if os.path.lexists(aside):  # another one of that name, which stays, and may be a folder
        aside = f"{path}.{os.urandom(4).hex()}.broken"
    try:
        os.replace(path, aside)
    except OSError:
        return 0  # another process took it meanwhile
    return 1


def _remove(path: str) -> bool:
    """Whether the file is gone."""
    try:
        os.remove(path)
    except FileNotFoundError:
        return True  # another process moved the same batch: it folded
    except OSError:
        return False
    return True


def broken(folder: str) -> Iterator[str]:
    """Files that were set aside because they could not be read."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    yield from (os.path.join(folder, name) for name in names if name.endswith(".broken"))
