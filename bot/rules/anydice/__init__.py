"""Dice outside the other games, in common dice bot notation (``4d6kh3``, ``6d10>=7``, ``4dF``).

Somebody rolls (``play``), or requests a roll from several people: one card, a button for each, and the totals side by
side. People are numbers (``@1``), so a state contains no user id. All roll the same dice with their own bonus. A roll
for all at once, which can be secret, is made when opened.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from bot.rules import game, json_reader, name
from bot.rules.anydice import notation, play, tree as trees
from bot.rules.anydice.play import Declared, DiceRoll, Pools, RolledLine, fill_in_system, roll_all
from bot.rules.anydice.reader import with_options
from bot.rules.dice import MAX_DICE, Rng, Rolled
from bot.rules.errors import BadInputError, Example, NotUnderstoodError, PlayerError
from bot.rules.game import Act, AfterOffer, Choice, Eligible, Field, Offer, OpenTo, PlainAct, Side, form_or_press
from bot.rules.text import EMPTY, Code, Name, Shown, Text

KEY = "anydice"
TITLE = Text("Any dice")
SCHEMA = 1
REQUEST: Final = "request"
"""The word that makes a declaration a request: ``@1 +5, @2``, or ``everybody``."""
MAX_REQUEST: Final = 300
EVERYBODY: Final = ("everybody", "everyone", "anybody", "all", "@everyone", "@here")
MAX_ROLLS: Final = 20
"""Maximum number of people who may answer one request."""
INVITED: Final = re.compile(r"\s*+@(?P<number>\d{1,2})(?P<own>[^@,;]*+)(?:,|;|$|(?=@))")
"""A person, with the text about their roll."""
ONLY_BONUS: Final = re.compile(r"(?:[+-]\s?\d{1,3})?")
OPEN_END: Final = re.compile(r"(?<!\s)\s*+\+\s*+(?:\.\.\.|…)\s*+")
"""``1d20+...``: everybody adds their own number."""
FOR_ALL: Final = re.compile(r"\s*(?:\b(?:vs|dc|against)\b|[<>=]).*|$", re.IGNORECASE | re.DOTALL)
"""The number that everyone must reach, or the end."""
REQUESTED: Final = Example("@Ana +5, @Bo adv, @Cleo")
ROLE: Final = re.compile(r"<@&[0-9]+>")
"""A role mention in Discord's format."""
BONUS: Final = re.compile(r"\s*+([+-]?)\s*+(\d{1,3})\s*+")


@dataclass(frozen=True, slots=True)
class InvitedPlayer:
    """A requested person, by number, with their bonus, or dice of their own."""

    number: int
    bonus: int = 0
    dice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRequest:
    """Dice asked of ``people``, () for all; ``asks_bonus``: each adds a number; ``at_once``: rolled when opened."""

    dice: str
    people: tuple[InvitedPlayer, ...]
    label: str = ""
    asks_bonus: bool = False
    at_once: bool = False

    @property
    def expression(self) -> trees.Expression:
        return notation.parse(self.dice)

    def expression_of(self, number: int) -> trees.Expression:
        own = next((person.dice for person in self.people if person.number == number), "")
        return notation.parse(own) if own else self.expression


@dataclass(frozen=True, slots=True)
class GivenRoll:
    """One person's roll: their number (0: the person who asked), their bonus, and the dice."""

    player: int
    bonus: int
    dice: Pools


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedRoll:
    """A request with the rolls so far, in order."""

    declared: RollRequest
    given: tuple[GivenRoll, ...] = ()
    closed: bool = False

    @property
    def rows(self) -> tuple[tuple[int, RolledLine], ...]:
        return tuple(
            (item.player, RolledLine(line=with_bonus(expression.line, item.bonus), dice=item.dice))
            for item in self.given
            for expression in [self.declared.expression_of(item.player)]
        )

    @property
    def missing(self) -> tuple[InvitedPlayer, ...]:
        done = {item.player for item in self.given}
        return tuple(person for person in self.declared.people if person.number not in done)


State: TypeAlias = DiceRoll | RequestedRoll


def with_bonus(line: trees.ExpressionLine, bonus: int) -> trees.ExpressionLine:
    """Return the roll with an addition, before any comparison."""
    if not bonus:
        return line

    def added(node: trees.Node) -> trees.Node:
        if isinstance(node, trees.Comparison):
            return replace(node, left=added(node.left))
        return trees.Calculation("+" if bonus > 0 else "-", node, trees.NumberLiteral(abs(bonus)))

    if line.game is not None:
        for at, option in enumerate(line.game.options):
            value = (line.options[at] or 0) + bonus
            if option.signed and option.least <= value <= option.most:
                values = (*line.options[:at], value, *line.options[at + 1 :])
                return with_options(line, line.game, values)
    return replace(line, tree=added(line.tree), system="", options=())


