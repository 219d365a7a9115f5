"""Dice notation on a card: total and derivation, dice with their history; requested rolls' totals side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain
from math import sqrt
from operator import le
from typing import Final

from bot.odds.anydice import LineOdds, RollOdds
from bot.odds.distribution import Distribution
from bot.render import plain_text
from bot.render.card import Ahead, Bar, Bars, Card, People, Strip, Tile, fate_of
from bot.render.odds import MAX_BARS
from bot.render.plain_text import decimal, percent
from bot.rules import text as texts
from bot.rules.anydice import InvitedPlayer, RequestedRoll, RollRequest, State, offers, tree as trees
from bot.rules.anydice.play import DiceRoll, DieCause, RolledLine, chain_result, verdict
from bot.rules.anydice.systems import Reading
from bot.rules.anydice.tree import Comparison, DicePool, Node
from bot.rules.dice import OUT, Rolled
from bot.rules.game import Side
from bot.rules.text import EMPTY, N_, Code, Message, Name, Names, Noun, Numeral, Sentences, Shown, Text, joined, term

BODIES: Final = {"d20": "d20-attacker"}
"""Bodies that differ from the die's kind."""
PLAIN: Final[Mapping[str, str]] = {}
MAX_TILES: Final = 120
"""Maximum dice in a roll's picture; more are mentioned."""
MAX_TERMS: Final = 6
"""Maximum dice that a sentence adds up one by one."""
TESTS: Final[Mapping[trees.Sign, Message]] = {
    ">=": N_("{left} at least {right}"),
    "<=": N_("{left} at most {right}"),
    ">": N_("{left} above {right}"),
    "<": N_("{left} below {right}"),
    "=": N_("{left} exactly {right}"),
    "!=": N_("{left} not {right}"),
}
"""Phrases for comparisons."""
READ: Final[Mapping[str, Message]] = {
    "rolls": N_("{who} rolls {way}: {reading}."),
    "against": N_("{who} rolls {way} against {right}: {reading}."),
    "has": N_("{who} has {count}: {reading}."),
    "net": N_("{who} ends with {net}: {reading}."),
    "pushed": N_("{who} pushes the roll and has {count}: {reading}."),
    "shows": N_("{who} rolls {reading}."),
}
"""Sentences for a system's result: a sum, a check against a number, counted dice, symbols only."""
SAID: Final = {"has": "count", "pushed": "count", "net": "net"}
"""Values not repeated in a sentence's reading."""
READ_ALONE: Final[Mapping[str, Message]] = {
    "has": N_("{who} has {count}."),
    "net": N_("{who} ends with {net}."),
    "pushed": N_("{who} pushes the roll and has {count}."),
}
"""Sentences without a reading."""
DICE: Final = Noun("die", "dice")
SUCCESSES: Final = Noun("success", "successes")
MAX_EXACT: Final = 10**6
"""Largest denominator of a chance shown as a fraction."""
MAX_LINES: Final = 12
"""Lines of a list of chances."""


def card(state: State, names: People) -> Card:
    return request_card(state, names) if isinstance(state, RequestedRoll) else roll_card(state, names)


def roll_card(state: DiceRoll, names: People) -> Card:
    who, rows = names.get(Side.ATTACKER, Text("Someone")), state.rows
    left = [texts.bracketed(Code(f"@{person}"), DICE.of(dice)) for person, dice in state.waits_for.items()]
    came, shown = missing(left) if left else outcome(rows, who), strips(rows)
    label, is_one = state.declared.label, len(rows) == 1 and not left
    is_told = left or (is_one and (isinstance(rows[0].line.tree, Comparison) or rows[0].line.system))
    totals = came if is_told else Text("Result: {totals}", totals=Names([str(row.total) for row in rows]))
    return Card(
        title=title(state),
        outcome=texts.labeled(Name(label), came) if label else came,
        strips=shown,
        trail=tuple(trail(rows)),
        small=hidden_dice_note(state.dice),
        below=hidden_dice_note(state.dice),
        alt=Sentences([texts.ended(plain_text.strips(shown)), totals]),
        number=number(rows[0]) if is_one else EMPTY,
        unit=SUCCESSES.unit_of(rows[0].total) if rows[0].line.counts_successes and not left else EMPTY,
        ahead="open" if left else leading_side(rows),
    )


