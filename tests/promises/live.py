"""What the live runner promises to whoever believes its results."""

from tests.promises import Promise

SOURCE = "issue 2, must show: sessions in a real host"

PROMISES = [
    Promise(
        "LIVE-1", "There are at least ten scenarios, each a fair test: ten wanted items, five foreign ones.", SOURCE
    ),
    Promise("LIVE-2", "A scenario that is no fair test is refused, with the reason.", SOURCE),
    Promise("LIVE-3", "A brief's share is the part of the wanted items that it holds.", SOURCE),
    Promise(
        "LIVE-4",
        "Items are found whatever the case, Unicode form and blanks; parts of a line only on one line.",
        SOURCE,
    ),
    Promise(
        "LIVE-5",
        "A foreign item fails the run, in the brief that is looked at, any other brief, or a tool's result.",
        SOURCE,
    ),
    Promise("LIVE-6", "Only a frame that is new, alone, and in the turn's first request counts as its brief.", SOURCE),
    Promise(
        "LIVE-7", "A brief over its limit, repeated, or holding Segue's own blocks or calls fails the run.", SOURCE
    ),
    Promise("LIVE-8", "A brief where nothing is new fails the run.", SOURCE),
    Promise("LIVE-9", "The answer counts only where a tool of Segue's gave it.", SOURCE),
    Promise("LIVE-10", "A session whose first request does not name Segue's tools fails the run.", SOURCE),
    Promise("LIVE-11", "Wanted and foreign items that nobody said are a fault of the scenario.", SOURCE),
    Promise("LIVE-12", "Hooks that do not go the way that was asked for fail the run.", SOURCE),
    Promise(
        "LIVE-13", "The scripted model looks for a tool that is not loaded, once, and keeps the step for later.", SOURCE
    ),
    Promise("LIVE-14", "The scripted model says the same in a stream as in one piece.", SOURCE),
    Promise("LIVE-15", "The scripted model follows the event that a tool of Segue's named.", SOURCE),
    Promise("LIVE-16", "A request for a summary, or without tools, uses up no step.", SOURCE),
]
