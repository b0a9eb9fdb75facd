"""The door for programs in this process: an agent written in Python keeps its own history here."""

from segue.frameworks.history import History
from segue.sessionlog.live.session import LiveSession

__all__ = ["History", "LiveSession"]
