"""Owns the rows of projects, their roots, and principals. Never tells what a project is."""

from __future__ import annotations

from segue.model.scope import Project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segue.model.scope import Scope
    from segue.stores.engine import Engine, Row

COLUMNS = "p.project_id, p.kind, p.identity, p.name"


def _project(row: Row) -> Project:
    return Project(project_id=row[0], kind=row[1], identity=row[2], name=row[3])


def remember(engine: Engine, tenant: str, project: Project, principal_id: str, now: str) -> None:
    """Make sure that the project, its root and the principal are known."""
    params = {**project.as_dict(), "tenant": tenant, "principal_id": principal_id, "now": now}
    engine.run(
        "INSERT INTO projects (tenant, project_id, kind, identity, name, created_at)"
        " VALUES (:tenant, :project_id, :kind, :identity, :name, :now) ON CONFLICT DO NOTHING",
        params,
    )
    engine.run(
        "INSERT INTO principals (tenant, principal_id, created_at) VALUES (:tenant, :principal_id, :now)"
        " ON CONFLICT DO NOTHING",
        params,
    )
    if project.root is not None:
        engine.run(
            "INSERT INTO project_roots (tenant, project_id, root, created_at)"
            " VALUES (:tenant, :project_id, :root, :now) ON CONFLICT DO NOTHING",
            params,
        )


def of_principal(engine: Engine, scope: Scope) -> list[Project]:
    """The projects in which this principal has sessions, by name."""
    rows = engine.all(
        f"SELECT DISTINCT {COLUMNS} FROM projects p JOIN sessions s"
        " ON s.tenant = p.tenant AND s.project_id = p.project_id"
        " WHERE p.tenant = :tenant AND s.principal_id = :principal_id ORDER BY p.name, p.project_id",
        scope.as_dict(),
    )
    return [_project(row) for row in rows]
