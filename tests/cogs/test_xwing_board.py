"""The board as the control panel of a match: what a press does, for whom, on what, and after a restart."""

import json
from dataclasses import replace
from typing import Any

import discord
import pytest
import pytest_asyncio
import simcord
from simcord.enums import ComponentType

from bot.render import table
from bot.rules.game import Offer
from bot.rules.text import EMPTY, Text
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.cards.deck import DAMAGE_CARDS
from bot.rules.xwing.dice.tokens import KINDS
from bot.rules.xwing.table.match import MATCH, Match, Phase
from bot.rules.xwing.table.ship import MAX_SHIPS, from_card, give, room
from bot.runtime.app import App
from bot.sessions.request import Person, Place, Request
from bot.store.tracked_messages import EVERYBODY, MessageKind
from bot.ui.core.board_controls import ControlledGame, name_mark, view
from bot.ui.core.card_messages import embed
from bot.ui.table import board as boards
from tests.cogs import test_seal as seals
from tests.conftest import Club, said
from tests.fair.checkers import by_the_bot, by_the_script

pytestmark = pytest.mark.one_bot

ANA: dict[str, Any] = {
    "faction": "rebelalliance",
    "name": "Red",
    "pilots": [{"id": "lukeskywalker"}, {"id": "bluesquadronescort"}],
}
BO: dict[str, Any] = {
    "faction": "galacticempire",
    "name": "Black",
    "pilots": [{"id": "howlrunner"}, {"id": "academypilot"}],
}

TITLES = list(DAMAGE_CARDS)


@pytest_asyncio.fixture(loop_scope="module")
async def evening(club: Club) -> Club:
    """Ana (first player) has Luke (5) and an escort (2), Bo has Howlrunner (5) and an Academy Pilot (1).

    The board comes by itself with the second squad.
    """
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    return club


def board(club: Club) -> discord.Message:
    """The newest message with the buttons of a board."""
    return next(
        message
        for message in club.channel.history()
        if any((getattr(item, "custom_id", "") or "").startswith("rc1:on:") for item in items(message))
    )


def items(message: discord.Message) -> list[Any]:
    return [item for row in message.components for item in getattr(row, "children", ())]


def labels(club: Club) -> list[str]:
    return [getattr(item, "label", None) or item.placeholder for item in items(board(club))]


def text(club: Club, ship: str) -> str:
    """What the picture says of a ship, in words."""
    return next(line for line in alt(club).splitlines() if line.startswith(f"{ship} ("))


def alt(club: Club) -> str:
    (shown,) = board(club).attachments
    return shown.description or ""


async def select(club: Club, by: simcord.MemberActor, ship: str) -> Any:
    return await by.select(board(club), [name_mark(ship)], custom_id=listed(club, "Select your ship").custom_id)


def listed(club: Club, placeholder: str) -> Any:
    return next(item for item in items(board(club)) if getattr(item, "placeholder", "") == placeholder)


async def more(club: Club, by: simcord.MemberActor, offer: str, **form: str) -> Any:
    """Pick what is seldom done from its list, and fill in the form that opens."""
    shown = await by.select(board(club), [offer], custom_id=listed(club, "More").custom_id)
    if not form:
        return shown
    assert shown.modal is not None
    return await by.submit_modal(shown, filled(shown.modal, form))


def filled(modal: Any, form: dict[str, str]) -> dict[str, Any]:
    lists = [
        line["component"]
        for line in modal["components"]
        if line["component"]["type"] in (ComponentType.STRING_SELECT, ComponentType.CHECKBOX_GROUP)
    ]
    selects = {item["custom_id"] for item in lists}
    return {key: value.split(", ") if key in selects else value for key, value in form.items()}


def acts_for(club: Club) -> str:
    """On which ships presses act, as the board says it."""
    lines = (board(club).embeds[0].description or "").splitlines()
    return next((line for line in lines if "Buttons control" in line), "")


async def press(club: Club, by: simcord.MemberActor, label: str) -> Any:
    return await by.click(board(club), label=label)


@pytest.mark.parametrize("count", [0, 2])
async def test_a_made_up_press_selects_no_number_of_ships_but_one(evening: Club, count: int) -> None:
    picked = [name_mark("Luke Skywalker"), "another"][:count]
    made_up = listed(evening, "Select your ship").custom_id
    refused = await evening.press(evening.ana, made_up, values=picked, on=board(evening))
    assert said(refused).startswith("Select one thing.")


async def to_engagement(club: Club) -> None:
    await more(club, club.ana, "phase")


async def attack(club: Club, by: simcord.MemberActor, **form: str) -> Any:
    shown = await press(club, by, "Attack")
    assert shown.modal is not None
    return await by.submit_modal(shown, filled(shown.modal, form))


