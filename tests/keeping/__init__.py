"""What is deleted, put aside, held and kept for a while."""
