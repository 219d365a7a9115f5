"""Card rows: data that says when a card acts, under which conditions, for what cost, and with what effect.

``{"on": "attack", "if": ["primary"], "ask": "in your bullseye arc", "cost": "", "do": "reroll 1"}`` under ``pilot:ID``,
``upgrade:ID``, ``chassis:ID`` or ``damage:TITLE``. Files: ``data/rows``, one per kind of card; ``ROWS.md`` lists every
word. A card's rows are parsed at its first use: all would take 40 ms. Rules never name a card; ``effects.py`` turns the
rows of one attack into effects.

Source: rules page, X-Wing cards, section 3.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeVar

from bot.rules.errors import BadInputError, Example, UnknownWordError
from bot.rules.game import Side
from bot.rules.json_reader import JsonReader
from bot.rules.text import Code, Text
from bot.rules.text_values import FormPlace, TextValue, value_reader
from bot.rules.xwing.cards import card_sets
from bot.rules.xwing.dice import costs, typed_sides
from bot.rules.xwing.dice.conditions import AnyCondition, AttackContext, Dealt, InWindow, Rolling, read_conditions
from bot.rules.xwing.dice.consequences import BonusAttack, Consequence, Reminder, Timing, read_deed
from bot.rules.xwing.dice.declared import AT_ROLL, LATE, SCENES, DiceEffect, DiceWindow
from bot.rules.xwing.dice.faces import OWN_POOL, Face, Pool

KINDS: Final = ("pilot", "upgrade", "chassis", "condition", "damage")

ON: Final[Mapping[str, tuple[Side, ...]]] = {
    "attack": (Side.ATTACKER,),
    "defend": (Side.DEFENDER,),
    "both": (Side.ATTACKER, Side.DEFENDER),
    "none": (),
}
"""Attacks in which a row acts; with the prefix ``friend``, those of friendly ships."""


class HowMany(StrEnum):
    """Countable things for ``as many as``, which also limit numbers that players state."""

    FRIEND_LOCKS = "friend locks"
    SHIPS = "ships"
    FRIENDS = "friends"
    ENEMIES = "enemies"
    EVERY_SHIP = "every ship"
    RED_TOKENS = "red tokens"
    THEIR_STRESS = "their stress"
    STRESS = "stress"
    THEIR_RED_OR_ORANGE = "their red or orange"
    CHARGES = "charges"
    ASKED = "asked"


HOW_MANY: Final = "how many"
"""Prefix of a question with a numeric answer; others are yes or no."""
AS_MANY: Final = re.compile(rf"as many as ({'|'.join(HowMany)})")


@dataclass(frozen=True, slots=True)
class AsMany:
    """An effect on as many dice as there are of a thing."""

    effect: DiceEffect
    of: HowMany


Act = DiceEffect | AsMany | Consequence


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """One row of a card.

    ``card``: ``upgrade:predator``. ``place``: its number among the card's rows, from 1. ``friend``: it acts in
    friendly ships' attacks. ``conditions``: known facts, all required. ``ask``: what players know. ``acts``: its
    effects for attacker and defender; the same for a one-sided or non-attack row. ``each``: cost per rerolled die.
    ``of``: the limit of a requested number; None if unknown to the bot. ``must``: mandatory. ``pool``: the only set
    with this effect, "" for both. ``times``: maximum per attack. ``itself``: no question if its ship attacks or
    defends. ``instead``: replaces the previous row, not both per attack. ``then``: only after the previous row.
    ``theirs``: the other side may use it.
    """

    card: costs.CardId
    place: int = 1
    on: tuple[Side, ...]
    friend: bool = False
    when: DiceWindow = DiceWindow.USUAL
    conditions: tuple[AnyCondition, ...] = ()
    ask: str = ""
    of: HowMany | None = None
    cost: tuple[costs.Cost, ...] = ()
    each: bool = False
    acts: tuple[tuple[Act, ...], tuple[Act, ...]]
    must: bool = False
    pool: str = ""
    times: int = 1
    itself: bool = False
    instead: bool = False
    then: bool = False
    theirs: bool = False

    @property
    def id(self) -> str:
        """The card's id without its kind."""
        return self.card.id

    @property
    def key(self) -> str:
        """``upgrade:predator[1]``."""
        return str(RowKey(self.card, self.place))

    @property
    def asks_number(self) -> bool:
        return self.ask.startswith(HOW_MANY)

    @property
    def bonus(self) -> BonusAttack | None:
        """Return the right to a bonus attack that it gives, with limits; source: X-Wing cards, section 2."""
        return next((deed for deed in self.deeds if isinstance(deed, BonusAttack)), None)

    @property
    def claim(self) -> Text:
        """Return a use's claims and costs, like ``named`` of ``modify.py``; "" for none."""
        return costs.claim(self.ask, self.cost)

    def acts_of(self, side: Side) -> tuple[Act, ...]:
        return self.acts[side is Side.DEFENDER]

    def effects(self, side: Side, numbers: Callable[[HowMany], int]) -> tuple[DiceEffect, ...]:
        """Return its dice effects when this side acts; ``numbers`` evaluates ``as many as``."""
        result: list[DiceEffect] = []
        for act in self.acts_of(side):
            if isinstance(act, AsMany):
                result += [replace(act.effect, most=act.effect.most * count)] if (count := numbers(act.of)) else []
            elif isinstance(act, DiceEffect):
                result.append(act)
        return tuple(result)

    @property
    def deeds(self) -> tuple[Consequence, ...]:
        return tuple(act for act in self.acts[0] if isinstance(act, Consequence))

    @property
    def reminder(self) -> str:
        """Return the step that players do by hand."""
        return "; ".join(deed.text for deed in self.deeds if isinstance(deed, Reminder))

    def moment(self, act: Act) -> DiceWindow:
        """Return an act's window, if not its pool's: consequences go with the row's dice."""
        if isinstance(act, AsMany):
            return self.moment(act.effect)
        if isinstance(act, Consequence):
            dice = next((item for item in self.acts[0] if not isinstance(item, Consequence)), None)
            if self.when or dice is None or act.acts is not Timing.AFTER:
                return self.when
            at_roll = isinstance(dice, DiceEffect) and dice.verb in AT_ROLL
            return DiceWindow.BEFORE_DICE if at_roll else self.moment(dice) or DiceWindow.WITH_DICE
        if act.verb == "cancel":
            is_usual = self.when is DiceWindow.MODIFY_GREEN
            return DiceWindow.USUAL if is_usual else self.when or DiceWindow.BEFORE_NEUTRALIZE
        is_for_window = act.verb in ("reroll", "add") or (act.verb == "change" and not is_worse(act))
        return DiceWindow.USUAL if is_for_window and self.when not in LATE else self.when

    def scene_of(self, act: Act) -> type[AttackContext]:
        effect, when = effect_of(act), self.moment(act)
        verb = effect.verb if isinstance(effect, DiceEffect) else ""
        if when is DiceWindow.WITH_DICE or (verb and verb not in AT_ROLL and not when):
            return InWindow if self.is_of_own_dice else AttackContext
        if isinstance(effect, Consequence) and effect.acts in (Timing.AFTER, Timing.RIGHT) and not when:
            return Dealt
        if when in (DiceWindow.USUAL, DiceWindow.MODIFY_GREEN):
            return Rolling if verb == "dice" and not (self.ask or self.cost) else AttackContext
        return SCENES[when]

    @property
    def is_of_own_dice(self) -> bool:
        """Whether its effects are on its own side's dice only."""
        pools = {effect.pool for effect in map(effect_of, self.acts[0]) if isinstance(effect, DiceEffect)}
        return pools <= {OWN_POOL[side.other if self.theirs else side] for side in self.on}

    def is_timed(self, act: Act) -> bool:
        if self.when is DiceWindow.ELSEWHERE:
            return isinstance(act, Reminder | BonusAttack)
        if self.when is DiceWindow.MODIFY_GREEN:
            return isinstance(act, DiceEffect) and (act.verb, act.pool) == ("cancel", Pool.GREEN)
        return self.moment(act) is self.when or not self.when

    @property
    def touches_dice(self) -> bool:
        return any(not isinstance(act, Consequence) for act in self.acts[0])

    @property
    def is_reminder(self) -> bool:
        """Whether it only shows its card; people pay by hand."""
        return all(isinstance(act, Reminder) for act in self.acts[0])


