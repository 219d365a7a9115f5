"""The table: ships, match, score, squads. Attacks start from its ships; no other package of the rules imports it."""
