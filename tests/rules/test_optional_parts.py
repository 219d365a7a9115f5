"""What a game may leave out, it may leave out everywhere: one game, registered with less or with other parts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Final, cast

import pytest
from hypothesis import given, settings, strategies as st

from bot.cli import terminal
from bot.games import GAMES, Game
from bot.games.game import Chances, OddsCard
from bot.odds.distribution import Distribution, exact
from bot.odds.luck import RollLuck, luck_of
from bot.render.card import Card, Strip, Tile
from bot.render.odds import chart, shares
from bot.rules.dice import Rng, Rolled, reroll, roll
from bot.rules.game import Choice, Offer, Rules, Side, find_offer
from bot.rules.json_reader import JsonReader
from bot.rules.text import Shown, Text
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, Played
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.store.database import Database
from bot.ui.core.card_messages import card_message
from bot.ui.roll import roll_message
from tests.examples import share_of
from tests.starts import declarations

ANN: Final = Person(1, "Ann")
HERE: Final = Place(2)
PIPS: Final = (1, 2, 3, 4, 5, 6)
REROLL: Final = Offer("reroll", Side.ATTACKER, Text("Reroll the die"))
ONE_DIE: Final = Distribution(dict.fromkeys(PIPS, 1), 6)


@dataclass(frozen=True, slots=True)
class Declared:
    """Nothing is declared: one die falls."""


@dataclass(frozen=True, slots=True)
class State:
    declared: Declared
    die: Rolled


def declare(raw: Mapping[str, object]) -> Declared:
    JsonReader(raw).check_all_taken()
    return Declared()


def start(declared: Declared, rng: Rng) -> State:
    return State(declared, roll("d6", PIPS, 1, rng)[0])


def offers(state: State) -> tuple[Offer, ...]:
    return () if state.die.was_rerolled else (REROLL,)


def choose(state: State, choice: Choice, rng: Rng) -> State:
    return replace(state, die=reroll(state.die, PIPS, find_offer(offers(state), choice).key, rng))


RULES: Final = cast(
    "Rules",
    SimpleNamespace(
        KEY="onedie",
        TITLE="One die",
        SCHEMA=1,
        State=State,
        declare=declare,
        dice_count=lambda _: 1,
        rolled=lambda state: (state.die,),
        start=start,
        offers=offers,
        choose=choose,
        outcome=lambda state: {"face": state.die.face},
    ),
)


def card(state: State, names: Mapping[Side, Shown]) -> Card:
    tiles = (Tile("d6", str(state.die.face), "stands"),)
    return Card(title=Text("One die"), outcome=Text(f"It shows {state.die.face}."), strips=(Strip(Text("Die"), tiles),))


def odds(declared: Declared) -> Mapping[str, object]:
    return {"mean": exact(ONE_DIE.mean(int)), "faces": {str(face): exact(Fraction(1, 6)) for face in PIPS}}


def draw(faces: Distribution[int]) -> Card:
    return Card(
        title=Text("One die odds"),
        outcome=Text("Average: 3.50."),
        figure=chart([Text("die")], [shares(faces, int)]),
    )


def luck(state: State) -> RollLuck | None:
    return None if offers(state) else luck_of(int(state.die.face), ONE_DIE, "rolls", "the roller")


BARE: Final = Game(rules=RULES, odds=odds, card=card)
WITH_A_CHART: Final = Game(rules=RULES, odds=odds, card=card, chances=Chances(card=OddsCard(lambda _: ONE_DIE, draw)))
WITH_LUCK: Final = Game(rules=RULES, odds=odds, card=card, chances=Chances(luck=luck), samples=({},))
quickly = settings(max_examples=share_of(5), deadline=None)
EACH: Final = {"bare": BARE, "chart": WITH_A_CHART, "luck": WITH_LUCK}


@pytest.fixture(params=list(EACH.values()), ids=list(EACH))
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game:
    """One of the three, registered."""
    item: Game = request.param
    monkeypatch.setitem(GAMES, item.key, item)
    return item


def test_the_terminal_declares_it_from_nothing(game: Game) -> None:
    assert terminal.roll(game.key, {}, lambda _: 3)[0] == {"face": 4}
    assert terminal.odds(game.key, {})[0]["mean"] == "7/2"


async def test_it_is_rolled_shown_pressed_and_told_of(game: Game, file: Path) -> None:
    database = await Database.open(f"sqlite+aiosqlite:///{file}")
    falling = iter((2, 4))
    sessions, tables = Sessions(database, lambda _: next(falling)), Tables(database)
    opened = await sessions.open(Request(ANN, HERE), RollOpening(GAMES[game.key], game.rules.declare({})))
    shown = card_message(roll_message.roll_card(opened, game.luck_of(opened.state)))
    assert shown["embed"].title == "It shows 3."
    buttons = roll_message.view(opened).to_components()[0]["components"]
    assert [button["label"] for button in buttons] == ["Reroll the die", "How?"]
    pressed = await sessions.choose(Request(ANN, HERE), Address(opened.session, 0, "reroll"), Choice("reroll"))
    assert isinstance(pressed, Played)
    shown = card_message(roll_message.roll_card(pressed, game.luck_of(pressed.state)))
    assert shown["embed"].title == "It shows 5."
    assert ("luck: " in str(shown["embed"].footer.text)) == (game is WITH_LUCK)
    assert [entry.game for entry in await tables.history(HERE)] == [game.key, game.key]
    assert not any((await tables.snapshot(HERE)).pieces.values())
    await database.close()


@quickly
@given(data=st.data())
def test_the_laws_try_its_samples(data: st.DataObject) -> None:
    assert data.draw(declarations(WITH_LUCK)) == Declared()


def test_its_odds_have_their_own_chart_or_a_list(game: Game) -> None:
    answer = game.odds_answer
    shown = answer.draw(answer.count(game.rules.declare({})))
    assert shown.title == "One die odds"
    assert (shown.figure is not None) == (game is WITH_A_CHART)
    assert bool(shown.facts) == (game is not WITH_A_CHART)
