"""`/infinity` as people type it: the rules page's examples with its printed outcomes, and what cannot be typed."""

import pytest
import simcord

from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot


async def typed(club: Club, command: str, **options: object) -> simcord.InteractionResult:
    return await club.ana.slash(club.channel, f"infinity {command}", **options)


def will_show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


# The rules page, Face to Face Roll: the table of examples


@pytest.mark.parametrize(
    ("angus", "ortega", "outcome"),
    [
        ({"dice": "9, 4"}, {"vs_dice": "5"}, "Angus wins, 1 hit."),
        ({"dice": "13"}, {"vs_dice": "20"}, "Nobody wins: all dice miss."),
    ],
)
async def test_the_examples_with_dice_as_they_lie(
    club: Club, angus: dict[str, str], ortega: dict[str, str], outcome: str
) -> None:
    await typed(club, "versus", sv=12, name="Angus", vs_sv=11, vs_name="Ortega", **angus, **ortega)
    assert club.outcome == outcome


# The rules page, Who rolls against whom: whole orders


async def test_an_order_through_the_form(club: Club) -> None:
    """A slash option is one line; without it a form with a paragraph opens."""
    shown = await typed(club, "order")
    assert shown.modal is not None
    assert shown.modal["title"] == "Infinity order"
    (label,) = shown.modal["components"]
    assert label["component"]["style"] == 2, "a paragraph, so that lines can be typed"
    will_show(club, 9, 4, 5, 9)
    await club.ana.submit_modal(shown, {"order": "Angus 12 b2 vs Ortega 11\nMurat 13 normal vs Angus\n"})
    assert club.outcome == "Angus beats Ortega, 1 hit. Murat scores 1 hit on Angus."


async def test_the_form_counts_after_a_restart(club: Club) -> None:
    shown = await typed(club, "order")
    await club.restart()
    will_show(club, 9, 5)
    await club.ana.submit_modal(shown, {"order": "Angus 12 vs Ortega 11"})
    assert club.outcome == "Angus wins, 1 hit."


async def test_a_form_that_does_not_parse_loses_nothing(club: Club) -> None:
    shown = await typed(club, "order")
    long = "\n".join(["Angus 12 b2 vs Ortega 11"] * 12)
    whisper = said(await club.ana.submit_modal(shown, {"order": f"{long}\nAna 10 doge vs Angus"}))
    assert "I don't understand `doge` in `line 13`. Did you mean `dodge`?" in whisper
    assert f"```order\n{long}\nAna 10 doge vs Angus\n```" in whisper
    assert club.channel.history(viewer=club.bo) == []


# Normal Rolls and Success Values


@pytest.mark.parametrize(
    ("options", "faces", "outcome"),
    [
        ({"sv": 12, "burst": 3}, [3, 12, 13], "Ana scores 2 hits (1 Critical)."),
        ({"sv": 12, "mods": "-3"}, [10], "Ana misses."),
        ({"sv": 12, "mods": "-3 +1sd"}, [15, 9], "Ana scores 1 Critical."),
        ({"sv": -3}, [], "Ana misses."),
    ],
)
async def test_normal_rolls(club: Club, options: dict[str, object], faces: list[int], outcome: str) -> None:
    will_show(club, *faces)
    await typed(club, "roll", **options)
    assert club.outcome == outcome


async def test_roll_again_rolls_with_the_same_values(club: Club) -> None:
    will_show(club, 13, 14)
    await typed(club, "roll", sv=12, burst=2)
    assert club.labels == ["Again"]
    will_show(club, 3, 5)
    await club.ana.click(club.card, label="Again")
    assert club.outcome == "Ana scores 2 hits."
    newest, first = sorted(club.channel.history(viewer=club.ana), key=lambda message: -message.id)
    assert first.embeds[0].title != club.outcome, "the first card stays"
    left = [getattr(item, "label", "") for row in first.components for item in getattr(row, "children", ())]
    assert left == ["How?"], "the same values are rolled again on the new card"
    assert (newest.embeds[0].description or "").endswith(
        f"Second roll with the same values: [previous roll]({first.jump_url})"
    )


# Saving Rolls by command


