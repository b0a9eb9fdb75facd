"""What the house promises to whoever builds in it."""

from tests.promises import Promise

STYLE = "docs/architecture.md, how it is built"
ISSUE = "issue 2, the house"

PROMISES = [
    Promise("HOUSE-1", "Modules, functions, classes and packages stay small; what may be large says why.", STYLE),
    Promise("HOUSE-2", "Only the engine modules import a database driver, and SQL stands only under stores.", STYLE),
    Promise("HOUSE-3", "Files are opened with a named encoding or as bytes.", STYLE),
    Promise("HOUSE-4", "Only the system room starts processes.", STYLE),
    Promise("HOUSE-5", "Only doors print, and only doors and the composition root read the environment.", STYLE),
    Promise("HOUSE-6", "No error is swallowed without being named, except at the top of a door.", STYLE),
    Promise("HOUSE-7", "Every module says what it owns.", STYLE),
    Promise(
        "HOUSE-8",
        "The hook path loads no expensive module of the standard library.",
        "docs/decisions/0001-records-without-dataclasses.md",
    ),
    Promise("HOUSE-16", "A hook finds the modules that Python finds.", "docs/decisions/0009-a-hook-is-short.md"),
    Promise("HOUSE-9", "Every promise has one id, a sentence, a source and a test; every test keeps a promise.", STYLE),
    Promise("HOUSE-10", "Every change note is named after its kind of change and speaks to a user.", ISSUE),
    Promise("HOUSE-11", "The reference pages say what the code says.", ISSUE),
    Promise("HOUSE-12", "No file names a place on the machine it was written on, or holds unfinished business.", ISSUE),
    Promise("HOUSE-13", "One command runs every check on a fresh clone, and the README names it.", ISSUE),
    Promise("HOUSE-14", "Every error has a code of its own, a message and a hint.", STYLE),
    Promise("HOUSE-15", "Imports point down: the contracts on rooms name every room that exists.", STYLE),
]