def declare(raw: Mapping[str, object]) -> Declared | RollRequest:
    """Read a declaration: ``play.declare``, or ``ask`` if ``request`` names people. Raises ``PlayerError``."""
    return ask(raw) if raw.get(REQUEST) else play.declare(raw)


def ask(raw: Mapping[str, object]) -> RollRequest:
    """``{"dice": "1d20", "request": "@1 +5, @2 adv, @3 2d6", "at_once": false}``. Raises ``PlayerError``."""
    reader = json_reader.JsonReader(raw)
    text, system = reader.text("dice", trees.MAX_TEXT), reader.text("system", trees.MAX_TEXT)
    label = name.one_line(reader.text("label", trees.MAX_LABEL), trees.MAX_LABEL)
    asked, at_once = reader.text(REQUEST, MAX_REQUEST), reader.flag("at_once")
    for other in ("times", "faces"):
        if reader.has(other):
            raise BadInputError(other, reader.take_raw(other), Text("Leave it out of a request: everyone rolls once."))
    reads = play.read_channel(reader)
    reader.check_all_taken()
    ends_open = OPEN_END.search(text)
    expression = fill_in_system(OPEN_END.sub("", text, count=1), system, reads)
    if not expression.is_single or not expression.has_dice:
        raise BadInputError("dice", text, Text("Use dice that everyone rolls once."), Example("1d20"))
    line = expression.line

    def read_own(own: str) -> trees.Expression:
        dice = FOR_ALL.sub(lambda target: f" {own}{target[0]}", OPEN_END.sub("", text, count=1), count=1)
        try:
            return fill_in_system(dice, system, reads)
        except NotUnderstoodError:
            return fill_in_system(own, system, reads)

    people = read_people(asked, read_own)
    if at_once and not people:
        raise BadInputError(REQUEST, asked, Text("Name the people who should roll."), REQUESTED)
    dice, asks_bonus = replace(line, label="").full_text, ends_open is not None and not at_once
    request = RollRequest(dice=dice, people=people, label=label or line.label, asks_bonus=asks_bonus, at_once=at_once)
    if dice_count(request) > MAX_DICE:
        raise PlayerError("That's {n} dice. Ask for at most {most} in all.", n=dice_count(request), most=MAX_DICE)
    return request


def read_people(text: str, read_own: Callable[[str], trees.Expression]) -> tuple[InvitedPlayer, ...]:
    """Parse the requested people, each with a bonus or a roll of their own; () for everyone. ``read_own``: parses such
    a roll. Raises ``BadInputError`` for anything else.
    """
    if text.strip().casefold() in EVERYBODY:
        return ()
    if role := ROLE.search(text):
        why = Text("I can't see who has a role. Mention each person, or write `everybody`.")
        raise BadInputError(REQUEST, role[0], why, REQUESTED)
    inviteds, at = list[InvitedPlayer](), 0
    while at < len(text.rstrip()):
        match = INVITED.match(text, at)
        if match is None:
            raise BadInputError(REQUEST, text[at:], Text("Mention people, each with a bonus."), REQUESTED)
        own = match["own"].strip().removesuffix("and").strip()
        if ONLY_BONUS.fullmatch(own):
            inviteds.append(InvitedPlayer(int(match["number"]), int(own.replace(" ", "") or 0)))
        else:
            inviteds.append(InvitedPlayer(int(match["number"]), dice=own_dice(own, read_own)))
        at = match.end()
    if not inviteds:
        raise BadInputError(REQUEST, text, Text("Mention people, or write `everybody`."), REQUESTED)
    if len({invited.number for invited in inviteds}) < len(inviteds):
        raise BadInputError(REQUEST, text, Text("Mention each person once."))
    return tuple(inviteds)


def own_dice(own: str, read_own: Callable[[str], trees.Expression]) -> str:
    """Return the dice of a person's own roll. Raises ``BadInputError``."""
    with suppress(PlayerError):
        expression = read_own(own)
        if expression.is_single and expression.has_dice and not expression.line.label:
            return expression.full_text
    raise BadInputError(REQUEST, own, Text("Mention people, each with a bonus."), REQUESTED)


