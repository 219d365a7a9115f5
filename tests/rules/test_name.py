"""Names as strangers type them: what cannot be seen goes, what belongs to an emoji or to a living script stays."""

import unicodedata

import pytest
from hypothesis import example, given, strategies as st

from bot.rules import infinity
from bot.rules.errors import BadInputError, quote_value
from bot.rules.infinity.troopers.declared import Order
from bot.rules.name import EMOJI_SELECTOR, ISOLATE, MAX_MARKS, MAX_NAME, POP_ISOLATE, ZERO_WIDTH_JOINER, clean
from bot.rules.profile import Profiles, add_or_replace
from bot.rules.text import english
from bot.rules.xwing.table.ship import find, join, launch

SIGNS = st.characters() | st.sampled_from("\u202e\u2066\u200b\u200d\ufe0f\u0301\u0336\u0489👨👩❤🏽`@<>אبﷺ\u3164\n")
NAMES = st.text(SIGNS, max_size=60)
PROFILES = Profiles(stats={"BS": (0, 40)}, example="BS 12")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Łukasz Żółć 李", "Łukasz Żółć 李"),
        ("👨\u200d👩\u200d👧 family", "👨\u200d👩\u200d👧 family"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("👍🏽", "👍🏽"),
        ("a\u200db\ufe0f", "ab"),
        ("👨\u200d", "👨"),
        ("e\u0301", "é"),
        ("e\u200b\u0301", "é"),
        ("Z" + "\u0336" * 40, "Z" + "\u0336" * MAX_MARKS),
        ("\u3164\u2800\u115f", ""),
        ("`code`", "'code'"),
        ("<@&12> <3", "‹@&12> <3"),
        ("<\u200b@12>", "‹@12>"),
        ("\u202eevil\u2069", "evil"),
        ("דוד", f"{ISOLATE}דוד{POP_ISOLATE}"),
    ],
)
def test_a_name_keeps_what_can_be_seen(typed: str, kept: str) -> None:
    assert clean(typed) == kept


@given(NAMES)
@example("x" * 31 + "א")
@example("\u1fef")
def test_a_clean_name_is_short_on_one_line_and_stays_as_it_is(typed: str) -> None:
    name = clean(typed)
    assert clean(name) == name
    assert len(name) <= MAX_NAME
    assert name == " ".join(name.split())
    assert "`" not in name
    assert "<@" not in name
    inside = name.removeprefix(ISOLATE).removesuffix(POP_ISOLATE)
    unseen = {sign for sign in inside if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert unseen <= {ZERO_WIDTH_JOINER}
    turned = any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in name)
    assert turned == (ISOLATE in name) == (POP_ISOLATE in name)


@given(NAMES)
def test_accents_do_not_pile_up(typed: str) -> None:
    pile = 0
    for sign in clean(typed):
        pile = pile + 1 if unicodedata.category(sign) in ("Mn", "Me") and sign != EMOJI_SELECTOR else 0
        assert pile <= MAX_MARKS


@given(NAMES)
def test_what_is_quoted_in_a_refusal_stays_in_its_quotation(typed: str) -> None:
    quotation = quote_value(typed)
    assert quotation == "empty" or (
        english(quotation)[0] == english(quotation)[-1] == "`" and english(quotation).count("`") == 2
    )
    assert not {"\n", "\u202e", "\u200b"} & set(english(quotation))
    assert len(english(quotation)) <= 43


# Pieces and troopers


def test_two_ships_cannot_look_alike() -> None:
    luke = launch("Lu\u200bke\u202e", attack=3)
    assert luke.name == "Luke"
    held = join({}, luke)
    assert find({"Luke": luke}, "\u2060LUKE\ufe0f") is luke
    assert held == {"Luke": luke}
    with pytest.raises(
        BadInputError, match="Use a name that no ship in this channel has, or change that ship with `/xwing ship set"
    ):
        join({"Luke": luke}, launch("L\u00adu\u200dke"))


@pytest.mark.parametrize("typed", ["\u200b", " ", "\u3164", "\u202e\u2066"])
def test_a_piece_has_a_name_that_can_be_seen(typed: str) -> None:
    with pytest.raises(BadInputError, match="Use 1 to 32 visible characters"):
        launch(typed)
    with pytest.raises(BadInputError, match="Use a name with visible characters"):
        PROFILES.parse(typed, "BS 5")


def test_two_profiles_cannot_look_alike() -> None:
    first = PROFILES.parse("An\u200bgus", "BS 12")
    assert add_or_replace({first.name: first}, PROFILES.parse("Angus", "BS 13")) == {
        "Angus": PROFILES.parse("Angus", "BS 13")
    }


def named(raw: dict[str, object]) -> list[str]:
    """The names in an order."""
    order = infinity.declare(raw)
    assert isinstance(order, Order)
    return [roll.name for roll in order.rolls]


def test_the_same_trooper_is_meant_however_the_name_is_typed() -> None:
    typed = "An\u200bgus 12 b2 vs Or\u202etega 11; Murat 13 normal vs Angus"
    assert named({"order": typed}) == ["Angus", "Ortega", "Murat"]
    with pytest.raises(BadInputError) as caught:
        infinity.declare({"order": "x" * 33 + " 12"})
    assert caught.value.field == "name"
    assert named({"sv": 12, "name": "\u200b"}) == [""]
