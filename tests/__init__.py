"""The tests: promises kept, by noun."""
