"""Differences between two card sets, in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from bot.rules.text import N_, Code, Message, Name, Names, Sentences, Shown, Text, labeled, term
from bot.rules.xwing.cards.card_sets import Card, CardSet
from bot.rules.xwing.cards.rows import ROWS

Differences = list[tuple[Message, list[Shown]]]
"""New, removed, and changed cards: a heading for ``kind`` and the number ``n``, and a line for each card."""


def compare(new: CardSet, old: CardSet) -> dict[Message, Differences]:
    return {
        N_("ships"): difference(new.ships, old.ships, lambda card: str(card["name"])),
        N_("pilots"): difference(new.pilots, old.pilots, lambda card: pilot_label(card, new, old)),
        N_("upgrades"): difference(new.upgrades, old.upgrades, lambda card: f"{card['name']} ({card['slot']})"),
    }


def difference(new: Mapping[str, Card], old: Mapping[str, Card], label: Callable[[Card], str]) -> Differences:
    """Compare cards by id; where two labels would be the same, the id is added."""

    def lines(cards: Mapping[str, Card], ids: Iterable[str]) -> list[Shown]:
        return [Name(f"{label(cards[id_])}, {id_}") for id_ in sorted(ids)]

    changed = {id_: how for id_ in new.keys() & old.keys() if (how := Sentences(changes(new[id_], old[id_]), "; "))}
    named = zip(lines(new, changed), sorted(changed), strict=True)
    return [
        (N_("New {kind} ({n})"), lines(new, new.keys() - old.keys())),
        (N_("Removed {kind} ({n})"), lines(old, old.keys() - new.keys())),
        (N_("Changed {kind} ({n})"), [labeled(name, changed[id_]) for name, id_ in named]),
    ]


def pilot_label(card: Card, *sets: CardSet) -> str:
    """``Luke Skywalker (T-65 X-wing)``."""
    id_ = card["ship"]
    ship = next((card_set.ships[id_]["name"] for card_set in sets if id_ in card_set.ships), id_)
    return f"{card['name']} ({ship})"


NUMBERS: Final[Mapping[str, Shown]] = {
    **{
        message: Text(message)
        for message in (N_("initiative"), N_("limited"), N_("agility"), N_("hull"), N_("shields"))
    },
    "shields_recover": Text("recovering shields"),
}
WORDS: Final[Mapping[str, Shown]] = {
    **{message: Text(message) for message in (N_("name"), N_("ship"), N_("faction"), N_("size"), N_("slot"))},
    "ability": Text("ship ability"),
}


def changes(new: Card, old: Card) -> Iterator[Text]:
    """Yield the differences between two versions of a card, as far as they matter here."""
    yield from changed_fields(new, old, NUMBERS, lambda number: number or 0)
    yield from changed_fields(new, old, WORDS, lambda word: Code(word or "none"))
    named = {item: term(item) for item in ("charges", "force")}
    yield from changed_fields(new, old, named, lambda item: Code(capacity(item)))
    if new.get("attacks") != old.get("attacks"):
        now, before = arcs(new.get("attacks")), arcs(old.get("attacks"))
        yield Text("attack {now}, was {before}", now=Code(now), before=Code(before))
    yield from weapon_changes(new.get("attack"), old.get("attack"))
    yield from stats_changes(new.get("stats") or {}, old.get("stats") or {})
    if (new.get("upgrades") or []) != (old.get("upgrades") or []):
        yield Text("standard loadout {now}", now=Names(map(Code, new.get("upgrades") or ())) or Text("none"))


def changed_fields(
    new: Mapping[str, Any], old: Mapping[str, Any], names: Mapping[str, Shown], how: Callable[[Any], Shown | int]
) -> Iterator[Text]:
    """Yield the changed fields of these display names; ``how``: formats a value."""
    for field, name in names.items():
        now, before = how(new.get(field)), how(old.get(field))
        if now != before:
            yield Text("{what} {now}, was {before}", what=name, now=now, before=before)


def capacity(charges: list[int] | None) -> str:
    """Return ``2 (+1)``: number, and recovery."""
    if not charges:
        return "none"
    return f"{charges[0]} ({charges[1]:+})" if charges[1] else str(charges[0])


def arcs(attacks: list[list[Any]] | None) -> str:
    return ", ".join(f"{arc} {value}" for arc, value in attacks or []) or "none"


WEAPON: Final[Mapping[str, Shown]] = {
    "arc": Text("arc"),
    "value": Text("attack dice"),
    "min": Text("minimum range"),
    "max": Text("maximum range"),
    "ordnance": Text("ordnance"),
    "needs": Text("requires"),
    "spends_charges": Text("charges for an attack"),
}


def weapon_changes(new: Mapping[str, Any] | None, old: Mapping[str, Any] | None) -> Iterator[Text]:
    if new is None or old is None:
        if new is not old:
            yield Text("is now a weapon") if old is None else Text("is no longer a weapon")
        return
    yield from changed_fields(new, old, WEAPON, lambda value: Code(value_text(value)))


def stats_changes(new: Mapping[str, Any], old: Mapping[str, Any]) -> Iterator[Text]:
    """Own numbers of a standard loadout, or what an upgrade adds."""
    for field in dict.fromkeys([*new, *old]):
        if new.get(field) != old.get(field):
            now, before = value_text(new.get(field)), value_text(old.get(field))
            yield Text("own {what} {now}, was {before}", what=term(field), now=Code(now), before=Code(before))


def value_text(value: object) -> str:
    if isinstance(value, list):
        return arcs(value) if value and isinstance(value[0], list) else " or ".join(map(str, value)) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def without_rows(new: CardSet, old: CardSet) -> list[str]:
    """Return the new cards without rows, whose effects are not counted."""
    pilots = {f"pilot:{id_}": pilot_label(new.pilots[id_], new) for id_ in new.pilots.keys() - old.pilots.keys()}
    upgrades = {f"upgrade:{id_}": new.upgrades[id_]["name"] for id_ in new.upgrades.keys() - old.upgrades.keys()}
    return sorted(label for card, label in {**pilots, **upgrades}.items() if card not in ROWS)
