"""Orders: declarations, modifiers, opposing rolls, and results."""
