"""Card data: rows and their parser, card sets and their import, and the effects of cards in one attack."""
