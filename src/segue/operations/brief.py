"""Owns the brief and the account of it: what a new session would get, what was shown or left out, and why."""

from __future__ import annotations

from segue.errors import NotFoundError
from segue.injection.brief import compose, record
from segue.model.injection import SHOWN
from segue.model.operation import FLAG, TEXT, Operation, Param
from segue.operations.render import counted, stamp
from segue.sessionlog import read, spool
from segue.stores import injections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.ctx import Context
    from segue.model.injection import Injection


def run_brief(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """What a new session here would be given now. Nothing is recorded: nobody was shown it."""
    spool.catch_up(ctx)
    brief = compose(ctx, "", request.get("source") or "startup")
    return {"text": brief.text, "switched_off": ctx.settings.brief != "on", **_account(brief.injection)}


OFF = "Nothing: the brief is switched off. segue config brief on"
NOT_GIVEN = "It may be one that `segue brief` or `segue up` only showed; `segue why` shows the latest that was given."
#: blocks that `why` looks back at for the latest that said something
LOOKED_AT = 20


def compose_shown(ctx: Context, session_id: str) -> str:
    """Compose and record a brief as if a session had been given it; the block's id."""
    brief = compose(ctx, session_id, "startup")
    record(ctx, brief)
    return brief.injection.injection_id


def text_brief(data: dict[str, Any]) -> str:
    """The block itself and its measure."""
    if data["switched_off"]:
        return OFF
    if not data["text"]:
        return "Nothing yet: no session of this project is recorded."
    left = sum(item["disposition"] != SHOWN for item in data["items"])
    measure = f"{data['tokens']} tokens (estimated), {data['bytes']} bytes"
    return f"{data['text']}\n\n{measure}; {counted(left, 'item')} left out"


def run_why(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """What was shown to a session and what was left out, item by item."""
    scope = ctx.scope(wide=bool(request.get("all")))
    if request.get("id"):
        found = injections.get(ctx.store, scope, request["id"])
        if found is None:
            raise NotFoundError(request["id"], hint=NOT_GIVEN)
        return {"injections": [_account(found)], "others": 0, "switched_off": False}
    session_id = None
    if request.get("session"):
        session_id = read.session(ctx, scope, request["session"]).session_id
    latest = injections.latest(ctx.store, scope, session_id=session_id, limit=LOOKED_AT)
    found = next((injection for injection in latest if injection.bytes), latest[0] if latest else None)
    return {
        "injections": [] if found is None else [_account(found)],
        "others": max(0, len(latest) - 1),
        "switched_off": ctx.settings.brief != "on",
    }


def _account(injection: Injection) -> dict[str, Any]:
    return {
        "id": injection.injection_id,
        "session": injection.session_id,
        "source": injection.source,
        "time": injection.created_at,
        "tokens": injection.tokens,
        "bytes": injection.bytes,
        "items": [
            {
                "layer": judged.item.layer,
                "text": judged.item.text,
                "from": None if judged.item.session_id is None else f"{judged.item.session_id}#{judged.item.seq}",
                "disposition": judged.disposition,
                "reason": judged.reason,
            }
            for judged in injection.items
        ],
    }


def text_why(data: dict[str, Any]) -> str:
    """Shown items, then left-out ones, each with its reason and its source."""
    if not data["injections"]:
        return OFF if data["switched_off"] else "No session here was given a brief yet."
    lines = ["The brief is switched off by now: segue config brief on"] if data["switched_off"] else []
    for injection in data["injections"]:
        lines.append(
            f"{injection['id']}  given to {injection['session']} at {stamp(injection['time'])} ({injection['source']})"
        )
        lines.append(f"{injection['tokens']} tokens (estimated), {injection['bytes']} bytes")
        if not injection["items"]:
            lines.append("  nothing: there was nothing to tell")
        for item in injection["items"]:
            mark = "+" if item["disposition"] == SHOWN else "-"
            lines.append(f"  {mark} {item['layer']}: {item['text']}")
            lines.append(f"      {item['reason']}; from {item['from']}")
    if data["others"]:
        lines.append(f"{data['others']} more were given here lately; --session names one session's")
    return "\n".join(lines)


BRIEF = Operation(
    name="brief",
    help="show what a new session in this project would be given now",
    example="segue brief",
    params=(Param(name="source", kind=TEXT, help="as if the session started from", choices=("startup", "clear")),),
    run=run_brief,
    text=text_brief,
)
WHY = Operation(
    name="why",
    help="show what a session was given, what was left out, and why",
    example="segue why --session claude-code:0b1c4d2e",
    params=(
        Param(name="id", kind=TEXT, help="the block's id, as in its frame", positional=True),
        Param(name="session", kind=TEXT, help="the latest block of this session"),
        Param(name="all", kind=FLAG, help="in all of your projects", person_only=True),
    ),
    run=run_why,
    text=text_why,
)
