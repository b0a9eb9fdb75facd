"""Promises of live sessions: an agent in this process keeps its own history."""

from tests.promises import Promise

PROMISES = [
    Promise(
        "HIST-1", "The first event that waits opens a window of fixed length; later ones do not extend it.", "PER-72…76"
    ),
    Promise(
        "HIST-2", "A flush drains all that waits; a failed write keeps its batch in order and is told.", "PER-74…80"
    ),
    Promise(
        "HIST-3",
        "What waits is bounded: a full queue is written, or refuses where writing fails.",
        "GAP-49; I18",
    ),
    Promise(
        "HIST-4", "What was appended is read back the same by whoever opens the log later.", "PER-1, PER-13; SES-1"
    ),
    Promise(
        "HIST-5",
        "What is appended is a copy, redacted before it is kept anywhere.",
        "PER-17, PER-21; I5",
    ),
    Promise(
        "HIST-6", "What is no JSON, no known type or no valid place is refused, and nothing was added.", "PER-12; SES-3"
    ),
    Promise(
        "HIST-7",
        "A turn that ended with its process is closed once, by events that nothing else writes.",
        "PER-3…5; SES-11",
    ),
    Promise(
        "HIST-8",
        "A fork begins with its source's events, outside of a turn, and leaves the source alone.",
        "SES-8; PER-22",
    ),
    Promise(
        "HIST-9",
        "One writer at a time: a live session is neither resumed nor made again, here or elsewhere.",
        "PER-14; GAP-48",
    ),
    Promise(
        "HIST-10",
        "Looking at a session changes nothing, and shows of a live one what is not written yet.",
        "PER-51, PER-52",
    ),
    Promise(
        "HIST-11", "The messages are those of the surface, the same however the log was come to.", "SES-5…7; PER-18"
    ),
    Promise(
        "HIST-12",
        "A session is called by the first words asked, until a person gives it a title.",
        "SES-14",
    ),
    Promise(
        "HIST-13",
        "What a fork inherited is indexed once and found in the fork as in its source.",
        "GAP-37",
    ),
    Promise("HIST-14", "What is not written yet is found, once, before what is.", "IDX-3; dsh 3.1"),
]
