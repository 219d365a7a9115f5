"""The compact words that players type for one side: ``focus, lock, force 2, reroll 1 blank, change 1 focus to hit``.

A line is phrases with commas between them:

    TOKEN [n] · n TOKEN                focus · force 2 · lock · evade · any entry of ``tokens.TABLE`` with a side;
                                       0 of a token: none in this attack, whatever the ship has
    reroll [n] [red|green] [FACES]     reroll 2 blank or focus
    change [n] [red|green] FACE to FACE
    add [n] [red|green] FACE           cancel ... · spend ...
    set [red|green] FACE               every rolled die shows it
    every [red|green] FACE to FACE     after both windows
    +n dice [red|green] · -n dice [red|green]
    hull n · shields n                 (the defender's ship)
    needs TOKEN [or TOKEN]             (the attacker's weapon: it must be there and is not spent)
    cost lock · cost [n] charge        (the attacker's weapon)

``up to`` before a number and ``of`` after it may stand, and faces may be plural. Semicolons, new lines, ``and`` and
``+`` are commas, and where it is clear what is meant no comma is needed: ``hull 3 shields 2``. What players call things
is understood (``ALIASES``). Without a colour an effect belongs to the dice that have such a face, else to one's own.
``write`` is the inverse.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.rules.errors import BadInput, BadWord, Collector
from bot.rules.game import Field, Offer, Side
from bot.rules.phrase import Phrase, join_or
from bot.rules.xwing.camera import CAMERA
from bot.rules.xwing.declared import ADDED_MOST, DICE_MOST, EFFECTS_MOST, HULL_MOST, WEAPON_COSTS, Effect, LineUp
from bot.rules.xwing.faces import OWN_POOL, Face, Pool
from bot.rules.xwing.modify import one_use
from bot.rules.xwing.tokens import ON_SIDE, TOKENS

LONGEST: Final = 200
"""Characters that one side may type."""
REROLLS_MOST: Final = 2
"""Different rerolls of one side: each is a list to pick from, and a message has room for five rows."""
DIFFERENT_MOST: Final = 5
"""Different other effects of one side: each is a button of two rows."""

VERBS: Final = ("reroll", "change", "add", "cancel", "spend", "set", "every")
SHIP: Final = ("hull", "shields")
FIRST_WORDS: Final[Mapping[Side, tuple[str, ...]]] = {
    Side.ATTACKER: (*ON_SIDE[Side.ATTACKER], *VERBS, "needs", "cost"),
    Side.DEFENDER: (*ON_SIDE[Side.DEFENDER], *VERBS, *SHIP),
}
"""What a phrase of each side may begin with, besides a number."""

FACE_WORDS: Final[Mapping[str, Face]] = {
    **{face.value: face for face in Face},
    **{f"{face.value}s": face for face in Face if face is not Face.FOCUS},
}
ALIASES: Final[Mapping[str, str]] = {
    "tl": "lock",
    "locks": "lock",
    "calc": "calculate",
    "calcs": "calculate",
    "eye": "focus",
    "eyes": "focus",
    "shield": "shields",
    "need": "needs",
    "require": "needs",
    "requires": "needs",
}
"""What players call things, and what is meant."""
NEEDED: Final = ("lock", "focus", "calculate")
"""The tokens that a weapon may need."""
PLUS: Final = re.compile(r"\+(\s*\d+(?=\s*(?:red|green|dice|die|,|$)))?")
"""A plus: a number of dice after it belongs to it, otherwise it is a comma."""

EXAMPLES: Final = (
    (Side.ATTACKER, "focus, lock, force 2", "tokens; `tl`, `target lock` and `calc` will do"),
    (Side.ATTACKER, "focus and lock + calc", "the same without commas"),
    (Side.ATTACKER, "0 focus", "none in this attack, though the ship has one"),
    (Side.ATTACKER, "reroll 2 blanks or eyes", "a card: reroll up to 2 dice that show one of these"),
    (Side.ATTACKER, "change 1 focus to hit", "a card: a free change; it may be one of the other side's dice"),
    (Side.ATTACKER, "add 1 crit, cancel 1 evade", "a card adds a result, another one cancels one"),
    (Side.ATTACKER, "set hit, every hit to crit", "every die shows a hit; after both windows all hits are crits"),
    (Side.ATTACKER, "+1 die, -1 dice green", "a card: more or fewer dice"),
    (Side.ATTACKER, "needs lock, cost 1 charge", "the weapon: the lock is not spent, the charge is paid"),
    (Side.DEFENDER, "evade, reinforce, hull 3 shields 2", "the defender's tokens and ship"),
)
"""Worked examples for people: who types it, what they type, what it means."""

POOL_WORDS: Final[Mapping[str, Pool]] = {pool.value: pool for pool in Pool}
EXAMPLE: Final = "`focus, lock, force 2, reroll 1 blank, change 1 focus to hit`"

DEFEND: Final = Offer(
    "defend",
    Side.DEFENDER,
    "Defend: say what you bring",
    fields=(
        Field("agility", "Agility of your ship (0 to 6)", "2", longest=2),
        Field("tokens", "Tokens and effects", "focus, evade, hull 4, shields 2", required=False, longest=LONGEST),
        CAMERA,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What one side typed: its line-up without dice, the defender's ship, the attacker's weapon costs."""

    line_up: LineUp = field(default_factory=LineUp)
    hull: int | None = None
    shields: int = 0
    needs: tuple[str, ...] = ()
    needs_any: bool = False
    cost_lock: int = 0
    cost_charge: int = 0


