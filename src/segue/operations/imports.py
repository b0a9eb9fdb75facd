"""Owns importing transcripts: streaming, repeatable, resumable, counted. Never parses a format."""

from __future__ import annotations

import os

from segue.errors import UsageError
from segue.hosts.registry import HOSTS
from segue.model.operation import FLAG, TEXTS, Operation, Param
from segue.model.record import Record
from segue.model.transcript import Source
from segue.operations.render import table
from segue.projectors.derive import derive
from segue.sessionlog.capture import append_within, clean
from segue.sessionlog.place import identify, policy_for
from segue.stores import imports
from segue.stores.open import foreign_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from segue.ctx import Context
    from segue.hosts.registry import Host
    from segue.model.event import Draft
    from segue.model.session import SessionHeader
    from segue.model.transcript import Entry
    from segue.sessionlog.capture import Clean

#: entries per transaction, and the bytes after which one is closed early
BATCH, BATCH_BYTES = 200, 4_000_000


class Tally(Record):
    """What became of one transcript."""

    source: Source
    added: int
    folded: int
    counts: dict[str, int]
    error: str | None = None


def import_source(ctx: Context, host: Host, source: Source, progress: Callable[[int], None] | None = None) -> Tally:
    """Read one transcript on from where the last import stopped. A kill loses at most the open transaction's work."""
    position, state, counts = imports.position(ctx.store, ctx.tenant, source.path)
    if host.by_bytes and position > source.size:  # shorter than before: it was written anew
        position, state, counts = 0, {}, {}
    added = folded = 0
    owners = _Owners(ctx)
    for batch in _batches(host.read(source.path, position, state, foreign_rows)):
        cleaned = [owners.clean(header, drafts) for header, drafts in _by_session(batch, counts)]
        last = batch[-1]
        with ctx.store.transaction():  # redaction is done by now: a live hook waits for the rows alone
            for owner, clean_batch in cleaned:
                captured = append_within(owner, clean_batch)
                added, folded = added + captured.added, folded + captured.folded
            imports.move(ctx.store, ctx.tenant, source.path, source.host, last.position, last.state, counts, ctx.now())
        if progress:
            progress(last.position)
    return Tally(source=source, added=added, folded=folded, counts=counts)