def number(row: RolledLine) -> Shown:
    """Return a roll's result; for a check, the value that was compared; empty for symbols alone."""
    if row.line.game is not None and way_read(row) == "shows":
        return EMPTY
    return Code(with_minus(row.sides[0] if isinstance(row.line.tree, Comparison) else row.total))


def title(state: DiceRoll) -> Shown:
    systems = [Name(line.game.title) for line in state.expression.lines if line.game]
    return Sentences(dict.fromkeys([Text("Any dice"), *systems, Code(state.expression.canonical_text)]), " · ")


def leading_side(rows: Sequence[RolledLine]) -> Ahead:
    """Return green or red for a single check; no color otherwise."""
    passed = [item for item in map(is_passed, rows) if item is not None]
    if len(rows) > 1 or not passed:
        return "unchecked"
    return "passed" if passed[0] else "failed"


def is_passed(row: RolledLine) -> bool | None:
    """Whether a roll succeeds; None without a check."""
    if row.reading is not None:
        return row.reading.good
    if isinstance(row.line.tree, Comparison):
        return bool(row.total)
    return False if verdict(row) == "botch" else None


# The outcome


def outcome(rows: Sequence[RolledLine], who: Shown) -> Text:
    """Return a roll's result in sentences that can be read aloud."""
    if len(rows) == 1:
        rounded = Text("The division is rounded down.") if has_rest(rows[0]) else EMPTY
        return Sentences([one_outcome(rows[0], who), NATURAL.get(natural_d20_face(rows[0])), rounded])
    lines = {row.line for row in rows}
    if all(isinstance(line.tree, Comparison) for line in lines) and len(lines) == 1:
        passed = sum(row.total for row in rows)
        return Text("{who} succeeds {passed} of {times} times.", who=who, passed=passed, times=len(rows))
    is_counted = len(lines) == 1 and rows[0].line.counts_successes
    totals = [joined(Name(item.line.label), result(item)) if item.line.label else result(item) for item in rows]
    return Text(N_("{who} has {totals}.") if is_counted else N_("{who} rolls {totals}."), who=who, totals=Names(totals))


def result(row: RolledLine) -> Shown:
    if row.reading is not None and row.reading.words:
        return texts.bracketed(Code(with_minus(row.total)), full_reading(row.reading))
    passed = is_passed(row)
    if isinstance(row.line.tree, Comparison) and passed is not None:
        return Text("succeeds") if passed else Text("fails")
    return SUCCESSES.of(row.total) if row.line.counts_successes else Code(with_minus(row.total))


def one_outcome(row: RolledLine, who: Shown) -> Text:
    tree = row.line.tree
    if row.reading is not None and row.reading.words:
        left, right = row.sides if isinstance(tree, Comparison) else (row.total, 0)
        told, net = way_of(tree.left if isinstance(tree, Comparison) else tree, row, left), Code(with_minus(row.total))
        places = {"way": told, "right": Code(right), "count": SUCCESSES.of(row.total), "net": net}
        key = way_read(row)
        reading = full_reading(row.reading, places[SAID.get(key, "way")])
        return Text(READ[key] if reading else READ_ALONE[key], who=who, reading=reading, **places)
    if isinstance(tree, Comparison):
        return check_sentence(row, tree, who)
    if is_plain(row):
        return Text("{who} ends with {net}.", who=who, net=Code(with_minus(row.total)))
    if not row.line.counts_successes:
        return Text("{who} rolls {way}.", who=who, way=way(row))
    return count_sentence(row, who)


def way_read(row: RolledLine) -> str:
    """Return the key of the sentence for a system's reading of a roll."""
    game, tree = row.line.game, row.line.tree
    has_score, marks = (bool(game.score), game.marks) if game is not None else (False, {})
    if row.total < 0 or (has_score and marks) or is_plain(row):
        return "net"
    if row.line.counts_successes or has_score:
        was_pushed = any(step.by == DieCause.PUSHED for die in chain.from_iterable(row.dice) for step in die.trail)
        return "pushed" if was_pushed else "has"
    if isinstance(tree, Comparison):
        return "against"
    return "shows" if game is not None and game.faces and set(game.faces) == set(game.pools) else "rolls"


