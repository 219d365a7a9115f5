"""Duels: a two-player roll in any game defined by a file of ``data/``, with both sides' choices in its order. ``rows``
parses the file, ``typed`` the players' text, ``law`` defines what is allowed. This module applies it to dice with
history.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final, Literal

from bot.rules import game
from bot.rules.dice import MAX_DICE, DieStep, Rng, Rolled, reroll, roll
from bot.rules.duels import law, own, physical_dice, typed
from bot.rules.duels.rows import DUELS, Action, DuelGame, DuelPhrase, Let, Roll, Stage, Window, actions_of
from bot.rules.errors import AllowedWords, BadInputError, PlayerError, WholeNumber
from bot.rules.game import Act, Choice, Field, Fill, Offer, Option, Pick, PlainAct, Side, carry_out
from bot.rules.json_reader import JsonReader
from bot.rules.physical_dice import SIDES, hand_offers
from bot.rules.text import EMPTY, N_, Capitalized, Name, Names, Shown, Text, bracketed, labeled, term

KEY = "duels"
TITLE: Final = Text("Duels")
SCHEMA = 1
MAX_FALLEN: Final = 4 * MAX_DICE
"""Maximum dice of all steps of a roll."""
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
        names = self.declared.duel.pool_names
        seen = tuple(seen_dice(self.declared, name, dice) for name, dice in zip(names, self.dice, strict=True))
        return law.Position(self.stage, seen, self.lets, self.left, self.used, self.turn)

    @property
    def current(self) -> Stage | None:
        """Return the current stage; None at the end."""
        return law.stage_of(self.declared.duel, self.now)

    @cached_property
    def can(self) -> list[law.Possible]:
        """Return each choice of the current stage's actions."""
        return law.possible(self.declared.duel, self.declared.values, self.now)

    def pool_of(self, action: Action) -> tuple[law.Die, ...]:
        return self.now.pools[law.pool_of(self.declared.duel, action)]

    @property
    def is_over(self) -> bool:
        return self.stage == len(self.declared.duel.stages)

    @property
    def known(self) -> Mapping[Any, int]:
        return law.values(self.declared.duel, self.declared.values, self.now)

    @property
    def result(self) -> int:
        return self.declared.duel.result.amount.value(self.known)


def seen_dice(declared: Declared, pool: str, dice: Iterable[Rolled]) -> tuple[law.Die, ...]:
    return tuple(seen_die(declared, pool, die) for die in dice if die.counts)


def seen_die(declared: Declared, pool: str, die: Rolled) -> law.Die:
    is_fresh = die.trail[0].how != "added" and not die.was_rerolled
    return law.die_of(declared.duel, die.kind, pool, die.face, declared.numbers, fresh=is_fresh)


State = DuelRoll


def declare(raw: Mapping[str, object]) -> Declared:
    """``{"game": "legion", "line": "3r 2b aim 1 red saves"}``; a game named in the line counts first. ``file``: the
    packed file of a server's own game, of which ``game`` or the line's first word is the key. ``camera``: ``attacker``,
    ``defender``, or ``both`` roll their dice by hand. Raises ``PlayerError`` naming the word or the number.
    """
    reader = JsonReader(raw)
    line, named = reader.text("line", typed.MAX_LINE), reader.text("game", typed.MAX_LINE)
    reader.take_raw("language")
    file = reader.text("file", own.MAX_PACKED)
    by_hand = SIDES[reader.word("camera", tuple(filter(None, SIDES)), "")]
    reader.check_all_taken()
    key, rest = typed.game_of(line)
    if file and (found := own_key(raw)):
        key, rest = found, line if named else line.partition(" ")[2]
    elif not key:
        key = typed.game_of(named)[0]
    if not key:
        raise BadInputError("game", named or line or None, AllowedWords(tuple(DUELS)))
    duel = own.unpack(key, file) if file else DUELS[key]
    declared = Declared(game=key, numbers=typed.read(duel, rest), file=file, by_hand=by_hand)
    for check in duel.check:
        if not check.when.value(declared.values):
            raise BadInputError("line", rest, term(DuelPhrase.from_row(check.says)))
    if (dice := dice_count(declared)) > MAX_DICE:
        raise PlayerError(Text("That's {dice} dice; a roll has at most {dice_most}.", dice=dice, dice_most=MAX_DICE))
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
    actions = (action for stage in declared.duel.stages if isinstance(stage, Window) for action in stage.actions)
    if any(law.max_uses(declared.duel, action, declared.values) for action in actions):
        return Text("Both sides choose in this roll.")
    return EMPTY


