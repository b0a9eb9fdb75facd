"""What is folded from a log: its open to-dos, its counts. Pure folds with versions, kept as of an event."""
