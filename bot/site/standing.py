"""Ships as they stand now, in the two texts of the page: what they are (a squad), and what has become of them.

A squad names pilots with their upgrades, a line each, or as XWS where the line alone would mean another card set; a
ship without a card is ``Luke: 3/2/3/0 i5``. A line of the other text is a name of the page, a colon, and what differs
from a ship that has just come: ``Luke Skywalker: focus 1, shield 0, lock on Darth Vader, faceup Structural Damage,
R2-D2 1, turned S-Foils``.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.rules.errors import BadInput, Example, Whole
from bot.rules.text import Name, Text
from bot.rules.xwing.cards import card_sets
from bot.rules.xwing.cards.cards import by_numbers
from bot.rules.xwing.dice.tokens import KINDS
from bot.rules.xwing.table import squad
from bot.rules.xwing.table.ship import Ship, after, charged, damaged, find, flip, from_card, join_all, room, set_to

BY_NUMBERS: Final = re.compile(r"([^:{}]+):\s*+(\d+/\d+/\d+.*)")
COUNT: Final = re.compile(r"(.+?) (\d{1,3})")
LOCK, FACEUP, TURNED = "lock on ", "faceup ", "turned "
EXAMPLE: Final = "Luke Skywalker: focus 1, lock on Darth Vader, shield 1"


def squads(texts: Sequence[str]) -> dict[str, Ship]:
    """The ships of each text, of player 1, 2 and so on. Raises ``PlayerError`` for a text that is no squad."""
    table: dict[str, Ship] = {}
    for owner, text in enumerate(texts, 1):
        typed = [BY_NUMBERS.fullmatch(line) for line in text.splitlines()]
        cards = [by_numbers(one[1], one[2]) for one in typed if one]
        rest = "\n".join(line for line, one in zip(text.splitlines(), typed, strict=True) if not one)
        for one in squad.parse(rest, card_sets.SHELF.newest()) if rest.strip() else ():
            cards += one.pilots
        table = after(table, join_all(table, [from_card(one, owner) for one in cards]))
    return table


def written(ships: Sequence[Ship]) -> str:
    """Write the ships of one player as text that ``squads`` reads."""
    typed = [f"{one.name}: {one.card.numbers} {one.size}" for one in ships if not one.pilot]
    cards = [one for one in ships if one.pilot]
    lines = "\n".join(" + ".join((one.pilot, *one.upgrades)) for one in cards)
    read = squad.parse(lines, card_sets.SHELF.newest()) if lines else ()
    if [is_of(one) for one in cards] != [is_of(one) for part in read for one in map(from_card, part.pilots)]:
        pilots = [{"id": one.pilot, "upgrades": one.upgrades} for one in cards]
        lines = json.dumps({"ruleset": card_sets.key_of(cards[0].card_set), "pilots": pilots}, separators=(",", ":"))
    return "\n".join(filter(None, [*typed, lines]))


def is_of(ship: Ship) -> tuple[str, str, tuple[str, ...]]:
    """The cards of a ship."""
    return card_sets.key_of(ship.card_set), ship.pilot, ship.upgrades


def differences(ship: Ship, fresh: Ship) -> str:
    """Return what has changed on a ship since it joined; "" for nothing."""
    titles = [one.name for one in ship.card.upgrades]
    words = [
        f"{kind} {ship.has(kind)}" for kind in KINDS if ship.has(kind) != fresh.has(kind) and kind != "faceup damage"
    ]
    words += [f"{FACEUP}{title}" for title in ship.faceup]
    left = zip(titles, ship.upgrade_charges, fresh.upgrade_charges, strict=True)
    words += [f"{title} {now}" for title, now, full in left if now != full]
    words += [f"{TURNED}{titles[at]}" for at in ship.flipped]
    words += [f"{LOCK}{name}" for name in ship.locks]
    return ", ".join(words)


def standing(table: Mapping[str, Ship], text: str) -> dict[str, Ship]:
    """The ships after each line. Raises ``PlayerError`` for a ship that is not there, or a word that does not fit."""
    now = dict(table)
    for line in filter(str.strip, text.splitlines()):
        name, colon, words = line.rpartition(": ")
        if not colon:
            raise BadInput("stands", line, Text("Write a ship, a colon and what it has."), Example(EXAMPLE))
        ship = find(now, name.strip(), "stands")
        for word in filter(None, map(str.strip, words.split(","))):
            ship = with_word(ship, word)
        now[ship.name] = ship
    return now


def with_word(ship: Ship, word: str) -> Ship:
    """The ship after one word of its line."""
    if word.startswith(LOCK):
        return replace(ship, locks=(*ship.locks, word.removeprefix(LOCK)))
    if word.startswith(FACEUP):
        return damaged(ship, faceup=(*ship.faceup, Name(word.removeprefix(FACEUP))))
    if word.startswith(TURNED):
        titles = [one.name.casefold() for one in ship.card.upgrades]
        if (title := word.removeprefix(TURNED).casefold()) in titles:
            return flip(ship, titles.index(title))
    if (found := COUNT.fullmatch(word)) is None:
        raise BadInput("stands", word, Text("Write a token or an upgrade and how many."), Example(EXAMPLE))
    kind, count = found[1], int(found[2])
    if kind in KINDS:
        if count > room(ship, kind):
            raise BadInput("stands", word, Whole(0, room(ship, kind)))
        return set_to(ship, kind, count)
    place = charged(ship, kind)
    if count > (most := ship.card.upgrades[place].charges.capacity):
        raise BadInput("stands", word, Whole(0, most))
    return replace(ship, upgrade_charges=(*ship.upgrade_charges[:place], count, *ship.upgrade_charges[place + 1 :]))


def texts_of(sides: Sequence[Sequence[Ship]]) -> tuple[dict[str, str], dict[str, str]] | None:
    """The texts of the page for the ships of both players, and what each ship is called there.

    None for ships that no text says: those of a set that the page has not. Raises ``PlayerError`` as ``squads``.
    """
    mine, theirs = (written(one) for one in sides)
    fresh = list(squads((mine, theirs)).values())
    every = [
        one for ships in sides for one in sorted(ships, key=lambda one: one.pilot != "")
    ]  # as ``squads`` reads them
    if list(map(is_of, fresh)) != list(map(is_of, every)):
        return None
    names: dict[str, str] = {one.name: there.name for one, there in zip(every, fresh, strict=True)}
    now = (replace(one, locks=tuple(names.get(lock, lock) for lock in one.locks)) for one in every)
    told = [(there.name, differences(one, there)) for one, there in zip(now, fresh, strict=True)]
    stands = "\n".join(f"{name}: {words}" for name, words in told if words)
    return {key: text for key, text in (("mine", mine), ("theirs", theirs), ("stands", stands)) if text}, names
