"""Figures beneath the dice: laws as bars, a printed grid, a scale. Each on a panel of its own, at twice the CSS pixels."""
