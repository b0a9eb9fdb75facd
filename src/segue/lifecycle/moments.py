"""Owns a moment from capture to answer. Never answers with what is not recorded (I8)."""

from __future__ import annotations

import os

from segue.ctx import SPOOLED
from segue.model import moment as kinds
from segue.model.event import INJECTION, Draft
from segue.model.moment import Answer
from segue.sessionlog.capture import append, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from segue.ctx import Context
    from segue.injection.brief import Brief
    from segue.model.moment import Moment
    from segue.model.scope import Project
    from segue.redaction import Policy
    from segue.sessionlog.capture import Clean

NOTHING = Answer()
#: what stands for a text that could not be redacted in time, and the length from which it does
LEFT_OUT, SHORT = "[left out: {} characters, too long to redact in time]", 500
#: spooled batches that a session start moves before it tells the brief, and any other hook before what it brings;
#: more of them wait for a process with time
BRIEF_DRAIN, HOOK_DRAIN = 400, 4


def batches(moment: Moment, policy: Policy, now: str, nonce: str) -> list[Clean]:
    """Everything that the moment brings to the log, redacted (I5); empty batches are left out."""
    told = [(moment.header, moment.drafts), *moment.extra]
    return [clean(header, drafts, policy, now, nonce) for header, drafts in told if drafts]


def without_texts(moment: Moment) -> Moment:
    """The moment with every long text replaced by a note of its length: what redaction has no time for."""
    extra = tuple((header, tuple(map(_without_text, drafts))) for header, drafts in moment.extra)
    return moment.replace(drafts=tuple(map(_without_text, moment.drafts)), extra=extra)


def _without_text(draft: Draft) -> Draft:
    body = {
        name: value
        if not isinstance(value, str | dict | list) or len(str(value)) < SHORT
        else LEFT_OUT.format(len(str(value)))
        for name, value in draft.body.items()
    }
    return draft.replace(body=body, subject=None if draft.subject is None else draft.subject[:SHORT])


def handle(ctx: Context, moment: Moment, told: Sequence[Clean]) -> Answer:
    """Record a moment and answer it. When it returns, everything in it is committed."""
    starting = moment.kind == kinds.SESSION_START and moment.header.agent_id is None
    left_at = _left_at(ctx, moment) if starting and moment.source == "resume" else None
    is_told = starting and ctx.settings.brief == "on"
    _move_spooled(ctx, BRIEF_DRAIN if is_told else HOOK_DRAIN)
    if ctx.settings.capture == "on":
        for batch in told:
            append(ctx, batch)
    if not is_told:
        return NOTHING
    from segue.injection import brief as briefs

    brief = briefs.compose(ctx, moment.header.session_id, moment.source or "startup", since=left_at)
    briefs.record(ctx, brief)
    if brief.text and ctx.settings.capture == "on":
        append(ctx, clean(moment.header, (_shown(brief),), ctx.policy, ctx.now(), ctx.nonce()))
    return Answer(context=brief.text or None)


def _move_spooled(ctx: Context, most: int) -> None:
    """Move what waits in the spool, which came before this moment. Mostly there is nothing."""
    try:
        names = os.listdir(ctx.spool_dir)
    except OSError:
        return
    if any(name.endswith(SPOOLED) for name in names):  # what was set aside is no work
        from segue.sessionlog import spool

        spool.drain(ctx, ctx.spool_dir, most)


def _shown(brief: Brief) -> Draft:
    """The log's own note that the session was shown a block, and which."""
    injection = brief.injection
    body = {"injection_id": injection.injection_id, "source": injection.source, "tokens": injection.tokens}
    return Draft(type=INJECTION, origin="segue", body=body, key=f"injection:{injection.injection_id}")


def _left_at(ctx: Context, moment: Moment) -> str:
    from segue.stores import sessions

    session = sessions.get(ctx.store, ctx.scope(), moment.header.session_id)
    return session.last_event_at if session else ctx.now()


def keep_for_later(folder: str, told: Sequence[Clean], project: Project, principal_id: str, nonce: str) -> None:
    """Spool what is not to be stored now."""
    from segue.sessionlog import spool

    for at, batch in enumerate(told):
        spool.put(folder, batch, project, principal_id, f"{nonce}{at}")
