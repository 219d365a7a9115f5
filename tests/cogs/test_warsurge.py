"""`/warsurge` as people type it: the rules page's examples with its printed needs, and what cannot be typed."""

import pytest
import simcord

from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

AGAIN = "Again"


async def typed(club: Club, command: str, **options: object) -> simcord.InteractionResult:
    return await club.ana.slash(club.channel, f"warsurge {command}", **options)


def will_show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


def facts(club: Club) -> dict[str | None, str]:
    return {field.name: field.value or "" for field in club.embed.fields}


def small(club: Club) -> str:
    return club.embed.footer.text or ""


# Attacks


async def test_an_attack_with_everything(club: Club) -> None:
    """3 against 6 by Balanced: a six, then 4 or more with the same die; each success may be saved on 5+."""
    will_show(club, 6, 4, 6, 3, 5, 6, 6, 2, 5)
    await typed(club, "attack", power=3, defence=6, dice=4, method="balanced", save="5+")
    assert club.outcome == "2 of 4 attack dice succeed, 1 of 2 armour saves made: 1 HP lost."
    assert "Attack dice: 6→4, 6→3, 5, 6→6" in await club.how()
    assert "Line: Defence is 5 or more and at least twice Power (Power 3, Defence 6)" in (await club.facts())["Method"]
    (picture,) = club.card.attachments
    assert "6 then 4 succeeds, 6 then 3 fails, 5 fails, 6 then 6 succeeds" in (picture.description or "")
    assert "Armour saves 5+: 2 fails, 5 succeeds" in (picture.description or "")


async def test_roll_again_belongs_to_whoever_rolled(club: Club) -> None:
    will_show(club, 1, 1)
    await typed(club, "attack", power=3, defence=3, dice=2)
    assert "Ana (attacker)" in said(await club.bo.click(club.card, label=AGAIN))
    await club.restart()
    will_show(club, 4, 5)
    await club.ana.click(club.card, label=AGAIN)
    assert club.outcome == "2 of 2 attack dice succeed: 2 HP lost."
    assert len(club.channel.history(viewer=club.cleo)) == 2, "the first card stays"


# Dice rolled by hand


async def test_dice_by_hand_are_counted_and_signed(club: Club) -> None:
    """The rules page's own way to write a chain: `6 5, 3, 6 2`."""
    await typed(club, "attack", power=3, defence=6, method="balanced", faces="6 5, 3, 6 2")
    assert club.outcome == "1 of 3 attack dice succeeds: 1 HP lost."
    assert small(club).endswith("Dice entered by Ana")
    assert club.labels == [], "what was rolled by hand is not rolled again"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"power": 3, "defence": 3, "dice": 2, "faces": "4"}, ["`faces`", "`4`", "exactly 2"]),
        (
            {"power": 3, "defence": 6, "method": "balanced", "faces": "6 4, 3 4"},
            ["die 2", "`3 4`", "Use only `3`, because 6/4+ stops there"],
        ),
    ],
)
async def test_dice_that_cannot_lie_so_are_refused(club: Club, options: dict[str, object], words: list[str]) -> None:
    whisper = said(await typed(club, "attack", **options))
    for word in words:
        assert word in whisper, whisper
    assert club.channel.history(viewer=club.bo) == []


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("attack", {"power": -1, "defence": 3}),
        ("attack", {"power": 3, "defence": 3, "dice": 101}),
        ("attack", {"power": 3, "defence": 3, "method": "random"}),
        ("attack", {"power": 3, "defence": 3, "save": "7+"}),
        ("compare", {"power": 3, "defence": 3, "dice": 101}),
    ],
)
async def test_discord_refuses_what_is_out_of_range(club: Club, command: str, options: dict[str, object]) -> None:
    with pytest.raises(simcord.SetupError):
        await typed(club, command, **options)


# What the methods say


