"""A file for each hole that an attacker has found, as it was used: what is red where it is open again."""
