"""Owns what an operation is given: a place, or a context with an open store. Never reads the environment."""

from __future__ import annotations

import os

from segue.hosts.registry import HOSTS
from segue.model.record import Record
from segue.model.scope import Scope
from segue.stores.open import open_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from segue.config.settings import Settings, Value
    from segue.model.scope import Project
    from segue.redaction import Policy
    from segue.stores.engine import Engine

#: how the names end of what waits in a place's `spool_dir`
SPOOLED = ".spool.json"
#: most bytes of compiled patterns that are read
MAX_PATTERNS = 1 << 20


def _say_nothing(what: str, done: int, total: int) -> None:
    return


class Place(Record):
    """Where a door opened: folders, settings with their sources, project, principal. No store is open.

    `now` gives the present as UTC text, `nonce` an unguessable hex id; `report(what, done, total)` is told of the
    progress of long work. `policy` says how text from here is redacted. `python` and `package_parent` are what runs
    Segue, for the launcher; `env` is what a program that Segue starts is given.
    `problem` says why the configuration could not be used and these are the defaults.
    """

    platform: str
    home: str | None
    data_dir: str
    cwd: str
    settings: Settings
    values: tuple[Value, ...]
    project: Project
    principal_id: str
    store_url: str
    policy: Policy
    python: str
    package_parent: str
    env: Mapping[str, str]
    now: Callable[[], str]
    nonce: Callable[[], str]
    problem: str | None = None
    report: Callable[[str, int, int], None] = _say_nothing

    @property
    def folders(self) -> dict[str, str]:
        """Where each host keeps its things, by the host's name; nothing of a host without a place."""
        found = ((host.name, host.folder(self.home, self.env, self.cwd)) for host in HOSTS)
        return {name: folder for name, folder in found if folder is not None}

    @property
    def patterns_path(self) -> str:
        """Where the compiled patterns of redaction are kept, beside the launcher whose hooks want them."""
        return os.path.join(self.data_dir, "bin", "patterns")

    @property
    def spool_dir(self) -> str:
        """Where batches wait that could not be stored."""
        return os.path.join(self.data_dir, "spool")


class Context(Record):
    """Everything an operation may use. Made once when a door opens; project and principal cannot be changed after.

    `session_id` is the running session, where the door knows it; `folders` is where each host keeps its things, by its
    name. The other fields are the place's; without a `patterns_path` no compiled pattern is kept.
    """

    store: Engine
    settings: Settings
    tenant: str
    principal_id: str
    project: Project
    policy: Policy
    spool_dir: str
    home: str | None
    now: Callable[[], str]
    nonce: Callable[[], str]
    report: Callable[[str, int, int], None] = _say_nothing
    session_id: str | None = None
    patterns_path: str | None = None
    folders: Mapping[str, str] = {}

    def scope(self, *, wide: bool = False) -> Scope:
        """What this actor may read here; `wide` is a person asking for all of their projects."""
        project_id = None if self.project.kind == "none" else self.project.project_id
        return Scope(tenant=self.tenant, principal_id=self.principal_id, project_id=project_id, wide=wide)


def open_context(place: Place, *, busy_s: float = 5.0, upgrade: bool = True) -> Context:
    """Open the place's store. `busy_s` is how long a writer waits for another, in seconds.

    Without `upgrade` a store of an older version raises `StoreOlder`.
    """
    return Context(
        store=open_store(place.store_url, now=place.now(), busy_s=busy_s, upgrade=upgrade),
        settings=place.settings,
        tenant=place.settings.tenant,
        principal_id=place.principal_id,
        project=place.project,
        policy=place.policy,
        spool_dir=place.spool_dir,
        home=place.home,
        now=place.now,
        nonce=place.nonce,
        report=place.report,
        patterns_path=place.patterns_path,
        folders=place.folders,
    )
