"""Keeping the store sound: checks with fixes, salvage. Never reads a host's payload."""
