"""Slash commands: one module per subject, strangers to each other; each module's ``setup`` adds its cog."""
