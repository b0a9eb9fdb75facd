"""What search promises."""

from tests.promises import Promise

PROMISES = [
    Promise("SEA-1", "Any query returns without an error: no sign in it is syntax.", "user-pain H6…H23, corpus 1"),
    Promise("SEA-2", "Every substring of two or more characters of an unspaced script is found.", "user-pain H1, H2"),
    Promise("SEA-3", "Accents, case and width do not matter.", "user-pain H26"),
    Promise(
        "SEA-4",
        "Joined identifiers, paths and dates are found whole and by their parts.",
        "user-pain H11…H14; issue 2.7",
    ),
    Promise("SEA-5", "A sentence is found by the words it shares, ranked by how well they match.", "user-pain H24"),
    Promise("SEA-6", "A query of stop words only gives the most recent, and says so.", "user-pain H25"),
    Promise("SEA-7", "Prompts, answers, commands, outputs, errors, paths and to-dos are searchable.", "issue 2.7"),
    Promise("SEA-8", "A search across sessions gives the strongest event of each.", "issue 2.7; dsh 3.6"),
    Promise("SEA-9", "A search sees what was captured before it, without any other step.", "user-pain I2"),
    Promise(
        "SEA-10",
        "A project, a principal or a directory that is no project sees nothing of others.",
        "I3, I11; user-pain L8",
    ),
    Promise("SEA-11", "Hidden, deleted and nonexistent answer alike.", "I12"),
    Promise(
        "SEA-12",
        "An empty answer says whether the project is unknown, empty, or has no match, and where else.",
        "user-pain L4, L6",
    ),
    Promise("SEA-13", "Filters are inclusive, and wrong ones are refused with what would fit.", "dsh 3.2, 5.3"),
    Promise("SEA-14", "Dropping the derived tables and rebuilding gives the same answers.", "I1"),
    Promise("SEA-15", "A snippet shows the match on one line and never cuts a character.", "dsh 3.6; user-pain J10"),
    Promise("SEA-16", "Only the query planner makes match text: no other module says MATCH.", "user-pain H19"),
    Promise("SEA-17", "What was cut or skipped is said in the answer.", "I15"),
    Promise("SEA-18", "Any number of processes index at once, in bounded transactions, each event once.", "I18"),
    Promise("SEA-19", "A body that was dropped before its words were written is not indexed.", "I9"),
    Promise(
        "SEA-20",
        "Bounds in time are exact and inclusive: impossible dates, naive times and reversed bounds are refused, also"
        " those reversed within a millisecond.",
        "dsh 5.4; TIME-1…18",
    ),
]
