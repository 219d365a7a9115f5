"""The commands of `python -m bot`: run, play, and the host's tools."""
