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
        ({"dice": "4"}, {"vs_dice": "7"}, "Ortega wins, 1 hit."),
        ({"dice": "9, 4"}, {"vs_dice": "5"}, "Angus wins, 1 hit."),
        ({"dice": "12, 8"}, {"vs_dice": "9"}, "Angus wins, 1 Critical."),
        ({"dice": "12 10"}, {"vs_dice": "9"}, "Angus wins, 1 hit and 1 Critical."),
        ({"dice": "12"}, {"vs_dice": "11"}, "Nobody wins: Criticals on both sides."),
        ({"dice": "8"}, {"vs_dice": "8"}, "Nobody wins: the best dice are tied."),
        ({"dice": "13"}, {"vs_dice": "20"}, "Nobody wins: all dice miss."),
    ],
)
async def test_the_examples_with_dice_as_they_lie(
    club: Club, angus: dict[str, str], ortega: dict[str, str], outcome: str
) -> None:
    await typed(club, "versus", sv=12, name="Angus", vs_sv=11, vs_name="Ortega", **angus, **ortega)
    assert club.outcome == outcome


async def test_equal_numbers_of_which_one_is_a_critical(club: Club) -> None:
    """Angus SV 12 rolls 11; Diaz SV 11 rolls 11: a Critical, Diaz wins."""
    will_show(club, 11, 11)
    await typed(club, "versus", sv=12, name="Angus", vs_sv=11, vs_name="Diaz")
    assert club.outcome == "Diaz wins, 1 Critical."
    assert "Angus: 11 is canceled by Critical 11" in await club.how()


async def test_every_die_is_told_with_what_canceled_it(club: Club) -> None:
    will_show(club, 9, 4, 17, 5)
    await typed(club, "versus", sv=12, burst=3, name="Angus", vs_sv=11, vs_name="Ortega")
    assert club.outcome == "Angus wins, 1 hit."
    told = await club.how()
    assert "Angus: 9 (hit), 4 is canceled by 5, 17 (miss)" in told
    assert "Ortega: 5 is canceled by 9" in told
    (picture,) = club.card.attachments
    told = "Angus wins, SV 12: 9 (hit), 4 is canceled by 5, 17 (miss). Ortega, SV 11: 5 is canceled by 9"
    assert picture.description == told


# The rules page, Who rolls against whom: whole orders


async def test_face_to_face_plus_normal(club: Club) -> None:
    """The second example of the source: Diaz shoots Angus in the back, whatever Angus and Ortega roll."""
    will_show(club, 4, 7, 9)
    await typed(club, "order", text="Angus 12 vs Ortega 11; Diaz 11 normal vs Angus")
    assert club.outcome == "Ortega beats Angus, 1 hit. Diaz scores 1 hit on Angus."
    assert club.embed.author.name == "Infinity · order"


async def test_split_burst(club: Club) -> None:
    """The third example of the source: two dice against Ortega, one against Diaz, each Face to Face."""
    will_show(club, 9, 4, 5, 11, 11)
    await typed(club, "order", text="Angus 12 b2 vs Ortega 11 / Angus 12 b1 vs Diaz 11")
    assert club.outcome == "Angus beats Ortega, 1 hit. Diaz beats Angus, 1 Critical."


async def test_one_dodge_against_several_whose_attack_on_others_stands(club: Club) -> None:
    """Ana's 8 beats Angus' 7 and not Murat's 12; Angus' hit on Bran does not care that Ana dodged."""
    will_show(club, 7, 8, 12, 9, 3)
    await typed(club, "order", text="Angus 12 vs Ana 10 dodge; Murat 13 vs Ana; Angus 12 vs Bran 8")
    assert club.outcome == "Ana dodges Angus. Murat beats Ana, 1 hit. Angus beats Bran, 1 hit."


