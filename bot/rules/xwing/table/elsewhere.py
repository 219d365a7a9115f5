"""What cards do outside attacks: at the start of the Engagement Phase, before a ship engages, at any other moment.

The press is the claim; what it costs is paid with it. Bonus attacks of such moments are ticked in the form of an
attack.

Source: rules page, X-Wing cards, section 1 (elsewhere).
"""

from collections.abc import Iterator
from typing import Final

from bot.rules.errors import PlayerError
from bot.rules.game import Option, Side
from bot.rules.text import Shown, Text
from bot.rules.xwing.cards import bonus
from bot.rules.xwing.cards.card_rows import rows_of
from bot.rules.xwing.cards.effects import needs_claim
from bot.rules.xwing.cards.facts import Facts, Fighter, Reader
from bot.rules.xwing.cards.rows import Asks, Row
from bot.rules.xwing.dice.costs import asked
from bot.rules.xwing.dice.declared import When
from bot.rules.xwing.dice.deeds import Gain, Recover, Told, all_said
from bot.rules.xwing.table import rights
from bot.rules.xwing.table.dues import one_paid
from bot.rules.xwing.table.hurt import gains
from bot.rules.xwing.table.match import Match
from bot.rules.xwing.table.pieces import fighter
from bot.rules.xwing.table.ship import Ship

CARD: Final = "card-"
"""Begins the value of an option; the key of the row follows."""
RIGHT: Final = "right:"
"""Begins the tick of a bonus attack; the key of the row follows."""


def rows(ship: Ship, match: Match | None) -> Iterator[Row]:
    """The rows of a ship that act outside attacks, as far as what the bot knows holds, and it can pay."""
    me = fighter(ship, None)
    reader = Reader(Facts(fighters={Side.ATTACKER: Fighter(), Side.DEFENDER: me}), Side.DEFENDER, me)
    for card in ship.card.cards:
        for row in rows_of(card, ship.card.pool):
            holds = row.when is When.ELSEWHERE and needs_claim(row) and is_in_time(row, ship, match)
            if holds and reader.read(row).holds and not rights.lacks(ship, row, ""):
                yield row


def is_in_time(row: Row, ship: Ship, match: Match | None) -> bool:
    """Whether its moment may be now: the phase begins when the first ship engages, at the latest."""
    if row.ask.asks is Asks.START:
        return match is None or match.initiative is None
    return not (row.ask.asks is Asks.BEFORE and ship.engaged)


def options(ship: Ship, match: Match | None) -> list[Option]:
    """What the cards of a ship can do now, to pick from; the press claims what its detail says."""
    return [
        Option(
            f"{CARD}{bonus.key_of(row)}",
            Text("{card}: {does}", card=rights.name_of(ship, row), does=does(row)),
            ask(row),
        )
        for row in rows(ship, match)
        if not bonus.gives(row)
    ]


def right_options(ship: Ship, match: Match | None) -> list[Option]:
    """The bonus attacks that its cards allow at other moments, to tick in the form of an attack."""
    return [
        Option(f"{RIGHT}{bonus.key_of(row)}", Text("Bonus attack: {card}", card=rights.name_of(ship, row)), ask(row))
        for row in rows(ship, match)
        if bonus.gives(row)
    ]


def ask(row: Row) -> Shown:
    """What the press claims and costs."""
    paid, question = asked(row.cost), Text(row.ask.text)
    return Text("{ask}; for {costs}", ask=question, costs=paid) if paid else question


def does(row: Row) -> Text:
    return all_said(row.deeds)


def use(ship: Ship, value: str) -> tuple[Ship, Text]:
    """The ship after one of its cards was used, and what happened. Raises ``PlayerError`` for one that cannot be."""
    key = value.removeprefix(CARD)
    row = next((one for one in rows(ship, None) if bonus.key_of(one) == key and not bonus.gives(one)), None)
    if row is None:
        raise PlayerError(Text("{ship} cannot use this card now. Look at its cards.", ship=ship.name))
    ship = rights.paid(ship, row, "")
    for deed in row.deeds:
        if isinstance(deed, Gain):
            ship = gains(ship, deed.token, deed.count)
        elif isinstance(deed, Recover):
            ship = one_paid(ship, *deed.dues(Told(own=ship.name, card=row.card)))
    said = Text("uses {card} of {ship}: {does}", card=rights.name_of(ship, row), ship=ship.name, does=does(row))
    return ship, said
