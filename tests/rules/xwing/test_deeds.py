"""What cards do, in words that can be said in another language; names of ships and cards stay."""

from collections.abc import Iterator

import pytest

from bot.languages import LANGUAGES
from bot.languages.translate import translate, using_language
from bot.rules.text import Capitalized, Text, read_text, write_text
from bot.rules.xwing.attack.steps import effect_text
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice import consequences, costs
from bot.rules.xwing.dice.costs import CardId
from bot.rules.xwing.dice.declared import EACH, DiceEffect
from bot.rules.xwing.dice.faces import Face, Pool
from tests.rows import for_each_row


@pytest.mark.parametrize(
    ("words", "english", "german"),
    [
        ("they gain 1 strain", "Vader will gain 1 strain", "Vader erhält 1 Anstrengung"),
        ("I suffer 1 crit", "suffer 1 crit", "1 Krit erleiden"),
        ("they lose 1 focus or evade", "Vader will lose 1 focus or evade", "Vader verliert 1 Fokus oder Ausweichen"),
        ("prevent all", "prevent all damage", "allen Schaden verhindern"),
        ("transfer 1 focus", "transfer 1 focus", "1 Fokus übergeben"),
    ],
)
def test_a_deed_is_a_message_with_the_names_of_ships_as_they_are(words: str, english: str, german: str) -> None:
    deed = consequences.read_deed(words)
    assert deed is not None
    told = deed.label("Vader")
    assert told == english
    with using_language(LANGUAGES["de"]):
        assert translate(told) == german


def test_what_a_press_costs_names_tokens_in_the_language_and_ships_as_they_are() -> None:
    paid = costs.cost_text([("focus", 1), (costs.OfShip("calculate", "Separatist Drone"), 1)])
    assert paid == "1 focus and 1 calculate of Separatist Drone"
    with using_language(LANGUAGES["de"]):
        assert translate(paid) == "1 Fokus und 1 Berechnung (Separatist Drone)"


def test_every_result_is_all_of_them() -> None:
    every = DiceEffect(verb="change", pool=Pool.RED, most=EACH, faces=(Face.HIT,), to=Face.CRIT)
    assert effect_text(every) == "change all hits to crits"


def test_the_beginning_of_a_line_is_large_in_every_language_and_is_stored() -> None:
    opening = Capitalized(Text("the other ship"))
    assert opening == "The other ship"
    stored = read_text(write_text(Text("{what}.", what=opening)))
    with using_language(LANGUAGES["es"]):
        assert translate(opening) == "La otra nave"
        assert translate(stored) == "La otra nave."


# Each kind


EVERY = tuple(dict.fromkeys(deed for rows in ROWS.values() for row in rows for deed in row.deeds))


def leaves(kind: type[consequences.Consequence]) -> Iterator[str]:
    """The names of the kinds that are no family of others."""
    below = kind.__subclasses__()
    if not below:
        yield kind.__name__
    for item in below:
        yield from leaves(item)


def test_every_kind_of_deed_stands_in_a_row() -> None:
    assert set(consequences.KINDS) == {type(deed) for deed in EVERY}
    assert set(leaves(consequences.Consequence)) - {"ShipConsequence"} == {kind.__name__ for kind in consequences.KINDS}


@for_each_row("kind", consequences.KINDS)
def test_a_kind_says_itself_and_how_far_it_is_counted(kind: type[consequences.Consequence]) -> None:
    for deed in [consequence for consequence in EVERY if type(consequence) is kind]:
        assert isinstance(deed.label("Vader"), Text)
        assert consequences.read_deed(str(deed)) == deed
    assert isinstance(kind.odds, consequences.OddsScope)
    assert {"says", "label"} & kind.__dict__.keys()
    assert kind.forms


DONE = {
    consequences.Timing.AFTER: True,
    consequences.Timing.BEFORE_DICE: False,
    consequences.Timing.NEVER: False,
    consequences.Timing.STANDING: False,
}


def test_what_is_done_after_an_attack_is_done_to_a_ship_or_to_its_damage() -> None:
    """A kind that acts by itself owes something, stops damage, or is by hand; what stands for the attack does not."""
    for deed in EVERY:
        owed = tuple(
            deed.changes(consequences.ShipNames(own="Luke", enemy="Vader", card=CardId("upgrade", "x"), damage=1))
        )
        assert bool(owed or isinstance(deed, consequences.Prevent | consequences.Step)) is DONE.get(deed.acts, False), (
            deed
        )
        assert all(due.ship in ("Luke", "Vader") and due.count for due in owed), deed


def test_what_a_deed_deals_is_counted() -> None:
    """Only a kind that says so changes what two hits and a crit come to, or the tokens that come of them."""
    for deed in EVERY:
        tokens: dict[str, int] = {}
        changes = deed.deal_results((2, 1), 3, tokens) != (2, 1) or bool(tokens)
        assert not changes or deed.odds in (consequences.OddsScope.DEALT, consequences.OddsScope.BOTH), deed
        assert changes or deed.odds is not consequences.OddsScope.DEALT, deed


def test_crits_that_become_tokens_are_suffered_no_more() -> None:
    deed, tokens = consequences.read_deed("deal crits as ion"), dict[str, int]()
    assert deed is not None
    assert (deed.deal_results((2, 3), 5, tokens), tokens) == ((2, 0), {"ion": 3})
