"""`/xwing` as people type and press it: the expected dice and results are worked out by hand from the rules page."""

import io
from typing import Any

import pytest
import simcord
from PIL import Image

from bot.render import paint
from bot.render.paint import compose_picture
from bot.rules.text import english
from bot.sessions.request import Place
from bot.sessions.tables import Tables
from cogs.xwing import options
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot


async def test_who_is_called_to_an_attack_that_begins_with_the_other_side_reads_why(club: Club) -> None:
    club.dice.red("hit focus")
    await club.attack(dice=2, agility=0, opponent=club.bo, **{"with": "focus"})
    assert "Ana's turn" in (club.embed.description or "")
    assert club.card.content == f"Against <@{club.bo.id}>"


async def test_an_attack_between_two_bare_ships_is_one_command(club: Club) -> None:
    club.dice.red("hit hit crit")
    club.dice.green("evade blank")
    answer = await club.attack(dice=3, agility=2, opponent=club.bo)

    assert answer.acknowledged
    assert not answer.ephemeral
    assert club.outcome == "Ana hits Bo: 1 hit and 1 crit."
    assert club.labels == ["Attack again"]
    assert club.card.content == "", "nobody is called to an attack that is over"
    fields = await club.facts()
    assert fields["Attacker: Ana"] == "weapon value 3"
    assert fields["Defender: Bo"] == "agility 2"
    assert (await club.how()).count("; the ") == 3, "step 8 reminds of four windows"


async def test_the_picture_shows_the_dice_and_says_them_in_words(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paint, "compose_picture", compose_picture)
    club.dice.red("hit crit")
    club.dice.green("evade")
    await club.attack(dice=2, agility=1)

    (picture,) = club.card.attachments
    assert picture.description == "Attack dice: hit (canceled), crit. Defense dice: evade"
    assert club.embed.image.url == f"attachment://{picture.filename}"
    shown = Image.open(io.BytesIO(await picture.read()))
    assert shown.format == "PNG"
    assert shown.convert("RGBA").getchannel("A").getpixel((0, 0)) == 0, "the tray has round corners"


@pytest.mark.parametrize(
    ("options", "red", "green"),
    [
        ({"range_": 1}, 3, 2),
        ({"range_": 3, "ordnance": True, "obstructed": True}, 2, 3),
        ({"with_": "+2 dice", "against": "+1 dice, -1 die red"}, 3, 3),
    ],
)
async def test_options_decide_how_many_dice_fall(club: Club, options: dict[str, object], red: int, green: int) -> None:
    club.dice.red("blank " * red)
    club.dice.green("blank " * green)
    await club.attack(dice=2, agility=2, **options)
    rolled = [line for line in (await club.how()).splitlines() if "dice rolled" in line]
    assert [line.count("blank") for line in rolled] == [red, green]


