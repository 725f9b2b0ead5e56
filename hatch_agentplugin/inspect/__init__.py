"""Shows the placed hooks and their problems."""
