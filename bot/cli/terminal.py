"""`roll`, `odds` and `squad`: JSON in, readable text or JSON out."""

import json
import re
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from bot.games import by_terminal
from bot.render import plain_text
from bot.render.xwing.squad import squad_json, squad_text
from bot.rules import dice, json_reader
from bot.rules.errors import AllowedWords, AmbiguousTextError, AtMost, BadInputError, PlayerError, UnknownWordError
from bot.rules.game import AfterOffer, Choice
from bot.rules.text import N_, Code, Shown, Text, english
from bot.rules.xwing.cards.card_sets import SHELF, CardSet
from bot.rules.xwing.table import squad

Answered = tuple[Mapping[str, object], str]
"""A result as JSON words, and as lines for people."""

COUNTS: Final = ("dice",)
"""Named groups of plain numbers, not chances."""
PERSON: Final = re.compile(r"(?<![\w])@[^\W\d]\w*")
SLASH_COMMAND: Final = re.compile(r"`/(xwing|infinity|warsurge|albion|contest|duel)(?: \w+)?`")
MAX_INPUT: Final = 4_000_000


def roll(key: str, raw: Mapping[str, object], rng: dice.Rng) -> Answered:
    """Roll or resolve a declaration without modifications: every open window is closed."""
    game = by_terminal()[key]
    rules = game.rules
    state = rules.start(rules.declare(raw), rng)
    while closing := next((offer for offer in rules.offers(state) if offer.then is AfterOffer.CLOSES), None):
        state = rules.choose(state, Choice(closing.key), rng)
    return rules.outcome(state), plain_text.card(game.card(state, {}))


def odds(key: str, raw: Mapping[str, object]) -> Answered:
    game = by_terminal()[key]
    numbers = game.odds(game.rules.declare(raw))
    return numbers, odds_text(Text("{game}: exact odds", game=game.title), numbers)


def odds_text(title: Shown, numbers: Mapping[str, object]) -> str:
    """Format named numbers, then each distribution as bars; counts are shares of ``total``."""
    total, distributions, plain = numbers.get("total"), dict[str, Mapping[object, object]](), dict[str, object]()
    for name, value in numbers.items():
        if isinstance(value, Mapping) and name in COUNTS:
            plain[name] = ", ".join(f"{count} {what}" for what, count in value.items())
        elif isinstance(value, Mapping) and any(isinstance(item, Mapping) for item in value.values()):
            distributions |= {f"{name} {what}": item.get("distribution", item) for what, item in value.items()}
        elif isinstance(value, Mapping):
            distributions[name] = value
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            plain |= {name: ", ".join(value)} if value else {}
        elif value is not None:
            plain[name] = value
    drawn = []
    for name, distribution in distributions.items():
        shares = [(Code(label), share(chance, total)) for label, chance in distribution.items()]
        drawn.append(plain_text.bars(Code(f"{name.replace('_', ' ')}:"), shares, write=plain_text.exact_percent))
    return "\n".join(map(english, [title, plain_text.pairs(plain), *drawn]))


def share(value: object, total: object) -> Fraction:
    return Fraction(value, total) if isinstance(value, int) and isinstance(total, int) else Fraction(str(value))


def sample(key: str) -> Code:
    return Code(json.dumps(by_terminal()[key].samples[0]))


def read(given: str | None, key: str) -> object:
    """Read a declaration from the argument (plain text too, for dice) or standard input. Raises ``BadInputError``."""
    takes_text, example = by_terminal()[key].commands.text_word, sample(key)
    how = Text("Give a declaration as an argument or on standard input, for example '{example}'.", example=example)
    typed = text_of(given, "JSON", how)
    try:
        return json_reader.parse_json(typed)
    except json.JSONDecodeError as error:
        if takes_text and given is not None and typed.strip()[:1] not in ("", "[", "{", '"'):
            return typed
        near = typed[max(0, error.pos - 10) : error.pos + 10]
        message = N_("Use valid JSON like {example}; line {lineno}, column {colno}: {msg}.")
        why = Text(message, example=example, lineno=error.lineno, colno=error.colno, msg=Code(error.msg))
        raise BadInputError("JSON", near, why) from error
    except (ValueError, RecursionError) as error:
        raise BadInputError("JSON", typed, Text("Use plain values only ({error}).", error=error)) from error


