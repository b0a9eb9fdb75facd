"""Where whole logs are kept: in the store, or in files that a person can read. Both keep the same entries."""
