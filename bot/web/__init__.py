"""The bot's HTTP servers: live pages, the Activity, health checks."""
