"""Exact probability distributions of rolls: integers and fractions, never a sample."""
