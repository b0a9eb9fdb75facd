"""Owns what is particular to OpenCode. Never imports another host."""
