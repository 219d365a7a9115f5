"""The compact words that players type for one side: ``focus, lock, force 2, reroll 1 blank, change 1 focus to hit``.

A line is phrases with commas between them:

    TOKEN [n] · n TOKEN                focus · force 2 · lock · evade · any entry of ``tokens.TABLE`` with a side;
                                       0 of a token: none in this attack, whatever the ship has
    reroll [n] [red|green] [FACES]     reroll 2 blank or focus; exactly n: no fewer; any: as many as one likes; all
    change [n] [red|green] FACES to FACE   change 1 any to hit; change all focus to hit
    add [n] [red|green] FACE           cancel ... · spend ...
    set [red|green] FACE               every rolled die shows it
    every [red|green] FACE to FACE     after both windows
    +n dice [red|green] · -n dice [red|green] · at most n dice [red|green] · at most results dice green
    range bonus off [red|green] · range 1 bonus on · counts as range 1
    forbid modify|reroll|TOKEN|green tokens|all but TOKEN [red|green]
    at most n rerolled [red|green] · at most n TOKEN modified [red|green]
    crits first · crits stay           evades cancel crits before hits, or not at all
    after an effect: if only blanks · while locked · instead of lock · before neutralize · after neutralize ·
                     for n TOKEN       what one use of it costs
    hull n · shields n                 (the defender's ship)
    needs TOKEN [or TOKEN]             (the attacker's weapon: it must be there and is not spent)
    cost lock · cost [n] charge        (the attacker's weapon)

``up to`` before a number and ``of`` after it may stand, and faces may be plural. Semicolons, new lines, ``and`` and
``+`` are commas, and where it is clear what is meant no comma is needed: ``hull 3 shields 2``. What players call things
is understood (``ALIASES``), and so are the words of the reader's language (``words_of``). Without a color an effect
belongs to the dice that have such a face, else to one's own.
``write`` is the inverse.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from bot.rules.anydice.words import ENGLISH, forms, replace_matches, spellings
from bot.rules.errors import AtMost, BadInputError, Collector, Example, Fact, UnknownWordError, fact_sentence, nearest
from bot.rules.game import Field, Side
from bot.rules.phrase_parser import READER, Phrase, Reader
from bot.rules.text import N_, Code, Message, Name, Names, Noun, Text
from bot.rules.xwing.dice.conditions import INSTEAD_OF_LOCK, LOCKED, ONLY_BLANKS
from bot.rules.xwing.dice.consequences import AllBut, AToken, CritOrder, ForbiddenDice, RangeDie, What
from bot.rules.xwing.dice.declared import EACH, MAX_HULL, WEAPON_COSTS, DiceEffect, DiceWindow, LineUp
from bot.rules.xwing.dice.faces import NOUNS, OWN_POOL, Face, Pool
from bot.rules.xwing.dice.modify import one_use
from bot.rules.xwing.dice.physical_dice import CAMERA
from bot.rules.xwing.dice.tokens import ON_SIDE, TOKENS

LONGEST: Final = 200
"""Maximum typed characters of one side."""
MAX_TYPED_DICE: Final = EACH
MAX_EFFECTS: Final = 8
MAX_ADDED: Final = 4
MAX_REROLLS: Final = 2
"""Maximum distinct rerolls of one side: each is a list, and a message has five rows."""
MAX_DIFFERENT: Final = 5
"""Maximum distinct other effects of one side: two rows of buttons."""

SHIP: Final = ("hull", "shields")
FACE_WORDS: Final[Mapping[str, Face]] = {
    **{face.value: face for face in Face},
    **{f"{face.value}s": face for face in Face if face is not Face.FOCUS},
}
FACES_NAMED: Final = tuple(Face)
"""Maximum faces listed in errors."""
CALLED: Final = {"lock": "tl locks", "calculate": "calc calcs", "focus": "eye eyes foci", "shields": "shield"}
ALIASES: Final[Mapping[str, str]] = {
    said: meant for meant, words in {**CALLED, "needs": "need require requires"}.items() for said in words.split()
}
"""Players' words and their meanings."""
VERBS_SAID: Final = (
    N_("reroll", "typed, one word: reroll 1 blank"),
    N_("change", "typed, one word: change 1 focus to hit"),
    N_("to", "typed, one word: change 1 focus to hit"),
    N_("add", "typed, one word: add 1 evade"),
    N_("cancel", "typed, one word: cancel 1 evade"),
    N_("spend", "typed, one word: spend 1 hit"),
    N_("any", "typed, one word: change 1 any to hit"),
    N_("all", "typed, one word: change all focus to hit"),
    N_("dice", "typed, one word: +1 dice"),
    N_("hull", "typed, one word: hull 4"),
)
NOUNS_SAID: Final[Mapping[str, Noun]] = {
    **{token: TOKENS[token].noun for side in Side for token in ON_SIDE[side]},
    **{face.value: noun for face, noun in NOUNS.items() if face is not Face.FOCUS},
    "shields": TOKENS["shield"].noun,
}
"""Typed words and their nouns in catalogs."""
NEEDED: Final = ("lock", "focus", "calculate")
"""Tokens that a weapon may need."""
PLUS: Final = re.compile(r"\+(\s*\d+(?=\s*(?:red|green|dice|die|,|$)))?")
"""A plus before a number of dice belongs to it, otherwise it is a comma."""

