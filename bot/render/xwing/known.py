"""How far the cards of a ship are known at the dice, in words: counted, asked, only reminded, not counted."""

from collections.abc import Mapping
from typing import Final

from bot.rules.text import Names, Text
from bot.rules.xwing.card_rows import Known, known
from bot.rules.xwing.cards import PilotShip
from bot.rules.xwing.ship import unquoted

SAID: Final[Mapping[Known, str]] = {
    "counted": Text("counted: {cards}"),
    "asked": Text("asked: {cards}"),
    "reminded": Text("only reminded: {cards}"),
    "not counted": Text("not counted: {cards}"),
}
NO_DICE: Final = Text("no dice: {cards}")


def by_knowledge(ship: PilotShip) -> dict[Known, tuple[str, ...]]:
    """The names of a ship's cards: its pilot, its ability, its upgrades."""
    found: dict[Known, tuple[str, ...]] = {}
    for card, name in ship.card_names.items():
        word = known(card, ship.pool)
        found[word] = (*found.get(word, ()), unquoted(name))
    return found


def known_lines(ship: PilotShip) -> list[Text]:
    """A line for each of the four; none for what touches no dice."""
    found = by_knowledge(ship)
    return [Text(said, cards=Names(found[word])) for word, said in SAID.items() if word in found]


def silent_line(ship: PilotShip) -> list[Text]:
    """The cards that touch no dice; none where there are none."""
    found = by_knowledge(ship).get("silent")
    return [Text(NO_DICE, cards=Names(found))] if found else []


def known_json(ship: PilotShip) -> dict[str, list[str]]:
    """The same by id; a chassis by its name in lower case."""
    found: dict[str, list[str]] = {word.replace(" ", "_"): [] for word in SAID}
    for card in ship.cards:
        word = known(card, ship.pool)
        if word in SAID:
            found[word.replace(" ", "_")].append(card.partition(":")[2])
    return found