def dice_count(declared: Declared | RollRequest) -> int:
    """Return the number of dice rolled at once, for all people if so requested, without explosions."""
    if not isinstance(declared, RollRequest) or not declared.people:
        return declared.expression.dice
    each = [declared.expression_of(person.number).dice for person in declared.people]
    return sum(each) if declared.at_once else max(each)


def not_secret(declared: Declared | RollRequest) -> Shown:
    """Return why it can't be secret; "" if it can."""
    steps = (step for line in declared.expression.lines for pool in line.pools for step in pool.steps)
    waits = not declared.at_once if isinstance(declared, RollRequest) else any(step.by for step in steps)
    return Text("This request is still waiting for people.") if waits else EMPTY


def start(declared: Declared | RollRequest, rng: Rng) -> Any:
    """Roll everything, or open the request. Raises ``PlayerError`` for physical faces that don't fit."""
    if not isinstance(declared, RollRequest):
        return play.start(declared, rng)
    state = RequestedRoll(declared=declared)
    for invited in declared.people if declared.at_once else ():
        state = with_answer_of(state, invited.number, invited.bonus, rng)
    return state


def with_answer_of(state: RequestedRoll, player: int, bonus: int, rng: Rng) -> RequestedRoll:
    dice = roll_all(state.declared.expression_of(player), rng, None, Side.DEFENDER)
    return replace(state, given=(*state.given, GivenRoll(player, bonus, dice)))


def rolled(state: State) -> tuple[Rolled, ...]:
    dice = [item.dice for item in state.given] if isinstance(state, RequestedRoll) else [state.dice]
    return tuple(die for pools in dice for pool in pools for die in pool)


def offers(state: State) -> tuple[Offer, ...]:
    """Offer what ``play`` does; for a request a button per person left, or one for all, and closing it."""
    if isinstance(state, DiceRoll):
        return play.offers(state)
    declared = state.declared
    if state.closed or declared.at_once or (declared.people and not state.missing):
        return ()
    add = Field("bonus", Text("Your bonus"), Code("+5"), required=False, longest=8)
    fields = (add,) if declared.asks_bonus else ()
    each = [
        Offer(
            AnswerRequest(at),
            Eligible(Side.DEFENDER, player=at),
            Text("{who}: roll", who=Name(f"@{at}")),
            form_or_press(fields),
        )
        for at in (invited.number for invited in state.missing)
    ]
    if not declared.people:
        each = [
            Offer(
                AnswerRequest(),
                Eligible(Side.DEFENDER, OpenTo.JOINS),
                Text("Roll"),
                form_or_press(fields),
                AfterOffer.OPTIONAL,
                rank=game.ButtonRank.LEADS,
            )
        ]
    return (*each, CLOSE) if declared.people or len(state.given) < MAX_ROLLS else ()


def choose(state: State, choice: Choice, rng: Rng) -> Any:
    return game.carry_out(offers(state), state, choice, rng)


class AnswerRequest(Act):
    """A person's roll, by number; 0 for the first presser."""

    number: int = 0

    forms = ("roll", "roll-{number}")

    def apply(self, state: RequestedRoll, choice: Choice, rng: Rng) -> RequestedRoll:
        number, filled = self.number or choice.player, choice.filled or {}
        if any(item.player == number for item in state.given):
            raise PlayerError(Text("You've already rolled. Everyone rolls once."))
        said = next((person.bonus for person in state.declared.people if person.number == number), 0)
        return with_answer_of(state, number, said + read_bonus(filled.get("bonus", "")), rng)


CLOSES: Final = PlainAct("close", lambda state, *_: replace(state, closed=True))
CLOSE: Final = Offer(CLOSES, Side.ATTACKER, Text("Close the request"), then=AfterOffer.OPTIONAL)


def read_bonus(text: str) -> int:
    """Parse ``+5``, ``-2``, ``3``; nothing is 0. Raises ``BadInputError``."""
    if not text.strip():
        return 0
    match = BONUS.fullmatch(text.replace("−", "-"))
    if match is None:
        raise BadInputError("bonus", text, Text("Use a number."), Example("+5"))
    return int(f"{match[1]}{match[2]}")


def outcome(state: State) -> Mapping[str, object]:
    """Return the result of ``play.outcome``; for a request, each person's number and total, and who is missing."""
    if isinstance(state, DiceRoll):
        return play.outcome(state)
    totals = [{"player": player, "total": row.total} for player, row in state.rows]
    missing = [invited.number for invited in state.missing]
    return {"understood": state.declared.expression.canonical_text, "totals": totals, "missing": missing}
