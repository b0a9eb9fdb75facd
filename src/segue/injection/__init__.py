"""What a session is shown: layers, budget, frame, and the record of it. Never decides what is true."""
