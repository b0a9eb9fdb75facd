"""Owns where a session belongs: which project a directory is, and how its text is redacted. Never opens a store."""

from __future__ import annotations

from segue.model.digest import digest
from segue.model.scope import Project
from segue.redaction import Policy
from segue.system.git import project_identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.config.settings import Settings


def identify(cwd: str | None, home: str | None, settings: Settings) -> Project:
    """The project of a directory: by remote, git common directory or directory; `none` for $HOME, / and unknown."""
    found = project_identity(cwd or "", home)
    kind, value = found.kind, found.value
    if settings.worktrees == "isolated" and found.root is not None and kind != "none":
        kind, value = "directory", found.root
    return Project(
        project_id=digest(kind.encode(), value.encode()).hex()[:16],
        kind=kind,
        identity=value,
        name=_name(value.removesuffix("/.git").removesuffix("\\.git") if kind == "git" else value),
        root=found.root,
    )


def _name(identity: str) -> str:
    """What people call it: the last part of what it is known by."""
    return identity.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].removesuffix(".git") or "no project"


def policy_for(project: Project, cwd: str | None, home: str | None) -> Policy:
    """How text from this place is redacted: its root becomes [WORKSPACE], the home becomes ~."""
    return Policy(workspace=project.root or cwd, home=home)
