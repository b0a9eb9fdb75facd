"""The door for programs in this process."""
