"""Troopers of a channel in a whole Discord: kept, copied, named in rolls, wounded, and taken back."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import simcord

from tests.cogs.test_infinity import typed, will_show
from tests.conftest import Club, said

ANGUS = "BS 12, WIP 13, ARM 1, BTS 0, W 1, LI, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48, Pistol: B2 PS 6 +3@8 -3@16"
ORTEGA = "BS 11, PH 10, WIP 13, ARM 1, W 2, Mimetism (-3), Pistol: B2 PS 6 Shock +3@8 0@24"


async def keep(club: Club, name: str, stats: str) -> simcord.InteractionResult:
    given: dict[str, Any] = {"name": name, "stats": stats}
    return await club.ana.slash(club.channel, "infinity profile set", **given)


async def kept(club: Club) -> dict[str, str]:
    await club.ana.slash(club.channel, "infinity profile list")
    return {field.name or "": field.value or "" for field in club.embed.fields}


async def test_names_stand_for_all_of_it(club: Club) -> None:
    """The shot of the issue: Angus' Combi at 20 inches, Ortega in cover with Mimetism, who answers with a pistol."""
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    will_show(club, 2, 5, 18, 4)
    await typed(club, "order", text="Angus Combi at 20 cover vs Ortega pistol", opponent=club.bo)
    facts = {field.name: field.value for field in club.embed.fields}
    assert facts["Sum of Angus"] == (
        "BS 12\n-3 Range 20 inches (Combi)\n-3 Partial Cover (Ortega)\n-3 Mimetism (Ortega)\n= SV 3"
    )
    assert facts["Sum of Ortega"] == "BS 11\n+0 Range 20 inches (Pistol)\n= SV 11"
    assert club.outcome == "Ortega wins, 1 hit."
    assert club.labels == ["Angus saves against Ortega's Pistol: 1 hit", "Roll again with the same values"]