async def test_the_board_shows_the_match_and_what_the_next_ship_may_do(evening: Club) -> None:
    assert board(evening).embeds[0].fields == [], "the picture says it"
    assert alt(evening).splitlines() == [
        "Ana · first player:",
        "Luke Skywalker (5), hull 4 of 4, shields 2 of 2, attack 3, agility 2, 2 force.",
        "Blue Squadron Escort (2), hull 4 of 4, shields 2 of 2, attack 3, agility 2.",
        "Bo · second player:",
        "Howlrunner (5), hull 3 of 3, attack 2, agility 3.",
        "Academy Pilot (1), hull 3 of 3, attack 2, agility 3.",
    ]
    assert title(evening) == "Round 1, Planning Phase."
    assert acts_for(evening) == "Buttons control Luke Skywalker (Ana) and Howlrunner (Bo)."
    assert labels(evening) == [
        *("Plan", "Attack", "Tokens and locks", "Focus", "Evade", "Lock", "Undo"),
        *("Select your ship", "More"),
    ]
    blue = [item.label for item in items(board(evening)) if getattr(item, "style", None) is discord.ButtonStyle.primary]
    assert blue == ["Attack"]
    assert [option.label for option in listed(evening, "More").options] == [
        "Play without dials",
        "The other player is first",
        "Objective points",
        "Begin the Engagement Phase",
        "Engage without attacking",
        "Obstacle",
        "Token on another ship",
        "Look at its cards",
        "Tokens, charges, damage",
        "Score and clock",
        "History",
    ]
    await to_engagement(evening)
    assert title(evening) == "Round 1, Engagement Phase."
    assert "Luke Skywalker (5), next to engage" in alt(evening)
    assert labels(evening)[:5] == ["Attack", "Engage without attacking", "Focus", "Evade", "Undo"]


async def test_a_press_changes_the_board_and_sends_nothing_new(evening: Club) -> None:
    before = len(evening.channel.history())
    await press(evening, evening.ana, "Focus")
    assert "focus" in text(evening, "Luke Skywalker")
    shown = await press(evening, evening.ana, "Lock")
    assert shown.modal is not None
    assert shown.modal["title"] == "Luke Skywalker acquires a lock"
    await evening.ana.submit_modal(shown, {"target": "Howlrunner"})
    assert "lock: Howlrunner" in text(evening, "Luke Skywalker")
    await more(evening, evening.ana, "more", change="give-stress")
    assert "stress" in text(evening, "Luke Skywalker")
    assert len(evening.channel.history()) == before


# One board, two players


async def test_a_press_means_the_pressers_own_ship(evening: Club) -> None:
    await select(evening, evening.ana, "Blue Squadron Escort")
    assert acts_for(evening) == "Buttons control Blue Squadron Escort (Ana) and Howlrunner (Bo)."
    await press(evening, evening.bo, "Focus")
    await press(evening, evening.ana, "Evade")
    assert "focus" in text(evening, "Howlrunner")
    assert "evade" in text(evening, "Blue Squadron Escort")
    assert acts_for(evening) == "Buttons control Blue Squadron Escort (Ana) and Howlrunner (Bo).", "each has their own"
    await evening.restart()
    await press(evening, evening.ana, "Focus")
    assert "focus" in text(evening, "Blue Squadron Escort"), (
        "what the board showed counts, not what a process remembers"
    )


async def test_a_gm_without_ships_acts_on_the_ship_that_they_have_selected(
    evening: Club, gm: simcord.MemberActor
) -> None:
    await select(evening, gm, "Academy Pilot")
    await press(evening, gm, "Focus")
    assert "focus" in text(evening, "Academy Pilot")


async def test_with_a_ship_each_nobody_has_to_select(club: Club) -> None:
    item = {"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker"}]}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(item), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps({**BO, "pilots": BO["pilots"][:1]}))
    assert labels(club) == ["Plan", "Attack", "Focus", "Evade", "Lock", "Undo", "More"]
    assert acts_for(club) == ""


async def test_a_bystander_with_a_place_in_the_turn_order_touches_nothing(evening: Club) -> None:
    """Who starts or joins a turn order is a player of the channel, but not of its games."""
    await evening.cleo.slash(evening.channel, "initiative start")
    await evening.cleo.slash(evening.channel, "initiative join", roll="1d20")
    await select(evening, evening.cleo, "Luke Skywalker")
    only = "Only people who play here, or a GM, can do that: Ana or Bo. To join, add pieces of your own."
    assert said(await press(evening, evening.cleo, "Focus")) == only
    assert said(await press(evening, evening.cleo, "Attack")) == only
    assert said(await more(evening, evening.cleo, "phase")) == only
    assert "Planning Phase" in title(evening)
    for command in ("xwing endphase", "xwing attack", "table plan"):
        refused = said(await evening.cleo.slash(evening.channel, command))
        assert refused == only or "nothing to plan" in refused
    assert "Planning Phase" in title(evening)


async def test_a_bystander_is_refused_before_a_form_of_others_ships(evening: Club, gm: simcord.MemberActor) -> None:
    only = "Only people who play here, or a GM, can do that: Ana or Bo. To join, add pieces of your own."
    assert said(await evening.cleo.slash(evening.channel, "xwing attack")) == only
    assert (await gm.slash(evening.channel, "xwing attack")).modal is not None
    assert (await evening.cleo.slash(evening.channel, "xwing odds")).modal is not None, "odds are anybody's"


