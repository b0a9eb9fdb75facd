"""Owns the checks of the doctor: each looks at the real thing and says what would mend it. Never mends.

A check is one function and one row in CHECKS; a check that raises is itself a finding.
"""

from __future__ import annotations

import os
import shutil
import sys

from segue.ctx import open_context
from segue.errors import SegueError, StoreUnavailable
from segue.hosts.claude_code import install as claude
from segue.hosts.claude_code.hooks import NAME as CLAUDE
from segue.hosts.registry import host_of
from segue.model.record import Record
from segue.sessionlog import spool
from segue.stores import docs, erase, sessions
from segue.stores.open import sqlite_path
from segue.system import files, launcher, paths, process
from segue.upkeep import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from segue.ctx import Context, Place

OK, WARN, FAIL = "ok", "warn", "fail"
#: free disk below which writing is at risk, in bytes
LOW_DISK = 200_000_000
#: minutes that the newest event may lie in the future before a clock is in doubt
FUTURE = 5
#: spooled batches of a running session that are nothing to speak of
FEW_WAITING = 10


class Finding(Record):
    """What a check saw; `fix` says what to do where it is not ok."""

    check: str
    status: str
    text: str
    fix: str | None = None


def run_checks(place: Place) -> list[Finding]:
    """Every check, in order. Those of the store share one connection; without a store they are not run."""
    found = [finding for name, check in PLACE_CHECKS for finding in _guarded(name, check, place)]
    try:
        ctx = open_context(place, busy_s=2)
    except StoreUnavailable as error:
        return [*found, Finding(check="store", status=FAIL, text=str(error), fix=error.hint)]
    try:
        return found + [f for name, check in STORE_CHECKS for f in _guarded(name, check, ctx)]
    finally:
        ctx.store.close()


def _guarded(name: str, check: Callable[[Any], Iterator[Finding]], given: Place | Context) -> list[Finding]:
    try:
        return [finding.replace(check=name) for finding in check(given)]
    except (SegueError, OSError, ValueError) as error:
        return [
            Finding(check=name, status=FAIL, text=f"{type(error).__name__}: {error}", fix=getattr(error, "hint", None))
        ]


def _good(text: str) -> Finding:
    return Finding(check="", status=OK, text=text)


def _bad(status: str, text: str, fix: str) -> Finding:
    return Finding(check="", status=status, text=text, fix=fix)


def _python(place: Place) -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield _good(f"Python {version} at {place.python}")


def _folder(place: Place) -> Iterator[Finding]:
    if not os.path.isdir(place.data_dir):
        yield _bad(WARN, f"{place.data_dir} is not there yet", "segue up")
        return
    kind = paths.network_file_system(place.data_dir)
    if kind:
        yield _bad(WARN, f"{place.data_dir} is on a network file system ({kind})", "Set SEGUE_HOME to a local disk.")
    if os.name == "posix" and os.stat(place.data_dir).st_mode & 0o077:
        yield _bad(WARN, f"{place.data_dir} can be read by others", f"chmod 700 {place.data_dir}")
    free = shutil.disk_usage(place.data_dir).free
    if free < LOW_DISK:
        yield _bad(WARN, f"{free // 1_000_000} MB of disk are left", "Free some space.")
    yield _good(f"{place.data_dir}, {free // 1_000_000_000} GB free")


def _settings(place: Place) -> Iterator[Finding]:
    if place.problem:
        yield _bad(FAIL, place.problem, "Mend or delete that file; until then hooks record nothing.")
        return
    changed = [value.name for value in place.values if value.source != "default"]
    yield _good(f"changed: {', '.join(changed)}" if changed else "all at their defaults")


def _project(place: Place) -> Iterator[Finding]:
    if place.project.kind == "none":
        yield _bad(WARN, f"{place.cwd} is no project: nothing is briefed or searched here", "Go to a project's folder.")
    else:
        yield _good(f"{place.project.name} ({place.project.kind} {place.project.identity})")


def _launcher(place: Place) -> Iterator[Finding]:
    path = launcher.launcher_path(place.data_dir, place.platform)
    wanted = launcher.files(place.data_dir, place.python, place.package_parent, place.platform)
    if not os.path.exists(path):
        yield _bad(WARN, "no launcher: no host calls Segue", "segue up")
    elif any(files.read_bytes_or_none(file) != data for file, (data, _) in wanted.items()):
        yield _bad(WARN, f"{path} belongs to another installation or version", "segue up")
    else:
        ended = process.run([path, "hook", "claude-code", "Doctor"], env=place.env, data=b"", timeout_s=10)
        if ended.code != 0 or ended.stdout:
            yield _bad(
                FAIL, f"{path} ended with {ended.code}: {ended.stderr.decode(errors='replace')[:200]}", "segue up"
            )
        else:
            yield _good(f"{path} runs and ends with 0")
        if not patterns.are_current(place.patterns_path):
            kept = place.patterns_path
            fix = f"Move {kept} away, then: segue up" if os.path.isdir(kept) else "segue up"
            yield _bad(WARN, f"{kept} is not this version's: hooks are slower", fix)


