"""The games of the page, by their names in the terminal; those that ask for no pieces have their forms here."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games import albion, anydice, by_terminal, warsurge
from bot.odds.albion import count as count_action
from bot.odds.anydice import count as count_dice
from bot.odds.warsurge import count as count_attacks
from bot.render.albion import odds_card as action_card
from bot.render.anydice import odds_card as dice_card
from bot.render.card import Card
from bot.render.warsurge import odds_card as attack_card
from bot.rules.game import Field, Option
from bot.rules.text import Code, Text
from bot.rules.warsurge.methods import Method
from bot.site import infinity, xwing
from bot.site.forms import Form, Words, number, numbers, tick


def of_albion(_: Words, asks: Sequence[Words]) -> list[Card]:
    """A card for each choice: whether an action hits, and whether it hits a focus point."""
    found = []
    for one in asks:
        target = numbers(one, "agility", "stealth") | {"dodging": bool(one.get("dodging"))}
        raw = {"target": target, "attacker": numbers(one, "awareness", "strength")}
        found.append(action_card(count_action(albion.GAME.rules.declare(raw))))
    return found


ALBION: Final = Form(
    title=Text("Albion"),
    asked=(
        number("awareness", Text("Your Awareness"), 12),
        number("strength", Text("Your Strength"), 12),
        number("agility", Text("The target's Agility"), 12),
        number("stealth", Text("The target's Stealth"), 12),
        tick("dodging", Text("The target dodges")),
    ),
    cards=of_albion,
    most=3,
    example={"awareness": "3", "strength": "3", "agility": "4", "stealth": "3"},
)


def of_warsurge(_: Words, asks: Sequence[Words]) -> list[Card]:
    """A card for each choice: one attack by any of the three methods."""
    found = []
    for one in asks:
        values = numbers(one, "power", "defence", "attack_dice", "save", "ap")
        declared = warsurge.GAME.rules.declare({"method": one.get("method", Method.CASUAL), **values})
        found.append(attack_card(count_attacks([declared])))
    return found


WARSURGE: Final = Form(
    title=Text("WARSURGE"),
    asked=(
        number("power", Text("Power"), 20),
        number("defence", Text("Defence"), 20),
        number("attack_dice", Text("Attack dice"), 20, 1),
        Field("method", Text("Method"), options=tuple(Option(one, one.label) for one in Method)),
        number("save", Text("Armour save, or better"), 6, 2),
        number("ap", Text("AP"), 6),
    ),
    cards=of_warsurge,
    most=3,
    example={"power": "7", "defence": "4", "attack_dice": "3", "method": Method.CASUAL},
)


def of_anydice(_: Words, asks: Sequence[Words]) -> list[Card]:
    """A card for each choice, by the notation of ``/roll``."""
    return [dice_card(count_dice(anydice.GAME.rules.declare({"dice": one.get("dice", "")}))) for one in asks]


ANYDICE: Final = Form(
    title=Text("Any dice"),
    asked=(Field("dice", Text("Dice"), Code("4d6kh3"), longest=200),),
    cards=of_anydice,
    most=3,
    example={"dice": "4d6kh3"},
)

EVERY: Final = {
    "xwing": xwing.FORM,
    "infinity": infinity.FORM,
    "warsurge": WARSURGE,
    "albion": ALBION,
    "anydice": ANYDICE,
}
NAMES: Final = {game.key: name for name, game in by_terminal().items()}
FORMS: Final[Mapping[str, Form]] = {NAMES[key]: form for key, form in EVERY.items()}
