"""Every token, charge, and damage card of X-Wing: one entry each, from which everything else is derived.

A new token needs a row in ``tables/tokens.json`` and a test; if it affects dice, also a field in ``HeldTokens``. Typed
words, JSON, ships, buttons, the board, the End Phase, odds, luck, and advice use both.

Source: rules page, Modifying dice, and Tokens on ships, per channel.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

from bot.rules.data_tables import table
from bot.rules.game import Side
from bot.rules.text import Noun, Text, term
from bot.rules.text_values import FormPlace
from bot.rules.xwing.dice.faces import Face

MAX_TOKENS: Final = 6
"""Maximum of one kind on one side of an attack."""

MAX_HELD: Final = 9
"""Maximum of one kind on one ship, charges included."""
SIZE_NEEDS: Final[Mapping[str, int]] = {"small": 1, "medium": 2, "large": 3, "huge": 3}
"""Tractor or ion tokens that affect a ship of each size. The rules page omits huge ships: as large ones."""

CARGO: Final = "supply cache"
"""The mark on a ship that carries a supply cache."""
BOTH: Final = (Side.ATTACKER, Side.DEFENDER)


class TokenShape(StrEnum):
    """The shape of a token. Circular tokens are removed in the End Phase; cargo belongs to scenarios."""

    GREEN = "circular green"
    ORANGE = "circular orange"
    RED = "red"
    BLUE = "blue"
    CHARGE = "charge"
    DAMAGE = "damage card"
    CARGO = "cargo"


def dice_token(*sides: Side) -> Any:
    """A field of ``HeldTokens``: tokens of its name, which affect dice on these sides."""
    return field(default=0, metadata={"sides": sides})


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldTokens:
    """A side's tokens in an attack: one field for each token that affects dice."""

    focus: int = dice_token(*BOTH)
    calculate: int = dice_token(*BOTH)
    force: int = dice_token(*BOTH)
    evade: int = dice_token(Side.DEFENDER)
    reinforce: int = dice_token(Side.DEFENDER)
    lock: int = dice_token(Side.ATTACKER)
    charge: int = dice_token(Side.ATTACKER)
    deplete: int = dice_token(Side.ATTACKER)
    strain: int = dice_token(Side.DEFENDER)
    tractor: int = dice_token(Side.DEFENDER)
    cloak: int = dice_token(Side.DEFENDER)


FELT: Final[Mapping[str, tuple[Side, ...]]] = {item.name: item.metadata["sides"] for item in fields(HeldTokens)}
"""Tokens that affect dice, and the sides that use them."""


REINFORCE: Final = "reinforce"
"""On a ship it also has an arc."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A kind of token: its word, its effect on dice, and where a ship keeps it.

    On dice, for the ``sides`` that can bring it. ``turns``: spend one, and one die that shows one of these faces
    becomes a hit or an evade, the first face first; ``turns_all``: all such dice do. ``rerolls``: spend one, and reroll
    any number of attack dice. ``more_dice``: roll this many more dice (fewer, if negative), however many tokens there
    are; ``leaves_after_roll``: one of them then leaves. ``adds_evade``: step 6. ``most``: maximum in one attack.

    On a ship: ``left`` and ``capacity`` are the fields of ``Ship`` that count it, if it isn't in the heap of tokens;
    ``is_capped``: the capacity is a limit. ``is_on_target``: stored as the name of the ship that has the lock on it.
    ``by_size``: no effect below the number for the ship's size. ``ship_most``: maximum on a ship. ``disarms``: the ship
    cannot attack.
    """

    name: str
    kind: TokenShape
    noun: Noun
    turns: tuple[Face, ...] = ()
    turns_all: bool = False
    rerolls: bool = False
    more_dice: int = 0
    leaves_after_roll: bool = False
    adds_evade: bool = False
    most: int = MAX_TOKENS
    left: str = ""
    capacity: str = ""
    is_capped: bool = False
    is_on_target: bool = False
    by_size: bool = False
    ship_most: int = MAX_HELD
    disarms: bool = False

    @property
    def sides(self) -> tuple[Side, ...]:
        return FELT.get(self.name, ())

    def count_text(self, count: int) -> Text:
        """Return ``no focus token``, ``1 focus token``, ``2 force charges``."""
        return self.noun.of(count) if count else Text("no {noun}", noun=term(self.noun.one))


TABLE: Final = table("xwing/tables/tokens.json", Token)

TOKENS: Final[Mapping[str, Token]] = {token.name: token for token in TABLE}


def removals_until_ineffective(name: str, count: int, size: str) -> int:
    """Return how many of ``count`` tokens a ship must lose before they stop affecting it."""
    return max(0, count - SIZE_NEEDS[size] + 1) if TOKENS[name].by_size else count


ON_SIDE: Final[Mapping[Side, Mapping[str, Token]]] = {
    side: {token.name: token for token in TABLE if side in token.sides} for side in Side
}

SPENT: Final[Mapping[Side, tuple[str, ...]]] = {
    side: tuple(name for name, token in ON_SIDE[side].items() if token.turns or token.rerolls) for side in Side
}
"""The tokens that each side spends on its own dice."""


def reluctance(name: str) -> int:
    """Rank equally many tokens: those that do more are kept, and charges before tokens that leave."""
    token = TOKENS[name]
    turns_more = token.rerolls or len(token.turns) > 1
    return 0 if turns_more else 1 if token.turns_all else 2 if token.kind is TokenShape.CHARGE else 3


KEPT_FIRST: Final[Mapping[Side, tuple[str, ...]]] = {side: tuple(sorted(SPENT[side], key=reluctance)) for side in Side}
"""Spendable tokens by side, those that the policy spends last first."""


def of_shapes(*shapes: TokenShape) -> tuple[str, ...]:
    """Return the tokens of these shapes; a lock belongs to its holder here, so it is in none."""
    return tuple(token.name for token in TABLE if token.kind in shapes and not token.is_on_target)


CIRCULAR: Final = of_shapes(TokenShape.GREEN, TokenShape.ORANGE)
"""Tokens removed in the End Phase."""
GREEN: Final = of_shapes(TokenShape.GREEN)
"""Tokens that a jam token removes, as well as locks."""
ORANGE, RED = of_shapes(TokenShape.ORANGE), of_shapes(TokenShape.RED)
RED_OR_ORANGE: Final = of_shapes(TokenShape.RED, TokenShape.ORANGE)
STAYING: Final = of_shapes(TokenShape.RED, TokenShape.BLUE, TokenShape.CARGO)
"""Tokens kept through the End Phase, as locks are."""
COUNTED: Final[Mapping[str, Token]] = {token.name: token for token in TABLE if token.left}
"""Things that a ship counts in their own fields: charges, shields, damage cards."""
KINDS: Final = (*CIRCULAR, *STAYING, *COUNTED)
"""Kinds that `/xwing token` adds and removes."""


def kind_place(kinds: Collection[str]) -> FormPlace:
    """Return a kind's place in an act's words, with hyphens for spaces. Raises ``ValueError`` for duplicates."""
    slugs = {kind.replace(" ", "-"): kind for kind in kinds}
    if len(slugs) < len(kinds):
        raise ValueError("two tokens whose names differ in a hyphen")
    return FormPlace("|".join(map(re.escape, slugs)), slugs.__getitem__, lambda kind: str(kind).replace(" ", "-"))


KIND: Final = kind_place(KINDS)
