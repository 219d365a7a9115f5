"""A contest for any game: two sides roll dice of their choice, and the results are compared."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Final

from bot.rules.anydice import notation, play, tree
from bot.rules.anydice.systems import System
from bot.rules.dice import MAX_DICE, Rng, Rolled
from bot.rules.errors import BadInputError, Example, PlayerError
from bot.rules.game import ButtonRank, Choice, Field, Fill, Offer, PlainAct, Side, carry_out, roll_again_offer
from bot.rules.json_reader import JsonReader
from bot.rules.name import MAX_NAME, clean
from bot.rules.text import EMPTY, N_, UNNAMED, Code, Name, Text

KEY = "contest"
TITLE = Text("Contest")
SCHEMA = 1
EXAMPLE: Final = "1d20+5"
MAX_ROUNDS: Final = 20
"""Maximum rerolls of a tie."""


class WinsBy(StrEnum):
    """The value that decides a contest."""

    HIGHER = "higher"
    LOWER = "lower"
    SUCCESSES = "successes"


class Ties(StrEnum):
    """The winner of a tie: none, the opener, or the other side; or both reroll."""

    NOBODY = "nobody"
    FIRST = "first"
    SECOND = "second"
    AGAIN = "again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """One side: its parsed dice, and physical faces, if any. ``name``: of an NPC."""

    dice: str
    name: Name = UNNAMED
    faces: tuple[int, ...] | None = None

    @property
    def expression(self) -> tree.Expression:
        return notation.parse(self.dice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A declared contest: its values, the winner of ties, and the two sides; None for one without dice yet."""

    by: WinsBy = WinsBy.HIGHER
    ties: Ties = Ties.NOBODY
    first: Contestant | None = None
    second: Contestant | None = None

    @property
    def sides(self) -> tuple[Contestant, Contestant] | None:
        return None if self.first is None or self.second is None else (self.first, self.second)

    @property
    def system(self) -> System | None:
        """Return the game that compares the rolls: the one of both, if it defines an order and the higher roll wins."""
        games = [side.expression.line.game for side in self.sides or ()]
        is_shared = bool(games) and games[0] == games[-1] and self.by is WinsBy.HIGHER
        return games[0] if is_shared and games[0] is not None and games[0].opposed else None

    @property
    def breaks_ties(self) -> Ties:
        """Return the winner of a tie: as declared, or by the game."""
        if self.ties is not Ties.NOBODY or self.system is None:
            return self.ties
        return {"first": Ties.FIRST, "defender": Ties.SECOND, "again": Ties.AGAIN}.get(self.system.ties, Ties.NOBODY)


@dataclass(frozen=True, kw_only=True)
class Contest:
    """A contest: each round has both sides' pools; none while a side has no dice."""

    declared: Declared
    rounds: tuple[tuple[play.Pools, play.Pools], ...] = ()
    withdrawn: bool = False

    @cached_property
    def last(self) -> tuple[play.RolledLine, ...]:
        """Return both sides' rolls of the last round; () before it."""
        if not self.rounds or (sides := self.declared.sides) is None:
            return ()
        pairs = zip(sides, self.rounds[-1], strict=True)
        return tuple(play.RolledLine(line=side.expression.line, dice=dice) for side, dice in pairs)

    @cached_property
    def results(self) -> tuple[int, int] | None:
        """Both sides' results in the last round."""
        return (self.last[0].total, self.last[1].total) if self.last else None

    @cached_property
    def standings(self) -> tuple[tuple[int, ...], ...]:
        """Return both sides' values to compare in order: the results, or the game's."""
        system = self.declared.system
        return tuple(system.standing(roll.formula_values) if system else (roll.total,) for roll in self.last)

    @property
    def is_tied(self) -> bool:
        return len(set(self.standings)) == 1

    @property
    def winner(self) -> Side | None:
        """Return the last round's winner, ties as declared; None for none, or not yet."""
        if self.results is None:
            return None
        first, second = self.standings
        if first == second:
            return {Ties.FIRST: Side.ATTACKER, Ties.SECOND: Side.DEFENDER}.get(self.declared.breaks_ties)
        return Side.ATTACKER if (first < second) == (self.declared.by is WinsBy.LOWER) else Side.DEFENDER


