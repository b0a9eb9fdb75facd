"""Owns contexts for tests: a store of its own, a project, a principal, a clock that only moves when told."""

from __future__ import annotations

import itertools
import pathlib
from collections.abc import Callable
from typing import Any

from segue.config.settings import Settings
from segue.ctx import Context
from segue.model.event import Draft
from segue.model.instant import from_epoch
from segue.model.scope import Project
from segue.model.session import SessionHeader
from segue.redaction import Policy
from segue.sessionlog.capture import Captured, append, clean
from segue.stores.open import open_store
from tests.engines import NOW

START = 1_796_040_000.0


class Clock:
    """A clock that moves a second at each look."""

    def __init__(self, start: float = START) -> None:
        self.at = start

    def __call__(self) -> str:
        self.at += 1
        return from_epoch(self.at)


def nonces() -> Callable[[], str]:
    """Ids 0000000000000001, …2, …"""
    numbers = itertools.count(1)
    return lambda: f"{next(numbers):016x}"


def project(name: str, kind: str = "directory") -> Project:
    """A project by that name at /src/NAME."""
    return Project(project_id=f"id-{name}", kind=kind, identity=f"/src/{name}", name=name, root=f"/src/{name}")


def context(url: str, folder: pathlib.Path, *, of: str = "alpha", who: str = "ann", **more: Any) -> Context:
    """A context on that store for a project and a principal."""
    fields: dict[str, Any] = {
        "store": open_store(url, now=NOW),
        "settings": Settings(),
        "tenant": "local",
        "principal_id": who,
        "project": project(of),
        "policy": Policy(workspace=f"/src/{of}", home="/home/ann"),
        "spool_dir": str(folder / "spool"),
        "home": str(folder),
        "now": Clock(),
        "nonce": nonces(),
        **more,
    }
    return Context(**fields)


def header(name: str = "s1", **more: Any) -> SessionHeader:
    """A session of Claude Code."""
    return SessionHeader(host="claude-code", host_session_id=name, **{"cwd": "/src/alpha", **more})


def prompt(text: str, **more: Any) -> Draft:
    """What a user asked."""
    return Draft(type="user/message", origin="user", body={"text": text}, **more)


def answer(text: str, **more: Any) -> Draft:
    """What the model answered."""
    return Draft(type="assistant/message", origin="model", body={"text": text}, **more)


def ran(command: str, outcome: str, output: str = "", **more: Any) -> Draft:
    """A command that was run, as its result tells."""
    body = {"tool": "Bash", "call_id": f"c-{command}", "output": output}
    return Draft(
        type="tool/result", origin="tool", body=body, action="command", outcome=outcome, subject=command, **more
    )


def edited(path: str, old: str, new: str, **more: Any) -> Draft:
    """A file that was edited, as its result tells."""
    body = {"tool": "Edit", "call_id": f"e-{path}", "output": "ok", "files": [path], "change": {"old": old, "new": new}}
    return Draft(type="tool/result", origin="tool", body=body, action="edit", outcome="ok", subject=path, **more)


def capture(ctx: Context, *drafts: Draft, into: SessionHeader | None = None) -> Captured:
    """Clean and append drafts as a hook does."""
    return append(ctx, clean(into or header(), drafts, ctx.policy, ctx.now(), ctx.nonce()))
