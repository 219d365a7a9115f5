"""Options of slash commands, profiles, and saved rolls."""
