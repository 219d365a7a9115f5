"""A roll in dice notation: declared as text, rolled by pool, and evaluated."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, Protocol

from bot.rules import errors, game as game_rules
from bot.rules.anydice import formula, notation, phrases, systems, tree as trees, words
from bot.rules.anydice.reader import ParseError, with_options
from bot.rules.anydice.tree import Comparison, DicePool, Expression, ExpressionLine, Node, evaluate_tree
from bot.rules.dice import MAX_DICE, DieStep, Rng, Rolled, active_faces, in_pool
from bot.rules.errors import BadInputError, BadTextError, Example, NotUnderstoodError, WholeNumber, quote_value
from bot.rules.game import Act, AfterOffer, Choice, Eligible, Offer, Option, Pick, PlainAct, RequiredSetting, Side
from bot.rules.json_reader import JsonReader
from bot.rules.name import one_line
from bot.rules.text import N_, UNNAMED, Code, Labeled, Name, Shown, Text, english, labeled, term

COUNTED: Final = ("d4", "d6", "d8", "d10", "d12", "d20", "d100", "dF")
"""Common kinds of dice, the only ones that the fairness page counts."""
MAX_REROLLS: Final = 10
"""Maximum rerolls of one die of a finished roll."""
MAX_OPTIONS: Final = 25
"""Maximum dice to select from; a roll with more has no reroll."""
FACES_LONGEST: Final = 600
BONUS: Final = re.compile(r"[-+]\s?[0-9]")
"""A bonus: without dice, it is of the channel's game."""


class DieCause(Labeled):
    """A die's cause: a push, a pick, an explosion, an implosion, a bonus or penalty."""

    PUSHED = "push", Text("push")
    REROLLED = "reroll", Text("reroll")
    EXPLODES = "explodes", Text("extra die")
    IMPLODES = "implodes", Text("subtracted die")
    BONUS = "bonus", Text("bonus or penalty die")


