"""The stated policy played out die by die: slow, with fractions, and sharing nothing with ``bot.odds``.

A die is its face and whether it may still be rerolled; a side's window tries every set of dice that it may reroll, and
the tokens are spent one after the other. For pools of up to about three dice.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from bot.rules.xwing.dice.declared import Declared, DiceEffect, LineUp, attack_pool, defense_pool
from bot.rules.xwing.dice.faces import Face, Pool

Die = tuple[Face, bool]
"""What it shows, and whether it is fresh."""
Dice = tuple[Die, ...]
Law = dict[object, Fraction]

WORTH = {Face.BLANK: 0, Face.FOCUS: 1, Face.HIT: 2, Face.EVADE: 2, Face.CRIT: 3}
TOKENS = ("focus", "calculate", "force", "evade")


def by_die(declared: Declared) -> dict[tuple[int, int], Fraction]:
    """The law of uncanceled (hits, crits) of all attacks together."""
    defense = declared.defense or LineUp()
    held = {((0, 0), tuple(getattr(defense, token) for token in TOKENS)): Fraction(1)}
    for number in range(declared.attacks):
        after: dict[tuple[tuple[int, int], tuple[int, ...]], Fraction] = {}
        for ((hits, crits), tokens), chance in held.items():
            strain = max(0, defense.strain - number)
            line = replace(defense, strain=strain, **dict(zip(TOKENS, tokens, strict=True)))
            for ((more_hits, more_crits), left), part in one_attack(replace(declared, defense=line)).items():
                key = (hits + more_hits, crits + more_crits), left
                after[key] = after.get(key, Fraction(0)) + chance * part
        held = after
    law: dict[tuple[int, int], Fraction] = {}
    for (results, _), chance in held.items():
        law[results] = law.get(results, Fraction(0)) + chance
    return law


def one_attack(declared: Declared) -> dict[tuple[tuple[int, int], tuple[int, ...]], Fraction]:
    """The law of uncanceled (hits, crits) and the defender's tokens left."""
    red = Red(declared)
    law: dict[tuple[tuple[int, int], tuple[int, ...]], Fraction] = {}
    greens: dict[int, dict[tuple[int, tuple[int, ...]], Fraction]] = {}
    for (hits, crits), chance in red.law().items():
        results = hits + crits
        if results not in greens:
            greens[results] = Green(declared, results).law()
        for (left, tokens), part in greens[results].items():
            gone = results - left
            through = max(0, hits - gone), crits - max(0, gone - hits)
            law[through, tokens] = law.get((through, tokens), Fraction(0)) + chance * part
    return law


def tidy(dice: Iterator[Die] | list[Die]) -> Dice:
    return tuple(sorted(dice, key=lambda die: (WORTH[die[0]], die[1])))


def fall(pool: Pool, count: int, fresh: bool) -> dict[Dice, Fraction]:
    """Each way in which so many dice can fall."""
    law: dict[Dice, Fraction] = {}
    for faces in product(pool.faces, repeat=count):
        dice = tidy([(face, fresh) for face in faces])
        law[dice] = law.get(dice, Fraction(0)) + Fraction(1, 8**count)
    return law


FALL = cache(fall)


@dataclass(frozen=True)
class Reroll:
    """One reroll still to be used; ``most`` None is the lock."""

    faces: tuple[Face, ...]
    most: int | None


@dataclass(frozen=True)
class Chosen:
    """What a window does: the value first; the other fields decide between equal values, larger first."""

    value: Fraction
    kind: int
    dice: int
    prefer: tuple[int, ...]
    narrow: tuple[int, ...]
    taken: tuple[int, ...] = ()
    used: Reroll | None = None

    @property
    def rank(self) -> tuple[object, ...]:
        return self.value, self.kind, self.dice, self.prefer, self.narrow


