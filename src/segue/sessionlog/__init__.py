"""The session log: capture, chain, verification, reading. Never derives anything from what it holds."""
