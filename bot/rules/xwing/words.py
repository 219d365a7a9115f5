"""The compact words that players type for one side: ``focus, lock, force 2, reroll 1 blank, change 1 focus to hit``.

A line is phrases with commas between them:

    TOKEN [n]                          focus · force 2 · lock · evade · reinforce · strain
    reroll [n] [red|green] [FACES]     reroll 2 blank or focus
    change [n] [red|green] FACE to FACE
    add [n] [red|green] FACE           cancel ... · spend ...
    set [red|green] FACE               every rolled die shows it
    every [red|green] FACE to FACE     after both windows
    +n dice [red|green] · -n dice [red|green]
    hull n · shields n                 (the defender's ship)
    cost lock · cost [n] charge        (the attacker's weapon)

Without a colour an effect belongs to the dice that have such a face, else to one's own. ``write`` is the inverse.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from bot.rules.errors import BadInput, BadWord
from bot.rules.game import Field, Offer, Side
from bot.rules.xwing.declared import (
    ADDED_MOST,
    DICE_MOST,
    EFFECTS_MOST,
    HULL_MOST,
    OWN_POOL,
    TOKENS,
    Effect,
    Face,
    LineUp,
    Pool,
    token_most,
)

REROLLS_MOST: Final = 2
"""Different rerolls of one side: each is a list to pick from, and a message has room for five rows."""
DIFFERENT_MOST: Final = 5
"""Different other effects of one side: each is a button of two rows."""

VERBS: Final = ("reroll", "change", "add", "cancel", "spend", "set", "every", "cost", "hull", "shields")
FACE_WORDS: Final[Mapping[str, Face]] = {
    **{face.value: face for face in Face},
    **{f"{face.value}s": face for face in Face if face is not Face.FOCUS},
}
POOL_WORDS: Final[Mapping[str, Pool]] = {pool.value: pool for pool in Pool}
EXAMPLE: Final = "Write for example `focus, lock, force 2, reroll 1 blank, change 1 focus to hit`."

DEFEND: Final = Offer(
    "defend",
    Side.DEFENDER,
    "Defend: say what you bring",
    fields=(
        Field("agility", "Agility of your ship (0 to 6)", "2", longest=2),
        Field("tokens", "Tokens and effects", "focus, evade, hull 4, shields 2", required=False, longest=200),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What one side typed: its line-up without dice, the defender's ship, the attacker's weapon costs."""

    line: LineUp = field(default_factory=LineUp)
    hull: int | None = None
    shields: int = 0
    cost_lock: int = 0
    cost_charge: int = 0


class Phrase:
    """The words between two commas, read from the left."""

    def __init__(self, text: str, side: Side, name: str) -> None:
        self.words = text.lower().split()
        self.side, self.name = side, name

    def bad(self, word: str, known: tuple[str, ...], allowed: str = EXAMPLE) -> BadWord:
        return BadWord(self.name, word, allowed, known)

    def next(self, known: tuple[str, ...]) -> str:
        """The next word, which must be one of ``known``."""
        word = self.words.pop(0) if self.words else ""
        if word not in known:
            raise self.bad(word or "the end", known, f"Here may stand: {', '.join(known)}.")
        return word

    def skip(self, *words: str) -> None:
        while self.words and self.words[0] in words:
            self.words.pop(0)

    def count(self, what: str, most: int, default: int | None = 1) -> int:
        """A number of at least 1, or ``default`` where none stands."""
        self.skip("up", "to")
        if self.words and self.words[0].lstrip("+-").isdecimal():
            return number(what, self.words.pop(0), 1, most)
        if default is None:
            raise BadInput(what, " ".join(self.words), f"a whole number from 1 to {most}, as in `{what} 2`")
        return default

    def pool(self) -> Pool | None:
        self.skip("of")
        return POOL_WORDS[self.words.pop(0)] if self.words and self.words[0] in POOL_WORDS else None

    def face(self) -> Face:
        return FACE_WORDS[self.next(tuple(FACE_WORDS))]

    def end(self) -> None:
        if self.words:
            raise self.bad(self.words[0], ("dice", "or", "to"), f"Put a comma before a new phrase. {EXAMPLE}")


def parse(text: str, side: Side, name: str) -> Brought:
    """What a side brings, from its words; ``name`` is the field that an error points at.

    Raises ``BadWord`` at the first word that does not fit, ``BadInput`` for a number out of its range.
    """
    brought = Brought()
    for part in text.replace(";", ",").replace("\n", ",").split(","):
        if part.strip():
            phrase = Phrase(part, side, name)
            brought = add(brought, phrase)
            phrase.end()
    check(brought.line.effects, name)
    return brought


def add(brought: Brought, phrase: Phrase) -> Brought:
    """The line-up with one phrase more."""
    first, line = phrase.words[0], brought.line
    tokens = TOKENS[phrase.side]
    if first[0] in "+-" and first[1:].isdecimal():
        return replace(brought, line=with_effect(line, dice(phrase)))
    known = (*tokens, *VERBS[:-3], *(("cost",) if phrase.side is Side.ATTACKER else ("hull", "shields")))
    word = phrase.next(known)
    if word in tokens:
        held = getattr(line, word) + phrase.count(word, token_most(word))
        if held > token_most(word):
            raise BadInput(word, held, f"at most {token_most(word)}")
        return replace(brought, line=replace(line, **{word: held}))
    if word == "hull":
        return replace(brought, hull=phrase.count(word, HULL_MOST, None))
    if word == "shields":
        return replace(brought, shields=phrase.count(word, HULL_MOST, None))
    if word == "cost":
        return cost(brought, phrase)
    return replace(brought, line=with_effect(line, PARSERS[word](phrase)))


