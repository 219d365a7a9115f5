"""Exact advice in an open window of an X-Wing attack: each choice's outcome (``SEARCH.md``, section 7).

The asking side plays on for its aim in all its remaining windows: an attacker may optimize the final damage, where the
policy of the odds stops at the attack dice. The opponent keeps to that policy. Tokens are never spent without gain.
Dice differ only by face and whether they may still be rerolled. Values are packed integers: all numbers of an end of
the attack, the aim's in the highest bits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from operator import sub
from typing import Any, Final

from bot.odds.advice import Advice, NamedNumber
from bot.odds.xwing import after_dice, dice as counted
from bot.odds.xwing.attack_dice import attacker_window, final_ranks, final_results, rolled_or_fixed, their_effects
from bot.odds.xwing.defense_dice import DefenderWindow, defense_dice
from bot.odds.xwing.dice import BLANK, FOCUS, RANK, RESULT, Counts, Dice, SearchBudget, Stock, add_counts, rolls
from bot.odds.xwing.own_window import DICE, Left, OwnWindow, slots
from bot.odds.xwing.search import DiceOwner, OpponentWindow, Value, selections
from bot.rules.dice import Rolled, active_faces
from bot.rules.errors import NotOfferedError
from bot.rules.game import AfterOffer, Choice, Offer, Pick, Side
from bot.rules.text import N_, Count, Names, Sentences, Shown, Text, labeled, term
from bot.rules.xwing.attack.attack import ACTS, Attack, offers
from bot.rules.xwing.dice import consequences, loose_dice, modify
from bot.rules.xwing.dice.declared import DiceEffect, LineUp, defense_pool
from bot.rules.xwing.dice.faces import OWN_POOL, Face, Pool
from bot.rules.xwing.dice.tokens import KEPT_FIRST, ON_SIDE, SPENT, TOKENS

MOST: Final[Mapping[str, int]] = {"damage": 63, "hurt": 1, "crit": 1, "kill": 1}
"""Maxima of an end's numbers; the defender counts the remainder."""

VALUE_BITS: Final = 6
"""Bits of the largest number of one end."""

TokensLeft = tuple[int, ...]
"""Tokens left, in the order of ``SPENT``."""


class AdviceGoal(StrEnum):
    """The asker's goal; the defender plays for the opposite."""

    DAMAGE = "damage"
    KILL = "kill"
    CRITS = "crits"
    TOKENS = "tokens"


ORDER: Final[Mapping[AdviceGoal, tuple[str, ...]]] = {
    AdviceGoal.DAMAGE: ("damage", "kept", "kill", "crit", "hurt"),
    AdviceGoal.KILL: ("kill", "damage", "kept", "crit", "hurt"),
    AdviceGoal.CRITS: ("crit", "damage", "kept", "kill", "hurt"),
    AdviceGoal.TOKENS: ("kept", "damage", "kill", "crit", "hurt"),
}
"""Sort keys of each aim, most important first; tokens are never spent without gain."""


Expected = Mapping[str, Fraction]
"""A choice's means and probabilities by the names of ``ORDER``, and the mean number left of each kind of token."""


class PackedScore:
    """A side's value of attack ends as sortable integers (section 7), with ``health`` and at most ``ways``."""

    def __init__(self, side: Side, aim: AdviceGoal, health: int | None, ways: int) -> None:
        self._bits = ways.bit_length() + VALUE_BITS
        self._health, self._defends = health, side is Side.DEFENDER
        # Among equally many tokens, those that the policy spends last are kept.
        names, self._tokens = (*ORDER[aim], *KEPT_FIRST[side]), SPENT[side]
        self._shifts = {name: slot * self._bits for slot, name in enumerate(reversed(names))}

    @counted.memoized_method
    def score_end(self, damage: int, crits: int) -> int:
        """Score one end: damage that got through, and how many crits."""
        kill = self._health is not None and damage >= self._health
        end = {"damage": damage, "hurt": int(damage > 0), "crit": int(crits > 0), "kill": int(kill)}
        return self._pack({name: MOST[name] - end[name] for name in MOST} if self._defends else end)

    @counted.memoized_method
    def score_tokens(self, tokens: TokensLeft) -> int:
        return self._pack({"kept": sum(tokens), **dict(zip(self._tokens, tokens, strict=True))})

    def _pack(self, values: Mapping[str, int]) -> int:
        return sum(value << self._shifts[name] for name, value in values.items())

    def unpack_means(self, packed: int, ways: int) -> Expected:
        mask = (1 << self._bits) - 1
        mean = {name: Fraction(packed >> shift & mask, ways) for name, shift in self._shifts.items()}
        if self._defends:
            mean |= {name: most - mean[name] for name, most in MOST.items()}
        return mean


