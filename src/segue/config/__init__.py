"""Settings: what can be set, what is set, and where it came from. Never reads the environment itself."""
