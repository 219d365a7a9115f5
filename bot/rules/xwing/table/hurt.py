"""Damage to ships of the table outside an attack: obstacles, mines and bombs, and damage cards that are turned.

Source: rules page, step 7, Rolls for what lies on the mat, and Squads and data. Every function gives the pieces that
change, by name.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.rules.dice import Rng, Rolled, roll
from bot.rules.errors import BadInput, Known, PlayerError
from bot.rules.text import EMPTY, N_, UNNAMED, Count, Name, Names, Sentences, Shown, Text, bracketed, term
from bot.rules.xwing.attack.steps import DamageDealt
from bot.rules.xwing.cards.deck import DECKS, Deck, Decks, FaceupEffect, draw, effects_at, hits_become_crits
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table.fleet import find
from bot.rules.xwing.table.hazard import Hazard
from bot.rules.xwing.table.match import Changes, Table, engage, ships_of
from bot.rules.xwing.table.ship import Ship, damaged, give, jam, room

TYPED_MOST: Final = 10
"""Hits, or crits, of one mine or bomb."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """What an obstacle did: the pieces that change, the die, the damage, and the tokens that came.

    ``breaks`` says whether locks of the ship break, and locks that others have on it.
    """

    changes: Changes
    die: Rolled
    dealt: DamageDealt
    tokens: tuple[tuple[str, int], ...]
    breaks: tuple[bool, bool]


def suffer(table: Table, ship: Ship, hits: int, crits: int, rng: Rng) -> tuple[Ship, DamageDealt, dict[str, Decks]]:
    """Damage to a ship of the table: the ship, what came of it, and the damage decks if a card was drawn."""
    decks = decks_of(table)
    owned = [one for one in ships_of(table).values() if one.owner == ship.owner]
    deck = decks.deck(ship.owner, [title for one in owned for title in (*one.facedown, *one.faceup)])
    hurt, left, dealt = deal_to(ship, deck, hits, crits, rng)
    return hurt, dealt, {DECKS: decks.with_deck(ship.owner, left)} if left != deck else {}


def decks_of(table: Table) -> Decks:
    found = table.get(DECKS)
    return found if isinstance(found, Decks) else Decks(piles={})


def typed_damage(table: Table, name: str, hits: int, crits: int, rng: Rng) -> tuple[Changes, DamageDealt]:
    """Damage that people say: of a mine, a bomb, a collision. Raises ``BadInput`` for none."""
    if not hits + crits:
        raise BadInput("hits", 0, Text("Use at least 1 hit or 1 crit."))
    ship = find(ships_of(table), name)
    hurt, dealt, decks = suffer(table, ship, hits, crits, rng)
    return {ship.name: hurt, **decks}, dealt


def obstacle(table: Table, name: str, hazard: Hazard, rng: Rng, takes: str = "") -> Happened:
    """A ship moves through an obstacle or overlaps it: one red die, damage, tokens, locks that break.

    ``takes`` is what a jam token takes. Raises ``PlayerError`` for a remote, which nothing of this touches.
    """
    fleet = ships_of(table)
    ship = find(fleet, name)
    if ship.is_remote:
        raise PlayerError(Text("{ship} is a remote; obstacles do nothing to it.", ship=ship.name))
    (die,) = roll(Pool.RED.value, Pool.RED.faces, 1, rng, f"for the {hazard.name}")
    comes = hazard.comes(Face(str(die.face)))
    holders = [one for one in fleet.values() if hazard.breaks_locks and ship.name in one.locks]
    breaks = hazard.breaks_locks and bool(ship.locks), bool(holders)
    changes: Changes = {one.name: replace(one, locks=unlocked(one.locks, ship.name)) for one in holders}
    ship = replace(ship, locks=()) if hazard.breaks_locks else ship
    hurt, dealt, decks = suffer(table, ship, comes.pop("hits", 0), comes.pop("crits", 0), rng)
    for kind, count in comes.items():
        hurt = jam(hurt, count, takes) if kind == "jam" else gains(hurt, kind, count)
    changes |= {ship.name: hurt, **decks}
    return Happened(changes=changes, die=die, dealt=dealt, tokens=tuple(comes.items()), breaks=breaks)


def unlocked(locks: Iterable[str], target: str) -> tuple[str, ...]:
    return tuple(one for one in locks if one != target)


def in_words(happened: Happened) -> Text:
    """``The red die shows hit: 2 hits, 1 stress token, all its locks and those on it break``."""
    hits, crits = happened.dealt.hits, happened.dealt.crits
    parts: list[Shown] = [Count(hits, "hit", "hits")] if hits else []
    parts += [Count(crits, "crit", "crits")] if crits else []
    parts += [Name(f"({', '.join(happened.dealt.titles)})")] if happened.dealt.titles else []
    gained = [TOKENS[kind].counted(count) for kind, count in happened.tokens]
    comes = Sentences([Sentences(parts), *gained, BREAKS[happened.breaks]], ", ") or Text("nothing more")
    return Text("The red die shows {face}: {comes}", face=term(str(happened.die.face)), comes=comes)


BREAKS: Final[dict[tuple[bool, bool], Text]] = {
    (False, False): EMPTY,
    (True, True): Text("its locks and those on it break"),
    (True, False): Text("its locks break"),
    (False, True): Text("the locks on it break"),
}
"""By ``Happened.breaks``."""


def gains(ship: Ship, token: str, count: int) -> Ship:
    """The ship with so many more tokens, as far as it has room."""
    return give(ship, token, min(count, room(ship, token) - ship.has(token)))


# Damage cards


def repair(table: Table, name: str, rng: Rng, title: str = "") -> Changes:
    """A faceup card of that title is turned facedown; without a title a facedown one, chosen by chance, is discarded.

    Raises ``PlayerError`` where there is none.
    """
    ship = find(ships_of(table), name)
    if title:
        return {ship.name: turned_down(ship, faceup_card(ship, title))}
    if not ship.facedown:
        raise PlayerError(Text("{ship} has no facedown damage card. Name a faceup card to repair it.", ship=ship.name))
    return {ship.name: drawn(ship, rng)[0]}


def drawn(ship: Ship, rng: Rng) -> tuple[Ship, Name]:
    """The ship without one of its facedown cards, chosen by chance, and the title of that."""
    place = rng(len(ship.facedown))
    return damaged(ship, facedown=(*ship.facedown[:place], *ship.facedown[place + 1 :])), ship.facedown[place]


def faceup_card(ship: Ship, title: str) -> str:
    """The title of a faceup card of a ship, whatever its case. Raises ``BadInput`` naming those that it has."""
    titles, asked = tuple(filter(None, ship.faceup)), title.strip().casefold()
    found = next((one for one in titles if one.casefold() == asked), None)
    if found is None and not titles:
        all_down = Text("All damage cards of {ship} are facedown. Leave the card out.", ship=ship.name)
        raise BadInput("card", title, all_down)
    if found is None:
        cards = Text("Use a faceup card of {ship}: {cards}.", ship=ship.name, cards=Names(titles, "or"))
        raise BadInput("card", title, Known(titles, cards))
    return found


def expose(table: Table, name: str, rng: Rng) -> tuple[Changes, str]:
    """One facedown card, chosen by chance, is turned faceup and does what it does when it is dealt; its title.

    Raises ``PlayerError`` where there is none.
    """
    ship = find(ships_of(table), name)
    if not ship.facedown:
        raise PlayerError(Text("{ship} has no facedown damage card to expose.", ship=ship.name))
    ship, title = drawn(ship, rng)
    ship, hits = damaged(ship, faceup=(*ship.faceup, title)), 0
    for name_, effect in effects_at((title,), "when dealt"):
        ship, hits = happens(ship, name_, effect), hits + effect.hits
    hurt, _, decks = suffer({**table, ship.name: ship}, ship, hits, 0, rng)
    return {ship.name: hurt, **decks}, title


def before_engaging(table: Table, ship: Ship, rng: Rng) -> tuple[Ship, dict[str, Decks], tuple[Text, ...]]:
    """What faceup cards do to a ship before it engages: Console Fire, Disabled Power Regulator; a line for each."""
    decks, lines = dict[str, Decks](), list[Text]()
    for title, effect in effects_at(ship.faceup, "before engaging"):
        hits, shown, titles = effect.hits, EMPTY, tuple[str, ...]()
        if effect.rolls:
            (die,) = roll(Pool.RED.value, Pool.RED.faces, 1, rng, f"for {title}")
            hits, shown = (hits if die.face == Face.HIT else 0), term(str(die.face))
        if hits:
            ship, dealt, more = suffer({**table, **decks, ship.name: ship}, ship, hits, 0, rng)
            decks, titles = decks | more, dealt.titles
        for kind, count in effect.tokens:
            ship = gains(ship, kind, count)
        gained: list[Shown] = [TOKENS[kind].counted(count) for kind, count in effect.tokens]
        if hits:
            hit = Count(hits, "hit", "hits")
            gained.append(bracketed(hit, Names(map(Name, titles))) if titles else hit)
        gets = Sentences(gained, ", ") or Text("nothing")
        message = N_("{card} ({face}): {ship} gets {gets}") if shown else N_("{card}: {ship} gets {gets}")
        lines.append(Text(message, card=Name(title), face=shown, ship=ship.name, gets=gets))
    return ship, decks, tuple(lines)


def engages(table: Table, name: str, rng: Rng, *, anyway: bool = False) -> tuple[Changes, tuple[Shown, ...]]:
    """A ship engages without attacking, after what its faceup cards do before that. Raises as ``match.engage``."""
    changes: Changes = dict(engage(table, name, anyway=anyway))
    ship = find(ships_of(table), name)
    hurt, decks, lines = before_engaging({**table, **changes}, changes[ship.name], rng)
    return {**changes, **decks, ship.name: hurt}, lines


def deal_to(ship: Ship, deck: Deck, hits: int, crits: int, rng: Rng) -> tuple[Ship, Deck, DamageDealt]:
    """Step 7 on a ship as it stands: the ship, the deck of its player, and what came of it.

    Cards are drawn without looking, one for each result past the shields. What a faceup card does when it is dealt, or
    after a crit (Direct Hit!, Fuel Leak, Panicked Pilot), happens at once. That ends, for every further hit comes from
    a card that is then turned facedown.
    """
    before = ship
    waiting, titles = deque(["hit"] * hits + ["crit"] * crits), list[Name]()
    facedown = 0
    while waiting:
        result = waiting.popleft()
        if ship.shields_left:
            ship = replace(ship, shields_left=ship.shields_left - 1)
            continue
        title, deck = (UNNAMED, deck) if ship.is_remote else draw(deck, rng)
        is_crit = not ship.is_remote and (result == "crit" or hits_become_crits(ship.faceup))
        if not is_crit or not title:
            ship, facedown = damaged(ship, facedown=(*ship.facedown, title or UNNAMED)), facedown + 1
            continue
        leaks = effects_at(ship.faceup, "after a crit")
        ship = damaged(ship, faceup=(*ship.faceup, title))
        titles.append(title)
        for name, effect in (*effects_at((title,), "when dealt"), *leaks):
            ship = happens(ship, name, effect)
            waiting.extendleft(["hit"] * effect.hits)
    dealt = DamageDealt(
        hits=hits,
        crits=crits,
        shields_lost=before.shields_left - ship.shields_left,
        facedown=facedown,
        faceup=len(titles),
        titles=tuple(titles),
        destroyed=ship.destroyed,
    )
    return ship, deck, dealt


def happens(ship: Ship, title: str, effect: FaceupEffect) -> Ship:
    """What a faceup card does to its ship beside hits: tokens come, and it is turned facedown if it is repaired."""
    for token, count in effect.tokens:
        ship = gains(ship, token, count)
    return turned_down(ship, title) if effect.repaired else ship


def turned_down(ship: Ship, title: str) -> Ship:
    """The ship with one faceup card of that title turned facedown."""
    faceup = list(ship.faceup)
    faceup.remove(Name(title))
    return damaged(ship, faceup=faceup, facedown=(*ship.facedown, Name(title)))