State = Contest


def declare(raw: Mapping[str, object]) -> Declared:
    """Parse ``{"dice": "1d20+5", "their_dice": "1d20+3", "by": "higher", "ties": "nobody"}``; everything is optional.
    Also ``name`` and ``their_name`` of NPCs, physical ``faces`` and ``their_faces``. Raises ``PlayerError``.
    """
    reader = JsonReader(raw)
    by = WinsBy(reader.word("by", tuple(WinsBy), WinsBy.HIGHER))
    ties = Ties(reader.word("ties", tuple(Ties), Ties.NOBODY))
    first, second = contestant(reader, "", by, Side.ATTACKER), contestant(reader, "their_", by, Side.DEFENDER)
    reader.check_all_taken()
    return check_declared(Declared(by=by, ties=ties, first=first, second=second))


def contestant(reader: JsonReader, prefix: str, by: WinsBy, side: Side) -> Contestant | None:
    """A side; None if it hasn't chosen its dice."""
    text, name = reader.text(f"{prefix}dice", tree.MAX_TEXT), clean(reader.text(f"{prefix}name", MAX_NAME))
    faces = reader.take_raw(f"{prefix}faces")
    if text:
        return read_side(text, name, faces, by, side, prefix)
    if name or faces:
        of_npc, of_faces = N_("Use dice like `{example}` for {name}."), N_("Use dice like `{example}` for those faces.")
        why = Text(of_npc if name else of_faces, example=Code(EXAMPLE), name=name)
        raise BadInputError(Text("{prefix}dice", prefix=Code(prefix)), None, why)
    return None


def read_side(text: str, name: str, faces: object, by: WinsBy, side: Side, prefix: str = "") -> Contestant:
    """Parse a side. Raises ``PlayerError`` for dice that can't be parsed or compared so."""
    field = f"{prefix}dice"
    expression = notation.parse(text, field)
    if not expression.is_single:
        raise BadInputError(field, text, Text("Use a single roll, not several."), Example(EXAMPLE))
    line = expression.line
    if line.game is not None and line.game.alone:
        message = N_("{system} has no opposed roll: one side rolls against a number of the other.")
        why = Text(message, system=line.game.title)
        raise BadInputError(field, text, why, Text("To compare totals, use plain dice."), Example(plain_dice(line)))
    if by is WinsBy.SUCCESSES and not (line.counts_successes or isinstance(line.tree, tree.Comparison)):
        raise BadInputError(field, text, Text("Use dice with a target for successes."), Example("6d10>=7"))
    by_hand = play.read_faces(faces, f"{prefix}faces")
    if by_hand is not None:
        play.roll_all(expression, play.refuse_chance, by_hand, side, f"{prefix}faces")
    return Contestant(dice=expression.full_text, name=Name(name), faces=by_hand)


def plain_dice(line: tree.ExpressionLine) -> str:
    """Return a roll's dice without its game or target number."""
    left = line.tree.left if isinstance(line.tree, tree.Comparison) else line.tree
    return str(tree.map_pools(left, lambda pool: replace(pool, note="")))


def check_declared(declared: Declared) -> Declared:
    """Return the declaration if both sides can be rolled together and can differ."""
    sides, dice = declared.sides, dice_count(declared)
    if sides is not None and dice > MAX_DICE:
        message = N_("That's {dice_count} dice. Both sides together can roll at most {dice_most}.")
        raise PlayerError(Text(message, dice_count=dice, dice_most=MAX_DICE))
    if sides is not None and not any(side.expression.has_dice for side in sides):
        raise BadInputError("dice", sides[0].dice, Text("Use at least one die on one of the sides."), Example(EXAMPLE))
    return declared


def dice_count(declared: Declared) -> int:
    return sum(side.expression.dice for side in (declared.first, declared.second) if side is not None)


def not_secret(declared: Declared) -> Text:
    """Return why it can't be secret; empty if it can."""
    if declared.sides is not None:
        return EMPTY
    return Text("A contest without both sides' dice waits for an answer; type `dice` and `their_dice`.")