async def test_a_template_is_one_roll_against_each(club: Club) -> None:
    will_show(club, 10, 12, 6)
    await typed(club, "order", text="Murat 13 template vs Ana 13 dodge, Bran 11 dodge")
    assert club.outcome == "Ana dodges Murat. Murat beats Bran, 1 hit."


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
        ({"sv": 12}, [12], "Ana scores 1 Critical."),
        ({"sv": 12, "burst": 3}, [3, 12, 13], "Ana scores 1 hit and 1 Critical."),
        ({"sv": 12, "mods": "-3"}, [10], "Ana misses."),
        ({"sv": 12, "mods": "-6 -9"}, [], "Ana misses."),
        ({"sv": 15, "mods": "+6, +3"}, [20], "Ana scores 1 Critical."),
        ({"sv": 12, "mods": "-3 +1sd"}, [15, 9], "Ana scores 1 Critical."),
        ({"sv": 23}, [2], "Ana scores 1 Critical."),
        ({"sv": 23}, [17], "Ana scores 1 hit."),
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
            {"hits": 2, "ammo": "N", "ps": 7, "arm": 3},
            [10, 11],
            "The target fails 1 of 2 Saving Rolls: 1 Wound.",
        ),
        (
            {"hits": 1, "ammo": "DA", "ps": 7, "arm": 3},
            [11, 12],
            "The target fails 2 of 2 Saving Rolls: 2 Wounds.",
        ),
        (
            {"hits": 0, "crits": 1, "ammo": "T2", "ps": 7, "arm": 3},
            [11, 12],
            "The target fails 2 of 2 Saving Rolls: 3 Wounds.",
        ),
        ({"hits": 1, "ammo": "AP", "damage": 13, "arm": 3}, [12], "The target passes the Saving Roll."),
        (
            {"hits": 1, "ammo": "N", "ps": 7, "arm": 3, "cover": True},
            [13],
            "The target passes the Saving Roll.",
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
        ("roll", {"sv": 12, "mods": "-3 +x"}, ["`mods`", "`+x`"]),
        ("roll", {"sv": 12, "mods": "-13"}, ["`MOD`", "-12 to 12"]),
        ("roll", {"sv": 12, "burst": 2, "dice": "9"}, ["`9`", "exactly 2"]),
        ("roll", {"sv": 12, "dice": "21"}, ["`dice`", "`21`", "1 to 20"]),
        ("roll", {"sv": 12, "dice": "0"}, ["`dice`", "`0`", "1 to 20"]),
        ("roll", {"sv": 12, "dice": "9; 4"}, ["`dice`", "`9; 4`"]),
        ("roll", {"sv": 0, "dice": "9"}, ["Leave the dice out: a Success Value of 0 fails automatically"]),
        ("versus", {"sv": 12, "vs_burst": 2}, ["`vs_sv`", "Use their Success Value too"]),
        ("versus", {"sv": 12, "vs_sv": 11, "vs_mods": "ten"}, ["`vs_mods`", "`ten`"]),
        ("versus", {"sv": 12, "vs_sv": 11, "vs_dice": "21"}, ["`vs_dice`", "`21`", "1 to 20"]),
        ("order", {"text": "Angus 12 b2 vs Ortega 11; Angus 12 b5 vs Diaz 11"}, ["Burst of Angus", "at most 6 dice"]),
        ("order", {"text": "Angus 12 vs Ortega 11; Ortega 11 vs Murat"}, ["`Ortega #2`"]),
        ("order", {"text": "Angus 12 bb2 vs Ortega 11"}, ["I don't understand `bb2` in `text`"]),
        (
            "order",
            {"text": "Angus 12 vs Ortega 11; Murat 13 norml"},
            ["I don't understand `norml` in `line 2`", "`norml`", "mean `normal`"],
        ),
        ("order", {"text": "Angus"}, ["`Angus`", "Put a Success Value after the name, as in"]),
        ("order", {"text": ";;"}, ["`text`", "1 to 12 lines"]),
        ("order", {"text": "Angus 12 vs Ortega 11, Diaz 11"}, ["Use one target per line", "split the Burst"]),
        ("order", {"text": "Angus 12 b2 rolls 9 vs Ortega 11 rolls 5"}, ["dice of Angus", "exactly 2 for Burst 2"]),
        ("save", {"hits": 0, "ammo": "N", "ps": 7, "arm": 3}, ["`hits`", "at least one hit or Critical"]),
        ("save", {"hits": 1, "ammo": "N", "arm": 3}, ["`ps`", "0 to 20"]),
        ("save", {"hits": 1, "ammo": "Stun", "ps": 7}, ["`bts`", "Stun use BTS"]),
        ("save", {"hits": 1, "ammo": "N", "ps": 7, "damage": 13, "arm": 3}, ["`ps`", "`damage`"]),
        ("save", {"hits": 1, "ammo": "Plasma", "ps": 7, "arm": 3}, ["`bts`", "Plasma"]),
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
        ("roll", {"sv": -13}),
        ("roll", {"sv": 12, "burst": 7}),
        ("roll", {"sv": 12, "burst": 0}),
        ("versus", {"sv": 12, "kind": "jump"}),
        ("versus", {"sv": 12, "vs_sv": 41}),
        ("versus", {"sv": 12, "name": "x" * 33}),
        ("order", {"text": "x" * 1001}),
        ("save", {"hits": 13, "ammo": "N", "ps": 7, "arm": 3}),
        ("save", {"hits": 1, "ammo": "Nails", "ps": 7, "arm": 3}),
        ("save", {"hits": 1, "ammo": "N", "ps": 21, "arm": 3}),
        ("save", {"hits": 1, "ammo": "N", "ps": 7, "arm": 31}),
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
