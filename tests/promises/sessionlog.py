"""What the session log promises."""

from tests.promises import Promise

PROMISES = [
    Promise(
        "LOG-1",
        "Events are numbered from 0 without gaps, in the order in which they were stored.",
        "dsh 1.1; issue 2.3",
    ),
    Promise("LOG-2", "What live capture and import both saw is one event.", "issue 2.6; user-pain K1"),
    Promise("LOG-3", "A changed, lost, moved or added event is found by verification.", "issue 2.3"),
    Promise("LOG-4", "A body and its salt can be dropped and the chain still verifies.", "issue 2.3; I9"),
    Promise("LOG-5", "A broken session is quarantined and named; the others go on.", "issue 2.3"),
    Promise(
        "LOG-6",
        "Any number of processes write to one log: nothing is lost, doubled or out of the chain.",
        "user-pain F1, corpus 8",
    ),
    Promise("LOG-7", "What was acknowledged before a kill is there, and the store verifies.", "issue 2, must show"),
    Promise(
        "LOG-8",
        "An overlong text keeps head and tail and says what is missing; no cut halves a secret.",
        "I18; user-pain N5",
    ),
    Promise("LOG-9", "What cannot be stored waits in the spool and is stored once.", "architecture 2; I7"),
    Promise(
        "LOG-10",
        "A spooled file that cannot be read is set aside and counted; the rest is moved.",
        "issue 2, bad input",
    ),
    Promise("LOG-11", "A clock that goes backwards breaks neither order nor chain.", "issue 2, bad input"),
    Promise("LOG-12", "Text is redacted before it is stored or spooled.", "I5; issue 2.4"),
    Promise("LOG-13", "A subagent's log hangs under the session that started it.", "issue 2.6"),
    Promise("LOG-14", "A session that brought no event is not listed.", "dsh 2.1"),
    Promise(
        "LOG-15",
        "JSON text is read strictly and written canonically, the same with and without the C scanner.",
        "architecture 2",
    ),
    Promise(
        "LOG-16",
        "Instants are read with their zone only; impossible dates and naive times are refused.",
        "dsh 5.4, TIME-1…9; user-pain O4",
    ),
    Promise("LOG-17", "Records are frozen, compared by their fields, and refuse wrong fields.", "decision 0001"),
    Promise("LOG-18", "The bytes that the chain hashes stay what they are, so that every log keeps verifying.", "I1"),
]
