"""Cross-session memory for coding agents. Owns the version and nothing else."""

__version__ = "0.1.0"
