"""Everything Discord that all cogs share: messages, buttons, forms, names, checks."""
