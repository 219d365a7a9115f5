"""Several attacks in a row and their damage: the attacker fresh each time, the defender's tokens kept. For each number
of crits, the weights of 0, 1, 2... hits are packed into one long integer with fixed slots, so that another attack takes
a few multiplications by small weights (``SEARCH.md``, section 6).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain, combinations, product
from math import prod

from bot.odds.distribution import Distribution
from bot.odds.xwing import after_dice, attack_dice, own_window
from bot.odds.xwing.defense_dice import DefenseDice, Outcomes, Tokens, defense_dice
from bot.odds.xwing.dice import SearchBudget, memoized_method
from bot.rules.game import Side
from bot.rules.xwing.dice import costs, declared as declarations, faces
from bot.rules.xwing.dice.conditions import Has, all_hold, tokens_in
from bot.rules.xwing.dice.consequences import Results
from bot.rules.xwing.dice.declared import AT_ROLL, Declared, DiceEffect, LineUp, standing_effects


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipDamage:
    """All attacks' effect on a ship (step 7), as probabilities and means; a destroyed one still gets later cards."""

    p_destroyed: Fraction
    mean_shields_lost: Fraction
    mean_facedown: Fraction
    mean_faceup: Fraction
    p_faceup: Fraction


Packed = Mapping[int, int]
"""Packed weights of hits, by number of crits."""

NOT_ASKED: Tokens = (0, 0, 0, 0)
"""Any tokens left after the last attack, if irrelevant."""


@dataclass(frozen=True, slots=True)
class AttacksInARow:
    """All attacks' uncanceled (hits, crits), those suffered, and resulting tokens. ``declared``: with both sides'
    initial payments. ``damage``: to a ship of known hull.
    """

    distribution: Distribution[Results]
    suffered: Distribution[Results]
    tokens: Mapping[str, Distribution[int]]
    damage: ShipDamage | None
    declared: Declared


def decide_costs(declared: Declared, budget: SearchBudget) -> Declared:
    """Return the declaration after each side's initial payments, the attacker first: the attacker maximizes the mean,
    the defender minimizes it; among equal ones the cheaper.
    """
    for side in Side:
        for uses in unpaid_use_groups(declared.line(side)):
            ways = dict.fromkeys(product((False, True), repeat=len(uses)))
            fromkeys = dict.fromkeys(with_uses(declared, side, uses, way) for way in sorted(ways, key=sum))
            means = {item: mean(item, budget) for item in fromkeys if item is not None}
            best = max if side is Side.ATTACKER else min
            declared = best(means, key=lambda item: means[item])
    return declared


Use = tuple[DiceEffect, ...]


def unpaid_use_groups(line: LineUp) -> list[list[Use]]:
    """Return the uses to pay before the roll, grouped by interchangeability."""
    result: dict[object, list[Use]] = {}
    for use in declarations.by_use(enumerate(line.effects)).values():
        if any(map(is_open, use)):
            shared = (what for effect in use for what, _ in effect.cost if isinstance(what, costs.OneUse))
            result.setdefault(next(shared, use[0].group), []).append(use)
    return list(result.values())


def is_open(effect: DiceEffect) -> bool:
    return bool(effect.cost) and not effect.ask and effect.verb in AT_ROLL


def with_uses(declared: Declared, side: Side, uses: list[Use], wanted: tuple[bool, ...]) -> Declared | None:
    """Return the declaration with the wanted uses paid and the others removed; None if unaffordable."""
    line = declared.line(side)
    effects = list(line.effects)
    for use, is_wanted in zip(uses, wanted, strict=True):
        if is_wanted and not all(all_hold(item.given, declared.scene) for item in use):
            return None
        for effect in use:
            at = effects.index(effect)
            effects[at : at + 1] = [replace(effect, cost=(), given=())] if is_wanted else []
        for name, count in [part for item in use for part in item.cost] if is_wanted else ():
            if line.has(name) < count:
                return None
            line = line.without_tokens(name, count)
            if isinstance(name, costs.OfEnemy):
                enemy = declared.line(side.other).with_token_count(name.token, -count)
                declared = declared.with_line(side.other, enemy)
    return declared.with_line(side, replace(line, effects=tuple(effects)))


def mean(declared: Declared, budget: SearchBudget) -> Fraction:
    """Return the mean of uncanceled results without further initial payments."""
    for side in Side:
        for uses in unpaid_use_groups(declared.line(side)):
            declared = with_uses(declared, side, uses, (False,) * len(uses)) or declared
    return attacks_in_a_row(replace(declared, attacks=1, hull=None, shields=0), budget).distribution.mean(sum)


