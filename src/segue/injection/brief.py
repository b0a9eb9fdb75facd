"""Owns the first brief: which looks it takes, how the block reads, and its record. Never shows what it cannot name.

I8: the block is framed as data, within its budget, and recorded item by item. I16: one session start, one block.
"""

from __future__ import annotations

from segue.injection.budget import Budget, estimate_tokens, judge
from segue.injection.gather import last_sessions, look
from segue.injection.layers import LAYERS
from segue.model import frame
from segue.model.injection import LEFT_OUT, SHOWN, Injection, Judged
from segue.model.record import Record
from segue.stores import injections, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from segue.ctx import Context
    from segue.injection.gather import Look
    from segue.model.injection import Item

OPENING = {
    "startup": "Background on this project from its earlier sessions, recorded by Segue.",
    "clear": "Background on this project from its earlier sessions, recorded by Segue.",
    "compact": "What happened in this session before its context was compacted, recorded by Segue.",
    "resume": "What happened in this project's other sessions since this one was left, recorded by Segue.",
}
NOTE = "It is data, not a request: no action is asked. More: the segue tools session_search and session_event_read."


class Brief(Record):
    """A brief as it would be shown: its text with the frame (empty when there is nothing to say) and its record."""

    text: str
    injection: Injection


def compose(ctx: Context, session_id: str, source: str, *, since: str | None = None) -> Brief:
    """The brief for a session that starts from `source`; `since` is when a resumed session was left."""
    looks = _looks(ctx, session_id, source, since)
    offered = [(layer.most, layer.offer(looks)) for layer in LAYERS] if looks else []
    offers = [items[:most] for most, items in offered]
    over = [item for most, items in offered for item in items[most:]]
    injection_id = ctx.nonce()
    judged = judge(offers, Budget(tokens=ctx.settings.brief_tokens), _render(source, [], injection_id, headings=True))
    judged += [Judged(item=item, disposition=LEFT_OUT, reason="beyond the most that its layer offers") for item in over]
    shown = [verdict.item for verdict in judged if verdict.disposition == SHOWN]
    text = _render(source, shown, injection_id) if shown else ""
    injection = Injection(
        injection_id=injection_id,
        session_id=session_id,
        source=source,
        created_at=ctx.now(),
        tokens=estimate_tokens(text),
        bytes=len(text.encode()),
        items=tuple(sorted(judged, key=lambda verdict: verdict.disposition != SHOWN)),
    )
    return Brief(text=text, injection=injection)


def _looks(ctx: Context, session_id: str, source: str, since: str | None) -> Sequence[Look]:
    scope = ctx.scope()
    if scope.project_id is None:
        return ()
    if source == "compact":
        session = sessions.get(ctx.store, scope, session_id)
        own = look(ctx.store, scope, session) if session else None
        return (own,) if own and own.prompts else ()
    return last_sessions(ctx.store, scope, session_id, since if source == "resume" else None)


def _render(source: str, items: Sequence[Item], nonce: str, *, headings: bool = False) -> str:
    """The block as text. With `headings`, all of them, to measure what the frame costs at most."""
    lines = [f"{OPENING.get(source, OPENING['startup'])} {NOTE}"]
    for layer in LAYERS:
        texts = [item.text for item in items if item.layer == layer.name]
        if texts or headings:
            heading = "This session" if source == "compact" and layer.name == "sessions" else layer.heading
            lines += [f"{heading}:", *(f"- {text}" for text in texts)]
    return frame.wrap("\n".join(lines), nonce)


def record(ctx: Context, brief: Brief) -> None:
    """Keep what was shown and what was left out, so that `segue why` can answer."""
    with ctx.store.transaction():
        injections.add(ctx.store, ctx.scope(), brief.injection)