FOLLOWING: Final = (DieCause.EXPLODES, DieCause.IMPLODES, DieCause.BONUS)
"""Causes of dice that weren't among the first ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """Parsed dice in full, with a ``label``. ``faces``: physical dice, in order."""

    dice: str
    label: str = ""
    faces: tuple[int, ...] | None = None

    @property
    def expression(self) -> Expression:
        return notation.parse(self.dice)


Pools = tuple[tuple[Rolled, ...], ...]


FUDGE: Final = {"-1": "−", "0": "blank", "1": "+"}


@dataclass(frozen=True, kw_only=True)
class RolledLine:
    """One roll of a line: its pools' dice, in text order, and the result."""

    line: ExpressionLine
    dice: Pools

    def face_of(self, pool: DicePool, die: Rolled, face: object) -> str:
        """Return a die's face; symbols by name (``success + advantage``), ``blank`` if it has none."""
        if pool.fudge:
            return FUDGE[str(face)]
        if (game := self.line.game) is not None and self.is_symbolic(pool):
            letters = game.letters_of(pool.note, int(str(face)))
            return " + ".join(game.marks[item].name if item in game.marks else item for item in letters) or "blank"
        is_tens = die.trail[0].cause == DieCause.BONUS and face in trees.TENS
        return f"{face:02}" if is_tens else str(face).replace("-", "−")

    def is_symbolic(self, pool: DicePool) -> bool:
        return self.line.game is not None and pool.note in self.line.game.faces

    @cached_property
    def total(self) -> int:
        """Return the sum of its dice, or its system's count; 1 for a successful check."""
        plain = total(self.line.tree, self.dice)
        return self.reading.total(is_check=self.line.is_check, plain=plain) if self.reading else plain

    @cached_property
    def reading(self) -> systems.Reading | None:
        return self.line.game.read(self.formula_values) if self.line.game else None

    @cached_property
    def formula_values(self) -> dict[str | formula.Measured, int]:
        """Values for its system's formulas; empty without a system."""
        game = self.line.game
        if game is None:
            return {}
        pools = {pool.note: came for pool, _, came in self.values}
        rolled = self.sides[0] if isinstance(self.line.tree, Comparison) else total(self.line.tree, self.dice)
        shown = [
            (pool.note, int(die.face), game.symbols(pool.note, int(die.face)))
            for pool, dice, _ in self.values
            for die in dice
            if die.trail[0].cause not in FOLLOWING or game.sees_explosions
        ]
        return game.formula_values(
            self.line.options, pools, rolled, (formula.measure_dice(measure, shown) for measure in game.measures)
        )

    @cached_property
    def values(self) -> tuple[tuple[DicePool, tuple[Rolled, ...], int], ...]:
        pairs = zip(self.line.pools, self.dice, strict=True)
        return tuple((pool, dice, pool_total(pool, dice)) for pool, dice in pairs)

    @property
    def sides(self) -> tuple[int, int]:
        tree = self.line.tree
        assert isinstance(tree, Comparison)  # noqa: S101 - the caller has checked
        values = iter(self.values)
        left, right = (evaluate_tree(side, lambda _: next(values)[2]) for side in (tree.left, tree.right))
        return left, right


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRoll:
    """A roll: each pool's dice, in order."""

    declared: Declared
    dice: Pools

    @property
    def expression(self) -> Expression:
        return self.declared.expression

    @property
    def rows(self) -> tuple[RolledLine, ...]:
        left = iter(self.dice)
        return tuple(RolledLine(line=line, dice=tuple(next(left) for _ in line.pools)) for line in self.expression.rows)

    @property
    def dice_with_pools(self) -> tuple[tuple[DicePool, Rolled], ...]:
        """Return every die with its pool."""
        return tuple((pool, die) for row in self.rows for pool, dice, _ in row.values for die in dice)

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(row.total for row in self.rows)

    @property
    def waits_for(self) -> Mapping[int, int]:
        """Return the people who must roll a chain's step, with the number of dice."""
        left = Counter[int]()
        for pool, dice, through in (value for row in self.rows for value in row.values if value[0].steps):
            left.update({chain_result(pool, dice).person: through})
        return {person: dice for person, dice in left.items() if person}


def declare(raw: Mapping[str, object]) -> Declared:
    """Parse ``{"dice": "4d6kh3", "times": 2, "label": "Strength", "faces": "6 5 1 3 ..."}``; only ``dice`` is required.

    ``times`` and ``label`` may be in the dice: ``2#4d6kh3 Strength``. ``system``: the game whose options the dice are,
    if they aren't dice themselves. ``language``: whose words are accepted beside English; ``last_step``, ``versus``,
    ``explosion``: the channel's answers. Raises ``PlayerError`` for invalid dice or faces.
    """
    reader = JsonReader(raw)
    text, system = reader.text("dice", trees.MAX_TEXT), reader.text("system", trees.MAX_TEXT)
    times = reader.take_whole_number("times", 1, trees.MAX_TIMES, default=1)
    label = one_line(reader.text("label", trees.MAX_LABEL), trees.MAX_LABEL)
    faces = read_faces(reader.take_raw("faces"), "faces")
    reads = read_channel(reader)
    reader.check_all_taken()
    expression = several_times(fill_in_system(text, system, reads), times)
    if not expression.has_dice:
        near = notation.nearest(ParseError(text, 0), text, "named", words.ENGLISH)
        raise BadInputError("dice", text, Text("Use at least one die."), Example(near or "1d20+5"))
    if len(expression.lines) == 1:
        line = expression.line
        label, expression = label or line.label, Expression((replace(line, label=""),))
    declared = Declared(dice=expression.full_text, label=label, faces=faces)
    if (count := expression.dice) > MAX_DICE:
        message = N_("That's {dice_count} dice. Roll at most {dice_most} at once.")
        raise errors.PlayerError(Text(message, dice_count=count, dice_most=MAX_DICE))
    if faces is not None:
        start(declared, refuse_chance)
    return declared


Reads = Callable[[str], Expression]
"""Parses dice with a channel's language and answers."""


