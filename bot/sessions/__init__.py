"""Everything in play, and who may act on it."""
