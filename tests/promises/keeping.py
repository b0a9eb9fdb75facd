"""Promises of deleting and keeping: what goes is gone, does not come back, and is on record without its text."""

from tests.promises import Promise

PROMISES = [
    Promise(
        "KEEP-1", "What is deleted is in no byte of the store's folder, and no row or page.", "I9; GAP-8, GAP-9; R6.6"
    ),
    Promise(
        "KEEP-2",
        "A deleted session does not come back: not by hooks, imports, spool or rebuild.",
        "I9; GAP-10",
    ),
    Promise(
        "KEEP-3",
        "A deletion first shows exactly what goes, what stays and what is out of reach.",
        "R4.6; GAP-11",
    ),
    Promise(
        "KEEP-4",
        "The log of a partly deleted session verifies, and its other events are found.",
        "GAP-8; I1",
    ),
    Promise(
        "KEEP-5",
        "Deleted, hidden and nonexistent answer alike.",
        "I12; GAP-10",
    ),
    Promise(
        "KEEP-6", "Copies in forks and subagents go too, unless they are asked to stay; what stays is told.", "GAP-11"
    ),
    Promise(
        "KEEP-7",
        "Archive, restore, hold and release are acts of their own; an archived session is out of sight.",
        "GAP-14",
    ),
    Promise(
        "KEEP-8",
        "Retention lets go by age, number and size, never what is held or running, first shown.",
        "GAP-12; I18",
    ),
    Promise(
        "KEEP-9",
        "Each act is on record without what it was about; a changed record is found.",
        "GAP-20; R6.4",
    ),
    Promise(
        "KEEP-10",
        "A deletion that was killed or could not write is wholly done or wholly not, and done again.",
        "R13; I7",
    ),
    Promise(
        "KEEP-11",
        "No agent deletes, archives or holds.",
        "I14",
    ),
    Promise(
        "KEEP-12",
        "Deleting removes no file that Segue did not make, and nothing of another person's.",
        "I11; R6.7",
    ),
    Promise(
        "KEEP-13",
        "Acts of several processes at once are all done, one after the other, on one chain of records.",
        "I2; I17",
    ),
    Promise(
        "KEEP-14",
        "Nothing is let go without being asked, unless a setting says so: then once a day.",
        "GAP-12; I4",
    ),
]