async def test_your_attack_can_be_canceled(evening: Club) -> None:
    await to_engagement(evening)
    warned = await evening.bo.slash(evening.channel, "xwing attack", attacker="Howlrunner", defender="Luke Skywalker")
    (answer,) = [item for item in (warned.response, *warned.followups) if item is not None]
    before = evening.card.id
    done = await evening.bo.click(answer.message, label="Cancel")
    assert done.response is not None
    assert done.response.content == "Canceled. Nothing has changed."
    assert not done.response.message.embeds
    assert evening.card.id == before


async def test_a_double_click_gives_one_token(evening: Club) -> None:
    await select(evening, evening.ana, "Luke Skywalker")
    again = next(item.custom_id for item in items(board(evening)) if getattr(item, "label", "") == "Focus")
    old = board(evening)
    await press(evening, evening.ana, "Focus")
    refused = await evening.press(evening.ana, again, on=old)
    assert said(refused).startswith("Luke Skywalker has changed in the meantime.")
    assert "2 focus" not in text(evening, "Luke Skywalker")
    ends = next(item.custom_id for item in items(old) if getattr(item, "placeholder", "") == "More")
    await more(evening, evening.bo, "phase")
    late = await evening.press(evening.ana, ends, values=["phase"], on=old)
    assert "The match has changed in the meantime" in said(late)


async def test_an_attack_from_the_board_engages_and_the_next_ship_is_shown(evening: Club) -> None:
    await to_engagement(evening)
    evening.dice.red("blank blank blank")
    evening.dice.green("blank blank blank")
    await attack(evening, evening.ana, weapon="Primary", defender="Howlrunner", range="2")
    assert "X-Wing · range 2" in str(evening.embed.to_dict())
    await evening.ana.slash(evening.channel, "table show")
    assert "Howlrunner (5), next to engage" in alt(evening)


async def test_out_of_order_warns_the_one_who_pressed_and_may_go_on(evening: Club) -> None:
    await to_engagement(evening)
    await select(evening, evening.bo, "Howlrunner")
    barred = await press(evening, evening.bo, "Attack")
    assert barred.modal is None, "who is next is said before the form"
    assert said(barred).startswith("Howlrunner has initiative 5, but Luke Skywalker must engage first.")
    typed = {"attacker": "Howlrunner", "defender": "Luke Skywalker", "range": 3}
    warned = await evening.bo.slash(evening.channel, "xwing attack", **typed)
    answers = [item for item in (warned.response, *warned.followups) if item is not None]
    assert answers[0].ephemeral
    assert answers[0].content == "Howlrunner has initiative 5, but Luke Skywalker must engage first."
    evening.dice.red("blank blank")
    evening.dice.green("blank blank blank")
    await evening.bo.click(answers[0].message, label="Attack anyway")
    (closing,) = [label for label in evening.labels if label.startswith(("Done", "Roll"))]  # she may reroll one herself
    await evening.bo.click(evening.card, label=closing)
    assert evening.outcome == "Howlrunner misses Luke Skywalker. Out of order."
    await evening.ana.slash(evening.channel, "table history")
    assert "Howlrunner misses Luke Skywalker. Out of order." in (evening.embed.description or ""), "kept in the history"


async def test_attack_is_gray_where_no_ship_that_is_shown_may_attack(evening: Club) -> None:
    await to_engagement(evening)
    await select(evening, evening.ana, "Blue Squadron Escort")
    (button,) = [item for item in items(board(evening)) if (getattr(item, "label", "") or "").startswith("Attack")]
    assert (button.label, button.disabled) == ("Attack (next: Luke Skywalker)", True)
    await select(evening, evening.ana, "Luke Skywalker")
    (button,) = [item for item in items(board(evening)) if getattr(item, "label", "") == "Attack"]
    assert not button.disabled


async def test_a_refused_form_of_an_attack_can_be_mended(club: Club) -> None:
    """A weapon out of its range: everything that was picked is there again."""
    ana = {"pilots": [{"id": "lukeskywalker", "upgrades": {"torpedo": ["iontorpedoes"], "cannon": ["ioncannon"]}}]}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ana), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps({"pilots": [{"id": "academypilot"}]}))
    await to_engagement(club)
    shown = await press(club, club.ana, "Attack")
    assert shown.modal is not None
    weapons = {item["value"]: item.get("description") for item in shown.modal["components"][0]["component"]["options"]}
    assert weapons == {
        "Primary": "3 dice, Front Arc",
        "Ion Cannon": "3 dice, Front Arc",
    }, "torpedoes need a lock, and nobody is locked"
    form = {"weapon": "Ion Cannon", "defender": "Academy Pilot", "range": "0"}
    refused = await club.ana.submit_modal(shown, filled(shown.modal, form))
    assert "it has range 1 to 3" in said(refused)
    (answer,) = [item for item in (refused.response, *refused.followups) if item is not None]
    again = await club.ana.click(answer.message, label="Fix it")
    assert again.modal is not None
    picked = [item for item in again.modal["components"][0]["component"]["options"] if item.get("default")]
    assert [item["value"] for item in picked] == ["Ion Cannon"]