def effect_of(act: Act) -> DiceEffect | Consequence:
    return act.effect if isinstance(act, AsMany) else act


GOOD: Final = (Face.BLANK, Face.FOCUS, Face.HIT, Face.EVADE, Face.CRIT)
"""Faces in ascending order."""


def is_worse(effect: DiceEffect) -> bool:
    """Whether a change worsens the result."""
    return effect.to is not None and all(GOOD.index(face) > GOOD.index(effect.to) for face in effect.faces)


# Parsing

T = TypeVar("T")


def read(card: str, raw: object, place: int = 1) -> CardRow:
    """Parse a file's row. Raises ``BadInputError`` or ``UnknownWordError`` with the card and the error."""
    of = read_card(card)
    reader = JsonReader(raw, f"{card}[{place}]")
    said = reader.text("on", 20)
    on = ON.get(said.removeprefix(FRIEND))
    if on is None:
        allowed = Text("Use one of {ON}, or one of them after `friend`.", ON=Code(", ".join(ON)))
        raise BadInputError(reader.name("on"), said, allowed)
    phrases = read_phrases(reader)
    sides = [tuple(read_act(for_side(phrase, side), side) for phrase in phrases) for side in on or (Side.ATTACKER,)]
    row = CardRow(
        card=of,
        place=place,
        on=on,
        friend=said.startswith(FRIEND),
        when=DiceWindow(reader.word("when", TIMES, "")) if reader.has("when") else DiceWindow.USUAL,
        conditions=tuple(
            parse_words(read_conditions, item, reader.name("if"), CONDITIONS_LISTED) for item in reader.items("if", 8)
        ),
        ask=reader.text("ask", 80),
        of=HowMany(reader.word("of", tuple(HowMany), "")) if reader.has("of") else None,
        cost=tuple(
            parse_words(costs.read_cost, part, reader.name("cost"), COSTS_LISTED)
            for part in filter(None, reader.text("cost", 80).split(", "))
        ),
        acts=(sides[0], sides[-1]),
        each=reader.flag("each"),
        must=reader.flag("must"),
        pool=reader.word("pool", card_sets.POOLS, "") if reader.has("pool") else "",
        times=reader.take_whole_number("times", 1, 6, 1),
        itself=reader.flag("itself"),
        instead=reader.flag("instead"),
        then=reader.flag("then"),
        theirs=reader.flag("theirs"),
    )
    reader.check_all_taken()
    check_row(row, reader)
    return row


