"""Games of two people that are files."""

from collections.abc import Mapping
from typing import Final

from bot.games.game import Chances, Commands, Game, Help, OddsCard
from bot.odds import duels as odds
from bot.render import duels as cards
from bot.rules import duels as rules
from bot.rules.duels.rows import DUELS, DuelGame
from bot.rules.game import FREE, Side, Variant
from bot.rules.text import N_, Code, Text, term

OWN: Final = "duel "
"""Kinds of the files that servers keep begin so, and end with the key of the game."""
EXAMPLES: Final = tuple(
    (Code(f"/duel attack line:{duel.key} {line}"), term(means))
    for duel in DUELS.values()
    for line, means in duel.examples
)


def words_of(duel: DuelGame) -> tuple[Text, Text]:
    """The words of a game, as its help page lists them."""
    sides = ((side, [row.sample for row in duel.numbers if row.side is side]) for side in Side)
    attacker, defender = (Code(", ".join(f"`{word}`" for word in words)) for _, words in sides)
    message = N_("the attacker: {attacker}; the defender: {defender}")
    return Text("{game}", game=duel.title), Text(message, attacker=attacker, defender=defender)


def own_file(words: Mapping[str, object]) -> str:
    """The kind of a server's file that words ask for; "" for none."""
    key = rules.own_key(words)
    return f"{OWN}{key}" if key else ""


GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=Chances(
        card=OddsCard(odds.count, cards.odds_card),
        luck=odds.luck,
        stake=odds.stake,
        results=odds.roll_results,
        advice=odds,
        moves=odds.moves,
    ),
    help=Help(worked_examples=EXAMPLES[:6:2], notes=tuple(map(words_of, DUELS.values()))),
    commands=Commands(slash="duel", terminal="duel", rolls=("attack",), text_word="line", own_file=own_file),
    variants=(
        Variant(
            word="game",
            title=Text("Game of duels"),
            values={FREE: Text("Any game"), **{key: duel.title for key, duel in DUELS.items()}},
            built_in=FREE,
        ),
    ),
    not_secret=rules.not_secret,
    is_general=True,
    samples=tuple({"game": duel.key, "line": line} for duel in DUELS.values() for line, _ in duel.examples),
)
