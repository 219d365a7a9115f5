"""Planning on Discord: forms and messages for one person, what the others see, reveals on the board."""

import json
from typing import Any

import discord
import pytest
import pytest_asyncio
import simcord
from simcord.enums import ComponentType

from bot.fair.plans import find_mismatch
from bot.rules.errors import BadInputError
from bot.rules.game import Choice
from bot.rules.plans import Commitment, commitments
from bot.rules.text import Name
from bot.runtime.app import App
from bot.sessions.openings import commitment_json
from bot.sessions.pieces import NotYourPieceError
from bot.sessions.request import Person, Place, Request
from bot.ui.core.board_controls import name_mark
from tests.cogs import test_seal as seals
from tests.cogs.rulesets import choose
from tests.cogs.test_xwing_board import ANA, BO, alt, board, labels, listed, more
from tests.conftest import Club, said, whispered
from tests.fair.checkers import by_the_bot, by_the_script

pytestmark = pytest.mark.one_bot

LUKE, ESCORT, HOWL, ACADEMY = "Luke Skywalker", "Blue Squadron Escort", "Howlrunner", "Academy Pilot"
ANAS = {LUKE: "2FB", ESCORT: "4KR"}
BOS = {HOWL: "2TW", ACADEMY: "3FB"}


@pytest_asyncio.fixture(loop_scope="module")
async def evening(club: Club) -> Club:
    """Ana (first player) has Luke (5) and an escort (2), Bo has Howlrunner (5) and an Academy Pilot (1)."""
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    return club


def fill(modal: Any, form: dict[str, str]) -> dict[str, Any]:
    """A form with what somebody picks; what they leave is as it was proposed."""
    every = [line["component"] for line in modal["components"]]
    values: dict[str, Any] = {}
    for item in every:
        proposed = [option["value"] for option in item.get("options", ()) if option.get("default")]
        picked = form.get(item["custom_id"], *proposed[:1]) if proposed else form.get(item["custom_id"], "")
        is_list = item["type"] == ComponentType.STRING_SELECT
        values[item["custom_id"]] = ([picked] if picked else []) if is_list else picked
    return values


async def plan(club: Club, by: simcord.MemberActor, dials: dict[str, str], ready: str = "now") -> Any:
    """Press Plan, fill in the form, send it: two acts."""
    opened = await by.click(board(club), label="Plan")
    assert opened.modal is not None
    form = {name_mark(of): code for of, code in dials.items()} | {"ready": ready}
    return await by.submit_modal(opened, fill(opened.modal, form))


async def kept(club: Club) -> dict[str, Commitment]:
    app = club.env.bot
    assert isinstance(app, App)
    pieces = await app.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
    return {commitment.name: commitment for commitment in commitments(pieces).values()}


def words(club: Club) -> str:
    return board(club).embeds[0].description or ""


def footer(club: Club) -> str:
    return board(club).embeds[0].footer.text or ""


async def test_planning_is_two_acts_and_the_others_see_that_somebody_is_ready(evening: Club) -> None:
    answer = whispered(await plan(evening, evening.ana, ANAS))
    assert "You're ready" in answer.content
    assert "4 Koiogran turn, red" in (answer.attachments[0].description or "")
    (fixed,) = (await kept(evening)).values()
    public = json.dumps([shown.to_dict() for item in evening.channel.history() for shown in item.embeds])
    assert "Ana is ready. Bo is planning." in public
    assert "Koiogran" not in public
    assert fixed.root[:4] in footer(evening)


async def test_both_are_ready_and_dials_are_revealed_in_order(evening: Club) -> None:
    await plan(evening, evening.ana, ANAS)
    await plan(evening, evening.bo, BOS)
    assert "Reveal Academy Pilot" in labels(evening)
    await evening.bo.click(board(evening), label="Reveal Academy Pilot")
    assert "reveals Academy Pilot: 3 straight, blue" in words(evening)
    assert "Academy Pilot: 3 straight, blue." in alt(evening)
    await evening.ana.click(board(evening), label="Reveal Blue Squadron Escort")
    assert "It gains 1 stress token" in words(evening)
    await evening.ana.click(board(evening), label="Reveal Luke Skywalker")
    await evening.ana.click(board(evening), label="Focus")
    await evening.bo.click(board(evening), label="Reveal Howlrunner")
    assert not [label for label in labels(evening) if label.startswith("Reveal")]
    assert "Attack" in labels(evening)
    for commitment in (await kept(evening)).values():
        assert commitment.closed_places == ()
        assert find_mismatch(commitment_json(commitment)) == ""


