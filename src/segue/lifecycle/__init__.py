"""What Segue does at each moment of a host's session. Never knows which host it is."""
