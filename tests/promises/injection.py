"""What the brief promises."""

from tests.promises import Promise

PROMISES = [
    Promise("BRF-1", "A new session is told what the last ones asked and answered, newest first.", "issue 2.8"),
    Promise("BRF-2", "What was left open is told: prompts without an answer, to-dos, failing checks.", "issue 2.8"),
    Promise("BRF-3", "Which files changed, and how, is told once per file; edits that failed are not.", "issue 2.8"),
    Promise("BRF-4", "Commands that build, test and check are told with how they ended last.", "issue 2.8"),
    Promise(
        "BRF-5", "A result is told only where the exit state is the check's own; else it is unknown.", "I13; issue 2.8"
    ),
    Promise("BRF-6", "The block with its frame stays within 1,000 tokens and 9,000 bytes.", "I8; user-pain C6, N1"),
    Promise("BRF-7", "Every item is recorded, shown or left out, with its reason and source.", "I8; issue 2.8"),
    Promise("BRF-8", "No text can leave the frame or spell its marks.", "I8; user-pain M10, corpus 5"),
    Promise("BRF-9", "After a compaction the session is told its own past.", "user-pain C17; issue 2.8"),
    Promise(
        "BRF-10",
        "On resume only what other sessions did meanwhile is told; nothing new, nothing said.",
        "user-pain C7, K6",
    ),
    Promise("BRF-11", "A brief names only tools that are registered, and asks for no action.", "user-pain C7, C20"),
    Promise("BRF-12", "The same log gives the same brief.", "I16"),
    Promise("BRF-13", "The brief is bounded at any volume.", "I18"),
    Promise(
        "BRF-14",
        "Segue's own blocks are taken out of what is recorded, again and again with the same result.",
        "I10; user-pain D8",
    ),
]