class Rerolls:
    """One window's rerolls, every set of dice tried; ``end`` says what the dice are worth when it stops."""

    def __init__(self, pool: Pool, mine: bool, end: Callable[[Dice], Fraction]) -> None:
        self.pool, self.mine, self.end = pool, mine, end
        self.choose = cache(self._choose)

    def wanted(self, reroll: Reroll) -> list[Face]:
        """One's own blanks and focus results; of the other side's dice anything but blanks."""
        return [face for face in reroll.faces if (WORTH[face] < 2 if self.mine else WORTH[face] > 0)]

    def _choose(self, dice: Dice, left: tuple[Reroll, ...]) -> Chosen:
        options = [Chosen(self.end(dice), 1, 0, (), ())]
        for reroll in set(left):
            wanted = self.wanted(reroll)
            places = [place for place, (face, fresh) in enumerate(dice) if fresh and face in wanted]
            most = len(places) if reroll.most is None else min(reroll.most, len(places))
            others = list(left)
            others.remove(reroll)
            for count in range(1, most + 1):
                for taken in set(combinations(places, count)):
                    value = sum(
                        (part * self.choose(after, tuple(others)).value for after, part in self.after(dice, taken)),
                        start=Fraction(0),
                    )
                    worths = sorted((WORTH[dice[place][0]] for place in taken), reverse=not self.mine)
                    prefer = tuple(-worth if self.mine else worth for worth in worths)
                    narrow = -len(wanted), -(reroll.most or 0)
                    kind = 0 if reroll.most is None else 2
                    options.append(Chosen(value, kind, count, prefer, narrow, taken, reroll))
        return max(options, key=lambda option: option.rank)

    def after(self, dice: Dice, taken: tuple[int, ...]) -> Iterator[tuple[Dice, Fraction]]:
        kept = [die for place, die in enumerate(dice) if place not in taken]
        for fallen, part in FALL(self.pool, len(taken), False).items():
            yield tidy([*kept, *fallen]), part

    def law(self, dice: Dice, left: tuple[Reroll, ...]) -> dict[Dice, Fraction]:
        """How the dice lie when the rerolls are over."""
        chosen = self.choose(dice, left)
        if chosen.used is None:
            return {dice: Fraction(1)}
        others = list(left)
        others.remove(chosen.used)
        law: dict[Dice, Fraction] = {}
        for after, part in self.after(dice, chosen.taken):
            for end, chance in self.law(after, tuple(others)).items():
                law[end] = law.get(end, Fraction(0)) + part * chance
        return law


def effects_on(line: LineUp, pool: Pool, verb: str) -> list[DiceEffect]:
    return [effect for effect in line.effects if effect.pool is pool and effect.verb == verb]


def rerolls_of(line: LineUp, pool: Pool) -> tuple[Reroll, ...]:
    return tuple(
        Reroll(tuple(sorted(effect.faces or pool.results, key=WORTH.__getitem__)), effect.most)
        for effect in effects_on(line, pool, "reroll")
    )


def without(dice: Dice, face: Face, of_fresh: int, of_done: int, new: Face | None) -> Dice:
    """So many fresh and so many rerolled dice of a face changed or canceled."""
    rest = list(dice)
    for fresh in [True] * of_fresh + [False] * of_done:
        rest.remove((face, fresh))
        rest += [] if new is None else [(new, fresh)]
    return tidy(rest)


def all_uses(dice: Dice, effects: list[DiceEffect]) -> Iterator[tuple[tuple[int, ...], Dice]]:
    """Every way to use the effects in their order, on any of equal dice.

    With the dice comes what is preferred among equals: more uses, changes of rerolled dice, canceling fresh ones.
    """
    if not effects:
        yield (), dice
        return
    effect, face = effects[0], effects[0].faces[0]
    new = effect.to if effect.verb == "change" else None
    for of_fresh, of_done in product(
        *(range(min(effect.most, dice.count((face, fresh))) + 1) for fresh in (True, False))
    ):
        if of_fresh + of_done <= effect.most:
            after = without(dice, face, of_fresh, of_done, new)
            prefer = of_fresh + of_done, of_fresh if new is None else of_done
            yield from (((*prefer, *others), end) for others, end in all_uses(after, effects[1:]))


def worsening(line: LineUp, pool: Pool) -> list[DiceEffect]:
    """What the other side may do to results without rerolling: the best results first."""
    changes = [
        effect for effect in effects_on(line, pool, "change") if effect.to and WORTH[effect.to] < WORTH[effect.faces[0]]
    ]
    effects = [*changes, *effects_on(line, pool, "cancel")]
    return sorted(
        effects, key=lambda effect: (-max(map(WORTH.__getitem__, effect.faces)), -WORTH[effect.to] if effect.to else 1)
    )


