"""Owns who reads transcripts: this process, or several beside it, while this one alone writes. Never touches a store.

Reading and redacting take most of an import's time and need nothing of the store, so they are done on every core.
"""

from __future__ import annotations

import os
import queue
import threading
from collections import deque

from segue.model.record import Record
from segue.operations.transcripts import Job, Part, Reading, read
from segue.system.child import Child, Pipe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    #: a job with a part of it, or with its end
    Said = tuple[Job, "Part | Ended"]

#: bytes that are to be read from which on it pays to start processes, and most of these
WORTH_BYTES, MOST = 4_000_000, 4


class Ended(Record):
    """A transcript was read to its end, or as far as `error` says."""

    error: str | None = None


def how_many(jobs: Sequence[Job]) -> int:
    """Processes that should read these jobs; 0 where this one does it soon enough."""
    left = sum(job.source.size - min(job.position, job.source.size) for job in jobs)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST, len(jobs)) if left >= WORTH_BYTES and cores > 1 else 0


def parts(jobs: Sequence[Job], reading: Reading, processes: int) -> Iterator[Said]:
    """The parts of all jobs, those of one in order, each job's end last."""
    if processes:
        yield from _Crew(jobs, reading, processes).parts()
        return
    for job in jobs:
        try:
            for part in read(job, reading):
                yield job, part
            yield job, Ended()
        except (OSError, ValueError) as error:
            yield job, Ended(error=told(error))


def told(error: BaseException) -> str:
    """An error of reading in words."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


class _Crew:
    """Processes that read, with a thread for each that passes on what it says."""

    def __init__(self, jobs: Sequence[Job], reading: Reading, processes: int) -> None:
        self._jobs = deque(sorted(jobs, key=lambda job: -job.source.size))  # no long one may be left to the end
        self._reading = reading
        self._said: queue.Queue[Said | None] = queue.Queue(processes)
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._read, daemon=True) for _ in range(processes)]

    def parts(self) -> Iterator[Said]:
        for thread in self._threads:
            thread.start()
        ended = 0
        try:
            while ended < len(self._threads):
                said = self._said.get()
                if said is None:
                    ended += 1
                else:
                    yield said
        finally:
            self._stopped.set()
            while any(thread.is_alive() for thread in self._threads):
                try:
                    self._said.get(timeout=0.05)  # a thread may wait to pass something on
                except queue.Empty:
                    continue

    def _read(self) -> None:
        child = self._start()
        while not self._stopped.is_set():
            try:
                job = self._jobs.popleft()
            except IndexError:
                break
            self._said.put((job, self._read_one(child, job)))
            if child.is_broken:
                child.stop()
                child = self._start()
        child.stop()
        self._said.put(None)

    def _start(self) -> Child:
        child = Child("segue.operations.readers", "serve")
        child.say(self._reading)
        return child

    def _read_one(self, child: Child, job: Job) -> Ended:
        child.say(job)
        while not self._stopped.is_set():
            said = child.hear()
            if said is None:
                return Ended(error=f"the process that read it ended with {child.stop()}")
            if isinstance(said, Ended):
                return said
            self._said.put((job, said))
        return Ended(error="stopped")


def serve(parent: Pipe) -> None:
    """Read what the parent asks for, part by part, until it asks for no more or is gone."""
    reading = parent.hear()
    while (job := parent.hear()) is not None:
        for _, said in parts([job], reading, 0):
            parent.say(said)
            if parent.is_broken:
                return