async def test_a_whole_attack_with_everything(club: Club) -> None:
    """Lock, calculate, force, focus and a card; then evade, focus, reinforce; to a faceup card on the hull."""
    await club.attack(dice=4, with_="focus, lock, calculate, force 2, change 1 hit to crit", opponent=club.bo)
    club.dice.red("focus blank hit focus")  # they are laid out: hit, focus, focus, blank
    await club.defend(club.bo, "2", "focus, evade, reinforce, hull 3")
    assert club.outcome == "Ana against Bo: 1 hit."
    assert club.labels == [
        "Focus: 2 to hits",
        "Calculate: 1 focus to hit",
        "Force: 1 focus to hit (2 left)",
        "Card: 1 hit to crit",
        "Done",
        "Lock: reroll",
    ]

    club.dice.red("focus")
    await club.ana.select(club.card, ["3"], custom_id=club.custom_id("lock"))
    assert club.outcome == "Ana against Bo: 1 hit."
    await club.ana.click(club.card, label="Calculate: 1 focus to hit")
    await club.ana.click(club.card, label="Force: 1 focus to hit (2 left)")
    assert club.labels == ["Focus: 1 to hit", "Force: 1 focus to hit", "Card: 1 hit to crit", "Done"]
    await club.ana.click(club.card, label="Card: 1 hit to crit")
    club.dice.green("blank focus")
    await club.ana.click(club.card, label="Focus: 1 to hit")

    # Nothing is left for the attacker, so that window closed by itself and the defense dice fell.
    assert club.outcome == "Ana against Bo, defense: 1 focus."
    assert club.labels == ["Focus: 1 to evade", "Evade: 1 blank to evade", "Done"]
    await club.bo.click(club.card, label="Evade: 1 blank to evade")
    await club.bo.click(club.card, label="Focus: 1 to evade")

    # 3 hits and 1 crit against 2 evades leave 2; the reinforce token adds one evade, never for the last one.
    assert club.outcome == "Ana hits Bo: 1 crit. Hull 3 to 2."
    assert club.labels == ["Attack again"]
    fields = await club.facts()
    assert fields["Attacker: Ana"] == "weapon value 4, force", "the other tokens are spent"
    assert "reinforce" in (fields["Defender: Bo"] or ""), "a reinforce token stays"
    assert "hull 3: 1 faceup card" in (fields["Defender: Bo"] or "")
    trail = await club.how()
    assert "Lock rerolls: blank → focus" in trail
    assert "Calculate changes: focus → hit" in trail
    assert "Evade changes: blank → evade" in trail


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"with_": "focus, lok"}, ["`with`", "`lok`", "Did you mean `lock`?"]),
        ({"against": "evade"}, ["`agility`", "`against`"]),
        ({"agility": 1, "range_": 0, "ordnance": True}, ["`range`", "1 to 3"]),
        ({"with_": "🎲 ``` @everyone"}, ["`with`"]),
    ],
)
async def test_words_that_do_not_parse_are_pointed_at_privately(
    club: Club, options: dict[str, object], words: list[str]
) -> None:
    refused = await club.attack(dice=3, **options)
    for word in words:
        assert word in said(refused)
    assert said(refused).count("```") in (0, 2), "what would have worked, and nothing else"
    assert "Something broke" not in said(refused)
    assert club.channel.history(viewer=club.bo) == [], "nobody else sees it"


@pytest.mark.parametrize("options", [{"dice": 7}, {"dice": -1}, {"dice": 3, "agility": 7}, {"dice": 3, "range_": 4}])
async def test_discord_itself_refuses_numbers_out_of_range(club: Club, options: dict[str, object]) -> None:
    with pytest.raises(simcord.OptionError):
        await club.attack(**options)


async def test_loose_dice(club: Club) -> None:
    club.dice.red("blank hit")
    club.dice.green("focus")
    await club.ana.slash(club.channel, "xwing roll", red=2, green=1)
    assert club.outcome == "Ana rolls red dice: 1 hit, 1 blank; green dice: 1 focus."
    assert club.labels == [
        "Roll all again",
        "Add a red die",
        "Add a green die",
        "Reroll: choose dice",
        "Cocked die: reroll it",
    ]


async def test_loose_dice_without_dice_are_refused(club: Club) -> None:
    assert "`red`" in said(await club.ana.slash(club.channel, "xwing roll", red=0))


async def test_it_works_in_a_direct_message(club: Club) -> None:
    club.dice.red("hit")
    club.dice.green("blank")
    await club.ana.user.send_dm("hello")
    await club.ana.user.slash("xwing attack", dice=1, agility=1)
    newest = club.ana.user.dm_channel.last_message
    assert newest is not None
    assert newest.embeds[0].title == "Ana hits the defender: 1 hit."


def test_the_options_are_described_in_few_words() -> None:
    texts = {option.name: option.about for option in (*options.ATTACK, *options.ODDS, *options.CARD)}
    assert {name: text for name, text in texts.items() if len(english(text)) > 75} == {}, (
        "other languages need more room"
    )


async def test_only_a_command_that_names_a_ship_reads_the_ships_of_the_channel(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []
    ships = Tables.pieces

    async def counted(tables: Tables, place: Place, game: str) -> dict[str, Any]:
        reads.append(game)
        return await ships(tables, place, game)

    monkeypatch.setattr(Tables, "pieces", counted)
    club.dice.red("hit")
    await club.ana.slash(club.channel, "xwing roll", red=1)
    await club.ana.slash(club.channel, "xwing odds", dice=2)
    assert reads == []
    assert "Wedge" in said(await club.ana.slash(club.channel, "xwing odds", attacker="Wedge"))
    assert reads == ["xwing"]