def bettering(line: LineUp, pool: Pool) -> list[DiceEffect]:
    """What a side may do to its own results: the worst results first."""
    effects = [
        effect for effect in effects_on(line, pool, "change") if effect.to and WORTH[effect.to] > WORTH[effect.faces[0]]
    ]
    return sorted(
        effects, key=lambda effect: (WORTH[effect.faces[0]], WORTH[effect.to or effect.faces[0]], effect.most)
    )


class Window:
    """The two windows on one pool: the other side's, whose gain is the owner's loss, then the owner's."""

    def __init__(self, declared: Declared, pool: Pool) -> None:
        attack, defense = declared.attack, declared.defense or LineUp()
        attack = replace(attack, lock=attack.lock - declared.cost_lock)
        if declared.range == 0:
            attack = LineUp(
                effects=tuple(
                    effect
                    for effect in attack.effects
                    if effect.pool is Pool.RED and effect.verb in ("set", "become", "dice", "cancel")
                )
            )
            declared = replace(declared, attack=replace(declared.attack, effects=attack.effects))
        self.pool, self.attack, self.defense = pool, attack, defense
        self.mine, self.theirs = (attack, defense) if pool is Pool.RED else (defense, attack)
        self.count = attack_pool(declared) if pool is Pool.RED else defense_pool(declared)
        self.left = rerolls_of(self.mine, pool)
        if pool is Pool.RED and attack.lock:
            self.left = (*self.left, Reroll((Face.BLANK, Face.FOCUS), None))
        self.ends = cache(self.end_value)
        self.own = Rerolls(pool, True, self.ends)
        self.other = Rerolls(pool, False, lambda dice: self.harm(dice)[0])

    def end_value(self, dice: Dice) -> Fraction:
        """What the dice are worth to their owner after the rerolls."""
        raise NotImplementedError

    def harm(self, dice: Dice) -> tuple[Fraction, tuple[int, ...], Dice]:
        """The worst that the other side can do for the owner, in changes and cancels."""
        return max(
            (-self.own.choose(self.added(after), self.left).value, uses, after)
            for uses, after in all_uses(dice, worsening(self.theirs, self.pool))
        )

    def added(self, dice: Dice) -> Dice:
        adds = [
            (effect.to or Face.BLANK, True)
            for effect in effects_on(self.mine, self.pool, "add")
            for _ in range(effect.most)
        ]
        return tidy([*dice, *adds])

    def dice_law(self) -> dict[Dice, Fraction]:
        """How the dice lie when both sides have rerolled, and the other side has changed what it may."""
        fixed = [*effects_on(self.attack, self.pool, "set"), *effects_on(self.defense, self.pool, "set")]
        start = {tidy([(fixed[0].to, True)] * self.count): Fraction(1)} if fixed and fixed[0].to else None
        law: dict[Dice, Fraction] = {}
        for dice, chance in (start or FALL(self.pool, self.count, True)).items():
            for after, part in self.other.law(dice, rerolls_of(self.theirs, self.pool)).items():
                for end, share in self.own.law(self.added(self.harm(after)[2]), self.left).items():
                    law[end] = law.get(end, Fraction(0)) + chance * part * share
        return law


