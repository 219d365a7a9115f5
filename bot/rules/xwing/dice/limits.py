"""What a side may do to the dice of a pool: range 0, and effects that forbid or limit.

Source: rules page, The attack, step 1; X-Wing cards, section 3 (``forbid``, ``at most``).
"""

from dataclasses import dataclass, replace
from typing import Final

from bot.rules.game import Side
from bot.rules.xwing.dice.conditions import Scene, all_hold
from bot.rules.xwing.dice.costs import token_of
from bot.rules.xwing.dice.declared import Declared, Effect, LineUp
from bot.rules.xwing.dice.deeds import AllBut, AToken, Forbidden, MaySpend
from bot.rules.xwing.dice.faces import OWN_POOL, Pool
from bot.rules.xwing.dice.pools import may_modify
from bot.rules.xwing.dice.tokens import GREEN, SPENT, TOKENS


@dataclass(frozen=True, slots=True)
class Limits:
    """What a side may do to one pool.

    ``modify``: anything but cancelling. ``rerolls`` and ``focus``: so many dice may be rerolled, so many focus results
    modified, None for any number. ``barred``: tokens that it may not spend there. ``only``: the effects of this card
    may act and no others, "" for none at all; None where all may.
    """

    modify: bool = True
    rerolls: int | None = None
    focus: int | None = None
    barred: frozenset[str] = frozenset()
    only: str | None = None

    def lets_act(self, effect: Effect) -> bool:
        """Whether an effect that modifies dice may act, be it by a token of a friend that may not be spent."""
        barred = any(token_of(name) in self.barred for name, _ in effect.cost)
        return self.modify and self.only in (None, effect.by or None) and not barred

    @property
    def is_free(self) -> bool:
        """Whether everything is allowed."""
        return self == FREE


FREE: Final = Limits()


def limits(
    declared: Declared, side: Side, pool: Pool, attack: LineUp | None = None, defense: LineUp | None = None
) -> Limits:
    """What a side may do to a pool; ``attack`` and ``defense``: what they hold now, if that is not as declared."""
    attack = declared.attack if attack is None else attack
    found = FREE
    if not may_modify(declared, side):  # nothing but by a token that a card allows
        allowed = {one.what.token for one in attack.effects if isinstance(one.what, MaySpend)}
        barred = frozenset(set(SPENT[side]) - allowed)
        found = Limits(rerolls=0, barred=barred, only="") if allowed else Limits(modify=False)
    for effect in (*attack.effects, *(defense or declared.line(Side.DEFENDER)).effects):
        is_on = effect.verb in ("forbid", "allow") and effect.pool is pool and not effect.ask
        if is_on and all_hold(effect.given, Scene(attack)):
            found = restricted(found, effect, is_owner=OWN_POOL[side] is pool, side=side)
    return found


def restricted(found: Limits, effect: Effect, *, is_owner: bool, side: Side) -> Limits:
    """The limits with one effect more. Who is not the owner is only kept from what nobody may do."""
    match effect.what:
        case Forbidden.MODIFY:
            return Limits(modify=False)
        case Forbidden.REROLL:
            return replace(found, rerolls=0)
        case Forbidden.REROLLED:
            return replace(found, rerolls=fewer(found.rerolls, effect.most)) if is_owner else found
        case Forbidden.GREEN_TOKENS:
            return replace(found, barred=found.barred | set(GREEN))
        case AToken(name) if effect.verb == "forbid":
            return replace(found, barred=found.barred | {name})
        case AToken():
            return replace(found, focus=fewer(found.focus, effect.most)) if is_owner else found
        case AllBut(name):
            return all_but(found, name, effect.by, is_owner=is_owner, side=side)
        case _:
            return found


def fewer(before: int | None, most: int) -> int:
    return most if before is None else min(before, most)


def all_but(found: Limits, allowed: str, card: str, *, is_owner: bool, side: Side) -> Limits:
    """The limits where only one token may act, or only the card that says so, "": then of its owner's enemy nothing."""
    if not is_owner:
        return found if allowed else Limits(modify=False)
    barred = found.barred | {name for name in SPENT[side] if name != allowed}
    free = allowed in TOKENS and TOKENS[allowed].rerolls
    return replace(found, rerolls=found.rerolls if free else 0, barred=barred, only="" if allowed else card)
