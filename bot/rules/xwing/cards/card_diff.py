"""What is new, gone and changed between two card sets, in words."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.rules.text import Code, Names, Shown, Text, term
from bot.rules.xwing.cards.card_sets import Card, CardSet
from bot.rules.xwing.cards.rows import ROWS


@dataclass(frozen=True, slots=True)
class Changed:
    """A card that both sets have with other values; ``how`` are sentences without an end."""

    label: str
    how: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Of one kind of card: labels of those that only the new set has, only the old one, and what changed."""

    new: tuple[str, ...]
    gone: tuple[str, ...]
    changed: tuple[Changed, ...]


def compare(new: CardSet, old: CardSet) -> dict[str, Difference]:
    """The differences by kind: ships, pilots, upgrades."""
    return {
        "ships": difference(new.ships, old.ships, name_of),
        "pilots": difference(new.pilots, old.pilots, lambda card: pilot_label(card, new, old)),
        "upgrades": difference(new.upgrades, old.upgrades, lambda card: f"{card['name']} ({card['slot']})"),
    }


def difference(new: Mapping[str, Card], old: Mapping[str, Card], label: Callable[[Card], str]) -> Difference:
    """Of cards by id; where two labels would be one, the id stands beside it."""
    changed = (
        Changed(f"{label(new[id_])}, {id_}", how)
        for id_ in sorted(new.keys() & old.keys())
        if (how := tuple(changes(new[id_], old[id_])))
    )
    return Difference(
        tuple(f"{label(new[id_])}, {id_}" for id_ in sorted(new.keys() - old.keys())),
        tuple(f"{label(old[id_])}, {id_}" for id_ in sorted(old.keys() - new.keys())),
        tuple(changed),
    )


def name_of(card: Card) -> str:
    return str(card["name"])


def pilot_label(card: Card, *sets: CardSet) -> str:
    """``Luke Skywalker (T-65 X-wing)``."""
    ship = next((one.ships[card["ship"]]["name"] for one in sets if card["ship"] in one.ships), card["ship"])
    return f"{card['name']} ({ship})"


NUMBERS: Final[Mapping[str, Shown]] = {
    "initiative": Text("initiative"),
    "limited": Text("limited"),
    "agility": Text("agility"),
    "hull": Text("hull"),
    "shields": Text("shields"),
    "shields_recover": Text("recovering shields"),
}
WORDS: Final[Mapping[str, Shown]] = {
    "name": Text("name"),
    "ship": Text("ship"),
    "faction": Text("faction"),
    "size": Text("size"),
    "ability": Text("ship ability"),
    "slot": Text("slot"),
}


def changes(new: Card, old: Card) -> Iterator[Text]:
    """What is different between two cards of one id; nothing for what does not matter here."""
    yield from told(new, old, NUMBERS, lambda number: number or 0)
    yield from told(new, old, WORDS, lambda word: Code(word or "none"))
    yield from told(new, old, {one: term(one) for one in ("charges", "force")}, lambda one: Code(capacity(one)))
    if new.get("attacks") != old.get("attacks"):
        now, before = arcs(new.get("attacks")), arcs(old.get("attacks"))
        yield Text("attack {now}, was {before}", now=Code(now), before=Code(before))
    yield from weapon_changes(new.get("attack"), old.get("attack"))
    yield from stats_changes(new.get("stats") or {}, old.get("stats") or {})
    if (new.get("upgrades") or []) != (old.get("upgrades") or []):
        yield Text("standard loadout {now}", now=Names(map(Code, new.get("upgrades") or ())) or Text("none"))


def told(
    new: Mapping[str, Any], old: Mapping[str, Any], names: Mapping[str, Shown], how: Callable[[Any], Shown | int]
) -> Iterator[Text]:
    """The fields with these names for people that say something else now; ``how`` they say it."""
    for field, name in names.items():
        now, before = how(new.get(field)), how(old.get(field))
        if now != before:
            yield Text("{what} {now}, was {before}", what=name, now=now, before=before)


def capacity(charges: list[int] | None) -> str:
    """``2 (+1)``: how many, and how many come back."""
    if not charges:
        return "none"
    return f"{charges[0]} ({charges[1]:+})" if charges[1] else str(charges[0])


def arcs(attacks: list[list[Any]] | None) -> str:
    return ", ".join(f"{arc} {value}" for arc, value in attacks or []) or "none"


WEAPON: Final[Mapping[str, Shown]] = {
    "arc": Text("arc"),
    "value": Text("attack dice"),
    "min": Text("nearest range"),
    "max": Text("farthest range"),
    "ordnance": Text("ordnance"),
    "needs": Text("needs"),
    "spends_charges": Text("charges for an attack"),
}


def weapon_changes(new: Mapping[str, Any] | None, old: Mapping[str, Any] | None) -> Iterator[Text]:
    if new is None or old is None:
        if new is not old:
            yield Text("is a weapon now") if old is None else Text("is no weapon any more")
        return
    yield from told(new, old, WEAPON, lambda value: Code(said(value)))


def stats_changes(new: Mapping[str, Any], old: Mapping[str, Any]) -> Iterator[Text]:
    """Own numbers of a standard loadout, or what an upgrade adds."""
    for field in dict.fromkeys([*new, *old]):
        if new.get(field) != old.get(field):
            now, before = said(new.get(field)), said(old.get(field))
            yield Text("own {what} {now}, was {before}", what=term(field), now=Code(now), before=Code(before))


def said(value: object) -> str:
    if isinstance(value, list):
        return arcs(value) if value and isinstance(value[0], list) else " or ".join(map(str, value)) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def without_rows(new: CardSet, old: CardSet) -> list[str]:
    """The new cards of which no row says what they do at the dice: nothing that they do is counted."""
    pilots = {f"pilot:{id_}": pilot_label(new.pilots[id_], new) for id_ in new.pilots.keys() - old.pilots.keys()}
    upgrades = {f"upgrade:{id_}": new.upgrades[id_]["name"] for id_ in new.upgrades.keys() - old.upgrades.keys()}
    return sorted(label for card, label in {**pilots, **upgrades}.items() if card not in ROWS)
