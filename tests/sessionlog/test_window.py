"""When what a program appends is written: the window, its batches, its failures."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from segue.errors import QueueFull, SegueError, StoreLocked
from segue.model.entry import Entry
from segue.sessionlog.live.window import Window
from segue.sessionlog.live.writer import Writer
from tests.sessionlog.logs import entries, log

MADE = entries(log(), 40)


def batches(times: list[int], writing_ms: int = 0) -> list[tuple[int, int]]:
    """When batches begin and how many events each has, by a clock of milliseconds; events come at `times`."""
    window, found, busy_until = Window(200, 1000), [], 0
    for now in range(2000):
        if window.in_flight and now >= busy_until:
            window.done()
        for _ in range(times.count(now)):
            window.add(MADE[0], now)
        if window.is_due(now):
            found.append((now, len(window.take())))
            busy_until = now + writing_ms
    return found


@pytest.mark.promise("HIST-1")
def test_twenty_events_ten_milliseconds_apart_make_one_batch() -> None:
    assert batches([10 * at for at in range(20)]) == [(200, 20)]


@pytest.mark.promise("HIST-1")
def test_the_first_event_opens_the_window_and_later_ones_do_not_extend_it() -> None:
    assert batches([0, 190, 210]) == [(200, 2), (410, 1)]


@pytest.mark.promise("HIST-1")
def test_what_comes_while_a_batch_is_written_has_a_window_of_its_own() -> None:
    assert batches([0, 250], writing_ms=500) == [(200, 1), (700, 1)]  # its time passed: at once
    assert batches([0, 250], writing_ms=100) == [(200, 1), (450, 1)]  # it did not: when it does


@pytest.mark.promise("HIST-2")
def test_after_a_failure_nothing_is_tried_by_itself_and_the_order_stays() -> None:
    window = Window(0.2, 1000)
    window.add(MADE[0], 0.0)
    window.take()
    window.add(MADE[1], 0.1)
    window.failed()
    assert window.waiting == [MADE[0], MADE[1]]
    assert not window.is_due(9.0)
    window.add(MADE[2], 9.0)
    assert window.is_due(9.2)
    assert window.take() == [MADE[0], MADE[1], MADE[2]]


class Target:
    """What a writer writes to: it can be made to fail, and to take its time."""

    def __init__(self) -> None:
        self.written: list[int] = []
        self.batches = 0
        self.failing = False
        self.told: list[SegueError] = []
        self.wrote = threading.Event()
        self.tried = threading.Event()
        self.may_go = threading.Event()
        self.may_go.set()
        self.reported = threading.Event()

    def report(self, error: SegueError) -> None:
        self.told.append(error)
        self.reported.set()

    def write(self, batch: Sequence[Entry]) -> None:
        self.tried.set()
        assert self.may_go.wait(30)
        if self.failing:
            raise StoreLocked("made to fail")
        self.written += [entry.seq for entry in batch]
        self.batches += 1
        self.wrote.set()


@pytest.mark.promise("HIST-1")
def test_a_batch_is_written_without_anybody_asking() -> None:
    target = Target()
    writer = Writer(target.write, target.told.append, window_s=0.01)
    writer.put(MADE[0])
    assert target.wrote.wait(30)
    assert writer.stop() == 0
    assert (target.written, writer.pending(), target.told) == ([0], [], [])


@pytest.mark.promise("HIST-2")
def test_a_flush_writes_at_once_whatever_waits_and_several_at_a_time_write_it_once() -> None:
    target = Target()
    writer = Writer(target.write, target.told.append, window_s=1000)
    for entry in MADE:
        writer.put(entry)
    flushes = [threading.Thread(target=writer.flush) for _ in range(4)]
    for flush in flushes:
        flush.start()
    for flush in flushes:
        flush.join()
    assert target.written == list(range(40))
    assert target.batches == 1
    writer.flush()
    assert target.batches == 1
    writer.stop()


@pytest.mark.promise("HIST-2")
def test_a_flush_drains_what_is_appended_while_it_writes() -> None:
    target = Target()
    target.may_go.clear()
    writer = Writer(target.write, target.told.append, window_s=1000)
    writer.put(MADE[0])
    flush = threading.Thread(target=writer.flush)
    flush.start()
    assert target.tried.wait(30)
    writer.put(MADE[1])
    target.may_go.set()
    flush.join()
    assert target.written == [0, 1]
    assert target.batches == 2
    writer.stop()


@pytest.mark.promise("HIST-2")
def test_a_failure_in_the_background_is_told_once_keeps_the_batch_and_a_flush_tries_again() -> None:
    target = Target()
    target.failing = True
    writer = Writer(target.write, target.report, window_s=0.01)
    writer.put(MADE[0])
    assert target.reported.wait(30)
    with pytest.raises(StoreLocked):
        writer.flush()
    assert [entry.seq for entry in writer.pending()] == [0]
    target.failing = False
    writer.put(MADE[1])
    writer.flush()
    assert target.written == [0, 1]
    assert len(target.told) == 1
    assert writer.failure is None
    writer.stop()


@pytest.mark.promise("HIST-3")
def test_the_queue_has_a_limit_that_writing_frees_and_a_failing_store_does_not() -> None:
    target = Target()
    writer = Writer(target.write, target.told.append, window_s=1000, limit=3)
    for entry in MADE[:7]:
        writer.put(entry)
    assert target.written == [0, 1, 2, 3, 4, 5]  # the control: a full queue is written
    target.failing = True
    writer.put(MADE[7])
    writer.put(MADE[8])
    with pytest.raises(QueueFull):
        writer.put(MADE[9])
    target.failing = False
    writer.flush()
    assert target.written == list(range(9))
    writer.stop()