def read_card(card: str) -> costs.CardId:
    """Parse a row's card. Raises ``BadInputError``."""
    of = costs.CardId.read(card)
    if of.kind not in KINDS or not of.id:
        allowed = Text("Use one of {KINDS}, a colon, and an id.", KINDS=Code(", ".join(KINDS)))
        raise BadInputError("card", card, allowed, Example("pilot:wedgeantilles"))
    return of


def read_phrases(reader: JsonReader) -> list[str]:
    """Split a row's effects into phrases. Raises ``BadInputError`` for none."""
    do = reader.text("do", 200)
    if not do:
        raise BadInputError(reader.name("do"), do, Text("Describe what the card does in the words of ROWS.md."))
    acts, remind, sentence = do.partition("remind: ")  # a reminder is a sentence, with commas of its own
    return [*filter(None, acts.removesuffix(", ").split(", ")), *[remind + sentence] * bool(remind)]


def check_row(row: CardRow, reader: JsonReader) -> None:
    """Check that conditions, costs, and timing fit the effects. Raises ``BadInputError`` or ``UnknownWordError``."""
    for at, any_of in enumerate(row.conditions):
        for act in row.acts[0] + row.acts[1]:
            if not all(row.scene_of(act).decides(row_condition.test) for row_condition in any_of):
                why = Text("That isn't known yet when this row applies. Give it a later `when`, or ask people.")
                raise UnknownWordError(reader.name("if"), str(reader.items("if", 8)[at]), why)
    rerolls = [item for item in row.acts[0] if isinstance(item, DiceEffect) and item.verb == "reroll"]
    if row.each and not (rerolls == list(row.acts[0]) and row.cost):
        raise BadInputError(reader.name("each"), True, Text("Leave it out: only rerolls with a cost have one per die."))
    if not all(map(row.is_timed, row.acts[0])):
        raise BadInputError(reader.name("when"), row.when, Text("Leave it out: this row's effect has its own timing."))


FRIEND: Final = "friend "
TIMES: Final = tuple(when for when in DiceWindow if when not in (DiceWindow.USUAL, DiceWindow.WITH_DICE))
CONDITIONS_LISTED: Final = Text("ROWS.md lists the conditions the bot knows; it asks about the others.")
COSTS_LISTED: Final = Text("ROWS.md lists the costs.")


def parse_words(read_words: Callable[[str], T], said: object, field: str, why: Text) -> T:
    """Parse words of a row. Raises ``UnknownWordError``."""
    try:
        return read_words(str(said))
    except ValueError:
        raise UnknownWordError(field, str(said), why) from None


