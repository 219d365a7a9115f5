"""The Discord interface shared by all cogs: messages, buttons, forms, names, checks."""
