"""Squads on the table: pasted, attached or added ship by ship; each is played by whoever brought it."""

import json
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import simcord

from bot.languages import LANGUAGES
from bot.rules.xwing.cards.pilots import printed_names
from bot.sessions.request import Place
from bot.store.errors import DatabaseUnreachableError
from cogs.xwing import options
from tests.cogs.test_xwing_score import client_of
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

SQUADS = Path(__file__).parents[1] / "squads"
ANA = {
    "faction": "rebelalliance",
    "name": "Red",
    "pilots": [
        {"id": "lukeskywalker", "ship": "t65xwing", "upgrades": {"torpedo": ["protontorpedoes"]}},
        {"id": "bluesquadronescort"},
        {"id": "bluesquadronescort"},
    ],
}
BO = {"faction": "galacticempire", "pilots": [{"id": "howlrunner"}, {"id": "academypilot"}]}


async def xwing(club: Club, by: simcord.MemberActor, line: str, **options: Any) -> Any:
    return await by.slash(club.channel, f"xwing {line}", **options)


async def bring(club: Club, by: simcord.MemberActor, squad: object) -> Any:
    return await xwing(club, by, "squad", text=json.dumps(squad))


async def again(club: Club, by: simcord.MemberActor, squad: object, label: str = "Add to mine") -> None:
    """A squad of somebody who has ships already, and what they answer."""
    await bring(club, by, squad)
    await by.click(club.card, label=label)


def names(club: Club) -> list[str]:
    """The ships of the newest card: of a list, or of a picture in words."""
    if club.card.attachments:
        return [line.split(" (")[0] for line in pictured(club)]
    return [(field.name or "").split(" · ")[0] for field in club.embed.fields]


def pictured(club: Club) -> list[str]:
    """The ships of a squad that has come to the table, a line each."""
    return str(club.card.attachments[0].description).splitlines()


def text(club: Club, ship: str) -> str:
    if club.card.attachments:
        return next(line for line in pictured(club) if line.startswith(f"{ship} ("))
    return next(field.value or "" for field in club.embed.fields if (field.name or "").split(" · ")[0] == ship)


@pytest_asyncio.fixture(loop_scope="module")
async def squads(club: Club) -> Club:
    """Ana has Luke and two escorts, Bo has Howlrunner and an Academy Pilot; it is the Engagement Phase."""
    await bring(club, club.ana, ANA)
    await bring(club, club.bo, BO)
    for _ in range(3):
        await xwing(club, club.ana, "phase")
    return club


async def test_a_pasted_squad_becomes_ships_with_all_that_their_cards_bring(club: Club) -> None:
    await bring(club, club.ana, ANA)
    assert club.outcome == "Red joins the table: 3 ships."
    assert names(club) == ["Luke Skywalker", "Blue Squadron Escort", "Blue Squadron Escort #2"]
    luke = text(club, "Luke Skywalker")
    assert luke == (
        "Luke Skywalker (5), hull 4 of 4, shields 2 of 2, attack 3, agility 2, 2 force, "
        "charge: Proton Torpedoes 2, Proton Torpedoes."
    )


async def test_a_squad_says_what_must_be_played_by_hand_and_a_ship_what_its_cards_do(club: Club) -> None:
    modifications = ["hullupgrade", "beskarreinforcedplating"]
    upgrades = {"talent": ["predator"], "crew": ["countdooku"], "modification": modifications}
    by_hand = {"id": "hansolo-modifiedyt1300lightfreighter"}
    squad = {"faction": "rebelalliance", "pilots": [{"id": "wedgeantilles", "upgrades": upgrades}, by_hand]}
    await bring(club, club.ana, squad)
    carried = text(club, "Wedge Antilles")
    assert carried.endswith("Predator, Count Dooku, Hull Upgrade, and Beskar Reinforced Plating.")
    assert "Play by hand: Han Solo." in (club.embed.footer.text or "")
    assert "Cards: XWA (2026-07-05)." in (club.embed.footer.text or "")