def _batches(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    batch: list[Entry] = []
    start = None
    for entry in entries:
        start = entry.position if start is None else start
        batch.append(entry)
        if len(batch) >= BATCH or entry.position - start > BATCH_BYTES:
            yield batch
            batch, start = [], None
    if batch:
        yield batch


def _by_session(batch: list[Entry], counts: dict[str, int]) -> list[tuple[SessionHeader, list[Draft]]]:
    """The drafts of consecutive entries of one session together, and every entry counted."""
    groups: list[tuple[SessionHeader, list[Draft]]] = []
    for entry in batch:
        skipped = entry.skipped or ("no-session" if entry.drafts and entry.header is None else None)
        name = f"skipped: {skipped}" if skipped else entry.kind
        counts[name] = 1 if skipped == "cut-off" else counts.get(name, 0) + 1  # it is read again until it is whole
        if not entry.drafts or entry.header is None:
            continue
        if groups and groups[-1][0].session_id == entry.header.session_id:
            groups[-1] = (entry.header, groups[-1][1])
        else:
            groups.append((entry.header, []))
        groups[-1][1].extend(entry.drafts)
    return groups


class _Owners:
    """Whose each session is, by the directory it ran in, looked up once for each."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._known: dict[str | None, Context] = {}

    def clean(self, header: SessionHeader, drafts: list[Draft]) -> tuple[Context, Clean]:
        """The context of the session's own project, and its drafts redacted as that project's."""
        owner = self._known.get(header.cwd)
        if owner is None:  # a session whose directory nobody told belongs to no project
            project = identify(header.cwd, self._ctx.home, self._ctx.settings)
            policy = policy_for(project, header.cwd, self._ctx.home)
            owner = self._known[header.cwd] = self._ctx.replace(project=project, policy=policy)
        return owner, clean(header, drafts, owner.policy, owner.now(), owner.nonce())


def find(hosts: tuple[Host, ...], home: str | None, paths: tuple[str, ...]) -> list[tuple[Host, Source]]:
    """The transcripts to import: all that the hosts keep at home, or those named (files and folders)."""
    if not paths:
        return [(host, source) for host in hosts for source in (host.discover(home) if home else ())]
    return [found for path in paths for found in _named(hosts, path)]


def _named(hosts: tuple[Host, ...], path: str) -> Iterator[tuple[Host, Source]]:
    if not os.path.exists(path):
        raise UsageError(f"{path} does not exist")
    files = [path]
    if os.path.isdir(path):
        files = sorted(os.path.join(root, name) for root, _, names in os.walk(path) for name in names)
    claimed = False
    for file in files:
        host = next((host for host in hosts if host.claims(file)), None)
        if host is not None:
            claimed = True
            yield host, Source(host=host.name, path=os.path.abspath(file), size=os.path.getsize(file))
    if not claimed:
        raise UsageError(
            f"{path}: no transcript of a known host", hint=f"Known hosts: {', '.join(h.name for h in hosts)}."
        )


def run_import(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Import everything found, then index it. One transcript that fails is named; the others go on."""
    found = find(HOSTS, ctx.home, tuple(request.get("paths") or ()))
    total = sum(source.size for _, source in found)
    done = 0
    tallies = []
    for host, source in found:
        if request.get("again"):
            imports.forget(ctx.store, ctx.tenant, source.path)
        tallies.append(_try_import(ctx, host, source, done, total))
        done += source.size
    derived = derive(ctx, ctx.spool_dir, progress=lambda at, all_: ctx.report("indexing", at, all_))
    return _data(tallies, derived.indexed)


def _try_import(ctx: Context, host: Host, source: Source, base: int, total: int) -> Tally:
    ctx.report("importing", base, total)
    try:
        return import_source(ctx, host, source, lambda at: ctx.report("importing", base + at, total))
    except (OSError, ValueError) as error:
        text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Tally(source=source, added=0, folded=0, counts={}, error=text)


def _data(tallies: list[Tally], indexed: int) -> dict[str, Any]:
    hosts: dict[str, dict[str, Any]] = {}
    for tally in tallies:
        row = hosts.setdefault(
            tally.source.host, {"transcripts": 0, "added": 0, "known": 0, "records": {}, "errors": []}
        )
        row["transcripts"] += 1
        row["added"] += tally.added
        row["known"] += tally.folded
        for name, number in tally.counts.items():
            row["records"][name] = row["records"].get(name, 0) + number
        if tally.error:
            row["errors"].append(f"{tally.source.path}: {tally.error}")
    return {"hosts": hosts, "indexed": indexed}


def text_import(data: dict[str, Any]) -> str:
    """Per host: transcripts, new events, and what was skipped and why."""
    if not data["hosts"]:
        return "No transcript was found where the hosts keep them (segue up tells where)."
    lines = []
    for name, row in data["hosts"].items():
        lines.append(f"{name}: {row['transcripts']} transcripts, {row['added']} new events, {row['known']} told before")
        skipped = [
            (key.removeprefix("skipped: "), str(n))
            for key, n in sorted(row["records"].items())
            if key.startswith("skipped: ")
        ]
        lines += [table([(f"skipped, {reason}", number) for reason, number in skipped], "  ")] if skipped else []
        lines += [f"  could not be read: {error}" for error in row["errors"]]
    return "\n".join(lines)


IMPORT = Operation(
    name="import",
    help="bring existing transcripts into the log; again and again adds nothing twice",
    example="segue import ~/.claude/projects",
    params=(
        Param(name="paths", kind=TEXTS, help="files or folders; by default what the known hosts keep", positional=True),
        Param(name="again", kind=FLAG, help="read every transcript from its beginning", person_only=True),
    ),
    run=run_import,
    text=text_import,
)