class WindowOnTheirDice:
    """A window on the other side's dice; at its end, ``value`` is the dice's value to the asker. The opponent chooses
    by ``opponent_value``, the policy; without it the asker chooses, for ``value`` and among all sets of dice, since a
    once rerolled die can't be rerolled by its owner.
    """

    def __init__(
        self,
        pool: Pool,
        acting: Sequence[DiceEffect],
        line: LineUp,
        value: Value,
        owner: DiceOwner,
        budget: SearchBudget,
        opponent_value: Value | None = None,
    ) -> None:
        self._value, asks = value, opponent_value is None
        effects = counted.opponent_effects(acting, pool, line)
        if asks:  # all rerolls that its cards allow
            result = (effect for effect in acting if effect.pool is pool and effect.verb == "reroll")
            names = effects.names
            rerolls = list[counted.Reroll]()
            for effect in result:
                cost = tuple((names.index(what), n) for what, n in effect.cost)
                rerolls.append(counted.Reroll(counted.ranks_of(effect), effect.most, effect.exactly, cost))
            effects = replace(effects, rerolls=tuple(sorted(rerolls)))
        self._window = OpponentWindow(DICE[pool], effects, opponent_value or value, owner, budget, any_set=asks)

    def value(self, dice: Dice, exponent: int) -> int:
        """Return the value of dice in the open window, times 8**exponent."""
        return sum(ways * self._value(*outcome) for outcome, ways in self._window.distribution(dice, exponent).items())

    def value_if_closed(self, dice: Dice, exponent: int) -> int:
        return self._value(dice, exponent, ())


class RestOfAttack:
    """Steps 4 to 6, before the defense dice are rolled. ``held``: the asker's unspent tokens. ``ways``: number of ways
    of the defense dice with rerolls, the scale of ``final``.
    """

    def __init__(self, state: Attack, side: Side, score: PackedScore, held: TokensLeft, budget: SearchBudget) -> None:
        self._state, self._side, self._score, self._held, self._budget = state, side, score, held, budget
        declared = replace(state.declared, attack=state.attack, defense=state.defense)
        self._declared, self._finish = declared, after_dice.AttackFinish(declared)
        self._policy = defense_dice(declared, budget)
        self._tokens = tuple(state.defense.has(name) for name in slots(Side.DEFENDER, state.defense))
        dice = defense_pool(declared)
        self._starts = list(rolled_or_fixed(declared, Pool.GREEN, counted.GREEN_DIE, dice))
        self._exponent = dice + sum(counted.own_effects(state.defense.effects, Pool.GREEN).adds)
        self.ways = sum(count for _, count in self._starts) << 3 * self._exponent

    @counted.memoized_method
    def final(self, results: consequences.Results) -> int:
        """Return the value of attack dice with (hits, crits), times ``ways``."""
        window, nothing = self.attacker(results, self._state.attack), (0,) * len(counted.GREEN_DIE)
        return sum(count * window.value((counts, nothing), self._exponent) for counts, count in self._starts)

    def attacker(self, results: consequences.Results, line: LineUp) -> WindowOnTheirDice:
        """Return step 5's attacker window on the defense dice, against (hits, crits)."""
        acting = their_effects(self._declared, Side.ATTACKER, Pool.GREEN, line)
        owner = self._policy.window(results, self._tokens)
        if self._side is Side.ATTACKER:
            by_policy = partial(self._value_by_policy, results, owner)
            return WindowOnTheirDice(Pool.GREEN, acting, line, by_policy, owner, self._budget)
        mine = self.defender(results, self._state.defense)

        def value(dice: Dice, exponent: int, _: Stock) -> int:
            return mine.value(dice, exponent)

        return WindowOnTheirDice(
            Pool.GREEN, acting, line, value, owner, self._budget, lambda *at: -owner.value(*at[:2])
        )

    def defender(self, results: consequences.Results, line: LineUp) -> OwnWindow:
        def end(counts: Counts, left: Left) -> int:
            through = self._finish.finish(results, counts[RESULT], left)[0]
            tokens_kept = add_counts(tokens_of(left, Side.DEFENDER), self._held)
            return self._score.score_end(sum(through), through[1]) + self._score.score_tokens(tokens_kept)

        allowed = modify.limits(self._declared, Side.DEFENDER, Pool.GREEN)
        enemy = self._state.attack
        return OwnWindow(Side.DEFENDER, line, end, self._budget, enemy=enemy, limits=allowed, prefer=stock_left)

    def _value_by_policy(
        self, results: consequences.Results, window: OwnWindow | DefenderWindow, dice: Dice, exponent: int, _: Stock
    ) -> int:
        """Value their window for a defender who follows the policy."""
        self._budget.spend(1, 6)  # the search for its ends, which may be cached for others
        total = 0
        for end, ways in window.distribution(dice, exponent):
            hits, crits = self._policy.finish(results, end, self._tokens)[0]
            self._budget.spend(1)
            total += ways * self._score.score_end(hits + crits, crits)
        return total + (self._score.score_tokens(self._held) << 3 * exponent)


