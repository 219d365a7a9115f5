"""Any dice on a card: what one person rolled, or what several were asked for, their totals side by side."""

from bot.render import anydice, text
from bot.render.anydice import end_of, hidden, label_of, limited, result, tiles_of, trail
from bot.render.card import Card, People, Strip
from bot.rules.anydice import State, offers
from bot.rules.anydice.asked import Ask, Asking
from bot.rules.anydice.play import Row
from bot.rules.game import Side
from bot.rules.text import EMPTY, Code, Name, Names, Sentences, Shown, Text, beside, ended, labelled


def card(state: State, names: People) -> Card:
    """The card of a roll, or of a request as it stands."""
    if not isinstance(state, Asking):
        return anydice.card(state, names)
    asker = names.get(Side.ATTACKER, Text("Somebody"))
    rows = [(name_of(number, asker), row) for number, row in state.rows]
    shown = limited([strip(name, row) for name, row in rows])
    came = outcome(state, asker)
    label = state.declared.label
    cut = hidden([pool for _, row in rows for pool in row.dice])
    return Card(
        title=Text("Any dice · {dice_of}", dice_of=Code(dice_of(state.declared))),
        outcome=labelled(Name(label), came) if label else came,
        strips=shown,
        turn=turn(state),
        trail=tuple(Sentences([name, line], ", ") for name, row in rows for line in trail([row])),
        small=cut,
        below=cut,
        alt=Sentences([ended(text.strips(shown)), came]) if shown else EMPTY,
        ahead="open" if offers(state) else "nobody",
    )


def dice_of(declared: Ask) -> str:
    """The dice that people are asked for, with a sign that they add something."""
    understood = declared.expression.understood
    return f"{understood}+…" if declared.asks_bonus else understood


def name_of(number: int, asker: Shown) -> Shown:
    """A person by number, as declarations name them; whoever draws the card puts names in their place."""
    return Code(f"@{number}") if number else asker


def outcome(state: Asking, asker: Shown) -> Text:
    """Who rolled what so far, in one sentence that can be read aloud."""
    if state.given:
        results = [beside(name_of(number, asker), result(row)) for number, row in state.rows]
        return ended(Names(results))
    dice, people = dice_of(state.declared), [f"@{one.number}" for one in state.declared.people]
    if state.closed:
        return Text("{asker} closes the request; nobody rolled.", asker=asker)
    if not people:
        return Text("{asker} asks everybody for {dice}.", asker=asker, dice=Code(dice))
    return Text("{asker} asks {people} for {dice}.", asker=asker, people=Names(people), dice=Code(dice))


def turn(state: Asking) -> Shown:
    """Who has not rolled yet."""
    if not offers(state):
        return EMPTY
    if not state.declared.people:
        return Text("Anybody here, press Roll. Everybody rolls once.")
    return Text("Not rolled yet: {people}.", people=Names([f"@{one.number}" for one in state.missing]))


def strip(name: Shown, row: Row) -> Strip:
    """What one of them rolled, with the total at the end."""
    tiles = [tile for pool, rolled, _ in row.values for tile in tiles_of(row, pool, rolled)]
    pools = row.line.pools
    label = label_of(pools[0]) if str(row.line.tree) == str(pools[0]) else row.line.notation
    return Strip(labelled(name, label), (*tiles, end_of(row)))
