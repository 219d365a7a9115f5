"""Dice of Infinity: comparisons and Saving Rolls."""