def start(declared: Declared, rng: Rng) -> DuelRoll:
    """Roll up to the first choice. Raises ``PlayerError`` if too many dice might follow."""
    check_dice(declared.duel.most_dice.value(declared.values))
    first = law.start(declared.duel, declared.values)
    state = DuelRoll(declared=declared, dice=((),) * len(first.pools), stage=0, lets=first.lets, left=first.left)
    return advance(state, rng)


def check_dice(dice: int) -> None:
    """Raise ``PlayerError`` for more dice than a roll may have."""
    if dice > MAX_FALLEN:
        raise PlayerError(Text(TOO_MANY, dice=dice, dice_most=MAX_FALLEN))


def advance(state: DuelRoll, rng: Rng) -> DuelRoll:
    """Advance through automatic steps to the next choice or the end. Raises ``PlayerError`` for a server's own game
    that takes too long.
    """
    work = 0
    while (stage := state.current) is not None and not awaited_dice(state):
        work += law.work_of(stage) + (1 + len(actions_of(stage))) * len(rolled(state))
        if state.declared.file and work > MAX_WORK:
            raise PlayerError(Text("That's too much for one roll; split the attack."))
        if (after := step(state, rng)) is state:
            break
        state = after
    return state


def step(state: DuelRoll, rng: Rng) -> DuelRoll:
    """Apply an automatic step; return the same state where a side has to choose."""
    past, stage = at_moment(state, law.next_stage(state.now)), state.current
    if isinstance(stage, Roll):
        return throw(past, stage, rng)
    if isinstance(stage, Let):
        return at_moment(state, law.after_let(state.declared.duel, state.declared.values, state.now, stage))
    if not any(state.can):
        return past
    if isinstance(stage, Action):
        can = state.can[0]
        return do(state, 0, can.ways[0]) if can.ways else throw_again(state, 0, can.dice, rng)
    ways = [(at, way) for at, can in enumerate(state.can) for way in can.ways]
    is_in_turn = isinstance(stage, Window) and stage.turns
    is_forced = is_in_turn and len(ways) == 1 and not any(can.most for can in state.can)
    return do(state, *ways[0]) if is_forced else state


def at_moment(state: DuelRoll, now: law.Position) -> DuelRoll:
    """Return the roll at another position, with its dice."""
    after = replace(state, stage=now.stage, lets=now.lets, left=now.left, used=now.used, turn=now.turn)
    after.__dict__["now"] = now  # its dice are those of before, which take longest to read
    return after


def awaited_dice(state: DuelRoll) -> list[str]:
    """Return the kinds of dice that a side must roll by hand now; [] for none."""
    stage = state.current
    if not isinstance(stage, Roll | Action) or stage.by not in state.declared.by_hand:
        return []
    if isinstance(stage, Roll):
        due = law.dice_due(state.declared.duel, state.declared.values, state.now, stage)
        return [kind for kind, count in due for _ in range(count)]
    return kinds_of(state, stage, state.can[0].dice) if state.can[0].most else []


def kinds_of(state: DuelRoll, action: Action, picked: Sequence[int]) -> list[str]:
    return [state.pool_of(action)[place].kind for place in picked]


def enter(state: DuelRoll, choice: Choice, rng: Rng) -> DuelRoll:
    """Enter physical dice. Raises ``BadInputError`` or ``UnknownWordError``."""
    lying = physical_dice.entered_dice(state.declared.duel, awaited_dice(state), choice.filled, choice.by)
    return advance(step(state, lying), rng)


def roll_instead(state: DuelRoll, choice: Choice, rng: Rng) -> DuelRoll:
    """Let the bot roll a side's dice after all."""
    rest = tuple(side for side in state.declared.by_hand if side is not choice.by)
    return advance(replace(state, declared=replace(state.declared, by_hand=rest)), rng)


