"""Dice outside the other games, in the notation that dice bots share (``4d6kh3``, ``6d10>=7``, ``4dF``).

Somebody rolls (``play``), or asks several people for a roll: one card, a button for each, and the totals side by side.
People are then named by number (``@1``), so that a state holds nobody's id. Everyone rolls the same dice with a bonus
of their own. A roll for all at once, which can be secret, is made when it is opened.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from bot.rules import name, reading
from bot.rules.anydice import notation, play
from bot.rules.anydice.play import Declared, DiceRoll, Pools, Row, filled_in, roll_all
from bot.rules.anydice.reader import with_options
from bot.rules.anydice.tree import LABEL_MOST, TEXT_MOST, Calculation, Comparison, Expression, Line, Node, Number
from bot.rules.dice import DICE_MOST, Rng, Rolled
from bot.rules.errors import BadInput, Example, PlayerError
from bot.rules.game import Act, Choice, Does, Field, May, Offer, Side, Then, Who, asking, carry_out
from bot.rules.text import EMPTY, Code, Name, Shown, Text

KEY = "anydice"
TITLE = Text("Any dice")
SCHEMA = 1
REQUEST: Final = "request"
"""The word of a declaration that makes it one of these: ``@1 +5, @2``, or ``everybody``."""
REQUEST_MOST: Final = 300
EVERYBODY: Final = ("everybody", "everyone", "anybody", "all", "@everyone", "@here")
ROLLS_MOST: Final = 20
"""Maximum number of people who may answer one request."""
INVITED: Final = re.compile(r"\s*+@(\d{1,2})\s*+(?:([+-])\s*+(\d{1,3}))?\s*+(?:,|;|and\b|$|(?=@))")
OPEN_END: Final = re.compile(r"(?<!\s)\s*+\+\s*+(?:\.\.\.|…)\s*+")
"""``1d20+...``: everybody says what they add."""
ROLE: Final = re.compile(r"<@&[0-9]+>")
"""A mention of a role, as Discord writes it."""
BONUS: Final = re.compile(r"\s*+([+-]?)\s*+(\d{1,3})\s*+")


@dataclass(frozen=True, slots=True)
class Invited:
    """A person who is asked, by number, and their bonus."""

    number: int
    bonus: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """The dice that people are asked for, in full. ``people``: who is asked; () for everybody here.

    ``asks_bonus``: each says what they add. ``at_once``: all dice fall when it is opened.
    """

    dice: str
    people: tuple[Invited, ...]
    label: str = ""
    asks_bonus: bool = False
    at_once: bool = False

    @property
    def expression(self) -> Expression:
        return notation.parse(self.dice)


@dataclass(frozen=True, slots=True)
class Given:
    """One person's roll: their number (0: the person who asked), their bonus, and the dice."""

    player: int
    bonus: int
    dice: Pools


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A request: who has rolled so far, in that order."""

    declared: Ask
    given: tuple[Given, ...] = ()
    closed: bool = False

    @property
    def rows(self) -> tuple[tuple[int, Row], ...]:
        """Each answer with the number of who gave it."""
        line = self.declared.expression.line
        return tuple((one.player, Row(line=with_bonus(line, one.bonus), dice=one.dice)) for one in self.given)

    @property
    def missing(self) -> tuple[Invited, ...]:
        """People who were asked and haven't rolled."""
        done = {one.player for one in self.given}
        return tuple(one for one in self.declared.people if one.number not in done)


State: TypeAlias = DiceRoll | Asking


def with_bonus(line: Line, bonus: int) -> Line:
    """The roll with something added, before it is compared."""
    if not bonus:
        return line

    def added(node: Node) -> Node:
        if isinstance(node, Comparison):
            return replace(node, left=added(node.left))
        return Calculation("+" if bonus > 0 else "-", node, Number(abs(bonus)))

    if line.game is not None:
        for at, option in enumerate(line.game.options):
            value = (line.options[at] or 0) + bonus
            if option.signed and option.least <= value <= option.most:
                values = (*line.options[:at], value, *line.options[at + 1 :])
                return with_options(line, line.game, values)
    return replace(line, tree=added(line.tree), system="", options=())


def declare(raw: Mapping[str, object]) -> Declared | Ask:
    """Read a declaration: ``play.declare``, or ``ask`` if ``request`` names people. Raises ``PlayerError``."""
    return ask(raw) if raw.get(REQUEST) else play.declare(raw)


def ask(raw: Mapping[str, object]) -> Ask:
    """``{"dice": "1d20", "request": "@1 +5, @2", "label": "Perception", "at_once": false}``. Raises ``PlayerError``."""
    reader = reading.Reader(raw)
    text, system = reader.text("dice", TEXT_MOST), reader.text("system", TEXT_MOST)
    label = name.one_line(reader.text("label", LABEL_MOST), LABEL_MOST)
    asked, at_once = reader.text(REQUEST, REQUEST_MOST), reader.flag("at_once")
    for other in ("times", "faces"):
        if reader.has(other):
            raise BadInput(other, reader.raw(other), Text("Leave it out of a request: everybody rolls once."))
    reader.done()
    ends_open = OPEN_END.search(text)
    expression = filled_in(OPEN_END.sub("", text, count=1), system)
    if not expression.is_single or not expression.has_dice:
        raise BadInput("dice", text, Text("Use dice that everybody rolls once."), Example("1d20"))
    line, people = expression.line, read_people(asked)
    if at_once and not people:
        raise BadInput(REQUEST, asked, Text("Name whom I roll for."), Example("@Ana +5, @Bo"))
    dice, asks_bonus = replace(line, label="").written, ends_open is not None and not at_once
    found = Ask(dice=dice, people=people, label=label or line.label, asks_bonus=asks_bonus, at_once=at_once)
    if dice_count(found) > DICE_MOST:
        raise PlayerError("That is {n} dice. Ask for at most {most} in all.", n=dice_count(found), most=DICE_MOST)
    return found


