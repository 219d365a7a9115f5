"""The table: ships, the match, its score, and squads; attacks start from its ships and change them. No other package of
the rules imports it.
"""
