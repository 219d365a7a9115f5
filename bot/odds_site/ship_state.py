"""Current ships as the page's two texts: a squad, and changes since.

A squad lists pilots with upgrades, one per line, or as XWS if a line would mean another card set; a ship without a card
is ``Luke: 3/2/3/0 i5``. A line of the other text is a ship's name, a colon, and its differences from a new ship: ``Luke
Skywalker: focus 1, shield 0, lock on Darth Vader, faceup Structural Damage, R2-D2 1, turned S-Foils``.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.rules import errors
from bot.rules.errors import AllowedWords, BadInputError, Example, PlayerError, WholeNumber, with_field_names
from bot.rules.text import Code, Name, Shown, Text
from bot.rules.xwing.cards import card_sets
from bot.rules.xwing.cards.cards import by_numbers
from bot.rules.xwing.dice.tokens import KINDS
from bot.rules.xwing.table import squad
from bot.rules.xwing.table.ship import (
    Ship,
    apply_piece_changes,
    damage_ship,
    find,
    find_charged,
    flip,
    from_card,
    join_all,
    room,
    set_to,
)

BY_NUMBERS: Final = re.compile(r"([^:{}]+):\s*+(\d+/\d+/\d+.*)")
COUNT: Final = re.compile(r"^(.+?)(?: (\d{1,3}))?$")
LOCK, FACEUP, TURNED = "lock on ", "faceup ", "turned "
EXAMPLE: Final = "Luke Skywalker: focus 1, lock on Darth Vader, shield 1"


def squads(texts: Mapping[str, str]) -> tuple[dict[str, Ship], list[Shown]]:
    """Return each text's ships by field, of player 1, 2 and so on, and a sentence for each unknown part. Raises
    ``PlayerError`` for a text without a squad.
    """
    table, unknown = dict[str, Ship](), list[Shown]()
    for owner, (field, text) in enumerate(texts.items(), 1):
        typed = [BY_NUMBERS.fullmatch(line) for line in text.splitlines()]
        cards = [by_numbers(match[1], match[2]) for match in typed if match]
        rest = "\n".join(line for line, match in zip(text.splitlines(), typed, strict=True) if not match)
        try:
            parsed = squad.parse(rest, card_sets.SHELF.newest()) if rest.strip() else ()
        except PlayerError as error:
            raise with_field_names(error, {"squad": Code(field)}) from None
        for item in parsed:
            cards += item.pilots
            unknown += item.unknown
        table = apply_piece_changes(table, join_all(table, [from_card(card, owner) for card in cards]))
    return table, unknown


def write_ships(ships: Sequence[Ship]) -> str:
    """Write the ships of one player as text that ``squads`` reads."""
    typed = [f"{ship.name}: {ship.card.numbers} {ship.size}" for ship in ships if not ship.pilot]
    cards = [ship for ship in ships if ship.pilot]
    lines = "\n".join(" + ".join((card.pilot, *card.upgrades)) for card in cards)
    read = squad.parse(lines, card_sets.SHELF.newest()) if lines else ()
    if [is_of(card) for card in cards] != [is_of(ship) for part in read for ship in map(from_card, part.pilots)]:
        pilots = [{"id": card.pilot, "upgrades": card.upgrades} for card in cards]
        lines = json.dumps({"ruleset": card_sets.key_of(cards[0].card_set), "pilots": pilots}, separators=(",", ":"))
    return "\n".join(filter(None, [*typed, lines]))


def is_of(ship: Ship) -> tuple[str, str, tuple[str, ...]]:
    return card_sets.key_of(ship.card_set), ship.pilot, ship.upgrades


def differences(ship: Ship, fresh: Ship) -> str:
    """Return what has changed on a ship since it joined; "" for nothing."""
    titles = [upgrade.name for upgrade in ship.card.upgrades]
    changed = (kind for kind in KINDS if ship.has(kind) != fresh.has(kind))
    words = [f"{kind} {ship.has(kind)}" for kind in changed if kind != "faceup damage"]
    words += [f"{FACEUP}{title}" for title in ship.faceup]
    left = zip(titles, ship.upgrade_charges, fresh.upgrade_charges, strict=True)
    words += [f"{title} {now}" for title, now, full in left if now != full]
    words += [f"{TURNED}{titles[at]}" for at in ship.flipped]
    words += [f"{LOCK}{name}" for name in ship.locks]
    return ", ".join(words)


def apply_lines(table: Mapping[str, Ship], text: str) -> dict[str, Ship]:
    """Apply each line to its ship. Raises ``PlayerError`` for an unknown ship or word."""
    now = dict(table)
    for line in filter(str.strip, text.splitlines()):
        name, colon, words = line.rpartition(": ")
        if not colon:
            raise BadInputError("stands", line, Text("Write a ship, a colon, and what it has."), Example(EXAMPLE))
        ship = find(now, name.strip(), "stands")
        for word in filter(None, map(str.strip, words.split(","))):
            ship = with_word(ship, word)
        now[ship.name] = ship
    return now


def with_word(ship: Ship, word: str) -> Ship:
    if word.startswith(LOCK):
        return replace(ship, locks=(*ship.locks, word.removeprefix(LOCK)))
    if word.startswith(FACEUP):
        return damage_ship(ship, faceup=(*ship.faceup, Name(word.removeprefix(FACEUP))))
    titles = [upgrade.name.casefold() for upgrade in ship.card.upgrades]
    if word.startswith(TURNED) and (title := word.removeprefix(TURNED).casefold()) in titles:
        return flip(ship, titles.index(title))
    kind, typed = COUNT.findall(word)[0]
    count = int(typed or 1)
    if kind not in KINDS and kind.casefold() not in titles:
        allowed = AllowedWords((*KINDS, *titles), Text("Write a token or an upgrade and how many."))
        raise errors.UnknownWordError("stands", kind, allowed, Example(EXAMPLE))
    if kind in KINDS:
        if count > room(ship, kind):
            raise BadInputError("stands", word, WholeNumber(0, room(ship, kind)))
        return set_to(ship, kind, count)
    place = find_charged(ship, kind, "stands")
    if count > (most := ship.card.upgrades[place].charges.capacity):
        raise BadInputError("stands", word, WholeNumber(0, most))
    return replace(ship, upgrade_charges=(*ship.upgrade_charges[:place], count, *ship.upgrade_charges[place + 1 :]))


def texts_of(sides: Sequence[Sequence[Ship]]) -> tuple[dict[str, str], dict[str, str]] | None:
    """Return the page's texts for both players' ships, and each ship's name there; None for ships of a set that the
    page lacks. Raises ``PlayerError`` as ``squads``.
    """
    mine, theirs = (write_ships(side) for side in sides)
    fresh = list(squads({"mine": mine, "theirs": theirs})[0].values())
    every = [
        ship for ships in sides for ship in sorted(ships, key=lambda item: item.pilot != "")
    ]  # as parsed by ``squads``
    if list(map(is_of, fresh)) != list(map(is_of, every)):
        return None
    names: dict[str, str] = {ship.name: there.name for ship, there in zip(every, fresh, strict=True)}
    now = (replace(ship, locks=tuple(names.get(lock, lock) for lock in ship.locks)) for ship in every)
    told = [(there.name, differences(ship, there)) for ship, there in zip(now, fresh, strict=True)]
    stands = "\n".join(f"{name}: {words}" for name, words in told if words)
    return {key: text for key, text in (("mine", mine), ("theirs", theirs), ("stands", stands)) if text}, names
