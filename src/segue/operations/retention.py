"""Owns retention: what the settings keep no longer is shown, and goes when a person says so, or once a day."""

from __future__ import annotations

from segue.audit import record as acts
from segue.model.instant import before
from segue.model.operation import FLAG, Operation, Param
from segue.operations.render import counted, session_line, session_text
from segue.projectors.derive import derive
from segue.projectors.erase import perform
from segue.sessionlog.keeping import plan as plans
from segue.sessionlog.keeping.retain import Rules, leaving
from segue.stores import erase, injections, meta, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.ctx import Context
    from segue.model.scope import Scope

#: sessions that one sweep lets go (I18)
MOST_LEAVING = 200
#: settings that let sessions go
RULES = ("keep_days", "keep_sessions", "keep_megabytes")
#: the fact that tells when the last sweep of its own began
SWEPT = "swept"
#: days after which a session without events is taken for ended, and between two sweeps of its own
ENDED_DAYS, EVERY_DAYS = 1, 1


def run_retain(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Let go of the sessions that the settings keep no longer."""
    derive(ctx, ctx.spool_dir)
    chosen = sweep(ctx, dry_run=not request.get("yes"))
    return {
        **chosen,
        "rules": {name: getattr(ctx.settings, name) for name in RULES},
    }


def sweep(ctx: Context, *, dry_run: bool) -> dict[str, Any]:
    """The sessions of this person that the settings keep no longer, gone unless it is a dry run."""
    settings, scope = ctx.settings, ctx.scope(wide=True)
    rules = Rules(
        running_since=before(ctx.now(), ENDED_DAYS),
        not_before=before(ctx.now(), settings.keep_days) if settings.keep_days else None,
        sessions=settings.keep_sessions,
        bytes=settings.keep_megabytes * 1_000_000,
    )
    if not _has_rules(ctx):
        return {"blocks": 0, "leaving": [], "more": 0, "done": None}
    known = {session.session_id: session for session in sessions.each(ctx.store, scope)}
    reasons = leaving(tuple(known.values()), sessions.sizes(ctx.store, scope), rules, ctx.session_id)
    chosen = list(reasons)[:MOST_LEAVING]
    blocks = injections.unread(ctx.store, scope, rules.not_before, drop=False) if rules.not_before else 0
    answer: dict[str, Any] = {
        "blocks": blocks,
        "leaving": [{"session": session_line(known[name]), "reason": reasons[name]} for name in chosen],
        "more": len(reasons) - len(chosen),
        "done": None,
    }
    if not dry_run and blocks and rules.not_before:
        _drop_blocks(ctx, scope, rules.not_before)
    if not dry_run and (chosen or blocks):
        each = (plans.whole(ctx, scope, known[name], copies=False, subagents=True) for name in chosen)
        answer["done"] = perform(ctx, plans.joined(each), "retention", "retain").as_dict()
    return answer


def _drop_blocks(ctx: Context, scope: Scope, before: str) -> None:
    """Drop the old blocks of sessions that are not recorded; what writes the store anew comes after."""
    with ctx.store.transaction():
        acts.hold(ctx)
        erase.begin(ctx.store, ())
        blocks = injections.unread(ctx.store, scope, before, drop=True)
        acts.record(ctx, "retain", "", "retention", {"blocks": blocks})


def daily(ctx: Context) -> int:
    """Sweep, where a setting asks for it and none has for a day; how many sessions went."""
    if ctx.settings.retain != "daily" or not _has_rules(ctx) or not _is_due(ctx):
        return 0
    with ctx.store.transaction():
        acts.hold(ctx)
        if not _is_due(ctx):  # another process was faster
            return 0
        meta.put(ctx.store, SWEPT, ctx.now())
    done = sweep(ctx, dry_run=False)["done"]
    return done["sessions"] if done else 0


def _has_rules(ctx: Context) -> bool:
    return any(getattr(ctx.settings, name) for name in RULES)


def _is_due(ctx: Context) -> bool:
    swept = meta.value(ctx.store, SWEPT)
    return swept is None or swept < before(ctx.now(), EVERY_DAYS)


def text_retain(data: dict[str, Any]) -> str:
    """What goes by which rule."""
    if not any(data["rules"].values()):
        return "Everything is kept for ever. To change that: segue config keep_days 365"
    rules = ", ".join(f"{name} {value}" for name, value in data["rules"].items() if value)
    if not data["leaving"] and not data["blocks"]:
        return f"Nothing goes ({rules})."
    lines = [f"{'deleted' if data['done'] else 'would be deleted'} ({rules}):"]
    lines += [f"  {row['reason']:<7}{session_text(row['session'])}" for row in data["leaving"]]
    if data["blocks"]:
        lines.append(f"  age    {counted(data['blocks'], 'block')} that sessions were shown which are not recorded")
    if data["more"]:
        lines.append(f"  and {counted(data['more'], 'session')} more in the next run")
    return "\n".join(lines if data["done"] else [*lines, "Nothing was deleted. To do it, add --yes."])


RETAIN = Operation(
    name="retain",
    help="delete sessions that the keep_… settings keep no longer: first shown, done with --yes",
    example="segue retain",
    params=(Param(name="yes", kind=FLAG, help="do it"),),
    run=run_retain,
    text=text_retain,
)
