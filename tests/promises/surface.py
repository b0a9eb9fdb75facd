"""Promises of the surface: what the model sees of a log, what replaced what, and the messages of it."""

from tests.promises import Promise

PROMISES = [
    Promise(
        "SUR-1",
        "An event of a surface type stands at the end, or in the place of a range that is on the surface now.",
        "dsh 1.4; SES-5",
    ),
    Promise("SUR-2", "A place that cannot be taken is refused, and nothing has changed.", "dsh 1.4; SES-5"),
    Promise("SUR-3", "The surface that grows event by event is that of the whole log.", "dsh 1.4; SES-5"),
    Promise("SUR-4", "A replacement cites all that it shadows; what was shadowed stays and is traced.", "dsh 1.4"),
    Promise("SUR-5", "A tool's result replaces one tool's result, and changes its content alone.", "SES-6"),
    Promise(
        "SUR-6",
        "A replacement is stored with the log and marks what it shadows, in the log and in the index.",
        "dsh 1.4",
    ),
]
