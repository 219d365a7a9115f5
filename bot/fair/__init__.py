"""Verifiable dice: the protocol ``rollcall-fair/2``, transcripts, and statistics. See docs/fairness.md."""
