"""A squad as plain text, with each ship's weapons, and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import chain

from bot.render.card import Card, Roster, Team
from bot.render.plain_text import figure as figure_text
from bot.render.xwing import manual_cards_note
from bot.render.xwing.fleet import SAID, TITLE, cards_by_coverage, coverage_lines, unit
from bot.rules.text import EMPTY, N_, Code, Count, Name, Names, Sentences, Shown, Text, english, labeled
from bot.rules.xwing.cards.card_sets import key_of, title_of
from bot.rules.xwing.cards.cards import ARCS, Charges, PilotShip, Weapon
from bot.rules.xwing.cards.rows import coverage_of
from bot.rules.xwing.dice import costs
from bot.rules.xwing.table.match import engagement_order
from bot.rules.xwing.table.ship import Fleet
from bot.rules.xwing.table.squad import Squad

WORDS = Text("Ship"), Text("Type"), Text("Size")
NUMBERS = Text("Initiative"), Text("Agility"), Text("Hull")
CHARGES = Text("Shields"), Text("Force"), Text("Charges")
SQUAD = Text("{title} · squad", title=TITLE)


def squad_card(squads: Sequence[Squad], before: Fleet, after: Fleet) -> Card:
    """Return the new squads as a picture, and their unknown parts."""
    names = Names([squad.name for squad in squads])
    new = {name: ship for name, ship in after.items() if before.get(name) != ship}
    points = sum(ship.points for ship in new.values())
    counts = [Count(len(new), "ship", "ships"), *([Count(points, "point", "points")] if points else [])]
    ships = Sentences(counts, ", ")
    message = N_("{squads} join the table: {ships}.")
    if len(squads) == 1:
        message = N_("{squad} joins the table: {ships}.")
    unknown = chain.from_iterable(squad.unknown for squad in squads)
    sides = dict.fromkeys(Name(side.title) for ship in new.values() for side in ship.sides.values())
    lie_up = Text("These sides are faceup: {sides}. Flip a card with the list on the board.", sides=Names(sides))
    left = dict.fromkeys(name for ship in new.values() for name in cards_by_coverage(ship.card).get("not counted", ()))
    units = [replace(unit(ship), below=Names(map(Name, ship.titles))) for ship in engagement_order(None, new)]
    figure = Roster((Team(EMPTY, tuple(units)),)) if new else None
    outcome = Text(message, squad=names, squads=names, ships=ships)
    small = Sentences([*unknown, lie_up if sides else EMPTY, *manual_cards_note(list(left)), *set_lines(squads)])
    return Card(SQUAD, outcome, small=small, figure=figure, alt=figure_text(figure))


def question_card(squads: Sequence[Squad], mine: Sequence[str]) -> Card:
    """Return squads read for players who already have ships on the table, and the question."""
    ships, names = Count(len(mine), "ship", "ships"), Names([squad.name for squad in squads])
    asked = Text("You already have {ships} here. Should {squads} replace them?", ships=ships, squads=names)
    new = ((Name(squad.name), Names([ship.name for ship in squad.pilots])) for squad in squads)
    unknown = Sentences([sentence for squad in squads for sentence in squad.unknown])
    return Card(SQUAD, asked, facts=(*new, (Text("Already here"), Names(mine))), small=unknown, ahead="open")


def set_lines(squads: Sequence[Squad]) -> list[Text]:
    """Return the card sets used to read the squads: one sentence if they share one."""
    titles = {squad.name: title_of(squad.card_set) for squad in squads}
    if len(set(titles.values())) == 1:
        return [Text("Cards: {title}.", title=title_of(squads[0].card_set))]
    return [Text("Cards of {squad}: {title}.", squad=squad, title=title) for squad, title in titles.items()]


def squad_text(squad: Squad) -> str:
    """Return the squad as a text table, then a sentence per unknown id."""
    rows = [[*map(english, row)] for row in ((*WORDS, *NUMBERS, *CHARGES), *map(cells, squad.pilots))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head, *aligned = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    lines = [f"{squad.name} ({squad.faction})" if squad.name != squad.faction else squad.name, "", head]
    for ship, row in zip(squad.pilots, aligned, strict=True):
        lines.append(row)
        charges = {upgrade.id: upgrade.charges for upgrade in ship.upgrades}
        lines += [f"    {english(weapon_text(item, charges.get(item.upgrade, Charges())))}" for item in ship.weapons]
        fired = {weapon.upgrade for weapon in ship.weapons if weapon.cost}
        lines += [
            f"    {item.name}: {english(charges_text(item.charges))}"
            for item in ship.upgrades
            if item.charges.capacity and item.id not in fired
        ]
        lines += [f"    {english(line)}" for line in coverage_lines(ship)]
    return "\n".join([*lines, "", *map(english, [*set_lines([squad]), *squad.unknown])])


def cells(ship: PilotShip) -> tuple[Shown, ...]:
    numbers = (str(ship.initiative), str(ship.agility), str(ship.hull))
    charges = (Charges(ship.shields, ship.shields_recover), ship.force, ship.charges)
    return tuple(map(Code, (ship.name, ship.ship, ship.size, *numbers, *map(recovering, charges))))


def recovering(charges: Charges) -> str:
    """Return ``2 (+1)``: the capacity, and End Phase recovery."""
    return f"{charges.capacity} ({charges.recover:+})" if charges.recover else str(charges.capacity)


def charges_text(charges: Charges) -> Text:
    """Return ``2 charges``, ``1 charge, +1 in each End Phase``."""
    held = Count(charges.capacity, "charge", "charges")
    recover = Code(f"{charges.recover:+}")
    return Text("{held}, {recover} each End Phase", held=held, recover=recover) if charges.recover else held


def weapon_text(weapon: Weapon, charges: Charges) -> Text:
    """Return ``Proton Torpedoes: 4 dice, Front Arc, range 2-3, ordnance, needs lock, costs 1 of 2 charges``."""
    reach = str(weapon.nearest) if weapon.nearest == weapon.farthest else f"{weapon.nearest}-{weapon.farthest}"
    dice, arc = Count(weapon.value, "die", "dice"), ARCS.get(weapon.arc) or Name(weapon.arc)
    parts = [dice, arc, Text("range {reach}", reach=Code(reach))]
    parts += [Text("ordnance")] if weapon.ordnance else []
    needs = Names(map(costs.cost_name, weapon.needs), "or" if weapon.needs_any else "and")
    parts += [Text("requires {tokens}", tokens=needs)] if weapon.needs else []
    parts += [Text("costs {cost} of {charges}", cost=weapon.cost, charges=charges_text(charges))] if weapon.cost else []
    return labeled(weapon.title, Sentences(parts, ", "))


def squad_json(squad: Squad) -> dict[str, object]:
    return {
        "name": squad.name,
        "faction": squad.faction,
        "set": key_of(squad.card_set),
        "ships": [ship_to_json(ship) for ship in squad.pilots],
        "cards": {ship.name: known_json(ship) for ship in squad.pilots},
        "unknown": list(squad.unknown),
        "unread": [{"words": words, "nearest": nearest or None} for words, nearest in squad.unread],
    }


def known_json(ship: PilotShip) -> dict[str, list[str]]:
    """Return its cards' ids by coverage; a chassis by its name in lower case."""
    result: dict[str, list[str]] = {word.replace(" ", "_"): [] for word in SAID}
    for card in ship.cards:
        word = coverage_of(card, ship.pool)
        if word in SAID:
            result[word.replace(" ", "_")].append(card.id)
    return result


def ship_to_json(ship: PilotShip) -> dict[str, object]:
    plain = ("name", "pilot", "ship", "size", "initiative", "attack", "agility", "hull", "shields", "shields_recover")
    return {
        **{key: getattr(ship, key) for key in plain},
        "force": asdict(ship.force),
        "charges": asdict(ship.charges),
        "upgrades": [
            {"id": upgrade.id, "name": upgrade.name, "charges": asdict(upgrade.charges)} for upgrade in ship.upgrades
        ],
        "weapons": [weapon_to_json(weapon) for weapon in ship.weapons],
    }


def weapon_to_json(weapon: Weapon) -> dict[str, object]:
    return {
        **{key: getattr(weapon, key) for key in ("name", "arc", "value")},
        "range": [weapon.nearest, weapon.farthest],
        **{key: getattr(weapon, key) for key in ("primary", "ordnance", "needs", "needs_any", "upgrade", "cost")},
    }
