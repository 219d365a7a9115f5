"""The commands of `python -m bot`: run, play, and what hosts type."""
