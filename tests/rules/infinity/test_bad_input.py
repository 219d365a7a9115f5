"""What people do that is out of order in a turn: one sentence, nothing spent twice, nothing lost, and a way on.

What speaks against it by whose turn it is, anybody lets pass with one press; what the rules of a roll refuse, a GM.
"""

from collections.abc import Callable
from typing import Any

import pytest

from bot.render.infinity import card
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, OpenTo, Side
from bot.rules.infinity.orders import play
from bot.rules.infinity.orders.play import offers
from bot.rules.infinity.table import controls, markers
from bot.rules.infinity.troopers.states import ForbiddenByStateError
from bot.rules.infinity.troopers.trooper import with_states
from bot.rules.infinity.turn import phases, player_turn as turns
from tests.rules.infinity.table import ANA, BO, Table
from tests.rules.infinity.test_turn import TROOPERS, begun
from tests.starts import form_of


def spent(table: Table, *, orders: int = 3) -> Table:
    """A table at which no Regular Order is left."""
    for _ in range(orders):
        table.press("plain", "Bea")
    return table


def refused(table: Table, order: dict[str, Any] | str, words: str, kind: type[PlayerError] = PlayerError) -> None:
    """One sentence, and nothing is another than before."""
    before = dict(table.pieces)
    with pytest.raises(kind) as error:
        table.order(order)
    assert words in str(error.value)
    assert table.pieces == before


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("Bea combi at 10 vs Zond", "Group 1 has no order left for Bea."),
        ({"moves": "Bea"}, "Group 1 has no order left for Bea."),
        ("Hector combi at 10 vs Ada", "Hector belongs to the inactive player."),
        ({"moves": "Hector"}, "Hector belongs to the inactive player."),
        ("Cas discover at 10 vs CAMO 9", "There is no marker CAMO 9 on the table."),
    ],
)
def test_what_is_out_of_order_waits_for_one_press_of_anybody(order: dict[str, Any] | str, sentence: str) -> None:
    table = spent(begun(*[15] * 9))
    stood = table.turn
    table.order(order)
    assert table.state is not None
    assert str(card(table.state, {}).outcome) == sentence
    anyway, withdraw = offers(table.state)
    assert (str(anyway.label), anyway.may) == ("Roll out of order", OpenTo.ANYBODY)
    assert (table.turn, table.fallen()) == (stood, 0)
    waits = (dict(table.pieces), table.state)
    table.take(withdraw.key)
    assert (table.turn, table.offered()) == (stood, {})
    table.pieces, table.state = waits
    table.take(anyway.key)
    assert "anyway" not in table.offered()
    own = "Cas" in str(order)  # an Irregular Order of its own was left
    assert sum(pool.left for pool in table.turn.pools) == 0
    assert len(table.turn.irregular) == len(stood.irregular) - own
    assert table.turn.lieutenant == stood.lieutenant


def test_an_order_without_dice_when_none_is_left_says_so_in_its_form_and_goes_on() -> None:
    table = spent(begun())
    assert str(form_of(table.offer("plain", "Bea")).title) == "Bea: out of order"
    told = table.press("plain", "Bea", what="fires")
    assert told == "puts Bea in Suppressive Fire (no order)"
    assert table.states("Bea") == ("Suppressive Fire",)
    assert sum(pool.left for pool in table.turn.pools) == 0


