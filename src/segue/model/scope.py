"""Owns the scope that every read carries. Never widened by an argument: it is made when a door opens (I3, I11)."""

from __future__ import annotations

from segue.model.record import Record


class Scope(Record):
    """Whose rows may be read: this tenant's, of this project, shared there or owned by this principal.

    `wide` is the person at the command line asking for all of their own projects; no agent's door sets it.
    `project_id` is None where the directory is no project ($HOME, /): then only a wide read finds anything.
    """

    tenant: str
    principal_id: str
    project_id: str | None
    wide: bool = False


class Project(Record):
    """A project as it was recognised: by remote, git common directory, or directory; `none` is no project."""

    project_id: str
    kind: str
    identity: str
    name: str
    root: str | None = None