def read_channel(reader: JsonReader) -> Reads:
    """Return the channel's parser of dice. Raises ``PlayerError`` for an invalid answer."""
    language = reader.text("language", trees.MAX_LABEL)
    answers = dict[str, int]()
    for word, values in phrases.ANSWERS.items():
        answer = reader.text(word, trees.MAX_LABEL) or "ask"
        if answer not in ("ask", *values):
            raise BadInputError(word, answer, errors.AllowedWords(("ask", *values)))
        answers |= values.get(answer, {})
    known = language if language in words.TABLES else words.ENGLISH
    return partial(notation.parse, language=known, answers=tuple(answers.items()))


def fill_in_system(text: str, system: str, reads: Reads) -> Expression:
    """Parse a text in a channel with a default system: ``+2 vs 15``. A bare number is never its pool."""
    if not system:
        return reads(text)
    try:
        expression = reads(text)
    except NotUnderstoodError:
        return reads(f"{system} {text}")
    is_check = notation.DICE_IN_TEXT.search(text) is None and BONUS.search(text) is not None
    if is_check and not expression.line.system:
        return reads(f"{system} {text}")
    if expression.has_dice:
        return expression
    if text.strip().isdecimal():
        near = f"{system} {text.strip()}"
        message = N_("I don't know which dice {typed} means; the closest I understand is `{near}`.")
        raise NotUnderstoodError(
            Text(message, typed=quote_value(text.strip()), near=Code(near)), "dice", text.strip(), near
        )
    return reads(f"{system} {text}")


def several_times(expression: Expression, times: int) -> Expression:
    """Repeat the expression. Raises ``BadInputError`` if it already has repeats."""
    if times == 1:
        return expression
    line = expression.line
    if line.times > 1:
        why = Text("Leave it out: the dice already say {times} times.", times=line.times)
        raise BadInputError("times", times, why)
    if len(expression.lines) > 1:
        raise BadInputError(
            "times",
            times,
            Text("With several rolls, write the number of times before each one."),
            Example("3#1d20; 2#1d8"),
        )
    return Expression((replace(line, times=times),))


def read_faces(given: object, field: str) -> tuple[int, ...] | None:
    """Parse physical faces, typed (``6 5 -1``) or a list; None without any. Any text of at most ``FACES_LONGEST``
    characters costs under 100,000 steps.
    """
    if given is None or given == "":
        return None
    if not isinstance(given, str | list | tuple) or len(given) > FACES_LONGEST:
        why = Text("Use faces like `6 5 1`, at most {longest} characters.", longest=FACES_LONGEST)
        raise BadInputError(field, given, why)
    words = re.split(r"[\s,;]+", given.replace("−", "-").strip()) if isinstance(given, str) else given
    for word in words:
        if isinstance(word, bool) or not re.fullmatch(r"-?[0-9]{1,4}", str(word)):
            raise BadInputError(field, word, Text("Use the faces in the order the dice fell."), Example("6 5 1"))
    return tuple(int(str(word)) for word in words)


def refuse_chance(sides: int) -> int:
    """Refuse to draw: the roll's dice are already on the table."""
    raise AssertionError(f"a die of {sides} sides was drawn, although people rolled by hand")


# Rolling


class DieThrower(Protocol):
    """Rolls one die: its first step, or a further one caused by ``by``."""

    def __call__(
        self, kind: str, faces: Sequence[int], by: Shown | DieCause = UNNAMED, *, anew: bool = False
    ) -> DieStep: ...


def bot_thrower(rng: Rng) -> DieThrower:
    def throw(kind: str, faces: Sequence[int], by: Shown | DieCause = UNNAMED, *, anew: bool = False) -> DieStep:
        cause, shown = (by.value, by.label) if isinstance(by, DieCause) else ("", by)
        purpose = "rerolled" if anew else cause or english(shown) or "rolled"
        draw = in_pool(rng, kind, purpose, faces) if kind in COUNTED else rng
        return DieStep("rerolled" if anew else "rolled", faces[draw(len(faces))], shown, cause)

    return throw


