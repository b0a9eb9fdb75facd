"""What Segue promises about networks."""

from tests.promises import Promise

PROMISES = [Promise("NET-1", "No door opens a network connection with a local store.", "I6; user-pain M4, E3")]
