"""What cards do, in words that can be said in another language; names of ships and cards stay."""

import pytest

from bot.languages import LANGUAGES
from bot.languages.say import say, speaking
from bot.rules.game import Side
from bot.rules.text import Opening, Text
from bot.rules.xwing import deeds
from bot.rules.xwing.declared import EACH, Effect, LineUp
from bot.rules.xwing.faces import Face, Pool
from bot.rules.xwing.steps import Lying, in_words
from bot.sessions.codec import read_text, write_text


@pytest.mark.parametrize(
    ("words", "english", "german"),
    [
        ("they gain 1 strain", "Vader will gain 1 strain", "Vader erhält 1 Anstrengung"),
        ("I suffer 1 crit", "suffer 1 crit", "1 Krit erleiden"),
        ("they lose 1 focus or evade", "Vader will lose 1 focus or evade", "Vader verliert 1 Fokus oder Ausweichen"),
        ("prevent all", "prevent all", "alles verhindern"),
        ("deal all ion", "deal all ion", "deal all ion"),
    ],
)
def test_a_deed_is_a_message_with_the_names_of_ships_as_they_are(words: str, english: str, german: str) -> None:
    told = deeds.said(words, "Vader")
    assert told == english
    with speaking(LANGUAGES["de"]):
        assert say(told) == german


def test_what_a_press_costs_names_tokens_in_the_language_and_ships_as_they_are() -> None:
    costs = deeds.costs([("focus", 1), ("calculate of Separatist Drone", 1)])
    assert costs == "1 focus and 1 calculate of Separatist Drone"
    with speaking(LANGUAGES["de"]):
        assert say(costs) == "1 Fokus und 1 Berechnung (Separatist Drone)"


def test_every_result_is_all_of_them() -> None:
    line = LineUp()
    every = Effect(verb="change", pool=Pool.RED, most=EACH, faces=(Face.HIT,), to=Face.CRIT)
    assert in_words(every, Lying(side=Side.ATTACKER, line=line, attack=line)) == "change all hit to crit"


def test_the_beginning_of_a_line_is_large_in_every_language_and_is_stored() -> None:
    opening = Opening(Text("the other ship"))
    assert opening == "The other ship"
    stored = read_text(write_text(Text("{what}.", what=opening)))
    with speaking(LANGUAGES["es"]):
        assert say(opening) == "La otra nave"
        assert say(stored) == "La otra nave."
