"""Duels: a two-player roll in any game defined by a file of ``data/``, with both sides' choices in its order. ``rows``
parses the file, ``typed`` the players' text, ``law`` defines what is allowed. This module applies it to dice with
history.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, Literal

from bot.rules import physical_dice as physical
from bot.rules.dice import MAX_DICE, DieStep, Rng, Rolled, reroll, roll
from bot.rules.duels import law, own, physical_dice, typed
from bot.rules.duels.rows import DUELS, Action, DuelGame, DuelPhrase, Let, Roll, Window, actions_of
from bot.rules.errors import AllowedWords, BadInputError, PlayerError, WholeNumber
from bot.rules.game import (
    MAX_OPTIONS,
    PRESS,
    Act,
    AfterOffer,
    ButtonRank,
    Choice,
    Field,
    Fill,
    Offer,
    Option,
    Pick,
    PlainAct,
    RequiredSetting,
    Side,
    carry_out,
)
from bot.rules.game import roll_again_offer as again_offer
from bot.rules.json_reader import JsonReader
from bot.rules.physical_dice import SIDES
from bot.rules.text import EMPTY, N_, Capitalized, Code, Name, Shown, Text, bracketed, term

KEY = "duels"
TITLE: Final = Text("Duels")
SCHEMA = 1
MAX_FALLEN: Final = 4 * MAX_DICE
"""Maximum dice of all steps of a roll."""
HOW: Final = attrgetter("how")
MAX_WORK: Final = 5_000
"""Maximum operations on dice and formulas until a choice, in a server's own game."""
TOO_MANY: Final = N_("This could come to {dice} dice; a duel has at most {dice_most}. Split the attack.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """The key of a game, and the numbers of its rows in their order. ``file``: a server's own, packed; "" for ours.

    ``by_hand``: sides that roll their dice on camera.
    """

    game: str
    numbers: tuple[int, ...]
    file: str = ""
    by_hand: tuple[Side, ...] = ()

    @property
    def duel(self) -> DuelGame:
        return own.unpack(self.game, self.file) if self.file else DUELS[self.game]

    @property
    def values(self) -> Mapping[Any, int]:
        """Return the numbers and derived values, by name."""
        return law.declared_values(self.duel, self.numbers)

    @property
    def line(self) -> str:
        return typed.write(self.duel, self.values)


@dataclass(frozen=True, kw_only=True)
class DuelRoll:
    """A roll: every die by pool, and the rest of ``law.Position``."""

    declared: Declared
    dice: tuple[tuple[Rolled, ...], ...]
    stage: int
    lets: tuple[int, ...]
    left: tuple[int, ...]
    used: tuple[int, ...] = ()
    turn: Side | Literal[""] = ""

    @cached_property
    def now(self) -> law.Position:
        """Return the current position, with counted dice."""
        pools = zip(self.declared.duel.pool_names, self.dice, strict=True)
        seen = tuple(tuple(self.seen(name, die) for die in dice if die.counts) for name, dice in pools)
        return law.Position(self.stage, seen, self.lets, self.left, self.used, self.turn)

    def seen(self, pool: str, die: Rolled) -> law.Die:
        """Return a die in the law's form."""
        hows, declared = [*map(HOW, die.trail)], self.declared
        is_fresh = hows[0] in ("rolled", "entered") and "rerolled" not in hows
        return law.die_of(declared.duel, die.kind, pool, die.face, declared.numbers, fresh=is_fresh)

    @property
    def is_over(self) -> bool:
        return self.stage == len(self.declared.duel.stages)

    @property
    def known(self) -> Mapping[Any, int]:
        """Return formulas' values by name."""
        return law.values(self.declared.duel, self.declared.values, self.now)

    @property
    def result(self) -> int:
        return self.declared.duel.result.amount.value(self.known)


State = DuelRoll


def declare(raw: Mapping[str, object]) -> Declared:
    """``{"game": "legion", "line": "3r 2b aim 1 red saves"}``; a game named in the line counts first.

    ``file``: the packed file of a server's own game, of which ``game`` or the line's first word is the key. ``camera``:
    ``attacker``, ``defender``, or ``both`` roll their dice by hand.

    Raises ``PlayerError`` naming the word or the number.
    """
    reader = JsonReader(raw)
    line, game = reader.text("line", typed.MAX_LINE), reader.text("game", typed.MAX_LINE)
    reader.take_raw("language")
    file = reader.text("file", own.MAX_PACKED)
    by_hand = SIDES[reader.word("camera", tuple(filter(None, SIDES)), "")]
    reader.check_all_taken()
    key, rest = typed.game_of(line)
    if file and (found := own_key(raw)):
        key, rest = found, line if game else line.partition(" ")[2]
    elif not key:
        key = typed.game_of(game)[0]
    if not key:
        raise BadInputError("game", game or line or None, AllowedWords(tuple(DUELS)))
    duel = own.unpack(key, file) if file else DUELS[key]
    declared = Declared(game=key, numbers=typed.read(duel, rest), file=file, by_hand=by_hand)
    for check in duel.check:
        if not check.when.value(declared.values):
            raise BadInputError("line", rest, term(DuelPhrase.from_row(check.says)))
    if (dice := dice_count(declared)) > MAX_DICE:
        message = Text("That's {dice} dice; a roll has at most {dice_most}.", dice=dice, dice_most=MAX_DICE)
        raise PlayerError(message)
    return declared


def import_file(name: str, text: str) -> own.OwnDuel:
    """Parse a server's own game, and roll its examples to the end. Raises ``PlayerError`` with the error."""
    read = own.read_file(name, text)
    if typed.game_of(read.key)[0]:
        raise PlayerError(Text("{name} is a game of mine. Give your file another name.", name=Name(read.key)))
    for line, _ in own.unpack(read.key, read.packed).examples:
        try:
            state = start(declare({"game": read.key, "line": line, "file": read.packed}), middle)
            while not state.is_over:
                offer = offers(state)[0]
                picked = tuple(option.value for option in offer.options[:1])
                state = choose(state, Choice(offer.key, picked), middle)
        except (PlayerError, *own.WRONG) as error:
            raise own.refusal(name, text, "examples", own.not_rolled(line, error)) from None
    return read


def middle(sides: int) -> int:
    """The middle side of a die, for trials without chance."""
    return sides // 2


def own_key(raw: Mapping[str, object]) -> str:
    """Return the possible key of a server's own game: a first word unknown to ours; else ""."""
    named = str(raw.get("game") or raw.get("line") or "")
    key = named.strip().casefold().partition(" ")[0]
    return key if own.KEY.fullmatch(key) and not typed.game_of(named)[0] else ""


def dice_count(declared: Declared) -> int:
    """Return the first roll's dice; later ones depend on it."""
    now = law.start(declared.duel, declared.values)
    first = next(stage for stage in declared.duel.stages if isinstance(stage, Roll))
    return sum(amount for _, amount in law.dice_due(declared.duel, declared.values, now, first))


def not_secret(declared: Declared) -> Text:
    """Return why it can't be secret; "" if it can: no dice would give anybody a choice."""
    if declared.by_hand:
        return Text("Dice rolled by hand are typed in later.")
    duel = declared.duel
    actions = (action for stage in duel.stages if isinstance(stage, Window) for action in stage.actions)
    if any(law.max_uses(duel, action, declared.values) for action in actions):
        return Text("Both sides choose in this roll.")
    return EMPTY


def start(declared: Declared, rng: Rng) -> DuelRoll:
    """Roll up to the first choice. Raises ``PlayerError`` if too many dice might follow."""
    check_dice(declared.duel.most_dice.value(declared.values))
    first = law.start(declared.duel, declared.values)
    return advance(
        DuelRoll(declared=declared, dice=tuple(() for _ in first.pools), stage=0, lets=first.lets, left=first.left), rng
    )


def check_dice(dice: int) -> None:
    """Raise ``PlayerError`` for more dice than a roll may have."""
    if dice > MAX_FALLEN:
        raise PlayerError(Text(TOO_MANY, dice=dice, dice_most=MAX_FALLEN))


def advance(state: DuelRoll, rng: Rng) -> DuelRoll:
    """Advance through automatic steps to the next choice or the end. Raises ``PlayerError`` for a server's own game
    that takes too long.
    """
    duel, values, work = state.declared.duel, state.declared.values, 0
    while (stage := law.stage_of(duel, state.now)) is not None and not (state.declared.by_hand and awaited_dice(state)):
        work += law.work_of(stage) + (1 + len(actions_of(stage))) * len(rolled(state))
        if state.declared.file and work > MAX_WORK:
            raise PlayerError(Text("That's too much for one roll; split the attack."))
        if isinstance(stage, Roll):
            state = throw(at_moment(state, law.next_stage(state.now)), stage, rng)
        elif isinstance(stage, Let):
            state = at_moment(state, law.after_let(duel, values, state.now, stage))
        elif isinstance(stage, Action):
            if not (can := law.possible(duel, values, state.now)[0]):
                state = at_moment(state, law.next_stage(state.now))
            else:
                state = do(state, 0, stage, can.ways[0]) if can.ways else throw_again(state, 0, stage, can.dice, rng)
        elif not any(every := law.possible(duel, values, state.now)):
            state = at_moment(state, law.next_stage(state.now))
        elif (only := law.only_way(stage, every)) is not None:
            state = do(state, only[0], stage.actions[only[0]], only[1])
        else:
            return state
    return state


def at_moment(state: DuelRoll, now: law.Position) -> DuelRoll:
    """Return the roll at another position, with its dice."""
    after = replace(state, stage=now.stage, lets=now.lets, left=now.left, used=now.used, turn=now.turn)
    after.__dict__["now"] = now  # its dice are those of before, which take longest to read
    return after


def awaited_dice(state: DuelRoll) -> list[str]:
    """Return the kinds of dice that a side must roll by hand now; [] for none."""
    duel, values, stage = state.declared.duel, state.declared.values, law.stage_of(state.declared.duel, state.now)
    if not isinstance(stage, Roll | Action) or stage.by not in state.declared.by_hand:
        return []
    if isinstance(stage, Roll):
        return [kind for kind, count in law.dice_due(duel, values, state.now, stage) for _ in range(count)]
    can = law.possible(duel, values, state.now)[0]
    return [state.now.pools[law.pool_of(duel, stage)][place].kind for place in can.dice] if can.most else []


def fall(state: DuelRoll, rng: Rng) -> DuelRoll:
    """Roll the dice of the step."""
    stage = law.stage_of(state.declared.duel, state.now)
    if isinstance(stage, Roll):
        return throw(at_moment(state, law.next_stage(state.now)), stage, rng)
    assert isinstance(stage, Action), "dice fall in it"  # noqa: S101 - states how this is called
    return throw_again(
        state, 0, stage, law.possible(state.declared.duel, state.declared.values, state.now)[0].dice, rng
    )


def enter(state: DuelRoll, choice: Choice, rng: Rng) -> DuelRoll:
    """Enter physical dice. Raises ``BadInputError`` or ``UnknownWordError``."""
    typed_faces = physical.typed_faces(physical_dice.FACES, choice.filled or {})
    faces = physical_dice.read_faces(state.declared.duel, awaited_dice(state), typed_faces)
    return advance(fall(state, physical_dice.LyingDice(faces, choice.by)), rng)


def roll_instead(state: DuelRoll, choice: Choice, rng: Rng) -> DuelRoll:
    """Let the bot roll a side's dice after all."""
    rest = tuple(side for side in state.declared.by_hand if side is not choice.by)
    return advance(replace(state, declared=replace(state.declared, by_hand=rest)), rng)


def throw(state: DuelRoll, stage: Roll, rng: Rng) -> DuelRoll:
    """Roll a stage's dice."""
    duel = state.declared.duel
    pool, due = duel.pool_names.index(stage.pool), [*law.dice_due(duel, state.declared.values, state.now, stage)]
    check_dice(len(rolled(state)) + sum(count for _, count in due))
    fallen = (die for kind, count in due for die in roll(kind, duel.faces[kind], count, rng, stage.pool))
    return with_pool(state, pool, (*state.dice[pool], *(physical_dice.mark(die, rng) for die in fallen)))


def with_pool(state: DuelRoll, pool: int, dice: tuple[Rolled, ...]) -> DuelRoll:
    return replace(state, dice=(*state.dice[:pool], dice, *state.dice[pool + 1 :]))


def do(state: DuelRoll, at: int, action: Action, edits: list[law.Edit]) -> DuelRoll:
    """Apply an action without chance."""
    state, before = at_moment(state, law.pay(state.declared.duel, state.declared.values, state.now, at, action)), state
    dice, by = [list(pool) for pool in state.dice], term(action.name)
    for edit in edits:
        pool = dice[edit.pool]
        if edit.how == "added":
            check_dice(len(rolled(state)) + 1)
            pool.append(
                Rolled(pool[0].kind if pool else first_kind(state.declared.duel), (DieStep("added", edit.symbol, by),))
            )
        else:
            place = places(before.dice[edit.pool])[edit.die]
            pool[place] = pool[place].after_step(edit.how, by, edit.symbol or None)
    return replace(state, dice=tuple(map(tuple, dice)))


def places(dice: tuple[Rolled, ...]) -> list[int]:
    """Return the places of the counted dice."""
    return [place for place, die in enumerate(dice) if die.counts]


def first_kind(duel: DuelGame) -> str:
    return next(iter(duel.dice))


def rolled(state: DuelRoll) -> tuple[Rolled, ...]:
    """Every die on the table."""
    return tuple(die for pool in state.dice for die in pool)


# Choices


class Use(Act):
    """Use of an action of the window; the selection is dice to reroll, or the symbol to cancel."""

    forms = ("use-{action}",)
    action: int

    def apply(self, state: DuelRoll, choice: Choice, rng: Rng) -> DuelRoll:
        """Apply it, up to the next choice."""
        duel, values = state.declared.duel, state.declared.values
        action = law.actions_here(duel, state.now)[self.action]
        can = law.possible(duel, values, state.now)[self.action]
        if action.reroll is not None:
            filled = choice.filled or {}
            chosen = choice.picked or tuple(filter(None, filled.get(physical_dice.DICE, "").split(", ")))
            dice = state.now.pools[law.pool_of(duel, action)]
            if action.alike:
                picked = [*law.alike(dice, can.dice)[chosen[0]]]
            else:
                picked = [int(place) for place in chosen] if chosen else can.dice
            if len(picked) > can.most:
                raise BadInputError(physical_dice.DICE, len(picked), WholeNumber(1, can.most))
            if choice.filled is None:
                return advance(throw_again(state, self.action, action, picked, rng), rng)
            kinds, said = [dice[place].kind for place in picked], physical.typed_faces(physical_dice.FACES, filled)
            lying = physical_dice.LyingDice(physical_dice.read_faces(duel, kinds, said), action.by)
            return advance(throw_again(state, self.action, action, picked, lying), rng)
        edits = next((way for way in can.ways if symbol_of(state, way) in choice.picked), can.ways[0])
        return advance(do(state, self.action, action, edits), rng)


DONE: Final = PlainAct("done", lambda state, _, rng: advance(at_moment(state, law.next_stage(state.now)), rng))


def symbol_of(state: DuelRoll, way: list[law.Edit]) -> str:
    """Return the symbol of the die that an action's variant affects; "" for none."""
    return state.now.pools[way[-1].pool][way[-1].die].symbol if way and way[-1].die >= 0 else ""


def throw_again(state: DuelRoll, at: int, action: Action, picked: list[int], rng: Rng) -> DuelRoll:
    """Reroll dice by their places among those that count."""
    duel = state.declared.duel
    pool, name = law.pool_of(duel, action), term(action.name)
    paid = law.price(duel, state.now, action) or []
    there = places(state.dice[pool])
    after = do(state, at, action, paid)
    dice = list(after.dice[pool])
    for place in (there[number] for number in picked):
        dice[place] = physical_dice.mark(reroll(dice[place], duel.faces[dice[place].kind], name, rng), rng)
    return with_pool(after, pool, tuple(dice))


def offers(state: DuelRoll) -> tuple[Offer, ...]:
    """Return the acting side's choices; after the end, a repeat."""
    duel, values, now = state.declared.duel, state.declared.values, state.now
    stage = law.stage_of(duel, now)
    if isinstance(stage, Roll | Action) and (kinds := awaited_dice(state)):
        return awaited_offers(duel, stage.by, kinds)
    if not isinstance(stage, Window):
        return (AGAIN,)
    can = law.possible(duel, values, now)
    found = [offer_of(state, at, action, can[at]) for at, action in enumerate(stage.actions) if can[at]]
    if stage.turns:
        return tuple(found)
    return (*found, Offer(DONE, stage.by, Text("Done"), then=AfterOffer.CLOSES, rank=ButtonRank.LAST))


def awaited_offers(duel: DuelGame, side: Side, kinds: list[str]) -> tuple[Offer, Offer]:
    """Return a form for a side's physical dice, and the bot's roll instead."""
    label, again, enters = Text("Your die"), Text("Roll the die for me"), Text("Enter what your die shows")
    if (count := len(kinds)) > 1:
        label, again = Text("Your {count} dice", count=count), Text("Roll the {count} dice for me", count=count)
        enters = Text("Enter what your {count} dice show", count=count)
    asks = Fill(physical_dice.fields(duel, kinds, label))
    typing = Offer(PlainAct("type", enter), side, enters, asks, leave=RequiredSetting.BY_HAND)
    return typing, Offer(PlainAct("roll", roll_instead), side, again)


def offer_of(state: DuelRoll, at: int, action: Action, can: law.Possible) -> Offer:
    """Return an action's button; a reroll by hand is a form for dice and new faces."""
    offer = plain_offer(state, at, action, can)
    if not can.most or action.by not in state.declared.by_hand:
        return offer
    duel, dice = state.declared.duel, state.now.pools[law.pool_of(state.declared.duel, action)]
    which = Field(physical_dice.DICE, Text("Dice to reroll"), options=offer.options, several=not action.alike)
    kinds = [dice[place].kind for place in can.dice[: can.most]]
    shown = physical_dice.line(duel, kinds, Text("The new results, in the same order"))
    return replace(offer, asks=Fill((which, shown) if offer.options else (shown,)), leave=RequiredSetting.BY_HAND)


def plain_offer(state: DuelRoll, at: int, action: Action, can: law.Possible) -> Offer:
    """Return an action's button, with a list if there is a selection."""
    duel, options = state.declared.duel, tuple[Option, ...]()
    dice = state.now.pools[law.pool_of(duel, action)] if can.most else ()
    if can.most and action.alike:
        options = tuple(
            Option(
                way,
                Text("Only {count} showing {number}", number=dice[picked[0]].number, count=len(picked))
                if "x" in way
                else Text("Every {number}", number=dice[picked[0]].number),
            )
            for way, picked in law.alike(dice, can.dice).items()
        )
        return Offer(Use(at), action.by, label(state, action), Pick(options))
    if can.most and not action.all and len(can.dice) > 1:
        drawn = places(state.dice[law.pool_of(duel, action)])
        options = tuple(die_option(duel, place, drawn[place], dice[place]) for place in can.dice[:MAX_OPTIONS])
    elif len(can.ways) > 1:
        symbols = (symbol_of(state, way) for way in can.ways)
        options = tuple(Option(symbol, Capitalized(physical_dice.face_name(duel, symbol))) for symbol in symbols)
    most = min(can.most or 1, len(options))
    return Offer(Use(at), action.by, label(state, action, most), Pick(options, 1, most) if options else PRESS)


def label(state: DuelRoll, action: Action, most: int = 1) -> Shown:
    """Return an action's name, with its remaining tokens, or with how many dice may be picked."""
    left = dict(zip((row.name for row in state.declared.duel.tokens), state.left, strict=True))
    tokens = [left[token] for token in action.cost]
    name = term(action.name)
    if tokens and tokens[0] > 1:
        return bracketed(name, Text("{count} left", count=tokens[0]))
    return bracketed(name, Text("up to {count}", count=most)) if most > 1 else name


def die_option(duel: DuelGame, place: int, drawn: int, die: law.Die) -> Option:
    """A die by its place among those that count; its name has its place in the picture, where spent dice lie too."""
    shown = Code(str(die.number)) if die.number else Capitalized(physical_dice.face_name(duel, die.symbol))
    return Option(str(place), Text("Die {number}: {face}", number=drawn + 1, face=shown))


AGAIN: Final = again_offer(start, Text("Again"))


def choose(state: DuelRoll, choice: Choice, rng: Rng) -> DuelRoll:
    """Apply a choice. Raises ``NotOfferedError`` for an unavailable one."""
    after: DuelRoll = carry_out(offers(state), state, choice, rng)
    return after


def outcome(state: DuelRoll) -> Mapping[str, object]:
    """Return the result, every pool's faces and whether each die counts, and further numbers in JSON words."""
    duel = state.declared.duel
    pools = zip(duel.pool_names, state.dice, strict=True)
    words: dict[str, object] = {
        "game": duel.key,
        "line": state.declared.line,
        "over": state.is_over,
        "dice": {name: [{"face": die.face, "counts": die.counts} for die in dice] for name, dice in pools},
    }
    if not state.is_over:
        return words
    also = {item.noun.one: item.amount.value(state.known) for item in duel.also}
    return words | {"unit": duel.result.noun.one, "result": state.result} | also