class SidePhrase(Phrase):
    """A phrase of one side: tokens, effects, its ship or its weapon's needs and costs."""

    def __init__(self, text: str, side: Side, name: str) -> None:
        super().__init__(text.lower(), name)
        self.side = side
        first, *rest = (ALIASES.get(word, word) for word in self.words)
        self.words = [first, *(word for word in rest if word not in ("token", "tokens"))]
        self.begin()

    def begin(self) -> None:
        """Put the word of the next phrase before its number: ``2 focus``."""
        if self.peek().isdecimal():
            self.words[:2] = reversed(self.words[:2])

    def count(self, what: str, most: int, least: int = 1) -> int:
        """A number of at least ``least``; 1 where none stands."""
        if self.words[:2] == ["up", "to"]:
            del self.words[:2]
        return self.number(what, least, most) if self.peek().lstrip("+-").isdecimal() else 1

    def is_at_start(self, ahead: int = 0) -> bool:
        """Whether another phrase begins there, and no face."""
        word = self.peek(ahead)
        return word not in FACE_WORDS and (word.isdecimal() or any(word in FIRST_WORDS[side] for side in Side))

    def pool(self) -> Pool | None:
        self.skip("of")
        return POOL_WORDS[self.take()] if self.peek() in POOL_WORDS else None

    def face(self) -> Face:
        return FACE_WORDS[self.word(tuple(FACE_WORDS), tuple(Face))]

    def end(self) -> None:
        if self.words:
            raise self.unknown(f"Put a comma between phrases, as in {EXAMPLE}.")


def parse(text: str, side: Side, name: str) -> Brought:
    """What a side brings, from its words; ``name`` is the field that an error points at.

    Raises ``BadWord`` at the first word of a phrase that does not fit, ``BadInput`` for a number out of its range,
    ``Collected`` where several phrases are wrong.
    """
    brought = Brought()
    with Collector() as wrong:
        for part in phrases(text):
            with wrong.also():
                phrase = SidePhrase(part, side, name)
                while phrase.words:
                    phrase.begin()
                    brought = add(brought, phrase)
                    if len(phrase.words) > 1:
                        phrase.skip("and")
    check(brought.line_up.effects, name)
    if brought.shields and brought.hull is None:
        raise no_hull(brought.shields)
    return brought


def no_hull(shields: int) -> BadInput:
    """Shields are of no use to the count of damage without a hull."""
    return BadInput("shields", shields, "a hull beside it, as in `hull 4, shields 2`")


def phrases(text: str) -> list[str]:
    """The parts of a line between commas and what stands for a comma, without empty ones."""
    text = text.replace(";", ",").replace("\n", ",").lower().replace("target lock", "lock")
    text = PLUS.sub(lambda plus: f",+{plus[1].strip()}" if plus[1] else ",", text)
    return [part for part in text.split(",") if part.strip()]