def tokens_of(left: Left, side: Side) -> TokensLeft:
    return left[: len(SPENT[side])]


def stock_left(_: Counts, left: Left) -> tuple[int, ...]:
    """Prefer, among equal ends, the one with the least card spending."""
    return (sum(left[:-2]),)


class OpenWindow:
    """An open window from the acting side's view; ``kind``: a kind of token it won't spend. ``exponent``: number of
    ``dice`` that may still be rerolled. Values are packed integers times 8**exponent and ``scale``.
    """

    def __init__(self, state: Attack, aim: AdviceGoal, budget: SearchBudget, kind: str = "") -> None:
        self.side, self.pool = ACTS[state.window]
        self.is_own = OWN_POOL[self.side] is self.pool
        line = state.side(self.side)
        self.line = line.with_tokens({kind: 0}) if kind else line
        self.state = state.with_side(self.side, self.line)
        self.top = RESULT if aim is AdviceGoal.CRITS and self.pool is Pool.RED and self.is_own else FOCUS
        self.dice = count_dice(state.pool(self.pool), self.pool)
        self._limits = modify.limits(state.declared, self.side, self.pool, state.attack)
        may_spend = self.side is Side.DEFENDER or (self.is_own and self._limits.modify)
        spent = tokens(self.line, self.side) if may_spend else (0,) * len(SPENT[self.side])
        self._budget, self._held = budget, tuple(map(sub, tokens(line, self.side), spent))
        declared = state.declared
        both = (*state.attack.effects, *state.defense.effects)
        self.exponent = sum(self.dice[0]) + sum(counted.own_effects(both, self.pool).adds)
        green = defense_pool(declared) + sum(counted.own_effects(state.defense.effects, Pool.GREEN).adds)
        ways = 1 << 3 * (self.exponent + (2 * green if self.pool is Pool.RED else 0))
        health = None if declared.hull is None else declared.hull + declared.shields
        self.score = PackedScore(self.side, aim, health, ways)
        first = self.side is Side.ATTACKER and self.pool is Pool.RED
        held = (0,) * len(self._held) if first else self._held
        self._rest = RestOfAttack(self.state, self.side, self.score, held, self._budget)
        self.scale = self._rest.ways if self.pool is Pool.RED else 1
        shown = active_faces(state.red)
        self._results = shown.count(Face.HIT), shown.count(Face.CRIT)
        self._final_ranks = final_ranks(declared)

    def play_on(self, line: LineUp) -> OwnWindow | WindowOnTheirDice:
        """Return the rest of the window for a side that has ``line`` left."""
        if self.pool is Pool.GREEN:
            rest = self._rest.defender if self.is_own else self._rest.attacker
            return rest(self._results, line)
        if self.is_own:
            more: dict[str, Any] = {"enemy": self.state.defense, "limits": self._limits, "top": self.top}
            return OwnWindow(self.side, line, self._end_of_window, self._budget, **more, prefer=stock_left)
        return self._before_attacker(line)

    def _end_of_window(self, counts: Counts, left: Left) -> int:
        """Value the attack dice after both windows."""
        kept = tokens_of(left, self.side) if self._limits.modify else (0,) * len(self._held)
        ahead = self._rest.final(final_results(counts, self._final_ranks))
        return ahead + self.score.score_tokens(add_counts(kept, self._held)) * self.scale

    def _before_attacker(self, line: LineUp) -> WindowOnTheirDice:
        """Return step 3's defender window; the attacker then follows the policy."""
        theirs = attacker_window(self.state.declared, self.state.attack, self._budget)
        acting = their_effects(self.state.declared, Side.DEFENDER, Pool.RED, line)

        def value(dice: Dice, exponent: int, _: Stock) -> int:
            return sum(ways * self._rest.final(end[0]) for end, ways in theirs.results(dice, exponent))

        return WindowOnTheirDice(Pool.RED, acting, line, value, theirs, self._budget)

    def unpack_means(self, value: int) -> Expected:
        return self.score.unpack_means(value, self.scale << 3 * self.exponent)


