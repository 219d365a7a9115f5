"""Cards as data: rows and how they are read, card sets and their import, and what the cards of one attack bring.

It changes no attack and no ship.
"""
