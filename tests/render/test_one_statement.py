"""Headline, large number, dice, and alt text of a card say the same, for seeded rolls of all games.

They are read back from what people get: the embed, the letters in the picture, the dice, and the alt text.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import pytest

from bot.games import by_terminal
from bot.odds_site.forms import FORMS
from bot.render import paint
from bot.render.art import letters
from bot.render.card import Card
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Offer, Pick, Side
from bot.rules.text import Name, english
from bot.ui.core import card_messages
from tests.reworded import questions

ESCAPED: Final = re.compile(r"\\(?=[^\w\s])")
DRAWN: Final = set[tuple[str, str]]()
"""The numbers of each game whose picture was read: one that stands there again is not drawn again."""
NAMES: Final = {Side.ATTACKER: Name("Ana"), Side.DEFENDER: Name("Bo")}
STEPS: Final = 6
LANDED: Final = re.compile(r"(?<![(\d])(\d+) (?:hits?|crits?|Criticals?)\b")
ACHIEVED: Final = {"Dodged": "dodge", "Reset": "reset", "Discovered": "passes the Discover Roll", "Passed": "passes"}
"""The large word of a roll that hits nobody, and what its sentence says."""


DIE: Final = re.compile(r"(?:Die (?P<place>\d+)|d\d+|\w+ die): (?P<face>[\w−-]+)$")
"""A die that can be picked: its place, and what it shows."""
TURNS: Final = re.compile(r": (?:(?P<count>\d+) )?(?P<face>focus|hit|crit|blank|evade) (?:results? )?to ")
"""Dice that a button changes: how many, and what they show now."""
SAVES: Final = re.compile(r" saves \((\d+)\)$| \(\d+ of (\d+)\)$")
"""How many saves a button and a field for a real die name."""
EXTRAS: Final = re.compile(r"(?:(\d+) save dice|Save die),|(?:(\d+) dice|Die) for (?:the Critical's )?extra save")
"""Saves for hits, and extra ones for Criticals, of the form that has both."""


def rolls(seed: int, of: int) -> Iterator[tuple[str, object, Card, tuple[Offer, ...]]]:
    """The cards of one seeded play of one question of so many, with what they offer: of the declaration, and after
    some random choices.
    """
    games = by_terminal()
    samples = ((key, sample) for key in ("contest", "duel") for sample in games[key].samples)
    for key, words in islice((*samples, *questions()), 0, None, of):
        game, rng = games[key], random.Random(f"{seed}{key}{words}")
        try:
            state = game.rules.start(game.rules.declare(words), rng.randrange)
            for _ in range(STEPS):
                offers = tuple(game.rules.offers(state))
                yield key, words, game.card(state, NAMES), offers
                if not offers:
                    break
                state = game.rules.choose(state, some_choice(rng.choice(offers)), rng.randrange)
        except PlayerError:
            continue  # this question isn't allowed, or the value that was picked for a field


def some_choice(offer: Any) -> Choice:
    least = offer.asks.least if isinstance(offer.asks, Pick) else 0
    filled = {
        field.key: (field.value or field.options[0].value) if field.options else field.value or "9"
        for field in offer.fields
    }
    return Choice(offer.key, tuple(option.value for option in offer.options[:least]), filled)


def said_number(key: str, number: str, outcome: str) -> bool:
    """Whether the sentence says what stands in large below it."""
    if key == "duel" and not number.isdecimal():
        return outcome.startswith(number)
    if key == "duel" and number == "0":
        return re.search(r"\d", outcome.partition(".")[0]) is None
    if key == "albion":
        return outcome.startswith(number)
    if number in ACHIEVED:
        return ACHIEVED[number] in outcome
    if key == "contest":
        first, _, second = outcome.partition(": ")[2].partition(" to ")
        won, lost = (re.findall(r"\d+", half)[-1] for half in (first, second or first))
        return number == f"{won} : {lost}"
    if not any(letter.isdigit() for letter in number):
        return number == "Smoke" or "wins" in outcome or "beats" in outcome or "passes" in outcome
    if key == "xwing" and number == "0":
        return "misses" in outcome
    if key == "infinity" and "Saving Roll" in outcome:
        *_, lost = [0, *map(int, re.findall(r"(\d+) Wounds?\b(?! lost)", outcome))]
        return lost == int(number)
    if key in ("xwing", "infinity") and (landed := LANDED.findall(outcome)):
        return sum(map(int, landed)) == int(number)
    return re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", outcome) is not None


def read_embed(card: Card) -> tuple[str, str]:
    """The sentence and the alt text of the message that people get."""
    sent = card_messages.embed(card)
    title = sent.title or ""
    said = (sent.description or "").partition("\n")[0] if title.endswith(" …") else title
    alt = str(sent.to_dict().get("image", {}).get("description", ""))
    return ESCAPED.sub("", said).replace("\N{NO-BREAK SPACE}", " "), alt


def read_picture(card: Card) -> str:
    """What is drawn in the largest letters."""
    drawn, word = list[str](), letters.word
    large = paint.number_size(english(card.number), english(card.unit))

    def recorded(text: str, size: int, *more: Any) -> Any:
        drawn.extend([text] if size == large else [])
        return word(text, size, *more)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(letters, "word", recorded)
        paint.compose_picture.cache_clear()
        paint.number_band.cache_clear()
        assert paint.picture(card) is not None
    (number,) = drawn
    return number


def check_forms(card: Card, offers: tuple[Offer, ...]) -> int:
    """Hold buttons, lists, and forms to the card's dice and number; how many of their words were compared."""
    lying = [tile for strip in card.strips for tile in strip.tiles]
    faces = Counter(tile.face or "blank" for tile in lying if tile.fate in ("stands", "failed", "unused"))
    compared, saves = 0, Counter[tuple[str, int]]()
    for offer in offers:
        for option in offer.options:
            if die := DIE.search(english(option.label)):
                places = [strip.tiles[int(die["place"] or 1) - 1 :] for strip in card.strips]
                shown = [tiles[0] for tiles in places if tiles] if die["place"] else lying
                assert die["face"].lower() in [tile.face or "blank" for tile in shown], english(option.label)
                compared += 1
        if turned := TURNS.search(english(offer.label)):
            assert faces[turned["face"]] >= int(turned["count"] or 1), english(offer.label)
            compared += 1
        said = [SAVES.search(english(text)) for text in (offer.label, *(field.label for field in offer.fields))]
        weapon, fields = offer.key.partition("-")[2], [EXTRAS.match(english(field.label)) for field in offer.fields]
        counts = {int(next(filter(None, found.groups()))) for found in said if found}
        counts |= {sum(int(part[1] or part[2] or 1) for part in fields if part)} if any(fields) else set()
        saves.update((weapon, count) for count in counts)
    assert len(saves) == len({weapon for weapon, _ in saves}), f"one number of saves for each weapon: {saves}"
    landed, is_first = LANDED.findall(english(card.outcome)), "Saving Roll" not in english(card.outcome)
    if saves and is_first and not any("Damage" in english(field.label) for offer in offers for field in offer.fields):
        assert sum(count for _, count in saves) >= sum(map(int, landed)), (
            f"each hit is saved against, but for Criticals of N3: {saves}"
        )
    return compared + saves.total()


