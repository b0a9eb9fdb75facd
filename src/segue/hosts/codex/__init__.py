"""Owns what is particular to Codex CLI. Never imports another host."""
