"""The way from a card of odds to the same question on the static page, where a host has put one up."""

import json
from collections.abc import Sequence
from urllib.parse import quote

from bot.client import Interaction
from bot.games import GAMES
from bot.rules.text import Text
from bot.ui.components import URL_MOST, Component, link_to


def buttons(interaction: Interaction, key: str, question: Sequence[object]) -> list[Component]:
    """The link; none where there is no page, where it cannot ask this, or where the address would be too long."""
    page, game = interaction.client.site_url, GAMES[key]
    asks = game.odds_answer.asked(*question) if page and game.odds_answer.asked is not None else ()
    if not asks:
        return []
    held = {"game": game.commands.terminal or key, "shared": {}, "asks": asks}
    url = f"{page}#{quote(json.dumps(held, ensure_ascii=False, separators=(',', ':')))}"
    return [link_to(Text("On the page of odds"), url)] if len(url) <= URL_MOST else []