def throw(state: DuelRoll, stage: Roll, rng: Rng) -> DuelRoll:
    duel = state.declared.duel
    pool, due = duel.pool_names.index(stage.pool), [*law.dice_due(duel, state.declared.values, state.now, stage)]
    check_dice(len(rolled(state)) + sum(count for _, count in due))
    fallen = (die for kind, count in due for die in roll(kind, duel.faces[kind], count, rng, stage.pool))
    return with_pool(state, pool, (*state.dice[pool], *(physical_dice.mark(die, rng) for die in fallen)))


def with_pool(state: DuelRoll, pool: int, dice: tuple[Rolled, ...]) -> DuelRoll:
    """Return the roll with other dice in a pool; those of the other pools, which take longest to read, stay read."""
    after = replace(state, dice=(*state.dice[:pool], dice, *state.dice[pool + 1 :]))
    seen, now = seen_dice(state.declared, state.declared.duel.pool_names[pool], dice), state.now
    after.__dict__["now"] = now._replace(pools=(*now.pools[:pool], seen, *now.pools[pool + 1 :]))
    return after


def do(state: DuelRoll, at: int, edits: list[law.Edit]) -> DuelRoll:
    """Apply a stage's action without chance."""
    duel, before = state.declared.duel, state
    action = law.actions_here(duel, state.now)[at]
    state = at_moment(state, law.pay(duel, state.declared.values, state.now, at, action))
    dice, by = [list(pool) for pool in state.dice], term(action.name)
    for edit in edits:
        pool = dice[edit.pool]
        if edit.how == "added":
            check_dice(len(rolled(state)) + 1)
            pool.append(Rolled(pool[0].kind if pool else next(iter(duel.dice)), (DieStep("added", edit.symbol, by),)))
        else:
            place = places(before.dice[edit.pool])[edit.die]
            pool[place] = pool[place].after_step(edit.how, by, edit.symbol or None)
    return replace(state, dice=tuple(map(tuple, dice)))


def places(dice: tuple[Rolled, ...]) -> list[int]:
    """Return the places of the counted dice."""
    return [place for place, die in enumerate(dice) if die.counts]


def rolled(state: DuelRoll) -> tuple[Rolled, ...]:
    return tuple(die for pool in state.dice for die in pool)


# Choices


class Use(Act):
    """Use of an action of the window; the selection is dice to reroll, or the symbol to cancel."""

    forms = ("use-{action}",)
    action: int

    def apply(self, state: DuelRoll, choice: Choice, rng: Rng) -> DuelRoll:
        duel, can = state.declared.duel, state.can[self.action]
        action = law.actions_here(duel, state.now)[self.action]
        if action.reroll is None:
            edits = next((way for way in can.ways if law.symbol_of(state.now, way) in choice.picked), can.ways[0])
            return advance(do(state, self.action, edits), rng)
        chosen = choice.picked or [*filter(None, (choice.filled or {}).get(physical_dice.DICE, "").split(", "))]
        picked, chance = picked_dice(state, self.action, chosen), rng
        if len(picked) > can.most:
            raise BadInputError(physical_dice.DICE, len(picked), WholeNumber(1, can.most))
        if choice.filled is not None:
            chance = physical_dice.entered_dice(duel, kinds_of(state, action, picked), choice.filled, action.by)
        return advance(throw_again(state, self.action, picked, chance), rng)


DONE: Final = PlainAct("done", lambda state, _, rng: advance(at_moment(state, law.next_stage(state.now)), rng))


def picked_dice(state: DuelRoll, at: int, chosen: Sequence[str]) -> list[int]:
    """Return the places of the dice selected for a reroll; every fitting one without a selection."""
    action, fits = law.actions_here(state.declared.duel, state.now)[at], state.can[at].dice
    if not chosen:
        return fits
    return [*law.alike(state.pool_of(action), fits)[chosen[0]]] if action.alike else [*map(int, chosen)]


def picked_label(state: DuelRoll, use: Use, picked: Sequence[str]) -> Shown:
    """Return an action with its selection, ``Aim: die 1 (blank) and die 3 (hit)``."""
    duel, dice = state.declared.duel, list[Shown]()
    action = law.actions_here(duel, state.now)[use.action]
    if action.reroll is None:
        return labeled(term(action.name), Names(physical_dice.face_name(duel, symbol) for symbol in picked))
    for place in picked_dice(state, use.action, picked):
        die, drawn = state.pool_of(action)[place], places(state.dice[law.pool_of(duel, action)])[place]
        face = physical_dice.face_name(duel, die.number or die.symbol)
        dice.append(Text("die {number} ({face})", number=drawn + 1, face=face))
    return labeled(term(action.name), Names(dice))