async def test_a_squad_goes_to_the_set_that_is_preferred(club: Club) -> None:
    await club.ana.slash(club.channel, "prefer", setting="xwing_cards", value="Legacy")
    await bring(club, club.ana, {"faction": "scumandvillainy", "pilots": [{"id": "deathwatchwarrior"}]})
    assert "Cards: Legacy (2025-12-11)." in (club.embed.footer.text or "")
    assert pictured(club)[0].startswith("Death Watch Warrior (1), ")
    await bring(club, club.bo, {"faction": "scumandvillainy", "pilots": [{"id": "deathwatchwarrior"}]})
    bot: Any = club.env.bot
    table = await bot.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
    sets = {name: (ship.card_set, ship.initiative) for name, ship in table.items() if name != "the match"}
    assert sets == {
        "Death Watch Warrior": ("legacy@2025-12-11", 1),
        "Death Watch Warrior #2": ("xwa@2026-07-05", 2),
    }


async def test_where_nobody_chose_the_set_goes_with_the_ruleset_and_a_squad_may_say_it(
    club: Club, gm: simcord.MemberActor
) -> None:
    await gm.slash(club.channel, "ruleset set", setting="xwing_ruleset", value="2.0")
    warrior = {"faction": "scumandvillainy", "pilots": [{"id": "deathwatchwarrior"}]}
    await bring(club, club.ana, warrior)
    assert "Cards: Legacy" in (club.embed.footer.text or "")
    await again(club, club.ana, {**warrior, "ruleset": "XWA"})
    assert "Cards: XWA" in (club.embed.footer.text or "")
    pilots = [{"id": "deathwatchwarrior"}, {"id": "bobafett-armedanddangerous"}]
    await again(club, club.ana, {"faction": "scumandvillainy", "pilots": pilots})
    assert "Cards: XWA" in (club.embed.footer.text or "")


async def test_a_form_and_a_file_bring_a_squad_as_well(club: Club) -> None:
    shown = await club.ana.slash(club.channel, "xwing squad")
    await club.ana.submit_modal(shown, {"xws": json.dumps(ANA)})
    assert club.outcome == "Red joins the table: 3 ships."
    file = (SQUADS / "red-squadron.json").read_bytes()
    await xwing(club, club.ana, "squad", file=("red.json", file))
    await club.ana.click(club.card, label="Replace mine")
    assert club.outcome.startswith("Red Squadron joins the table: ")


async def test_what_is_not_known_is_named_and_what_is_no_squad_is_refused(club: Club) -> None:
    await bring(
        club, club.ana, {"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker"}, {"id": "wedgeantiles"}]}
    )
    assert club.outcome == "Rebel Alliance joins the table: 1 ship."
    assert "I don't know the pilot `wedgeantiles`. Did you mean `wedgeantilles`?" in (club.embed.footer.text or "")
    for file, wanted in (
        (b"no json", "Paste XWS"),
        (b"\xff\xfe", "Use a text file in UTF-8"),
        (b'{"pilots": []}', "Use a list of 1 to 24 pilots"),
    ):
        assert wanted in said(await xwing(club, club.ana, "squad", file=("squad.txt", file)))
    assert "Paste XWS" in said(await xwing(club, club.ana, "squad", text="No squad of mine"))
    assert "I don't know `Howlruner`. Did you mean" in said(await xwing(club, club.ana, "squad", text="Howlruner"))


async def test_a_pilot_is_added_by_name_and_three_more_like_it(club: Club) -> None:
    result = await club.ana.autocomplete(club.channel, "xwing ship add", "pilot", "howl")
    assert result[0]["name"].startswith("“Howlrunner”, TIE/ln Fighter")
    await xwing(club, club.ana, "ship add", pilot="academypilot", count=3)
    assert club.outcome == "Academy Pilot, Academy Pilot #2, and Academy Pilot #3 join the table."
    await xwing(club, club.ana, "ship add", pilot="howlrunner", name="Leader")
    assert club.outcome == "Leader joins the table."
    await xwing(club, club.ana, "ship add", name="Tam", numbers="3/2/4/2 i5")
    assert text(club, "Tam") == "attack 3 · agility 2\nshields ◆◆ · hull ■■■■"
    assert club.embed.fields[0].name == "Tam · initiative 5"
    assert "Did you mean `Luke Skywalker, T-65 X-wing" in said(await xwing(club, club.ana, "ship add", pilot="luke"))
    assert "`name`" in said(await xwing(club, club.ana, "ship add", numbers="3/2/4/2"))
    assert "`numbers`" in said(await xwing(club, club.ana, "ship add", pilot="howlrunner", numbers="1/1/1"))


