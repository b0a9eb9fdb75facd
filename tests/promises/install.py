"""What installing into a host promises."""

from tests.promises import Promise

ISSUE = "issue 2, Claude Code live"

PROMISES = [
    Promise("INST-1", "Installing twice changes nothing the second time.", ISSUE),
    Promise("INST-2", "Taking back restores every file byte for byte.", ISSUE),
    Promise("INST-3", "What others changed since stays when Segue's entries are taken out.", ISSUE),
    Promise("INST-4", "What is not Segue's keeps its bytes: layout, numbers, order, line ends, BOM.", ISSUE),
    Promise("INST-5", "A file that cannot be changed safely is refused with the reason, and is left alone.", ISSUE),
    Promise("INST-6", "Entries of another installation are replaced, not doubled, and it is said.", "reports, D6"),
    Promise("INST-7", "Every event that carries something calls Segue, with a time limit.", ISSUE),
    Promise("INST-8", "Prompt, tool and stop hooks can call the running MCP server instead.", ISSUE),
    Promise("INST-9", "A setting that keeps hooks from running is named.", "reports, C11"),
]