def start(declared: Declared, rng: Rng) -> Contest:
    """Roll both sides, once both have dice."""
    return rolled_out(Contest(declared=check_declared(declared)), rng)


def rolled_out(state: Contest, rng: Rng) -> Contest:
    """Roll one more round, if both have dice."""
    if (sides := state.declared.sides) is None:
        return state
    named = zip(sides, Side, ("faces", "their_faces"), strict=True)
    first, second = (play.roll_all(item.expression, rng, item.faces, side, field) for item, side, field in named)
    return replace(state, rounds=(*state.rounds, (first, second)))


def rolled(state: Contest) -> tuple[Rolled, ...]:
    return tuple(die for item in state.rounds for side in item for pool in side for die in pool)


def offers(state: Contest) -> tuple[Offer, ...]:
    """Return the choices: choose dice; then break a tie, or reroll everything."""
    declared = state.declared
    if state.withdrawn:
        return ()
    if declared.sides is None:
        missing = [side for side in Side if contestant_of(declared, side) is None]
        return (*(answer_offer(side, declared.by) for side in missing), WITHDRAW)
    by_hand = any(side.faces is not None for side in declared.sides)
    if state.is_tied and declared.breaks_ties is Ties.AGAIN and not by_hand and len(state.rounds) < MAX_ROUNDS:
        return (BREAK_TIE,)
    return () if by_hand else (AGAIN,)


def contestant_of(declared: Declared, side: Side) -> Contestant | None:
    return declared.first if side is Side.ATTACKER else declared.second


def answer_offer(side: Side, by: WinsBy) -> Offer:
    example = "6d10>=7" if by is WinsBy.SUCCESSES else EXAMPLE
    dice = Field("dice", Text("Your dice"), Code(example), longest=tree.MAX_TEXT)
    faces = Field("faces", Text("Faces, if you roll by hand"), Code("17"), required=False, longest=play.FACES_LONGEST)
    label = Text("Enter your dice") if side is Side.ATTACKER else Text("Answer")
    act = PlainAct(f"answer-{side}", lambda state, choice, rng: enter_side(state, side, choice.filled or {}, rng))
    return Offer(act, side, label, Fill((dice, faces)))


def enter_side(state: Contest, side: Side, filled: Mapping[str, str], rng: Rng) -> Contest:
    said = read_side(filled.get("dice", ""), "", filled.get("faces", ""), state.declared.by, side)
    is_first = side is Side.ATTACKER
    declared = replace(state.declared, first=said) if is_first else replace(state.declared, second=said)
    return rolled_out(replace(state, declared=check_declared(declared)), rng)


AGAIN: Final = roll_again_offer(start, Text("Again"))
WITHDRAWS: Final = PlainAct("withdraw", lambda state, *_: replace(state, withdrawn=True))
WITHDRAW: Final = Offer(WITHDRAWS, Side.ATTACKER, Text("Withdraw"), rank=ButtonRank.LAST)
BREAKS_TIE: Final = PlainAct("break-tie", lambda state, _, rng: rolled_out(state, rng))
BREAK_TIE: Final = Offer(BREAKS_TIE, Side.ATTACKER, Text("A tie: both roll again"))


def choose(state: Contest, choice: Choice, rng: Rng) -> Contest:
    """Apply an answer, a withdrawal, or another round."""
    after: Contest = carry_out(offers(state), state, choice, rng)
    return after


def outcome(state: Contest) -> Mapping[str, object]:
    """Return both results and the winner: ``first``, ``second``, ``nobody``; no results while an answer is pending."""
    if state.results is None:
        return {"winner": None, "waiting": not state.withdrawn}
    names = {Side.ATTACKER: "first", Side.DEFENDER: "second", None: "nobody"}
    return {
        "results": list(state.results),
        "winner": names[state.winner],
        "tie": state.is_tied,
        "rounds": len(state.rounds),
        **({"readings": [play.verdict(roll) for roll in state.last]} if any(map(play.verdict, state.last)) else {}),
        "faces": [[[die.face for die in pool] for pool in side] for side in state.rounds[-1]],
    }