def is_plain(row: RolledLine) -> bool:
    return row.line.game is not None and row.line.game.plain and not row.line.counts_successes


def full_reading(reading: Reading, said: Shown = EMPTY) -> Text:
    """Return ``a success, 2 advantages``, without what the sentence has ``said``."""
    counts = (Noun(Message(count.one), Message(count.many)).of(amount) for count, amount in reading.counts)
    parts = [*map(term, reading.said), *counts]
    return Sentences([part for part in parts if texts.english(part) != texts.english(said)], ", ")


def check_sentence(row: RolledLine, tree: Comparison, who: Shown) -> Text:
    """Return a comparison: the target and the result."""
    left, right = row.sides
    asked = Text(TESTS[tree.sign], left=Code(str(tree.left)), right=Code(str(tree.right)))
    came = way_of(tree.left, row, left)
    message = N_("{who} fails with {came} (needed {asked}).")
    if row.total:
        message = N_("{who} succeeds with {came} (needed {asked}).")
    if not isinstance(tree.right, trees.NumberLiteral):
        came = Text("{came} against {right}", came=came, right=right)
    return Text(message, who=who, asked=asked, came=came)


def count_sentence(row: RolledLine, who: Shown) -> Text:
    """Return the number of matching dice, minus failures."""
    faces = [int(die.face) for pool in row.dice for die in pool if die.counts]
    failed = sum(face <= row.line.pools[0].failure for face in faces) if len(row.line.pools) == 1 else 0
    message = N_("{who} has {count}: {good} minus {failed}.") if failed else N_("{who} has {count}.")
    if row.total < 0:
        message = N_("{who} botches: {good} minus {failed} is {net}.")
    good, net = row.total + failed, Code(with_minus(row.total))
    return Text(message, who=who, count=SUCCESSES.of(row.total), good=good, failed=failed, net=net)


NATURAL: Final[Mapping[int | None, Text]] = {20: Text("A natural 20!"), 1: Text("A natural 1.")}
"""Sentences for a lone d20 that shows 20 or 1."""


def natural_d20_face(row: RolledLine) -> int | None:
    """Return the face of the only d20 that counts; None if there isn't exactly one."""
    twenties = [die for pool in row.dice for die in pool if die.kind == "d20" and die.counts]
    return int(twenties[0].face) if len(twenties) == 1 else None


def has_rest(row: RolledLine) -> bool:
    """Whether any division outside of ``ceil`` and the like has a remainder."""
    rests = list[bool]()

    def calculates(operator: str, left: int, right: int) -> int:
        rests.append(operator == "/" and left % right != 0)
        return trees.calculate(operator, left, right)

    values = iter(row.values)
    trees.evaluate(row.line.tree, lambda _: next(values)[2], calculates)
    return any(rests)


# Sums


def way(row: RolledLine) -> Shown:
    """Return a total's derivation, ``3 + 5 = 8``, or only the total if nothing was added."""
    return way_of(row.line.tree, row, row.total)


def way_of(node: Node, row: RolledLine, total: int) -> Shown:
    """Show the whole roll, or the left side of its comparison."""
    alone = len(list(trees.pools_of(node))) == 1
    told, _ = terms(node, iter(row.values), alone=alone)
    shown = Code(with_minus(total))
    return shown if texts.english(told) in (shown, f"({shown})") else Sentences([told, shown], " = ")


Values = Iterator[tuple[DicePool, Sequence[Rolled], int]]
"""Each pool with its dice and their value, in text order."""
SIGNS: Final = {"*": "×", "/": "÷", "%": "%", "^": "^", "-": "−", "+": "+"}


def terms(node: Node, values: Values, *, alone: bool) -> tuple[Shown, int]:
    """Return a part with its numbers, and its precedence. ``alone``: its only pool is added up die by die."""
    if isinstance(node, DicePool):
        pool, dice, came = next(values)
        kept = [int(die.face) for die in dice if die.counts]
        if alone and pool.success is None and not pool.steps and 1 < len(kept) <= MAX_TERMS:
            return Code(" + ".join(map(signed, kept))), trees.SUM
        return Code(signed(came)), trees.FACTOR
    if isinstance(node, trees.Calculation):
        return calculation_terms(node, values, alone=alone)
    if isinstance(node, trees.Best):
        parts = [terms(choice, values, alone=False)[0] for choice in node.choices]
        return Text(BEST[node.highest, node.count == 1], parts=Names(parts), n=node.count), 0
    if isinstance(node, trees.Rounded):
        inside, _ = terms(node.node, values, alone=alone)
        return Sentences([Code(f"{node.how}("), inside, Code(")")], ""), trees.FACTOR
    return Code(trees.evaluate_tree(node, lambda _: next(values)[2])), trees.FACTOR


