"""What the stores promise."""

from tests.promises import Promise

PROMISES = [
    Promise("STO-1", "The same statements give the same rows on SQLite and on PostgreSQL.", "I17"),
    Promise("STO-2", "A new store is at the newest schema, and its ledger names engine and checksum.", "issue 2.2"),
    Promise("STO-3", "A store of a newer Segue is refused and left as it is.", "issue 2.2"),
    Promise("STO-4", "A database of another program is refused and left as it is.", "issue 2.2"),
    Promise("STO-5", "A ledger whose checksum differs is refused and left as it is.", "issue 2.2"),
    Promise(
        "STO-6", "Eight processes that open an old store at once migrate it once.", "issue 2.2; user-pain G, corpus 8"
    ),
    Promise("STO-7", "An upgrade keeps a complete backup of the old store.", "issue 2.2; user-pain G"),
    Promise(
        "STO-8",
        "An older store is upgraded to the schema of a fresh one and finds what it holds.",
        "user-pain G2",
    ),
    Promise("STO-9", "A store works where sqlite3 cannot load extensions.", "issue 2.2; user-pain A1"),
    Promise("STO-10", "The store's file and folder are the owner's alone.", "dsh 2.6"),
    Promise("STO-11", "Both schemas have the same tables and columns, each column with a comment.", "style.md, SQL"),
    Promise("STO-12", "A store in a folder that cannot be made or written gives a clear error.", "issue 2, bad input"),
    Promise("STO-13", "A damaged file gives a clear error, not a crash.", "user-pain F16"),
    Promise("STO-14", "Text compares by code point on both engines, whatever the database's collation.", "I17"),
]
