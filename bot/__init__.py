"""Rollcall: a Discord bot that referees tabletop dice games. Importing it runs nothing."""
