"""What pieces are found by."""

from bot.rules.pieces import key


def test_a_name_is_found_whatever_its_capitals_and_spaces() -> None:
    assert key("  Red   FIVE ") == key("red five") == "red five"
    assert key("STRASSE") == key("straße")
    assert key("Red Five") != key("Red Six")