def count_dice(dice: tuple[Rolled, ...], pool: Pool) -> Dice:
    """Count dice by result: those that may still be rerolled, and the others."""
    fresh, done = [0] * len(pool.results), [0] * len(pool.results)
    for die in dice:
        if die.counts:
            (done if die.was_rerolled else fresh)[RANK[Face(str(die.face))]] += 1
    return tuple(fresh), tuple(done)


def tokens(line: LineUp, side: Side) -> TokensLeft:
    return tuple(line.has(kind) for kind in SPENT[side])


# Advice as text

WORDS: Final[Mapping[AdviceGoal, tuple[Shown, Shown]]] = {
    AdviceGoal.DAMAGE: (Text("most damage"), Text("least damage")),
    AdviceGoal.KILL: (Text("destroy the ship"), Text("survive")),
    AdviceGoal.CRITS: (Text("a crit"), Text("no crit")),
    AdviceGoal.TOKENS: (Text("keep tokens"), Text("keep tokens")),
}
"""Each aim's label for attacker and defender."""

DEFENDING: Final = (1, 2, 3)
"""Number of defense dice for which the advice shows a kept token's value."""


def aims(state: Attack | loose_dice.LooseRoll) -> Mapping[str, Shown]:
    """Return this window's aims with labels; empty without dice to modify. Undeclared tokens are not assumed."""
    if isinstance(state, loose_dice.LooseRoll) or state.window not in ACTS or not state.modifications:
        return {}
    defends = ACTS[state.window][0] is Side.DEFENDER
    known = (aim for aim in AdviceGoal if aim is not AdviceGoal.KILL or state.declared.hull is not None)
    return {aim.value: WORDS[aim][defends] for aim in known}


def advise(state: Attack, aim: str = AdviceGoal.DAMAGE) -> tuple[Advice, ...]:
    """Return every open choice, best first by the aim, then the value of keeping tokens that the best one spends.
    Raises ``NotOfferedError`` for an unknown aim, ``BadInputError`` for a too large question.
    """
    if aim not in aims(state):
        raise NotOfferedError
    state = replace(state, declared=replace(state.declared, by_hand=()))  # advice is the same for dice on camera
    budget = SearchBudget(state.declared)
    window = OpenWindow(state, AdviceGoal(aim), budget)
    result = sorted(choices(window), key=lambda choice: choice[0], reverse=True)
    best = window.unpack_means(result[0][0])
    held = zip(SPENT[window.side], tokens(window.line, window.side), strict=True)
    spent = [kind for kind, count in held if best[kind] < count]  # played on
    kept = [advise_keeping(state, AdviceGoal(aim), budget, kind) for kind in spent]
    return (*(replace(advice, is_best=value == result[0][0]) for value, advice in result), *kept)


def choices(window: OpenWindow) -> Iterator[tuple[int, Advice]]:
    """Yield each offer with its packed value; for rerolls the best set. Values that need a number are not known yet."""
    state = window.state
    known = (modification for modification in state.modifications if not isinstance(modification.act, modify.SayCount))
    for offer in (*known, *(item for item in offers(state) if item.then is AfterOffer.CLOSES)):
        if offer.then is AfterOffer.CLOSES:
            value = window.play_on(window.line).value_if_closed(window.dice, window.exponent)
        elif isinstance(offer.asks, Pick):
            yield reroll(window, offer, offer.asks)
            continue
        else:
            left, after = offer.act.apply(state.dice_window, Choice(offer.key), lambda _: 0)
            value = window.play_on(left).value(count_dice(after, window.pool), window.exponent)
        yield value, Advice(offer=offer.key, label=offer.label, **result_of(window, value))


def reroll(window: OpenWindow, offer: Offer, pick: Pick) -> tuple[int, Advice]:
    """Return the best reroll: among equal sets the larger one, then that of better results."""
    (fresh, done), played = window.dice, dict[LineUp, OwnWindow | WindowOnTheirDice]()
    best, chosen = -1, fresh
    for rerolled in reroll_candidates(window, pick):
        kept, count = tuple(map(sub, fresh, rerolled)), sum(rerolled)
        left = after_reroll(window.state, offer, pick, count)
        played_on = played[left] = played.get(left) or window.play_on(left)
        falls, rest = rolls(DICE[window.pool], count), window.exponent - count
        value = sum(ways * played_on.value((kept, add_counts(done, fallen)), rest) for fallen, ways in falls)
        if value > best:
            best, chosen = value, rerolled
    # Among equal dice, leftmost first.
    picked = sorted(place for rank, count in enumerate(chosen) for place in places(window, pick, rank)[:count])
    numbered = [str(place + 1) for place in picked]
    shown = Sentences([term(str(window.state.pool(window.pool)[place].face)) for place in picked], ", ")
    message = N_("reroll die {dice} ({shown})") if len(numbered) == 1 else N_("reroll dice {dice} ({shown})")
    label = labeled(source(offer.label), Text(message, dice=Names(numbered), shown=shown))
    values = tuple(str(place) for place in picked)
    return best, Advice(offer=offer.key, label=label, picked=values, **result_of(window, best))