def text_of(given: str | None, field: str, wanted: Text, most: int = MAX_INPUT) -> str:
    """Return the argument, else standard input. Raises ``BadInputError`` if that is a keyboard, or empty."""
    if given is None and sys.stdin.isatty():
        raise BadInputError(field, "", wanted)
    try:
        typed = sys.stdin.read(most + 1) if given is None else given
    except UnicodeDecodeError as error:
        raise BadInputError(field, error.object[error.start : error.end], Text("Use text in UTF-8.")) from error
    if len(typed) > most:
        raise BadInputError(field, f"{len(typed)} characters", AtMost(most))
    return typed


def squads(given: str | None, *, as_json: bool, card_set: str | None = None) -> str:
    """Return the output for squads in an XWS text, with the named card set. Raises ``PlayerError``."""
    sets = [] if card_set is None else [named_set(card_set)]
    typed = text_of(given, "squad", Text("Give XWS as an argument or on standard input."), squad.MAX_TEXT)
    result = squad.parse(typed, sets)
    if not as_json:
        return "\n\n".join(squad_text(item) for item in result)
    words = [squad_json(item) for item in result]
    return json.dumps(words if len(words) > 1 else words[0], ensure_ascii=False)


def named_set(name: str) -> CardSet:
    """Return the card set of a key, or of a key and a date. Raises ``UnknownWordError``."""
    card_set = SHELF.find(name)
    if card_set is None:
        keys = SHELF.set_keys()
        allowed = Text("Use one of the card sets {keys}.", keys=Code(", ".join(keys)))
        raise UnknownWordError("set", name, AllowedWords(tuple(keys), allowed))
    return card_set


def answer(
    raw: object, resolve: Callable[[Mapping[str, object]], Answered], key: str, *, as_json: bool
) -> tuple[str, bool]:
    """Return the output for one declaration or a list of them, and whether all succeeded."""
    cases, word = raw if isinstance(raw, list) else [raw], by_terminal()[key].commands.text_word
    results = [
        resolve_or_explain({word: case} if word and isinstance(case, str) else case, resolve, key) for case in cases
    ]
    words = [item for item, _ in results]
    if as_json:
        printed = json.dumps(words if isinstance(raw, list) else words[0], ensure_ascii=False)
    else:
        printed = "\n\n".join(lines for _, lines in results)
    return printed, isinstance(raw, list) or "error" not in words[0]


def number_people(raw: Mapping[str, object]) -> Mapping[str, object]:
    """Replace people named in a declaration's texts (``@Bo``) by ``@1``, ``@2``."""
    numbers: dict[str, str] = {}

    def number(name: re.Match[str]) -> str:
        return numbers.setdefault(name[0].lower(), f"@{len(numbers) + 1}")

    return {key: PERSON.sub(number, text) if isinstance(text, str) else text for key, text in raw.items()}


def resolve_or_explain(raw: object, resolve: Callable[[Mapping[str, object]], Answered], key: str) -> Answered:
    """Return the result, or an error sentence about the declaration."""
    try:
        if not isinstance(raw, Mapping):
            raise BadInputError("declaration", raw, Text("Use a JSON object like {example}.", example=sample(key)))
        return resolve(number_people(raw) if by_terminal()[key].commands.text_word else raw)
    except AmbiguousTextError as error:
        return {"error": str(error), "choices": list(error.choices)}, str(error)
    except PlayerError as error:
        said = SLASH_COMMAND.sub(r"`python -m bot roll \1`", str(error))
        return {"error": said}, said