BEST: Final = {
    (True, True): N_("the best of {parts}"),
    (True, False): N_("the best {n} of {parts}"),
    (False, True): N_("the lowest of {parts}"),
    (False, False): N_("the lowest {n} of {parts}"),
}
"""Phrases by whether the highest dice are kept, and whether it is one die."""


def signed(number: int) -> str:
    return str(number) if number >= 0 else f"({with_minus(number)})"


def with_minus(number: int) -> str:
    return str(number) if number >= 0 else f"−{-number}"


def calculation_terms(node: trees.Calculation, values: Values, *, alone: bool) -> tuple[Shown, int]:
    left = terms(node.left, values, alone=alone)
    right = terms(node.right, values, alone=alone)
    if node.operator == "-" and node.left == trees.NumberLiteral(0):
        return Sentences([Code("−"), held_text(right, trees.FACTOR)], ""), trees.SUM
    level = trees.TIGHTNESS[node.operator]
    tight = level if node.operator == "+" else level + 1
    return Sentences([held_text(left, level), Code(SIGNS[node.operator]), held_text(right, tight)]), level


def held_text(part: tuple[Shown, int], least: int) -> Shown:
    told, level = part
    return told if level >= least else texts.parenthesized(told)


# The dice


def strips(rows: Sequence[RolledLine], body: Mapping[str, str] = PLAIN) -> tuple[Strip, ...]:
    """Return a strip for each pool of a single roll; for several rolls a strip each, ending with its total."""
    found, lines = list[Strip](), {row.line for row in rows}
    if len(rows) == 1:
        for pool, rolled, came in rows[0].values:
            is_summed = len(rows[0].dice) > 1 and len(rolled) > 1 and not rows[0].is_symbolic(pool)
            sums = (Tile("sum", f"= {came}"),) if is_summed else ()
            tiles = tiles_of(rows[0], pool, rolled, body)
            found.append(Strip(label_of(rows[0], pool), (*tiles, *sums), beside=len(found) > 0))
    else:
        for at, row in enumerate(rows, 1):
            tiles = [tile for pool, rolled, _ in row.values for tile in tiles_of(row, pool, rolled, body)]
            name = Name(row.line.label) or Code(row.line.notation if len(lines) > 1 else "")
            label = Sentences([texts.ended(at), name]) if name else Numeral(str(at))
            found.append(Strip(label, (*tiles, end_tile(row))))
    return limit_strips(found)


def end_tile(row: RolledLine) -> Tile:
    """Return the tile at the end of a row: its result; for a check, the compared value, gray if it failed."""
    if isinstance(row.line.tree, Comparison):
        return Tile("sum", f"= {row.sides[0]}", "stands" if row.total else "failed")
    return Tile("sum", f"= {row.total}")


def label_of(row: RolledLine, pool: DicePool) -> Shown:
    """Return a pool's label: from its game, from the person who typed it, or its notation."""
    if not pool.note:
        return Code(replace(pool, note=""))
    game = row.line.game
    return texts.term(pool.note) if game is not None and pool.note in game.pools else Name(pool.note)


def limit_strips(found: Sequence[Strip]) -> tuple[Strip, ...]:
    """Return no more dice than a picture holds."""
    left, shown = MAX_TILES, list[Strip]()
    for strip in found:
        shown.append(replace(strip, tiles=strip.tiles[: max(0, left)]))
        left -= len(strip.tiles)
    return tuple(strip for strip in shown if strip.tiles)