AFTERWARDS: Final = ("instead", "while", "if", "before", "after", "for")
"""First words of an effect's suffixes."""
GIVEN: Final = {
    f"{'if ' * (condition == ONLY_BLANKS)}{condition}": condition
    for condition in (ONLY_BLANKS, LOCKED, INSTEAD_OF_LOCK)
}
LATER: Final = {
    dice_window.value: dice_window for dice_window in (DiceWindow.BEFORE_NEUTRALIZE, DiceWindow.AFTER_NEUTRALIZE)
}
ANY: Final = "any"
"""Before faces, all; as a number, as many as desired."""

TURNING: Final = tuple(name for name, token in TOKENS.items() if token.turns)
AS_COMMA: Final = {**dict.fromkeys(map(ord, ";\n&•"), ","), ord("*"): None}
"""Characters read as commas, and Markdown's, which are ignored."""
BULLET: Final = re.compile(r"(?:^|,) ?- ")
NO_TOKENS: Final = ("none", "nothing", "no tokens")
AS_A_BUTTON: Final = re.compile(rf"\b({'|'.join(TURNING)})s?\s*:\s*(\d+)(?:\s+(?:to\s+)?(?:hit|evade)s?\b)?")
"""A button label like ``focus: 1 to hit``, read as a number of tokens."""
POOL_WORDS: Final[Mapping[str, Pool]] = {pool.value: pool for pool in Pool}
BETWEEN: Final = (
    "most results result die dice rerolled modified bonus on off as but this modify tokens token up of or and exactly "
    "first stay target"
)
EXAMPLE: Final = Code("`focus, lock, force 2, reroll 1 blank, change 1 focus to hit`")

