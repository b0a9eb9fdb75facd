"""The record of who changed what was kept: append-only, chained, without what it was about."""
