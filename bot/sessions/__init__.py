"""What is in play, and who may move it."""
