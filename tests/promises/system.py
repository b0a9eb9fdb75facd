"""What the system room promises."""

from tests.promises import Promise

ISSUE = "issue 2, bad input and portability"
SCOPE = "docs/architecture.md, project identity"

PROMISES = [
    Promise("SYS-1", "Home and data folder are found on Linux, macOS and Windows, and SEGUE_HOME moves them.", ISSUE),
    Promise("SYS-2", "Where the file system does not tell cases apart, a path has one spelling.", "reports, L3"),
    Promise("SYS-3", "A network file system is told from a local one.", "reports, F18"),
    Promise("SYS-4", "A project is its repository's remote, else its common git directory, else the directory.", SCOPE),
    Promise("SYS-5", "Home, root and folders for temporary files are no project.", "reports, L5"),
    Promise("SYS-6", "Worktrees, sub-folders, moved checkouts and clones are one project.", "reports, L2"),
    Promise("SYS-7", "Every way to write the address of a remote names one project, and none keeps a password.", SCOPE),
    Promise("SYS-8", "Broken, huge or hostile files of git raise nothing and hold nobody up.", ISSUE),
    Promise("SYS-9", "A file is replaced whole or not at all, and keeps its mode and its link.", ISSUE),
    Promise("SYS-10", "What cannot be read or written is said with its path and its reason.", ISSUE),
    Promise("SYS-11", "A lock admits one process at a time, and a killed holder frees it.", ISSUE),
    Promise("SYS-12", "A process that is run leaves nothing behind and cannot fill the memory.", "reports, D2"),
    Promise("SYS-14", "A hook whose launcher, interpreter or package is gone does nothing and ends with 0.", "I7"),
    Promise("SYS-15", "The launcher works in a home with spaces, quotes and any script.", "reports, J9"),
    Promise("SYS-16", "The launcher uses its own data folder unless the environment names another.", "reports, D6"),
]
