"""Two-player games defined by files."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.games.game import Chances, Commands, Form, Game, Help, OddsCard, Question, Words, read_fields
from bot.odds import duels as odds
from bot.render import duels as cards
from bot.rules import duels as rules
from bot.rules.duels import physical_dice, typed
from bot.rules.duels.rows import DUELS, DuelGame
from bot.rules.errors import BadInputError, Example, UnknownWordError, fact_sentence, with_field_names
from bot.rules.game import FREE, Field, Option, Side, Variant
from bot.rules.text import N_, Code, Text, term

OWN: Final = "duel "
"""Prefix of the kinds of server files; the game's key follows."""
EXAMPLES: Final = tuple(
    (Code(f"/duel attack line:{duel.key} {line}"), term(means))
    for duel in DUELS.values()
    for line, means in duel.examples
)


def words_of(duel: DuelGame) -> tuple[Text, Text]:
    """The words of a game, as its help page lists them."""
    asked = {(row.side, row.asks): row.sample for row in reversed(duel.numbers)}  # of rows alike the first one
    sides = ((side, [words for (by, _), words in reversed(asked.items()) if by is side]) for side in Side)
    attacker, defender = (Code(", ".join(f"`{word}`" for word in words)) for _, words in sides)
    message = N_("the attacker: {attacker}; the defender: {defender}")
    return Text("{game}", game=duel.title), Text(message, attacker=attacker, defender=defender)


def own_file(words: Mapping[str, object]) -> str:
    """Return the kind of the server file for a declaration's words; "" for none."""
    key = rules.own_key(words)
    return f"{OWN}{key}" if key else ""


# Field keys on the odds page begin with the game's key, so that another game starts with its example.

FIRST: Final = DUELS["legion"]
BOTH: Final = Text("Both sides, in its words")
CHOICE: Final = Field("game", Text("Game"), options=tuple(Option(duel.key, duel.title) for duel in DUELS.values()))


def game_and_fields(ask: Words) -> tuple[DuelGame, Words]:
    """Return the game of some fields, and their values; without any, the game's example."""
    duel = DUELS.get(ask.get("game", ""), FIRST)
    if any(key.startswith(f"{duel.key}-") for key in ask):
        return duel, ask
    return duel, of_declared(rules.declare({"game": duel.key, "line": duel.examples[0][0]}))[0]


def fields_of(_: Words, ask: Words) -> tuple[Field, ...]:
    duel, given = game_and_fields(ask)
    shown = (replace(item, value=given.get(item.key, "")) for item in typed.fields(duel, f"{duel.key}-"))
    return replace(CHOICE, value=duel.key), *shown


def of_fields(ask: Words) -> rules.Declared:
    """Return the page's fields as a duel. Raises ``PlayerError``."""
    duel, given = game_and_fields(ask)
    of = f"{duel.key}-"
    try:
        return rules.declare(typed.as_words({**given, "game": duel.key}, of))
    except (BadInputError, UnknownWordError) as error:
        side = typed.side_of(error, given, of)
        if isinstance(error, UnknownWordError):  # the page has no help pages
            known = replace(typed.known_words(duel), sentence=fact_sentence(Example(typed.example(duel))))
            error = UnknownWordError("line", error.word, known)
        raise with_field_names(error, {"line": typed.SIDES[side][0] if side else BOTH}) from None


def of_declared(declared: rules.Declared) -> Question:
    """Return a duel as the page's fields; () for a server's own game."""
    found = read_fields(typed.as_fields(declared.duel, declared.values, f"{declared.game}-"))
    return () if declared.file else ({"game": declared.game, **found},)


GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=Chances(
        card=OddsCard(odds.count, cards.odds_card, asked=of_declared),
        luck=odds.luck,
        stake=odds.stake,
        results=odds.roll_results,
        advice=odds,
        moves=odds.moves,
    ),
    help=Help(worked_examples=EXAMPLES[:6:2], notes=tuple(map(words_of, DUELS.values()))),
    commands=Commands(slash="duel", terminal="duel", rolls=("attack",), text_word="line", own_file=own_file),
    form=Form(
        title=rules.TITLE,
        asked=fields_of({}, {}),
        cards=lambda _, asks: [cards.odds_card(odds.count(of_fields(ask))) for ask in asks],
        declare=lambda _, ask: of_fields(ask),
        value=lambda state: state.result,
        most=3,
        fields=fields_of,
        example=game_and_fields({})[1],
    ),
    variants=(
        Variant(
            word="game",
            title=Text("Game of duels"),
            values={FREE: Text("Any game"), **{key: duel.title for key, duel in DUELS.items()}},
            built_in=FREE,
        ),
    ),
    not_secret=rules.not_secret,
    by_hand_words=("camera",),
    name_face=lambda state, face: physical_dice.face_name(state.declared.duel, face),
    is_general=True,
    samples=tuple({"game": duel.key, "line": line} for duel in DUELS.values() for line, _ in duel.examples),
)