def read_people(text: str) -> tuple[Invited, ...]:
    """Read the people who are asked, each with a bonus; () for everyone. Raises ``BadInput`` for anything else."""
    if text.strip().casefold() in EVERYBODY:
        return ()
    if role := ROLE.search(text):
        why = Text("I cannot see who has a role, so mention each person, or write `everybody`.")
        raise BadInput(REQUEST, role[0], why, Example("@Ana +5, @Bo"))
    found, at = list[Invited](), 0
    while at < len(text.rstrip()):
        one = INVITED.match(text, at)
        if one is None:
            raise BadInput(REQUEST, text[at:], Text("Mention people, each with a bonus."), Example("@Ana +5, @Bo"))
        found.append(Invited(int(one[1]), int(f"{one[2]}{one[3]}") if one[3] else 0))
        at = one.end()
    if not found:
        raise BadInput(REQUEST, text, Text("Mention people, or write `everybody`."), Example("@Ana +5, @Bo"))
    if len({one.number for one in found}) < len(found):
        raise BadInput(REQUEST, text, Text("Mention each person once."))
    return tuple(found)


def dice_count(declared: Declared | Ask) -> int:
    """The dice that fall at once, of all people where they fall for all; those that explode come on top."""
    times = len(declared.people) if isinstance(declared, Ask) and declared.at_once else 1
    return times * declared.expression.dice


def not_secret(declared: Declared | Ask) -> Shown:
    """Why it cannot be rolled in secret; "" where it can."""
    return Text("This request waits for people.") if isinstance(declared, Ask) and not declared.at_once else EMPTY


def start(declared: Declared | Ask, rng: Rng) -> Any:
    """The whole roll, or the request. Raises ``PlayerError`` for faces, rolled by hand, that do not fit the dice."""
    if not isinstance(declared, Ask):
        return play.start(declared, rng)
    state = Asking(declared=declared)
    for one in declared.people if declared.at_once else ():
        state = given_by(state, one.number, one.bonus, rng)
    return state


def given_by(state: Asking, player: int, bonus: int, rng: Rng) -> Asking:
    """The request after one more of them has rolled."""
    dice = roll_all(state.declared.expression, rng, None, Side.DEFENDER)
    return replace(state, given=(*state.given, Given(player, bonus, dice)))


def rolled(state: State) -> tuple[Rolled, ...]:
    dice = [one.dice for one in state.given] if isinstance(state, Asking) else [state.dice]
    return tuple(die for pools in dice for pool in pools for die in pool)


def offers(state: State) -> tuple[Offer, ...]:
    """Return the choices of ``play.offers``; for a request a button per person who hasn't rolled, or one for everyone.

    The person who asked may close it.
    """
    if isinstance(state, DiceRoll):
        return play.offers(state)
    declared = state.declared
    if state.closed or declared.at_once or (declared.people and not state.missing):
        return ()
    add = Field("bonus", Text("What you add"), Code("+5"), required=False, longest=8)
    fields = (add,) if declared.asks_bonus else ()
    each = [
        Offer(Answer(at), Who(Side.DEFENDER, player=at), Text("{who}: roll", who=Name(f"@{at}")), asking(fields))
        for at in (one.number for one in state.missing)
    ]
    if not declared.people:
        each = [Offer(Answer(), Who(Side.DEFENDER, May.JOINS), Text("Roll"), asking(fields), Then.OPTIONAL)]
    return (*each, CLOSE) if declared.people or len(state.given) < ROLLS_MOST else ()


def choose(state: State, choice: Choice, rng: Rng) -> Any:
    return carry_out(offers(state), state, choice, rng)


class Answer(Act):
    """Somebody rolls, by their number; 0 for whoever takes it."""

    number: int = 0

    forms = ("roll", "roll-{number}")

    def apply(self, state: Asking, choice: Choice, rng: Rng) -> Asking:
        number, filled = self.number or choice.player, choice.filled or {}
        if any(one.player == number for one in state.given):
            raise PlayerError(Text("You have rolled already. Everybody rolls once."))
        said = next((one.bonus for one in state.declared.people if one.number == number), 0)
        return given_by(state, number, said + read_bonus(filled.get("bonus", "")), rng)


CLOSES: Final = Does("close", lambda state, *_: replace(state, closed=True))
CLOSE: Final = Offer(CLOSES, Side.ATTACKER, Text("Close the request"), then=Then.OPTIONAL)


def read_bonus(text: str) -> int:
    """``+5``, ``-2``, ``3``; nothing is 0. Raises ``BadInput``."""
    if not text.strip():
        return 0
    found = BONUS.fullmatch(text.replace("−", "-"))
    if found is None:
        raise BadInput("bonus", text, Text("Use a number."), Example("+5"))
    return int(f"{found[1]}{found[2]}")


def outcome(state: State) -> Mapping[str, object]:
    """Return the result of ``play.outcome``; for a request, each person's number and total, and who is missing."""
    if isinstance(state, DiceRoll):
        return play.outcome(state)
    totals = [{"player": player, "total": row.total} for player, row in state.rows]
    missing = [one.number for one in state.missing]
    return {"understood": state.declared.expression.understood, "totals": totals, "missing": missing}