def add(brought: Brought, phrase: SidePhrase) -> Brought:
    """The line-up with one phrase more."""
    first, line_up, known = phrase.peek(), brought.line_up, FIRST_WORDS[phrase.side]
    if first[0] in "+-" and first[1:].isdecimal():
        return with_effect(brought, dice(phrase))
    if first in FIRST_WORDS[phrase.side.other] and first not in known:
        raise BadWord(phrase.field, first, f"`{first}` belongs to the {phrase.side.other}.")
    word = phrase.word(known)
    if word in ON_SIDE[phrase.side]:
        return replace(brought, line_up=token(line_up, word, phrase))
    if word in SHIP:
        return ship(brought, word, phrase)
    if word == "cost":
        return cost(brought, phrase)
    if word == "needs":
        return needs(brought, phrase)
    return with_effect(brought, PARSERS[word](phrase))


def token(line_up: LineUp, word: str, phrase: SidePhrase) -> LineUp:
    """So many more of a token; 0 keeps it out of this attack."""
    most = TOKENS[word].most
    held = at_most(word, line_up.has(word) + phrase.count(word, most, least=0), most)
    others = tuple(name for name in line_up.none if name != word)
    none = others if held else (*others, word)
    return replace(line_up.holding({word: held}), none=none)


def with_effect(brought: Brought, effect: Effect) -> Brought:
    return replace(brought, line_up=replace(brought.line_up, effects=(*brought.line_up.effects, effect)))


def with_number(brought: Brought, field: str, count: int) -> Brought:
    """The same with one number of the ship or the weapon set."""
    numbers: dict[str, Any] = {field: count}
    return replace(brought, **numbers)


def at_most(what: str, held: int, most: int) -> int:
    """What several phrases say together."""
    if held > most:
        raise BadInput(what, held, f"at most {most}")
    return held


def ship(brought: Brought, word: str, phrase: SidePhrase) -> Brought:
    count = phrase.number(word, 1 if word == "hull" else 0, HULL_MOST)
    if held := getattr(brought, word):
        raise BadInput(word, count, f"one number, and you wrote `{word} {held}` already")
    return with_number(brought, word, count)


def cost(brought: Brought, phrase: SidePhrase) -> Brought:
    count = phrase.count("cost", max(TOKENS[token].most for token in WEAPON_COSTS))
    known = (*WEAPON_COSTS, *(f"{token}s" for token in WEAPON_COSTS))
    token = phrase.word(known, WEAPON_COSTS).removesuffix("s")
    total = at_most(f"cost {token}", getattr(brought, f"cost_{token}") + count, TOKENS[token].most)
    return with_number(brought, f"cost_{token}", total)


def needs(brought: Brought, phrase: SidePhrase) -> Brought:
    """What the weapon needs: all of it, or with ``or`` one of it."""
    found, any_ = [phrase.word(NEEDED)], False
    while phrase.peek() in ("or", "and") and phrase.peek(1) in NEEDED:
        any_ = phrase.take() == "or" or any_
        found.append(phrase.word(NEEDED))
    every = tuple(dict.fromkeys((*brought.needs, *found)))
    if any_ and brought.needs:
        raise phrase.refusal("one `needs`, as in `needs lock or focus`")
    return replace(brought, needs=every, needs_any=any_)


def dice(phrase: SidePhrase) -> Effect:
    sign, phrase.words[0] = phrase.words[0][0], phrase.words[0][1:]
    count = phrase.number("dice", 1, DICE_MOST)
    pool = phrase.pool()
    phrase.word(("dice", "die"))
    pool = pool or phrase.pool()
    return Effect(verb="dice", pool=pool or OWN_POOL[phrase.side], most=count if sign == "+" else -count)


def reroll(phrase: SidePhrase) -> Effect:
    count, pool = phrase.count("reroll", DICE_MOST), phrase.pool()
    phrase.skip("dice", "die")
    faces: list[Face] = []
    while phrase.words and not phrase.is_at_start() and not (phrase.peek() == "and" and phrase.is_at_start(1)):
        faces.append(phrase.face())
        if len(phrase.words) > 1 and not phrase.is_at_start(1):
            phrase.skip("or", "and")
    return Effect(verb="reroll", pool=pool_of(phrase, pool, *faces), most=count, faces=tuple(dict.fromkeys(faces)))


def change(phrase: SidePhrase) -> Effect:
    count, pool, old = phrase.count("change", DICE_MOST), phrase.pool(), phrase.face()
    phrase.word(("to",))
    new = phrase.face()
    return Effect(verb="change", pool=pool_of(phrase, pool, old, new), most=count, faces=(old,), to=new)


