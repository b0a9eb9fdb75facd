"""Derivation: what follows from events, by cursor, at least once, idempotent. Never changes an event (I1)."""
