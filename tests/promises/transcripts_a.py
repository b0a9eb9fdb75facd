"""What reading transcripts of Claude Code and Gemini CLI promises."""

from tests.promises import Promise

PROMISES = [
    Promise(
        "TRA-1", "Every record of a transcript is accounted for, by type or by why it was skipped.", "user-pain R4"
    ),
    Promise("TRA-2", "Prompts, answers, calls, results and summaries are told, and nothing else is.", "hosts 2, 5"),
    Promise("TRA-3", "Reading again from where it ended gives nothing.", "user-pain K3, K8"),
    Promise("TRA-4", "Reading on from any entry gives exactly the entries after it.", "issue 2.6"),
    Promise("TRA-5", "A broken, unknown, cut or overlong record is counted and the rest is read.", "user-pain R4, R6"),
    Promise("TRA-6", "A line over 32 MiB is passed over in bounded memory.", "user-pain R3"),
    Promise("TRA-7", "What hooks told live has the same keys as what the transcript tells.", "issue 2.6; user-pain K1"),
    Promise(
        "TRA-8", "What the host, a hook or Segue wrote is not taken for the user's words.", "hosts 2; user-pain D8"
    ),
    Promise("TRA-9", "Calls of Segue's own tools are not told.", "I10; user-pain K4"),
    Promise("TRA-10", "A message that is written again, also in a second file, is told once.", "hosts 5"),
    Promise("TRA-11", "Success is told only where the host says so.", "I13"),
    Promise("TRA-12", "A session's header names its folder, model, start, title and subagent.", "issue 2.6"),
    Promise("TRA-13", "Transcripts are found below a home, and no other host's file is claimed.", "issue 2.6"),
    Promise("TRA-14", "What a reader remembers between records holds no words of the conversation.", "I5"),
]