async def test_the_old_board_says_where_the_new_one_is(evening: Club) -> None:
    old = board(evening)
    await evening.bo.slash(evening.channel, "table show")
    (now,) = [message for message in evening.channel.history() if message.id == old.id]
    assert now.content == f"This board was replaced. [Go to the new one]({board(evening).jump_url})"
    assert not now.components
    assert not now.attachments
    new = board(evening)
    (chosen, *_) = (item for row in old.components for item in getattr(row, "children", ()))
    late = await evening.press(evening.ana, chosen.custom_id, on=old)
    assert late.response is not None
    assert late.response.content == now.content, "a link, on the old board itself"
    (now,) = [message for message in evening.channel.history() if message.id == old.id]
    assert (now.embeds, now.components, now.attachments) == ([], [], []), "a late press does not bring it back"
    assert board(evening).id == new.id


async def test_after_a_restart_the_bot_still_knows_its_board(evening: Club) -> None:
    await evening.restart()
    await select(evening, evening.ana, "Luke Skywalker")
    await press(evening, evening.ana, "Focus")
    assert "focus" in text(evening, "Luke Skywalker")
    assert isinstance(evening.env.bot, App)
    assert evening.env.bot.live[MessageKind.BOARD, evening.channel.id, EVERYBODY].kept.message_id == board(evening).id
    await evening.bo.slash(evening.channel, "table show")
    assert len([message for message in evening.channel.history() if message.content.startswith("This board")]) == 1


async def test_undo_and_history_stand_on_the_board(evening: Club) -> None:
    await select(evening, evening.ana, "Luke Skywalker")
    await press(evening, evening.ana, "Focus")
    shown = await more(evening, evening.ana, "history")
    answers = [item for item in (shown.response, *shown.followups) if item is not None]
    assert answers[0].ephemeral
    await press(evening, evening.ana, "Undo")
    await evening.ana.slash(evening.channel, "xwing ship list")
    assert "focus" not in str(evening.embed.to_dict()).replace("on focus", "")


async def test_one_pick_from_the_list_flips_a_card_and_undo_turns_it_back(club: Club) -> None:
    wing = {"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker", "upgrades": ["servomotorsfoils"]}]}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(wing), side="first")
    assert "These sides are faceup: Servomotor S-foils (Open)." in str(club.embed.to_dict())
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps({**BO, "pilots": BO["pilots"][:1]}))
    assert "side up: Open: Servomotor S-foils" in text(club, "Luke Skywalker")
    before = len(club.channel.history())
    await more(club, club.ana, "flip-servomotorsfoils-1")
    assert "side up: Closed: Servomotor S-foils" in text(club, "Luke Skywalker")
    assert "Howlrunner can't do that now, and this button is for Ana. Wait for your turn." in said(
        await more(club, club.bo, "flip-servomotorsfoils-1")
    )
    await press(club, club.ana, "Undo")
    assert "side up: Open: Servomotor S-foils" in text(club, "Luke Skywalker")
    assert len(club.channel.history()) == before


async def test_a_ship_that_has_left_and_a_made_up_id_are_refused(evening: Club) -> None:
    old = board(evening)
    focus = next(item.custom_id for item in items(old) if getattr(item, "label", "") == "Focus")
    await evening.ana.slash(evening.channel, "xwing ship remove", name="Luke Skywalker")
    assert "That ship has left the table." in said(await evening.press(evening.ana, focus, on=old))
    for made_up in (f"{name_mark('Howlrunner')}000000", "000000000000"):
        told = said(await evening.press(evening.bo, f"rc1:on:00000000:give-focus:{made_up}", on=old))
        assert told.startswith(("Howlrunner has changed in the meantime.", "That ship has left the table."))
    assert said(await evening.press(evening.bo, "rc1:on:00000000:give-focus", on=old)).startswith(
        "None of your ships is selected on the board"
    )


def test_the_largest_board_fits_into_one_message() -> None:
    ships: dict[str, Any] = {}
    for number in range(MAX_SHIPS):
        name = f"{number:02d}{'W' * 30}"
        ship = from_card(replace(pilot_ship("lukeskywalker", ("protontorpedoes", "r2d2")), name=name), owner=1)
        for token in KINDS:
            ship = give(ship, token, 1) if ship.has(token) < room(ship, token) and "damage" not in token else ship
        ships[name] = replace(ship, locks=(f"00{'W' * 30}",))
    ships[MATCH] = Match(phase=Phase.ENGAGEMENT)
    groups = boards.groups({"xwing": ships}, dict.fromkeys(range(1, 6), "N" * 32))
    assert len(embed(table.board(groups, 5))) <= 6000
    ships |= {name: replace(ship, owner=at % 6) for at, (name, ship) in enumerate(ships.items()) if name != MATCH}
    shown = view({"xwing": ships}, {1: f"05{'W' * 30}"})
    assert shown is not None
    assert len(shown.to_components()) <= 5
    for item in [one for row in shown.to_components() for one in row["components"]]:
        assert len(item["custom_id"]) <= 100
        assert len(item.get("options", ())) <= 25


