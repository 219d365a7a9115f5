"""The message of a roll: every offer on it, and nothing that Discord would refuse, for every game."""

import re
from typing import Any, Final

import discord
import pytest
from hypothesis import given, settings, strategies as st
from simcord.enums import ComponentType

from bot.games import GAMES, Game
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import Field, Option, Side
from bot.rules.text import Text
from bot.rules.xwing.dice.declared import Declared, DiceEffect, LineUp
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.table.ship import launch
from bot.ruleset.ruling import BUILT_IN, allowed_offers
from bot.sessions.request import Person
from bot.sessions.roll import Address, Played
from bot.store.errors import StoreError
from bot.ui.core import components
from bot.ui.core.card_messages import Display, card_message, has_advice, has_how, has_undo
from bot.ui.core.components import MORE, NewRoll
from bot.ui.roll import roll_message
from tests.conftest import Club
from tests.examples import share_of
from tests.starts import every_game, form_of, walk

NAMES = st.sampled_from(("Ana", "*" * 40, "", "\u202e@everyone", "李" * 32))
UNPAINTED: Final = Display(png=b"a picture that nobody looks at")
quickly = settings(max_examples=share_of(25), deadline=None)


def played(state: Any, game: Game, name: str) -> Played:
    """As far on as a roll can be, so that ids are as long as they get."""
    seats = {Side.ATTACKER: Person(1, name), Side.DEFENDER: Person(2, name)}
    return Played(10**18 - 1, 10**9 - 1, game, state, seats)


@every_game
@quickly
@given(data=st.data())
def test_a_walk_is_shown_within_what_discord_takes(game: Game, data: st.DataObject) -> None:
    states = walk(data, game)
    an_embed_is_within_what_discord_takes(game, states, data.draw(NAMES))
    every_offer_is_on_the_message_once(game, states)
    forms_are_within_what_discord_takes(game, states)


def an_embed_is_within_what_discord_takes(game: Game, states: list[Any], name: str) -> None:
    for state in states:
        card = roll_message.roll_card(played(state, game, name))
        shown: discord.Embed = card_message(card, UNPAINTED)["embed"]
        assert len(shown) <= 6000
        assert 0 < len(shown.title or "") <= 256
        assert len(shown.description or "") <= 4096
        assert len(shown.author.name or "") <= 256
        assert len(shown.footer.text or "") <= 2048
        assert len(shown.fields) <= 25
        assert all(0 < len(field.name or "") <= 256 and 0 < len(field.value or "") <= 1024 for field in shown.fields)


def every_offer_is_on_the_message_once(game: Game, states: list[Any]) -> None:
    for state in states:
        now = played(state, game, "Ana")
        rows = roll_message.view(now).to_components()
        items = [item for row in rows for item in row["components"]]
        ids = [item["custom_id"] for item in items]
        choices = [one for one in ids if not one.endswith((":undo", ":how", f":{MORE}")) and ":advice-" not in one]
        lists = [item for item in items if item["custom_id"].endswith(f":{MORE}")]
        seldom = [f"rc1:{now.session}:{now.ply}:{option['value']}" for one in lists for option in one["options"]]
        offered = allowed_offers(BUILT_IN, now.offers)
        assert sorted(choices + seldom) == sorted(f"rc1:{now.session}:{now.ply}:{offer.key}" for offer in offered)
        assert len(ids) - len(choices) - len(lists) <= has_advice(now, BUILT_IN) + has_undo(now) + has_how(now)
        assert len(rows) <= 5
        assert all(len(one) <= 100 for one in ids)
        for item in items:
            check_select(item) if "options" in item else check_button(item)


def test_the_cards_of_a_full_message_are_one_list() -> None:
    """Ten buttons and three selects are all that Discord takes; nine of them leave room for advice and Another card."""
    effects = [
        *(DiceEffect(verb="reroll", pool=Pool.RED, faces=(face,)) for face in (Face.BLANK, Face.FOCUS)),
        *(DiceEffect(verb="change", pool=Pool.RED, faces=(Face.BLANK,), to=face) for face in (Face.HIT, Face.CRIT)),
        *(DiceEffect(verb="add", pool=Pool.RED, to=face) for face in (Face.HIT, Face.CRIT, Face.FOCUS, Face.BLANK)),
    ]
    line = LineUp(dice=2, focus=1, calculate=1, force=1, lock=1, effects=tuple(effects))
    faces = iter((4, 7))  # a focus and a blank
    xwing = GAMES["xwing"]
    now = played(xwing.rules.start(Declared(attack=line, defense=LineUp()), lambda _: next(faces)), xwing, "Ana")
    assert has_advice(now, BUILT_IN)
    rows = roll_message.view(now).to_components()
    assert [len(row["components"]) for row in rows] == [5, 4, 1, 1, 1]
    offered = [item["custom_id"].split(":")[-1] for row in rows for item in row["components"]]
    assert [one for one in offered if not one.startswith("effect-")][-1] == "cards"
    assert {"advice-damage", "another"} <= set(offered)


def check_button(item: dict[str, Any]) -> None:
    assert 0 < len(item["label"]) <= 80
    assert len(item["label"]) < 80 or not item["label"].endswith("…"), "nothing was cut off"


def check_select(item: dict[str, Any]) -> None:
    options = item["options"]
    assert 0 < len(options) <= 25
    assert len({option["value"] for option in options}) == len(options)
    assert all(0 < len(option["label"]) <= 100 for option in options)
    assert 0 <= item["min_values"] <= item["max_values"] <= len(options)
    assert 0 < len(item["placeholder"]) <= 150


