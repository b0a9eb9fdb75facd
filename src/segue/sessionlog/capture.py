"""Owns the way of an event into the log: redact, bound, fold, number, chain, store. Never reads a host's format.

I5: redaction comes first, also for what is only spooled. I7: what `append` returns is committed.
"""

from __future__ import annotations

import os

from segue.model.codec import dumps, scrub
from segue.model.digest import digest
from segue.model.event import CURRENT, LOG_ONLY, SURFACE_TYPES
from segue.model.record import Record
from segue.redaction import Policy, look_ahead, redact_text, redact_value
from segue.sessionlog import chain
from segue.stores import events, meta, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from segue.ctx import Context
    from segue.model.event import Draft
    from segue.model.scope import Project
    from segue.model.session import SessionHeader

#: characters of one text in a body that are kept: head and tail
HEAD_CHARS, TAIL_CHARS = 96_000, 32_000
#: how far from a cut a break between words is looked for, longer than any secret but a key's block
SEAM_CHARS = 4000
#: bytes of a whole body beyond which only its beginning is kept
MAX_BODY_BYTES = 1_000_000
#: random bytes that keep a deleted body from being guessed
SALT_BYTES = 16
#: characters of a subject or of a field of a header
LINE_CHARS = 400
#: fields of a header that people or models wrote
IDS = ("host_session_id", "agent_id", "parent_agent_id")
#: characters of an id of a host
ID_CHARS = 128
SPOKEN = ("cwd", "branch", "model", "title", "agent_type")


class Clean(Record):
    """Drafts of one session, redacted and bounded, with their times: ready for the store or the spool."""

    header: SessionHeader
    drafts: tuple[Draft, ...]


class Captured(Record):
    """What became of a batch: how many events are new, how many the log had, how many belong to a deleted one (I9)."""

    added: int
    folded: int
    deleted: int = 0


def clean(header: SessionHeader, drafts: Sequence[Draft], policy: Policy, now: str, nonce: str) -> Clean:
    """Redact everything that is going to be stored, and give each draft a time and a key.

    A draft without a key gets one from `nonce`, so that the same batch stored twice (after a kill) folds.
    """
    look_ahead((*header.as_dict().values(), *(draft.subject for draft in drafts), *(draft.body for draft in drafts)))
    told = {name: _clean_header(name, value, policy) for name, value in header.as_dict().items()}
    cleaned = tuple(_clean_draft(draft, policy, now, f"once:{nonce}:{at}") for at, draft in enumerate(drafts))
    return Clean(header=header.replace(**told), drafts=cleaned)


def _clean_header(name: str, value: str | None, policy: Policy) -> str | None:
    """A field of a header on one line; ids stay what they are, whatever else could hold a secret is redacted."""
    if value is None:
        return None
    line = scrub(value).replace("\0", " ")
    if name in IDS:
        return plain_id(line, policy)
    return (redact_text(line, policy) if name in SPOKEN else line)[:LINE_CHARS]


def plain_id(text: str, policy: Policy) -> str:
    """A host's id as it is, or a digest of one that no host gives: too long, with our own marks, or with a secret."""
    bare = text.replace("-", "").replace("_", "").replace(".", "")
    if len(text) <= ID_CHARS and bare.isascii() and bare.isalnum() and redact_text(text, policy) == text:
        return text
    return "x" + digest(text.encode()).hex()[:32]


def _clean_draft(draft: Draft, policy: Policy, now: str, key: str) -> Draft:
    subject = draft.subject
    if subject is not None:
        subject = redact_text(scrub(subject), policy).replace("\0", " ")[:LINE_CHARS]
    return draft.replace(
        body=_clean_body(draft.body, policy), subject=subject, time=min(draft.time or now, now), key=draft.key or key
    )


def _clean_body(body: dict[str, Any], policy: Policy) -> dict[str, Any]:
    """The body bounded and redacted; a plain id of the host's own is let through: it only looks like a token.

    Bounding comes first, so that redaction takes no longer than what is kept is worth.
    """
    body = _bounded(body)
    call_id = body.get("call_id")
    if not isinstance(call_id, str) or not _is_plain_id(call_id):
        whole: dict[str, Any] = redact_value(body, policy)
        return whole
    rest = redact_value({name: value for name, value in body.items() if name != "call_id"}, policy)
    return {**rest, "call_id": call_id}