def tiles_of(row: RolledLine, pool: DicePool, rolled: Sequence[Rolled], body: Mapping[str, str] = PLAIN) -> list[Tile]:
    """Return a pool's dice; ``body``: drawn body by kind of die.

    A dropped die is struck out, a failure gray, and an explosion linked to its cause. Symbols matter whether or not
    they are added up. A natural 20 has a gold ring, a natural 1 is gray.
    """
    color = row.line.game.colors.get(pool.note) if row.line.game else None
    natural, is_said = natural_d20_face(row), pool.only and row.is_symbolic(pool)
    tiles = list[Tile]()
    for die, is_good in zip(rolled, good_dice(pool, rolled), strict=True):
        kind = die.kind.lower()
        falls = [step.face for step in die.trail if step.how in ("rolled", "rerolled", "entered")]
        failed = not is_good or (die.kind == "d20" and natural == 1)
        was = pool.is_exploding_sum or die.kind != pool.kind or len(falls) < 2
        tiles.append(
            Tile(
                body.get(kind) or (f"{kind}-{color}" if color else BODIES.get(kind, kind)),
                row.face_of(pool, die, die.face),
                "stands" if is_said and not die.counts else fate_of(die, "failed" if failed else "stands"),
                ghost="" if was else row.face_of(pool, die, falls[-2]),
                linked=die.trail[0].cause in (DieCause.EXPLODES, DieCause.IMPLODES),
                shapes=shapes_of(row, pool, die),
                critical=die.counts and die.kind == "d20" and natural == 20,
            )
        )
    return tiles


def good_dice(pool: DicePool, rolled: Sequence[Rolled]) -> list[bool]:
    """Return whether each die succeeds: it passes in a chain, is a success, or is only added up."""
    faces = [int(die.face) for die in rolled]
    if pool.steps:
        return list(chain_result(pool, rolled).goes_on)
    return [pool.success is None or pool.value(face) > 0 for face in faces]


def shapes_of(row: RolledLine, pool: DicePool, die: Rolled) -> tuple[str, ...]:
    """Return a die's symbols, if all of its face are drawable."""
    game = row.line.game
    if game is None or not row.is_symbolic(pool):
        return ()
    marks = [game.marks.get(letter) for letter in game.letters_of(pool.note, int(die.face))]
    return tuple(mark.shape for mark in marks if mark is not None) if all(marks) else ()


def trail(rows: Sequence[RolledLine]) -> list[Shown]:
    """Return a line for each pool: its dice with their history, and their value."""
    lines: list[Shown] = []
    for at, row in enumerate(rows, 1):
        first = f"{at}. " if len(rows) > 1 else ""
        for pool, rolled, came in row.values:
            result = SUCCESSES.of(came) if pool.success else Code(came)
            story = Sentences((steps(row, pool, die) for die in rolled), ", ")
            dice = Code(f"{first}{replace(pool, note='')}")
            name = texts.bracketed(dice, label_of(row, pool)) if pool.note else dice
            came_to = story if row.is_symbolic(pool) else Sentences([story, result], " = ")
            lines.append(texts.labeled(name, came_to))
    return lines


def steps(row: RolledLine, pool: DicePool, die: Rolled) -> Shown:
    """Return ``5``, ``1 → 5``, ``3 (dropped)``."""
    seen = [row.face_of(pool, die, step.face) for step in die.trail if step.how not in (*OUT, "kept")]
    way = Sentences(map(plain_text.face, seen), " → ") if row.is_symbolic(pool) else Code(" → ".join(seen))
    return way if die.counts else Text("{way} (dropped)", way=way)


def hidden_dice_note(pools: Sequence[Sequence[Rolled]]) -> Shown:
    if (fell := sum(map(len, pools))) <= MAX_TILES:
        return EMPTY
    return Text("The picture shows {shown} of the {fell} dice", shown=MAX_TILES, fell=fell)


# Requested rolls


def request_card(state: RequestedRoll, names: People) -> Card:
    asker = names.get(Side.ATTACKER, Text("Someone"))
    rows = [(name_of(number, asker), row) for number, row in state.rows]
    shown = limit_strips([request_strip(name, row) for name, row in rows])
    came = answers(state, asker)
    label = state.declared.label
    cut = hidden_dice_note([pool for _, row in rows for pool in row.dice])
    return Card(
        title=Text("Any dice · {dice_of}", dice_of=Code(dice_of(state.declared))),
        outcome=texts.labeled(Name(label), came) if label else came,
        strips=shown,
        turn=turn(state),
        trail=tuple(Sentences([name, line], ", ") for name, row in rows for line in trail([row])),
        small=cut,
        below=cut,
        alt=Sentences([texts.ended(plain_text.strips(shown)), came]) if shown else EMPTY,
        ahead="open" if offers(state) else "nobody",
    )