def attacks_in_a_row(declared: Declared, budget: SearchBudget | None = None) -> AttacksInARow:
    """Resolve all attacks as declared. Each removes one strain token; the attacker's tokens are restored.

    Line-ups of one question share its ``budget``. Raises ``BadInputError`` beyond ``SearchBudget``,
    ``UnpayableCostError`` for a weapon's cost.
    """
    budget = budget.begin(declared) if budget is not None else SearchBudget(declared)
    if any(map(is_open, declared.effects)):
        declared = decide_costs(declared, budget)
        budget.begin(declared)
    row, deals = AttackSequence(declared, budget), after_dice.make_dealing(declared)
    is_plain = deals == after_dice.DamageDealing()
    cards = FaceupCards(row.first, declared.shields) if declared.hull else None
    distribution = row.all_attacks(None, cards if is_plain else None)
    suffered = distribution if is_plain else row.all_attacks(deals.suffered_results)
    on_ship = distribution if is_plain else row.all_attacks(deals.suffered_by_ship, cards)
    names = dict.fromkeys(name for results in distribution.weights for name in deals.tokens(results))
    tokens = {name: row.all_attacks(partial(count_tokens, deals, name)).map(sum) for name in names}
    damage = ship_damage(on_ship, cards, declared.hull, declared.shields) if cards and declared.hull else None
    return AttacksInARow(distribution=distribution, suffered=suffered, tokens=tokens, damage=damage, declared=declared)


def count_tokens(deals: after_dice.DamageDealing, token: str, results: Results) -> Results:
    """Return the number of tokens of a kind in an attack's results, in place of hits."""
    return deals.tokens(results).get(token, 0), 0


Becomes = Callable[[Results], Results]
"""Maps an attack's uncanceled results to what is counted."""


