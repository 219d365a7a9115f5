"""Our own drawings of dice, as numbers: paths, bodies, glyphs, marks and inks. No picture or font file ships."""