async def test_the_comparison_is_exact(club: Club) -> None:
    await typed(club, "compare", power=3, defence=6, dice=4)
    said_of = facts(club)
    assert said_of["Casual"] == "need 6+ · any HP loss: 52%", "each average stands in the sentence"
    assert club.outcome == "HP lost on average: Casual 0.67, Balanced 0.33, Attack Dice Chart 0.56.", (
        "4 dice of 1/6, of 1/12, of 5/36"
    )


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ({"power": 3, "defence": 6}, "Power 3 against Defence 6, need 6/2: a 6, then 2 or more with the same die."),
        ({"power": 3}, "What Power 3 needs against each Defence."),
        ({"defence": 6}, "What each Power needs against Defence 6."),
        ({}, "What each attack die needs: Power in rows, Defence in columns."),
    ],
)
async def test_the_chart_is_a_picture_with_the_cell_marked(club: Club, options: dict[str, int], outcome: str) -> None:
    await typed(club, "chart", **options)
    assert club.outcome == outcome
    assert club.labels == []
    (picture,) = club.card.attachments
    assert club.embed.image.url == f"attachment://{picture.filename}"
    assert (outcome in (picture.description or "")) == bool(options)


# Units with weapons and HP


async def keep(club: Club, name: str, stats: str) -> None:
    await typed(club, "profile set", name=name, stats=stats)


async def two_units(club: Club) -> None:
    await keep(club, "Murat", "Defence 3, HP 8; Rifle: Power 4, Dice 3, AP 1; Cannon: Power 12")
    await keep(club, "Ortega", "Defence 4, Save 4+, HP 3")


async def on_the_table(club: Club) -> dict[str | None, str]:
    await club.ana.slash(club.channel, "table show")
    return facts(club)


async def test_a_volley_costs_its_target_hp_and_undo_brings_them_back(club: Club) -> None:
    await two_units(club)
    will_show(club, 4, 3, 6, 5, 4, 3)
    await typed(club, "attack", attacker="Murat", weapons="Rifle, Cannon", target="Ortega")
    assert club.outcome == "Murat attacks Ortega with Rifle and Cannon: 2 HP lost, 1 of 3 left."
    weapons = await club.facts()
    assert weapons["Rifle"].splitlines()[-1] == "2 of 3 attack dice succeed, 1 of 2 armour saves made: 1 HP lost."
    assert weapons["Cannon"].splitlines()[0] == "Power 12 against Defence 4"
    assert "AP 1 makes the armour save 5+" in small(club)
    assert (await on_the_table(club))["Ortega"] == "Defence 4, Save 4+, HP 1 of 3"
    await club.ana.slash(club.channel, "table undo")
    await club.bo.click(club.card, label="Allow")
    assert (await on_the_table(club))["Ortega"] == "Defence 4, Save 4+, HP 3"


async def test_a_unit_is_attacked_until_it_is_destroyed(club: Club) -> None:
    await two_units(club)
    will_show(club, 1, 1, 1)
    await typed(club, "attack", attacker="Murat", weapons="cannon", target="Ortega")
    assert club.outcome == "Murat attacks Ortega with Cannon: 1 HP lost, 2 of 3 left."
    await club.ana.click(club.card, label="Again")
    assert club.outcome == "Murat attacks Ortega with Cannon: 1 HP lost, 1 of 2 left."
    await club.ana.click(club.card, label="Again")
    assert club.outcome == "Murat attacks Ortega with Cannon: 1 HP lost. Ortega had 1 HP and is destroyed."
    assert club.labels == []
    assert "Ortega has no HP left" in said(await typed(club, "attack", power=3, target="Ortega"))
    assert "Ortega · destroyed" in await on_the_table(club)
    await typed(club, "profile hp", name="ortega", left=2)
    assert club.sent_title == "Ortega has 2 of 3 HP.", "the board shows it to the others"
    await typed(club, "profile hp", name="ortega")
    assert club.sent_title == "Ortega has 3 of 3 HP."


async def test_a_unit_with_several_weapons_is_asked_with_which_it_attacks(club: Club) -> None:
    await keep(club, "Guards", "Defence 3, HP 8; Sword: Power 4; Rifle: Power 6, Dice 2")
    await keep(club, "Orks", "Defence 4, HP 9")
    shown = await typed(club, "attack", attacker="guards", target="Orks", method="balanced")
    assert shown.modal is not None
    fields = [item["component"] for item in shown.modal["components"]]
    assert [field["custom_id"] for field in fields] == ["attacker", "weapons", "target", "method"]
    assert [item["label"] for item in fields[1]["options"]] == ["Sword", "Rifle"]
    assert [item["description"] for item in fields[1]["options"]] == ["Power 4", "Power 6, Dice 2"]
    picked = {"attacker": ["Guards"], "target": ["Orks"], "method": ["balanced"]}
    will_show(club, 5)
    await club.ana.submit_modal(shown, picked | {"weapons": ["Sword"]})
    assert club.outcome.startswith("Guards attacks Orks with Sword: ")
    shown = await typed(club, "attack", attacker="Orks", target="Guards")
    assert "Orks has no weapon" in said(shown), "there is nothing to ask"


