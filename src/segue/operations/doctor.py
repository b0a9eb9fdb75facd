"""Owns looking for what is wrong, and mending what can be mended without a decision of a person."""

from __future__ import annotations

import os

from segue.ctx import open_context
from segue.errors import StoreCorrupt
from segue.model.operation import FLAG, Operation, Param
from segue.operations.install import run_up
from segue.operations.render import table
from segue.projectors.derive import derive
from segue.sessionlog.verify import verify
from segue.stores.open import sqlite_path
from segue.upkeep.checks import FAIL, OK, run_checks
from segue.upkeep.salvage import salvage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.ctx import Place


def run_doctor(place: Place, request: dict[str, Any]) -> dict[str, Any]:
    """Run every check live; with `fix`, mend first what can be mended."""
    mended = _mend(place) if request.get("fix") else []
    return {"mended": mended, "findings": [finding.as_dict() for finding in run_checks(place)]}


def _mend(place: Place) -> list[str]:
    """Salvage a damaged store, close what others can read, renew the launcher and hooks, move the spool."""
    done = _mend_store(place)
    for path, mode in ((place.data_dir, 0o700), (sqlite_path(place.store_url), 0o600)):
        if os.name == "posix" and os.path.exists(path) and os.stat(path).st_mode & 0o077:
            os.chmod(path, mode)
            done.append(f"{path} is its owner's alone now")
    done += [
        f"{change['path']}: {', '.join(change['what'])}" for change in run_up(place, {"no_import": True})["changes"]
    ]
    context = open_context(place)
    try:
        derived = derive(context, context.spool_dir)
    finally:
        context.store.close()
    if derived.spooled or derived.indexed:
        done.append(f"{derived.spooled} events moved from the spool, {derived.indexed} indexed")
    return done


def _mend_store(place: Place) -> list[str]:
    if not place.store_url.startswith("sqlite://"):
        return []
    try:
        context = open_context(place)
        sound = not context.store.check()
        context.store.close()
    except StoreCorrupt:
        sound = False
    if sound:
        return []
    saved = salvage(place)
    context = open_context(place)
    verified = verify(context)
    context.store.close()
    counts = ", ".join(f"{count} {name}" for name, count in saved.copied.items() if count) or "nothing"
    lines = [f"damaged store set aside as {saved.aside}; saved: {counts}", *(f"lost: {lost}" for lost in saved.lost)]
    return lines + [f"quarantined, events are missing: {finding.session_id}" for finding in verified.findings]


def text_doctor(data: dict[str, Any]) -> str:
    """One line per finding, what is wrong with its fix."""
    lines = [f"mended: {line}" for line in data["mended"]]
    rows = [(finding["status"], finding["check"], _line(finding)) for finding in data["findings"]]
    wrong = sum(finding["status"] != OK for finding in data["findings"])
    lines.append(table(rows))
    lines.append("all is well" if not wrong else f"{wrong} to look at")
    return "\n".join(lines)


def _line(finding: dict[str, Any]) -> str:
    return f"{finding['text']} → {finding['fix']}" if finding["fix"] else str(finding["text"])


DOCTOR = Operation(
    name="doctor",
    help="check everything live and say what would mend it",
    example="segue doctor --fix",
    params=(Param(name="fix", kind=FLAG, help="mend what can be mended without a decision"),),
    run=run_doctor,
    text=text_doctor,
    needs_store=False,
    failed=lambda data: any(finding["status"] == FAIL for finding in data["findings"]),
)
