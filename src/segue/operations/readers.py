"""Owns who reads transcripts: this process, or several beside it, while this one alone writes. Never touches a store.

Reading and redacting take most of an import's time and need nothing of the store, so they are done on every core.
"""

from __future__ import annotations

import os
import queue
import threading
from collections import deque

from segue.errors import SegueError
from segue.model.record import Record
from segue.operations.transcripts import Job, Part, Reading, read
from segue.system.child import Child, Pipe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    #: a job with a part of it, or with its end
    Said = tuple[Job, "Part | Ended"]

#: bytes that are to be read from which on it pays to start processes, and most of these
WORTH_BYTES, MOST = 4_000_000, 4
#: what a process says once it can be asked
READY = "ready"
#: what a transcript can make of the code that reads it: it is named, and the others go on
UNREADABLE = (
    *(OSError, ValueError, SegueError),
    *(TypeError, AttributeError, LookupError, ArithmeticError, RecursionError, MemoryError),
)


class Ended(Record):
    """A transcript was read to its end, or as far as `error` says."""

    error: str | None = None


def how_many(jobs: Sequence[Job]) -> int:
    """Processes that should read these jobs; 0 where this one does it soon enough."""
    left = sum(job.source.size - min(job.position, job.source.size) for job in jobs)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST, len(jobs)) if left >= WORTH_BYTES and cores > 1 else 0


def parts(jobs: Sequence[Job], reading: Reading, processes: int) -> Generator[Said, None, None]:
    """The parts of all jobs, those of one in order, each job's end last."""
    left = deque(sorted(jobs, key=lambda job: -job.source.size) if processes else jobs)  # no long one may be the last
    if processes and left:
        yield from _Crew(left, reading, min(processes, len(left))).parts()
    while left:  # those that no other process could take
        job = left.popleft()
        yield from ((job, said) for said in _read_here(job, reading))


def _read_here(job: Job, reading: Reading) -> Iterator[Part | Ended]:
    try:
        yield from read(job, reading)
    except UNREADABLE as error:
        yield Ended(error=told(error))
    else:
        yield Ended()


def told(error: BaseException) -> str:
    """An error of reading in words, never in none."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, (SegueError, ValueError)) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}".removesuffix(": ")


class _Crew:
    """Processes that read, with a thread for each that passes on what it says. What none can take stays in `jobs`."""

    def __init__(self, jobs: deque[Job], reading: Reading, processes: int) -> None:
        self._jobs, self._reading = jobs, reading
        self._said: queue.Queue[Said | None] = queue.Queue(processes)
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._read, daemon=True) for _ in range(processes)]
        self._children: set[Child] = set()

    def parts(self) -> Generator[Said, None, None]:
        running = self._begin()
        try:
            while running:
                said = self._said.get()
                if said is None:
                    running -= 1
                else:
                    yield said
        finally:
            self._end()

    def _begin(self) -> int:
        """Start the threads, as many as the system gives; how many."""
        for at, thread in enumerate(self._threads):
            try:
                thread.start()
            except RuntimeError:
                return at
        return len(self._threads)

    def _end(self) -> None:
        self._stopped.set()
        while any(thread.is_alive() for thread in self._threads):
            for child in tuple(self._children):
                child.kill()  # a thread may wait for what it says
            try:
                self._said.get(timeout=0.05)  # a thread may wait to pass something on
            except queue.Empty:
                continue

    def _read(self) -> None:
        child = None
        try:
            while self._jobs and not self._stopped.is_set():
                child = child or self._start()
                if child is None:
                    break
                try:
                    job = self._jobs.popleft()
                except IndexError:
                    break
                self._said.put((job, self._read_one(child, job)))
                if child.is_broken:
                    self._stop(child)
                    child = None
        finally:
            if child:
                self._stop(child)
            self._said.put(None)

    def _start(self) -> Child | None:
        """A process that is ready to read; None where there can be none."""
        try:
            child = Child("segue.operations.readers", "serve")
        except OSError:
            return None
        self._children.add(child)
        child.say(self._reading)
        if not child.is_broken and child.hear() == READY:
            return child
        self._stop(child)
        return None

    def _stop(self, child: Child) -> None:
        child.stop()
        self._children.discard(child)

    def _read_one(self, child: Child, job: Job) -> Ended:
        child.say(job)
        while not self._stopped.is_set():
            said = None if child.is_broken else child.hear()
            if said is None:
                return Ended(error=f"the process that read it ended with {child.stop()}")
            if isinstance(said, Ended):
                return said
            self._said.put((job, said))
        return Ended(error="stopped")


def serve(parent: Pipe) -> None:
    """Say that it is ready, then read what the parent asks for, part by part, until it asks for no more or is gone."""
    reading = parent.hear()
    if parent.is_broken:
        return
    parent.say(READY)
    while (job := parent.hear()) is not None:
        for said in _read_here(job, reading):
            parent.say(said)
            if parent.is_broken:
                return
