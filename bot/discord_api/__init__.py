"""Discord's API below the bot: request rates, patches of discord.py, invite links."""
