"""X-Wing's ships on cards: one ship, those that a step changed, all of a channel."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.render import text
from bot.render.card import Card, Strip, Tile
from bot.render.xwing import counted
from bot.rules.dice import Rolled
from bot.rules.pieces import Done
from bot.rules.text import EMPTY, N_, Code, Count, Message, Name, Names, Sentences, Shown, Text, beside, ended, term
from bot.rules.xwing.attack.steps import DamageDealt
from bot.rules.xwing.cards.cards import PilotShip, unquoted
from bot.rules.xwing.cards.rows import Known, known
from bot.rules.xwing.dice.tokens import CIRCULAR, GREEN, STAYING, TOKENS
from bot.rules.xwing.table.hazard import Hazard
from bot.rules.xwing.table.hurt import Happened
from bot.rules.xwing.table.match import Table, engagement_order, match_of, ships_of
from bot.rules.xwing.table.ship import Fleet, Ship, order

TITLE: Final = Name("X-Wing")
BREAKS: Final[dict[tuple[bool, bool], Text]] = {
    (False, False): EMPTY,
    (True, True): Text("Its locks and those on it break."),
    (True, False): Text("Its locks break."),
    (False, True): Text("The locks on it break."),
}
"""By whether locks of a ship break, and locks that others have on it."""
SAID: Final[Mapping[Known, Message]] = {
    "counted": N_("counted: {cards}"),
    "asked": N_("asked: {cards}"),
    "reminded": N_("only reminded: {cards}"),
    "not counted": N_("not counted: {cards}"),
}
"""How far cards are known at the dice."""
DOTS_MOST: Final = 8
"""More shields or hull than that are written as a number."""


def facts(table: Table, owners: Mapping[int, Shown] | None = None) -> tuple[tuple[Shown, Shown], ...]:
    """A name and a few lines for each ship, in the order in which they engage: the highest initiative first.

    ``owners`` are the names of the players of the channel, by number.
    """
    ships = engagement_order(match_of(table), ships_of(table))
    return tuple(
        (headline(ship, (owners or {}).get(ship.owner, EMPTY)), Sentences(lines(ship), "\n")) for ship in ships
    )


def headline(ship: Ship, owner: Shown = EMPTY) -> Shown:
    destroyed = Text("destroyed") if ship.destroyed else EMPTY
    engaged = Text("engaged") if ship.engaged else EMPTY
    docked = Text("docked on {carrier}", carrier=Name(ship.docked)) if ship.docked else EMPTY
    initiative = Text("initiative {initiative}", initiative=ship.initiative)
    return Sentences([ship.name, initiative, owner, destroyed, engaged, docked], " · ")


def lines(ship: Ship) -> Iterable[Shown]:
    """Its dice, its body, what it holds, its abilities; a line that would be empty is left out."""
    yield Text("attack {attack} · agility {agility}", attack=ship.attack, agility=ship.agility)
    message = N_("hull {dots} ({faceup})") if ship.faceup else N_("hull {dots}")
    hull = Text(message, dots=dots(ship.hull_left, ship.hull, "■□"), faceup=faceup(ship))
    shields = dots(ship.shields_left, ship.shields, "◆◇")
    yield Text("shields {dots} · {hull}", dots=shields, hull=hull) if ship.shields else hull
    if held := holding(ship):
        yield Sentences(held, " · ")
    if ship.attacks:
        yield Text("{attacks} this round", attacks=Count(ship.attacks, "attack", "attacks"))
    if ship.abilities:
        yield Code(ship.abilities)


def faceup(ship: Ship) -> Text:
    """``1 faceup``, ``2 faceup: Direct Hit!, Fuel Leak``: what everybody may see; never the facedown cards."""
    titles = Sentences(ship.faceup, ", ")
    return Text(N_("{count} faceup: {cards}") if titles else N_("{count} faceup"), count=len(ship.faceup), cards=titles)


def dots(left: int, most: int, signs: str) -> Shown:
    """``◆◆◇``: what is left of a capacity; a number where there are too many to count at a glance."""
    if most > DOTS_MOST:
        return Text("{left} of {most}", left=left, most=most)
    return Code(signs[0] * left + signs[1] * (most - left))


def holding(ship: Ship) -> list[Shown]:
    """Tokens, force, charges and the lock, in words."""
    parts = [amount(kind, ship.tokens[kind]) for kind in (*CIRCULAR, *STAYING) if kind in ship.tokens]
    parts += [Text("force {left} of {most}", left=ship.force_left, most=ship.force)] if ship.force else []
    if ship.charge or ship.charge_left:
        message = N_("charges {left} of {most}") if ship.charge else N_("charges {left}")
        parts += [Text(message, left=ship.charge_left, most=ship.charge)]
    charged = zip(ship.card.upgrades, ship.upgrade_charges, strict=True)
    held = ((one.name, left, one.charges.capacity) for one, left in charged if one.charges.capacity)
    parts += [Text("{card} {left} of {most}", card=name, left=left, most=most) for name, left, most in held]
    sides = (Name(side.title) for side in ship.sides.values())
    return [*parts, *sides, *(Text("lock on {target}", target=Name(target)) for target in ship.locks)]


def amount(kind: str, count: int) -> Text:
    """``focus``, ``2 focus``."""
    return beside(count, term(kind)) if count > 1 else term(kind)


def board(fleet: Fleet) -> Card:
    """All ships of a channel, the first to engage on top."""
    if not fleet:
        none, small = Text("No ship is on the table here."), Text("Add one: /xwing ship add")
        return Card(title=Text("{title} · ships", title=TITLE), outcome=none, small=small, ahead="open")
    lost = [ship.name for ship in order(fleet) if ship.destroyed]
    message = N_("{ships} on the table.")
    if lost:
        one = N_("{ships} on the table; {lost} is destroyed.")
        message = one if len(lost) == 1 else N_("{ships} on the table; {lost} are destroyed.")
    outcome = Text(message, ships=Count(len(fleet), "ship", "ships"), lost=Names(lost))
    return Card(title=Text("{title} · ships", title=TITLE), outcome=outcome, facts=facts(fleet))


def on_arrival(before: Ship, now: Ship, kind: str) -> list[Shown]:
    """What else happened when tokens of a kind came: what a jam took, which locks broke."""
    found: list[Shown] = []
    if kind == "jam":
        lost = [amount(name, before.has(name) - now.has(name)) for name in GREEN if now.has(name) < before.has(name)]
        lost += [Text("its lock on {target}", target=Name(one)) for one in before.locks if one not in now.locks]
        found += [Text("It takes {lost} and leaves.", lost=Names(lost))] if lost else []
    elif now.has("jam") < before.has("jam"):
        taken = amount(kind, before.has("jam") - now.has("jam"))
        found.append(Text("Its jam token takes {amount} and leaves.", amount=taken))
    if kind == "ion" and before.locks and not now.locks:
        found.append(Text("It is ionized, and its lock on {locks} breaks.", locks=Names(list(before.locks))))
    return found


def suffers(name: str, dealt: DamageDealt) -> Shown:
    """``Wedge suffers 2 hits and 1 crit (Direct Hit!).``, and that it is destroyed."""
    damage, cards = Names(counted(dealt.hits, dealt.crits)) or Text("no damage"), Sentences(dealt.titles, ", ")
    message = N_("{name} suffers {damage} ({cards}).") if cards else N_("{name} suffers {damage}.")
    suffered = Text(message, name=Name(name), damage=damage, cards=cards)
    return Sentences([suffered, Text("It is destroyed!") if dealt.destroyed and dealt.total else EMPTY])


def obstacle(name: str, hazard: Hazard, happened: Happened, before: Fleet, now: Fleet) -> Card:
    """A ship in an obstacle: the red die, the damage, the tokens, the locks that broke."""
    gained = Names([TOKENS[kind].counted(count) for kind, count in happened.tokens])
    sentences: list[Shown] = [suffers(name, happened.dealt)] if happened.dealt.total or not gained else []
    sentences += [Text("{name} gains {gained}.", name=Name(name), gained=gained)] if gained else []
    card = step(Sentences([*sentences, BREAKS[happened.breaks]]), before, now, term(hazard.name))
    return with_dice(card, [(Text("Red die"), [happened.die])])


def its_cards(ship: Ship) -> Card:
    """All cards of a ship, for its owner's eyes: its own with how far they are known, and the facedown damage too."""
    own = Sentences([*known_lines(ship.card), *silent_line(ship.card)], "\n")
    facts: list[tuple[Shown, Shown]] = [(Text("At the dice"), own)] if own else []
    outcome = Text("These are the cards of {ship}. It has no damage card.", ship=ship.name)
    if ship.cards:
        outcome = Text("{ship} has {cards}.", ship=ship.name, cards=Count(ship.cards, "damage card", "damage cards"))
        for name, held in ((Text("Facedown"), ship.facedown), (Text("Faceup"), ship.faceup)):
            facts.append((name, Sentences((title or Text("not named") for title in held), ", ") or Text("none")))
    title = Text("{title} · cards of a ship", title=TITLE)
    return Card(title=title, outcome=outcome, facts=tuple(facts), small=Text("Only you see this."))


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


def silent_line(ship: PilotShip) -> list[Text]:
    """The cards that touch no dice; none where there are none."""
    found = by_knowledge(ship).get("silent")
    return [Text("no dice: {cards}", cards=Names(found))] if found else []


def step(outcome: Shown, before: Fleet, after: Fleet, title: Shown = Text("ships")) -> Card:
    """What a step did: its sentence, and every ship that it changed as it stands now."""
    changed = {name: ship for name, ship in after.items() if before.get(name) != ship}
    return Card(title=Text("X-Wing · {about}", about=title), outcome=outcome, facts=facts(changed))


def told(who: Shown, done: Done, before: Table, after: Table) -> Card:
    """A step that everybody is shown: what somebody did, the dice of each ship, and the ships that changed."""
    outcome = ended(beside(who, done.sentence))
    return with_dice(step(outcome, ships_of(before), ships_of(after), Text("device")), done.dice)


def with_dice(card: Card, rolled: Iterable[tuple[Shown, Iterable[Rolled]]]) -> Card:
    """The card with dice, each strip under its label."""
    strips = tuple(
        Strip(label, tuple(Tile(body=die.kind, face=str(die.face)) for die in dice)) for label, dice in rolled
    )
    return replace(card, strips=strips, alt=text.strips(strips))