@pytest.mark.parametrize(
    ("state", "order", "sentence"),
    [
        ("Dead", "Ada combi at 10 vs Zond", "Ada is Dead and can't act"),
        ("Dead", "Bea combi at 10 vs Ada", "Ada is Dead: it can't act or be targeted"),
        ("Unconscious", "Ada combi at 10 vs Zond", "Ada is Unconscious and can't act"),
        ("Undeployed", "Bea combi at 10 vs Ada", "Ada isn't on the table, so it can't be targeted"),
        ("Stunned", "Ada combi at 10 vs Zond", "Ada is Stunned and can't declare BS Attack"),
        ("Isolated", "Ninja carbonite vs Ada", "Ada"),
    ],
)
def test_what_the_rules_of_a_roll_refuse_is_for_a_gm(state: str, order: str, sentence: str) -> None:
    table = begun(*[15] * 9)
    table.pieces["Ada"] = with_states(table.trooper("Ada"), (state,))
    refused(table, order, sentence, ForbiddenByStateError)
    before, versus, after = order.partition(" vs ")
    table.order(f"{before} anyway{versus}{after}")
    assert table.state is not None
    assert play.count_forced(table.state) == 1


def test_the_dead_do_not_move_either() -> None:
    table = begun()
    table.pieces["Ada"] = with_states(table.trooper("Ada"), ("Dead",))
    refused(table, {"moves": "Ada"}, "Ada is Dead and can't act")
    assert [
        offer.key
        for offer in __import__("bot.rules.infinity.table.controls", fromlist=["x"]).offers(table.pieces, "Ada")
    ] == ["state"]


@pytest.mark.parametrize("words", [{"moves": "Foo"}, {"acts": "Foo", "form": {"target": "Zond"}}])
def test_who_is_no_trooper_of_the_channel_is_asked_for(words: dict[str, Any]) -> None:
    refused(begun(), words, "`name` was `Foo`. Use a trooper in this channel: `Ada`")


def test_of_two_turns_begun_at_once_the_first_counts() -> None:
    table = Table(TROOPERS)
    stood = dict(table.pieces)
    table.press("start")
    with pytest.raises(PlayerError, match=r"A turn is already running. End it first"):
        phases.start(table.pieces, BO)
    with pytest.raises(PlayerError, match="A turn is already running"):
        phases.start(table.pieces, ANA)
    assert table.turn.active == ANA
    assert table.offer("end").key == "end", "the press that goes on"
    assert stood.keys() | {"*turn*"} == table.pieces.keys()


def test_a_turn_that_nobody_began_has_no_command_tokens_and_says_what_to_press() -> None:
    presses: tuple[Callable[[], object], ...] = (
        lambda: phases.end_turn(Table(TROOPERS).pieces),
        lambda: turns.spend_token(Table(TROOPERS).pieces, ANA, turns.TokenUse.OTHER),
        lambda: controls.choose(Table(TROOPERS).pieces, controls.MATCH, Choice("paid-tactical"), int, ANA),
    )
    for press in presses:
        with pytest.raises(PlayerError, match=r"No turn has started. Press Start turn on the board first"):
            press()


def test_a_marker_that_is_nobodys_cannot_be_anybody() -> None:
    table = begun()
    asked = markers.plan_form(table.pieces, ANA, "camo -3 1-2")
    with pytest.raises(PlayerError, match=r"CAMO 9 isn't one of your markers. Ask for markers with `/infinity marker`"):
        markers.check(table.pieces, ANA, asked, "CAMO 9", "Bea")
    with pytest.raises(PlayerError, match=r"Only your own troopers can be under CAMO 1\. Pick one from its list"):
        markers.check(table.pieces, ANA, asked, "CAMO 1", "Hector")


def test_a_late_aro_is_for_both_or_a_gm_and_stands_on_the_card() -> None:
    table = begun(9, 19, 19, 11)
    table.press("order", "Bea", target="Hector", weapon="Combi", at="8-16")
    table.take("roll")
    table.take("late", who="Hector", does="dodge")
    assert table.state is not None
    answers = [(offer.key, offer.side, offer.may) for offer in offers(table.state) if offer.key in ("allow", "refuse")]
    assert answers == [("allow", Side.ATTACKER, OpenTo.SEAT), ("refuse", Side.ATTACKER, OpenTo.SEAT)]
    stood = table.turn
    table.take("allow")
    assert table.turn == stood, "it costs no second order"
    assert "late ARO, allowed: Hector" in str(card(table.state, {}).below)
