"""What the command line promises."""

from tests.promises import Promise

PROMISES = [
    Promise("CLI-1", "Every command takes --json and prints one object; its help shows an example.", "architecture 7"),
    Promise(
        "CLI-2",
        "An error says what happened, to what, and what to do; as JSON too; the exit code is 2.",
        "architecture 7",
    ),
    Promise("CLI-3", "`up` is idempotent, `down` restores every file byte for byte.", "issue 2.5"),
    Promise("CLI-4", "`up --dry-run`, `down --dry-run` and every --help change nothing.", "issue 2.5; user-pain A16"),
    Promise("CLI-5", "Where nothing is found, `up` says what it looked for and offers the demo.", "issue 2.1"),
    Promise("CLI-6", "`demo` shows recorded sessions and leaves nothing behind.", "issue 2.1"),
    Promise(
        "CLI-7", "`config` shows value, source and effect; unknown keys and wrong values are errors.", "issue 2.10; I4"
    ),
    Promise(
        "CLI-8", "`doctor` finds what is broken, each with a fix, and `--fix` mends it.", "issue 2.10; user-pain F16"
    ),
    Promise("CLI-9", "A damaged store is set aside, and every session that still reads is saved.", "user-pain F16"),
    Promise("CLI-10", "Importing twice adds nothing; live capture and import give one log.", "issue 2.6; user-pain K3"),
    Promise(
        "CLI-11", "A missing, half-removed or foreign installation is a silent no-op for the host.", "user-pain A9, A15"
    ),
    Promise("CLI-12", "A reader that leaves early is no error.", "style: people"),
    Promise("CLI-13", "A host's file that cannot be changed safely is left alone, with a clear error.", "issue 2.5"),
    Promise("CLI-14", "`why` shows for every item of a brief why it was shown or left out.", "issue 2.10"),
    Promise("CLI-15", "A session open during an upgrade goes on recording.", "issue 2, bad input"),
    Promise("CLI-16", "Two installations do not double a record.", "user-pain D6"),
    Promise(
        "CLI-17", "Every record of every host is counted, and a second import adds nothing.", "issue 2.6, must show"
    ),
    Promise(
        "CLI-18", "An import survives kills and hostile transcripts: what is sound is in the log, once.", "issue 2.6"
    ),
    Promise(
        "CLI-19",
        "Several processes that read make the same log; one that dies costs its transcript, and none stays behind.",
        "issue 2.6, must show",
    ),
    Promise(
        "CLI-20",
        "An import needs no other process, starts none in vain, and ends with an error where it cannot go on.",
        "issue 2.6",
    ),
    Promise(
        "CLI-21",
        "Words need no quotes to be a query, help is asked for as people do, and an event reads as text.",
        "issue 2.7, 2.10",
    ),
    Promise(
        "CLI-22",
        "An answer says what of the settings, the filters or the installation made it what it is.",
        "I15; issue 2.10",
    ),
    Promise(
        "CLI-23",
        "Nobody reading the progress or the error of a command does not change its work or its exit code.",
        "issue 2.6",
    ),
    Promise("CLI-24", "A host is found where its own variable says that it keeps its things.", "user-pain A"),
]
