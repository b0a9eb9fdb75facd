"""Nouns, one file each. Never does I/O, never imports a room."""
