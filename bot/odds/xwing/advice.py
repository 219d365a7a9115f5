"""Advice in an open window of an X-Wing attack: what each choice leads to, exactly.

The side whose window it is plays on for its aim in all windows that it has left: an attacker may look through to the
damage, where the policy of the odds stops at the attack dice. The opponent keeps to that policy. Tokens are never spent
without gain. Dice are told apart only by what they show and whether they may still be rerolled.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from operator import sub
from typing import Final

from bot.odds.advice import Advice, Number
from bot.odds.xwing.advice_search import Aim, Expected, OpenWindow, count_dice, tokens
from bot.odds.xwing.dice import (
    BLANK,
    GREEN_DIE,
    RANK,
    RESULT,
    Budget,
    Counts,
    rolls,
    summed,
)
from bot.odds.xwing.own_window import DICE
from bot.odds.xwing.search import selections
from bot.rules.errors import NotOffered
from bot.rules.game import Choice, Offer, Side
from bot.rules.text import N_, Count, Names, Sentences, Shown, Text, labelled, term
from bot.rules.xwing.attack.attack import ACTS, Attack, offers
from bot.rules.xwing.dice import modify
from bot.rules.xwing.dice.declared import LineUp
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.dice.loose import LooseRoll
from bot.rules.xwing.dice.tokens import ON_SIDE, SPENT, TOKENS

WORDS: Final[Mapping[Side, Mapping[Aim, Shown]]] = {
    Side.ATTACKER: {
        Aim.DAMAGE: Text("most damage"),
        Aim.KILL: Text("destroy the ship"),
        Aim.CRITS: Text("a crit"),
        Aim.TOKENS: Text("keep tokens"),
    },
    Side.DEFENDER: {
        Aim.DAMAGE: Text("least damage"),
        Aim.KILL: Text("survive"),
        Aim.CRITS: Text("no crit"),
        Aim.TOKENS: Text("keep tokens"),
    },
}

DEFENDING: Final = (1, 2, 3)
"""Defense dice for which advice says what a token kept would do there."""


def aims(state: Attack | LooseRoll) -> Mapping[str, Shown]:
    """The aims to choose from in this window, with their words; empty where no dice are to be modified."""
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
    state = replace(state, declared=replace(state.declared, by_hand=()))  # advice is the same for dice on camera
    budget = Budget(state.declared)
    window = OpenWindow(state, Aim(aim), budget)
    found = sorted(choices(window), key=lambda one: one[0], reverse=True)
    best = window.expected(found[0][0])
    kept = [keeping(state, Aim(aim), budget, kind) for kind in spent(window, best)]
    return (*(replace(advice, is_best=value == found[0][0]) for value, advice in found), *kept)


def choices(window: OpenWindow) -> Iterator[tuple[int, Advice]]:
    """Each offer with its packed value; of dice to reroll the best set. What waits for a number is not known yet."""
    state = window.state
    known = (one for one in state.modifications if modify.HOW_MANY not in [field.key for field in one.fields])
    for offer in (*map(as_list, known), *(one for one in offers(state) if one.closes)):
        if offer.closes:
            value = window.play_on(window.line).closed(window.dice, window.exponent)
            yield value, Advice(offer=offer.key, label=offer.label, numbers=numbers(window, value))
            continue
        any_die = Choice(offer.key, tuple(option.value for option in offer.options[:1]))
        left, after = modify.apply(state.on_dice, any_die, lambda _: 0)
        if offer.options:
            yield reroll(window, offer, left)
        else:
            value = window.play_on(left).value(count_dice(after, window.pool), window.exponent)
            yield value, Advice(offer=offer.key, label=offer.label, numbers=numbers(window, value))


def as_list(offer: Offer) -> Offer:
    """A reroll that asks in a form which dice it takes, as one that lists them."""
    return replace(offer, options=offer.fields[0].options, fields=()) if offer.fields else offer


def reroll(window: OpenWindow, offer: Offer, left: LineUp) -> tuple[int, Advice]:
    """The best dice to reroll: of equal sets the one of more dice, then of the better results."""
    played, (fresh, done) = window.play_on(left), window.dice
    best, chosen = -1, fresh
    for rerolled in reroll_candidates(window, offer):
        kept, count = tuple(map(sub, fresh, rerolled)), sum(rerolled)
        value = sum(
            ways * played.value((kept, summed(done, fallen)), window.exponent - count)
            for fallen, ways in rolls(DICE[window.pool], count)
        )
        if value > best:
            best, chosen = value, rerolled
    # Of equal dice those from the left.
    picked = sorted(place for rank, count in enumerate(chosen) for place in places(window, offer, rank)[:count])
    label = labelled(source(offer.label), in_words(window, picked))
    values = tuple(str(place) for place in picked)
    return best, Advice(offer=offer.key, label=label, picked=values, numbers=numbers(window, best))


def reroll_candidates(window: OpenWindow, offer: Offer) -> list[Counts]:
    """Every set of dice to reroll, by result; those that the policy would think of first."""
    there = tuple(len(places(window, offer, rank)) for rank in range(len(window.dice[0])))
    sets = [rerolled for count in range(offer.most, offer.least - 1, -1) for rerolled in selections(there, count)]
    return sorted(sets, key=lambda rerolled: sum(rerolled[RESULT:]) > 0 if window.is_own else rerolled[BLANK] > 0)


def places(window: OpenWindow, offer: Offer, rank: int) -> list[int]:
    """The offered dice that show a result."""
    dice = window.state.pool(window.pool)
    offered = [int(option.value) for option in offer.options]
    return [place for place in offered if RANK[Face(str(dice[place].face))] == rank]


def source(label: Shown) -> Shown:
    """The token or card that an offer names first."""
    places = label.places if isinstance(label, Text) else {}
    if "label" in places:  # before a value, or before what is said besides
        return places["label"] if "value" in places else source(places["label"])
    return places.get("token") or places.get("card") or label


def in_words(window: OpenWindow, picked: list[int]) -> Text:
    """``reroll dice 2 and 3 (blank, focus)``."""
    numbered = [str(place + 1) for place in picked]
    shown = Sentences([term(str(window.state.pool(window.pool)[place].face)) for place in picked], ", ")
    message = N_("reroll die {dice} ({shown})") if len(numbered) == 1 else N_("reroll dice {dice} ({shown})")
    return Text(message, dice=Names(numbered), shown=shown)


def numbers(window: OpenWindow, value: int) -> tuple[Number, ...]:
    """What a packed value says: of the damage, and how many of the tokens held are left on average."""
    expected, held = window.expected(value), tokens(window.state.side(window.side), window.side)
    found = [Number(Text("average damage"), expected.damage, is_probability=False, is_main=True)]
    found += [Number(Text("at least 1 damage"), expected.hurt), Number(Text("a crit"), expected.crit)]
    found += [Number(Text("destroyed"), expected.kill, is_main=True)] if window.state.declared.hull is not None else []
    kinds = zip(SPENT[window.side], held, expected.kept, strict=True)
    return (
        *found,
        *(
            Number(Text("{kind} left", kind=term(kind)), mean, is_probability=False)
            for kind, count, mean in kinds
            if count
        ),
    )


def spent(window: OpenWindow, best: Expected) -> list[str]:
    """Kinds of tokens of which the best choice, played on, spends some."""
    held = tokens(window.line, window.side)
    return [kind for kind, count, mean in zip(SPENT[window.side], held, best.kept, strict=True) if mean < count]


def keeping(state: Attack, aim: Aim, budget: Budget, kind: str) -> Advice:
    """The best without a kind of token, and for an attacker what it does in a defense of their own."""
    window = OpenWindow(state, aim, budget, kind)
    value = window.play_on(window.line).value(window.dice, window.exponent)
    found = numbers(window, value)
    if window.side is Side.ATTACKER and kind in ON_SIDE[Side.DEFENDER]:
        for dice in DEFENDING:
            name = Text("evades it adds to {dice}", dice=Count(dice, "defense die", "defense dice"))
            found = (*found, Number(name, mean_evades_added(kind, dice), is_probability=False))
    return Advice(label=Text("Keep {kind}", kind=term(kind)), numbers=found)


def mean_evades_added(kind: str, dice: int) -> Fraction:
    """The mean of evades that one token makes of the results that it turns: of all of them, or of one."""
    most, turned = dice if TOKENS[kind].turns_all else 1, [RANK[face] for face in TOKENS[kind].turns]
    falls = rolls(GREEN_DIE, dice)
    return Fraction(sum(min(sum(counts[rank] for rank in turned), most) * ways for counts, ways in falls), 8**dice)
