"""Declarations of a game, as many as Hypothesis can think of: a module named after the game, where there is one."""
