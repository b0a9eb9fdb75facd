"""The system room: paths, files, locks, processes, launchers, git."""
