"""Our drawings of dice, as numbers: paths, bodies, glyphs, marks, and inks, without picture or font files."""
