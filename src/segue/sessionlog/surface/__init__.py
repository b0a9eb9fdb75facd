"""The surface of a log: which events make up the model's history, what replaced which, and the messages of it."""