FOLLOWS: Final = (
    N_("`{field}` has {given} faces, but more dice are rolled. The next one is an extra {kind}. Type every face."),
    N_("`{field}` has {given} faces, but more dice are rolled. The next one is a rerolled {kind}. Type every face."),
)
"""Causes by whether the next die is a reroll."""


class PhysicalDice:
    """Physical dice: each throw is the next typed face. Raises ``PlayerError`` for an invalid one."""

    def __init__(self, faces: Sequence[int], side: Side, field: str) -> None:
        self.left, self.given, self.side, self.field = list(faces), len(faces), side, field

    def __call__(
        self, kind: str, faces: Sequence[int], by: Shown | DieCause = UNNAMED, *, anew: bool = False
    ) -> DieStep:
        if not self.left:
            message = N_("`{field}` has {given} faces, but more dice are rolled. Type every face.")
            if by:
                message = FOLLOWS[anew]
            raise BadTextError(Text(message, field=Code(self.field), given=self.given, kind=term(kind)))
        face = self.left.pop(0)
        if face not in faces:
            wanted = (
                Text("Use 0, 10, and so on up to 90.") if faces is trees.TENS else WholeNumber(min(faces), max(faces))
            )
            raise BadInputError(f"{self.field}, {kind}", face, wanted)
        return DieStep("entered", face, Name(self.side.value), by.value if isinstance(by, DieCause) else "")

    def check_all_used(self) -> None:
        """Raise ``PlayerError`` for leftover faces."""
        if self.left:
            used = self.given - len(self.left)
            one = N_("`{field}` has {given} faces, but only 1 die is rolled. Leave out the others.")
            many = N_("`{field}` has {given} faces, but only {used} dice are rolled. Leave out the others.")
            raise BadTextError(Text(one if used == 1 else many, field=Code(self.field), given=self.given, used=used))


def roll_all(expression: Expression, rng: Rng, faces: Sequence[int] | None, side: Side, field: str = "faces") -> Pools:
    """Roll each pool, row by row. Raises ``PlayerError`` for typed faces that don't fit."""
    hand = None if faces is None else PhysicalDice(faces, side, field)
    throw: DieThrower = hand or bot_thrower(rng)
    dice = tuple(
        roll_chain(pool, throw, everyone=hand is not None) if pool.steps else roll_pool(pool, throw)
        for line in expression.rows
        for pool in line.pools
    )
    if hand is not None:
        hand.check_all_used()
    return dice


def roll_pool(pool: DicePool, throw: DieThrower) -> tuple[Rolled, ...]:
    """Roll a pool with all its modifiers, in ``DicePool``'s order."""
    firsts = [Rolled(pool.kind, (throw(pool.kind, pool.faces),)) for _ in range(pool.count)]
    if pool.bonus:
        return with_tens(pool, firsts[0], throw)
    if pool.unique:
        firsts = reroll_repeats(pool, firsts, throw)
    firsts = [reroll_die(pool, first, throw) for first in firsts]
    dice = [limit_die(pool, die) for first in firsts for die in chain(pool, first, throw)]
    if pool.explosion == "one for all" and any(pool.explode.fits(int(die.face)) for die in firsts if pool.explode):
        dice.append(limit_die(pool, Rolled(pool.kind, (throw(pool.kind, pool.faces, DieCause.EXPLODES),))))
    imploding = [die for die in firsts if pool.implode and int(die.face) <= pool.implode]
    taken = [Rolled(pool.kind, (throw(pool.kind, pool.faces, DieCause.IMPLODES),)) for _ in imploding]
    return mark_dropped(pool, [*dice, *(die.after_step("counted", face=-int(die.face)) for die in taken)])


