"""Claude Code's dialect."""