NOT_YOURS = [
    ("token give", {"ship": "howlrunner", "token": "focus"}),
    ("token take", {"ship": "Howlrunner", "token": "focus"}),
    ("lock", {"ship": "Howlrunner", "target": "Luke Skywalker"}),
    ("engage", {"ship": "Howlrunner"}),
    ("ship remove", {"name": "Howlrunner"}),
    ("ship set", {"name": "Howlrunner", "hull": 9}),
    ("ship give", {"ship": "Howlrunner"}),
    ("attack", {"attacker": "Howlrunner", "defender": "Luke Skywalker"}),
]


@pytest.mark.parametrize(("line", "options"), NOT_YOURS)
async def test_only_the_owner_touches_a_ship(squads: Club, line: str, options: dict[str, Any]) -> None:
    """(R) Only its owner (or a GM) attacks with it, gives or takes its tokens, removes it."""
    await xwing(squads, squads.bo, "token give", ship="Howlrunner", token="focus")
    more = {"player": squads.cleo} if line == "ship give" else {}
    for stranger in (squads.ana, squads.cleo):
        refused = said(await xwing(squads, stranger, line, **options, **more))
        who = "Bo or a GM can do that."
        if line == "ship give":
            who = "Bo can give it away, or a GM who has never had pieces in this channel."
        assert refused == f"Howlrunner belongs to Bo, so only {who}"
    await xwing(squads, squads.ana, "ship list")
    assert "focus" in text(squads, "Howlrunner")


async def test_a_gm_may_touch_every_ship_and_hand_it_over(squads: Club, gm: simcord.MemberActor) -> None:
    await xwing(squads, gm, "ship give", ship="Howlrunner", player=squads.ana)
    assert squads.sent_title == "Howlrunner now belongs to Ana."
    await xwing(squads, squads.ana, "token give", ship="Howlrunner", token="focus")
    refused = said(await xwing(squads, squads.bo, "token give", ship="Howlrunner", token="focus"))
    assert "belongs to Ana" in refused


async def test_the_owner_of_the_target_defends_and_is_called(squads: Club) -> None:
    """(R) The defender of an attack on a ship is its owner, mentioned when asked."""
    await xwing(squads, squads.bo, "token give", ship="Howlrunner", token="evade")
    squads.dice.red("hit hit hit")
    squads.dice.green("blank blank blank")
    await xwing(squads, squads.ana, "attack", attacker="Luke Skywalker", defender="Howlrunner")
    assert squads.card.content == f"<@{squads.bo.id}>"
    if "Done" in squads.labels:
        await squads.ana.click(squads.card, label="Done")
    refused = await squads.press(squads.cleo, squads.custom_id("evade"))
    assert "This choice is for Bo (defender)" in said(refused)
    await squads.bo.click(squads.card, label="Evade: 1 blank to evade")
    refused = await xwing(
        squads, squads.ana, "attack", attacker="Luke Skywalker", defender="Howlrunner", opponent=squads.cleo, bonus=True
    )
    assert "belongs to Bo" in said(refused)


async def test_who_is_forgotten_leaves_ships_that_anybody_may_play(squads: Club) -> None:
    await squads.bo.slash(squads.channel, "privacy forget")
    asked = await squads.bo.slash(squads.channel, "privacy forget")
    assert asked.response is not None
    await squads.bo.click(asked.response.message, label="Forget me")
    await xwing(squads, squads.cleo, "token give", ship="Howlrunner", token="focus")
    assert squads.sent_title == "Howlrunner gets 1 focus token."


async def test_a_weapon_is_picked_from_those_that_can_fire_first(squads: Club) -> None:
    offered = await squads.ana.autocomplete(
        squads.channel, "xwing attack", "weapon", "", attacker="Luke Skywalker", defender="Howlrunner"
    )
    assert [item["name"] for item in offered] == [
        "Primary: 3 dice, Front Arc",
        "Proton Torpedoes: requires a lock on Howlrunner",
    ]
    shot = {"attacker": "Luke Skywalker", "defender": "Howlrunner", "weapon": "Proton Torpedoes", "range": 3}
    refused = said(await xwing(squads, squads.ana, "attack", **shot))
    assert "Luke Skywalker can't fire Proton Torpedoes: it requires a lock on Howlrunner." in refused
    await xwing(squads, squads.ana, "lock", ship="Luke Skywalker", target="Howlrunner")
    squads.dice.red("hit hit hit hit")
    await xwing(squads, squads.ana, "attack", **shot)
    assert "Proton Torpedoes" in str(squads.embed.to_dict())
    await xwing(squads, squads.ana, "ship list")
    assert "Proton Torpedoes 1 of 2" in text(squads, "Luke Skywalker")