def after_reroll(state: Attack, offer: Offer, pick: Pick, count: int) -> LineUp:
    """Return the side's line-up after it rerolls ``count`` dice."""
    choice = Choice(offer.key, tuple(option.value for option in pick.options[:count]))
    left: LineUp = offer.act.apply(modify.with_price(state.dice_window, offer.act, choice), choice, lambda _: 0)[0]
    return left


def reroll_candidates(window: OpenWindow, pick: Pick) -> list[Counts]:
    """Return every set of dice to reroll, by result; the policy's favorites first."""
    there = tuple(len(places(window, pick, rank)) for rank in range(len(window.dice[0])))
    sets = [rerolled for count in range(pick.most, pick.least - 1, -1) for rerolled in selections(there, count)]
    return sorted(sets, key=lambda rerolled: sum(rerolled[RESULT:]) > 0 if window.is_own else rerolled[BLANK] > 0)


def places(window: OpenWindow, pick: Pick, rank: int) -> list[int]:
    """Return the offered dice with a result."""
    dice = window.state.pool(window.pool)
    offered = [int(option.value) for option in pick.options]
    return [place for place in offered if RANK[Face(str(dice[place].face))] == rank]


def source(label: Shown) -> Shown:
    """Return the first token or card of an offer's label."""
    places = label.places if isinstance(label, Text) else {}
    if "label" in places:  # before a value or an addition
        return places["label"] if "value" in places else source(places["label"])
    return places.get("token") or places.get("card") or label


def result_of(window: OpenWindow, value: int) -> dict[str, Any]:
    """Return the result of a choice, as fields of ``Advice``."""
    is_safe = window.side is Side.DEFENDER and not window.unpack_means(value)["hurt"]
    return {"numbers": numbers(window, value), "saves": is_safe}


def numbers(window: OpenWindow, value: int) -> tuple[NamedNumber, ...]:
    """Unpack a value: the damage, and the mean number of tokens left."""
    means, held = window.unpack_means(value), tokens(window.state.side(window.side), window.side)
    numbers = [NamedNumber(Text("average damage"), means["damage"], is_probability=False, is_main=True)]
    numbers += [NamedNumber(Text("at least 1 damage"), means["hurt"]), NamedNumber(Text("a crit"), means["crit"])]
    if window.state.declared.hull is not None:
        numbers.append(NamedNumber(Text("destroyed"), means["kill"], is_main=True))
    for kind, count in zip(SPENT[window.side], held, strict=True):
        if count:
            name, noun = Text("{kind} left", kind=term(kind)), term(kind)
            numbers.append(NamedNumber(name, means[kind], is_probability=False, kept=noun))
    return tuple(numbers)


def advise_keeping(state: Attack, aim: AdviceGoal, budget: SearchBudget, kind: str) -> Advice:
    """Return the best choice without a kind of token, and for an attacker its value in their next defense."""
    window = OpenWindow(state, aim, budget, kind)
    value = window.play_on(window.line).value(window.dice, window.exponent)
    named_numbers = numbers(window, value)
    if window.side is Side.ATTACKER and kind in ON_SIDE[Side.DEFENDER]:
        for dice in DEFENDING:
            name = Text("evades added to {dice}", dice=Count(dice, "defense die", "defense dice"))
            named_numbers = (*named_numbers, NamedNumber(name, mean_evades_added(kind, dice), is_probability=False))
    return Advice(label=Text("Keep {kind}", kind=term(kind)), numbers=named_numbers)


def mean_evades_added(kind: str, dice: int) -> Fraction:
    """Return the mean number of evades that one token adds, from all results or one."""
    most, turned = dice if TOKENS[kind].turns_all else 1, [RANK[face] for face in TOKENS[kind].turns]
    falls = rolls(counted.GREEN_DIE, dice)
    return Fraction(sum(min(sum(counts[rank] for rank in turned), most) * ways for counts, ways in falls), 8**dice)
