"""Owns what lies in the spool and no drain moves: batches set aside, and those whose writer was killed half-way."""

from __future__ import annotations

import os
import time

from segue.model.record import Record
from segue.model.session import session_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

#: seconds after which a batch that is not whole has no writer any more: a hook's time is far shorter
ABANDONED_S = 60
#: bytes in which a batch's header stands, which is the first of it
HEADER_BYTES = 65_536


class Leftovers(Record):
    """Files of the spool: those of the sessions that were asked for, those that tell no session, those of both
    that are being written.
    """

    theirs: tuple[str, ...]
    unknown: tuple[str, ...]
    in_writing: tuple[str, ...]


def find(folder: str, session_ids: Collection[str]) -> Leftovers:
    """The files that are set aside or were left half-written, by whether they are of these sessions."""
    theirs: list[str] = []
    unknown: list[str] = []
    in_writing: list[str] = []
    for path in _files(folder):
        try:
            is_whole = path.endswith(".broken") or time.time() - os.path.getmtime(path) > ABANDONED_S
            named = _session_of(path)
        except OSError:
            continue  # moved on meanwhile
        if named is not None and named not in session_ids:
            continue
        (in_writing if not is_whole else unknown if named is None else theirs).append(path)
    return Leftovers(theirs=tuple(theirs), unknown=tuple(unknown), in_writing=tuple(in_writing))


def _files(folder: str) -> Iterator[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)
        if name.endswith((".broken", ".part")) and os.path.isfile(path):  # a pipe would be waited for
            yield path


def _session_of(path: str) -> str | None:
    """The session whose batch a file was to be, as far as it can be told."""
    import json

    with open(path, "rb") as file:
        text = file.read(HEADER_BYTES).decode("utf-8", "replace")
    begin = text.find('"header":{')
    try:
        header, _ = json.JSONDecoder().raw_decode(text, begin + len('"header":')) if begin >= 0 else (None, 0)
        told = [header[name] for name in ("host", "host_session_id", "agent_id")] if header else [None]
    except (ValueError, KeyError):
        return None
    host, host_session_id, agent_id = told if len(told) == 3 else (None, None, None)
    if not isinstance(host, str) or not isinstance(host_session_id, str):
        return None
    return session_id(host, host_session_id, agent_id if isinstance(agent_id, str) else None)
