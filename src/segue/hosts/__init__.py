"""The hosts' dialects: live hooks, transcripts, installation. No host knows another."""