def checked(key: str, card: Card) -> bool:
    """Hold one card to itself; whether it has a large number."""
    number = english(card.number)
    outcome, alt = read_embed(card)
    assert re.search(r"\w", outcome), "a headline says something"
    if number and paint.is_pictured(card) and (key, number) not in DRAWN:
        DRAWN.add((key, number))
        assert read_picture(card) == number
    for tile in (tile for strip in card.strips for tile in strip.tiles):
        assert not tile.face or tile.shapes or tile.face in alt
    if not number:
        return False
    assert said_number(key, number, outcome)
    whole = [strip for strip in card.strips if strip.tiles]
    won = [tile for strip in whole if strip.won or len(whole) == 1 for tile in strip.tiles]
    standing = [tile for tile in won if tile.fate == "stands"]
    if key == "infinity":
        unit, _, whose = english(card.unit).strip("()").rpartition(" · ")
        for name in re.split(", and | and |, ", whose.lower()):
            assert name, "it says whose"
            assert name in outcome.lower()
            assert name in alt.lower() or not standing, "a template hits without dice"
        if unit in ("hit", "hits", "Critical", "Criticals"):
            assert len(standing) in (0, int(number))
            assert len(LANDED.findall(outcome)) > 1 or f"{number} {unit}" in outcome
    if key == "albion":
        *faces, total = [tile.face for strip in whole for tile in strip.tiles]
        assert f"= {sum(map(int, faces))}" == total
        assert english(card.unit).removeprefix("power ").removeprefix("x") in outcome
    return True


def held(seeds: range, of: int = 1) -> int:
    """Check the cards of these seeds, of one question of so many; how many there were."""
    seen, compared, numbers = 0, 0, set[str]()
    for seed in seeds:
        for key, words, card, offers in rolls(seed, of):
            seen += 1
            try:
                compared += check_forms(card, offers)
                if checked(key, card):
                    numbers.add(key)
            except AssertionError as wrong:
                raise AssertionError((key, words, english(card.outcome), english(card.number))) from wrong
    assert numbers == {"xwing", "infinity", "dice", "warsurge", "albion", "contest", "duel"}
    assert compared > seen // 2
    return seen


def test_headline_number_dice_and_alt_text_of_a_card_agree() -> None:
    assert held(range(1), 4) > 375


@pytest.mark.long
def test_ten_thousand_cards_agree() -> None:
    assert held(range(7)) > 10_000


@pytest.mark.parametrize(
    ("order", "number"),
    [
        ("Ana 12 rolls 9 vs Bo 11 dodge rolls 10", "Dodged"),
        ("Ana 12 hack rolls 9 vs Bo 11 reset rolls 10", "Reset"),
        ("Ana 12 rolls 9 vs Bo 11 rolls 10", "1hit"),
        ("Ana 12 smoke rolls 9 vs Bo 11 rolls 8", "Smoke"),
    ],
)
def test_the_drawn_word_is_what_was_done(order: str, number: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, drawn, word = by_terminal()["infinity"], list[str](), letters.word

    def recorded(text: str, *more: Any) -> Any:
        drawn.append(text)
        return word(text, *more)

    monkeypatch.setattr(letters, "word", recorded)
    paint.number_band.cache_clear()
    state = game.rules.start(game.rules.declare({"order": order}), random.Random(1).randrange)
    assert paint.picture(game.card(state, NAMES)) is not None
    assert number in "".join(drawn)


def test_odds_that_are_compared_name_the_best_beside_its_number() -> None:
    form, dice = FORMS["xwing"], {"dice": "3", "agility": "2"}
    (card,) = form.cards({}, [dice | {"with": "lock"}, dice | {"with": "focus, lock"}, dice])
    means = {name: float(mean) for mean, name in re.findall(r"([\d.]+) \(([^)]+)\)", read_embed(card)[0])}
    assert read_picture(card) == english(card.number) == str(max(means.values()))
    assert means[english(card.unit)] == max(means.values())
    (card,) = form.cards({}, [dice, dice | {"obstructed": ""}])
    assert english(card.unit) == "average damage", "none is better"
