"""Owns what a run of something costs: wall time, CPU, memory; and what a row of such costs comes to."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Cost(NamedTuple):
    """One process, or one piece of work: milliseconds, and what it printed."""

    wall_ms: float
    cpu_ms: float
    output: bytes = b""


def child(words: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str], cwd: str) -> Cost:
    """Run a process to its end. Its input must fit into a pipe."""
    started = time.perf_counter()
    process = subprocess.Popen(words, env=env, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(stdin)
    process.stdin.close()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode:
        raise RuntimeError(f"{words[0]} ended with {process.returncode}")
    return Cost(wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000, output)


def work(function: Callable[[], Any]) -> Cost:
    """Run a function in this process; the processes that it starts and waits for count too."""
    wall, cpu = time.perf_counter(), _cpu_s()
    function()
    return Cost((time.perf_counter() - wall) * 1000, (_cpu_s() - cpu) * 1000)


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def interleaved(cases: Mapping[str, Callable[[int], Cost]], runs: int) -> dict[str, list[Cost]]:
    """Run every case once per round, so that a noisy moment hits all of them alike; a first round is not counted."""
    costs: dict[str, list[Cost]] = {name: [] for name in cases}
    for number in range(runs + 1):
        for name, case in cases.items():
            cost = case(number)
            if number:
                costs[name].append(cost)
    return costs


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]


def summary(costs: Sequence[Cost]) -> dict[str, float]:
    """Median and 90th percentile of wall time and CPU."""
    walls, cpus = [cost.wall_ms for cost in costs], [cost.cpu_ms for cost in costs]
    return {
        "wall_ms": round(percentile(walls, 0.5), 2),
        "wall_p90_ms": round(percentile(walls, 0.9), 2),
        "cpu_ms": round(percentile(cpus, 0.5), 2),
        "cpu_p90_ms": round(percentile(cpus, 0.9), 2),
    }


def ratio(value: float, base: float) -> float:
    """How many times the baseline."""
    return round(value / base, 2) if base else float("inf")
