"""What Discord shows and hears, for all games alike."""