def check_options(line: dict[str, Any]) -> None:
    options, most = line["options"], 25 if line["type"] == ComponentType.STRING_SELECT else 10
    assert 0 < len(options) <= most
    assert len({option["value"] for option in options}) == len(options)
    assert all(0 < len(option[key]) <= 100 for option in options for key in ("label", "value"))
    assert all(len(option.get("description") or "") <= 100 for option in options)


FEW = tuple(Option(str(at), Text(f"Option {at}"), Text("detail")) for at in range(3))
MANY = tuple(Option(str(at), Text(f"Option {at}")) for at in range(12))


@pytest.mark.parametrize(
    ("field", "kind", "first"),
    [
        (Field("one", Text("One"), options=FEW, value="1"), ComponentType.RADIO_GROUP, ["1"]),
        (Field("one", Text("One"), options=FEW[:1]), ComponentType.STRING_SELECT, []),
        (Field("one", Text("One"), options=MANY, value="11"), ComponentType.STRING_SELECT, ["11"]),
        (Field("any", Text("Any"), options=FEW, several=True, required=False), ComponentType.CHECKBOX_GROUP, []),
        (Field("any", Text("Any"), options=FEW, several=True, value="0, 2"), ComponentType.CHECKBOX_GROUP, ["0", "2"]),
        (Field("any", Text("Any"), options=MANY, several=True, value="3, 4"), ComponentType.STRING_SELECT, ["3", "4"]),
    ],
)
def test_a_field_with_options_is_picked_from(field: Field, kind: ComponentType, first: list[str]) -> None:
    line = components.modal("A form", NewRoll("infinity"), [field], {}).to_dict()["components"][0]["component"]
    assert line["type"] == kind
    check_options(line)
    assert [option["value"] for option in line["options"] if option.get("default")] == first


def test_what_was_picked_comes_back_as_text() -> None:
    parts = [
        {"custom_id": "one", "type": 21, "value": "1"},
        {"custom_id": "none", "type": 21, "value": None},
        {"custom_id": "any", "type": 22, "values": ["0", "2"]},
        {"custom_id": "nothing", "type": 22, "values": []},
    ]
    result = components.submitted_fields({"components": [{"type": 18, "component": part} for part in parts]})
    assert result == {"one": "1", "none": "", "any": "0, 2", "nothing": ""}


def forms_are_within_what_discord_takes(game: Game, states: list[Any]) -> None:
    for state in states:
        for offer in game.rules.offers(state):
            if not offer.fields:
                continue
            shown = components.modal(
                form_of(offer).title or offer.label, Address(1, 2, offer.key), offer.fields, {}
            ).to_dict()
            assert 0 < len(shown["title"]) <= 45
            assert 0 < len(shown["components"]) <= 5
            for label, field in zip(shown["components"], offer.fields, strict=True):
                assert label["label"] == field.label, "it fits whole"
                line = label["component"]
                if field.options:
                    check_options(line)
                else:
                    assert 0 < line["max_length"] <= 4000
                    assert len(line.get("placeholder") or "") <= 100
                    assert len(line.get("value") or "") <= line["max_length"]


@every_game
@quickly
@given(data=st.data())
def test_no_card_shows_a_name_as_it_was_typed(game: Game, data: st.DataObject) -> None:
    for state in walk(data, game, 4):
        parts = card_message(roll_message.roll_card(played(state, game, "**x**\u202e@everyone")), UNPAINTED)
        shown = parts["embed"].to_dict()
        text = str(shown)
        read_as_markdown = {key: part for key, part in shown.items() if key not in ("footer", "image")}
        assert "**x**" not in re.sub(r"\\\*", "", str(read_as_markdown).replace("\\\\", "\\"))
        assert "\u202e" not in text
        assert "@everyone" not in text


async def test_a_roll_that_is_stored_is_shown_though_its_look_cannot_be_read(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot: Any = club.env.bot
    opened, read, stored = bot.sessions.open, bot.rulesets.ruling, list[Played]()

    async def opening(*given: Any, **named: Any) -> Played:
        stored.append(await opened(*given, **named))
        return stored[-1]

    async def reading(*given: Any) -> Any:
        if stored:
            raise StoreError("the disk is gone")
        return await read(*given)

    monkeypatch.setattr(bot.sessions, "open", opening)
    monkeypatch.setattr(bot.rulesets, "ruling", reading)
    club.dice.red("hit")
    await club.ana.slash(club.channel, "xwing roll", red=1)
    assert "1 hit" in club.outcome


# Declarations that are kept


def test_a_declaration_is_kept_where_no_piece_is_named() -> None:
    game, words = GAMES["xwing"], {"dice": 3, "agility": 2, "with": "focus"}
    first = game.declare(words, {})
    assert game.declare({**words}, {}) is first
    assert game.declare({**words, "dice": 2}, {}) != first
    with pytest.raises(BadInputError):
        game.declare({**words, "dice": True}, {})  # no 1, though Python finds them equal
    lined_up = {"attack": {"dice": 3}, "defense": {"dice": 1}}
    assert game.declare(lined_up, {}) == game.declare(lined_up, {})
    ship, named = {"Luke": launch("Luke", hull=3)}, {"dice": 3, "agility": 2, "attacker": "Luke"}
    assert game.declare(named, ship).attacker == "Luke"
    with pytest.raises(PlayerError):
        game.declare(named, {})
