"""The games' rules, in pure Python on the standard library only."""
