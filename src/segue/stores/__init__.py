"""The only SQL. Never decides; never leaves a transaction open when it returns."""