def roll_chain(
    pool: DicePool, throw: DieThrower, fell: Sequence[Rolled] = (), person: int = 0, *, everyone: bool = False
) -> tuple[Rolled, ...]:
    """Roll the chain's dice after those that ``fell``, up to a step of somebody other than ``person``."""
    dice, before = list[Rolled](), iter(fell)

    def thrown(step: trees.ChainStep) -> int | None:
        die = next(before, None)
        if die is None:
            if step.by not in (0, person) and not everyone:
                return None
            by = UNNAMED if step is pool.steps[0] else Text("next step")
            die = reroll_die(step.die, Rolled(step.die.kind, (throw(step.die.kind, step.die.faces, by),)), throw)
        dice.append(die)
        return int(die.face)

    pool.follow_chain(thrown)
    return tuple(dice)


def chain_result(pool: DicePool, dice: Sequence[Rolled]) -> trees.ChainResult:
    faces = iter(dice)
    return pool.follow_chain(lambda _: int(die.face) if (die := next(faces, None)) else None)


def with_tens(pool: DicePool, die: Rolled, throw: DieThrower) -> tuple[Rolled, ...]:
    """Roll a d100's bonus or penalty dice: the best or worst of its ones with any tens."""
    tens = [Rolled("d10", (throw("d10", trees.TENS, DieCause.BONUS),)) for _ in range(abs(pool.bonus))]
    results = [int(die.face), *(percent(int(ten.face), int(die.face)) for ten in tens)]
    best = min(results) if pool.bonus > 0 else max(results)
    changed = die if best == die.face else die.after_step("counted", DieCause.BONUS.label, best)
    return (changed, *(ten.after_step("compared") for ten in tens))


def percent(tens: int, rolled: int) -> int:
    """Return a tens die's result with a d100's ones; 00 with a 0 is 100."""
    return tens + rolled % 10 or trees.PERCENT


def throw_again(pool: DicePool, die: Rolled, by: Shown | DieCause, throw: DieThrower) -> Rolled:
    return replace(die, trail=(*die.trail, throw(pool.kind, pool.faces, by, anew=True)))


def reroll_die(pool: DicePool, die: Rolled, throw: DieThrower) -> Rolled:
    """Reroll a matching die, once or until it no longer matches."""
    test = pool.reroll
    for _ in range(1 if pool.reroll_once else trees.MAX_CHAIN):
        if test is None or not test.fits(int(die.face)):
            break
        die = throw_again(pool, die, Code(f"`{'ro' if pool.reroll_once else 'rr'}{test.short}`"), throw)
    return die


def reroll_repeats(pool: DicePool, dice: Sequence[Rolled], throw: DieThrower) -> list[Rolled]:
    """Reroll repeats, once or until no earlier die matches."""
    result = list[Rolled]()
    for die in dice:
        last, shown = die, [other.face for other in result]
        while last.face in shown and (pool.unique == "u" or last is die):
            last = throw_again(pool, last, Code(f"`{pool.unique}`"), throw)
        result.append(last)
    return result


def chain(pool: DicePool, die: Rolled, throw: DieThrower) -> Iterator[Rolled]:
    """Yield a die with those that explode out of it: separate dice, or more on this one."""
    links = [die]
    for _ in range(pool.links):
        if pool.explode is None or not pool.explode.fits(int(links[-1].face)):
            break
        links.append(reroll_die(pool, Rolled(pool.kind, (throw(pool.kind, pool.faces, DieCause.EXPLODES),)), throw))
    if pool.is_exploding_sum and len(links) > 1:
        grown = Rolled(pool.kind, tuple(step for link in links for step in link.trail))
        yield grown.after_step("counted", face=sum(int(link.face) for link in links))
        return
    yield die
    for link in links[1:]:
        less = pool.explosion == "penetrating"
        yield link.after_step("counted", Text("penetrating"), int(link.face) - 1) if less else link


def limit_die(pool: DicePool, die: Rolled) -> Rolled:
    face, counted = int(die.face), pool.limit_face(int(die.face))
    return die if face == counted else die.after_step("counted", Code("`mi`" if counted > face else "`ma`"), counted)