@pytest.mark.parametrize("barred", ["Luke Skywalker", "Howlrunner"])
def test_what_one_of_two_pieces_may_do_is_pressed_although_the_other_may_not(
    barred: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ships = [from_card(pilot_ship(pilot), owner) for owner, pilot in enumerate(("lukeskywalker", "howlrunner"), 1)]
    offers = ControlledGame.offers

    def either(game: ControlledGame, name: str) -> list[Offer]:
        first = offers(game, "Luke Skywalker")[0]
        return [replace(first, label=Text("Either"), barred=Text("no") if name == barred else EMPTY)]

    monkeypatch.setattr(ControlledGame, "offers", either)
    match = Match(first=1, second=2, phase=Phase.ENGAGEMENT)
    shown = view({"xwing": {MATCH: match, **{ship.name: ship for ship in ships}}}, {})
    assert shown is not None
    buttons = [one for row in shown.to_components() for one in row["components"] if one.get("label") == "Either"]
    assert [one.get("disabled", False) for one in buttons] == [False]


# How it looks


async def test_a_picture_that_has_not_changed_is_not_sent_again(evening: Club) -> None:
    (first,) = board(evening).attachments
    await select(evening, evening.ana, "Blue Squadron Escort")
    (same,) = board(evening).attachments
    assert same.id == first.id, "only what is below it has changed"
    assert "Blue Squadron Escort (Ana)" in acts_for(evening)
    await press(evening, evening.ana, "Focus")
    (other,) = board(evening).attachments
    assert other.id != first.id


async def test_a_board_that_a_press_has_brought_up_to_date_is_not_edited_again(evening: Club) -> None:
    await select(evening, evening.ana, "Luke Skywalker")
    await press(evening, evening.ana, "Focus")
    (shown,) = evening.env.bot.live.values()  # type: ignore[attr-defined]  # it is our App
    assert shown.editing is not None
    await shown.editing
    asked = [name for kind, name, _ in evening.env.backend.transcript if kind == "HTTP"]
    assert not [name for name in asked if name.startswith("PATCH")]


@pytest.mark.parametrize("look", ["Emoji", "Text"])
async def test_the_other_looks_say_everything_in_words(evening: Club, look: str) -> None:
    await evening.ana.slash(evening.channel, "prefer", setting="look", value=look)
    await evening.ana.slash(evening.channel, "table show")
    assert not board(evening).attachments
    assert [field.name for field in board(evening).embeds[0].fields][:2] == [
        "Luke Skywalker · initiative 5 · Ana",
        "Howlrunner · initiative 5 · Bo",
    ]
    await select(evening, evening.ana, "Luke Skywalker")
    await press(evening, evening.ana, "Focus")
    assert not board(evening).attachments, "a board keeps the look of whoever asked for it"
    assert "focus" in (board(evening).embeds[0].fields[0].value or "")
    await evening.restart()
    await press(evening, evening.ana, "Evade")
    assert not board(evening).attachments
    assert "evade" in (board(evening).embeds[0].fields[0].value or "")


# The roll-off


@pytest_asyncio.fixture(loop_scope="module")
async def undecided(club: Club, gm: simcord.MemberActor) -> Club:
    """Under ruleset 2.0 both squads are there, and nobody has said who is first."""
    await gm.slash(club.channel, "ruleset set", setting="xwing_ruleset", value="2.0")
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA))
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    return club


def title(club: Club) -> str:
    return board(club).embeds[0].title or ""


async def test_the_board_comes_with_the_second_squad_and_offers_a_roll_off(undecided: Club) -> None:
    assert "Who is the first player? Call hits or misses and roll off." in title(undecided)
    assert [label for label in labels(undecided) if label.startswith("Roll off")] == [
        "Roll off: hits",
        "Roll off: misses",
    ]
    before = len(undecided.channel.history())
    undecided.dice.red("focus")
    await press(undecided, undecided.ana, "Roll off: hits")
    assert "Ana calls hits in the roll-off. The red die shows focus: the other player chooses" in (
        board(undecided).embeds[0].description or ""
    )
    assert "Bo won the roll-off and chooses: first or second player?" in title(undecided)
    refused = said(await press(undecided, undecided.ana, "Be the first player"))
    assert refused == "Only Bo or a GM can choose that."
    await press(undecided, undecided.bo, "Be the second player")
    assert alt(undecided).splitlines()[0] == "Ana · first player:"
    assert not [label for label in labels(undecided) if label.startswith(("Roll off", "Be the"))]
    assert len(undecided.channel.history()) == before


async def test_with_dials_the_board_asks_for_no_roll_that_falls_by_itself(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA))
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    await more(club, club.ana, "dials-off")
    await more(club, club.ana, "dials-on")
    assert "Roll for the first player" not in labels(club)
    assert "Roll" not in title(club)


