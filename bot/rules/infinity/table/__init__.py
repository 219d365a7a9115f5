"""A channel's table: pieces, board, markers, and army lists."""