def mark_dropped(pool: DicePool, dice: Sequence[Rolled]) -> tuple[Rolled, ...]:
    """Mark dropped dice; of equal ones the later."""
    if pool.only is not None:
        return tuple(set_kept(die, pool.only.fits(int(die.face))) for die in dice)
    if pool.keep is None:
        return tuple(dice)
    low, high = pool.keep.count_dropped(len(dice))
    order = sorted(range(len(dice)), key=lambda at: (int(dice[at].face), -at))
    dropped = {*order[:low], *order[len(order) - high :]}
    return tuple(set_kept(die, at not in dropped) for at, die in enumerate(dice))


def set_kept(die: Rolled, is_kept: bool) -> Rolled:
    """Set whether a die counts, also if that changes."""
    if die.counts == is_kept:
        return die
    return die.after_step("kept" if is_kept else "dropped")


# Sums


def pool_total(pool: DicePool, dice: Sequence[Rolled]) -> int:
    """Sum the counted dice; with ``success``, count matching ones; of a chain, those that passed so far."""
    if pool.steps:
        return chain_result(pool, dice).through
    return sum(pool.value(int(face)) for face in active_faces(dice))


def total(tree: Node, dice: Sequence[Sequence[Rolled]]) -> int:
    """Return a tree's value, with the dice of its pools in their order."""
    left = iter(dice)
    return evaluate_tree(tree, lambda pool: pool_total(pool, next(left)))


# The game


def start(declared: Declared, rng: Rng) -> DiceRoll:
    """Roll everything. Raises ``PlayerError`` for physical faces that don't fit."""
    dice = roll_all(declared.expression, rng, declared.faces, Side.ATTACKER)
    return DiceRoll(declared=declared, dice=dice)


def offers(state: DiceRoll) -> tuple[Offer, ...]:
    """Return the choices, if the bot rolled: who rolls next, or a push, allowed rerolls, and roll again."""
    if state.declared.faces is not None:
        return ()
    if waits_for := state.waits_for:
        return tuple(
            Offer(
                RollStep(person),
                Eligible(Side.DEFENDER, player=person),
                Text("{who}: roll", who=Name(f"@{person}")),
            )
            for person in waits_for
        )
    push = (PUSHES,) if dice_to_push(state) else ()
    return (*push, *reroll_offers(state), AGAIN)


def dice_to_push(state: DiceRoll) -> tuple[int, ...]:
    """Return the dice that a push would reroll: those whose faces its system does not keep; () after a push."""
    rows = state.rows
    game = rows[0].line.game
    if len(rows) > 1 or game is None or (push := game.push) is None or was_changed(state, DieCause.PUSHED):
        return ()
    if push.never and push.never.value(game.evaluate(rows[0].formula_values)[0]):
        return ()
    return tuple(at for at, (pool, die) in enumerate(state.dice_with_pools) if not push.keeps(pool.note, die.face))


def push(state: DiceRoll, rng: Rng) -> DiceRoll:
    """Push the roll, which in some games adds a die to the declaration."""
    state, (before,) = throw_dice_again(state, dice_to_push(state), DieCause.PUSHED, rng), state.rows
    line, throw = pushed_line(before.line), bot_thrower(rng)
    if line is before.line:
        return state
    lie = {pool.note: fell for pool, fell, _ in state.rows[0].values}
    dice = []
    for pool in line.pools:
        fell = lie.get(pool.note, ())
        more = (
            Rolled(pool.kind, (throw(pool.kind, pool.faces, DieCause.PUSHED),)) for _ in range(pool.count - len(fell))
        )
        dice.append((*fell, *more))
    return DiceRoll(declared=replace(state.declared, dice=line.full_text), dice=tuple(dice))


def pushed_line(line: ExpressionLine) -> ExpressionLine:
    """Return the roll with its push's extra die, if any."""
    game = line.game
    if game is None or (push := game.push) is None or not push.adds:
        return line
    if push.adds_if and not push.adds_if.value(game.option_values(line.options)):
        return line
    values = tuple(
        min((value or 0) + 1, option.most) if option.name == push.adds else value
        for option, value in zip(game.options, line.options, strict=True)
    )
    return with_options(line, game, values)


