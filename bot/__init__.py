"""Rollcall: a Discord bot that referees the dice of tabletop games. Nothing runs on import."""
