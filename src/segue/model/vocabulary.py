"""Owns which types of events there are: Segue's own, and those that a program adds at run time. Never stores.

An unknown type is no error to a reader: it is kept, and skipped, because only Segue's own types touch the surface.
"""

from __future__ import annotations

import re

from segue.errors import UsageError
from segue.model.event import EVENT_TYPES

NAME = re.compile(r"[a-z][a-z0-9-]{0,39}/[a-z][a-z0-9-]{0,39}(?:/[a-z][a-z0-9-]{0,39})?")
#: namespaces in which only Segue names events
OWN = frozenset(type_.partition("/")[0] for type_ in EVENT_TYPES)
#: types that programs added
_added: set[str] = set()


def register(type_: str) -> None:
    """Add a type of event, `namespace/name`, to what this process may append. Twice is no mistake.

    `UsageError` for a name of another form, or in a namespace of Segue's own.
    """
    if not NAME.fullmatch(type_):
        raise UsageError(f"{type_!r} as a type of event", hint="Use namespace/name in lower-case letters and hyphens.")
    if type_.partition("/")[0] in OWN:
        raise UsageError(f"{type_!r}: that namespace is Segue's own", hint="Use the name of your program before the /.")
    _added.add(type_)


def known() -> tuple[str, ...]:
    """All types that can be appended and searched for."""
    return (*EVENT_TYPES, *sorted(_added))
