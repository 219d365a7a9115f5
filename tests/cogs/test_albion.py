"""`/albion` as people type it: the rules page's soldier with its printed thresholds, and what cannot be typed."""

import pytest
import simcord

from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

SOLDIER = {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3}
AGAIN = "Again"


async def typed(club: Club, **options: object) -> simcord.InteractionResult:
    return await club.ana.slash(club.channel, "albion attack", **options)


def will_show(club: Club, d36: int, d6: int, d1: int) -> None:
    club.dice.will_show(d36 // 36, d6 // 6, d1)


def facts(club: Club) -> dict[str | None, str]:
    return {field.name: field.value or "" for field in club.embed.fields}


def small(club: Club) -> str:
    return (club.embed.footer.text or "").splitlines()[-1]


@pytest.mark.parametrize(
    ("faces", "outcome", "luck"),
    [
        (
            (72, 0, 1),
            "Hit, 73 beats 72; 73 doesn't beat 198 for a focus point: power x1.",
            "worse than 66% of rolls like this",
        ),
        ((180, 18, 1), "Focus point! 199 beats 198: power x1.5.", "better than 92% of rolls like this"),
    ],
)
async def test_the_soldier_at_each_threshold(club: Club, faces: tuple[int, int, int], outcome: str, luck: str) -> None:
    will_show(club, *faces)
    await typed(club, **SOLDIER)
    assert club.outcome == outcome
    assert (await club.facts())["Thresholds"] == "miss 0-72, hit 73-198, focus point 199-215"
    chances = "chance of a hit 66% · chance of a focus point 8%"
    assert chances in await club.how(), "143 and 17 of 216"
    assert small(club) == f"Ana's luck: {luck}", "72, 73, 17 and 16 of 216"


async def test_the_picture_says_its_dice(club: Club) -> None:
    will_show(club, 72, 0, 1)
    await typed(club, **SOLDIER)
    (picture,) = club.card.attachments
    assert (picture.description or "").startswith("Dx36 72 + Dx6 0 + Dx1 1 = 73, a hit")


async def test_roll_again_belongs_to_whoever_rolled(club: Club) -> None:
    will_show(club, 0, 0, 0)
    await typed(club, **SOLDIER)
    assert "Ana (attacker)" in said(await club.bo.click(club.card, label=AGAIN))
    will_show(club, 180, 30, 5)
    await club.ana.click(club.card, label=AGAIN)
    assert club.outcome.startswith("Focus point!")


async def test_dice_by_hand_are_summed_and_signed(club: Club) -> None:
    await typed(club, **SOLDIER, faces="72 0 1")
    assert club.outcome.startswith("Hit, 73 beats 72")
    assert small(club).endswith("Dice entered by Ana")
    assert club.labels == [], "what was rolled by hand is not rolled again"


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ("108 0", ["`faces`", "`108 0`", "Use one face each of Dx36, Dx6, and Dx1, like `72 0 1"]),
        ("70 0 1", ["`faces, Dx36`", "`70`", "`0`, `36`, `72`, `108`, `144`, or `180`"]),
    ],
)
async def test_dice_that_do_not_exist_are_refused(club: Club, faces: str, words: list[str]) -> None:
    whisper = said(await typed(club, **SOLDIER, faces=faces))
    for word in words:
        assert word in whisper, whisper
    assert club.channel.history(viewer=club.bo) == []


@pytest.mark.parametrize(
    "options", [{"agility": 100}, {"stealth": -1}, {"awareness": 1.5}, {"power": -1}, {"power": 1_000_001}]
)
async def test_discord_refuses_what_is_out_of_range(club: Club, options: dict[str, object]) -> None:
    with pytest.raises(simcord.SetupError):
        await typed(club, **(SOLDIER | options))