def dice_of(declared: RollRequest) -> str:
    understood = declared.expression.canonical_text
    return f"{understood}+…" if declared.asks_bonus else understood


def name_of(number: int, asker: Shown) -> Shown:
    """Return a person by number as in declarations; the renderer inserts names."""
    return Code(f"@{number}") if number else asker


def asked_person(person: InvitedPlayer) -> Shown:
    name = Code(f"@{person.number}")
    return texts.bracketed(name, Code(person.dice)) if person.dice else name


def answers(state: RequestedRoll, asker: Shown) -> Text:
    """Return who has rolled what so far, in one sentence that can be read aloud."""
    if state.given:
        results = [joined(name_of(number, asker), result(row)) for number, row in state.rows]
        return texts.ended(Names(results))
    dice, people = dice_of(state.declared), list(map(asked_person, state.declared.people))
    if state.closed:
        return Text("{asker} closed the request; nobody rolled.", asker=asker)
    if not people:
        return Text("{asker} asks everyone to roll {dice}.", asker=asker, dice=Code(dice))
    return Text("{asker} asks {people} to roll {dice}.", asker=asker, people=Names(people), dice=Code(dice))


def turn(state: RequestedRoll) -> Shown:
    """Return who hasn't rolled yet."""
    if not offers(state):
        return EMPTY
    if not state.declared.people:
        return Text("Anyone here can press Roll. Everyone rolls once.")
    return missing([Name(f"@{invited.number}") for invited in state.missing])


def missing(people: Sequence[Shown]) -> Text:
    """Say who hasn't rolled yet."""
    return Text("Not rolled yet: {people}.", people=Names(people))


def request_strip(name: Shown, row: RolledLine) -> Strip:
    """Return one person's dice, with the total at the end."""
    tiles = [tile for pool, rolled, _ in row.values for tile in tiles_of(row, pool, rolled)]
    pools = row.line.pools
    label = label_of(row, pools[0]) if str(row.line.tree) == str(pools[0]) else row.line.notation
    return Strip(texts.labeled(name, label), (*tiles, end_tile(row)))


# Odds


def odds_card(answer: RollOdds) -> Card:
    """Return one repeat's distribution as a chart, with mean and spread; several rolls share one chart."""
    lines, declared = answer.lines, answer.declared
    alone = len(lines) == 1
    drawn = symbol_laws(lines[0]) if alone else {}
    names: Sequence[Shown] = [term(name) for name in drawn] or [Code(line.line.notation) for line in lines]
    shown = chart(names, list(drawn.values()) or [line.distribution for line in lines])
    facts = tuple(fact for line in lines for fact in line_facts(line, alone=alone))
    small = Text("Exact, for a single roll") if any(line.line.times > 1 for line in lines) else Text("Exact")
    title = Text("Any dice: odds · {understood}", understood=Code(declared.expression.canonical_text))
    outcome = Sentences(map(average, lines))
    if alone and is_check(lines[0]):  # one number says it
        exact = lines[0].distribution.mean(int)
        small = Text("Exactly {share} of all rolls", share=Code(exact)) if exact.denominator <= MAX_EXACT else small
        return Card(title, outcome, facts=facts, small=small)
    alt = chances_in_words(names[: len(drawn) or 1], shown, is_drawn=bool(drawn))
    return Card(title, outcome, facts=facts, small=small, alt=alt, figure=shown)


def chances_in_words(names: Sequence[Shown], shown: Bars, *, is_drawn: bool) -> Text:
    """Return each law's bars as text; of a system's numbers, only possible ones."""
    result = list[Shown]()
    for at, name in enumerate(names):
        bars = [bar for bar in shown.bars if bar.chances[at] or not is_drawn]
        chances = Sentences([texts.labeled(bar.label, percent(bar.chances[at])) for bar in bars], ", ")
        result.append(texts.ended(texts.labeled(name, chances)) if is_drawn else chances)
    return Sentences(result)


def is_check(line_odds: LineOdds) -> bool:
    return isinstance(line_odds.line.tree, Comparison)