def _is_plain_id(text: str) -> bool:
    kind, _, digits = text.partition("_")
    return kind in ("toolu", "call") and len(digits) == 24 and digits.isalnum()


def append(ctx: Context, batch: Clean) -> Captured:
    """Store what is new of a batch, in one transaction. Safe for any number of writers of one session (I1, I7)."""
    with ctx.store.transaction():
        return append_within(ctx, batch)


def append_within(ctx: Context, batch: Clean) -> Captured:
    """The same inside a transaction that the caller holds.

    What is new is asked under the session's lock: two writers of one batch then store it once, on both engines.
    """
    if not batch.drafts:
        return Captured(added=0, folded=0)
    named = _named(ctx, batch)
    place = sessions.lock(ctx.store, ctx.tenant, batch.header.session_id)
    if place is None and is_deleted(ctx, batch.header):
        return Captured(added=0, folded=0, deleted=len(batch.drafts))
    fresh = _fresh(ctx, named, place)
    if fresh and place is None:
        place = _begin(ctx, batch.header, fresh)
        if place[0]:  # another writer began the log while we waited for it
            fresh = _fresh(ctx, named, place)
    if fresh and place is not None:
        _write(ctx, batch.header, fresh, place)
    return Captured(added=len(fresh), folded=len(batch.drafts) - len(fresh))


def is_deleted(ctx: Context, header: SessionHeader) -> bool:
    """Whether the session, or the one whose subagent it is, was deleted and must not come back."""
    from segue.stores import tombstones  # a log begins once; its other events need not load this

    main = header.replace(agent_id=None).session_id
    for session_id in {header.session_id, main}:
        if tombstones.has(ctx.store, ctx.tenant, tombstones.target(ctx.store, ctx.tenant, session_id)):
            return True
    return False


def _named(ctx: Context, batch: Clean) -> list[tuple[Draft, bytes | None, bytes | None]]:
    """The drafts, each with the digest of its own key and of the key that makes it superfluous."""
    digest = chain.dedupe(meta.dedupe_key(ctx.store), batch.header.session_id)
    return [
        (
            draft,
            None if draft.key is None else digest(_key(draft, draft.key)),
            None if draft.unless is None else digest(draft.unless),
        )
        for draft in batch.drafts
    ]


def _key(draft: Draft, key: str) -> str:
    return key + "\0" + " ".join(str(draft.body.get("text", "")).split()) if draft.key_on_text else key


def _fresh(
    ctx: Context, named: Sequence[tuple[Draft, bytes | None, bytes | None]], place: tuple[int, bytes] | None
) -> list[tuple[Draft, bytes | None]]:
    """The drafts that the log does not have, with their dedupe digests; one that is empty need not be asked."""
    known: set[bytes] = set()
    if place is not None and place[0]:
        asked = {digest for _, own, stronger in named for digest in (own, stronger) if digest is not None}
        known = events.known(ctx.store, ctx.tenant, sorted(asked))
    fresh: list[tuple[Draft, bytes | None]] = []
    for draft, own, stronger in named:
        if own in known or stronger in known:
            continue
        if own is not None:
            known.add(own)
        fresh.append((draft, own))
    return fresh


def _header_values(
    ctx: Context, header: SessionHeader, fresh: Sequence[tuple[Draft, bytes | None]], now: str
) -> dict[str, Any]:
    times = [draft.time or now for draft, _ in fresh]
    return {
        **header.as_dict(),
        "tenant": ctx.tenant,
        "session_id": header.session_id,
        "parent_id": header.parent_id,
        "started_at": min(times),
        "last_event_at": max(times),
        "now": now,
    }


def clean_project(project: Project) -> Project:
    """The project as it is stored: its paths and remote hold no secret."""
    plain = Policy()
    root = None if project.root is None else redact_text(scrub(project.root), plain)
    identity, name = (redact_text(scrub(text), plain) for text in (project.identity, project.name))
    return project.replace(identity=identity, name=name, root=root)


