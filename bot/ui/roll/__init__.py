"""The message of a roll, and everything that its buttons open."""