DEFENSE_EXAMPLE: Final = Code("focus, evade, hull 4, shields 2")
DEFENSE: Final = (
    Field("agility", Text("Agility of your ship (0 to 6)"), Code("2"), longest=2),
    Field("tokens", Text("Tokens and effects"), DEFENSE_EXAMPLE, required=False, longest=LONGEST),
    CAMERA,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideInput:
    """A parsed side: its line-up without dice, the defender's ship, the attacker's weapon costs."""

    line_up: LineUp = field(default_factory=LineUp)
    hull: int | None = None
    shields: int = 0
    needs: tuple[str, ...] = ()
    needs_any: bool = False
    cost_lock: int = 0
    cost_charge: int = 0


class SidePhrase(Phrase):
    """A phrase of one side: tokens, effects, its ship, or its weapon's needs and costs."""

    def __init__(self, text: str, side: Side, name: str) -> None:
        super().__init__(text.lower(), name)
        self.side = side
        first, *rest = (ALIASES.get(word, word) for word in self.words)
        self.words = [first, *(word for word in rest if word not in ("token", "tokens"))]
        self.begin()

    def begin(self) -> None:
        """Swap a leading number with the next phrase's word: ``2 focus``."""
        if self.peek().isdecimal():
            self.words[:2] = reversed(self.words[:2])

    def count(self, what: str, most: int, least: int = 1) -> int:
        """Parse a number of at least ``least``; default 1."""
        if self.words[:2] == ["up", "to"]:
            del self.words[:2]
        return self.number(what, least, most) if self.peek().lstrip("+-").isdecimal() else 1

    def dice_number(self, what: str) -> tuple[int, bool]:
        """Return the number of dice, and whether it is exact: ``2``, ``exactly 2``, ``any``, ``all``."""
        if self.skip("all"):
            return EACH, True
        if self.peek() == ANY and self.peek(1) not in ("to", "or"):
            self.take()
            return EACH, False
        exactly = self.skip("exactly")
        return self.count(what, MAX_TYPED_DICE), exactly

    def faces(self, end: tuple[str, ...] = ()) -> list[Face]:
        """Parse the faces up to the next phrase, or to a word in ``end``; [] for ``any``."""
        self.skip("dice", "die", "results", "result")
        result: list[Face] = []
        while self.words and self.peek() not in (*end, *AFTERWARDS):
            if self.is_at_start() or (self.peek() == "and" and self.is_at_start(1)):
                break  # another phrase begins
            if self.skip(ANY):
                continue
            if result and end and self.peek() not in FACE_WORDS:
                break
            result.append(self.face())
            if len(self.words) > 1 and not self.is_at_start(1):
                self.skip("or", "and")
        return list(dict.fromkeys(result))

    def is_at_start(self, ahead: int = 0) -> bool:
        """Whether another phrase begins there, not a face."""
        word = self.peek(ahead)
        return word not in FACE_WORDS and (word.isdecimal() or any(word in FIRST_WORDS[side] for side in Side))

    def pool(self) -> Pool | None:
        self.skip("of")
        return POOL_WORDS[self.take()] if self.peek() in POOL_WORDS else None

    def spoken(self) -> Mapping[str, str]:
        known = words_of(READER.get()) if READER.get().language != ENGLISH else None
        return {meant: said for said, meant in reversed([*known[1].items()])} if known else {}

    def unknown_word(self, *wanted: Text | Fact) -> UnknownWordError:
        error = super().unknown_word(*wanted)
        if nearest(error.word, ("token",)):
            # A token without a name: the commonest is the nearest word that works, and the others are listed.
            error.wanted, error.near = tuple(map(fact_sentence, wanted)), "focus"
        return error

    def face(self) -> Face:
        return FACE_WORDS[self.word(tuple(FACE_WORDS), FACES_NAMED)]

    def end(self) -> None:
        if self.words:
            raise self.unknown_word(Text("Put a comma between phrases, as in {example}.", example=EXAMPLE))


@lru_cache(maxsize=16)
def words_of(reader: Reader) -> tuple[re.Pattern[str], Mapping[str, str]] | None:
    """Return a pattern of a catalog's unambiguous terms, in every number, and their English meanings."""
    say, meant = reader.say, dict[str, set[str]]()
    for word in (*FACES_NAMED, *NOUNS_SAID, *POOL_WORDS, *VERBS_SAID):
        counted = (say(NOUNS_SAID[word].of(count)).partition(" ")[2] for count in (1, 2, 5) if word in NOUNS_SAID)
        term = say(Text(Message(word)))
        for said in (term, *counted, *forms(reader.language, word)):
            for form in (said.lower(), *spellings(said)):
                meant.setdefault(form, set()).add(str(word))
    result = {said: means.pop() for said, means in meant.items() if len(means) == 1 and said not in ENGLISH_WORDS}
    if not result:
        return None
    longest_first = sorted(result, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"), result


def in_english(text: str) -> str:
    """Translate a line from the reader's language, with accents or without."""
    known = words_of(READER.get())
    return replace_matches(text, known[0], lambda word, _: known[1][word[0]], {}) if known else text


def parse(text: str, side: Side, name: str) -> SideInput:
    """Parse a side in English or the reader's language; raises as ``parse_english``. Any text of at most ``LONGEST``
    characters costs under 100,000 steps.
    """
    return parse_english(in_english(text), side, name)


@lru_cache(maxsize=256)  # a table repeats the same words
def parse_english(text: str, side: Side, name: str) -> SideInput:
    """Parse a side; errors name the field ``name``. Raises ``UnknownWordError`` at a phrase's first invalid word,
    ``BadInputError`` for a number out of range, ``CombinedError`` for several phrases.
    """
    typed = SideBuilder()
    with Collector() as wrong:
        for part in phrases(text):
            with wrong.collect():
                phrase = SidePhrase(part, side, name)
                while phrase.words:
                    phrase.begin()
                    typed.add(phrase)
                    if len(phrase.words) > 1:
                        phrase.skip("and")
    brought = typed.build()
    check(brought.line_up.effects, name)
    if brought.shields and brought.hull is None:
        raise no_hull(brought.shields)
    return brought


def no_hull(shields: int) -> BadInputError:
    """Return the error for shields without a hull, which the damage needs."""
    return BadInputError("shields", shields, Text("Use it together with a hull value."), Example("hull 4, shields 2"))


def phrases(text: str) -> list[str]:
    """Split a line at commas and their equivalents, without empty parts."""
    text = BULLET.sub(",", text.translate(AS_COMMA)).lower().replace("target lock", "lock")
    if text.strip() in NO_TOKENS:
        return []
    text = AS_A_BUTTON.sub(r"\1 \2", text)
    text = PLUS.sub(lambda plus: f",+{plus[1].strip()}" if plus[1] else ",", text)
    return [part for part in text.split(",") if part.strip()]


class SideBuilder:
    """A side under construction; ``tokens`` by name, 0 keeps one out; ``fields``: others of ``SideInput``."""

    def __init__(self) -> None:
        self.tokens: dict[str, Any] = {}
        self.effects: list[DiceEffect] = []
        self.fields: dict[str, Any] = {}

    def build(self) -> SideInput:
        none = tuple(name for name, count in self.tokens.items() if not count)
        return SideInput(line_up=LineUp(**self.tokens, none=none, effects=tuple(self.effects)), **self.fields)

    def add(self, phrase: SidePhrase) -> None:
        first, known = phrase.peek(), FIRST_WORDS[phrase.side]
        if first[0] in "+-" and first[1:].isdecimal():
            self.effects.append(dice(phrase))
            return
        if first in FIRST_WORDS[phrase.side.other] and first not in known:
            theirs = N_("`{first}` belongs to the attacker: leave it out here.")
            if phrase.side is Side.ATTACKER:
                theirs = N_("`{first}` belongs to the defender: leave it out here.")
            raise UnknownWordError(phrase.field, first, Text(theirs, first=Name(first)))
        word = phrase.word(known, (*known[:6], "reroll", "change"))  # of twenty words those that people need
        if word in ON_SIDE[phrase.side]:
            self.add_token(word, phrase)
        elif word in SHIP:
            self.add_ship(word, phrase)
        elif word == "cost":
            self.add_cost(phrase)
        elif word == "needs":
            self.add_needs(phrase)
        else:
            self.effects.append(with_suffix(PARSERS[word](phrase), phrase))

    def add_token(self, word: str, phrase: SidePhrase) -> None:
        """Add to a token's number; 0 excludes it from this attack."""
        most = TOKENS[word].most
        held = at_most(word, self.tokens.get(word, 0) + phrase.count(word, most, least=0), most)
        self.tokens.pop(word, None)  # tokens kept out are listed in the order last typed
        self.tokens[word] = held

    def add_ship(self, word: str, phrase: SidePhrase) -> None:
        count = phrase.number(word, 1 if word == "hull" else 0, MAX_HULL)
        if held := self.fields.get(word):
            allowed = Text("Use one number. You already wrote `{word} {held}`.", word=Code(word), held=held)
            raise BadInputError(word, count, allowed)
        self.fields[word] = count

    def add_cost(self, phrase: SidePhrase) -> None:
        count = phrase.count("cost", max(TOKENS[token].most for token in WEAPON_COSTS))
        known = (*WEAPON_COSTS, *(f"{token}s" for token in WEAPON_COSTS))
        token = phrase.word(known, WEAPON_COSTS).removesuffix("s")
        before = self.fields.get(f"cost_{token}", 0)
        self.fields[f"cost_{token}"] = at_most(f"cost {token}", before + count, TOKENS[token].most)

    def add_needs(self, phrase: SidePhrase) -> None:
        """Add the weapon's requirements: all tokens, or with ``or`` one."""
        result, any_, before = [phrase.word(NEEDED)], False, self.fields.get("needs", ())
        while phrase.peek() in ("or", "and") and phrase.peek(1) in NEEDED:
            any_ = phrase.take() == "or" or any_
            result.append(phrase.word(NEEDED))
        if any_ and before:
            raise phrase.refusal(Text("Use one `needs`, as in `needs lock or focus`."))
        self.fields |= {"needs": tuple(dict.fromkeys((*before, *result))), "needs_any": any_}


def with_suffix(effect: DiceEffect, phrase: SidePhrase) -> DiceEffect:
    """Parse an effect's suffixes: timing, conditions, cost."""
    while phrase.peek() in AFTERWARDS:
        if phrase.skip("for"):
            count = phrase.count("cost", max(token.most for token in TOKENS.values()))
            paid = phrase.word(tuple(ON_SIDE[phrase.side]))
            effect = replace(effect, cost=(*effect.cost, (paid, count)))
            continue
        said = next((item for item in (*GIVEN, *LATER) if phrase.words[: len(item.split())] == item.split()), None)
        if said is None:
            known = Names((*GIVEN, *LATER, "for 1 force"), "or")
            raise phrase.unknown_word(Text("After an effect you can write: {words}.", words=known))
        del phrase.words[: len(said.split())]
        effect = replace(effect, when=LATER[said]) if said in LATER else replace(effect, given=(GIVEN[said],))
    return effect


def at_most(what: str, held: int, most: int) -> int:
    """Combine the limits of several phrases."""
    if held > most:
        raise BadInputError(what, held, Text("Use at most {most}.", most=most))
    return held


def dice(phrase: SidePhrase) -> DiceEffect:
    sign, phrase.words[0] = phrase.words[0][0], phrase.words[0][1:]
    count = phrase.number("dice", 1, MAX_TYPED_DICE)
    pool = phrase.pool()
    phrase.word(("dice", "die"))
    pool = pool or phrase.pool()
    return DiceEffect(verb="dice", pool=pool or OWN_POOL[phrase.side], most=count if sign == "+" else -count)


def reroll(phrase: SidePhrase) -> DiceEffect:
    (count, exactly), pool = phrase.dice_number("reroll"), phrase.pool()
    faces = phrase.faces()
    pool = pool_of(phrase, pool or phrase.pool(), *faces)
    return DiceEffect(verb="reroll", pool=pool, most=count, faces=tuple(faces), exactly=exactly)


def change(phrase: SidePhrase) -> DiceEffect:
    (count, _), pool = phrase.dice_number("change"), phrase.pool()
    old = phrase.faces(("to",))
    phrase.word(("to",))
    new = phrase.face()
    pool = pool_of(phrase, pool, *old, new)
    faces = tuple(old) or tuple(face for face in pool.results if face is not new)
    return DiceEffect(verb="change", pool=pool, most=count, faces=faces, to=new)


def read_every(phrase: SidePhrase) -> DiceEffect:
    effect = change(phrase)
    if effect.pool is Pool.GREEN or effect.most > 1 or len(effect.faces) > 1:
        raise phrase.refusal(Text("Use `every` only for red dice and without a number, as in `every crit to hit`."))
    return replace(effect, verb="become")


def read_added(phrase: SidePhrase) -> DiceEffect:
    count, pool, face = phrase.count("add", MAX_ADDED), phrase.pool(), phrase.face()
    return DiceEffect(verb="add", pool=pool_of(phrase, pool, face), most=count, to=face)


def cancel(phrase: SidePhrase) -> DiceEffect:
    (count, _), pool = phrase.dice_number("cancel"), phrase.pool()
    faces = phrase.faces()
    if not faces:
        raise phrase.refusal(Text("End it with a face, as in `cancel 1 evade`."))
    return DiceEffect(verb="cancel", pool=pool_of(phrase, pool, *faces), most=count, faces=tuple(faces))


def spend(phrase: SidePhrase) -> DiceEffect:
    effect = replace(cancel(phrase), verb="spend")
    own = OWN_POOL[phrase.side]
    if effect.pool is not own:
        message = N_("Use `spend` only for {own} dice: you spend your own and cancel the other side's.")
        raise phrase.refusal(Text(message, own=own))
    return effect


def read_fixed(phrase: SidePhrase) -> DiceEffect:
    pool, face = phrase.pool(), phrase.face()
    return DiceEffect(verb="set", pool=pool_of(phrase, pool, face), to=face)


def at_most_of(phrase: SidePhrase) -> DiceEffect:
    """``at most 4 dice``, ``at most results dice green``, ``at most 1 rerolled red``, ``at most 1 focus modified``."""
    own = OWN_POOL[phrase.side]
    phrase.word(("most",))
    if phrase.skip("results"):
        phrase.word(("dice",))
        return DiceEffect(verb="limit", pool=phrase.pool() or own.other, most=EACH, faces=(Face.HIT, Face.CRIT))
    count = phrase.number("at most", 0, MAX_TYPED_DICE)
    word = phrase.word(("dice", "die", "rerolled", *TURNING))
    if word in TURNING:
        phrase.word(("modified",))
    pool = phrase.pool() or own
    if word in ("dice", "die"):
        return DiceEffect(verb="limit", pool=pool, most=count)
    what = ForbiddenDice(word) if word not in TURNING else AToken(word)
    return DiceEffect(verb="allow", pool=pool, most=count, what=what)


def range_bonus(phrase: SidePhrase) -> DiceEffect:
    """Parse ``range bonus off [green]``, ``range 1 bonus on``."""
    is_on = phrase.skip("1")
    phrase.word(("bonus",))
    what = RangeDie.ON if is_on else RangeDie.OFF
    phrase.word((what.value,))
    return DiceEffect(verb="bonus", pool=phrase.pool() or OWN_POOL[phrase.side], what=what)


def counts_as(phrase: SidePhrase) -> DiceEffect:
    for word in ("as", "range", "1"):
        phrase.word((word,))
    return DiceEffect(verb="bonus", pool=Pool.RED, what=RangeDie.CLOSE)


def forbid(phrase: SidePhrase) -> DiceEffect:
    """``forbid reroll red``, ``forbid green tokens green``, ``forbid all but force red``; this: the card itself."""
    but = phrase.skip("all")
    if but:
        phrase.word(("but",))
    spent = (*TURNING, "lock")
    word = phrase.word((*spent, "this") if but else (*FORBIDDEN, *spent))
    what = AllBut("" if word not in spent else word) if but else FORBIDDEN.get(word) or AToken(word)
    return DiceEffect(verb="forbid", pool=phrase.pool() or OWN_POOL[phrase.side].other, what=what)


FORBIDDEN: Final = {"modify": ForbiddenDice.MODIFY, "reroll": ForbiddenDice.REROLL, "green": ForbiddenDice.GREEN_TOKENS}


def crits(phrase: SidePhrase) -> DiceEffect:
    return DiceEffect(verb="crits", pool=Pool.RED, what=CritOrder(phrase.word(tuple(CritOrder))))


PARSERS: Final[Mapping[str, Callable[[SidePhrase], DiceEffect]]] = {
    "reroll": reroll,
    "change": change,
    "add": read_added,
    "cancel": cancel,
    "spend": spend,
    "set": read_fixed,
    "every": read_every,
    "at": at_most_of,
    "range": range_bonus,
    "counts": counts_as,
    "forbid": forbid,
    "crits": crits,
}

FIRST_WORDS: Final[Mapping[Side, tuple[str, ...]]] = {
    Side.ATTACKER: (*ON_SIDE[Side.ATTACKER], *PARSERS, "needs", "cost"),
    Side.DEFENDER: (*ON_SIDE[Side.DEFENDER], *PARSERS, *SHIP),
}
"""First words of each side's phrases, apart from numbers."""
ENGLISH_WORDS: Final[frozenset[str]] = frozenset(AFTERWARDS).union(
    *FIRST_WORDS.values(),
    *(FACE_WORDS, ALIASES, POOL_WORDS, VERBS_SAID, NOUNS_SAID),
    *(words.split() for words in (*GIVEN, *LATER, BETWEEN)),
)
"""Words that are English in every language."""


def pool_of(phrase: SidePhrase, named: Pool | None, *faces: Face) -> Pool:
    """Return an effect's pool: as named, else one with such faces, one's own first."""
    own = OWN_POOL[phrase.side]
    candidates = (named,) if named else (own, *(pool for pool in Pool if pool is not own))
    for pool in candidates:
        if all(face in pool.results for face in faces):
            return pool
    wrong = next(face for face in faces if face not in candidates[0].results)
    results = Names(map(Code, candidates[0].results), "or")
    shows = Text("A {pool} die shows {results}.", pool=candidates[0], results=results)
    raise UnknownWordError(phrase.field, wrong, shows)


def check(effects: tuple[DiceEffect, ...], name: str) -> None:
    """Check the limits that keep all choices on one message."""
    if len(effects) <= MAX_REROLLS:
        return
    if len(effects) > MAX_EFFECTS:
        every = Text("{count} effects", count=len(effects))
        raise BadInputError(name, every, AtMost(MAX_EFFECTS, Noun("effect", "effects")))
    chosen = {effect for effect in effects if effect.verb == "reroll"}
    pressed = {one_use(effect) for effect in effects if effect.verb in ("change", "add", "cancel", "spend")}
    if len(chosen) > MAX_REROLLS:
        allowed = Text("Use at most {most} different rerolls.", most=MAX_REROLLS)
        raise BadInputError(name, Text("{count} different rerolls", count=len(chosen)), allowed)
    if len(pressed) > MAX_DIFFERENT:
        allowed = Text("Use at most {most} besides rerolls.", most=MAX_DIFFERENT)
        raise BadInputError(name, Text("{count} different effects", count=len(pressed)), allowed)


def write(brought: SideInput, side: Side) -> str:
    """Format a side for ``parse``."""
    held = brought.line_up.tokens(side)
    phrases = [f"{token.name} {count}" if count > 1 else token.name for token, count in held]
    phrases += [f"0 {token}" for token in brought.line_up.none]
    phrases += [write_effect(effect) for effect in brought.line_up.effects]
    phrases += [f"hull {brought.hull}"] if brought.hull is not None else []
    phrases += [f"shields {brought.shields}"] if brought.shields else []
    phrases += [f"needs {(' or ' if brought.needs_any else ' and ').join(brought.needs)}"] if brought.needs else []
    phrases += ["cost lock"] if brought.cost_lock else []
    phrases += [f"cost {brought.cost_charge} charge"] if brought.cost_charge else []
    return ", ".join(phrases)


def write_effect(effect: DiceEffect, *, named: bool = True) -> str:
    """Format one effect with its suffixes, and its pool if ``named`` or forbidden there."""
    named = named or effect.verb in ("forbid", "allow") or (effect.verb == "limit" and bool(effect.faces))
    given = next((said for said, condition in GIVEN.items() if condition in effect.given), "")
    paid = (f"for {count} {token}" for token, count in effect.cost)
    does = write_on_dice(effect, effect.pool if named else "").split()
    return " ".join([*does, *filter(None, (given, effect.when, *paid))])


def write_on_dice(effect: DiceEffect, pool: str) -> str:
    """Format an effect on a pool's dice; spaces if it has no name."""
    if effect.verb in AT_ROLL:
        return AT_ROLL[effect.verb](effect, pool)
    others = tuple(face for face in effect.pool.results if face is not effect.to)
    old = ANY if effect.verb == "change" and effect.faces == others else " or ".join(effect.faces)
    often = "all" if effect.most >= EACH else str(effect.most)
    if effect.verb == "reroll":
        free = "any" if effect.most >= EACH else often
        return f"reroll {f'exactly {often}'.replace('exactly all', 'all') if effect.exactly else free} {pool} {old}"
    if effect.verb in ("change", "become"):
        return f"{'every' if effect.verb == 'become' else f'change {often}'} {pool} {old} to {effect.to}"
    if effect.verb == "set":
        return f"set {pool} {effect.to}"
    return f"{effect.verb} {often} {pool} {effect.to if effect.verb == 'add' else old}"


RANGE_DIE: Final[Mapping[What | None, str]] = {
    RangeDie.OFF: "range bonus off",
    RangeDie.ON: "range 1 bonus on",
    RangeDie.CLOSE: "counts as range 1",
}
AT_ROLL: Final[Mapping[str, Callable[[DiceEffect, str], str]]] = {
    "dice": lambda effect, pool: f"{effect.most:+d} dice {pool}",
    "limit": lambda effect, pool: f"at most {'results' if effect.faces else effect.most} dice {pool}",
    "bonus": lambda effect, pool: f"{RANGE_DIE[effect.what]} {pool * (effect.what is not RangeDie.CLOSE)}",
    "forbid": lambda effect, pool: f"forbid {effect.what} {pool}",
    "allow": lambda effect, pool: (
        f"at most {effect.most} {effect.what}{' modified' * isinstance(effect.what, AToken)} {pool}"
    ),
    "crits": lambda effect, _: f"crits {effect.what}",
}
"""Effects outside the windows."""