def symbol_laws(line_odds: LineOdds) -> dict[str, Distribution[int]]:
    """Return the law of each of its system's numbers, without impossible ones."""
    return {name: law for name, law in line_odds.charts.items() if set(law.weights) != {0}}


def average(line_odds: LineOdds) -> Text:
    """Return a roll's mean, or its chance of success."""
    mean = line_odds.distribution.mean(int)
    if is_check(line_odds):
        return Text("Chance of a success: {chance}.", chance=percent(mean))
    if drawn := symbol_laws(line_odds):
        means = [joined(term(name), decimal(law.mean(int))) for name, law in drawn.items()]
        return Text("Average of {dice}: {means}.", dice=Code(line_odds.line.notation), means=Sentences(means, ", "))
    return Text("Average of {dice}: {mean}.", dice=Code(line_odds.line.notation), mean=decimal(mean))


def line_facts(line_odds: LineOdds, *, alone: bool) -> list[tuple[Shown, Shown]]:
    """Return a roll's range, its chances, its system's readings, and what is beyond."""
    law, behind = line_odds.distribution, Code("" if alone else f", {line_odds.line.notation}")
    mean = law.mean(int)
    spread = Numeral(f"{sqrt(law.mean(lambda value: value * value) - mean * mean):.2f}")
    found = list[tuple[Shown, Shown]]()
    if line_odds.readings:
        named = [texts.labeled(term(name), percent(chance)) for name, chance in line_odds.readings.items()]
        found.append((Text("Results{behind}", behind=behind), Sentences(named, "\n")))
    if line_odds.pushed:
        named = [texts.labeled(term(name), percent(chance)) for name, chance in line_odds.pushed.items()]
        found.append((Text("Results after a push{behind}", behind=behind), Sentences(named, "\n")))
    if is_check(line_odds):
        return found + bounds(line_odds, behind)
    message, values = N_("{least} to {most}, standard deviation {spread}"), law.weights
    range_of = Text(message, least=min(values), most=max(values), spread=spread)
    found.append((Text("Range{behind}", behind=behind), range_of))
    drawn = symbol_laws(line_odds) if alone else {}
    for name, each in drawn.items():
        found.append((Text("Chances, {what}", what=term(name)), Sentences(at_least_lines(each), "\n")))
    if not drawn:
        found.append((Text("Chances{behind}", behind=behind), Sentences(at_least_lines(law), "\n")))
    return found + bounds(line_odds, behind)


def bounds(line_odds: LineOdds, behind: Shown) -> list[tuple[Shown, Shown]]:
    """Return what lies beyond the repeats that are counted; [] if nothing does."""
    message, rest = N_("Each die repeats at most 10 times; the chance of going past that is {rest}."), line_odds.cut_off
    return [(Text("Bounds{behind}", behind=behind), Text(message, rest=percent(rest)))] if rest else []


def chart(names: Sequence[Shown], laws: Sequence[Distribution[int]]) -> Bars:
    """Return distributions as bars over all results, grouped if there are too many."""
    least, most = min(min(law.weights) for law in laws), max(max(law.weights) for law in laws)
    wide = -(-(most - least + 1) // MAX_BARS)
    bars = []
    for first in range(least, most + 1, wide):
        last = min(first + wide - 1, most)
        counts = [sum(law.weights.get(value, 0) for value in range(first, last + 1)) for law in laws]
        chances = tuple(Fraction(count, distribution.total) for count, distribution in zip(counts, laws, strict=True))
        bars.append(Bar(Numeral(str(first) if first == last else f"{first}–{last}"), chances, first))
    return Bars(tuple(names), tuple(bars))


def at_least_lines(distribution: Distribution[int]) -> list[Shown]:
    """Return ``at least 9: 84%`` for some results from the second lowest to the highest."""
    values = sorted(distribution.weights)[1:]
    step = -(-len(values) // MAX_LINES) or 1
    picked = values[::step] + ([values[-1]] if values and (len(values) - 1) % step else [])
    lines = list[Shown]()
    for least in picked:
        chance = percent(distribution.probability(partial(le, least)))
        lines.append(Text("at least {least}: {chance}", least=decimal(Fraction(least)), chance=chance))
    return lines or [Text("always {next}", next=decimal(Fraction(next(iter(distribution.weights)))))]