async def test_a_weapon_is_suggested_as_it_is_printed_for_the_reader(
    squads: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "language_of_reader", lambda _: LANGUAGES["de"])
    name = printed_names("de")["upgrades"]["protontorpedoes"]
    assert name != "Proton Torpedoes"
    for typed in (name[:5], "proton torp"):
        (offered,) = await squads.ana.autocomplete(
            squads.channel, "xwing attack", "weapon", typed, attacker="Luke Skywalker", defender="Howlrunner"
        )
        assert offered["name"].startswith(f"{name}: ")
        assert offered["value"] == "Proton Torpedoes", "what is sent stays"


async def test_either_player_ends_the_round_and_a_stranger_does_not(squads: Club) -> None:
    """(R) The End Phase is one for all ships, so no GM is needed for it."""
    for by, ship in ((squads.ana, "Luke Skywalker"), (squads.bo, "Howlrunner")):
        await xwing(squads, by, "token give", ship=ship, token="focus")
    assert "Only people who play here" in said(await xwing(squads, squads.cleo, "endphase"))
    await xwing(squads, squads.ana, "endphase")
    assert squads.outcome == "Round 2 begins with planning."
    await xwing(squads, squads.ana, "token give", ship="Luke Skywalker", token="focus")
    await xwing(squads, squads.bo, "endphase")
    (over,) = squads.channel.history()[-2].embeds
    assert over.fields[0].name == "1 ship changes"
    assert squads.outcome.startswith("Round 3, Planning Phase."), "below five typed phases the board came down"


# A second paste


async def test_a_second_paste_asks_and_replaces_the_ships_from_before(squads: Club) -> None:
    await xwing(squads, squads.bo, "lock", ship="Howlrunner", target="Luke Skywalker")
    await bring(squads, squads.ana, {**ANA, "pilots": [{"id": "wedgeantilles"}, {"id": "lukeskywalker"}]})
    assert squads.outcome == "You already have 3 ships here. Should Red replace them?"
    assert squads.labels == ["Replace mine", "Add to mine"]
    asked = squads.card
    assert "Only the person who pasted this squad can answer that, and only once" in said(
        await squads.bo.click(asked, label="Replace mine")
    )
    await xwing(squads, squads.ana, "ship list")
    assert len(names(squads)) == 5, "nothing has changed yet"
    await squads.ana.click(asked, label="Replace mine")
    await xwing(squads, squads.ana, "ship list")
    assert names(squads) == ["Wedge Antilles", "Howlrunner", "Luke Skywalker", "Academy Pilot"]
    assert "lock" not in text(squads, "Howlrunner"), "its target has left"
    assert "Proton Torpedoes" not in text(squads, "Luke Skywalker")
    assert "Only the person who pasted this squad can answer that, and only once" in said(
        await squads.press(squads.ana, "rc1:squad:replace", on=asked)
    ), "it was answered"
    await squads.ana.slash(squads.channel, "table undo")
    await xwing(squads, squads.ana, "ship list")
    assert len(names(squads)) == 5


async def test_each_question_is_about_the_squad_that_it_shows(squads: Club) -> None:
    await bring(squads, squads.ana, {**ANA, "pilots": [{"id": "wedgeantilles"}]})
    older = squads.card
    await bring(squads, squads.ana, {**ANA, "pilots": [{"id": "jekporkins"}]})
    newer = squads.card
    await bring(squads, squads.bo, {**BO, "pilots": [{"id": "darthvader"}]})
    last = squads.card
    assert "paste it again" in said(await squads.ana.click(older, label="Add to mine")), "that would bring Porkins"
    assert "Only the person who pasted this squad can answer that, and only once" in said(
        await squads.bo.click(newer, label="Add to mine")
    ), "that would bring Vader"
    await squads.ana.click(newer, label="Add to mine")
    await squads.bo.click(last, label="Add to mine")
    await xwing(squads, squads.ana, "ship list")
    assert {"Jek Porkins", "Darth Vader"} < set(names(squads))
    assert "Wedge Antilles" not in names(squads)


