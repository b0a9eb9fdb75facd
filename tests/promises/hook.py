"""What the hook door promises."""

from tests.promises import Promise

PROMISES = [
    Promise(
        "HOOK-1",
        "Every recorded payload of Claude Code is taken, and every event that carries something is in the log.",
        "issue 2.5",
    ),
    Promise(
        "HOOK-2",
        "A hook ends with 0 and says nothing wrong, whatever it is given or whatever is broken.",
        "I7; user-pain B5, corpus 2",
    ),
    Promise("HOOK-3", "The answer is the host's own JSON for that event, or nothing.", "user-pain C4…C8; hosts 2"),
    Promise("HOOK-4", "What a broken or locked store could not take waits in the spool.", "I7; architecture 2"),
    Promise("HOOK-5", "A hook whose standard input stays open still ends in time.", "user-pain corpus 2"),
    Promise(
        "HOOK-6", "A hook below Segue, in Segue's folder, or switched off records nothing.", "I10; user-pain D7, D10"
    ),
    Promise("HOOK-7", "What went wrong is noted, without the payload.", "user-pain B5; I5"),
    Promise("HOOK-8", "Parallel hooks of one message are all recorded.", "hosts 1.6; issue 2.5"),
    Promise("HOOK-9", "Segue's own tools and blocks are not recorded.", "I10"),
    Promise("HOOK-10", "A full disk or a read-only home costs the record, never the host.", "issue 2, bad input"),
    Promise(
        "HOOK-13",
        "A hook's process ends at once, with its record committed and its answer written.",
        "issue 2, hook cost",
    ),
    Promise(
        "HOOK-14",
        "A hook of an installed Segue redacts without loading `re`; patterns that cannot be used only make it slower.",
        "issue 2, hook cost",
    ),
    Promise("HOOK-12", "With a PostgreSQL store a hook spools, and the next brief reads both.", "architecture 2"),
    Promise("HOOK-11", "A session start gives the brief, records it, and names it in the log.", "I8"),
    Promise(
        "HOOK-15",
        "What a hook with much to redact leaves in the spool is in the log before what the next hook brings.",
        "issue 2, must show",
    ),
    Promise(
        "HOOK-16",
        "Only the start of a session upgrades an older store; other hooks spool what they record until then.",
        "issue 2, bad input",
    ),
    Promise(
        "HOOK-17",
        "Settings that cannot be used stop the record, and the next session is told so, framed, with what to do.",
        "I15; issue 2, bad input",
    ),
]
