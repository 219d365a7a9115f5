"""Advice in an open window of an X-Wing attack: what each choice is worth, exactly.

The side whose window it is goes on for its aim in all windows that it has left: an attacker may look through to the
damage, where the policy of the odds stops at the attack dice. The other side keeps to that policy. Tokens are never
spent without gain. Dice are told apart only by what they show and whether they may still be rerolled.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from operator import sub
from typing import Final

from bot.odds.worth import Advice, Number
from bot.odds.xwing.changes import total
from bot.odds.xwing.other import subsets
from bot.odds.xwing.question import KINDS, Question, counted, tokens
from bot.odds.xwing.score import Aim, Means
from bot.odds.xwing.tables import BLANK, FOCUS, GREEN, RANK, RED, RESULT, Counts, Die, rolled
from bot.odds.xwing.work import Work
from bot.rules.errors import NotOffered
from bot.rules.game import Choice, Offer, Side
from bot.rules.xwing import modify
from bot.rules.xwing.attack import ACTS, Attack, offers
from bot.rules.xwing.declared import Face, LineUp, Pool
from bot.rules.xwing.loose import LooseRoll

WORDS: Final[Mapping[Side, Mapping[Aim, str]]] = {
    Side.ATTACKER: {
        Aim.DAMAGE: "most damage",
        Aim.KILL: "destroy the ship",
        Aim.CRITS: "a crit",
        Aim.TOKENS: "keep tokens",
    },
    Side.DEFENDER: {
        Aim.DAMAGE: "least damage",
        Aim.KILL: "survive",
        Aim.CRITS: "no crit",
        Aim.TOKENS: "keep tokens",
    },
}

DICE: Final[Mapping[Pool, Die]] = {Pool.RED: RED, Pool.GREEN: GREEN}

DEFENDING: Final = (1, 2, 3)
"""Defense dice for which it is told what a token kept would do there."""


def aims(state: Attack | LooseRoll) -> Mapping[str, str]:
    """What may be aimed at in this window, with its words; nothing where no dice are to be modified."""
    if isinstance(state, LooseRoll) or state.window not in ACTS:
        return {}
    words = WORDS[ACTS[state.window][0]]
    return {aim.value: words[aim] for aim in Aim if aim is not Aim.KILL or state.declared.hull is not None}


def advise(state: Attack, aim: str = Aim.DAMAGE) -> tuple[Advice, ...]:
    """Every open choice, the best by the aim first, then what it would mean to keep tokens that the best one spends.

    Raises ``NotOffered`` for an aim that ``aims`` does not hold, ``BadInput`` for more than can be counted at once.
    """
    if aim not in aims(state):
        raise NotOffered
    work = Work(state.declared)
    asked = Question(state, Aim(aim), work)
    found = sorted(choices(asked), key=lambda one: one[0], reverse=True)
    best = asked.means(found[0][0])
    kept = [keeping(state, Aim(aim), work, kind) for kind in spent(asked, best)]
    return (*(advice for _, advice in found), *kept)


def choices(asked: Question) -> Iterator[tuple[int, Advice]]:
    """Each offer with its packed value; of dice to reroll the best set."""
    state, dice = asked.state, asked.state.pool(asked.pool)
    for offer in offers(state):
        if offer.closes:
            value = asked.window(asked.line).closed(asked.dice, asked.power)
            yield value, Advice(offer=offer.key, label=offer.label, numbers=numbers(asked, value))
            continue
        any_die = Choice(offer.key, tuple(option.value for option in offer.options[:1]))
        left, after = modify.apply(asked.side, asked.line, asked.pool, dice, any_die, lambda _: 0)
        if offer.options:
            yield reroll(asked, offer, left)
        else:
            value = asked.window(left).value(counted(after, asked.pool), asked.power)
            yield value, Advice(offer=offer.key, label=offer.label, numbers=numbers(asked, value))


def reroll(asked: Question, offer: Offer, left: LineUp) -> tuple[int, Advice]:
    """The best dice to reroll: of equal sets the one of more dice, then of the better results."""
    window, (fresh, done) = asked.window(left), asked.dice
    best, chosen = -1, fresh
    for thrown in thinkable(asked, offer):
        kept, count = tuple(map(sub, fresh, thrown)), sum(thrown)
        value = sum(
            ways * window.value((kept, total(done, fallen)), asked.power - count)
            for fallen, ways in rolled(DICE[asked.pool], count)
        )
        if value > best:
            best, chosen = value, thrown
    picked = taken(asked, offer, chosen)
    label = f"{offer.label.split(':')[0]}: {in_words(asked, picked)}"
    values = tuple(str(place) for place in picked)
    return best, Advice(offer=offer.key, label=label, picked=values, numbers=numbers(asked, best))


def thinkable(asked: Question, offer: Offer) -> list[Counts]:
    """Every set of dice to reroll, by result; those that the policy would think of first."""
    there = tuple(len(places(asked, offer, rank)) for rank in range(len(asked.dice[0])))
    sets = [thrown for count in range(offer.most, offer.least - 1, -1) for thrown in subsets(there, count)]
    return sorted(sets, key=lambda thrown: sum(thrown[RESULT:]) > 0 if asked.is_own else thrown[BLANK] > 0)


def places(asked: Question, offer: Offer, rank: int) -> list[int]:
    """The offered dice that show a result."""
    dice = asked.state.pool(asked.pool)
    offered = [int(option.value) for option in offer.options]
    return [place for place in offered if RANK[Face(str(dice[place].face))] == rank]


def taken(asked: Question, offer: Offer, thrown: Counts) -> list[int]:
    """The places of the dice of a set; equal ones from the left."""
    return sorted(place for rank, count in enumerate(thrown) for place in places(asked, offer, rank)[:count])


def in_words(asked: Question, picked: list[int]) -> str:
    """``reroll dice 2 and 3 (blank, focus)``."""
    numbered = [str(place + 1) for place in picked]
    shown = ", ".join(str(asked.state.pool(asked.pool)[place].face) for place in picked)
    if len(numbered) == 1:
        return f"reroll die {numbered[0]} ({shown})"
    return f"reroll dice {', '.join(numbered[:-1])} and {numbered[-1]} ({shown})"


def numbers(asked: Question, value: int) -> tuple[Number, ...]:
    """What a packed value says: of the damage, and of the tokens held how many are left in the mean."""
    means, held = asked.means(value), tokens(asked.state.side(asked.side), asked.side)
    found = [Number("damage", means.damage, False), Number("at least 1", means.hurt), Number("a crit", means.crit)]
    found += [Number("destroyed", means.kill)] if asked.state.declared.hull is not None else []
    kinds = zip(KINDS[asked.side], held, means.kept, strict=True)
    return (*found, *(Number(f"{kind} left", mean, False) for kind, count, mean in kinds if count))


def spent(asked: Question, best: Means) -> list[str]:
    """Kinds of tokens of which the best choice, played on, spends some."""
    held = tokens(asked.line, asked.side)
    return [kind for kind, count, mean in zip(KINDS[asked.side], held, best.kept, strict=True) if mean < count]


def keeping(state: Attack, aim: Aim, work: Work, kind: str) -> Advice:
    """The best without a kind of token, and for an attacker what it does in a defense of their own."""
    asked = Question(state, aim, work, kind)
    value = asked.window(asked.line).value(asked.dice, asked.power)
    found = numbers(asked, value)
    if asked.side is Side.ATTACKER and kind != "lock":
        found += tuple(
            Number(f"evades it adds to {dice} defense {'die' if dice == 1 else 'dice'}", defending(kind, dice), False)
            for dice in DEFENDING
        )
    return Advice(label=f"Keep {kind}", numbers=found)


def defending(kind: str, dice: int) -> Fraction:
    """The mean of evades that one token makes of focus results: focus turns all of them, the others one."""
    most = dice if kind == "focus" else 1
    return Fraction(sum(min(counts[FOCUS], most) * ways for counts, ways in rolled(GREEN, dice)), 8**dice)
