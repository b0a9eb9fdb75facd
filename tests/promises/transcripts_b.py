"""What reading the transcripts of Codex and OpenCode promises."""

from tests.promises import Promise

PROMISES = [
    Promise("TRB-1", "Every record of a rollout is read once, and counted under the host's own name.", "user-pain R4"),
    Promise("TRB-2", "A rollout gives its prompts, answers, calls, results and summaries, each once.", "hosts 3"),
    Promise("TRB-3", "Reading a rollout is taken up after any record, with the same rest.", "issue 2; user-pain K"),
    Promise(
        "TRB-4", "A broken, unknown or cut-off line is counted, and the rest is read.", "user-pain R4, R6, corpus 3"
    ),
    Promise("TRB-5", "A rollout of an older release, which has events alone, gives its texts once.", "hosts 3"),
    Promise("TRB-6", "What a host puts before a model in the user's name is not a prompt.", "user-pain K4"),
    Promise("TRB-7", "A call counts as done only when the host says so.", "I13"),
    Promise("TRB-8", "Segue's own calls and blocks are not imported.", "I10; user-pain K4"),
    Promise("TRB-9", "A subagent's session hangs under the one that started it.", "hosts 3, 4"),
    Promise("TRB-10", "Transcripts are found where the host keeps them, and told from other files.", "hosts 3, 4"),
    Promise("TRB-11", "Every row of an OpenCode database is read once, and counted under its type.", "user-pain R4"),
    Promise("TRB-12", "A database gives its prompts, answers, calls, results and summaries, each once.", "hosts 4"),
    Promise("TRB-13", "Reading a database is taken up after any row, with the same rest.", "issue 2; user-pain K"),
    Promise("TRB-14", "A row that changed is read again, and no other.", "user-pain K"),
    Promise("TRB-15", "A table or column that a release does not have is named.", "issue 2, bad input"),
    Promise(
        "TRB-16",
        "A broken or unknown row is counted, a damaged database named, and the rest is read.",
        "user-pain R4, R6",
    ),
    Promise("TRB-17", "A to-do list that a model wrote is remembered as one.", "hosts 3, 4"),
]
