"""Figures below the dice: distributions as bars, a printed table, a scale, ships by side, a score, bars, dials."""
