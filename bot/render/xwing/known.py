"""How far the cards of a ship are known at the dice, in words: counted, asked, only reminded, not counted."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from bot.rules.text import N_, Message, Names, Text
from bot.rules.xwing.cards.card_sets import SHELF, chassis_id
from bot.rules.xwing.cards.cards import PilotShip, unquoted
from bot.rules.xwing.cards.rows import Known, known
from bot.rules.xwing.dice.declared import Declared

SAID: Final[Mapping[Known, Message]] = {
    "counted": N_("counted: {cards}"),
    "asked": N_("asked: {cards}"),
    "reminded": N_("only reminded: {cards}"),
    "not counted": N_("not counted: {cards}"),
}
ON_ODDS: Final[Mapping[str, Message]] = {
    "counted": N_("Counted: {cards}."),
    "asked": N_("Counted if you say that it holds: {cards}."),
    "not_counted": N_("Not counted: {cards}."),
}
"""What the odds of an attack say of its cards."""


def by_knowledge(ship: PilotShip) -> Mapping[Known, Sequence[str]]:
    """The names of a ship's cards: its pilot, its ability, its upgrades."""
    found = defaultdict[Known, list[str]](list)
    for card, name in ship.card_names.items():
        found[known(card, ship.pool)].append(unquoted(name))
    return found


def known_lines(ship: PilotShip) -> list[Text]:
    """A line for each of the four; none for what touches no dice."""
    found = by_knowledge(ship)
    return [Text(said, cards=Names(found[word])) for word, said in SAID.items() if word in found]


@lru_cache(maxsize=1024)
def card_name(id_: str) -> str:
    """The name of a card by its id, or of a ship's ability, in the first set that has it; the id where none has."""
    for cards in SHELF.newest():
        for found in (cards.pilots, cards.upgrades):
            if id_ in found:
                return unquoted(str(found[id_]["name"]))
    pilots = (one for cards in SHELF.newest() for one in cards.pilots.values())
    abilities = (str(one["ability"]) for one in pilots if "ability" in one)
    return next((one for one in abilities if chassis_id(one) == id_), id_)


def card_names(ids: Iterable[str]) -> list[str]:
    """The names of cards, each once."""
    return list(dict.fromkeys(map(card_name, ids)))


def by_hand(names: Sequence[str]) -> list[Text]:
    """That cards touch the dice in a way that the bot does not know; nothing for none."""
    return [Text("Not counted: {cards}. Play them by hand.", cards=Names(names))] if names else []


def on_odds(declared: Declared) -> list[Text]:
    """A line for the cards that are counted, those that wait for a claim, and those that are not counted."""
    every = ((said, card_names(getattr(declared, word))) for word, said in ON_ODDS.items())
    return [Text(said, cards=Names(names)) for said, names in every if names]


def silent_line(ship: PilotShip) -> list[Text]:
    """The cards that touch no dice; none where there are none."""
    found = by_knowledge(ship).get("silent")
    return [Text("no dice: {cards}", cards=Names(found))] if found else []


def known_json(ship: PilotShip) -> dict[str, list[str]]:
    """The same by id; a chassis by its name in lower case."""
    found: dict[str, list[str]] = {word.replace(" ", "_"): [] for word in SAID}
    for card in ship.cards:
        word = known(card, ship.pool)
        if word in SAID:
            found[word.replace(" ", "_")].append(card.partition(":")[2])
    return found
