"""The exact odds of a duel with good choices: the attacker maximizes, the defender minimizes.

A backward search over a roll's states (``rules/duels/law.py``). A pool's dice are a multiset of what later steps read,
so equivalent ways are merged, and each state is computed once. With ``each`` in the file the attacks are independent:
one is computed, and the law of n is its n-th power.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, product
from math import comb, gcd, lcm, prod
from operator import mul
from typing import Final

from bot.odds import size_limit
from bot.odds.advice import Advice, Move, NamedNumber
from bot.odds.dice_laws import TOO_MANY_RESULTS, UncountableRollError, law_of_order, power, uncountable
from bot.odds.distribution import Distribution, exact
from bot.odds.duel_sights import Sight, sights_of
from bot.odds.luck import CACHED, RollLuck, RollResult, luck_of
from bot.rules.duels import DONE, Declared, DuelRoll, Use, law, offers, picked_label
from bot.rules.duels.law import Die, Edit, Position, Possible
from bot.rules.duels.rows import Action, DuelGame, DuelPhrase, Let, Roll, Stage, Window, actions_of, formulas_of
from bot.rules.errors import NotOfferedError
from bot.rules.game import Choice, Side
from bot.rules.text import Shown, Text, term

MAX_WAYS: Final = 100_000
"""Maximum states and dice outcomes: about 8 seconds in a worker."""
AT_ONCE: Final = 40
"""Within ``size_limit.refuse_large_questions``: about 2 ms."""
LOOKS: Final = 128
"""Number of an action's reads of dice that cost one more state; windows of our own games have far fewer."""
Law = Mapping[int, int]
"""Ways of each result."""
Due = tuple[tuple[str, int], ...]
"""The number of dice of each kind."""
Dice = tuple[Die, ...]


