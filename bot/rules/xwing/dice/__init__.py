"""Dice and what may be done to them: faces, tokens, pools, effects as values and their words. It knows no card."""
