"""Slash commands: one independent module per subject; each module's ``setup`` adds its cog."""
