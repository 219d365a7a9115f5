"""A table's settings, their precedence, and a ruleset as a file."""