async def test_a_ship_that_was_forgotten_is_told_before_ready_counts(evening: Club) -> None:
    answer = await plan(evening, evening.ana, {LUKE: "2FB"})
    assert "You haven't planned anything for Blue Squadron Escort yet" in said(answer)
    assert await kept(evening) == {}
    answer = await evening.ana.click(whispered(answer), label="Ready without 1 choice")
    assert "You're ready" in whispered(answer).content
    assert len(await kept(evening)) == 1


async def test_what_was_chosen_is_there_again_after_the_message_was_dismissed(evening: Club) -> None:
    await plan(evening, evening.ana, ANAS, ready="later")
    assert await kept(evening) == {}
    opened = await evening.ana.click(board(evening), label="Plan")
    assert opened.modal is not None
    chosen = [
        option["value"]
        for line in opened.modal["components"]
        for option in line["component"]["options"]
        if option.get("default")
    ]
    assert chosen == ["4KR", "2FB", "now"]


async def test_the_other_one_cannot_reveal_and_a_stale_press_opens_nothing(evening: Club) -> None:
    await plan(evening, evening.ana, ANAS)
    await plan(evening, evening.bo, BOS)
    old = board(evening)
    refused = await evening.ana.click(old, label="Reveal Academy Pilot")
    assert said(refused).startswith("Luke Skywalker can't do that now, and this button is for Bo.")
    await evening.bo.click(board(evening), label="Reveal Academy Pilot")
    opened = [commitment.opened for commitment in (await kept(evening)).values()]
    assert sum(map(len, opened)) == 1


async def test_the_command_asks_too_and_without_squads_it_says_what_to_do(club: Club) -> None:
    answer = await club.ana.slash(club.channel, "table plan")
    assert "Add your squads with `/xwing squad` first" in said(answer)


async def test_a_table_may_play_without_dials(evening: Club) -> None:
    await more(evening, evening.bo, "dials-off")
    assert "Plan" not in labels(evening)


def question(club: Club) -> discord.Message:
    """The card of the second squad, which asks."""
    return next(item for item in club.channel.history() if "Play with dials?" in item.content)


async def test_dials_are_asked_for_once_with_the_second_squad(evening: Club) -> None:
    asked = question(evening)
    await evening.bo.click(asked, label="Play without dials")
    assert "Plan" not in labels(evening)
    assert not [item for item in evening.channel.history() if "Play with dials?" in item.content]
    (card,) = [item for item in evening.channel.history() if item.id == asked.id]
    assert card.embeds == asked.embeds, "the squad card stays"
    refused = await evening.press(evening.ana, "rc1:dials:on", on=asked)
    assert "That's already decided" in said(refused)
    assert "Plan" not in labels(evening)


@pytest.mark.parametrize(("value", "is_offered"), [("on", True), ("off", False)])
async def test_a_table_that_has_set_dials_is_not_asked(
    club: Club, gm: simcord.MemberActor, value: str, is_offered: bool
) -> None:
    await choose(club, gm, "xwing_dials", value)
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    assert not [item for item in club.channel.history() if "Play with dials?" in item.content]
    assert ("Plan" in labels(club)) is is_offered


async def paste(club: Club, by: simcord.MemberActor, squad: dict[str, Any], closed: bool) -> Any:
    opened = await by.slash(club.channel, "xwing squad")
    return await by.submit_modal(opened, {"xws": json.dumps(squad), "closed": ["closed"] if closed else []})


async def test_who_looks_at_a_dial_sees_it_alone_and_everybody_sees_that_they_looked(club: Club) -> None:
    spying = {**ANA, "pilots": [{"id": "lukeskywalker", "upgrades": {"crew": ["informant"]}}, *ANA["pilots"][1:]]}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(spying), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    await plan(club, club.ana, ANAS)
    await plan(club, club.bo, BOS)
    await club.ana.select(board(club), [name_mark(LUKE)], custom_id=listed(club, "Select your ship").custom_id)
    opened = await club.ana.click(board(club), label="Look at a dial (Informant)")
    assert opened.modal is not None
    shown = whispered(await club.ana.submit_modal(opened, fill(opened.modal, {"of": HOWL})))
    assert "Howlrunner: 2 turn left, white" in (shown.attachments[0].description or "")
    told = json.dumps([embed.to_dict() for message in club.channel.history() for embed in message.embeds])
    assert "Ana looks at the plan for Howlrunner, using Luke Skywalker" in told
    assert "turn left" not in told
    (looked,) = (commitment.looked for commitment in (await kept(club)).values() if commitment.looked)
    assert looked[0][0] == HOWL
    again = await club.ana.click(board(club), label="Look at a dial (Informant)")
    assert again.modal is not None
    options = [line["component"]["options"] for line in again.modal["components"]]
    assert [item["value"] for item in options[0]] == [HOWL], "one dial; that one again"


