"""Promises of projections: pure folds over a log, kept as of an event."""

from tests.promises import Promise

PROMISES = [
    Promise(
        "PROJ-1", "A state that was folded on is the state of the whole log, whatever was kept.", "PRJ-1, PRJ-10; I1"
    ),
    Promise(
        "PROJ-2",
        "What was kept by another version, of another log, or ahead of this one is not used.",
        "PRJ-6, PRJ-11; CHK",
    ),
    Promise("PROJ-3", "What was deleted from a log is in no state that is kept of it.", "I9; GAP-9"),
    Promise("PROJ-4", "A session shows what it did and what it left to do.", "dsh 1.10, 1.11"),
]
