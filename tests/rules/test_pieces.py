"""What pieces are found by, and which games keep them."""

from bot.rules.games import GAMES
from bot.rules.pieces import PIECES, key


def test_a_name_is_found_whatever_its_capitals_and_spaces() -> None:
    assert key("  Red   FIVE ") == key("red five") == "red five"
    assert key("STRASSE") == key("straße")
    assert key("Red Five") != key("Red Six")


def test_only_games_keep_pieces() -> None:
    assert set(PIECES) <= set(GAMES)