async def test_a_trooper_carries_its_wounds_and_undo_takes_them_back(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    will_show(club, 9, 17, 17)
    await typed(club, "order", text="Angus Combi at 10 vs Ortega", opponent=club.bo)
    assert club.outcome == "Angus scores 1 hit on Ortega."
    shown = await club.bo.click(club.card, label="Ortega saves against Angus's Combi: 1 hit")
    will_show(club, 9)
    await club.bo.submit_modal(shown, {"weapon": "PS 7 N", "armour": "ARM 1"})
    assert club.outcome == (
        "Angus scores 1 hit on Ortega. Ortega fails the Saving Roll: 1 Wound. Ortega: 1 of 2 Wounds lost."
    )
    assert "Ortega: Guts Roll (WIP 13)." in (club.embed.description or "")
    assert club.labels == ["Guts Roll of Ortega (WIP 13)"], "its Wounds are dealt: there is no once more"
    assert (await kept(club))["Ortega"].startswith("1 of 2 Wounds lost\nBS 11")
    await club.ana.slash(club.channel, "table show")
    assert any("1 of 2 Wounds lost" in (field.value or "") for field in club.embed.fields)
    await club.bo.slash(club.channel, "table undo")
    await club.ana.click(club.card, label="Allow")
    assert (await kept(club))["Ortega"].startswith("BS 11")


async def test_the_guts_roll_is_a_press(club: Club) -> None:
    await keep(club, "Ortega", ORTEGA)
    will_show(club, 9)
    await typed(club, "save", hits=1, ammo="N", ps=7, name="Ortega")
    assert club.outcome == "Ortega fails the Saving Roll: 1 Wound. Ortega: 1 of 2 Wounds lost."
    will_show(club, 13)
    await club.bo.click(club.card, label="Guts Roll of Ortega (WIP 13)")
    assert club.outcome.endswith("Ortega passes the Guts Roll.")
    assert club.labels == []


async def test_wounds_are_dealt_to_the_trooper_as_it_stands(club: Club) -> None:
    """Two open saves of one trooper: the second card counts what the first one cost."""
    await keep(club, "Ortega", ORTEGA)
    for lost in ("1 of 2 Wounds lost", "2 of 2 Wounds lost, Unconscious"):
        will_show(club, 20)
        await typed(club, "save", hits=1, ammo="N", ps=7, name="Ortega")
        assert club.outcome.endswith(f"Ortega: {lost}.")
    will_show(club, 20)
    await typed(club, "save", hits=1, ammo="N", ps=7, name="Ortega")
    assert club.outcome.endswith("Ortega: 2 of 2 Wounds lost, Dead.")


async def test_troopers_in_the_commands(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    will_show(club, 9, 4, 3, 10)
    around = {"name": "Angus", "weapon": "combi", "around": "at 20", "vs_name": "Ortega", "vs_kind": "dodge"}
    await typed(club, "versus", **around)
    assert club.outcome == "Ortega dodges."
    will_show(club, 9, 4, 3)
    commas = {"name": "Angus", "weapon": "combi", "vs_name": "Ortega"}
    await typed(club, "roll", **commas, around="at 10, cover and surprise")
    assert "Partial Cover" in str(club.embed.to_dict())
    assert "In `around` I do not understand `fog`" in said(await typed(club, "roll", **commas, around="at 20, fog"))
    will_show(club, 13)
    await typed(club, "roll", name="Angus", kind="wip")
    assert club.outcome == "Angus passes the WIP Roll with a Critical."
    choices = await club.ana.autocomplete(club.channel, "infinity roll", "name", "an")
    assert [choice["value"] for choice in choices] == ["Angus"]
    assert "`distance of Angus` was missing" in said(await typed(club, "roll", name="Angus", weapon="Combi"))
    assert "`weapon` was `sniper`; it takes a weapon of Angus: Combi, Pistol" in said(
        await typed(club, "roll", name="Angus", weapon="sniper")
    )


async def test_profiles_are_copied_armed_and_changed(club: Club) -> None:
    await keep(club, "Fusilier", "BS 12, ARM 1, W 1")
    commands: list[tuple[str, dict[str, Any]]] = [
        ("weapon", {"name": "fusilier", "weapon": "Combi: B3 PS 7 N ARM +3@16"}),
        ("copy", {"name": "Fusilier", "new_name": "Fusilier #2"}),
        ("state", {"name": "Fusilier #2", "lost": 1, "state": "Isolated"}),
    ]
    for command, given in commands:
        await club.ana.slash(club.channel, f"infinity profile {command}", **given)
    assert await kept(club) == {
        "Fusilier": "BS 12, ARM 1, W 1, Combi: B3 PS 7 N ARM +3@16",
        "Fusilier #2": "1 of 1 Wound lost, Unconscious, Isolated\nBS 12, ARM 1, W 1, Combi: B3 PS 7 N ARM +3@16",
    }
    given = {"name": "Fusilier #2", "lost": 0, "ends": "Isolated"}
    await club.ana.slash(club.channel, "infinity profile state", **given)
    assert (await kept(club))["Fusilier #2"].startswith("BS 12")


async def test_several_people_react_and_all_dice_fall_at_once(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    await typed(club, "order", text="Angus Combi at 10 vs Ortega", aros=True)
    assert club.outcome == "Ana declares an order. Who reacts?"
    assert club.labels == ["Add an ARO", "Roll all dice", "Withdraw"]
    for person, aro in ((club.bo, "Ortega pistol"), (club.cleo, "Diaz 9")):
        shown = await person.click(club.card, label="Add an ARO")
        await person.submit_modal(shown, {"aro": aro})
    facts = {field.name: field.value for field in club.embed.fields}
    assert facts["Declared"] == "Angus Combi at 10 vs Ortega\nOrtega pistol vs Angus\nDiaz 9 vs Angus"
    assert "is for Ana (attacker)" in said(await club.bo.click(club.card, label="Roll all dice"))
    will_show(club, 10, 3, 18, 4, 8)
    await club.ana.click(club.card, label="Roll all dice")
    assert club.outcome == "Angus beats Ortega, 1 hit. Diaz scores 1 hit on Angus."
    label = "Ortega saves against Angus's Combi: 1 hit"
    assert (await club.cleo.click(club.card, label=label)).modal is not None, "each plays some of that side"
    shown = await club.bo.click(club.card, label=label)
    will_show(club, 3)
    await club.bo.submit_modal(shown, {"weapon": "PS 7 N", "armour": "ARM 1"})
    assert "Ortega passes the Saving Roll." in club.outcome


async def test_an_order_of_three_against_two_with_profiles_only(club: Club) -> None:
    """Counted: 86 keys for the order; then for each Saving Roll a press, and a press on the form that is filled.

    They say range, Mimetism, weapon, PS and armour as well.
    """
    for name in ("Angus", "Murat", "Bo"):
        await keep(club, name, ANGUS)
    for name in ("Ortega", "Diaz"):
        await keep(club, name, ORTEGA)
    text = "angus combi 10in vs ortega pistol;murat combi 10in vs diaz dodge;bo combi 10in vs diaz"
    assert len(text) <= 87, (
        "as many keys as numbers took before, and they say range, cover, Mimetism, weapon and armour"
    )
    will_show(club, 10, 1, 18, 4, 9, 3, 17, 5, 11, 20, 2)
    await typed(club, "order", text=text, opponent=club.bo)
    assert club.outcome.startswith("Angus beats Ortega, ")
    saves = [label for label in club.labels if " saves against " in label]
    for label in saves:
        shown = await club.bo.click(club.card, label=label)
        assert shown.modal is not None
        fields = [line["component"] for line in shown.modal["components"]]
        filled = {field["custom_id"]: field.get("value") or "" for field in fields}
        assert filled["weapon"] == "PS 7 N ARM"
        assert filled["armour"].startswith("ARM 1")
        hits = [int(number) for number in re.findall(r"(\d) hit", label)]
        crits = [int(number) for number in re.findall(r"(\d) Critical", label)]
        will_show(club, *[1] * (sum(hits) + 2 * sum(crits)))
        await club.bo.submit_modal(shown, filled)
    assert not any(" saves against " in label for label in club.labels)


async def test_a_trooper_comes_from_army_data(club: Club) -> None:
    army = (Path(__file__).parents[2] / "docs" / "example-army.json").read_bytes()
    options: dict[str, Any] = {"file": ("army.json", army), "unit": "rangers carbine", "name": "Ann"}
    await club.ana.slash(club.channel, "infinity profile import", **options)
    assert club.outcome == "Ann is saved."
    will_show(club, 15, 1, 2, 8)
    await typed(club, "order", text="Ann carbine at 10 vs Bo 11")
    assert club.outcome == "Nobody wins, Criticals on both sides."


async def test_a_whole_list_comes_from_an_army_code(club: Club) -> None:
    army = (Path(__file__).parents[2] / "docs" / "example-army.json").read_bytes()
    options: dict[str, Any] = {"file": ("army.json", army)}
    code = "hE4HcmFuZ2VycwggRnJpZGF5IIEsAgEAAwEBAQEAAgEBAQADAQECAAIAAQECAQEA"
    await club.ana.slash(club.channel, "infinity profile import", **options, code=code)
    assert club.outcome == "Friday: 4 troopers saved."
    assert sorted(await kept(club)) == [
        *("RANGER (Carbine) #1", "RANGER (Carbine) #2", "RANGER (Heavy Rifle)", "WALKER (Flamer)")
    ]
    will_show(club, 15, 1, 2, 8)
    await typed(club, "order", text="ranger (carbine) #2 carbine at 10 vs Bo 11")
    assert club.outcome == "Nobody wins, Criticals on both sides."
    await club.ana.slash(club.channel, "table undo")
    await club.ana.slash(club.channel, "table undo")
    refused = await club.ana.slash(club.channel, "infinity profile import", **options)
    assert "paste an army code as `code`" in said(refused)
    refused = await club.ana.slash(club.channel, "infinity profile import", **options, code="hello")
    assert "`code` was `hello`; it takes an army code, copied whole" in said(refused)


async def fields_of(shown: simcord.InteractionResult) -> dict[str, Any]:
    assert shown.modal is not None
    return {line["component"]["custom_id"]: line["component"] for line in shown.modal["components"]}


async def test_a_name_alone_opens_the_form_of_a_shot(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    shown = await typed(club, "versus", name="angus", vs_name="Ortega", opponent=club.bo)
    fields = await fields_of(shown)
    assert [option["value"] for option in fields["weapon"]["options"]] == ["Combi", "Pistol"]
    assert (fields["name"]["value"], fields["vs_name"]["value"]) == ("Angus", "Ortega")
    ticked = {
        "weapon": "Combi",
        "at": "10 -1",
        "around": ["cover", "surprise -3"],
        "name": "Angus",
        "vs_name": "Ortega",
    }
    await club.ana.submit_modal(shown, ticked)
    facts = {field.name: field.value for field in club.embed.fields}
    assert facts["Sum of Angus"] == (
        "BS 12\n+3 Range 10 inches (Combi)\n-3 Partial Cover (Ortega)\n-3 Mimetism (Ortega)\n-1\n= SV 8"
    )
    assert club.labels == ["React", "Withdraw"]
    assert club.card.content == club.bo.mention
    assert said(await club.cleo.click(club.card, label="React")).startswith("This choice is for Bo (defender).")


async def test_the_reaction_names_its_trooper_and_feels_what_the_opener_did(club: Club) -> None:
    """Surprise Attack burdens the reaction, Mimetism of the one who reacts burdens the shot, the distance is one."""
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    await typed(club, "versus", name="Angus", weapon="Combi", around="at 10 surprise -3", opponent=club.bo)
    shown = await club.bo.click(club.card, label="React")
    assert (await fields_of(shown))["sv"].get("value") is None, "nobody was named"
    will_show(club, 17, 18, 19, 4)
    await club.bo.submit_modal(shown, {"sv": "ortega pistol", "around": ["low"]})
    facts = {field.name: field.value for field in club.embed.fields}
    assert facts["Sum of Angus"] == "BS 12\n+3 Range 10 inches (Combi)\n-3 Mimetism (Ortega)\n= SV 12"
    assert facts["Sum of Ortega"] == (
        "BS 11\n+0 Range 10 inches (Pistol)\n-3 low visibility\n-3 Surprise Attack (Angus)\n= SV 5"
    )
    assert club.outcome == "Ortega wins, 1 hit."
    await club.ana.click(club.card, label="Roll again with the same values")
    assert club.labels == ["React", "Withdraw"]
    facts = {field.name: field.value for field in club.embed.fields}
    assert facts["Sum of Angus"] == "BS 12\n+3 Range 10 inches (Combi)\n= SV 15", "as it was declared"


async def test_the_form_of_the_reaction_starts_with_who_was_attacked(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    await typed(club, "versus", name="Angus", weapon="Combi", around="at 10", vs_name="Ortega")
    shown = await club.bo.click(club.card, label="React")
    assert (await fields_of(shown))["sv"]["value"] == "Ortega"
    will_show(club, 17, 18, 19, 4)
    await club.bo.submit_modal(shown, {"sv": "Ortega", "kind": "dodge"})
    assert "Ortega SV 10, Burst 1, Dodge" in (club.embed.footer.text or ""), "its PH"
    assert club.outcome == "Ortega dodges."


async def test_a_shot_that_cannot_be_says_what_was_picked(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    shown = await typed(club, "roll", name="Angus")
    whisper = said(await club.ana.submit_modal(shown, {"name": "Angus", "weapon": "Combi", "around": ["low"]}))
    assert "`distance of Angus` was missing" in whisper
    assert "```\nCombi\n```" in whisper
    assert "```\nlow\n```" in whisper
    will_show(club, 17, 18, 1)
    shown = await typed(club, "roll", name="Angus")
    await club.ana.submit_modal(shown, {"name": "Angus", "weapon": "Combi", "at": "20", "around": ["low"]})
    assert club.outcome == "Angus scores 1 hit."


async def test_a_line_names_who_plays_a_trooper(club: Club) -> None:
    will_show(club, 9, 5, 8)
    text = f"Angus 12 vs Ortega 11 {club.bo.mention}; Murat 13 N PS 7 vs Diaz {club.cleo.mention} ARM 1 WIP 12"
    await typed(club, "order", text=text.replace(" WIP 12", ""))
    first, second = "Ortega saves against Angus: 1 hit", "Diaz saves against Murat: 1 hit"
    assert club.labels[:2] == [first, second]
    assert club.card.content == f"{club.bo.mention} {club.cleo.mention}"
    assert "is for Bo" in said(await club.cleo.click(club.card, label=first))
    assert "is for Cleo" in said(await club.ana.click(club.card, label=second))
    shown = await club.cleo.click(club.card, label=second)
    will_show(club, 1)
    await club.cleo.submit_modal(shown, {"weapon": "N 7", "armour": "1"})
    await club.restart()
    assert "is for Bo" in said(await club.ana.click(club.card, label=first)), "who has saved sits on no side by that"
    shown = await club.bo.click(club.card, label=first)
    will_show(club, 20)
    await club.bo.submit_modal(shown, {"weapon": "N 7", "armour": "1"})
    assert "Ortega fails the Saving Roll" in club.outcome


async def test_whoever_asks_to_be_forgotten_is_named_nowhere(club: Club) -> None:
    will_show(club, 9, 5)
    await typed(club, "order", text=f"Angus 12 vs Ortega {club.bo.mention} 11")
    assert str(club.bo.id) in stored(club), "the seat names Bo"
    asked = await club.bo.slash(club.channel, "privacy forget")
    assert asked.response is not None
    await club.bo.click(asked.response.message, label="Forget me")
    assert str(club.bo.id) not in stored(club)
    shown = await club.cleo.click(club.card, label="Ortega saves against Angus: 1 hit")
    assert shown.modal is not None, "nobody plays it now, so anybody may save"


def stored(club: Club) -> str:
    """Everything that the bot keeps, as text."""
    with closing(sqlite3.connect(club.file)) as file:
        return "\n".join(file.iterdump())


async def test_the_form_of_an_order_names_people_too(club: Club) -> None:
    will_show(club, 9, 5)
    shown = await typed(club, "order")
    await club.ana.submit_modal(shown, {"text": f"Angus 12 vs Ortega {club.bo.mention} 11"})
    assert "is for Bo" in said(await club.ana.click(club.card, label="Ortega saves against Angus: 1 hit"))
    await typed(club, "odds", order=f"Angus 12 AP PS 5 vs Ortega {club.bo.mention} 11 ARM 3 W 1")
    assert club.embed.title


async def test_people_who_cannot_play_a_trooper(club: Club) -> None:
    assert "cannot find a person" in said(await typed(club, "order", text="Angus 12 vs Ortega <@12345> 11"))
    many = "; ".join(f"A{at}x 12 vs B{at}x <@{at + 10**17}>" for at in range(7))
    assert "at most 6" in said(await typed(club, "order", text=many))
    assert "A bot cannot play" in said(
        await typed(club, "order", text=f"Angus 12 vs Ortega <@{club.env.bot.user.id}> 11")  # type: ignore[union-attr]  # it is logged in
    )


async def test_the_same_values_again_keep_who_plays_what(club: Club) -> None:
    will_show(club, 9, 5)
    await typed(club, "order", text=f"Angus 12 vs Ortega {club.bo.mention} 11")
    will_show(club, 9, 5)
    await club.ana.click(club.card, label="Roll again with the same values")
    assert "is for Bo" in said(await club.ana.click(club.card, label="Ortega saves against Angus: 1 hit"))