def with_effect(line: LineUp, effect: Effect) -> LineUp:
    return replace(line, effects=(*line.effects, effect))


def cost(brought: Brought, phrase: Phrase) -> Brought:
    count = phrase.count("cost", token_most("charge"))
    if phrase.next(("lock", "charge", "charges")) == "lock":
        return replace(brought, cost_lock=1)
    return replace(brought, cost_charge=count)


def dice(phrase: Phrase) -> Effect:
    word = phrase.words.pop(0)
    count = number("dice", word[1:], 1, DICE_MOST)
    pool = phrase.pool()
    phrase.next(("dice", "die"))
    pool = pool or phrase.pool()
    return Effect(verb="dice", pool=pool or OWN_POOL[phrase.side], most=count if word[0] == "+" else -count)


def reroll(phrase: Phrase) -> Effect:
    count, pool = phrase.count("reroll", DICE_MOST), phrase.pool()
    phrase.skip("dice", "die")
    faces: list[Face] = []
    while phrase.words:
        faces.append(phrase.face())
        phrase.skip("or", "and")
    return Effect(verb="reroll", pool=pool_of(phrase, pool, *faces), most=count, faces=tuple(dict.fromkeys(faces)))


def change(phrase: Phrase) -> Effect:
    return turning("change", phrase, phrase.count("change", DICE_MOST))


def every(phrase: Phrase) -> Effect:
    effect = turning("become", phrase, 1)
    if effect.pool is Pool.GREEN:
        raise phrase.bad("every", ("change",), "It is for attack dice, as in `every crit to hit`.")
    return effect


def turning(verb: str, phrase: Phrase, count: int) -> Effect:
    pool, old = phrase.pool(), phrase.face()
    phrase.next(("to",))
    new = phrase.face()
    pool = pool_of(phrase, pool, old, new)
    if verb == "become":
        return Effect(verb="become", pool=pool, faces=(old,), to=new)
    return Effect(verb="change", pool=pool, most=count, faces=(old,), to=new)


def adding(phrase: Phrase) -> Effect:
    count, pool, face = phrase.count("add", ADDED_MOST), phrase.pool(), phrase.face()
    return Effect(verb="add", pool=pool_of(phrase, pool, face), most=count, to=face)


def cancel(phrase: Phrase) -> Effect:
    count, pool, face = phrase.count("cancel", DICE_MOST), phrase.pool(), phrase.face()
    return Effect(verb="cancel", pool=pool_of(phrase, pool, face), most=count, faces=(face,))


def spend(phrase: Phrase) -> Effect:
    effect = replace(cancel(phrase), verb="spend")
    if effect.pool is not OWN_POOL[phrase.side]:
        raise phrase.bad("spend", ("cancel",), "Only one's own dice are spent; the other side's are cancelled.")
    return effect


def fixed(phrase: Phrase) -> Effect:
    pool, face = phrase.pool(), phrase.face()
    return Effect(verb="set", pool=pool_of(phrase, pool, face), to=face)


PARSERS: Final[Mapping[str, Callable[[Phrase], Effect]]] = {
    "reroll": reroll,
    "change": change,
    "add": adding,
    "cancel": cancel,
    "spend": spend,
    "set": fixed,
    "every": every,
}


def pool_of(phrase: Phrase, named: Pool | None, *faces: Face) -> Pool:
    """The dice that an effect means: as named, else those that have such faces, one's own first."""
    own = OWN_POOL[phrase.side]
    candidates = (named,) if named else (own, *(pool for pool in Pool if pool is not own))
    for pool in candidates:
        if all(face in pool.results for face in faces):
            return pool
    wrong = next(face for face in faces if face not in candidates[0].results)
    raise phrase.bad(wrong, candidates[0].results, f"A {candidates[0]} die shows {', '.join(candidates[0].results)}.")


def check(effects: tuple[Effect, ...], name: str) -> None:
    """The limits that keep every choice on one message."""
    if len(effects) > EFFECTS_MOST:
        raise BadInput(name, f"{len(effects)} effects", f"at most {EFFECTS_MOST} effects")
    chosen = {effect for effect in effects if effect.verb == "reroll"}
    pressed = {effect for effect in effects if effect.verb in ("change", "add", "cancel", "spend")}
    if len(chosen) > REROLLS_MOST:
        raise BadInput(name, f"{len(chosen)} different rerolls", f"at most {REROLLS_MOST} different rerolls")
    if len(pressed) > DIFFERENT_MOST:
        raise BadInput(name, f"{len(pressed)} different effects", f"at most {DIFFERENT_MOST} besides rerolls")


def number(name: str, text: str, least: int, most: int) -> int:
    """A typed whole number from ``least`` to ``most``; raises ``BadInput``."""
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        raise BadInput(name, text, f"a whole number from {least} to {most}")
    return int(text)


def write(brought: Brought, side: Side) -> str:
    """The words that ``parse`` reads back as the same thing."""
    held = [(token, getattr(brought.line, token)) for token in TOKENS[side]]
    phrases = [f"{token} {count}" if count > 1 else token for token, count in held if count]
    phrases += [phrase(effect) for effect in brought.line.effects]
    phrases += [f"hull {brought.hull}"] if brought.hull is not None else []
    phrases += [f"shields {brought.shields}"] if brought.shields else []
    phrases += ["cost lock"] if brought.cost_lock else []
    phrases += [f"cost {brought.cost_charge} charge"] if brought.cost_charge else []
    return ", ".join(phrases)


def phrase(effect: Effect) -> str:
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
