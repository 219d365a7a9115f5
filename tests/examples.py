"""How many examples Hypothesis draws of a property."""

import hypothesis

MIN = 5


def share_of(most: int) -> int:
    """Of ``most`` examples as many as the profile draws of a hundred: all with ``-m long``, else the first ones."""
    return max(MIN, most * hypothesis.settings().max_examples // 100)
