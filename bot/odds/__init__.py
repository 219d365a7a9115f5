"""Exact probability distributions of what the rules can roll: integers and fractions, never a sample."""
