"""What cards do outside attacks: at the start of a phase, before a ship engages, at any other moment.

The press is the claim; what it costs is paid with it. Bonus attacks of such moments are ticked in the form of an
attack. Without a match nobody knows phases, so their starts are like any other moment.

Source: rules page, X-Wing cards, section 1 (elsewhere) and The start of a phase.
"""

from binascii import crc32
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.rules.errors import PlayerError
from bot.rules.game import Offer, Option, Side
from bot.rules.pieces import Done
from bot.rules.text import EMPTY, Sentences, Shown, Text, bracketed, labelled, term
from bot.rules.xwing.cards import bonus
from bot.rules.xwing.cards.rows import Asks, Row
from bot.rules.xwing.dice.costs import asked
from bot.rules.xwing.dice.deeds import Gain, Recover, Told, all_said
from bot.rules.xwing.table import rights
from bot.rules.xwing.table.carried import name_of, rows_outside
from bot.rules.xwing.table.dues import one_paid
from bot.rules.xwing.table.hurt import gains
from bot.rules.xwing.table.match import MATCH, Match, Phase, Table, match_of, ships_of, starts, use_of
from bot.rules.xwing.table.ship import Ship

CARD: Final = "card-"
"""Begins the value of an option; the key of the row follows."""
RIGHT: Final = "right:"
"""Begins the tick of a bonus attack; the key of the row follows."""
START: Final = "start-"
"""Begins the key of what a card does at the start of a phase."""
DONE: Final = "start-done"
"""Ends it for a player."""


def rows(ship: Ship, match: Match | None) -> Iterator[Row]:
    """The rows of a ship that may be used now outside attacks, but for those that ``start_offers`` has."""
    for row in rows_outside(ship):
        if match is None or not (row.at or (row.ask.asks is Asks.BEFORE and ship.engaged)):
            yield row


def options(ship: Ship, match: Match | None) -> list[Option]:
    """What the cards of a ship can do now, to pick from; the press claims what its detail says."""
    own = [row for row in rows(ship, match) if not bonus.gives(row)]
    return [
        Option(f"{CARD}{bonus.key_of(row)}", labelled(name_of(ship, row), all_said(row.deeds)), ask(row)) for row in own
    ]


def right_options(ship: Ship, match: Match | None) -> list[Option]:
    """The bonus attacks that its cards allow at other moments, to tick in the form of an attack."""
    own = [(name_of(ship, row), row) for row in rows(ship, match) if bonus.gives(row)]
    return [
        Option(f"{RIGHT}{bonus.key_of(row)}", Text("Bonus attack: {card}", card=name), ask(row)) for name, row in own
    ]


def ask(row: Row) -> Shown:
    """What the press claims and costs, and when."""
    at = Text("at the start of the {phase}", phase=Phase(row.at).named) if row.at else EMPTY
    question, paid = Sentences([at, term(row.ask.text)], ": "), asked(row.cost)
    return Text("{ask}; for {costs}", ask=question, costs=paid) if paid else question


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
    what = all_said(row.deeds)
    return ship, Text("uses {card} of {ship}: {does}", card=name_of(ship, row), ship=ship.name, does=what)


# The start of a phase


def start_offers(table: Table) -> list[Offer]:
    """What cards may do at the start of this phase, for the player who says so now, and that they do no more."""
    open_ = starts(match_of(table), ships_of(table))
    found = [Offer(start_key(ship, row), Side.ATTACKER, said(ship, row), player=ship.owner) for ship, row in open_]
    owner = open_[0][0].owner if open_ else 0
    return [*found, Offer(DONE, Side.ATTACKER, Text("Done"), closes=True, player=owner)] if found else []


def start_key(ship: Ship, row: Row) -> str:
    return f"{START}{crc32(use_of(ship, row).encode()):08x}"


def said(ship: Ship, row: Row) -> Text:
    """``Soontir Fel: gain 1 focus (an enemy ship is in your bullseye arc)``."""
    paid, does = asked(row.cost), all_said(row.deeds)
    claim = Sentences([term(row.ask.text), Text("for {costs}", costs=paid) if paid else EMPTY], "; ")
    return labelled(name_of(ship, row), bracketed(does, claim) if claim else does)


def start(table: Table, offer: str) -> Done:
    """What comes of a press at the start of a phase. Raises ``PlayerError`` for a card that acts there no more."""
    match, open_ = match_of(table), starts(match_of(table), ships_of(table))
    if match is None or not open_:
        raise PlayerError(Text("The start of this phase is over. The board says what is next."))
    if offer == DONE:
        owner = open_[0][0].owner
        done = Text("uses no more cards at the start of the {phase}", phase=match.phase.named)
        return Done({MATCH: replace(match, past=(*match.past, owner))}, done)
    found = next(((ship, row) for ship, row in open_ if start_key(ship, row) == offer), None)
    if found is None:
        raise PlayerError(Text("This card cannot be used now. The board says what is next."))
    ship, row = found
    now, happened = use(ship, bonus.key_of(row))
    return Done({now.name: now, MATCH: replace(match, used=(*match.used, use_of(ship, row)))}, happened)
