"""What a host's live dialect promises: payloads become moments, answers become the host's own words."""

from tests.promises import Promise

PROMISES = [
    Promise(
        "HST-1", "Every recorded payload of Claude Code gives the drafts that were agreed, and no others.", "hosts 2"
    ),
    Promise("HST-2", "A payload of any shape is a moment or a named error.", "user-pain corpus 2"),
    Promise(
        "HST-3",
        "The answer to each event is the host's own JSON in plain ASCII, or nothing; never a decision.",
        "user-pain C4…C8; hosts 2",
    ),
    Promise("HST-4", "What the same session told live and in its transcript is the same, word for word.", "issue 2.6"),
    Promise("HST-5", "Whose words an event holds is told: the user's, a model's, a tool's or the web's.", "I13, I14"),
    Promise("HST-6", "Segue's own tools and blocks are taken for nobody's words.", "I10; user-pain D8"),
    Promise("HST-7", "Images and files are remembered by type, size and digest, never by content.", "issue 2.3"),
    Promise("HST-8", "A hook that was lost is made good by the next one that tells the same.", "hosts 1.6; I7"),
    Promise("HST-9", "A live dialect loads nothing but the nouns it speaks of.", "issue 2, must show"),
    Promise("HST-10", "Hosts are rows of one table, and an unknown one is a named error.", "architecture 3"),
    Promise("HST-11", "A transcript can be read while its host writes it, and tells each thing once.", "issue 2.6"),
]