def for_side(phrase: str, side: Side) -> str:
    """Return one side's part of ``change 1 focus to hit / evade``."""
    first, differs, second = phrase.partition(" / ")
    if not differs or side is Side.ATTACKER:
        return first
    return second if " " in second else f"{first.rpartition(' ')[0]} {second}"


def read_act(phrase: str, side: Side) -> Act:
    """Parse one act for a side. Raises ``BadInputError`` or ``UnknownWordError``."""
    if deed := read_deed(phrase):
        return deed
    many = AS_MANY.search(phrase)
    effects = typed_sides.parse(phrase.replace(many[0], "1") if many else phrase, side, "do").line_up.effects
    if len(effects) != 1:
        raise BadInputError("do", phrase, Text("Describe what the card does in the words of ROWS.md."))
    return AsMany(effects[0], HowMany(many[1])) if many else effects[0]


def act_in_words(act: Act, *, named: bool) -> str:
    """Format an act for ``read_act``; ``named``: always with the dice color."""
    if isinstance(act, AsMany):
        return act_in_words(act.effect, named=named).replace("1", f"as many as {act.of}", 1)
    return typed_sides.write_effect(act, named=named) if isinstance(act, DiceEffect) else str(act)


# All cards' rows, and how far a card is automated

FOLDER: Final = card_sets.SHIPPED / "rows"
FILES: Final = ("pilots", "chassis", "upgrades", "weapons", "conditions", "damage")
NOT_COUNTED: Final = "not_counted"

Known = Literal["counted", "asked", "reminded", "not counted", "silent"]
"""``counted``: a row acts by itself, or has a known cost · ``claimed_costs``: every row needs a claim, in an attack or
on the board · ``reminded``: only shown by name · ``not counted``: affects dice without rows · ``silent``: affects no
dice, and never acts.
"""


class CardRows(Mapping[str, tuple[CardRow, ...]]):
    """Rows by card; a card equal to another one shares its rows, under its own name."""

    def __getitem__(self, card: str) -> tuple[CardRow, ...]:
        return _rows(card)

    def __iter__(self) -> Iterator[str]:
        return iter(_raw())

    def __len__(self) -> int:
        return len(_raw())


ROWS: Final = CardRows()


@cache
def _raw() -> Mapping[str, Any]:
    return {card: rows for name in FILES for card, rows in _file(name).items() if card != "about"}


@cache
def _rows(card: str) -> tuple[CardRow, ...]:
    rows = _raw()[card]
    own = _raw()[rows] if isinstance(rows, str) else rows
    return tuple(read(card, row, place) for place, row in enumerate(own, 1))


@cache
def _not_counted() -> Mapping[str, frozenset[str]]:
    raw = _file(NOT_COUNTED)
    return {pool: frozenset([*raw["both"], *raw[pool]]) for pool in card_sets.POOLS}


def _file(name: str) -> Mapping[str, Any]:
    path: Path = FOLDER / f"{name}.json"
    read: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


@cache
def rows_of(card: str, pool: card_sets.Pool) -> tuple[CardRow, ...]:
    return tuple(row for row in ROWS.get(card, ()) if row.pool in ("", pool))


def right_row(key: str) -> CardRow | None:
    """The row of a key, if it gives a right to a bonus attack."""
    of = ROW_KEY(key)
    rows = () if of is None else ROWS.get(of.card, ())
    return next((row for row in rows if row.key == key and row.bonus), None)


class RowKey(TextValue):
    card: str
    place: int

    forms = ("{card}[{place}]",)
    places: ClassVar[Mapping[str, FormPlace]] = {"card": FormPlace(r"[^\[]+")}


ROW_KEY: Final = value_reader(RowKey)


def touches_dice(card: str, pool: card_sets.Pool) -> bool:
    return card in _not_counted()[pool]


def coverage_of(card: str, pool: card_sets.Pool) -> Known:
    if touches_dice(card, pool):
        return "not counted"
    acting = [row for row in rows_of(card, pool) if not row.is_reminder]
    if acting:
        return "asked" if all(row.ask for row in acting) else "counted"
    return "reminded" if rows_of(card, pool) else known_outside(card, pool)


def known_outside(card: str, pool: card_sets.Pool) -> Known:
    """Return how far a card without attack rows is automated: ``data/rows/moments.json``."""
    rows = [row for row in _moments().get(card, ()) if row.get("pool", pool) == pool]
    if any("alone" in row or (row["at"] == "standing" and "remind" not in row) for row in rows):
        return "counted"
    if all("remind" in row for row in rows):
        return "reminded" if rows else "silent"
    return "asked"


@cache
def _moments() -> Mapping[str, Any]:
    return _file("moments")