async def test_of_two_looks_at_once_one_counts_and_a_gm_who_plays_has_none(club: Club, gm: simcord.MemberActor) -> None:
    spying = {**ANA, "pilots": [{"id": "lukeskywalker", "upgrades": {"crew": ["informant"]}}, *ANA["pilots"][1:]]}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(spying), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    await gm.slash(club.channel, "initiative start")
    await plan(club, club.ana, ANAS)
    await plan(club, club.bo, BOS)
    app, here = club.env.bot, Place(club.channel.id, club.guild.id)
    assert isinstance(app, App)
    looks = {of: Choice("listen", filled={"of": of}) for of in (HOWL, ACADEMY)}
    with pytest.raises(NotYourPieceError):
        await app.plans.peek_at(Request(Person(gm.id, Name("Gil")), here, is_gm=True), "xwing", looks[HOWL], LUKE)
    asked = Request(Person(club.ana.id, Name("Ana")), here)
    for _ in range(2):
        assert (await app.plans.peek_at(asked, "xwing", looks[HOWL], LUKE)).choice == "2TW"
    with pytest.raises(BadInputError):
        await app.plans.peek_at(asked, "xwing", looks[ACADEMY], LUKE)


async def test_a_board_has_four_digits_of_a_plan_and_how_has_all_of_them(evening: Club) -> None:
    await plan(evening, evening.ana, ANAS)
    (commitment,) = (await kept(evening)).values()
    foot = footer(evening)
    assert f"sealed, {commitment.root[:4]}" in foot
    assert commitment.root[:5] not in foot, "64 digits are no sentence"
    assert f"sealed, {commitment.root}" in said(await more(evening, evening.cleo, "fingerprints"))


@pytest.mark.parametrize("is_closed", [True, False])
async def test_a_squad_may_stay_closed_until_both_are_here(club: Club, is_closed: bool) -> None:
    await paste(club, club.ana, ANA, closed=True)
    shown = json.dumps([embed.to_dict() for message in club.channel.history() for embed in message.embeds])
    assert "Ana's squad is here" in shown
    assert "Luke" not in shown
    (commitment,) = (await kept(club)).values()
    assert commitment.root in shown
    await paste(club, club.bo, BO, closed=is_closed)
    app = club.env.bot
    assert isinstance(app, App)
    pieces = await app.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
    assert {LUKE, ESCORT, HOWL, ACADEMY} < set(pieces)
    (opened,) = commitments(pieces).values()
    assert (opened.root, opened.closed_places, find_mismatch(commitment_json(opened))) == (commitment.root, (), "")
    assert pieces[LUKE].owner != pieces[HOWL].owner
    assert "Plan" in labels(club)


async def test_who_brings_another_squad_keeps_the_first_one_to_themselves(club: Club) -> None:
    await paste(club, club.ana, BO, closed=True)
    first = next(iter((await kept(club)).values()))
    await paste(club, club.ana, ANA, closed=True)
    (second,) = (await kept(club)).values()
    assert second.replaces == first.root
    await paste(club, club.ana, ANA, closed=False)
    app = club.env.bot
    assert isinstance(app, App)
    pieces = await app.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
    assert ({LUKE, ESCORT} < set(pieces), commitments(pieces), HOWL in pieces) == (True, {}, False)


async def test_a_closed_squad_that_is_none_is_refused_to_its_player_alone(club: Club) -> None:
    opened = await club.ana.slash(club.channel, "xwing squad")
    refused = await club.ana.submit_modal(opened, {"xws": "no squad", "closed": ["closed"]})
    assert whispered(refused)
    assert await kept(club) == {}


async def test_next_comes_from_the_newest_message_however_far_up_the_board_is(evening: Club) -> None:
    for _ in range(6):
        evening.dice.will_show(3)
        await evening.cleo.slash(evening.channel, "warsurge attack", power=3, defence=6)
    old = board(evening).id
    await plan(evening, evening.ana, ANAS)
    assert board(evening).id != old, "it came down, so that everybody sees who is ready"