async def test_on_a_stale_board_a_roll_that_is_over_is_refused_and_the_board_goes_on(club: Club) -> None:
    """As after a kill: the roll was stored, and the board was not edited."""
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA))
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    again = next(
        item.custom_id for item in items(board(club)) if getattr(item, "label", "") == "Roll for the first player"
    )
    club.dice.red("hit hit hit crit blank blank")
    await press(club, club.bo, "Roll for the first player")
    client = club.env.bot
    assert isinstance(client, App)
    kept = client.live[MessageKind.BOARD, club.channel.id, EVERYBODY]
    kept.forget_look()
    late = await club.press(club.ana, again, on=board(club))
    assert said(late).startswith("The match has changed in the meantime. The card is up to date now; look again.")
    assert kept.editing is not None
    await kept.editing
    assert "Roll for the first player" not in labels(club)


async def test_a_stale_board_is_edited_after_a_press_and_each_has_the_ship_that_they_had(evening: Club) -> None:
    """After a kill no process knows who has selected which ship: the board that was pressed says it."""
    await select(evening, evening.ana, "Blue Squadron Escort")
    old = {getattr(item, "label", ""): item.custom_id for item in items(board(evening))}
    await press(evening, evening.ana, "Focus")
    await evening.restart()
    late = await evening.press(evening.ana, old["Focus"], on=board(evening))
    assert said(late).startswith("Blue Squadron Escort has changed in the meantime.")
    client = evening.env.bot
    assert isinstance(client, App)
    editing = client.live[MessageKind.BOARD, evening.channel.id, EVERYBODY].editing
    assert editing is not None
    await editing
    assert acts_for(evening) == "Buttons control Blue Squadron Escort (Ana) and Howlrunner (Bo)."


async def test_the_die_of_a_roll_off_is_stored_before_it_is_shown(undecided: Club) -> None:
    undecided.dice.red("crit")
    undecided.env.inject_error("POST", "/interactions/*/*/callback")
    await press(undecided, undecided.ana, "Roll off: hits")
    await undecided.restart()
    await undecided.ana.slash(undecided.channel, "table show")
    assert "Ana won the roll-off" in title(undecided)


async def test_who_takes_a_roll_off_back_does_not_call_the_die_that_they_saw(undecided: Club) -> None:
    undecided.dice.will_show(7)  # a blank for whoever calls hits
    for call in ("hits", "misses", "hits"):
        await press(
            undecided, undecided.ana, f"Roll off: {call}"
        )  # the same die comes again, and proves both calls wrong
        assert "Bo won the roll-off" in title(undecided)
        await undecided.take_back(undecided.ana, undecided.bo)


async def test_at_a_sealed_table_the_roll_off_comes_by_the_protocol(undecided: Club) -> None:
    await seals.sealed(undecided)
    await press(undecided, undecided.ana, "Roll off: hits")  # no die is prescribed for it
    assert "won the roll-off" in title(undecided)
    await undecided.ana.slash(undecided.channel, "table unseal")
    here, ana = Place(undecided.channel.id, undecided.guild.id), Person(undecided.ana.id, "Ana")
    ended = await undecided.env.bot.seals.unseal(Request(ana, here, is_gm=True))  # type: ignore[attr-defined]  # it is our App
    assert by_the_bot(ended.file) == by_the_script(ended.file) == ""
    assert "calls hits in the roll-off" in str(ended.file)


async def test_the_side_buttons_of_a_squad_wait_for_the_winner_of_a_roll_off(undecided: Club) -> None:
    undecided.dice.red("hit")
    card = next(
        item
        for item in undecided.channel.history(viewer=undecided.ana)
        if "I'm the first player" in str(item.components)
    )
    await press(undecided, undecided.ana, "Roll off: hits")
    refused = await undecided.bo.click(card, label="I'm the first player")
    assert said(refused) == "Ana won the roll-off and chooses. The buttons are on the board."
    assert asking(undecided)
    await press(undecided, undecided.ana, "Be the first player")
    assert not asking(undecided), "once it is decided, no card asks any more"


def asking(club: Club) -> list[discord.Message]:
    """The squad cards that still ask which player somebody is."""
    return [item for item in club.channel.history(viewer=club.ana) if "I'm the first player" in str(item.components)]


async def test_two_people_on_each_side_play_by_the_board(evening: Club) -> None:
    dan = evening.guild.add_member(evening.env.create_user("dan", global_name="Dan"))
    squad = {"faction": "rebelalliance", "name": "Gold", "pilots": [{"id": "lukeskywalker"}]}
    for person, button in ((evening.cleo, "I'm on Ana's side"), (dan, "I'm on Bo's side")):
        await person.slash(evening.channel, "xwing squad", text=json.dumps(squad))
        await person.click(evening.card, label=button)
    await evening.ana.slash(evening.channel, "table show")
    lines = alt(evening).splitlines()
    assert [line for line in lines if line.endswith(":")] == [
        "Ana and Cleo · first player:",
        "Bo and Dan · second player:",
    ]
    await to_engagement(evening)
    assert alt(evening).count("next to engage") == 2
    await press(evening, evening.cleo, "Engage without attacking")
    assert "Luke Skywalker #2 (5), has engaged" in alt(evening), "Cleo's own ship"
    assert alt(evening).count("next to engage") == 1


