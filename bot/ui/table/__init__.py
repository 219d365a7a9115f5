"""The table of a channel: its board, plans, seal, and recap."""