class RollStep(Act):
    """A person's step of a chain, by number, with its consequences."""

    person: int

    forms = ("step-{person}",)

    def apply(self, state: DiceRoll, _: Choice, rng: Rng) -> DiceRoll:
        pools = (pool for row in state.rows for pool in row.line.pools)
        return replace(
            state,
            dice=tuple(
                roll_chain(pool, bot_thrower(rng), fell, self.person) if pool.steps else fell
                for pool, fell in zip(pools, state.dice, strict=True)
            ),
        )


def was_changed(state: DiceRoll, cause: DieCause) -> bool:
    return any(step.cause == cause for _, die in state.dice_with_pools for step in die.trail)


def reroll_offers(state: DiceRoll) -> tuple[Offer, ...]:
    """Offer rerolls, except of dice that explode, have tens, or must differ: others followed."""
    lying = [(row, pool, die) for row in state.rows for pool, dice, _ in row.values for die in dice]
    options = [
        Option(str(at), labeled(Code(die.kind), term(row.face_of(pool, die, die.face))))
        for at, (row, pool, die) in enumerate(lying)
        if pool.explode is None
        and not (pool.bonus or pool.unique or pool.implode or pool.steps)
        and sum(step.cause == DieCause.REROLLED for step in die.trail) < MAX_REROLLS
    ]
    if not 0 < len(options) <= MAX_OPTIONS:
        return ()
    label = Text("Reroll these dice")
    pick = Pick(tuple(options), most=len(options))
    return (Offer(REROLL, Side.ATTACKER, label, pick, AfterOffer.OPTIONAL, leave=RequiredSetting.REROLLS),)


def throw_dice_again(state: DiceRoll, picked: Sequence[int], by: DieCause, rng: Rng) -> DiceRoll:
    """Reroll some dice; which are kept is decided anew."""
    throw, dice, first = bot_thrower(rng), list[tuple[Rolled, ...]](), 0
    for pool, lie, _ in (value for row in state.rows for value in row.values):
        now = [
            limit_die(pool, throw_again(pool, die, by, throw)) if at in picked else die
            for at, die in enumerate(lie, first)
        ]
        dice.append(mark_dropped(pool, now))
        first += len(lie)
    return replace(state, dice=tuple(dice))


PUSHES: Final = Offer(
    PlainAct("push", lambda state, _, rng: push(state, rng)),
    Side.ATTACKER,
    Text("Push the roll"),
    then=AfterOffer.OPTIONAL,
)
AGAIN: Final = game_rules.roll_again_offer(start, Text("Roll again"))
REROLL: Final = PlainAct(
    "reroll", lambda state, choice, rng: throw_dice_again(state, tuple(map(int, choice.picked)), DieCause.REROLLED, rng)
)


def outcome(state: DiceRoll) -> Mapping[str, object]:
    """Return ``totals`` with one number per row, how it was ``understood``, and every pool's faces. ``reading``: the
    only row's result in its game's words; ``readings``: several rows'. ``missing``: people who still have to roll;
    until then there are no totals.
    """
    pools = []
    for pool, dice, came in (value for row in state.rows for value in row.values):
        faces, dropped = [die.face for die in dice], [die.face for die in dice if not die.counts]
        pools.append({"dice": str(pool), "faces": faces, "dropped": dropped, "total": came})
    words: dict[str, object] = {"dice": state.declared.dice, "understood": state.expression.canonical_text}
    if missing := list(state.waits_for):
        return words | {"totals": [], "pools": pools, "missing": missing}
    words |= {"totals": list(state.totals), "pools": pools}
    verdicts = [verdict(row) for row in state.rows]
    if not any(verdicts):
        return words
    return words | ({"reading": verdicts[0]} if len(verdicts) == 1 else {"readings": verdicts})


def verdict(row: RolledLine) -> str:
    """Return a row's result in the words of its game; "" without any."""
    if row.reading is not None:
        return row.reading.words
    is_botch = row.total < 0 and any(pool.failure for pool in row.line.pools)
    return "botch" if is_botch else ""