def every(phrase: SidePhrase) -> Effect:
    effect = change(phrase)
    if effect.pool is Pool.GREEN or effect.most > 1:
        raise phrase.refusal("`every` for red dice only and without a number, as in `every crit to hit`")
    return replace(effect, verb="become")


def adding(phrase: SidePhrase) -> Effect:
    count, pool, face = phrase.count("add", ADDED_MOST), phrase.pool(), phrase.face()
    return Effect(verb="add", pool=pool_of(phrase, pool, face), most=count, to=face)


def cancel(phrase: SidePhrase) -> Effect:
    count, pool, face = phrase.count("cancel", DICE_MOST), phrase.pool(), phrase.face()
    return Effect(verb="cancel", pool=pool_of(phrase, pool, face), most=count, faces=(face,))


def spend(phrase: SidePhrase) -> Effect:
    effect = replace(cancel(phrase), verb="spend")
    if effect.pool is not OWN_POOL[phrase.side]:
        own = OWN_POOL[phrase.side]
        raise phrase.refusal(f"`spend` for {own} dice only: one spends one's own, and cancels the other side's")
    return effect


def fixed(phrase: SidePhrase) -> Effect:
    pool, face = phrase.pool(), phrase.face()
    return Effect(verb="set", pool=pool_of(phrase, pool, face), to=face)


PARSERS: Final[Mapping[str, Callable[[SidePhrase], Effect]]] = {
    "reroll": reroll,
    "change": change,
    "add": adding,
    "cancel": cancel,
    "spend": spend,
    "set": fixed,
    "every": every,
}


def pool_of(phrase: SidePhrase, named: Pool | None, *faces: Face) -> Pool:
    """The dice that an effect means: as named, else those that have such faces, one's own first."""
    own = OWN_POOL[phrase.side]
    candidates = (named,) if named else (own, *(pool for pool in Pool if pool is not own))
    for pool in candidates:
        if all(face in pool.results for face in faces):
            return pool
    wrong = next(face for face in faces if face not in candidates[0].results)
    raise BadWord(phrase.field, wrong, f"A {candidates[0]} die shows {join_or(candidates[0].results)}.")


def check(effects: tuple[Effect, ...], name: str) -> None:
    """The limits that keep every choice on one message."""
    if len(effects) > EFFECTS_MOST:
        raise BadInput(name, f"{len(effects)} effects", f"at most {EFFECTS_MOST} effects")
    chosen = {effect for effect in effects if effect.verb == "reroll"}
    pressed = {one_use(effect) for effect in effects if effect.verb in ("change", "add", "cancel", "spend")}
    if len(chosen) > REROLLS_MOST:
        raise BadInput(name, f"{len(chosen)} different rerolls", f"at most {REROLLS_MOST} different rerolls")
    if len(pressed) > DIFFERENT_MOST:
        raise BadInput(name, f"{len(pressed)} different effects", f"at most {DIFFERENT_MOST} besides rerolls")


def write(brought: Brought, side: Side) -> str:
    """The words that ``parse`` reads back as the same thing."""
    held = [(token, brought.line_up.has(token)) for token in ON_SIDE[side]]
    phrases = [f"{token} {count}" if count > 1 else token for token, count in held if count]
    phrases += [f"0 {token}" for token in brought.line_up.none]
    phrases += [written(effect) for effect in brought.line_up.effects]
    phrases += [f"hull {brought.hull}"] if brought.hull is not None else []
    phrases += [f"shields {brought.shields}"] if brought.shields else []
    phrases += [f"needs {(' or ' if brought.needs_any else ' and ').join(brought.needs)}"] if brought.needs else []
    phrases += ["cost lock"] if brought.cost_lock else []
    phrases += [f"cost {brought.cost_charge} charge"] if brought.cost_charge else []
    return ", ".join(phrases)


def written(effect: Effect) -> str:
    """One effect in words, its dice named."""
    old, pool = " or ".join(effect.faces), effect.pool
    if effect.verb == "dice":
        return f"{effect.most:+d} dice {pool}"
    if effect.verb == "reroll":
        return f"reroll {effect.most} {pool} {old}".rstrip()
    if effect.verb in ("change", "become"):
        return f"{'every' if effect.verb == 'become' else f'change {effect.most}'} {pool} {old} to {effect.to}"
    if effect.verb == "set":
        return f"set {pool} {effect.to}"
    return f"{effect.verb} {effect.most} {pool} {effect.to if effect.verb == 'add' else old}"
