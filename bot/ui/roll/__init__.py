"""A roll's message, and everything that its buttons open."""