async def test_a_gm_reveals_for_somebody_who_left_and_everybody_sees_who_did(
    evening: Club, gm: simcord.MemberActor
) -> None:
    await plan(evening, evening.ana, ANAS)
    await plan(evening, evening.bo, BOS)
    await gm.click(board(evening), label="Reveal Academy Pilot")
    assert "Gil reveals Academy Pilot: 3 straight, blue" in words(evening)
    await evening.ana.click(board(evening), label="Reveal Blue Squadron Escort")
    await gm.click(board(evening), label="Reveal Luke Skywalker")
    await gm.click(board(evening), label="Reveal Howlrunner")
    assert all(commitment.closed_places == () for commitment in (await kept(evening)).values())


async def test_six_ships_are_two_pages_and_six_acts(club: Club) -> None:
    pilots = [{"id": "academypilot"}] * 5 + [{"id": "howlrunner"}]
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps({**BO, "pilots": pilots}), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(ANA))
    shown = await club.ana.click(board(club), label="Plan")
    assert "0 of 6 dials set." in json.dumps([embed.to_dict() for embed in whispered(shown).embeds])
    for label, count in (("Choose 1 to 5", 5), ("Choose 6 to 6", 1)):
        opened = await club.ana.click(whispered(shown), label=label)
        assert opened.modal is not None
        fields = [line["component"]["custom_id"] for line in opened.modal["components"]]
        assert len(fields) == count
        shown_now = await club.ana.submit_modal(opened, {key: ["2FB"] for key in fields})
        assert shown_now.response is not None
    done = await club.ana.click(whispered(shown), label="Ready")
    assert done.acknowledged
    (fixed,) = (await kept(club)).values()
    assert len(fixed.of) == 6


async def test_of_two_devices_the_last_word_counts(evening: Club) -> None:
    phone = await evening.ana.click(board(evening), label="Plan")
    desk = await evening.ana.click(board(evening), label="Plan")
    for opened, code in ((phone, "1FB"), (desk, "3FW")):
        assert opened.modal is not None
        form = {name_mark(LUKE): code, name_mark(ESCORT): "2FB", "ready": "now"}
        await evening.ana.submit_modal(opened, fill(opened.modal, form))
    await plan(evening, evening.bo, BOS)
    for by, name in ((evening.bo, ACADEMY), (evening.ana, ESCORT), (evening.ana, LUKE)):
        await by.click(board(evening), label=f"Reveal {name}")
    assert "reveals Luke Skywalker: 3 straight, white" in words(evening)


async def test_nobody_changes_a_dial_after_all_are_set(evening: Club) -> None:
    late = await evening.ana.click(board(evening), label="Plan")
    await plan(evening, evening.ana, ANAS)
    await plan(evening, evening.bo, BOS)
    before = await kept(evening)
    assert late.modal is not None
    refused = await evening.ana.submit_modal(late, fill(late.modal, {name_mark(LUKE): "4KR", "ready": "now"}))
    assert "The dials for round 1 are locked in: it's the Activation Phase" in said(refused)
    assert await kept(evening) == before


async def test_at_a_sealed_table_commitments_and_dials_stand_in_the_chain(evening: Club) -> None:
    await seals.sealed(evening)
    await evening.ana.slash(evening.channel, "table show")
    await plan(evening, evening.ana, ANAS)
    await plan(evening, evening.bo, BOS)
    roots = {commitment.root for commitment in (await kept(evening)).values()}
    await evening.bo.click(newest(evening), label="Reveal Academy Pilot")
    await evening.ana.slash(evening.channel, "table unseal")
    app = evening.env.bot
    assert isinstance(app, App)
    here, ana = Place(evening.channel.id, evening.guild.id), Person(evening.ana.id, "Ana")
    ended = await app.seals.unseal(Request(ana, here, is_gm=True))
    assert ended is not None
    assert by_the_bot(ended.file) == by_the_script(ended.file) == ""
    written = ended.file.decode()
    assert all(root in written for root in roots)
    assert '"choice":"3FB"' in written
    assert "4KR" not in written, "what is still closed stays so"


def newest(club: Club) -> discord.Message:
    """The newest board."""
    every = reversed(club.channel.history())
    return next(item for item in every if any("rc1:on:" in str(row.to_dict()) for row in item.components))
