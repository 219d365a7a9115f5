"""Troopers of a channel in a whole Discord: kept, copied, named in rolls, wounded, and taken back."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import simcord

from bot.ui.core.components import MORE
from tests.cogs.test_infinity import typed, will_show
from tests.conftest import Club, said

ANGUS = "BS 12, WIP 13, ARM 1, BTS 0, W 1, LI, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48, Pistol: B2 PS 6 +3@8 -3@16"
ORTEGA = "BS 11, PH 10, WIP 13, ARM 1, W 2, Mimetism (-3), Pistol: B2 PS 6 Shock +3@8 0@24"


SELECT = 3
"""Discord's number of a select; radio groups and boxes need no press to open."""


async def keep(club: Club, name: str, stats: str) -> simcord.InteractionResult:
    """A trooper of Ana's; those that she attacks are Bo's."""
    given: dict[str, Any] = {"name": name, "stats": stats}
    who = club.bo if name in ("Ortega", "Diaz") else club.ana
    return await who.slash(club.channel, "infinity profile set", **given)


async def kept(club: Club) -> dict[str, str]:
    await club.ana.slash(club.channel, "infinity profile list")
    return {field.name or "": field.value or "" for field in club.embed.fields}


async def test_names_stand_for_all_of_it(club: Club) -> None:
    """The shot of the issue: Angus' Combi at 20 inches, Ortega in cover with Mimetism, who answers with a pistol."""
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    will_show(club, 2, 5, 18, 4)
    await typed(club, "order", text="Angus Combi at 20 cover vs Ortega pistol", opponent=club.bo)
    facts = await club.facts()
    assert facts["Total for Angus"] == (
        "BS 12\n-3 Range 20 inches (Combi)\n-3 Partial Cover (Ortega)\n-3 Mimetism (Ortega)\n= SV 3"
    )
    assert facts["Total for Ortega"] == "BS 11\n+0 Range 20 inches (Pistol)\n= SV 11"
    assert club.outcome == "Ortega wins, 1 hit."
    assert club.labels == [
        "Angus saves (1)",
        "More",
    ], "a button for each save, the rest in one list"