def throw_again(state: DuelRoll, at: int, picked: list[int], rng: Rng) -> DuelRoll:
    """Reroll dice by their places among those that count, by a stage's action."""
    duel = state.declared.duel
    action = law.actions_here(duel, state.now)[at]
    pool, name = law.pool_of(duel, action), term(action.name)
    there = places(state.dice[pool])
    after = do(state, at, law.price(duel, state.now, action) or [])
    dice = list(after.dice[pool])
    for place in (there[number] for number in picked):
        dice[place] = physical_dice.mark(reroll(dice[place], duel.faces[dice[place].kind], name, rng), rng)
    return with_pool(after, pool, tuple(dice))


def offers(state: DuelRoll) -> tuple[Offer, ...]:
    """Return the acting side's choices; after the end, a repeat."""
    stage = state.current
    if isinstance(stage, Roll | Action) and (kinds := awaited_dice(state)):
        fields = partial(physical_dice.fields, state.declared.duel, kinds)
        return hand_offers(stage.by, PlainAct("type", enter), PlainAct("roll", roll_instead), len(kinds), fields)
    if not isinstance(stage, Window):
        return (AGAIN,)
    found = tuple(offer_of(state, at, action) for at, action in enumerate(stage.actions) if state.can[at])
    if stage.turns:
        return found
    return (*found, Offer(DONE, stage.by, Text("Done"), then=game.AfterOffer.CLOSES, rank=game.ButtonRank.LAST))


def offer_of(state: DuelRoll, at: int, action: Action) -> Offer:
    """Return an action's button, with a list if there is a selection; a reroll by hand is a form for dice and faces."""
    can, options = state.can[at], tuple(list_options(state, action, state.can[at]))
    most = min(can.most, len(options)) if can.most and not action.alike else 1
    said = label(state, action, most)
    if not can.most or action.by not in state.declared.by_hand:
        return Offer(Use(at), action.by, said, Pick(options, 1, most) if options else game.PRESS)
    which = Field(physical_dice.DICE, Text("Dice to reroll"), options=options, several=not action.alike)
    kinds = kinds_of(state, action, can.dice[: can.most])
    results = physical_dice.line(state.declared.duel, kinds, Text("The new results, in the same order"))
    asks = Fill((which, results) if options else (results,))
    return Offer(Use(at), action.by, said, asks, leave=game.RequiredSetting.BY_HAND)


def list_options(state: DuelRoll, action: Action, can: law.Possible) -> Iterator[Option]:
    """Yield the options of a selection: dice to reroll, how many of a number, or the symbol of a die."""
    duel, dice = state.declared.duel, state.pool_of(action)
    if can.most and action.alike:
        for way, picked in law.alike(dice, can.dice).items():
            number, every = dice[picked[0]].number, "x" not in way
            some = Text("Only {count} showing {number}", number=number, count=len(picked))
            yield Option(way, Text("Every {number}", number=number) if every else some)
    elif can.most and not action.all and len(can.dice) > 1:
        drawn = places(state.dice[law.pool_of(duel, action)])  # as in the picture, where spent dice lie too
        for place in can.dice[: game.MAX_OPTIONS]:
            face = Capitalized(physical_dice.face_name(duel, dice[place].number or dice[place].symbol))
            yield Option(str(place), Text("Die {number}: {face}", number=drawn[place] + 1, face=face))
    elif len(can.ways) > 1:
        for symbol in (law.symbol_of(state.now, way) for way in can.ways):
            yield Option(symbol, Capitalized(physical_dice.face_name(duel, symbol)))


def label(state: DuelRoll, action: Action, most: int = 1) -> Shown:
    """Return an action's name, with its remaining tokens, or with how many dice may be picked."""
    tokens, name = zip(state.declared.duel.tokens, state.left, strict=True), term(action.name)
    if (left := next((left for row, left in tokens if row.name in action.cost), 0)) > 1:
        return bracketed(name, Text("{count} left", count=left))
    return bracketed(name, Text("up to {count}", count=most)) if most > 1 else name


AGAIN: Final = game.roll_again_offer(start, Text("Again"))


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