# Who may look, press and touch


async def test_a_bystander_who_selects_a_ship_sees_it_alone(evening: Club) -> None:
    before = acts_for(evening)
    shown = await select(evening, evening.cleo, "Howlrunner")
    (answer,) = [item for item in (shown.response, *shown.followups) if item is not None]
    assert answer.ephemeral
    assert answer.message.embeds[0].fields[0].name == "Howlrunner · initiative 5 · Bo"
    assert acts_for(evening) == before, "the players' board stays as it is"


async def test_the_form_of_a_press_is_for_the_pressers_own_ship(evening: Club) -> None:
    for by, title_ in ((evening.ana, "Luke Skywalker acquires a lock"), (evening.bo, "Howlrunner acquires a lock")):
        shown = await press(evening, by, "Lock")
        assert shown.modal is not None
        assert shown.modal["title"] == title_
    strange = await press(evening, evening.cleo, "Attack")
    assert strange.modal is None
    assert (
        said(strange) == "Only people who play here, or a GM, can do that: Ana or Bo. To join, add pieces of your own."
    )


async def test_an_owner_looks_at_facedown_cards_and_nobody_else_does(evening: Club, gm: simcord.MemberActor) -> None:
    await evening.bo.slash(evening.channel, "xwing damage", ship="Howlrunner", hits=1)
    shown = await more(evening, evening.bo, "look")
    (answer,) = [item for item in (shown.response, *shown.followups) if item is not None]
    assert answer.ephemeral
    cards, facedown, _ = answer.message.embeds[0].fields
    assert (cards.name, cards.value) == ("Dice effects", "asks first: Howlrunner")
    assert facedown.name == "Facedown"
    title_ = facedown.value or ""
    assert title_ not in ("", "none")
    assert title_ not in str(board(evening).embeds[0].to_dict())
    assert title_ not in alt(evening)
    refusal = "Howlrunner belongs to Bo, so only Bo can look at its facedown cards."
    await select(evening, gm, "Howlrunner")
    assert said(await more(evening, gm, "look")) == refusal, "GMs often play"
    for stranger in (evening.ana, evening.cleo, gm):
        assert said(await stranger.slash(evening.channel, "xwing card look", ship="Howlrunner")) == refusal


# Out of order, typed


async def test_nobody_is_asked_whether_somebody_elses_ship_attacks_anyway(evening: Club) -> None:
    """It is the Planning Phase, so the owner would be warned; anybody else is refused at once."""
    for stranger in (evening.bo, evening.cleo):
        refused = await stranger.slash(
            evening.channel, "xwing attack", attacker="Luke Skywalker", defender="Academy Pilot", range=1
        )
        assert said(refused) == "Luke Skywalker belongs to Ana, so only Ana or a GM can do that."


async def test_charges_of_upgrades_are_spent_and_recovered_on_the_board(club: Club) -> None:
    luke = {"id": "lukeskywalker", "upgrades": {"torpedo": ["protontorpedoes"], "astromech": ["r2d2"]}}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps({**ANA, "pilots": [luke]}), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))

    async def offered() -> tuple[Any, dict[str, str]]:
        shown = await more(club, club.ana, "more")
        (line,) = shown.modal["components"]
        return shown, {item["label"]: item["value"] for item in line["component"]["options"]}

    shown, values = await offered()
    await club.ana.submit_modal(shown, {"change": [values["Spend 1 charge of R2-D2"]]})
    assert "Ana spends 1 charge of R2-D2 on Luke Skywalker." in (board(club).embeds[0].description or "")
    shown, values = await offered()
    assert "Recover 1 charge of Proton Torpedoes" not in values, "it is full"
    await club.ana.submit_modal(shown, {"change": [values["Recover 1 charge of R2-D2"]]})
    bot: Any = club.env.bot
    table_ = await bot.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
    assert table_["Luke Skywalker"].upgrade_charges == (2, 3)


async def test_a_typed_attack_out_of_order_gets_the_button_too(evening: Club) -> None:
    await to_engagement(evening)
    await select(evening, evening.bo, "Howlrunner")
    await press(evening, evening.bo, "Focus")
    typed = {"attacker": "Howlrunner", "defender": "Luke Skywalker", "range": 1, "obstructed": True, "with": "focus"}
    warned = await evening.bo.slash(evening.channel, "xwing attack", **typed)
    (answer,) = [item for item in (warned.response, *warned.followups) if item is not None]
    assert answer.ephemeral
    assert answer.content == "Howlrunner has initiative 5, but Luke Skywalker must engage first."
    assert {field.name: field.value for field in answer.message.embeds[0].fields} == {
        "attacker": "Howlrunner",
        "defender": "Luke Skywalker",
        "with": "focus",
        "range": "1",
        "obstructed": "yes",
    }
    await evening.restart()
    evening.dice.red("hit focus hit")
    await evening.bo.click(answer.message, label="Attack anyway")
    card = str(evening.embed.to_dict())
    assert "ut of order" in card
    assert "range 1" in card
    assert "obstructed" in card


