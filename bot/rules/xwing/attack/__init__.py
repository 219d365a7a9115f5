"""One attack between two sides, step by step, until its damage is known. It changes no ship of a table."""
