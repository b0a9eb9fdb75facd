"""Owns what an operation is given: store, clock, settings, actor and place. Never reads the environment."""

from __future__ import annotations

import os

from segue.model.record import Record
from segue.model.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from segue.config.settings import Settings
    from segue.model.scope import Project
    from segue.redaction import Policy
    from segue.stores.engine import Engine


def _say_nothing(what: str, done: int, total: int) -> None:
    return


class Context(Record):
    """Everything an operation may use. Made once when a door opens; project and principal cannot be changed after.

    `now` gives the present as UTC text. `nonce` gives an unguessable hex id. `data_dir` is Segue's folder, `home` the
    user's. `policy` says how text from this place is redacted. `session_id` is the running session, where the door
    knows it. `report(what, done, total)` is told of the progress of long work.
    """

    store: Engine
    settings: Settings
    tenant: str
    principal_id: str
    project: Project
    policy: Policy
    data_dir: str
    home: str | None
    now: Callable[[], str]
    nonce: Callable[[], str]
    session_id: str | None = None
    report: Callable[[str, int, int], None] = _say_nothing

    @property
    def spool_dir(self) -> str:
        """Where batches wait that could not be stored."""
        return os.path.join(self.data_dir, "spool")

    def scope(self, *, wide: bool = False) -> Scope:
        """What this actor may read here; `wide` is a person asking for all of their projects."""
        project_id = None if self.project.kind == "none" else self.project.project_id
        return Scope(tenant=self.tenant, principal_id=self.principal_id, project_id=project_id, wide=wide)