async def test_two_presses_at_once_bring_a_squad_once(squads: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await bring(squads, squads.ana, ANA)
    asked, app = squads.card, client_of(squads)
    step, waited = app.tables.step, list[int]()

    async def slowly(*given: Any, **more: Any) -> Any:
        waited.append(len(app.waiting_squads))
        if len(waited) == 1:
            raise DatabaseUnreachableError("gone")
        return await step(*given, **more)

    monkeypatch.setattr(app.tables, "step", slowly)
    assert "try again" in said(await squads.ana.click(asked, label="Add to mine"))
    await squads.ana.click(asked, label="Add to mine")
    assert waited == [0, 0], "whoever comes meanwhile finds nothing to bring; what has failed waits again"
    await xwing(squads, squads.ana, "ship list")
    assert len(names(squads)) == 8


async def test_a_second_paste_that_is_added_is_numbered_and_a_restart_asks_for_it_again(club: Club) -> None:
    await bring(club, club.ana, ANA)
    await again(club, club.ana, ANA)
    assert club.outcome == "Red joins the table: 3 ships."
    assert names(club) == ["Luke Skywalker #2", "Blue Squadron Escort #3", "Blue Squadron Escort #4"]
    assert club.labels == [], "under ruleset 2.5 the dice say who is first"
    await bring(club, club.ana, ANA)
    await club.restart()
    assert "paste it again" in said(await club.ana.click(club.card, label="Replace mine"))


async def test_ships_of_ones_own_are_there_already_and_belong_to_who_added_them(club: Club) -> None:
    await xwing(club, club.ana, "ship add", name="Tam", numbers="3/2/4/2 i5")
    refused = said(await xwing(club, club.bo, "token give", ship="Tam", token="focus"))
    assert refused == "Tam belongs to Ana, so only Ana or a GM can do that."
    await bring(club, club.ana, ANA)
    assert club.outcome == "You already have 1 ship here. Should Red replace them?"
    await club.ana.click(club.card, label="Add to mine")
    await bring(club, club.bo, BO)
    await xwing(club, club.ana, "ship list")
    assert len(names(club)) == 6


async def test_a_text_list_says_its_points_and_what_it_read(club: Club) -> None:
    await xwing(club, club.ana, "squad", text="Luke Skywalker (62)\n  Proton Torpedos (14)\n  R2-D2 (8)\nTotal: 84")
    assert club.outcome == "Rebel Alliance joins the table: 1 ship, 70 points.", "what is no card counts none"
    assert text(club, "Luke Skywalker").endswith(", R2-D2.")
    said = "I don't understand `Proton Torpedos`. Did you mean Proton Torpedoes? I left it out."
    assert said in (club.embed.footer.text or "")


# Which player somebody is


async def test_a_side_without_a_squad_changes_which_player_somebody_is(club: Club) -> None:
    """It has to be no second paste, and nothing that was said is dropped."""
    await bring(club, club.ana, ANA)
    await xwing(club, club.bo, "squad", side="second")
    assert club.sent["custom_id"] == "rc1:squad:pastesecond", "who has no ships here is asked for a squad"
    bot: Any = club.env.bot

    async def sides() -> tuple[int, int]:
        table = await bot.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
        return table["the match"].first, table["the match"].second

    shown = await xwing(club, club.bo, "squad", side="second")
    await club.bo.submit_modal(shown, {"xws": json.dumps(BO)})
    first = await sides()
    assert first[0] == 0
    assert first[1] != 0, "Bo said so before he pasted"
    await xwing(club, club.bo, "squad", side="first")
    assert await sides() == (first[1], 0)
    assert club.sent_title == "Bo is the first player."


async def test_who_has_only_a_place_in_the_turn_order_chooses_no_side(club: Club, gm: simcord.MemberActor) -> None:
    await gm.slash(club.channel, "ruleset set", setting="xwing_ruleset", value="2.0")
    await bring(club, club.ana, ANA)
    card = club.card
    await club.cleo.slash(club.channel, "initiative start")
    refused = await club.cleo.click(card, label="I'm the first player")
    assert "You have no ships here" in said(refused)
    await club.ana.click(card, label="I'm the first player")
    assert "Ana" in (next(item for item in club.channel.history() if item.id == card.id).content or "")


async def test_under_the_new_rules_no_squad_asks_who_is_first(club: Club) -> None:
    """The dice say it, in each Planning Phase."""
    await bring(club, club.ana, ANA)
    assert not club.card.components
    await bring(club, club.bo, BO)
    assert "I'm the first player" not in str(club.channel.history(viewer=club.bo))
