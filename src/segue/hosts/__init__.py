"""The hosts' dialects: live hooks, transcripts, installation. No host knows another; none does I/O but its transcripts."""