class Red(Window):
    """The attack dice."""

    def __init__(self, declared: Declared) -> None:
        super().__init__(declared, Pool.RED)

    def end_value(self, dice: Dice) -> Fraction:
        return Fraction(sum(self.best(dice)))

    def best(self, dice: Dice) -> tuple[int, int]:
        """The most hits and crits, then the most crits, over all orders of changes and tokens: (hits, crits)."""
        changes = bettering(self.mine, Pool.RED)
        tokens = self.mine.focus, self.mine.calculate + self.mine.force

        @cache
        def play(faces: tuple[Face, ...], uses: tuple[int, ...], focus: int, small: int) -> tuple[int, int]:
            crits = faces.count(Face.CRIT)
            result = [(crits + faces.count(Face.HIT), crits)]
            if focus and Face.FOCUS in faces:
                turned = tuple(sorted(Face.HIT if face is Face.FOCUS else face for face in faces))
                result.append(play(turned, uses, focus - 1, small))
            if small and Face.FOCUS in faces:
                result.append(play(swap(faces, Face.FOCUS, Face.HIT), uses, focus, small - 1))
            for index, effect in enumerate(changes):
                if uses[index] and effect.faces[0] in faces and effect.to:
                    left = (*uses[:index], uses[index] - 1, *uses[index + 1 :])
                    result.append(play(swap(faces, effect.faces[0], effect.to), left, focus, small))
            return max(result)

        results, crits = play(
            tuple(sorted(face for face, _ in dice)), tuple(change.most for change in changes), *tokens
        )
        return results - crits, crits

    def law(self) -> dict[tuple[int, int], Fraction]:
        """The law of (hits, crits) after both windows, and after what holds after them."""
        law: dict[tuple[int, int], Fraction] = {}
        for dice, chance in self.dice_law().items():
            hits, crits = self.best(dice)
            for effect in (
                *effects_on(self.attack, self.pool, "become"),
                *effects_on(self.defense, self.pool, "become"),
            ):
                if effect.faces[0] is Face.CRIT and effect.to is Face.HIT:
                    hits, crits = hits + crits, 0
                if effect.faces[0] is Face.HIT and effect.to is Face.CRIT:
                    hits, crits = 0, hits + crits
            law[hits, crits] = law.get((hits, crits), Fraction(0)) + chance
        return law


def swap(faces: tuple[Face, ...], old: Face, new: Face) -> tuple[Face, ...]:
    rest = list(faces)
    rest.remove(old)
    return tuple(sorted([*rest, new]))


class Green(Window):
    """The defense dice against so many hits and crits."""

    def __init__(self, declared: Declared, results: int) -> None:
        self.results = results
        super().__init__(declared, Pool.GREEN)

    def end_value(self, dice: Dice) -> Fraction:
        return Fraction(-self.best(dice)[0])

    def best(self, dice: Dice) -> tuple[int, tuple[int, ...]]:
        """The fewest uncanceled results, then the most tokens left, then the most free changes used."""
        result = []
        for uses, after in all_uses(dice, bettering(self.mine, Pool.GREEN)):
            left, tokens = self.spend([face for face, _ in after])
            result.append((-left, sum(tokens), uses, tokens))
        left, _, _, tokens = max(result)
        return -left, tokens

    def uncanceled(self, evades: int) -> int:
        """Step 6, one evade at a time."""
        left = max(0, self.results - evades)
        for _ in range(self.mine.reinforce):
            if left > 1:
                left -= 1
        return left

    def spend(self, faces: list[Face]) -> tuple[int, tuple[int, ...]]:
        """Tokens in the policy's order, one after the other, as long as one more evade is needed."""
        focus, calculate, force, evade = (getattr(self.mine, token) for token in TOKENS)
        shown, eyes = faces.count(Face.EVADE), faces.count(Face.FOCUS)
        least = min(self.uncanceled(shown + more) for more in self.reachable(faces))
        needed = next(more for more in range(len(faces) + 1) if self.uncanceled(shown + more) == least)
        from_focus = min(needed, eyes)
        if focus and from_focus > (1 if calculate or force else 0):
            focus, needed, eyes = focus - 1, needed - from_focus, 0
        while needed and eyes and (calculate or force):
            if calculate:
                calculate -= 1
            else:
                force -= 1
            needed, eyes = needed - 1, eyes - 1
        return least, (focus, calculate, force, evade - needed)

    def reachable(self, faces: list[Face]) -> set[int]:
        """How many more evades tokens can make, over all ways to spend them."""
        focus, calculate, force, evade = (getattr(self.mine, token) for token in TOKENS)
        eyes, blanks = faces.count(Face.FOCUS), faces.count(Face.BLANK)
        result = set()
        for whole, small, plain in product(range(min(focus, 1) + 1), range(calculate + force + 1), range(evade + 1)):
            turned = eyes if whole else min(eyes, small)
            result.add(turned + min(plain, eyes - turned + blanks))
        return result

    def law(self) -> dict[tuple[int, tuple[int, ...]], Fraction]:
        """The law of how many results are left, and of the tokens left."""
        law: dict[tuple[int, tuple[int, ...]], Fraction] = {}
        for dice, chance in self.dice_law().items():
            end = self.best(dice)
            law[end] = law.get(end, Fraction(0)) + chance
        return law
