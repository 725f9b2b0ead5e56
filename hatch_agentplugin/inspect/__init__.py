"""Shows what is placed, and what is wrong with it."""
