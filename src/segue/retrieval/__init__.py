"""Finding events again. Never writes; never reads a store without a scope."""
