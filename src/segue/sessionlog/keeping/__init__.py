"""What becomes of logs that are no longer wanted as they are: deleted, put aside, held, kept for a while."""
