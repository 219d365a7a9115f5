"""One attack between two sides, window by window, until its damage is known. It changes no ship of a table."""
