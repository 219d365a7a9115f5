"""Everything in play, and who may move it."""
