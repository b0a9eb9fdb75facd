"""Logs that a program in this process writes: its agent's own history, live, resumed, forked and recovered."""
