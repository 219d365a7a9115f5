"""The table of a channel: its pieces, its board, markers, and army lists."""
