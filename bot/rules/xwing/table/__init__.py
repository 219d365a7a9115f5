"""The table: ships, the match, its score and squads; attacks start from its ships and are settled on them.

No other package of the rules imports it.
"""