def _claude(place: Place) -> Iterator[Finding]:
    if not os.path.isdir(place.folders.get(CLAUDE, "")):
        yield _good("not here")
        return
    where = claude.paths(place.home or "", host_of(CLAUDE).chosen(place.env, place.cwd))
    current = {path: files.read_bytes_or_none(path) for path in where}
    events, server = claude.installed(where, current, launcher.is_ours)
    missing = [event for event in claude.EVENTS if event not in events]
    if missing:
        which = "any event" if len(missing) == len(claude.EVENTS) else ", ".join(missing)
        yield _bad(WARN, f"no hook on {which}", "segue up")
    if not server:
        yield _bad(WARN, "no MCP server entered", "segue up")
    for problem in claude.problems(where, current):
        yield _bad(WARN, problem, f"Remove it from {where[0]}.")
    if not missing and server:
        yield _good(f"hooks on {len(events)} events, MCP server entered")


def _hook_errors(place: Place) -> Iterator[Finding]:
    path = os.path.join(place.data_dir, "hook-errors.log")
    data = files.read_bytes_or_none(path)
    lines = (data or b"").decode("utf-8", "replace").splitlines()
    if lines:
        yield _bad(WARN, f"{len(lines)} in {path}, the last: {lines[-1]}", f"Mend the cause, then delete {path}")
    else:
        yield _good("none noted")


def _spooled(place: Place) -> Iterator[Finding]:
    waiting, broken = len(spool.waiting(place.spool_dir)), list(spool.broken(place.spool_dir))
    if waiting > FEW_WAITING:
        yield _bad(WARN, f"{waiting} batches wait in the spool", "segue derive")
    for path in broken:
        yield _bad(WARN, f"{path} could not be read", "Look into it, then delete it.")
    if waiting <= FEW_WAITING and not broken:
        yield _good(f"{waiting} wait for the next hook" if waiting else "empty")


def _store(ctx: Context) -> Iterator[Finding]:
    found = ctx.store.check()
    for line in found:
        yield _bad(FAIL, line, "segue doctor --fix")
    if not found:
        yield _good(
            f"{ctx.store.name}, schema {ctx.store.schema_version()}, {ctx.store.size_bytes() / 1e6:.1f} MB, sound"
        )


def _store_file(place: Place) -> Iterator[Finding]:
    if not place.store_url.startswith("sqlite://"):
        yield _good("PostgreSQL")
        return
    path = sqlite_path(place.store_url)
    if os.path.exists(path) and os.name == "posix" and os.stat(path).st_mode & 0o077:
        yield _bad(WARN, f"{path} can be read by others", f"chmod 600 {path}")
    else:
        yield _good(path)


def _index(ctx: Context) -> Iterator[Finding]:
    behind = docs.behind(ctx.store, ctx.tenant)
    if behind > 5000:
        yield _bad(WARN, f"{behind} events are not indexed", "segue derive")
    else:
        yield _good(f"{docs.count(ctx.store, ctx.tenant)} documents, {behind} events to come")


def _deleted(ctx: Context) -> Iterator[Finding]:
    if erase.pending(ctx.store) is not None:
        yield _bad(WARN, "some bytes of what was deleted are left", "segue derive")
    else:
        yield _good("nothing of it is left")


def _quarantined(ctx: Context) -> Iterator[Finding]:
    broken = [name for name, _, _, status in sessions.all_of(ctx.store, ctx.tenant) if status != "ok"]
    for name in broken:
        yield _bad(FAIL, f"{name} is quarantined", "segue verify tells what is wrong; `segue show` its events")
    if not broken:
        yield _good("none")


def _activity(ctx: Context) -> Iterator[Finding]:
    rows = sessions.activity(ctx.store, ctx.scope(wide=True))
    for host, count, events, last in rows:
        if last > _minutes_later(ctx.now()):
            yield _bad(WARN, f"{host} wrote at {last}, which is in the future", "Check this machine's clock.")
        yield _good(f"{host}: {count} sessions, {events} events, newest event {last}")
    if not rows:
        yield _bad(WARN, "no host has written anything yet", "Start a session in a host, then look again.")


def _minutes_later(now: str) -> str:
    from datetime import datetime, timedelta

    later = datetime.fromisoformat(now) + timedelta(minutes=FUTURE)
    return later.strftime("%Y-%m-%dT%H:%M:%S.000Z")


PLACE_CHECKS: tuple[tuple[str, Callable[[Place], Iterator[Finding]]], ...] = (
    ("python", _python),
    ("folder", _folder),
    ("settings", _settings),
    ("project", _project),
    ("launcher", _launcher),
    ("claude-code", _claude),
    ("hook errors", _hook_errors),
    ("spool", _spooled),
    ("store file", _store_file),
)
STORE_CHECKS: tuple[tuple[str, Callable[[Context], Iterator[Finding]]], ...] = (
    ("store", _store),
    ("index", _index),
    ("quarantine", _quarantined),
    ("deleted", _deleted),
    ("newest event", _activity),
)
