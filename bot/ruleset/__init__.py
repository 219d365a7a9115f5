"""What a table plays by: the settings, which of several rulesets counts, and a ruleset as a file."""
