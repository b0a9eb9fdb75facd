"""Owns importing transcripts: streaming, repeatable, resumable, counted. Never parses a format."""

from __future__ import annotations

import os
from contextlib import closing

from segue.errors import UsageError
from segue.hosts.registry import HOSTS
from segue.model.operation import FLAG, NUMBER, TEXTS, Operation, Param
from segue.model.transcript import Source
from segue.operations import logs
from segue.operations.readers import Ended, how_many, parts, told
from segue.operations.render import counted, table
from segue.operations.transcripts import Reading, left_to_read, name_of, store
from segue.projectors.derive import derive
from segue.stores import imports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from segue.ctx import Context
    from segue.hosts.registry import Host
    from segue.operations.transcripts import Job, Part

#: new events after which the index is brought up to the log, so that it has not all to be done at the end
INDEX_EVERY = 2000


class Tally:
    """What became of one transcript."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.added = self.folded = self.deleted = self.read = 0
        self.counts: dict[str, int] = {}
        self.error: str | None = None


def find(hosts: tuple[Host, ...], folders: Mapping[str, str], paths: tuple[str, ...]) -> list[tuple[Host, Source]]:
    """The transcripts to import: all that the hosts keep in their folders, or those named (files and folders)."""
    if not paths:
        return [
            (host, source) for host in hosts if host.name in folders for source in host.discover(folders[host.name])
        ]
    return [found for path in paths for found in _named(hosts, path)]


def _named(hosts: tuple[Host, ...], path: str) -> Iterator[tuple[Host, Source]]:
    if not os.path.exists(path):
        raise UsageError(f"{path} does not exist")
    files = [path]
    if os.path.isdir(path):
        files = sorted(os.path.join(root, name) for root, _, names in os.walk(path) for name in names)
    claimed = False
    for file in filter(os.path.isfile, files):  # a pipe would be waited for
        host = next((host for host in hosts if host.claims(file)), None)
        if host is not None:
            claimed = True
            yield host, Source(host=host.name, path=os.path.abspath(file), size=_size(file))
    if not claimed:
        raise UsageError(
            f"{path}: no transcript of a known host", hint=f"Known hosts: {', '.join(h.name for h in hosts)}."
        )


def _size(file: str) -> int:
    try:
        return os.path.getsize(file)
    except OSError:
        return 0  # it vanished: whoever opens it tells so


def run_import(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Import everything found, and index it. One transcript that fails is named; the others go on."""
    paths = tuple(request.get("paths") or ())
    kept = tuple(path for path in paths if logs.is_home(path))
    named = tuple(path for path in paths if path not in kept)
    found = find(HOSTS, ctx.folders, named) if named or not kept else []
    tallies = {source.path: Tally(source) for _, source in found}  # one for each, however often it was named
    jobs = []
    for source in [tally.source for tally in tallies.values()]:
        if request.get("again"):
            imports.forget(ctx.store, ctx.tenant, name_of(source))
        try:
            job = left_to_read(ctx, source)
        except OSError as error:
            tallies[source.path].error = told(error)
        else:
            tallies[source.path].counts = job.counts  # of what was read before
            jobs.append(job)
    processes = request.get("processes")
    indexed = _take_in(ctx, jobs, tallies, how_many(jobs) if processes is None else processes)
    taken = [logs.take_in(ctx, folder, everything=bool(request.get("all"))) for folder in kept]
    derived = derive(ctx, ctx.spool_dir, progress=lambda at, all_: ctx.report("indexing", at, all_))
    return {**_data(list(tallies.values()), indexed + derived.indexed), "logs": taken}


def _take_in(ctx: Context, jobs: list[Job], tallies: dict[str, Tally], processes: int) -> int:
    """Store what the readers say, and index it on the way; how many events were indexed."""
    total = sum(job.source.size for job in jobs)
    done = indexed = waiting = 0
    reading = Reading(home=ctx.home, settings=ctx.settings, now=ctx.now, nonce=ctx.nonce)
    with closing(parts(jobs, reading, processes)) as told_parts:  # no reader may outlive what goes wrong here
        for job, said in told_parts:
            tally = tallies[job.source.path]
            done -= tally.read
            if isinstance(said, Ended):
                tally.error = tally.error or said.error
                tally.read = tally.source.size
            elif tally.error is None:
                waiting += _take(ctx, job, said, tally)
            done += tally.read
            ctx.report("importing", done, total)
            if waiting >= INDEX_EVERY:
                indexed += derive(ctx, ctx.spool_dir, limit=waiting).indexed
                waiting = 0
    return indexed


def _take(ctx: Context, job: Job, part: Part, tally: Tally) -> int:
    """Store a part; how many events are new. What cannot be stored ends the transcript, and is named."""
    try:
        captured = store(ctx, job, part)
    except ValueError as error:
        tally.error = str(error)
        return 0
    tally.added, tally.folded = tally.added + captured.added, tally.folded + captured.folded
    tally.deleted += captured.deleted
    tally.counts, tally.read = part.counts, min(part.position, tally.source.size)
    return captured.added


def _data(tallies: list[Tally], indexed: int) -> dict[str, Any]:
    hosts: dict[str, dict[str, Any]] = {}
    for tally in tallies:
        row = hosts.setdefault(
            tally.source.host, {"transcripts": 0, "added": 0, "known": 0, "deleted": 0, "records": {}, "errors": []}
        )
        row["transcripts"] += 1
        row["added"] += tally.added
        row["known"] += tally.folded
        row["deleted"] += tally.deleted
        for name, number in tally.counts.items():
            row["records"][name] = row["records"].get(name, 0) + number
        if tally.error:
            row["errors"].append(f"{tally.source.path}: {tally.error}")
    return {"hosts": hosts, "indexed": indexed}


def text_import(data: dict[str, Any]) -> str:
    """Per host: transcripts, new events, and what was skipped and why."""
    if not data["hosts"] and not data["logs"]:
        return "No transcript was found where the hosts keep them (segue up tells where)."
    lines = []
    for name, row in data["hosts"].items():
        lines.append(
            f"{name}: {counted(row['transcripts'], 'transcript')}, {counted(row['added'], 'new event')},"
            f" {row['known']} known before" + (f", {row['deleted']} of deleted sessions" if row["deleted"] else "")
        )
        skipped = [
            (key.removeprefix("skipped: "), str(n))
            for key, n in sorted(row["records"].items())
            if key.startswith("skipped: ")
        ]
        lines += [table([(f"skipped, {reason}", number) for reason, number in skipped], "  ")] if skipped else []
        lines += [f"  could not be read: {error}" for error in row["errors"]]
    lines += [logs.text_taken(taken) for taken in data["logs"]]
    return "\n".join(lines)


IMPORT = Operation(
    name="import",
    help="bring existing transcripts into the log; again and again adds nothing twice",
    example="segue import ~/.claude/projects",
    params=(
        Param(
            name="paths",
            kind=TEXTS,
            help=("files or folders, also one that `segue export` filled; by default what the known hosts keep"),
            positional=True,
        ),
        Param(
            name="processes",
            kind=NUMBER,
            help="how many read beside this one; by default one a core, four at most, if there is much",
            high=64,
            person_only=True,
        ),
        Param(
            name="all",
            kind=FLAG,
            help="of a folder that `segue export` filled take the logs of all projects, each into its own and as widely"
            " visible as it was",
            person_only=True,
        ),
        Param(name="again", kind=FLAG, help="read every transcript from its beginning", person_only=True),
    ),
    run=run_import,
    text=text_import,
)
