"""What the held-out redaction corpus promises to whoever measures with it."""

from tests.promises import Promise

SOURCE = "issue 2, redaction: a held-out half of the corpus"

PROMISES = [
    Promise(
        "CORPUS-1", "The held-out half has at least 220 positives over 45 shapes, 30 of them provider tokens.", SOURCE
    ),
    Promise("CORPUS-2", "The held-out half has at least 1,200 lines that must stay.", SOURCE),
    Promise("CORPUS-3", "The held-out half is the same on every call.", SOURCE),
    Promise(
        "CORPUS-4", "Every secret of the held-out half occurs in its text and is long enough to be told apart.", SOURCE
    ),
    Promise("CORPUS-5", "No text, secret or line of the held-out half occurs twice.", SOURCE),
    Promise("CORPUS-6", "No secret of the held-out half is written down in a file.", SOURCE),
    Promise("CORPUS-7", "No line that must stay holds a public address, an e-mail or a private block.", SOURCE),
]