async def test_a_zero_that_was_typed_out_of_order_counts_anyway(evening: Club) -> None:
    await to_engagement(evening)
    typed = {"attacker": "Howlrunner", "defender": "Luke Skywalker", "agility": 0, "range": 0}
    warned = await evening.bo.slash(evening.channel, "xwing attack", **typed)
    (answer,) = [item for item in (warned.response, *warned.followups) if item is not None]
    assert {field.name: field.value for field in answer.message.embeds[0].fields} == {
        "attacker": "Howlrunner",
        "defender": "Luke Skywalker",
        "agility": "0",
        "range": "0",
    }
    evening.dice.red("blank blank")
    await evening.bo.click(answer.message, label="Attack anyway")
    assert "range 0" in str(evening.embed.to_dict())
    assert evening.outcome == "Howlrunner misses Luke Skywalker. Out of order."
    again = said(await evening.bo.click(answer.message, label="Attack anyway"))
    assert again.startswith("Howlrunner has attacked since I asked."), "a second press is no bonus attack"


# The start of a phase


@pytest_asyncio.fixture(loop_scope="module")
async def with_soontir(club: Club) -> Club:
    """Ana (first player) has Luke; Bo has Soontir Fel, whose card acts at the start of the Engagement Phase."""
    luke = {"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker"}]}
    soontir = {"faction": "galacticempire", "pilots": [{"id": "soontirfel"}]}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(luke), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(soontir))
    return club


CLAIM = "Soontir Fel: gain 1 focus (an enemy in your bullseye arc)"


async def test_the_engagement_phase_asks_first_who_has_a_card_there(with_soontir: Club) -> None:
    club = with_soontir
    before = len(club.channel.history())
    assert "Begin the Engagement Phase" in labels(club)
    assert "Attack" not in labels(club)
    await press(club, club.ana, "Begin the Engagement Phase")
    assert labels(club)[:2] == [CLAIM, "Done"]
    assert "First, at the start of the phase: Bo may use a card." in title(club)
    assert said(await press(club, club.ana, "Done")) == "Only Bo or a GM can choose that."
    await press(club, club.bo, CLAIM)
    assert "focus" in text(club, "Soontir Fel")
    assert labels(club)[0] == "Attack"
    assert len(club.channel.history()) == before, "the board is the card"
    await press(club, club.bo, "Undo")
    assert labels(club)[:2] == [CLAIM, "Done"]


async def test_a_typed_attack_waits_for_the_start_and_is_made_as_it_was_typed(with_soontir: Club) -> None:
    club = with_soontir
    typed = {"attacker": "Soontir Fel", "defender": "Luke Skywalker", "range": 2}
    warned = await club.bo.slash(club.channel, "xwing attack", **typed)
    (private,) = [item for item in (warned.response, *warned.followups) if item is not None and item.ephemeral]
    assert private.content == (
        "At the start of the Engagement Phase Soontir Fel may use a card. The board asks for it. "
        "Press Attack once that's done."
    )
    assert labels(club)[:2] == [CLAIM, "Done"]
    early = await club.bo.click(private.message, label="Attack")
    assert "may use a card" in said(early)
    await press(club, club.bo, "Done")
    club.dice.red("blank blank blank")
    club.dice.green("blank blank")
    await club.bo.click(private.message, label="Attack")
    while "Done" in club.labels:
        await club.bo.click(club.card, label="Done")
    assert club.outcome.startswith("Soontir Fel misses Luke Skywalker.")


async def test_a_ship_that_is_typed_to_engage_is_told_of_the_start(with_soontir: Club) -> None:
    club = with_soontir
    refused = await club.bo.slash(club.channel, "xwing engage", ship="Soontir Fel")
    assert said(refused).startswith("At the start of the Engagement Phase Soontir Fel may use a card.")


def test_the_ids_of_a_board_tell_nothing_of_facedown_cards() -> None:
    """A mark has 24 bits, and a deck 14 titles: whoever knew the rest of a ship could try them all."""
    match, luke = Match(first=1, second=2, phase=Phase.ENGAGEMENT), from_card(pilot_ship("lukeskywalker"), 1)
    boards_ = [view({"xwing": {MATCH: match, luke.name: replace(luke, facedown=(title,))}}, {}) for title in TITLES]
    ids = {json.dumps(components.to_components()) for components in boards_ if components is not None}
    assert len(ids) == 1
    more_ = view({"xwing": {MATCH: match, luke.name: replace(luke, facedown=("", ""))}}, {})
    assert more_ is not None
    assert json.dumps(more_.to_components()) not in ids, "one card more is something else"
