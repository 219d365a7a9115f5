"""Who follows what has happened: the one place in which everything subscribes that no answer waits for.

What must be stored with a ply is stored with it (``bot.sessions``); what is only shown follows here. A failure of one
of them is logged and hurts nothing else. Whatever is new and follows a press is a line here, and touches no other file.
What belongs to one game subscribes where the commands of that game are added.
"""

from bot.client import Client
from bot.sessions.request import Stored
from bot.ui import board, board_press, calls, follow, language_offer, log_channel, panel, recap, saved, turns, welcome
from bot.ui.facts import Answered, Commanded, Shown, Stepping


def subscribe(client: Client, *, welcomes: bool) -> None:
    """To be called once, when the app starts. ``welcomes``: whether newcomers are told where to read more."""
    bus = client.bus
    bus.on(Stored, lambda fact: fact.request.stored.append(fact))
    bus.on(Stored, lambda fact: board.BOARD.changed(client, fact.request.place.channel_id))
    bus.on(Stored, lambda fact: turns.LIST.changed(client, fact.request.place.channel_id))
    bus.on(Stored, lambda fact: follow.stored(client, fact))
    bus.on(Stored, lambda fact: client.lost.went_on(fact.request.place.channel_id, fact.request.by.id))
    bus.on(Shown, log_channel.copy)
    bus.on(Shown, calls.follow)
    bus.on(Shown, board_press.follow)
    bus.on(Answered, panel.show_lost_too)
    bus.on(Answered, language_offer.follow)
    bus.on(Stepping, recap.follow)
    bus.on(Stepping, board_press.renew)
    bus.on(Commanded, saved.note)
    if welcomes:
        bus.on(Commanded, welcome.follow)
