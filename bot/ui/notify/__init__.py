"""Messages that nobody pressed for: mentions, copies for the log channel, a welcome."""