async def test_a_form_offers_the_weapons_of_all_units_to_tick(club: Club) -> None:
    await keep(club, "Guards", "Defence 3, HP 8; Sword: Power 4; Rifle: Power 6, Dice 2")
    await keep(club, "Scouts", "Defence 4, HP 9; Rifle: Power 5")
    shown = await typed(club, "attack")
    assert shown.modal is not None
    arms = shown.modal["components"][2]["component"]
    assert [(item["label"], item["description"]) for item in arms["options"]] == [
        ("Sword", "Guards"),
        ("Rifle", "Guards, Scouts"),
    ]
    will_show(club, 5, 6)
    await club.ana.submit_modal(shown, {"attacker": "Guards", "target": "Scouts", "weapons": ["Rifle"]})
    assert club.outcome.startswith("Guards attacks Scouts with Rifle: ")
    shown = await typed(club, "attack")
    will_show(club, 1, 5, 6)
    await club.ana.submit_modal(shown, {"attacker": "Guards", "target": "Scouts"})
    assert club.outcome.startswith("Guards attacks Scouts with Sword and Rifle: "), "a form cannot ask once more"


async def test_the_opponent_rolls_the_armour_saves(club: Club) -> None:
    await two_units(club)
    will_show(club, 4, 3, 6)
    shown = await typed(club, "attack", attacker="Murat", target="Ortega", opponent=club.bo.user)
    await club.ana.submit_modal(shown, {"attacker": ["Murat"], "weapons": ["Rifle", "Cannon"], "target": ["Ortega"]})
    assert club.outcome == "Murat attacks Ortega with Rifle and Cannon: 3 armour saves to roll."
    assert club.labels == ["Roll the armour saves", "Enter the armour saves"]
    will_show(club, 5, 4, 3)
    await club.bo.click(club.card, label="Roll the armour saves")
    assert club.outcome == "Murat attacks Ortega with Rifle and Cannon: 2 HP lost, 1 of 3 left."
    assert (await on_the_table(club))["Ortega"] == "Defence 4, Save 4+, HP 1 of 3"


async def test_the_odds_of_a_volley_say_how_likely_the_target_is_destroyed(club: Club) -> None:
    await keep(club, "Ortega", "Defence 4, Save 5+, HP 2")
    await typed(club, "odds", target="Ortega", weapons="Rifle: Power 4; Cannon: Power 8, AP 1")
    assert club.outcome == "Average HP loss: 1.03."
    assert facts(club)["Casual"].splitlines() == [
        "Rifle, 1 die: need 4+, armour save 5+",
        "Cannon, 1 die: need 2+, armour save 6+",
        "any HP loss: 80%",
        "Ortega is destroyed (HP 2): 23%",
    ]


async def test_the_comparison_knows_saves_and_units(club: Club) -> None:
    await typed(club, "compare", power=4, defence=4, dice=3, save="5+")
    assert club.outcome == "HP lost on average: Casual 1, Balanced 1, Attack Dice Chart 1."
    assert "armour save 5+" in facts(club)["Casual"]
    await two_units(club)
    await typed(club, "compare", attacker="Murat", target="Ortega")
    assert facts(club)["Casual"].split(" · ")[:2] == [
        "Rifle, 3 dice: need 4+, armour save 5+",
        "Cannon, 1 die: need A, armour save 4+",
    ]
    assert facts(club)["Balanced"].split(" · ")[-1].startswith("Ortega is destroyed (HP 3): ")


async def test_names_of_units_and_weapons_are_suggested(club: Club) -> None:
    await two_units(club)

    async def offered(option: str, text: str = "", **given: str) -> list[object]:
        choices = await club.bo.autocomplete(club.channel, "warsurge attack", option, text, **given)
        return [choice["value"] for choice in choices]

    assert await offered("weapons", attacker="murat") == ["Rifle", "Cannon"]
    assert await offered("weapons", "Cannon, ri", attacker="Murat") == ["Cannon, Rifle"]
    assert await offered("weapons") == []

    assert await offered("target", "ort") == ["Ortega"]
    assert await offered("attacker") == ["Murat", "Ortega"]
    assert await offered("power") == [4, 12]
    assert await offered("defence", "murat") == [3]