def _begin(ctx: Context, header: SessionHeader, fresh: Sequence[tuple[Draft, bytes | None]]) -> tuple[int, bytes]:
    """Begin a log, unless another writer just did; its place, locked."""
    from segue.stores import projects  # a log begins once; its other events need not load this

    values = _header_values(ctx, header, fresh, ctx.now())
    projects.remember(ctx.store, ctx.tenant, clean_project(ctx.project), ctx.principal_id, values["now"])
    owner = {
        "project_id": ctx.project.project_id,
        "principal_id": ctx.principal_id,
        "visibility": ctx.settings.visibility,
        "head": chain.genesis(header.session_id),
        "seed_length": None,
    }
    sessions.add(ctx.store, {**values, **owner})
    place = sessions.lock(ctx.store, ctx.tenant, header.session_id)
    if place is None:
        raise AssertionError("a session that was just added is there")
    return place


def _write(
    ctx: Context, header: SessionHeader, fresh: Sequence[tuple[Draft, bytes | None]], place: tuple[int, bytes]
) -> None:
    now = ctx.now()
    seq, head = place
    salts = os.urandom(SALT_BYTES * len(fresh))
    rows = []
    for at, (draft, dedupe) in enumerate(fresh):
        salt = salts[at * SALT_BYTES : (at + 1) * SALT_BYTES]
        row = row_of(ctx.tenant, header.session_id, seq + at, head, draft, dedupe, salt, now)
        rows.append(row)
        head = row[events.CHAIN_AT]
    events.add(ctx.store, rows)
    drafts = [draft for draft, _ in fresh]
    if any(draft.replaces is not None or draft.cites for draft in drafts):
        from segue.sessionlog import placing  # no host's hook replaces anything

        placing.place(ctx.store, ctx.tenant, header.session_id, seq, drafts)
    after = {"next_seq": seq + len(fresh), "head": head}
    sessions.advance(ctx.store, {**_header_values(ctx, header, fresh, now), **after})


def row_of(
    tenant: str, session_id: str, seq: int, head: bytes, draft: Draft, dedupe: bytes | None, salt: bytes, now: str
) -> tuple[Any, ...]:
    """The event as it is stored, in the order of `events.ADDED`."""
    type_, origin, time, action, outcome = draft.type, draft.origin, draft.time or now, draft.action, draft.outcome
    subject = draft.subject
    body, size = bounded_json(draft.body)
    body_digest = chain.body_digest(salt, subject, body)
    fields = (type_, origin, time, now, action, outcome, str(size), *chain.place(draft.replaces, draft.cites))
    linked = chain.link(head, session_id, seq, fields, body_digest)
    surface = CURRENT if type_ in SURFACE_TYPES else LOG_ONLY
    return (
        tenant, session_id, seq, type_, surface, origin, time, now, action, outcome,
        dedupe, body_digest, linked, salt, size, subject, body,
    )  # fmt: skip


def bounded_json(body: dict[str, Any]) -> tuple[str, int]:
    """The body as JSON text within its limit (I18), and the bytes of it before this last cut."""
    text = scrub(dumps(body))
    size = len(text) if text.isascii() else len(text.encode())
    if len(text) > MAX_BODY_BYTES:
        text = dumps({"text": cut(text), "cut": True})
    return text, size


def _bounded(value: Any) -> Any:
    if isinstance(value, str):
        return cut(value)
    if isinstance(value, dict):
        return {name: _bounded(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_bounded(inner) for inner in value]
    return value


def cut(text: str) -> str:
    """Head and tail of an overlong text with a line that says how much is missing and what the whole was."""
    if len(text) <= HEAD_CHARS + TAIL_CHARS:
        return text
    head, tail = _before_break(text[:HEAD_CHARS]), _after_break(text[-TAIL_CHARS:])
    return f"{head}\n[… {len(text) - len(head) - len(tail)} characters left out …]\n{tail}"


def _before_break(text: str) -> str:
    """The text to its last line's end, or to its last blank: no cut may leave half of a secret unrecognised."""
    end = max(text.rfind("\n", len(text) - SEAM_CHARS), text.rfind(" ", len(text) - SEAM_CHARS))
    return text[:end] if end > 0 else text[: len(text) - SEAM_CHARS]


def _after_break(text: str) -> str:
    found = [at for at in (text.find("\n", 0, SEAM_CHARS), text.find(" ", 0, SEAM_CHARS)) if at >= 0]
    return text[min(found) + 1 :] if found else text[SEAM_CHARS:]
