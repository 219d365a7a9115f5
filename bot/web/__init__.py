"""What the bot answers over HTTP: live pages, the Activity, health checks."""
