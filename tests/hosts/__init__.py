"""Recorded transcripts and payloads of hosts, shortened, and what is read from them."""