class AttackSequence:
    """Attacks in a row, whose dice are counted once for all questions."""

    def __init__(self, declared: Declared, budget: SearchBudget) -> None:
        self._declared, self._budget = declared, budget
        self._suffered = after_dice.make_dealing(declared).suffered_results
        self._line = declared.line(Side.DEFENDER)
        self._names = own_window.slots(Side.DEFENDER, self._line)
        self.first = tuple(self._line.has(name) for name in self._names)
        self._ending = {costs.OfCard(effect.by) for effect in self._line.effects if effect.ends_with_damage}
        tests = chain.from_iterable(map(defender_requirements, declared.effects))
        kinds = (kind for test in tests for kind in tokens_in(test.token))
        on_red = (effect for effect in self._line.effects if effect.pool is faces.Pool.RED)
        paid_on_red = (what for effect in on_red for what, _ in effect.cost)
        asked = {*self._ending, *kinds, *paid_on_red} if declared.attacks > 1 else set()
        self._asked = [(at, name) for at, name in enumerate(self._names) if self.first[at] and name in asked]
        self._totals = [self._total(number < self._line.strain) for number in range(declared.attacks)]

    def all_attacks(self, becomes: Becomes | None = None, faceup: "FaceupCards | None" = None) -> Distribution[Results]:
        """Return the sum of all attacks' results, mapped by ``becomes``; counts their ``faceup`` cards."""
        slot = -(-prod(self._totals).bit_length() // 8)
        packed: Mapping[Tokens, Packed] = {self.first: {0: 1}}
        for number, total in enumerate(self._totals):
            self._budget.count_attacks(number)
            result = self._outcomes_of(number, packed, becomes)
            packed = add_attack(packed, result, 8 * slot, self._budget)
            if faceup is not None:
                faceup.add_attack(result, total, self._budget)
        return Distribution(dict(unpack_weights(packed[NOT_ASKED], slot)), prod(self._totals))

    def _outcomes_of(self, number: int, held: Iterable[Tokens], becomes: Becomes | None) -> Mapping[Tokens, Outcomes]:
        result = {tokens: self._outcomes(number < self._line.strain, tokens) for tokens in held}
        is_last = number == len(self._totals) - 1
        if becomes is None and not is_last:
            return result

        def after_asking(left: Tokens, results: Results, ways: int) -> tuple[Tokens, Results, int]:
            return NOT_ASKED if is_last else left, becomes(results) if becomes else results, ways

        return {
            tokens: add_outcomes(after_asking(*item) for item in split_outcomes(outcomes))
            for tokens, outcomes in result.items()
        }

    @memoized_method
    def _total(self, strained: bool) -> int:
        """Return one attack's ways for any defender: powers of 2, so the largest."""
        every = (gone for count in range(len(self._asked) + 1) for gone in combinations(self._asked, count))
        return max(self._defend(strained, frozenset(name for _, name in gone)).total for gone in every)

    def _declaration_for(self, strained: bool, gone: frozenset[costs.Spendable]) -> Declared:
        """Return the declaration for a defender who has spent these."""
        line = replace(self._line, strain=int(strained)).with_tokens(dict.fromkeys(gone, 0))
        at_roll = (effect for effect in self._declared.effects if effect.verb in AT_ROLL)
        ended = [effect for effect in at_roll if costs.OfCard(effect.by) in gone]
        return declarations.without_effects(replace(self._declared, defense=line), ended)

    @memoized_method
    def _attack(self, strained: bool, gone: frozenset[costs.Spendable]) -> Distribution[attack_dice.AttackEnd]:
        declared = self._declaration_for(strained, gone)
        return attack_dice.attack_distribution(declared, self._budget, with_left=depends_on_attacker(declared))

    @memoized_method
    def _defend(self, strained: bool, gone: frozenset[costs.Spendable]) -> "Defense":
        red = (effect for effect in self._declared.effects if effect.pool is faces.Pool.RED)
        on_red = any(effect.cost or any(defender_requirements(effect)) for effect in red)
        attack = self._attack(strained, gone) if on_red else self._attack(bool(self._line.strain), frozenset())
        return Defense(self._declaration_for(strained, gone), attack, self._budget)

    @memoized_method
    def _outcomes(self, strained: bool, held: Tokens) -> Outcomes:
        defense = self._defend(strained, frozenset(name for at, name in self._asked if not held[at]))
        result, scale = defense.outcomes(held), self._total(strained) // defense.total
        if not self._asked and not any(isinstance(name, costs.OneUse) for name in self._names):
            return result
        split = ((*item[:2], item[2] * scale) for item in split_outcomes(result))
        return add_outcomes((self._tokens_for_next(left, results), results, ways) for left, results, ways in split)

    def _tokens_for_next(self, left: Tokens, results: Results) -> Tokens:
        """Return the tokens for the next attack: per-attack uses are restored, damage costs a charge."""
        ending = self._ending if any(self._suffered(results)) else ()
        every = zip(self._names, self.first, left, strict=True)
        return tuple(all_ if isinstance(name, costs.OneUse) else 0 if name in ending else n for name, all_, n in every)


def add_outcomes(parts: Iterable[tuple[Tokens, Results, int]]) -> Outcomes:
    """Merge outcomes into ways by (tokens left, results)."""
    result: defaultdict[Tokens, defaultdict[Results, int]] = defaultdict(lambda: defaultdict(int))
    for left, results, ways in parts:
        result[left][results] += ways
    return result


def split_outcomes(outcomes: Outcomes) -> Iterator[tuple[Tokens, Results, int]]:
    """Inverse of ``add_outcomes``."""
    return ((left, results, ways) for left, law in outcomes.items() for results, ways in law.items())


def depends_on_attacker(declared: Declared) -> bool:
    """Whether a later step depends on the attacker's resources."""
    every = declared.attack.effects
    spends = any(item.cost for item in every if acts_later(item)) or any(
        isinstance(what, costs.OfEnemy) for item in every for what, _ in item.cost
    )
    givens = (given for effect in declared.effects if acts_later(effect) for given in effect.given)
    return spends or any(given.asks_tokens(Side.ATTACKER) for given in givens)


def defender_requirements(effect: DiceEffect) -> Iterator[Has]:
    tests = (condition.test for condition in effect.given if condition.side is Side.DEFENDER)
    return (test for test in tests if isinstance(test, Has))


def acts_later(effect: DiceEffect) -> bool:
    return effect.pool is faces.Pool.GREEN or bool(effect.when)


class Defense:
    """Steps 4 to 6 against a distribution of attack dice, whatever the attacker has left. ``total``: number of ways of
    all dice with rerolls; the largest if it varies.
    """

    def __init__(self, declared: Declared, attack: Distribution[attack_dice.AttackEnd], budget: SearchBudget) -> None:
        self._parts: list[tuple[DefenseDice, Mapping[Results, int], attack_dice.Spent]] = []
        self._names = own_window.slots(Side.DEFENDER, declared.line(Side.DEFENDER))
        names = own_window.slots(Side.ATTACKER, declared.attack)
        law: defaultdict[tuple[Tokens, attack_dice.Spent], defaultdict[Results, int]]
        law = defaultdict(lambda: defaultdict(int))
        for (results, left, spent), weight in attack.weights.items():
            law[left[: own_window.REROLLED], spent][results] += weight
        for (left, spent), weights in law.items():
            then = after_red(declared, dict(zip(names, left, strict=False)), spent)
            self._parts += [(dice, some, spent) for dice, some in self._weights_by_pool(then, weights, budget)]
        self._most = max(dice.total for dice, *_ in self._parts)
        self.total = attack.total * self._most

    def _weights_by_pool(
        self, declared: Declared, weights: Mapping[Results, int], budget: SearchBudget
    ) -> Iterator[tuple[DefenseDice, Mapping[Results, int]]]:
        limited = [effect for effect in standing_effects(declared) if effect.verb == "limit" and effect.faces]
        if not limited:
            yield defense_dice(declared, budget), weights
            return
        others = tuple(effect for effect in declared.attack.effects if effect not in limited)
        for most in {sum(results) for results in weights}:
            limit = replace(limited[0], most=most, faces=())
            then = replace(declared, attack=replace(declared.attack, effects=(*others, limit)))
            some = {results: weight for results, weight in weights.items() if sum(results) == most}
            yield defense_dice(then, budget), some

    def outcomes(self, held: Tokens) -> Outcomes:
        """Return the outcomes against a defender who holds these tokens."""
        if len(self._parts) == 1 and not self._parts[0][2]:
            dice, weights, _ = self._parts[0]
            return dice.outcomes(weights, held)
        return add_outcomes(
            (left, results, ways * (self._most // dice.total))  # totals are powers of 8
            for dice, weights, spent in self._parts
            for after in [tuple(n - dict(spent).get(name, 0) for name, n in zip(self._names, held, strict=True))]
            for left, results, ways in split_outcomes(dice.outcomes(weights, after))
        )


def after_red(declared: Declared, left: Mapping[costs.Spendable, int], spent: attack_dice.Spent) -> Declared:
    """Return the declaration at the green roll: the attacker's remaining resources, without paid costs."""
    attack, defense = declared.attack, declared.line(Side.DEFENDER)
    for name, count in left.items():
        if isinstance(name, costs.OfEnemy) and (paid_ := attack.has(name) - count):
            defense = defense.with_token_count(name.token, -paid_)
    for name, count in spent:
        defense = defense.without_tokens(name, count)
        if isinstance(name, costs.OfEnemy):
            attack = attack.with_token_count(name.token, -count)
    return replace(declared, attack=attack.with_tokens(left) if left else attack, defense=defense)


def add_attack(
    packed: Mapping[Tokens, Packed], result: Mapping[Tokens, Outcomes], slot: int, budget: SearchBudget
) -> Mapping[Tokens, Packed]:
    """Return the packed weights after one more attack, by tokens left; ``slot`` in bits."""
    after: defaultdict[Tokens, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
    for held, outcomes in result.items():
        length = sum(1 + (weights.bit_length() >> 12) for weights in packed[held].values())
        budget.spend(length * sum(map(len, outcomes.values())))
        for left, ways in outcomes.items():
            weights_after = after[left]
            for (hits, crits), weight in ways.items():
                for before, weights in packed[held].items():
                    weights_after[before + crits] += weights * weight << slot * hits
    return after


def unpack_weights(packed: Packed, slot: int) -> list[tuple[Results, int]]:
    """Return the outcomes with nonzero weight, in order; ``slot`` in bytes."""
    result = []
    for crits, weights in packed.items():
        data = weights.to_bytes(-(-weights.bit_length() // 8), "little")
        hit_weights = [int.from_bytes(data[at : at + slot], "little") for at in range(0, len(data), slot)]
        result += [((hits, crits), weight) for hits, weight in enumerate(hit_weights) if weight]
    return sorted(result)


class FaceupCards:
    """Faceup damage cards by attack, because in each one shields take the hits before the crits."""

    def __init__(self, held: Tokens, shields: int) -> None:
        self._ways: Mapping[tuple[Tokens, int, bool], int] = {(held, shields, False): 1}
        self._cards, self._total = 0, 1

    def add_attack(self, outcomes: Mapping[Tokens, Outcomes], total: int, budget: SearchBudget) -> None:
        """Add an attack's outcomes for all possible defender tokens, ``total`` ways each."""
        self._cards, self._total = self._cards * total, self._total * total
        after: defaultdict[tuple[Tokens, int, bool], int] = defaultdict(int)
        for (held, up, shown), before in self._ways.items():
            for left, results in outcomes[held].items():
                budget.spend(len(results), 3)
                for (hits, crits), weight in results.items():
                    cards = min(crits, max(0, hits + crits - up))
                    self._cards += before * weight * cards
                    after[left, max(0, up - hits - crits), shown or cards > 0] += before * weight
        self._ways = after

    @property
    def mean(self) -> Fraction:
        return Fraction(self._cards, self._total)

    @property
    def probability(self) -> Fraction:
        return Fraction(sum(ways for (*_, shown), ways in self._ways.items() if shown), self._total)


def ship_damage(results: Distribution[Results], faceup: FaceupCards, hull: int, shields: int) -> ShipDamage:
    """Return the effect of all uncanceled results together on a ship."""
    mean_cards = results.mean(lambda each: max(0, sum(each) - shields))
    return ShipDamage(
        p_destroyed=results.probability(lambda each: sum(each) >= hull + shields),
        mean_shields_lost=results.mean(lambda each: min(sum(each), shields)),
        mean_facedown=mean_cards - faceup.mean,
        mean_faceup=faceup.mean,
        p_faceup=faceup.probability,
    )
