"""Card effects outside attacks: a class for each verb, with its words, changes, and sentence.

An effect is a verb with its subject: the card's ship, the chosen ship (``it``), or every named ship (``each``). ``Run``
applies one use's effects in order to the current table. A verb with unknown words is ``ByHand``: players do it, as the
table says.

Source: rules page, X-Wing: when cards speak outside an attack, section 4.
"""

import re
from abc import ABC
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import cycle, islice
from typing import Any, ClassVar, Final, Literal, TypeVar, cast

from bot.rules import text as texts
from bot.rules.data_tables import table
from bot.rules.dice import Rng, Rolled, roll
from bot.rules.errors import PlayerError
from bot.rules.text import EMPTY, N_, Message, Name, Names, Noun, Sentences, Shown, Text, bracketed, labeled, term
from bot.rules.text_values import FormPlace, TextValue, value_reader
from bot.rules.xwing.cards.cards import Charges, Upgrade, condition_names
from bot.rules.xwing.dice.costs import CHARGE, NEXT_CARD, CardId, Cost, Payer, amount_text, cost_name
from bot.rules.xwing.dice.faces import DICE_OF, Face, Pool
from bot.rules.xwing.dice.tokens import GREEN, TOKENS
from bot.rules.xwing.table import card_effects, score as scores, ship as ships, ship_damage
from bot.rules.xwing.table.card_facts import CREW, GROUPS, bar_of, charges_of, count
from bot.rules.xwing.table.dials import COLORS
from bot.rules.xwing.table.flying import held_cards
from bot.rules.xwing.table.match import MATCH, STAYS, Owed, Table, match_of, ships_of
from bot.rules.xwing.table.moment_rows import may_act, only_actions
from bot.rules.xwing.table.ship import Ship, give

ALL: Final = 9
"""Number for ``all`` and ``any``, above any ship's."""


class Run:
    """One use of a card: the changing table, and the sentences. ``name``: the card's ship. ``others``: the chosen
    ships; ``which``: the chosen kind or action; ``number``: the answer to ``how many``. ``acted``: the actions taken,
    each with its ship and color.
    """

    def __init__(
        self,
        table: Table,
        name: str,
        card: CardId,
        rng: Rng,
        others: Sequence[str] = (),
        which: str = "",
        number: int = 1,
    ) -> None:
        self.before, self.name, self.card, self.rng = table, name, card, rng
        self.others, self.which, self.number = tuple(others), which, number
        self.changed: dict[str, Any] = {}
        self.dice: list[Rolled] = []
        self.acted: list[tuple[str, str, str]] = []

    @property
    def table(self) -> Table:
        return {**self.before, **self.changed}

    @property
    def fleet(self) -> dict[str, Ship]:
        return ships_of(self.table)

    @property
    def own(self) -> Ship:
        return self.fleet[self.name]

    @property
    def other(self) -> Ship | None:
        return self.fleet.get(self.others[0]) if self.others else None

    def set(self, ship: Ship, also: Mapping[str, Any] | None = None) -> None:
        self.changed |= {ship.name: ship, **(also or {})}

    def choice(self, kinds: Sequence[str], ship: Ship) -> tuple[str, ...]:
        """Return the kinds in removal order: the chosen one, then the most frequent."""
        first = [self.which] if self.which in kinds else []
        return tuple(dict.fromkeys([*first, *sorted(kinds, key=lambda kind: -ship.has(kind))]))