@pytest.mark.parametrize(
    ("options", "faces", "outcome"),
    [
        (
            {"hits": 0, "crits": 1, "ammo": "T2", "ps": 7, "arm": 3},
            [11, 12],
            "The target fails 2 of 2 Saving Rolls: 3 Wounds.",
        ),
        (
            {"hits": 1, "ammo": "Plasma", "ps": 7, "arm": 3, "bts": 6},
            [11, 13],
            "The target fails 1 of 2 Saving Rolls: 1 Wound.",
        ),
    ],
)
async def test_saving_rolls(club: Club, options: dict[str, object], faces: list[int], outcome: str) -> None:
    will_show(club, *faces)
    await typed(club, "save", **options)
    assert club.outcome == outcome


# What cannot be typed: the field, what it was, what is allowed; nothing is rolled


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("roll", {"sv": 12, "mods": "3"}, ["`mods`", "`3`", "The sign is missing", "`+3` or `-3`"]),
        ("roll", {"sv": 12, "burst": 2, "dice": "9"}, ["`9`", "exactly 2"]),
        ("roll", {"sv": 12, "dice": "21"}, ["`dice`", "`21`", "1 to 20"]),
        ("versus", {"sv": 12, "vs_burst": 2}, ["`vs_sv`", "Use their Success Value too"]),
        ("versus", {"sv": 12, "vs_sv": 11, "vs_mods": "ten"}, ["`vs_mods`", "`ten`"]),
        ("versus", {"sv": 12, "vs_sv": 11, "vs_dice": "21"}, ["`vs_dice`", "`21`", "1 to 20"]),
        (
            "order",
            {"text": "Angus 12 vs Ortega 11; Murat 13 norml"},
            ["I don't understand `norml` in `line 2`", "`norml`", "mean `normal`"],
        ),
        ("save", {"hits": 0, "ammo": "N", "ps": 7, "arm": 3}, ["`hits`", "at least one hit or Critical"]),
        ("save", {"hits": 1, "ammo": "N", "arm": 3}, ["`ps`", "0 to 20"]),
        ("save", {"hits": 1, "ammo": "DA", "ps": 7, "arm": 3, "dice": "8"}, ["`dice`", "exactly 2, one for each"]),
    ],
)
async def test_what_cannot_be_typed_is_refused_in_words(
    club: Club, command: str, options: dict[str, object], words: list[str]
) -> None:
    whisper = said(await typed(club, command, **options))
    for word in words:
        assert word in whisper, whisper
    assert club.channel.history(viewer=club.bo) == []


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("roll", {"sv": 41}),
        ("roll", {"sv": 12, "burst": 7}),
        ("versus", {"sv": 12, "kind": "jump"}),
        ("versus", {"sv": 12, "vs_sv": 41}),
        ("versus", {"sv": 12, "name": "x" * 33}),
        ("order", {"text": "x" * 1001}),
        ("save", {"hits": 13, "ammo": "N", "ps": 7, "arm": 3}),
        ("save", {"hits": 1, "ammo": "Nails", "ps": 7, "arm": 3}),
    ],
)
async def test_discord_refuses_what_is_out_of_range(club: Club, command: str, options: dict[str, object]) -> None:
    with pytest.raises(simcord.SetupError):
        await typed(club, command, **options)


async def test_a_made_up_press_on_a_form_opens_it_and_rolls_nothing(club: Club) -> None:
    """Its id opens it again after "Fix it"; whoever makes it up gets the form of the command, and nothing else."""
    will_show(club, 13)
    await typed(club, "roll", sv=12)
    shown = len(club.channel.history(viewer=club.bo))
    made_up = await club.press(club.ana, "rc1:new:infinity")
    assert made_up.modal is not None
    assert made_up.response is None
    assert len(club.channel.history(viewer=club.bo)) == shown


@pytest.mark.parametrize("custom_id", ["rc1:new:chess", "rc1:new:"])
async def test_a_made_up_press_opens_no_roll(club: Club, custom_id: str) -> None:
    will_show(club, 13)
    await typed(club, "roll", sv=12)
    assert "I don't know this button" in said(await club.press(club.ana, custom_id))
    assert len(club.channel.history(viewer=club.bo)) == 1
