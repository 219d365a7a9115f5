"""The database: what was rolled, by whom, and in which order. Knows neither the games nor Discord."""
