"""Promises of the homes of logs: what is kept, by which writer, and who may read it."""

from tests.promises import Promise

PROMISES = [
    Promise("HOME-1", "What a home keeps of a log is read back whole, by whom may see it.", "issue 3.3; PER-1; JSL-8"),
    Promise(
        "HOME-2",
        "A writer that does not know the log's end, or its surface, is refused.",
        "PER-10; PER-11; SQP-6; JSL-12; JSL-19; JSL-21",
    ),
    Promise("HOME-3", "A log has one writer among all processes; one that was killed holds nothing.", "GAP-48"),
    Promise(
        "HOME-4",
        "A log's file is there from its first event on, a line each, its owner's alone; its lines are never rewritten.",
        "issue 3.3; JSL-5; JSL-6; JSL-7; JSL-11",
    ),
    Promise("HOME-5", "A log's folder stands for one id and lies below the root.", "JSL-1; JSL-2; JSL-12; JSL-30"),
    Promise(
        "HOME-6",
        "Half a line at a log's end hides no whole one; the next writer takes it away, a reader never does.",
        "issue 3, must show; JSL-11; JSL-13; JSL-15; JSL-21; PER-8",
    ),
    Promise(
        "HOME-7",
        "Damage inside a log is told with its line, sets that log alone aside, and is left to a person.",
        "issue 3, must show; JSL-4; JSL-13; JSL-14; JSL-15; JSL-17",
    ),
    Promise("HOME-8", "A log of a newer form is named, with the advice to upgrade, and never touched.", "JSL-4"),
    Promise(
        "HOME-9",
        "A write that fails is told, and nothing of it stands in the way of the next.",
        "issue 3, must show; JSL-10; JSL-22",
    ),
    Promise(
        "HOME-10",
        "Whatever stands where logs are looked for, the look ends, with what is wrong or without it.",
        "JSL-3; JSL-9; JSL-17; JSL-18; JSL-20",
    ),
    Promise("HOME-11", "An event's line is read back as that event, to the letter.", "PER-1; JSL-8; JSL-14; JSL-23"),
    Promise(
        "HOME-12",
        "A log goes from home to home and back without a changed bit; again adds nothing, another log is left alone.",
        "issue 3.3; PER-1; JSL-8",
    ),
    Promise(
        "HOME-13",
        "Exports and imports of whole logs keep to this project, and a person may widen both to all of theirs.",
        "I11; issue 3.3",
    ),
]