async def test_a_trooper_carries_its_wounds_and_undo_takes_them_back(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    will_show(club, 9, 17, 17)
    await typed(club, "order", text="Angus Combi at 10 vs Ortega", opponent=club.bo)
    assert club.outcome == "Angus scores 1 hit on Ortega."
    will_show(club, 9)
    await club.bo.click(club.card, label="Ortega saves (1)")
    assert club.outcome == (
        "Angus scores 1 hit on Ortega. Ortega fails the Saving Roll: 1 Wound. Ortega: 1 of 2 Wounds lost."
    )
    assert "Ortega: Guts Roll (WIP 13)." in (club.embed.description or "")
    assert club.labels == ["Guts Roll: Ortega (WIP 13)"], "its Wounds are dealt: there is no once more"
    assert (await kept(club))["Ortega"].startswith("1 of 2 Wounds lost\nBS 11")
    await club.ana.slash(club.channel, "table show")
    assert "Ortega, Wounds 1 of 2." in (club.card.attachments[0].description or "")
    await club.bo.slash(club.channel, "table undo")
    await club.ana.click(club.card, label="Allow")
    assert (await kept(club))["Ortega"].startswith("BS 11")


async def test_the_guts_roll_is_a_press(club: Club) -> None:
    await keep(club, "Ortega", ORTEGA)
    will_show(club, 9)
    refused = await typed(club, "save", hits=1, ammo="N", ps=7, name="Ortega")
    assert "Ortega belongs to Bo" in said(refused), "who hit does not save"
    await club.bo.slash(club.channel, "infinity save", hits=1, ammo="N", ps=7, name="Ortega")
    assert club.outcome == "Ortega fails the Saving Roll: 1 Wound. Ortega: 1 of 2 Wounds lost."
    will_show(club, 13)
    await club.bo.click(club.card, label="Guts Roll: Ortega (WIP 13)")
    assert club.outcome.endswith("Ortega passes the Guts Roll.")
    assert club.labels == []


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
    assert "Partial Cover" in await club.how()
    assert "I don't understand `fog` in `around`" in said(await typed(club, "roll", **commas, around="at 20, fog"))
    will_show(club, 13)
    await typed(club, "roll", name="Angus", kind="wip")
    assert club.outcome == "Angus passes the WIP Roll with a Critical."
    choices = await club.ana.autocomplete(club.channel, "infinity roll", "name", "an")
    assert [choice["value"] for choice in choices] == ["Angus"]
    assert "`distance to Angus` was missing" in said(await typed(club, "roll", name="Angus", weapon="Combi"))
    assert "`weapon` was `sniper`. Use a weapon of Angus: Combi, Pistol" in said(
        await typed(club, "roll", name="Angus", weapon="sniper")
    )


async def test_the_other_trooper_s_weapon_is_enough_for_odds(club: Club) -> None:
    """Both sides by name: `vs_weapon` says that the other one shoots back."""
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    shot = {"name": "Angus", "weapon": "combi", "around": "at 20", "vs_weapon": "pistol"}
    await typed(club, "odds", **shot, vs_name="Ortega")
    facts = str(club.embed.to_dict())
    assert "Ortega" in facts
    assert "Nobody" in facts or "nobody" in facts, "it is a Face to Face Roll"
    refused = said(await typed(club, "odds", **shot, vs_name="Diaz"))
    assert refused.replace("\\_", "_").startswith("`vs_sv` was"), refused


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
    assert club.labels == ["Ortega reacts", "Add an ARO", "Roll all dice", "Withdraw"]
    for person, aro in ((club.bo, "Ortega pistol"), (club.cleo, "Diaz 9")):
        shown = await person.click(club.card, label="Add an ARO")
        await person.submit_modal(shown, {"aro": aro})
    facts = {field.name: field.value for field in club.embed.fields}
    assert facts["Declared"] == "Angus Combi at 10 vs Ortega\nOrtega pistol vs Angus\nDiaz 9 vs Angus"
    assert "is for Ana (attacker)" in said(await club.bo.click(club.card, label="Roll all dice"))
    will_show(club, 10, 3, 18, 4, 8)
    await club.ana.click(club.card, label="Roll all dice")
    assert club.outcome == "Angus beats Ortega, 1 hit. Diaz scores 1 hit on Angus."
    label = "Ortega saves (1)"
    by_hand = await club.cleo.select(club.card, ["hand-1"], custom_id=club.custom_id("more"))
    assert "is for Bo" in said(by_hand), "who added a trooper plays it"
    will_show(club, 3)
    await club.bo.click(club.card, label=label)
    assert "Ortega passes the Saving Roll." in club.outcome


@dataclass(slots=True)
class Effort:
    """What two people type and press: ``keys`` in texts, ``fields`` that they type in, ``presses`` of anything else.

    A radio button, a box and a button are a press each, a select is one more to open it. Sending a form is a press.
    """

    club: Club
    keys: int = 0
    fields: int = 0
    presses: int = 0

    async def press(self, by: simcord.MemberActor, label: str) -> simcord.InteractionResult:
        self.presses += 1
        return await by.click(self.club.card, label=label)

    async def fill(self, by: simcord.MemberActor, shown: simcord.InteractionResult, **filled: Any) -> None:
        """Send a form; what nobody touches is sent as it stands there."""
        touched: dict[str, Any] = {}
        for key, field in (await fields_of(shown)).items():
            chosen = [option["value"] for option in field.get("options", ()) if option.get("default")]
            touched[key] = filled.get(key, field.get("value") or (chosen if field.get("options") else ""))
            if key not in filled:
                continue
            if "options" not in field:
                self.keys += len(filled[key])
                self.fields += 1
            else:
                self.presses += len(filled[key]) if isinstance(filled[key], list) else 1
                self.presses += field["type"] == SELECT
        self.presses += 1
        await by.submit_modal(shown, {key: value for key, value in touched.items() if value})


async def test_an_order_of_three_against_two_is_pressed(club: Club) -> None:
    """Three troopers against two, by profiles only: no key at all, and a press for each Saving Roll.

    Typed, the same order takes 88 keys, and three forms of four fields each came after it.
    """
    for name in ("Angus", "Murat", "Bran"):
        await keep(club, name, ANGUS)
    for name in ("Ortega", "Diaz"):
        await keep(club, name, ORTEGA)
    did = Effort(club)
    shown = await typed(club, "order", opponent=club.bo)
    await did.fill(club.ana, shown, who=["Angus", "Murat", "Bran"], whom=["Ortega", "Diaz"])
    assert club.outcome == "Ana declares an order: Angus, Murat, and Bran attack Ortega and Diaz."
    assert club.labels == [
        *("Angus: weapon and distance", "Murat: weapon and distance", "Bran: weapon and distance", "Withdraw")
    ]
    for name, target in (("Angus", "Ortega"), ("Murat", "Diaz"), ("Bran", "Diaz")):
        assert "is for Ana (attacker)" in said(await club.bo.click(club.card, label=f"{name}: weapon and distance"))
        shown = await did.press(club.ana, f"{name}: weapon and distance")
        await did.fill(club.ana, shown, weapon="Combi", target=[target], at="8-16")
    assert club.labels == ["Ortega reacts", "Diaz reacts", "Add an ARO", "Roll all dice", "Withdraw"]
    assert "is for Bo (defender)" in said(await club.cleo.click(club.card, label="Ortega reacts"))
    await did.fill(club.bo, await did.press(club.bo, "Ortega reacts"), does="Pistol")
    await did.fill(club.bo, await did.press(club.bo, "Diaz reacts"), does="dodge")
    facts = {field.name: field.value for field in club.embed.fields}
    assert facts["Declared"] == (
        "Angus Combi at 8-16 vs Ortega\nMurat Combi at 8-16 vs Diaz\nBran Combi at 8-16 vs Diaz\n"
        "Ortega Pistol vs Angus\nDiaz dodge"
    )
    assert (did.keys, did.fields, did.presses) == (0, 0, 27)
    will_show(club, 10, 1, 18, 9, 3, 17, 5, 11, 20, 4, 2)
    await did.press(club.ana, "Roll all dice")
    assert club.outcome.startswith("Angus beats Ortega, 1 hit. Murat beats Diaz, 2 hits. ")
    saves = [label for label in club.labels if " saves" in label]
    assert len(saves) == 3
    for label in saves:
        will_show(club, *[1] * int(label[label.index("(") + 1 : -1]))
        assert "is for Bo" in said(await club.cleo.click(club.card, label=label))
        await did.press(club.bo, label)
    assert not any(" saves" in label for label in club.labels)
    assert (did.keys, did.fields, did.presses) == (0, 0, 31), "the whole order with its three Saving Rolls"


async def test_a_weapon_is_copied_from_another_trooper(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    await keep(club, "Kim", "BS 13, combi of angus")
    given: dict[str, Any] = {"name": "Kim", "weapon": "Pistol of Angus"}
    assert "Kim belongs to Ana" in said(await club.bo.slash(club.channel, "infinity profile weapon", **given))
    await club.ana.slash(club.channel, "infinity profile weapon", **given)
    assert (await kept(club))["Kim"] == ("BS 13, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48, Pistol: B2 PS 6 N +3@8 -3@16")
    given["weapon"] = "Sniper of Angus"
    refused = said(await club.ana.slash(club.channel, "infinity profile weapon", **given))
    assert "`weapon` was `Sniper of Angus`. Use one of Angus's weapons: Combi, Pistol" in refused
    choices = await club.ana.autocomplete(club.channel, "infinity profile weapon", "weapon", "pist")
    assert [choice["value"] for choice in choices] == ["Pistol of Angus", "Pistol of Kim"]


async def test_an_aro_names_who_plays_its_trooper(club: Club) -> None:
    """Whoever adds a trooper plays it, or whom they name; nobody else, and privacy forgets them."""
    await typed(club, "order", text="Angus 12 AP PS 5 b2 vs Ortega", aros=True)
    for by, aro in ((club.bo, "Ortega 11 ARM 1"), (club.ana, f"Diaz 9 {club.cleo.mention} ARM 1")):
        shown = await by.click(club.card, label="Add an ARO")
        await by.submit_modal(shown, {"aro": aro})
    facts = {field.name: field.value for field in club.embed.fields}
    assert facts["Declared"] == "Angus 12 AP PS 5 b2 vs Ortega\nOrtega 11 ARM 1 vs Angus\nDiaz 9 ARM 1 vs Angus"
    assert str(club.cleo.id) in stored(club)
    will_show(club, 10, 8, 3, 15)
    await club.ana.click(club.card, label="Roll all dice")
    label = "Ortega saves (2)"
    assert "is for Bo" in said(await club.cleo.click(club.card, label=label))
    will_show(club, 1, 1)
    await club.bo.click(club.card, label=label)
    assert club.outcome.endswith("Ortega passes all 2 Saving Rolls.")
    asked = await club.cleo.slash(club.channel, "privacy forget")
    assert asked.response is not None
    await club.cleo.click(asked.response.message, label="Forget me")
    assert str(club.cleo.id) not in stored(club)


async def test_an_error_says_a_person_by_name(club: Club) -> None:
    refused = said(await typed(club, "order", text=f"Angus 12 {club.bo.mention} {club.cleo.mention} vs Ortega 11"))
    assert "That's already set" in refused
    await typed(club, "order", text="Angus 12 vs Ortega", aros=True)
    shown = await club.bo.click(club.card, label="Add an ARO")
    aro = f"Ortega 11 {club.bo.mention} {club.cleo.mention}"
    refused = said(await club.bo.submit_modal(shown, {"aro": aro}))
    assert "That's already set" in refused
    shown = await club.bo.click(club.card, label="Add an ARO")
    assert "I can't find someone you named" in said(await club.bo.submit_modal(shown, {"aro": "Ortega 11 <@12345>"}))


async def test_a_named_opponent_alone_reacts(club: Club) -> None:
    await typed(club, "order", text="Angus 12 vs Ortega", opponent=club.bo, aros=True)
    assert "is for Bo (defender)" in said(await club.cleo.click(club.card, label="Add an ARO"))
    shown = await club.bo.click(club.card, label="Add an ARO")
    await club.bo.submit_modal(shown, {"aro": "Ortega 11"})
    will_show(club, 3, 9)
    await club.ana.click(club.card, label="Roll all dice")
    assert club.outcome == "Ortega wins, 1 hit."


async def test_a_challenge_of_an_older_version_says_so(club: Club) -> None:
    """Its state says less than a challenge needs now: the card says what to do, and the bot offers no dead button."""
    await typed(club, "versus", sv=12, name="Angus")
    with closing(sqlite3.connect(club.file)) as file:
        ((state,),) = file.execute("SELECT state FROM ply").fetchall()
        older = json.loads(state)
        del older["declared"]["own"]
        file.execute("UPDATE ply SET state = ?, schema = 2", (json.dumps(older),))
        file.commit()
    refused = said(await club.bo.click(club.card, label="React"))
    assert refused == (
        "This roll was made by an older version of the bot. It's still stored, but please start a new one."
    )


async def test_a_trooper_comes_from_army_data(club: Club) -> None:
    army = (Path(__file__).parents[2] / "docs" / "example-army.json").read_bytes()
    options: dict[str, Any] = {"file": ("army.json", army), "unit": "rangers carbine", "name": "Ann"}
    await club.ana.slash(club.channel, "infinity profile import", **options)
    assert club.outcome == "Ann is saved."
    will_show(club, 15, 1, 2, 8)
    await typed(club, "order", text="Ann carbine at 10 vs Bo 11")
    assert club.outcome == "Nobody wins: Criticals on both sides."


async def test_army_data_that_is_too_large_is_refused_by_its_size_and_read_by_nobody(club: Club) -> None:
    huge: dict[str, Any] = {"file": ("army.json", b"[" * 2_000_001), "unit": "rangers"}
    refused = await club.ana.slash(club.channel, "infinity profile import", **huge)
    assert "`file` was 2,000,001 bytes. Use at most 2,000,000 bytes" in said(refused)


async def test_a_hostile_file_costs_its_sender_a_sentence(club: Club) -> None:
    """Two megabytes of lists in lists, which would take hundreds of megabytes, and a squad as large as may be."""
    deep: dict[str, Any] = {"file": ("army.json", b"[" * 1_000_000 + b"]" * 1_000_000), "unit": "rangers"}
    assert "Use army data in JSON" in said(await club.ana.slash(club.channel, "infinity profile import", **deep))
    wide: dict[str, Any] = {"file": ("army.json", b"[" + b"[],[[]]," * 249_999 + b"[]]"), "unit": "rangers"}
    refused = said(await club.ana.slash(club.channel, "infinity profile import", **wide))
    assert "Use a JSON object" in refused
    squad: dict[str, Any] = {"file": ("squad.json", b"[" * 200_000)}
    assert "nested too deep" in said(await club.ana.slash(club.channel, "xwing squad", **squad))


async def test_a_whole_list_comes_from_an_army_code(club: Club) -> None:
    army = (Path(__file__).parents[2] / "docs" / "example-army.json").read_bytes()
    options: dict[str, Any] = {"file": ("army.json", army)}
    await club.ana.slash(club.channel, "infinity profile import", **options, code=CODE)
    assert club.outcome == "Friday: 4 troopers saved."
    assert sorted(await kept(club)) == [
        *("RANGER (Carbine) #1", "RANGER (Carbine) #2", "RANGER (Heavy Rifle)", "WALKER (Flamer)")
    ]
    will_show(club, 15, 1, 2, 8)
    await typed(club, "order", text="ranger (carbine) #2 carbine at 10 vs Bo 11")
    assert club.outcome == "Nobody wins: Criticals on both sides."
    await club.ana.slash(club.channel, "table undo")
    await club.ana.slash(club.channel, "table undo")
    refused = await club.ana.slash(club.channel, "infinity profile import", **options)
    assert "Paste an army code, or attach a `file` and name a `unit` in it, as in `Fusiliers HMG" in said(refused)
    refused = await club.ana.slash(club.channel, "infinity profile import", **options, code="hello")
    assert "`code` was `hello`. Copy the whole army code from the official army builder" in said(refused)


async def test_anyway_is_for_a_gm(club: Club, gm: simcord.MemberActor) -> None:
    """A state forbids it: a player is told who may, a GM rolls, and the card says so; the same in an answer."""
    line = "Angus 12 Stunned anyway vs Ortega 11"
    will_show(club, 3, 9)  # they fall for the refused one too, and nobody sees them
    assert "Only a GM can use `anyway" in said(await typed(club, "order", text=line))
    refused = said(await typed(club, "order", text="Angus 12 Stunned vs Ortega 11"))
    assert (
        "Angus is Stunned and can't declare BS Attack, only Dodge, Reset, Discover, Doctor, "
        "Engineer, MediKit, or GizmoKit"
    ) in refused
    will_show(club, 3, 9)
    await gm.slash(club.channel, "infinity order", text=line)
    assert "A GM allows Angus to roll anyway" in str(club.embed.to_dict())
    will_show(club, 3, 9)
    await typed(club, "order", text="Angus 12 anyway vs Ortega 11")  # nothing forbids it
    assert club.outcome.startswith("Ortega wins")


CODE = "hE4HcmFuZ2VycwggRnJpZGF5IIEsAgEAAwEBAQEAAgEBAQADAQECAAIAAQECAQEA"
"""Four troopers of docs/example-army.json."""


async def imports(club: Club, who: simcord.MemberActor, **options: Any) -> simcord.InteractionResult:
    return await who.slash(club.channel, "infinity profile import", code=CODE, **options)


async def test_a_gm_gives_army_data_once(club: Club, gm: simcord.MemberActor) -> None:
    file = ("army.json", (Path(__file__).parents[2] / "docs" / "example-army.json").read_bytes())
    assert "There's no data for rangers here yet. Attach its file as `file`" in said(await imports(club, club.ana))
    await imports(club, club.ana, file=file)  # hers alone: a player's file is not the server's
    assert "There's no data for rangers" in said(await imports(club, club.bo))
    await imports(club, gm, file=file)
    await imports(club, club.bo)
    titles = [shown.title for item in club.channel.history() for shown in item.embeds]
    assert "Friday: 4 troopers saved." in titles


async def test_the_host_names_a_folder_of_army_data(club: Club, tmp_path: Path) -> None:
    example = json.loads((Path(__file__).parents[2] / "docs" / "example-army.json").read_bytes())
    weapons = {"weapons": example.pop("weapons"), "ammunitions": example.pop("ammunitions")}
    (tmp_path / "weapons.json").write_text(json.dumps(weapons), encoding="utf-8")
    (tmp_path / "a-other.json").write_text('{"units": [{"profileGroups": []}]}', encoding="utf-8")
    club.env.bot.armies = tmp_path  # type: ignore[attr-defined]  # it is our App
    assert "There's no data for rangers" in said(await imports(club, club.ana))
    (tmp_path / "b-rangers.json").write_text(json.dumps(example), encoding="utf-8")
    await imports(club, club.ana)
    assert club.outcome == "Friday: 4 troopers saved."


async def fields_of(shown: simcord.InteractionResult) -> dict[str, Any]:
    assert shown.modal is not None
    return {line["component"]["custom_id"]: line["component"] for line in shown.modal["components"]}


async def test_a_name_alone_opens_the_form_of_a_shot(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    shown = await typed(club, "versus", name="angus", vs_name="Ortega", opponent=club.bo)
    fields = await fields_of(shown)
    assert [(item["label"], item["value"]) for item in fields["name"]["options"]] == [
        *(("Combi", "Angus Combi"), ("Pistol", "Angus Pistol"))
    ]
    assert [(item["label"], item["value"], item["description"]) for item in fields["at"]["options"]] == [
        ("Up to 8 inches", "0-8", "Combi +3, Pistol +3"),
        ("8 to 16 inches", "8-16", "Combi +3, Pistol -3"),
        ("16 to 24 inches", "16-24", "Combi -3"),
        ("24 to 32 inches", "24-32", "Combi -3"),
        ("32 to 48 inches", "32-48", "Combi -6"),
    ]
    assert [(item["value"], item["default"]) for item in fields["name_b"]["options"]] == [("Ortega", True)]
    did = Effort(club)
    ticked = {"name": "Angus Combi", "at": "8-16", "around": ["cover", "surprise -3"], "mods": "-1"}
    await did.fill(club.ana, shown, **ticked)
    assert (did.presses, did.keys) == (6, 2)
    facts = {field.name: field.value for field in club.embed.fields}
    assert facts["Total for Angus"] == (
        "BS 12\n+3 Range 8 to 16 inches (Combi)\n-3 Partial Cover (Ortega)\n-3 Mimetism (Ortega)\n-1\n= SV 8"
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
    facts = await club.facts()
    lines = "BS 12\n+3 Range 10 inches (Combi)\n-3 low visibility\n-3 Mimetism (Ortega)\n= SV 9"
    assert facts["Total for Angus"] == lines
    assert facts["Total for Ortega"] == (
        "BS 11\n+0 Range 10 inches (Pistol)\n-3 low visibility\n-3 Surprise Attack (Angus)\n= SV 5"
    )
    assert club.outcome == "Ortega wins, 1 hit."
    await club.ana.select(club.card, ["again"], custom_id=club.custom_id(MORE))
    assert club.labels == ["React", "Withdraw"]
    facts = {str(field.name): str(field.value) for field in club.embed.fields}
    assert facts["Total for Angus"] == "BS 12\n+3 Range 10 inches (Combi)\n= SV 15", "as it was declared"


async def test_the_form_of_the_reaction_starts_with_who_was_attacked(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    await typed(club, "versus", name="Angus", weapon="Combi", around="at 10", vs_name="Ortega")
    shown = await club.bo.click(club.card, label="React")
    assert (await fields_of(shown))["sv"]["value"] == "Ortega"
    will_show(club, 17, 18, 19, 4)
    await club.bo.submit_modal(shown, {"sv": "Ortega", "kind": "dodge"})
    assert "Ortega SV 10, Burst 1, Dodge" in await club.how(), "its PH"
    assert club.outcome == "Ortega dodges."


async def test_a_shot_that_cannot_be_says_what_was_picked(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    shown = await typed(club, "roll", name="Angus")
    whisper = said(await club.ana.submit_modal(shown, {"name": "Angus Combi", "around": ["low"]}))
    assert "`distance to Angus` was missing" in whisper
    assert "```name\nAngus Combi\n```" in whisper
    assert "```around\nlow\n```" in whisper
    will_show(club, 17, 18, 1)
    shown = await typed(club, "roll", name="Angus")
    await club.ana.submit_modal(shown, {"name": "Angus Combi", "at": "16-24", "around": ["low"]})
    assert club.outcome == "Angus scores 1 hit."


async def test_a_line_names_who_plays_a_trooper(club: Club) -> None:
    will_show(club, 9, 5, 8)
    text = f"Angus 12 vs Ortega 11 {club.bo.mention}; Murat 13 N PS 7 vs Diaz {club.cleo.mention} ARM 1 WIP 12"
    await typed(club, "order", text=text.replace(" WIP 12", ""))
    first, second = "Ortega saves (1)", "Diaz saves (1)"
    assert club.labels[:2] == [first, second]
    assert club.card.content == f"{club.bo.mention} {club.cleo.mention}"
    assert "is for Bo" in said(await club.cleo.click(club.card, label=first))
    assert "is for Cleo" in said(await club.ana.click(club.card, label=second))
    will_show(club, 1)
    await club.cleo.click(club.card, label=second)
    await club.restart()
    assert "is for Bo" in said(await club.ana.click(club.card, label=first)), "who has saved sits on no side by that"
    shown = await club.bo.click(club.card, label=first)
    will_show(club, 20)
    await club.bo.submit_modal(shown, {"weapon": "N PS 7", "armour": "1"})
    assert "Ortega fails the Saving Roll" in club.outcome


async def test_whoever_asks_to_be_forgotten_is_named_nowhere(club: Club) -> None:
    will_show(club, 9, 5)
    await typed(club, "order", text=f"Angus 12 vs Ortega {club.bo.mention} 11")
    assert str(club.bo.id) in stored(club), "the seat names Bo"
    asked = await club.bo.slash(club.channel, "privacy forget")
    assert asked.response is not None
    await club.bo.click(asked.response.message, label="Forget me")
    assert str(club.bo.id) not in stored(club)
    shown = await club.cleo.click(club.card, label="Ortega saves (1)")
    assert shown.modal is not None, "nobody plays it now, so anybody may save"


def stored(club: Club) -> str:
    """Everything that the bot keeps, as text."""
    with closing(sqlite3.connect(club.file)) as file:
        return "\n".join(file.iterdump())


async def test_the_form_of_an_order_names_people_too(club: Club) -> None:
    will_show(club, 9, 5)
    shown = await typed(club, "order")
    await club.ana.submit_modal(shown, {"order": f"Angus 12 vs Ortega {club.bo.mention} 11"})
    assert "is for Bo" in said(await club.ana.click(club.card, label="Ortega saves (1)"))
    await typed(club, "odds", order=f"Angus 12 AP PS 5 vs Ortega {club.bo.mention} 11 ARM 3 W 1")
    assert club.embed.title


async def test_people_who_cannot_play_a_trooper(club: Club) -> None:
    assert "I can't find someone you named" in said(await typed(club, "order", text="Angus 12 vs Ortega <@12345> 11"))
    many = "; ".join(f"A{at}x 12 vs B{at}x <@{at + 10**17}>" for at in range(7))
    assert "at most 6" in said(await typed(club, "order", text=many))
    assert "Bots can't play a trooper" in said(
        await typed(club, "order", text=f"Angus 12 vs Ortega <@{club.env.bot.user.id}> 11")  # type: ignore[union-attr]  # it is logged in
    )


async def test_the_same_values_again_keep_who_plays_what(club: Club) -> None:
    will_show(club, 9, 5)
    await typed(club, "order", text=f"Angus 12 vs Ortega {club.bo.mention} 11")
    will_show(club, 9, 5)
    await club.ana.click(club.card, label="Again")
    assert "is for Bo" in said(await club.ana.click(club.card, label="Ortega saves (1)"))


async def test_a_trooper_has_an_owner_who_alone_plays_it_until_it_is_given(club: Club) -> None:
    await keep(club, "Angus", ANGUS)
    await keep(club, "Ortega", ORTEGA)
    refused = await club.bo.slash(club.channel, "infinity roll", name="Angus", weapon="combi", around="at 20")
    assert "Angus belongs to Ana" in said(refused)
    refused = await club.bo.slash(club.channel, "infinity profile remove", name="Angus")
    assert "Angus belongs to Ana, so only Ana or a GM can do that." in said(refused)
    await club.ana.slash(club.channel, "infinity profile give", name="Angus", player=club.bo)
    assert club.outcome == "Angus now belongs to Bo."
    will_show(club, 9, 4, 3)
    await club.bo.slash(club.channel, "infinity roll", name="Angus", weapon="combi", around="at 20")
    assert club.outcome.startswith("Angus scores")


async def test_a_profile_says_what_counts_of_it(club: Club) -> None:
    await keep(club, "Angus", 'BS 12, MSV 1, Surprise Attack (-3), Stealth, Protheion, "Lucky"')
    (field,) = club.embed.fields
    assert (field.value or "").split("\n")[1:] == [
        "Automated: Multispectral Visor L1",
        "Asks first: Surprise Attack (-3)",
        "Play by hand: Protheion, Lucky",
    ]


async def test_forty_troopers_fit_on_a_card_and_in_a_channel(club: Club) -> None:
    for number in range(1, 41):
        await keep(club, f"Fusilier #{number}", "BS 12, W 1, Combi Rifle: B3 PS 7 +3@16 -3@32")
    refused = await keep(club, "Fusilier #41", "BS 12")
    assert "This channel already has 40 troopers" in said(refused)
    listed = await kept(club)
    assert "\n".join(listed.values()).count("Combi Rifle") == 40
