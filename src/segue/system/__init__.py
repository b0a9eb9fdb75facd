"""The operating system: paths, files, locks, processes, launchers, git. Never knows what is stored."""