class Search:
    def __init__(self, declared: Declared) -> None:
        self.typed, self.numbers = declared.values, declared.numbers
        self.duel, self.sights = game_and_sights(declared)
        self.masks = [*map(self.mask, range(len(self.sights)))]
        self.known: dict[Position, tuple[Law, int]] = {}
        self.see, self.keep = cache(self.see_die), cache(self.keep_dice)
        self.faces, self.fallen = cache(self.count_faces), cache(self.fall)
        self.mixed = cache(self.mix)
        self.size = 0

    def law(self, now: Position) -> tuple[Law, int]:
        """Return the ways of each result from a state on, and their sum. Raises ``UncountableRollError``."""
        return self.law_at(self.forget(now))

    def law_at(self, now: Position) -> tuple[Law, int]:
        """Return the law of an already reduced state."""
        if (found := self.known.get(now)) is None:
            self.count(1 + len(law.actions_here(self.duel, now)) * (4 + sum(map(len, now.pools))) // LOOKS)
            try:
                found = self.known[now] = self.laws_of(now)
            except RecursionError:
                raise uncountable(TOO_MANY_RESULTS) from None
        return found

    def count(self, ways: int) -> None:
        """Add to the question's size before enumerating. Raises ``UncountableRollError``."""
        self.size += ways
        size_limit.check(self.size, AT_ONCE)
        if self.size > MAX_WAYS:
            raise uncountable(TOO_MANY_RESULTS)

    def laws_of(self, now: Position) -> tuple[Law, int]:
        stage = law.stage_of(self.duel, now)
        if stage is None:
            return {self.duel.result.amount.value(law.values(self.duel, self.typed, now)): 1}, 1
        if isinstance(stage, Roll):
            due = law.dice_due(self.duel, self.typed, now, stage)
            pool = self.duel.pool_names.index(stage.pool)
            return self.mixed(self.forget(law.next_stage(now)), pool, tuple(sorted(due)), True)
        if isinstance(stage, Let):
            return self.law(law.after_let(self.duel, self.typed, now, stage))
        if isinstance(stage, Action):
            can = law.possible(self.duel, self.typed, now)[0]
            if not can:
                return self.law(law.next_stage(now))
            paid = self.pay(now, 0, stage)
            return self.after_reroll(paid, stage, tuple(can.dice)) if can.most else self.after_edits(paid, can.ways[0])
        every = law.possible(self.duel, self.typed, now)
        return best_for(law.chooser(stage, every), (found for _, found in self.choices(now, stage, every)))

    def choices(
        self, now: Position, stage: Window, every: Sequence[Possible]
    ) -> Iterator[tuple[Choice, tuple[Law, int]]]:
        """Yield a side's choices in a state, starting with none, and the law after each."""
        if not stage.turns or not any(every):
            yield Choice(DONE.word), self.law(law.next_stage(now))
        for at, action in ((at, action) for at, action in enumerate(stage.actions) if every[at]):
            can, offer, paid = every[at], str(Use(at)), self.pay(now, at, action)
            for way in can.ways:
                yield Choice(offer, (law.symbol_of(now, way),)), self.after_edits(paid, way)
            for names, picked in subsets(now.pools[law.pool_of(self.duel, action)], can.dice, can.most, action):
                yield Choice(offer, names), self.after_reroll(paid, action, picked)

    def pay(self, now: Position, at: int, action: Action) -> Position:
        """Pay for an action; advance if none of this stage can be repeated, whatever the dice."""
        paid = law.pay(self.duel, self.typed, now, at, action)
        left = dict(zip((row.name for row in self.duel.tokens), paid.left, strict=True))
        actions = zip(law.actions_here(self.duel, paid), paid.used, self.sights[paid.stage].uses, strict=True)
        spent = (
            times >= most or any(left[token] < amount for token, amount in action.cost.items())
            for action, times, most in actions
        )
        return law.next_stage(paid) if all(spent) else paid

    def after_edits(self, paid: Position, way: list[Edit]) -> tuple[Law, int]:
        return self.law(paid._replace(pools=law.apply_edits(paid.pools, way)))

    def after_reroll(self, paid: Position, action: Action, picked: tuple[int, ...]) -> tuple[Law, int]:
        pool = law.pool_of(self.duel, action)
        thrown = Counter(paid.pools[pool][place].kind for place in picked)
        kept = tuple(die for place, die in enumerate(paid.pools[pool]) if place not in picked)
        rest = paid._replace(pools=(*paid.pools[:pool], kept, *paid.pools[pool + 1 :]))
        return self.mixed(self.forget(rest), pool, tuple(sorted(thrown.items())), False)

    def mix(self, rest: Position, pool: int, due: Due, fresh: bool) -> tuple[Law, int]:
        before, held, after = rest.pools[:pool], rest.pools[pool], rest.pools[pool + 1 :]
        self.count(prod(comb(count + len(self.faces(kind, pool, rest.stage, fresh)) - 1, count) for kind, count in due))
        fallen = self.fallen(rest.stage, pool, due, fresh, held).items()
        return mix_laws((self.law_at(rest._replace(pools=(*before, dice, *after))), ways) for dice, ways in fallen)

    def fall(self, stage: int, pool: int, due: Due, fresh: bool, dice: Dice) -> Counter[Dice]:
        """Count the ways of a pool's dice after more fall."""
        fallen, name = Counter[Dice](), self.duel.pool_names[pool]
        faces = ((list(self.faces(kind, pool, stage, fresh).items()), count) for kind, count in due)
        for parts in product(*(list(multinomials(*item)) for item in faces)):
            thrown = chain.from_iterable(every for every, _ in parts)
            fallen[self.keep(stage, name, (*dice, *thrown))] += prod(ways for _, ways in parts)
        return fallen

    def count_faces(self, kind: str, pool: int, stage: int, fresh: bool) -> Mapping[Die | None, int]:
        """Count a die's faces by what matters from a stage on; None if nothing does."""
        name = self.duel.pool_names[pool]
        dice = (law.die_of(self.duel, kind, name, face, self.numbers, fresh=fresh) for face in self.duel.faces[kind])
        return Counter(self.see(stage, name, die) for die in dice)

    def see_die(self, stage: int, pool: str, die: Die) -> Die | None:
        """Reduce a die to what matters from a stage on; None for nothing."""
        sight = self.sights[stage]
        face = sight.faces[pool, die.symbol] if die.symbol else ""
        if (pool, die.symbol) not in sight.rerolled:
            return Die("", face, fresh=False) if face else None
        return Die(die.kind, face, die.number if pool in sight.numbered else 0, die.fresh and pool in sight.fresh)

    def keep_dice(self, stage: int, name: str, pool: Dice) -> Dice:
        """Reduce a pool's dice to what matters from a stage on, sorted, and equal ones to as many as can be used."""
        most = self.sights[stage].most
        counts = Counter(self.see(stage, name, die) for die in pool)
        kept = ((die,) * min(count, most[name, die.symbol]) for die, count in counts.items() if die is not None)
        return tuple(sorted(chain.from_iterable(kept)))

    def mask(self, stage: int) -> tuple[list[bool], list[bool], list[bool]]:
        """Whether a stage or a later one reads each value, token, and number of an action's uses."""
        names, tokens = self.sights[stage].names, (row.name for row in self.duel.tokens)
        actions = actions_of(self.duel.stages[stage]) if stage < len(self.duel.stages) else ()
        return (
            [name in names for name in self.duel.lets],
            [name in names for name in tokens],
            [action.is_limited for action in actions],
        )

    def forget(self, now: Position) -> Position:
        """Reduce a state to what later steps read, with sorted dice; skip idle stages."""
        while self.sights[now.stage].idle:
            now = law.next_stage(now)
        names = zip(self.duel.pool_names, now.pools, strict=True)
        pools = tuple([self.keep(now.stage, name, pool) for name, pool in names])
        given = zip((now.lets, now.left, now.used), self.masks[now.stage], strict=True)
        lets, left, used = (tuple(map(mul, *item)) for item in given)
        return Position(now.stage, pools, lets, left, used if any(used) else (), now.turn)


@lru_cache(maxsize=CACHED)
def game_and_sights(declared: Declared) -> tuple[DuelGame, tuple[Sight, ...]]:
    """Return the game with each roll as late as possible between two choices, since dice that no step reads yet
    multiply the states; and its sights.
    """
    duel, values = declared.duel, declared.values
    stages = [*duel.stages]
    for start in reversed(range(len(stages))):
        at, stage = start, stages[start]
        while isinstance(stage, Roll) and at + 1 < len(stages) and can_wait(duel, stage, stages[at + 1], values):
            stages[at], at = stages[at + 1], at + 1
        stages[at] = stage
    late = replace(duel, stages=tuple(stages))
    return late, sights_of(late, values)


def can_wait(duel: DuelGame, roll: Roll, later: Stage, values: Mapping[str, int]) -> bool:
    """Whether a roll and the stage after it can change places: it offers no choice, and neither reads the other's."""
    if isinstance(later, Window) and any(law.max_uses(duel, action, values) for action in later.actions):
        return False
    changed = {*(later.values if isinstance(later, Let) else ()), *([later.pool] if isinstance(later, Roll) else ())}
    changed |= {name for action in actions_of(later) for name in (action.pool, *action.spend, *action.set)}
    formulas = ((formula.names for formula in formulas_of(stage)) for stage in (roll, later))
    now, then = ({name.partition(".")[0] for names in every for name in names} for every in formulas)
    return roll.pool not in changed | then and not changed & now


def best_for(side: Side, laws: Iterable[tuple[Law, int]]) -> tuple[Law, int]:
    """Return the law with the best mean for a side; the first of equal ones."""
    return (max if side is Side.ATTACKER else min)(laws, key=mean_of)


def mean_of(counted: tuple[Law, int]) -> Fraction:
    return Fraction(sum(result * ways for result, ways in counted[0].items()), counted[1])


def multinomials(faces: list[tuple[Die | None, int]], count: int) -> Iterator[tuple[tuple[Die, ...], int]]:
    """Yield the multisets of ``count`` dice with their ways."""
    (die, weight), *others = faces
    if not others:
        yield (die,) * count if die is not None else (), weight**count
        return
    for times in range(count + 1):
        head = (die,) * times if die is not None else ()
        for rest, ways in multinomials(others, count - times):
            yield (*head, *rest), comb(count, times) * weight**times * ways


def subsets(
    pool: tuple[Die, ...], fits: list[int], most: int, action: Action
) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Ways of picking dice to reroll, each with what is picked; of equal dice only how many."""
    if action.alike and most:
        yield from (((way,), picked) for way, picked in law.alike(pool, fits).items())
    elif action.all and most:
        yield tuple(map(str, fits)), tuple(fits)
    elif most:
        groups = defaultdict[Die, list[int]](list)
        for place in fits:
            groups[pool[place]].append(place)
        yield from ((tuple(map(str, picked)), picked) for picked in up_to(most, list(groups.values())) if picked)


def up_to(most: int, groups: list[list[int]]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to take up to ``most``, the first ones of each group."""
    if not groups:
        yield ()
        return
    for times in range(min(most, len(groups[0])) + 1):
        for rest in up_to(most - times, groups[1:]):
            yield (*groups[0][:times], *rest)


def mix_laws(parts: Iterable[tuple[tuple[Law, int], int]]) -> tuple[Law, int]:
    """Mix several laws, each with its ways, over a common total."""
    every = list(parts)
    total = lcm(*(total for (_, total), _ in every))
    result = defaultdict[int, int](int)
    for (counted, part), ways in every:
        factor = ways * (total // part)
        for value, weight in counted.items():
            result[value] += weight * factor
    whole = total * sum(ways for _, ways in every)
    divisor = gcd(whole, *result.values())
    return {value: weight // divisor for value, weight in result.items()}, whole // divisor


@lru_cache(maxsize=CACHED)
def distribution(declared: Declared) -> Distribution[int]:
    """Return the law of the result. Raises ``UncountableRollError``."""
    duel = declared.duel
    if not duel.each or not duel.each_if.value(declared.values):
        return law_of_order(Distribution(*Search(declared).law(law.start(duel, declared.values))))
    at = [row.name for row in duel.numbers].index(duel.each)
    numbers = (*declared.numbers[:at], 1, *declared.numbers[at + 1 :])
    one = replace(declared, numbers=numbers)
    return power(law_of_order(Distribution(*Search(one).law(law.start(duel, one.values)))), declared.numbers[at])


def odds(declared: Declared) -> Mapping[str, object]:
    """Return the mean and each result's chance in JSON words."""
    found = distribution(declared)
    chances = {str(value): exact(Fraction(ways, found.total)) for value, ways in found.weights.items()}
    unit = declared.duel.result.noun.one
    return {"game": declared.game, "line": declared.line, "unit": unit, "mean": exact(found.mean(int)), "p": chances}


def count(declared: Declared) -> tuple[Declared, Distribution[int]]:
    return declared, distribution(declared)


def stake(state: DuelRoll) -> tuple[Declared, int] | None:
    return (state.declared, state.result) if state.is_over else None


def luck(state: DuelRoll) -> RollLuck | None:
    """Return the result's place among such attacks; None while open, or if too large."""
    found, of = Text("attacks"), Text("The attacker's luck")
    return next((luck_of(item.value, item.distribution, found, of) for item in roll_results(state)), None)


def roll_results(state: DuelRoll) -> tuple[RollResult, ...]:
    """Return the attacker's result with its law."""
    if not state.is_over:
        return ()
    unit = state.declared.duel.result.noun
    try:
        found = distribution(state.declared)
    except UncountableRollError:
        return ()
    return (RollResult(distribution=found, value=state.result, side=Side.ATTACKER, unit=unit),)


# Advice

AIM: Final = "result"


def aim_of(state: DuelRoll) -> Text:
    return term(DuelPhrase.from_row(state.declared.duel.result.noun.many))


def aims(state: DuelRoll) -> Mapping[str, Shown]:
    """The one aim: the result, for as long as somebody may choose."""
    return {AIM: aim_of(state)} if isinstance(state.current, Window) else {}


def advise(state: DuelRoll, aim: str = AIM) -> tuple[Advice, ...]:
    """Return every open choice with the mean result of good play, best first; for dice the best set. Raises
    ``NotOfferedError`` for another aim, ``UncountableRollError`` if too large.
    """
    if aim != AIM or not isinstance(stage := state.current, Window):
        raise NotOfferedError
    best = dict[tuple[str, str], tuple[Choice, Fraction]]()  # best first
    sign = 1 if law.chooser(stage, state.can) is Side.ATTACKER else -1
    ways = [(choice, mean_of(found)) for choice, found in Search(state.declared).choices(state.now, stage, state.can)]
    for choice, mean in sorted(ways, key=lambda way: sign * way[1], reverse=True):
        is_reroll = all(map(str.isdigit, choice.picked))
        best.setdefault((choice.offer, "" if is_reroll else choice.picked[0]), (choice, mean))
    every, acts, result = [*best.values()], {offer.key: offer for offer in offers(state)}, list[Advice]()
    for choice, mean in every:
        offer, number = acts[choice.offer], NamedNumber(aim_of(state), mean, is_probability=False, is_main=True)
        known = {option.value for option in offer.options or (offer.fields[0].options if offer.fields else ())}
        picked = tuple(value for value in choice.picked if value in known)
        label = picked_label(state, offer.act, picked) if picked else offer.label
        is_best = mean == every[0][1]
        result.append(Advice(offer=choice.offer, label=label, picked=picked, numbers=(number,), is_best=is_best))
    return tuple(result)


def moves(state: DuelRoll) -> tuple[Move, ...]:
    """Return the moves of the side whose turn it is, the best first; () if no choice of dice is waited for."""
    found = advise(state) if aims(state) else ()
    return tuple(Move(Choice(item.offer, item.picked), item.label, item.numbers) for item in found)
