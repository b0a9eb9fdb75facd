"""Owns the file of compiled patterns beside the launcher. Never needed: without it a hook is slower, not different."""

from __future__ import annotations

import os

from segue.ctx import MAX_PATTERNS
from segue.errors import FileUnwritable
from segue.redaction import RULES, patterns
from segue.system import files


def write(path: str) -> None:
    """Compile every pattern of redaction and keep the code; no file where this interpreter does not let it be had."""
    data = patterns.pack(RULES)
    if data is None:
        files.remove(path)
    else:
        files.write_atomic(path, data)


def renew(path: str | None) -> None:
    """Write the file where a launcher is and it is missing, damaged, or another interpreter's or version's.

    A disk that takes no file is no error here: whoever calls has other work to do, and the doctor tells of it.
    """
    if path is None or not os.path.isdir(os.path.dirname(path)):
        return
    try:
        if not patterns.unpack(files.read_bytes_or_none(path, MAX_PATTERNS)):
            write(path)
    except FileUnwritable:
        return


def are_current(path: str) -> bool:
    """Whether a hook of this interpreter finds the code of every rule, or could not use any."""
    try:
        kept = patterns.texts(patterns.unpack(files.read_bytes_or_none(path, MAX_PATTERNS)))
    except FileUnwritable:  # there is something else, or nothing that this user may read
        kept = {}
    return kept == {rule.name: rule.pattern for rule in RULES} or patterns.pack(RULES) is None
