"""What lies on the table: ships, the match, its score and squads; attacks begin with its ships and are settled on them.

No other room knows it.
"""
