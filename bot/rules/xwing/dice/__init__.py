"""Dice and their modification: faces, tokens, pools, effects and their text forms. Independent of cards."""
