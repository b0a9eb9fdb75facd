"""Promises of the homes of logs: what is kept, by which writer, and who may read it."""

from tests.promises import Promise

PROMISES = [
    Promise("HOME-1", "What a home keeps of a log is read back whole, by whom may see it.", "issue 3.3; PER-1"),
    Promise("HOME-2", "A writer that does not know the log's end, or its surface, is refused.", "PER-10; SQP-6"),
    Promise("HOME-3", "A log has one writer among all processes; one that was killed holds nothing.", "GAP-48"),
]