class Verb(TextValue, ABC):
    """The effect of a row, with one text form for parsing and formatting."""

    places: ClassVar = {
        "count": FormPlace("all|any|[1-9]", lambda word: ALL if word in ("all", "any") else int(word)),
        "kinds": FormPlace(r"[a-z][a-z ]*?", lambda words: kinds_of(words), " or ".join),
        "face": FormPlace("hit|crit"),
        "trait": FormPlace(" Ship| Crew|", str.strip, lambda trait: trait and f" {trait}"),
        "side": FormPlace(".+"),
        "actions": FormPlace(r"[a-z][a-z ]*?"),
        "color": FormPlace(" red| purple| white|", str.strip, lambda color: color and f" {color}"),
        "stressed": FormPlace(" stressed|", bool, lambda so: " stressed" if so else ""),
        "is_new": FormPlace(" of a new kind|", bool, lambda so: " of a new kind" if so else ""),
        "is_for_each": FormPlace(" for each|", bool, lambda so: " for each" if so else ""),
        "is_on_bar": FormPlace(" on its bar|", bool, lambda so: " on its bar" if so else ""),
        "dice": FormPlace(
            "[1-9]|damage", lambda word: int(word) if word.isdigit() else 0, lambda dice: str(dice or "damage")
        ),
        "branches": FormPlace(".+"),
        "condition": FormPlace("[a-z]+"),
        "text": FormPlace(".+"),
        "value": FormPlace("[0-8]|asked"),
        "until": FormPlace(".*"),
    }
    says: ClassVar[Message]
    says_each: ClassVar[Message]

    @property
    def takes_other(self) -> bool:
        """Whether it needs another ship besides its target: a lock, a transfer."""
        return False

    @property
    def is_price(self) -> bool:
        """Whether the row's other effects depend on it."""
        return False

    def label(self, which: str = "") -> Text:
        """Return the button label; ``which``: the choice among several."""
        says = self.says_each if getattr(self, "is_for_each", False) else self.says
        return Text(says, what=self.subject(which))

    def subject(self, which: str = "") -> Shown:
        """Return the tokens or things in the label, with their number: ``2 charges``, ``all green tokens``."""
        kinds: tuple[str, ...] = getattr(self, "kinds", ())
        many: int = getattr(self, "count", 1)
        if thing := (which if which in kinds else getattr(self, "what", "") or getattr(self, "face", "")):
            return amount_text(many, thing) if many < ALL else Text("all {what}", what=cost_name(thing))
        group = next((name for name, held in GROUPS.items() if held == kinds), "")
        if group:
            return NOUNS[group].of(many) if many < ALL else Text("every {what}", what=term(NOUNS[group].one))
        names = Names(map(cost_name, kinds), "or")
        return texts.joined(many, names) if many < ALL else Text("all {what}", what=names)

    def options(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        """Return what its owner may choose from."""
        return ()

    def choices(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        """Return its owner's options; () for one possibility or none."""
        options = self.options(ship, card)
        return options if len(options) > 1 else ()

    def can(self, ship: Ship, card: CardId) -> bool:
        return True

    def suits(self, other: Ship) -> bool:
        """Whether the other ship has what it loses."""
        return all(deed.verb.suits(other) for deed in self.inner())

    def inner(self) -> list["Deed"]:
        """Return nested effects: after a roll, or of a choice."""
        return []

    def apply(self, run: Run, ship: Ship) -> Shown:
        """Apply it to a ship; return a sentence, or EMPTY. Effects by hand are only described."""
        return self.label()


NOUNS: Final = {item["name"]: Noun(*item["noun"]) for item in table("xwing/tables/groups.json", dict)}
"""Nouns of groups of tokens, and of damage cards by their facing and trait."""


def kinds_of(words: str) -> tuple[str, ...]:
    """Parse the tokens of ``focus or evade``, or of a group. Raises ``ValueError``."""
    result = GROUPS.get(words) or tuple(words.split(" or "))
    if not set(result) <= set(TOKENS):
        raise ValueError(words)
    return result


def held_kinds(ship: Ship, kinds: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(ship.has, kinds))


class Gain(Verb):
    """Gains tokens; ``is_for_each``: as often as players state."""

    count: int
    kinds: tuple[str, ...]
    is_for_each: bool = False
    forms = ("gain {count} {kinds}{is_for_each}",)
    says = N_("gain {what}")
    says_each = N_("gain {what} for each")

    def options(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return self.kinds

    def apply(self, run: Run, ship: Ship) -> Shown:
        kind = run.which if run.which in self.kinds else self.kinds[0]
        many = self.count * (run.number if self.is_for_each else 1)
        run.set(card_effects.give_tokens(ship, ((kind, many),)))
        return TOKENS[kind].count_text(many) if many else Text("nothing")


class Remove(Verb):
    """Loses tokens, the chosen kind first."""

    count: int
    kinds: tuple[str, ...]
    forms = ("remove {count} {kinds}",)
    says = N_("remove {what}")

    def options(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return held_kinds(ship, self.kinds) if self.count < sum(map(ship.has, self.kinds)) else ()

    def can(self, ship: Ship, card: CardId) -> bool:
        return any(map(ship.has, self.kinds))

    def apply(self, run: Run, ship: Ship) -> Shown:
        kinds = run.choice(self.kinds, ship)
        run.which = run.which or kinds[0]
        run.set(after := card_effects.without_any(ship, kinds, self.count if self.count < ALL else 99))
        gone = [TOKENS[kind].count_text(lost) for kind in self.kinds if (lost := ship.has(kind) - after.has(kind))]
        return Text("loses {tokens}", tokens=Names(gone)) if gone else Text("loses nothing")


class Transfer(Verb):
    """Moves tokens from the card's ship to the chosen one (``to it``), or back. ``is_new``: of a kind that the other
    one lacks.
    """

    count: int
    kinds: tuple[str, ...]
    way: Literal["to it", "from it to self"]
    is_new: bool = False
    forms = ("transfer {count} {kinds}{is_new} {way}",)
    says = N_("transfer {what}")

    @property
    def takes_other(self) -> bool:
        return True

    def label(self, which: str = "") -> Text:
        says = N_("take {what} from that ship") if self.way != "to it" else self.says
        return Text(says, what=self.subject(which))

    def options(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        if self.way != "to it":
            return self.kinds
        return held_kinds(ship, self.kinds) if self.count < ALL else ()

    def can(self, ship: Ship, card: CardId) -> bool:
        return self.way != "to it" or any(map(ship.has, self.kinds))

    def suits(self, other: Ship) -> bool:
        return self.way == "to it" or any(map(other.has, self.kinds))

    def apply(self, run: Run, ship: Ship) -> Shown:
        other = run.other
        if other is None:
            return Text("nothing")
        giver, taker = (ship, other) if self.way == "to it" else (other, ship)
        kinds = [kind for kind in self.kinds if not (self.is_new and taker.has(kind))]
        if run.which in self.kinds and run.which not in kinds:
            has = TOKENS[run.which].count_text(taker.has(run.which))
            raise PlayerError("{ship} has {has} already. Choose another token.", ship=taker.name, has=has)
        after = card_effects.without_any(giver, run.choice(kinds, giver), self.count if self.count < ALL else 99)
        moved = [(kind, lost) for kind in self.kinds if (lost := giver.has(kind) - after.has(kind))]
        run.set(after)
        run.set(card_effects.give_tokens(run.fleet[taker.name], moved))
        tokens = Names([TOKENS[kind].count_text(lost) for kind, lost in moved]) if moved else Text("nothing")
        return Text("{tokens} from {giver} to {taker}", tokens=tokens, giver=giver.name, taker=taker.name)


class Recover(Verb):
    """Recovers force, shields, energy, or the card's charges up to the maximum, or loses them."""

    how: Literal["recover", "lose"]
    count: int
    what: Literal["charge", "force", "shield", "energy", "calculate"]
    is_for_each: bool = False
    forms = ("{how} {count} {what}{is_for_each}",)

    def label(self, which: str = "") -> Text:
        once = N_("recover {what}") if self.how == "recover" else N_("lose {what}")
        each = N_("recover {what} for each") if self.how == "recover" else N_("lose {what} for each")
        return Text(each if self.is_for_each else once, what=self.subject(which))

    def can(self, ship: Ship, card: CardId) -> bool:
        return self.maximum(ship, card) > 0

    def maximum(self, ship: Ship, card: CardId) -> int:
        has = count(ship, card, self.what)
        if self.how == "lose":
            return has
        return (charges_of(ship, card)[1] if self.what == CHARGE else ships.room(ship, self.what)) - has

    def apply(self, run: Run, ship: Ship) -> Shown:
        many = min(self.count * (run.number if self.is_for_each else 1), self.maximum(ship, run.card))
        if many <= 0 and self.how == "recover":
            return Text("nothing")
        says, change = (N_("{what} back"), many) if self.how == "recover" else (N_("{what} lost"), -many)
        if many and self.what == CHARGE:
            run.set(card_effects.charge(ship, run.card, change))
        elif many:
            run.set(give(ship, self.what, change))
        return Text(says, what=amount_text(many, self.what))


class RecoverOther(Verb):
    """Recovers or spends another upgrade's charge, chosen by name. ``only``: recurring ones or not. ``upgrade``: any
    slot or one slot, ``the ship``, ``the ship or an upgrade``, or both and all. ``is_for_each``: as many charges as
    players state, divided among the chosen cards.
    """

    how: Literal["recover", "spend"]
    upgrade: str
    only: str = ""
    is_for_each: bool = False
    places: ClassVar = {
        **Verb.places,
        "only": FormPlace("(?:non-)?recurring |"),
        "upgrade": FormPlace(
            "an upgrade|an? [a-z]+(?: or [a-z]+)?(?: upgrade)?|the ship(?: or an upgrade| and each upgrade)?"
        ),
    }
    forms = ("{how} 1 {only}charge of {upgrade}{is_for_each}",)
    says = N_("recover 1 charge of {what}")
    says_each = N_("recover 1 charge of {what} for each")

    @property
    def is_price(self) -> bool:
        return self.how == "spend"

    def label(self, which: str = "") -> Text:
        says = N_("spend 1 charge of {what}")
        return Text(says, what=self.subject(which)) if self.is_price else super().label(which)

    def subject(self, which: str = "") -> Shown:
        return Name(which) if which else term(self.upgrade)

    def options(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return () if self.upgrade.endswith("each upgrade") else tuple(self.lacking(ship, card))

    def can(self, ship: Ship, card: CardId) -> bool:
        return bool(self.lacking(ship, card))

    def lacking(self, ship: Ship, card: CardId) -> dict[str, Ship]:
        """Return fitting cards that lack a charge, or have one, by name, each with the resulting ship."""
        slots = self.upgrade.removesuffix(" upgrade").split(" ")[1:]
        result = {}
        if self.upgrade.startswith("the ship") and ship.charge_left < ship.charge and self.fits(ship.card.charges):
            result[str(ship.name)] = give(ship, CHARGE, 1)
        for at, (item, left) in enumerate(zip(ship.card.upgrades, ship.upgrade_charges, strict=True)):
            is_fitting = (not slots or slots[-1] in ("an", "each") or item.slot in slots) and self.fits(item.charges)
            is_spent = ship.card.pool in ships.setups().get(f"upgrade:{item.id}", ships.NO_SETUP).spent
            is_there = left > 0 if self.is_price else left < item.charges.capacity and not is_spent
            if is_there and item.id != card.id and is_fitting:
                result[str(item.name)] = ships.charge_upgrade(ship, at, -1 if self.is_price else 1)
        return result

    def fits(self, charges: Charges) -> bool:
        return not self.only or bool(charges.recover) is (self.only == "recurring ")

    def apply(self, run: Run, ship: Ship) -> Shown:
        lacking = self.lacking(ship, run.card)
        if not lacking:
            return Text("nothing")
        chosen, back = [name for name in lacking if name in (run.which, *run.which.split(", "))] or [*lacking], 0
        if not self.upgrade.endswith("each upgrade"):
            chosen = list(islice(cycle(chosen), run.number)) if self.is_for_each else chosen[:1]
        for name in chosen:
            if (after := self.lacking(run.fleet[ship.name], run.card).get(name)) is not None:
                run.set(after)
                back += 1
        says = N_("{charges} of {upgrade} spent") if self.is_price else N_("{charges} of {upgrade} back")
        return Text(says, charges=TOKENS[CHARGE].noun.of(back), upgrade=Names(map(Name, dict.fromkeys(chosen))))


class Keep(Verb):
    """Keeps tokens in this End Phase; of several kinds the chosen one."""

    count: int
    kinds: tuple[str, ...]
    forms = ("keep {count} {kinds}",)
    says = N_("keep up to {what}")

    def label(self, which: str = "") -> Text:
        return super().label(which) if self.count < ALL else Text("keep {what}", what=self.subject(which))

    def options(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return held_kinds(ship, self.kinds) if self.count < ALL else ()

    def can(self, ship: Ship, card: CardId) -> bool:
        return any(ship.has(kind) > ship.keeps.get(kind, 0) for kind in self.kinds)

    def apply(self, run: Run, ship: Ship) -> Shown:
        kinds = self.kinds if self.count == ALL else run.choice(self.kinds, ship)[:1]
        run.set(replace(ship, keeps={**ship.keeps, **{kind: ship.keeps.get(kind, 0) + self.count for kind in kinds}}))
        stays = Names([TOKENS[kind].count_text(min(self.count, ship.has(kind))) for kind in kinds if ship.has(kind)])
        return Text("keeps {tokens}", tokens=stays) if stays else Text("keeps nothing")


class RecoverNone(Verb):
    """Prevents a charge or force from recovering in this End Phase; of several the chosen one."""

    forms = ("recover no charge or force",)
    says = N_("prevent the recovery of {what}")

    def subject(self, which: str = "") -> Shown:
        said = cost_name(which) if which.islower() else Name(which)
        return said if which else Names(map(cost_name, (CHARGE, "force")), "or")

    def options(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return ships.recovering(ship)

    def apply(self, run: Run, ship: Ship) -> Shown:
        options = ships.recovering(ship) or ("",)
        chosen = run.which if run.which in options else options[0]
        run.set(replace(ship, keeps={**ship.keeps, chosen: 1}))
        return self.label(chosen)


class Suffer(Verb):
    count: int
    face: str
    forms = ("suffer {count} {face}",)
    says = N_("suffer {what}")

    def apply(self, run: Run, ship: Ship) -> Shown:
        hits, crits = (self.count, 0) if self.face == "hit" else (0, self.count)
        after, dealt, decks = ship_damage.suffer(run.table, ship, hits, crits, run.rng)
        run.set(after, decks)
        what = amount_text(self.count, self.face)
        return bracketed(what, Names(map(Name, dealt.titles))) if dealt.titles else what


class Repair(Verb):
    """Turns faceup damage cards facedown: one, by trait, or all; discards a facedown one. ``how``: discards even a
    faceup one.
    """

    how: Literal["repair", "discard"]
    count: int
    facing: Literal["faceup", "facedown"]
    trait: str = ""
    is_for_each: bool = False
    forms = ("{how} {count} {facing}{trait} card{is_for_each}",)
    says = N_("repair {what}")
    says_each = N_("repair {what} for each")

    def label(self, which: str = "") -> Text:
        return super().label(which) if self.how == "repair" else Text("discard {what}", what=self.subject(which))

    def subject(self, which: str = "") -> Shown:
        cards = NOUNS[f"{self.facing} {self.trait}".strip()]
        if which:
            return Name(which)
        return cards.of(self.count) if self.count < ALL else Text("every {what}", what=term(cards.one))

    def fitting(self, ship: Ship) -> tuple[str, ...]:
        if self.facing == "facedown":
            return ship.facedown
        return tuple(name for name in ship.faceup if not self.trait or (name in CREW) == (self.trait == "Crew"))

    def options(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        is_chosen = self.facing == "faceup" and self.count < ALL
        return tuple(dict.fromkeys(filter(None, self.fitting(ship)))) if is_chosen else ()

    def can(self, ship: Ship, card: CardId) -> bool:
        return bool(self.fitting(ship))

    def apply(self, run: Run, ship: Ship) -> Shown:
        done = list[Name]()
        for _ in range(self.count * (run.number if self.is_for_each else 1)):
            fitting = self.fitting(ship)
            if not fitting:
                break
            title = run.which if run.which in fitting else fitting[0]
            if self.facing == "facedown":
                ship, _ = ship_damage.draw_facedown(ship, run.rng)
                done.append(Name("1"))
            else:
                ship = ship_damage.turn_facedown(ship, title)
                ship = ship if self.how == "repair" else ships.damage_ship(ship, facedown=ship.facedown[:-1])
                done.append(Name(title))
        run.set(replace(ship, wrecked=ship.wrecked and not (self.facing == "facedown" and self.count == ALL)))
        if not done:
            return Text("nothing to repair")
        if self.how == "discard":
            return self.label(done[-1] if self.facing == "faceup" else "")
        if self.facing == "facedown":
            return Text("repairs a facedown card")
        return Text("repairs {cards}", cards=Names(done))


class Flip(Verb):
    """Flips the card, or another upgrade of the ship by id or slot."""

    upgrade: str = ""
    places: ClassVar = {**Verb.places, "upgrade": FormPlace("[a-z0-9]+")}
    forms = ("flip", "flip {upgrade}")
    says = N_("flip the card")

    def apply(self, run: Run, ship: Ship) -> Shown:
        word, cards = self.upgrade or run.card.id, ship.card.upgrades
        place = next((place for place in ship.sides if word in (cards[place].id, cards[place].slot)), None)
        if place is None:
            return Text("flip the card by hand")
        run.set(after := ships.flip(ship, place))
        return Text("now {side}", side=Name(after.sides[place].title))


class ItLocks(Verb):
    """Locks what the other ship locked last, a ship that the card's is locking, the attack's defender, or the active
    ship. The other ship is the chosen one, or the card's.
    """

    target: str
    places: ClassVar = {
        **Verb.places,
        "target": FormPlace("same object|locked ship|defender|attacker|active ship|enemy"),
    }
    forms = ("lock the {target}",)
    says = N_("acquire a lock on the {what}")

    def subject(self, which: str = "") -> Shown:
        return term(self.target)

    def choices(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return ship.locks if self.target == LOCKED_SHIP else ()

    def apply(self, run: Run, ship: Ship) -> Shown:
        match, other = match_of(run.table), run.other if ship.name == run.name else run.own
        named = {
            "same object": other.locks[-1] if other is not None and other.locks else "",
            LOCKED_SHIP: run.which or next(iter(run.own.locks), ""),
            "defender": run.own.last_target,
            "attacker": last_attacker(run.fleet, ship),
            "active ship": match.active if match is not None else "",
            "enemy": next((name for name in run.others if run.fleet[name].owner != ship.owner), ""),
        }
        if self.target == "enemy":
            friends = [name for name in run.others if run.fleet[name].owner == run.own.owner]
            if not friends or len(run.others) != len(friends) + 1:
                raise PlayerError("Choose friendly ships, and exactly one enemy for them to lock.")
            if ship.name not in friends:
                return EMPTY
        return acquire_lock(run, ship, Name(named[self.target]))


LOCKED_SHIP: Final = "locked ship"


def last_attacker(fleet: Mapping[str, Ship], ship: Ship) -> str:
    """Return the ship that attacked this one last: ships with a lower initiative attack later. "" if there is none."""
    attackers = (item for item in fleet.values() if item.last_target == ship.name)
    last = min(attackers, key=lambda item: (not item.attacks, item.initiative), default=None)
    return last.name if last is not None else ""


def acquire_lock(run: Run, ship: Ship, target: Name) -> Text:
    """Give a ship a lock unless it can't have it; a jam token removes the lock and itself."""
    try:
        run.changed |= ships.lock(run.fleet, ship.name, target)
    except PlayerError:
        return Text("no lock")
    return Text("the jam token removes the lock") if ship.has("jam") else Text("locks {ship}", ship=target)


class SetInitiative(Verb):
    """Sets the ship's initiative to this, another ship's, or a chosen one, until the end of the round; with ``, to
    engage`` or ``, to activate`` only when it acts.
    """

    value: str | None = None
    until: str = ""
    places: ClassVar = {**Verb.places, "until": FormPlace("(?:, .+| until .+)?")}
    forms = ("initiative ={value}{until}", "initiative as it{until}", "initiative as self{until}")
    says = N_("have initiative {what}")

    @property
    def takes_other(self) -> bool:
        return not self.value

    def label(self, which: str = "") -> Text:
        return Text("have the initiative of your choice") if self.value == ASKED else super().label(which)

    def subject(self, which: str = "") -> Shown:
        return Name(self.value) if self.value else Text("of the other ship")

    def apply(self, run: Run, ship: Ship) -> Shown:
        other = (run.other if ship.name == run.name else run.own) or ship
        value = run.number if self.value == ASKED else int(self.value) if self.value else other.initiative_value
        treated = {} if self.until.startswith(", to ") else {ships.TREATED: value}
        run.set(replace(ship, acts_at=value, keeps={**ship.keeps, **treated}))
        return Text("initiative {number}", number=value)


ASKED: Final = "asked"


class Action(Verb):
    """Grants an action: tokens, stress if red, force if purple; the press tells that it was done. ``is_on_bar``: only
    actions on the ship's bar.
    """

    actions: str
    color: str = ""
    stressed: bool = False
    is_on_bar: bool = False
    forms = ("act {actions}{color}{stressed}{is_on_bar}",)
    says = N_("perform an action: {what}")

    def label(self, which: str = "") -> Text:
        is_open = self.actions in OPEN and not which
        return Text("perform {what}", what=self.subject()) if is_open else super().label(which)

    def granted_actions(self, ship: Ship | None = None) -> tuple[str, ...]:
        """Return the actions it grants, if required only those on the ship's bar."""
        bar = bar_of(ship) if ship is not None and self.is_on_bar else ()
        only = only_actions(ship) if ship is not None else ()
        if self.actions in OPEN:
            granted = bar or only or ("focus", "evade", "calculate", "another action")
        else:
            granted = tuple(self.actions.split(" or "))
        return tuple(action for action in granted if action in (bar or granted) and action in (only or granted))

    def subject(self, which: str = "") -> Shown:
        granted = (self.actions,) if self.actions in OPEN else self.granted_actions()
        what = Names(map(action_named, (which,) if which else granted), "or")
        on_bar = Text("on the action bar") if self.is_on_bar and not which else EMPTY
        noted = Sentences(filter(None, (COLORED.get(self.color, EMPTY), on_bar)), ", ")
        return bracketed(what, noted) if noted else what

    def options(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return self.granted_actions(ship)

    def can(self, ship: Ship, card: CardId) -> bool:
        granted = self.granted_actions(ship)
        is_done = ship.flight is not None and ship.flight.is_done_acting
        if not granted or is_done or (self.color == "purple" and not ship.force_left):
            return False
        return self.stressed or not ship.has("stress") or not {"any", *granted}.isdisjoint(may_act(ship))

    def apply(self, run: Run, ship: Ship) -> Shown:
        options = self.granted_actions(ship)
        if not options:
            return Text("no action: its cards allow none of these")
        action = run.which if run.which in options else options[0]
        run.which = run.which or action  # what follows may ask which it was
        gained = "disarm" if action == "slam" else action
        if gained in (*GREEN, "cloak", "disarm") and ship.has(gained) < ships.room(ship, gained):
            ship = give(ship, gained, 1)
        if self.color:
            kind, change = {"red": ("stress", 1), "purple": ("force", -1)}.get(self.color, ("", 0))
            ship = give(ship, kind, change) if kind else ship
        run.set(ship)
        run.acted.append((ship.name, action, self.color or "white"))
        return self.label(action)


OPEN: Final = ("any", "white", "the same")
"""Words of an action that its owner chooses: any, a white one, or another ship's last one."""
COLORED: Final[Mapping[str, Text]] = {"red": COLORS["R"].says, "purple": COLORS["P"].says, "white": COLORS["W"].says}
ACTIONS: Final[Mapping[str, Text]] = {
    "any": Text("an action"),
    "white": Text("a white action"),
    "the same": Text("the same action"),
    "another action": Text("another action"),
    "barrel roll": Text("barrel roll"),
    "boost": Text(N_("boost", "what a card does, in a list")),
    "coordinate": Text("coordinate"),
    "jam": Text("jam"),
    "lock": Text("lock"),
    "reload": Text("reload"),
    "rotate arc": Text("rotate arc"),
    "slam": Text("SLAM"),
}


def action_named(action: str) -> Shown:
    return ACTIONS.get(action) or cost_name(action)


class IfNotOnBar(Verb):
    """An effect after an action that is not on the ship's bar; unknown for a ship without a card."""

    then: str
    places: ClassVar = {**Verb.places, "then": FormPlace(".+")}
    forms = ("{then} if not on its bar",)
    says = N_("{what} if that isn't on the action bar")

    def label(self, which: str = "") -> Text:
        return Text(self.says, what=read_deed(self.then).label())

    def inner(self) -> list["Deed"]:
        return [read_deed(self.then)]

    def apply(self, run: Run, ship: Ship) -> Shown:
        bar = bar_of(ship)
        return read_deed(self.then).apply(run) if bar and run.which not in bar else EMPTY


BRANCHES: Final[Mapping[str, Text]] = {
    "any": Text("any result"),
    "else": Text("anything else"),
    "none": Text("if nothing came of that"),
}
FACES: Final = frozenset(face.value for face in Face) | BRANCHES.keys()
"""Words for a die's faces in ``Roll``."""


class Roll(Verb):
    """Rolls dice with effects by face: ``roll 1 red: hit or crit: gain 1 stress; else: ...``. ``any``: every face;
    ``else``: those in no earlier branch; ``none``: a roll without any effect. ``dice``: 0 for one per damage card of
    the ship.
    """

    dice: int
    pool: Literal["red", "green"]
    branches: str
    forms = ("roll {dice} {pool}: {branches}",)
    says = N_("roll {what}: {then}")
    says_each = N_("roll {what} for each damage card: {then}")

    def label(self, which: str = "") -> Text:
        branches = self.split_branches()
        named = [[BRANCHES.get(word) or cost_name(word) for word in words.split(" or ")] for words, _ in branches]
        then = [labeled(Names(words, "or"), deed.label()) for words, (_, deed) in zip(named, branches, strict=True)]
        says, dice = self.says if self.dice else self.says_each, DICE_OF[Pool(self.pool)].of(self.dice or 1)
        return Text(says, what=dice, then=Sentences(then, "; "))

    def split_branches(self) -> list[tuple[str, "Deed"]]:
        """Return the words for faces, as in the row, with their effects."""
        parts = (part.partition(": ") for part in self.branches.split("; "))
        return [(faces, read_deed(deed)) for faces, _, deed in parts]

    def parsed(self) -> list[tuple[frozenset[str], "Deed"]]:
        """Return the faces with their effects. Raises ``ValueError`` for invalid faces."""
        result = [(frozenset(faces.split(" or ")), deed) for faces, deed in self.split_branches()]
        if unknown := {face for faces, _ in result for face in faces} - FACES:
            raise ValueError(unknown)
        return result

    def inner(self) -> list["Deed"]:
        return [deed for _, deed in self.parsed()]

    def can(self, ship: Ship, card: CardId) -> bool:
        return any(deed.verb.can(ship, card) for deed in self.inner())

    def apply(self, run: Run, ship: Ship) -> Shown:
        pool = Pool.RED if self.pool == "red" else Pool.GREEN
        fell = roll(pool.value, pool.faces, self.dice or ship.cards, run.rng, f"for {run.card}")
        run.dice += fell
        said: list[Shown] = [Sentences([term(str(die.face)) for die in fell], ", ")]
        named = set[str]()
        for faces, deed in self.parsed():
            for die in fell:
                face = Face(str(die.face)).value
                if face in faces or "any" in faces or ("else" in faces and face not in named):
                    said.append(deed.apply(run, run.fleet[ship.name]))
            named |= faces
        if len(said) == 1:
            said += [deed.apply(run, run.fleet[ship.name]) for faces, deed in self.parsed() if "none" in faces]
        return Sentences(said, ": ") if len(said) < 3 else Sentences([said[0], Sentences(said[1:], ", ")], ": ")


class OnCard(Verb):
    """Tokens come to lie on the card, from the supply (``place``) or the ship, or move from there to a ship."""

    how: Literal["place", "move"]
    count: int
    kinds: tuple[str, ...]
    way: Literal["on the card", "to the card", "from the card to it", "from the card to self"]
    forms = ("{how} {count} {kinds} {way}",)

    @property
    def takes_other(self) -> bool:
        return self.way == "from the card to it"

    @property
    def is_onto(self) -> bool:
        return not self.way.startswith("from")

    def label(self, which: str = "") -> Text:
        says = N_("place {what} on the card") if self.is_onto else N_("move {what} from the card")
        return Text(says, what=self.subject(which))

    def held_kinds(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        """Return the kinds of which one lies where it moves from."""
        if self.is_onto:
            return held_kinds(ship, self.kinds) if self.how == "move" else self.kinds
        return tuple(kind for kind in self.kinds if ship.on_cards.get(f"{kind} on {card.id}", 0))

    def options(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return self.held_kinds(ship, card) if self.count < ALL else ()

    def can(self, ship: Ship, card: CardId) -> bool:
        return bool(self.held_kinds(ship, card))

    def apply(self, run: Run, ship: Ship) -> Shown:
        held = self.held_kinds(ship, run.card)
        kinds = held if self.count == ALL else ([run.which] if run.which in held else held[:1])
        on_cards, came = dict(ship.on_cards), []
        for kind in kinds:
            key = f"{kind} on {run.card.id}"
            many = self.count if self.is_onto else min(self.count, on_cards[key])
            on_cards[key] = on_cards.get(key, 0) + (many if self.is_onto else -many)
            came.append((kind, many))
        run.set(replace(ship, on_cards={name: many for name, many in on_cards.items() if many}))
        if not came:
            return Text("nothing")
        tokens = Names([TOKENS[kind].count_text(many) for kind, many in came])
        if self.is_onto:
            run.set(card_effects.without_any(run.fleet[ship.name], kinds if self.how == "move" else (), 1))
            return Text("{tokens} on the card", tokens=tokens)
        target = run.fleet[run.other.name if self.takes_other and run.other is not None else ship.name]
        run.set(card_effects.give_tokens(target, came))
        return Text("{ship} gets {token}", ship=target.name, token=tokens)


class Assign(Verb):
    """Assigns the ship a condition card."""

    condition: str
    forms = ("assign {condition}",)
    says = N_("assign {what}")

    def subject(self, which: str = "") -> Shown:
        return condition_names().get(self.condition, Name(self.condition))

    def apply(self, run: Run, ship: Ship) -> Shown:
        run.set(replace(ship, conditions=tuple(dict.fromkeys((*ship.conditions, self.condition)))))
        return Text("{ship} has {what}", ship=ship.name, what=self.subject())


class Exchange(Verb):
    """Exchanges selected tokens of the two named ships, as ``Vader: 2 stress``."""

    kinds: tuple[str, ...]
    forms = ("exchange {kinds}",)
    says = N_("transfer {what} between them")

    def subject(self, which: str = "") -> Shown:
        return term(NOUNS[next(name for name, held in GROUPS.items() if held == self.kinds)].many)

    def choices(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return tuple(f"{ship.name}: {many + 1} {kind}" for kind in self.kinds for many in range(ship.has(kind)))

    def apply(self, run: Run, ship: Ship) -> Shown:
        taker = next(name for name in run.others if name != ship.name)
        chosen = [item.rpartition(": ")[2] for item in self.choices(ship, run.card) if item in run.which.split(", ")]
        moved = {kind: int(many) for many, kind in (item.split(" ", 1) for item in chosen)}
        for kind, many in moved.items():
            run.set(give(run.fleet[ship.name], kind, -many))
        run.set(card_effects.give_tokens(run.fleet[taker], moved.items()))
        return Names([TOKENS[kind].count_text(many) for kind, many in moved.items()]) if moved else Text("nothing")


class TakeUpgrade(Verb):
    """Moves a destroyed ship's upgrade to the card's ship, with all its charges."""

    slot: str
    places: ClassVar = {"slot": FormPlace("[a-z ]+")}
    forms = ("pass its {slot} upgrade",)
    says = N_("equip {what}")

    def subject(self, which: str = "") -> Shown:
        return Name(which) if which else bracketed(Text("an upgrade of that ship"), term(self.slot))

    def fitting(self, ship: Ship) -> dict[str, Upgrade]:
        return {str(item.name): item for item in ship.card.upgrades if item.slot == self.slot}

    def choices(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return tuple(self.fitting(ship))

    def can(self, ship: Ship, card: CardId) -> bool:
        return bool(self.fitting(ship))

    def apply(self, run: Run, ship: Ship) -> Shown:
        taken = self.fitting(ship).get(run.which) or next(iter(self.fitting(ship).values()), None)
        if taken is None:
            return Text("nothing")
        printed = run.own.printed and replace(run.own.printed, upgrades=(*run.own.printed.upgrades, taken))
        charges = (*run.own.upgrade_charges, taken.charges.capacity)
        run.set(replace(run.own, printed=printed, upgrades=(*run.own.upgrades, taken.id), upgrade_charges=charges))
        return self.label(str(taken.name))


# Verbs without parameters


@dataclass(frozen=True, slots=True)
class PlainVerb:
    """An effect without places: its label, its function, whose sentence is the label where it returns None, whether it
    needs another ship, and which ships it may change.
    """

    label: Text
    apply: "Doing"
    takes_other: bool = False
    can: Callable[[Ship], bool] = bool


PLAIN: Final[dict[str, PlainVerb]] = {}


Doing = Callable[[Run, Ship], Shown | None]
D = TypeVar("D", bound=Doing)


def plain(words: str, label: Text, **more: Any) -> Callable[[D], D]:
    """Register a function as the verb of these words; ``more``: fields of ``PlainVerb``."""

    def register(apply: D) -> D:
        PLAIN[words] = PlainVerb(label, apply, **more)
        return apply

    return register


@plain("suffer 1 facedown card", Text("suffer 1 facedown damage card"))
def suffer_card(run: Run, ship: Ship) -> Shown:
    bare, _, decks = ship_damage.suffer(run.table, replace(ship, shields_left=0), 1, 0, run.rng)
    run.set(replace(bare, shields_left=ship.shields_left), decks)
    return Text("1 facedown damage card")


@plain("expose 1", Text("expose 1 damage card"), can=lambda ship: bool(ship.facedown))
def expose(run: Run, ship: Ship) -> Shown:
    if not ship.facedown:
        return Text("no card to expose")
    changes, title = ship_damage.expose(run.table, ship.name, run.rng)
    run.changed |= changes
    return Text("exposes {card}", card=title or Text("an unnamed card"))


@plain("repair this card", Text("repair this card"))
def repair_this(run: Run, ship: Ship) -> Shown:
    if run.card.id in ship.faceup:
        run.set(ship_damage.turn_facedown(ship, run.card.id))
    return Text("it is repaired")


@plain("reveal all damage", Text("reveal all damage cards, discard Direct Hit! and Pilot cards, repair the rest"))
def reveal_damage(run: Run, ship: Ship) -> Shown:
    kept = [title for title in (*ship.faceup, *ship.facedown) if title not in (*CREW, "Direct Hit!")]
    run.set(after := ships.damage_ship(replace(ship, wrecked=False), faceup=(), facedown=kept))
    return Text("hull {number}", number=after.hull_left)


@plain("lock it", Text("acquire a lock"), takes_other=True, can=lambda ship: not ships.is_affected(ship, "ion"))
def lock_it(run: Run, ship: Ship) -> Shown:
    return acquire_lock(run, ship, run.other.name if run.other is not None else Name(""))


def break_locks(run: Run, ship: Ship, most: int) -> Shown:
    for item in [item for item in run.fleet.values() if ship.name in item.locks][:most]:
        run.set(replace(item, locks=ship_damage.remove_locks(item.locks, ship.name)))
    return Text("the locks on it break") if most > 1 else Text("the lock breaks")


plain("break all locks on you", Text("break all locks on it"))(lambda run, ship: break_locks(run, ship, ALL))
plain("break 1 lock on you", Text("break 1 lock on it"))(lambda run, ship: break_locks(run, ship, 1))


@plain("break the lock", Text("break the lock"))
def break_lock(run: Run, ship: Ship) -> Shown:
    run.set(replace(ship, locks=ship_damage.remove_locks(ship.locks, run.name)))
    return Text("the lock breaks")


@plain("pass the locks of enemies", Text("enemies' locks move from it to this ship"))
def take_locks(run: Run, ship: Ship) -> Shown:
    for item in run.fleet.values():
        if ship.name in item.locks and item.owner != ship.owner:
            locks = (run.name if target == ship.name else target for target in item.locks)
            run.set(replace(item, locks=tuple(dict.fromkeys(locks))))
    return Text("enemies' locks move to {ship}", ship=Name(run.name))


ONE_LOCK: Final = TOKENS["lock"].noun


@plain(
    "transfer all locks to it",
    Text("transfer {what}", what=Text("every {what}", what=term(ONE_LOCK.one))),
    takes_other=True,
    can=lambda ship: bool(ship.locks),
)
def give_locks(run: Run, ship: Ship) -> Shown:
    return move_locks(run, ship, run.other or ship, ship.locks)


@plain("transfer 1 lock from it to self", Text("transfer {what}", what=ONE_LOCK.of(1)), takes_other=True)
def take_lock(run: Run, ship: Ship) -> Shown:
    giver = run.other or ship
    return move_locks(run, giver, ship, giver.locks[-1:])


def move_locks(run: Run, giver: Ship, taker: Ship, moved: Sequence[str]) -> Shown:
    run.set(replace(giver, locks=tuple(target for target in giver.locks if target not in moved)))
    return Names([acquire_lock(run, run.fleet[taker.name], Name(target)) for target in moved])


@plain("place 1 fuse on the device", Text("place 1 fuse marker on the device"))
def add_fuse(run: Run, ship: Ship) -> Shown:
    match = match_of(run.table)
    at = max((at for at, item in enumerate(match.mat) if item.by == ship.name), default=None) if match else None
    if match is None or at is None:
        return Text("it has placed no device")
    fused = replace(match.mat[at], fuse=match.mat[at].fuse + 1)
    run.changed[MATCH] = replace(match, mat=(*match.mat[:at], fused, *match.mat[at + 1 :]))
    return Text("1 fuse marker on {device}", device=fused.name)


@plain("act no more", Text("perform no other action"))
def act_no_more(run: Run, ship: Ship) -> None:
    if ship.flight is not None:
        run.set(replace(ship, flight=replace(ship.flight, is_done_acting=True)))


@plain(
    "gain the focus and evade of the locked ship", Text("gain as many focus and evade tokens as the locked ship has")
)
def gain_as_locked(run: Run, ship: Ship) -> Shown:
    locked = run.fleet.get(ship.locks[-1]) if ship.locks else None
    gained = [(kind, locked.has(kind)) for kind in ("focus", "evade") if locked is not None and locked.has(kind)]
    run.set(card_effects.give_tokens(ship, gained))
    return Names([TOKENS[kind].count_text(many) for kind, many in gained]) if gained else Text("nothing")


@plain("remove condition", Text("remove the condition"))
def remove_condition(run: Run, ship: Ship) -> Shown:
    run.set(replace(ship, conditions=tuple(condition for condition in ship.conditions if condition != run.card.id)))
    return Text("the condition is removed")


@plain("deploy at once", Text("deploy in an emergency (1 crit, no action)"))
def deploy_at_once(run: Run, ship: Ship) -> Shown:
    run.changed |= ships.dock(run.fleet, ship)
    came = Suffer(1, "crit").apply(run, run.fleet[ship.name])
    return Text("it deploys: {came}", came=came)


@plain("keep its action", Text("keep its action"))
def keep_action(run: Run, ship: Ship) -> Shown:
    if ship.flight is not None:
        run.set(replace(ship, flight=replace(ship.flight, skips="", may=False)))
    return Text("it may take its action")


def keep(what: str, many: int) -> Doing:
    """Return a verb's effect that a ship keeps something until the round ends."""
    return lambda run, ship: run.set(replace(ship, keeps={**ship.keeps, what: many}))


for words, many in (("phase", 1), ("End Phase", 2)):
    says = N_("it stays until the end of the phase") if many == 1 else N_("it stays until the end of the End Phase")
    plain(f"stay until the end of the {words}", Text(says))(keep(STAYS, many))
for words, says_next in NEXT_CARD.items():
    plain(words, says_next)(keep(words, 1))


@plain("engage now", Text("that ship engages now, at the current initiative"), takes_other=True)
def engage_now(run: Run, ship: Ship) -> None:
    """Let the chosen ship engage at the current initiative."""
    if match := match_of(run.table):
        run.set(replace(run.other or ship, acts_at=match.initiative))


@plain("score 2 points", Text("score {what} points", what=2))
def score(run: Run, ship: Ship) -> None:
    if match := match_of(run.table):
        card = Name(held_cards(ship).get(run.card, run.card.id))
        earned = scores.earn(match.score, ship.owner, 2, card, match.last_round)
        run.changed[MATCH] = replace(match, score=earned)


@plain("destroy self", Text("be destroyed"))
def destroy_self(run: Run, ship: Ship) -> Shown:
    run.set(replace(ship, wrecked=True))
    return Text("it is destroyed")


class Plain(Verb):
    """An effect in words without parameters."""

    words: str
    forms = ("{words}",)
    places: ClassVar = {"words": FormPlace("|".join(map(re.escape, PLAIN)))}

    @property
    def takes_other(self) -> bool:
        return PLAIN[self.words].takes_other

    def label(self, which: str = "") -> Text:
        return PLAIN[self.words].label

    def can(self, ship: Ship, card: CardId) -> bool:
        return PLAIN[self.words].can(ship)

    def apply(self, run: Run, ship: Ship) -> Shown:
        return PLAIN[self.words].apply(run, ship) or self.label()


class Two(Verb):
    """Interface of a verb with a choice between two effects."""

    first: str
    second: str
    places: ClassVar = {**Verb.places, "first": FormPlace(".+"), "second": FormPlace(".+")}

    def inner(self) -> list["Deed"]:
        return [read_deed(self.first), read_deed(self.second)]


class Either(Two):
    """The owner's choice of one of several effects."""

    forms = ("{first} or else {second}",)

    @property
    def all(self) -> tuple[str, ...]:
        """Return the words of all effects to choose from."""
        verb = read_deed(self.first).verb
        return (*(verb.all if isinstance(verb, Either) else (self.first,)), self.second)

    def label(self, which: str = "") -> Text:
        return Names([read_deed(words).label() for words in self.all], "or")

    def choices(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        able = (verb for words in self.all if (verb := read_deed(words).verb).can(ship, card))
        return tuple(words for verb in able for words in of_each_kind(verb, ship, card))

    def can(self, ship: Ship, card: CardId) -> bool:
        return bool(self.choices(ship, card))

    def suits(self, other: Ship) -> bool:
        return any(read_deed(words).verb.suits(other) for words in self.all)

    def apply(self, run: Run, ship: Ship) -> Shown:
        able = self.choices(ship, run.card) or (self.first,)
        able = tuple(words for words in able if run.other is None or read_deed(words).verb.suits(run.other)) or able
        return read_deed(run.which if run.which in able else able[0]).verb.apply(run, ship)


def of_each_kind(verb: Verb, ship: Ship, card: CardId) -> list[str]:
    """Return a verb's words for each kind of token to choose from; else its own."""
    kinds = verb.choices(ship, card) if isinstance(verb, Gain | Remove | Transfer) else ()
    return [str(replace(cast("Gain", verb), kinds=(kind,))) for kind in kinds] or [str(verb)]


class Both(Two):
    """Two effects in order, chosen together."""

    forms = ("{first} and also {second}",)

    def label(self, which: str = "") -> Text:
        return Names([deed.label() for deed in self.inner()])

    def apply(self, run: Run, ship: Ship) -> Shown:
        return Names([deed.apply(run, run.fleet[ship.name]) for deed in self.inner()])


class OtherChooses(Two):
    """Either of two effects, chosen per ship by its owner, or by their opponent."""

    who: Literal["opponent", "owner"]
    forms = ("{who} chooses: {first} or else {second}",)

    def label(self, which: str = "") -> Text:
        says = N_("the opponent chooses: {what}") if self.who == "opponent" else N_("its owner chooses: {what}")
        return Text(says, what=Names([deed.label() for deed in self.inner()], "or"))

    def apply(self, run: Run, ship: Ship) -> Shown:
        if match := match_of(run.table):
            by = self.who == "opponent"
            owed = Owed(run.name, run.card, ship.name, self.first, self.second, is_opponents=by)
            run.changed[MATCH] = replace(match, owed=(*match.owed, owed))
        return self.label()


class Unless(Two):
    """An effect that its ship's owner may replace by another one, if possible."""

    forms = ("{first} unless {second}",)
    says = N_("{what}, unless it chooses: {other}")

    def label(self, which: str = "") -> Text:
        return Text(self.says, what=read_deed(self.first).label(which), other=read_deed(self.second).label())

    def choices(self, ship: Ship, card: CardId) -> tuple[str, ...]:
        return read_deed(self.first).verb.choices(ship, card)

    def apply(self, run: Run, ship: Ship) -> Shown:
        match, first = match_of(run.table), read_deed(self.first)
        if match is None or not read_deed(self.second).verb.can(ship, run.card):
            return first.verb.apply(run, ship)
        owed = Owed(run.name, run.card, ship.name, self.first, self.second, run.which)
        run.changed[MATCH] = replace(match, owed=(*match.owed, owed))
        labels = {"first": first.label(run.which), "second": read_deed(self.second).label()}
        return Text("its owner chooses: {first}, or {second}", **labels)


class MarkUsed(Verb):
    """Notes on a ship, until the end of the round, that the card was used on it: its attack rows ask for that."""

    text: str
    forms = ("mark: {text}",)

    def label(self, which: str = "") -> Text:
        return term(self.text)

    def apply(self, run: Run, ship: Ship) -> Shown:
        run.set(replace(ship, keeps={**ship.keeps, run.card: 1}))
        return self.label()


class MayAct(Verb):
    """Lets a stressed ship take actions, all or these (``moment_rows.MAY_ACT``); where it is used, all, for a round."""

    actions: str = ""
    in_red: bool = False
    places: ClassVar = {
        **Verb.places,
        "actions": FormPlace("(?:[a-z].*? )?", str.strip, lambda said: said and f"{said} "),
        "in_red": FormPlace(" as red|", bool, lambda so: " as red" if so else ""),
    }
    forms = ("may act {actions}stressed{in_red}",)
    says = N_("may perform actions while stressed: {what}")

    def label(self, which: str = "") -> Text:
        return super().label() if self.actions else Text("may perform actions while stressed")

    def subject(self, which: str = "") -> Shown:
        what = Names(map(action_named, self.actions.split(" or ")), "or")
        return bracketed(what, COLORED["red"]) if self.in_red else what

    def apply(self, run: Run, ship: Ship) -> Shown:
        run.set(replace(ship, acts_stressed=True))
        return self.label()


class PlaceDevice(Verb):
    """A device placed by hand; those with known effects are offered elsewhere (``DEVICES``). ``drop``: not launched."""

    how: Literal["device", "drop"]
    text: str
    forms = ("{how} {text}",)
    says = N_("place {what}")

    def label(self, which: str = "") -> Text:
        return super().label() if self.how == "device" else Text("drop {what}", what=self.subject())

    def subject(self, which: str = "") -> Shown:
        return term(self.text)


class ByHand(Verb):
    """A step by hand, or done elsewhere by the table, in its own words; ``is_bare``: not a reminder."""

    text: str
    is_bare: bool = False
    forms = ("remind: {text}",)

    def label(self, which: str = "") -> Text:
        return term(self.text)


VERBS: Final[tuple[type[Verb], ...]] = (
    *(OtherChooses, Unless, Roll, IfNotOnBar, Either, Both, Plain, Gain, Remove, Transfer, Recover, RecoverOther),
    *(Keep, RecoverNone, Suffer, Repair, Flip, ItLocks, SetInitiative, MayAct, PlaceDevice, Action, OnCard),
    *(Assign, Exchange, TakeUpgrade, MarkUsed),
)


OPEN_RESULTS: Final = (ByHand, Action, PlaceDevice, Roll, OtherChooses, Suffer, Exchange)
"""Verbs that players finish, or that need no trial: whether they change something isn't known, or is certain."""


class Subject(StrEnum):
    """The target of an effect: the card's ship, the chosen ship, every named ship. ``YOU``: the card's ship if a choice
    is another ship's.
    """

    SELF = ""
    IT = "it"
    EACH = "each"
    YOU = "you"


@dataclass(frozen=True, slots=True)
class Deed:
    verb: Verb
    subject: Subject = Subject.SELF

    @property
    def is_by_hand(self) -> bool:
        return isinstance(self.verb, ByHand)

    @property
    def is_bare(self) -> bool:
        """Whether its words are the row's, for something done elsewhere."""
        return isinstance(self.verb, ByHand) and self.verb.is_bare

    @property
    def parts(self) -> Iterator["Deed"]:
        yield self
        for deed in self.verb.inner():
            yield from deed.parts

    def label(self, which: str = "") -> Text:
        """Return the button label: ``it: gain 1 focus``."""
        said = self.verb.label(which)
        is_own = self.subject is Subject.SELF or isinstance(self.verb, ByHand | Exchange | TakeUpgrade)
        return said if is_own else labeled(WHOM[self.subject], said)

    def ships(self, run: Run) -> Iterator[Ship]:
        if self.subject in (Subject.SELF, Subject.YOU):
            yield run.own
            return
        for name in run.others if self.subject is Subject.EACH else run.others[:1]:
            if name in run.fleet:
                yield run.fleet[name]

    def apply(self, run: Run, own: Ship | None = None) -> Shown:
        """Apply it; return the sentence. ``own``: the acting ship if not the card's."""
        parts, which = list[Shown](), run.which
        chosen = dict(item.split(OF_SHIP) for item in which.split(", ") if OF_SHIP in item)
        for ship in [own] if own is not None and self.subject is Subject.SELF else self.ships(run):
            run.which = chosen.get(ship.name, run.which)
            came = self.verb.apply(run, ship)
            parts.append(came if self.subject is Subject.SELF else labeled(ship.name, came))
        return Sentences(parts, ", ")


OF_SHIP: Final = " · "
"""Between a ship and its own choice among several ships' ones."""
WHOM: Final[Mapping[Subject, Text]] = {
    Subject.IT: Text("that ship"),
    Subject.EACH: Text("each of them"),
    Subject.YOU: Text("the ship with this card"),
}
_verb: Final = cast("Callable[[str], Verb | None]", value_reader(*VERBS))
SAID: Final = re.compile(r"(?:(it|each|you) )?(.+)")


@cache
def read_deed(words: str) -> Deed:
    """Parse an effect; unknown words are done by hand."""
    said = SAID.fullmatch(words)
    if said is None:
        raise ValueError(words)
    try:
        verb = _verb(said[2])
    except ValueError:
        verb = None
    if verb is None and not said[2].startswith("remind: "):
        return Deed(ByHand(words, is_bare=True))
    verb = verb or ByHand(said[2].removeprefix("remind: "))
    return Deed(verb, Subject(said[1] or ""))


# Costs


def pay(run: Run, cost: Iterable[Cost]) -> list[Shown]:
    """Pay a card's cost on a run's table; return what was suffered or exposed. Raises ``PlayerError``."""
    said = list[Shown]()
    for item in cost:
        payer = run.other if item.payer is Payer.SHIP else run.own
        if payer is None:
            continue
        if item.what in ("hit", "crit"):
            said.append(Suffer(item.count, item.what).apply(run, payer))
        elif item.what == "expose":
            said.append(expose(run, payer))
        elif item.what == CHARGE:
            run.set(card_effects.charge(payer, run.card, -item.count))
        elif item.what == "lock":
            first = (*run.others, payer.last_target, payer.locks[0])
            on = next(name for name in first if name in payer.locks)
            run.set(replace(payer, locks=ship_damage.remove_locks(payer.locks, on)))
        elif item.is_gained or item.what in ("jam", "disarm", "tractor"):
            run.set(card_effects.give_tokens(payer, ((item.what, item.count),)))
        else:
            kinds = GROUPS.get(item.what.removesuffix(" token"), (item.what,))
            run.set(card_effects.without_any(payer, kinds, item.count))
    return said
