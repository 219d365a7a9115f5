"""Dice that anyone can check: the protocol ``rollcall-fair/1``, transcripts, and statistics. See docs/fairness.md."""
