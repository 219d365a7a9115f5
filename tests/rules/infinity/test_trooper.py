"""Troopers and their weapons: the words, every kind of save of the official table, Wounds and states."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from bot.rules.errors import BadInputError, PlayerError, UnknownWordError
from bot.rules.infinity.dice import saves
from bot.rules.infinity.dice.saves import list_saves
from bot.rules.infinity.troopers import trooper, weapon
from bot.rules.infinity.troopers.declared import Action, Ammo, RangeBand, Save, TargetProfile, Weapon
from tests.grammars import texts
from tests.rows import for_each_row
from tests.steps import MAX_STEPS, steps_of

KINDS: Final = json.loads((Path(__file__).parent / "infinity_saves.json").read_text())["kinds"]
UNSAYABLE: Final = ("*",)
"""One mode of the official table asks for a save that depends on a rule of its own (``*``)."""
ANGUS: Final = trooper.parse("Angus", "BS 12, ARM 1, W 1, LI, Mimetism (-3), Combi: B3 PS 7 N ARM +3@16 -3@32")

BANDS = st.lists(st.integers(1, 96), unique=True, max_size=5).map(sorted)
WEAPONS = st.builds(
    Weapon,
    name=st.sampled_from(("Combi", "Heavy Pistol")),
    burst=st.integers(1, 6),
    ammo=st.lists(st.sampled_from(Ammo), min_size=1, max_size=2, unique=True).map(tuple),
    power=st.none() | st.integers(0, 20),
    save=st.sampled_from((None, "ARM", "BTS", "ARM+BTS", "PH", "none")),
    saves=st.integers(0, 6),
    state=st.sampled_from(("", "Isolated")),
    continuous=st.booleans(),
    bioweapon=st.booleans(),
    nonlethal=st.booleans(),
    action=st.sampled_from((Action.SHOOT, Action.TEMPLATE, Action.DIRECT, Action.CC)),
    stat=st.sampled_from(("", "WIP", "PH")),
    bands=BANDS.map(lambda inches: tuple(RangeBand(3 - at * 3, far) for at, far in enumerate(inches))),
    traits=st.lists(st.sampled_from(weapon.TRAITS), unique=True, max_size=2).map(tuple),
)


@given(WEAPONS)
def test_a_written_weapon_is_read_as_it_was(made: Weapon) -> None:
    assert weapon.parse(weapon.write(made)) == made


def test_the_weapon_of_the_issue() -> None:
    combi = weapon.parse("Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48")
    assert (combi.burst, combi.power, combi.ammo, combi.save) == (3, 7, (Ammo.N,), "ARM")
    assert combi.bands == (RangeBand(3, 16), RangeBand(-3, 32), RangeBand(-6, 48))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("B3 PS 7", "Start with a name and a colon"),
        ("Combi: B7", "`Burst` was `7`"),
        ("Combi: PS", "`PS` was empty"),
        ("Combi: laser", "I don't understand `laser`"),
        ("Combi: +3@16 -3@8", "Use more than 16 inches: list range bands from near to far"),
        ("Combi: +13@16", "`range MOD` was `+13`"),
        ("Combi: AP+AP", "I don't understand `AP+AP`"),
    ],
)
def test_a_weapon_that_does_not_read_is_pointed_at(text: str, words: str) -> None:
    with pytest.raises((BadInputError, UnknownWordError)) as refused:
        weapon.parse(text)
    assert words in str(refused.value)


def words_of(kind: Mapping[str, Any]) -> str:
    """A kind of the official table in the words of a weapon."""
    traits = " ".join(kind["traits"]).lower()
    save = {"ARM and BTS": "ARM+BTS", "none": "nosave"}.get(kind["save"], kind["save"])
    count = "" if kind["saves"] in ("-", "1 and 1") else f"saves {kind['saves']}"
    states = ("dead", "isolated", "sepsitorized", "targeted", "stunned", "imm-a")
    state = next((f"state {word.capitalize()}" for word in states if f"state: {word}" in traits), "")
    flags = [word for word in ("continuous", "bioweapon", "non-lethal", "impact", "direct") if word in traits]
    stat = "WIP" if "(wip)" in traits else "PH" if "(ph)" in traits else ""
    close = "CC" if "CC" in kind["traits"] else ""
    return f"Weapon: PS 7 {kind['ammo']} {save} {count} {state} {stat} {close} {' '.join(flags)}"


@for_each_row("kind", KINDS, ids=lambda kind: f"{kind['ammo']} {kind['save']} {kind['traits']}")
def test_every_kind_of_save_of_the_official_table_can_be_said(kind: Mapping[str, Any]) -> None:
    if kind["save"] in UNSAYABLE:
        with pytest.raises(UnknownWordError):
            weapon.parse(words_of(kind))
        return
    read = weapon.parse(words_of(kind))
    if kind["save"] == "none":
        assert not read.is_saved
        return
    save = Save(hits=1, weapon=read, profile=TargetProfile(arm=5, bts=7, ph=11, structure=True))
    assert len(list_saves(save)) == (2 if kind["saves"] == "1 and 1" else int(kind["saves"]))
    numbers = {
        "ARM": 7 + 5,
        "ARM/2": 7 + 3,
        "ARM=0": 7,
        "BTS": 7 + 7,
        "BTS/2": 7 + 4,
        "PH-6": 11 - 6,
        "ARM and BTS": 7 + 5,
    }
    assert list_saves(save)[0].number == numbers[kind["save"]]


def test_the_official_table_has_182_modes_of_which_one_cannot_be_said() -> None:
    assert sum(kind["modes"] for kind in KINDS) == 182
    assert sum(kind["modes"] for kind in KINDS if kind["save"] in UNSAYABLE) == 1


def test_a_trooper_in_one_line() -> None:
    assert ANGUS.stats == {"BS": 12, "ARM": 1, "W": 1}
    assert (ANGUS.type, ANGUS.skills, [item.name for item in ANGUS.weapons]) == ("LI", ("Mimetism (-3)",), ["Combi"])
    assert trooper.parse("Angus", trooper.write(ANGUS)) == ANGUS
    assert trooper.parse("Angus", trooper.EXAMPLE).weapons[0].bands[2] == RangeBand(-6, 48)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "at most 2,500 characters"),
        ("Brust 3", "Did you mean `burst`?"),
        ("BS 41", "a whole number from 0 to 40"),
        ("BS", "`BS` was missing"),
        ("BS 12, bs 13", "Write each stat once"),
        ("BS 99999999999999999999", "a whole number from 0 to 40"),
        ("BS 12, Combi: B3, combi: B2", "weapons, each with a different name"),
        (", ".join(f'"Skill {n}"' for n in range(41)), "at most 40 skills"),
    ],
)
def test_a_trooper_that_does_not_read_is_pointed_at(line: str, words: str) -> None:
    with pytest.raises(PlayerError) as refused:
        trooper.parse("Angus", line)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("stats", "lost", "shock", "states"),
    [
        ({"W": 2}, 1, False, ()),
        ({"W": 2}, 2, False, ("Unconscious",)),
        ({"W": 2}, 3, False, ("Dead",)),
        ({"W": 1}, 1, False, ("Unconscious",)),
        ({"W": 1}, 1, True, ("Dead",)),
        ({"W": 2}, 2, True, ("Unconscious",)),
        ({"STR": 1}, 1, True, ("Unconscious",)),
        ({}, 5, False, ()),
    ],
)
def test_wounds_put_a_trooper_down(stats: dict[str, int], lost: int, shock: bool, states: tuple[str, ...]) -> None:
    after = trooper.wound(trooper.Trooper("Ana", stats), lost, shock=shock)
    assert (after.lost, after.states) == (lost, states)


@pytest.mark.parametrize(
    ("kind", "immobile"), [("LI", False), ("HI", True), ("REM", True), ("TAG", True), ("VH", True)]
)
def test_em_isolates_and_immobilises_what_is_electronic(kind: str, immobile: bool) -> None:
    result = saves.states_of(Weapon(ammo=(Ammo.EM,)), TargetProfile(type=kind))
    assert result == (("Isolated", "Immobilized-B") if immobile else ("Isolated",))


def test_troopers_come_and_change_and_keep_their_wounds() -> None:
    held = {"Angus": replace(ANGUS, lost=1, states=("Isolated",))}
    again = trooper.add_or_replace(held, trooper.parse("ANGUS", "BS 13"))
    assert again["ANGUS"] == trooper.Trooper("ANGUS", {"BS": 13}, lost=1, states=("Isolated",))
    assert trooper.copy(held, "angus", "Angus #2")["Angus #2"] == replace(ANGUS, name="Angus #2")
    with pytest.raises(BadInputError, match="Use a name that no trooper in this channel has"):
        trooper.copy(held, "angus", "ANGUS")
    with pytest.raises(PlayerError, match="A marker can't be copied"):
        trooper.copy({"CAMO 1": trooper.Trooper("CAMO 1", {}, is_marker=True)}, "CAMO 1", "CAMO 2")
    for name in ("*secrets 1*", "hidden 1-1", "Lieutenant 2"):
        for comes in (lambda name: trooper.copy(held, "angus", name), lambda name: trooper.parse(name, "BS 13")):
            with pytest.raises(BadInputError, match=r"asterisks|reserved for lists of secrets"):
                comes(name)
    full = {f"T{n}": trooper.Trooper(f"T{n}", {}) for n in range(trooper.MAX_TROOPERS)}
    with pytest.raises(PlayerError, match="This channel already has 40 troopers"):
        trooper.add_or_replace(full, ANGUS)
    with pytest.raises(BadInputError, match="Use `Isolated`"):
        trooper.harm(held, "Angus", None, "sleepy")


def test_visors_and_skills_are_read_off_the_profile() -> None:
    result = trooper.parse("Zoe", "BS 12, MSV 1, Multispectral Visor L2, Dodge (-3), Combat Instinct")
    assert (result.visor, result.has("Combat Instinct"), result.has("Mimetism")) == (2, True, False)
    assert result.skills == ("Multispectral Visor L1", "Multispectral Visor L2", "Dodge (-3)", "Combat Instinct")


def test_a_stat_whose_number_is_a_word_is_pointed_at_and_no_skill() -> None:
    with pytest.raises(UnknownWordError, match="`BS twelve`"):
        trooper.parse("Angus", "BS twelve, ARM 1")
    assert trooper.parse("Angus", "BS 12, BS Attack (+3)").skills == ("BS Attack (+3)",)


@for_each_row(
    ("typed", "kept"),
    [
        *(("Number 2", "Number 2"), ("360º Visor", "360 Visor"), ("NCO", "NCO"), ("Fireteam Core", "Fireteam Core")),
        *(("Lieutenant (+1 Order)", "Lieutenant (+1 Order)"), ("Strategos L1", "Strategos L1")),
        *(
            (typed, "Martial Arts L4")
            for typed in ("Martial Arts 4", "MA4", "MA 4", "martial arts L4", "MARTIAL ARTS l4")
        ),
        *(("Martial Arts (-3)", "Martial Arts (-3)"), ("Martial Arts (L2)", "Martial Arts L2")),
        *((typed, "Mimetism (-6)") for typed in ("Mimetism -6", "Mimetism (-6)", "mimetism(-6)", "Mimetism 6")),
        *((typed, "Multispectral Visor L2") for typed in ("MSV2", "MSV 2", "MSV L2", "Visor 2")),
        *(("BS Attack +1SD", "BS Attack (+1SD)"), ("NWI", "No Wound Incapacitation"), ('Dodge (+2")', 'Dodge (+2")')),
        *(
            ("Immunity Shock", "Immunity (Shock)"),
            ("Immunity (Total)", "Immunity (Total)"),
            ("KHD", "Killer Hacking Device"),
        ),
        *(('"Hidden 1 Time"', "Hidden 1 Time"), ("Tinbot: Firewall (-6)", "Firewall (-6)")),
        ("BS Attack (+1B, Shock)", "BS Attack (+1B) (Shock)"),
    ],
)
def test_skills_of_all_forms_are_read(typed: str, kept: str) -> None:
    result = trooper.parse("Angus", f"BS 12, {typed}")
    assert result.skills == (kept,)
    assert trooper.parse("Angus", trooper.write(result)) == result


@pytest.mark.parametrize(
    ("line", "stats"),
    [
        ("BS12 ARM3 W2", {"BS": 12, "ARM": 3, "W": 2}),
        (
            "BS 12 CC 14 PH 10 WIP 13 ARM 1 BTS 3 VITA 1",
            {"BS": 12, "CC": 14, "PH": 10, "WIP": 13, "ARM": 1, "BTS": 3, "W": 1},
        ),
        ("BS 12, VITA 2", {"BS": 12, "W": 2}),
        ("bs=12 str 3", {"BS": 12, "STR": 3}),
    ],
)
def test_stats_need_no_commas(line: str, stats: dict[str, int]) -> None:
    assert trooper.parse("Angus", line).stats == stats


def test_a_whole_profile_without_commas() -> None:
    result = trooper.parse("Angus", "BS12 ARM3 W2 HI Mimetism -6 Martial Arts 3 Stealth BS Attack (+1SD)")
    assert (result.stats, result.type) == ({"BS": 12, "ARM": 3, "W": 2}, "HI")
    assert result.skills == ("Mimetism (-6)", "Martial Arts L3", "Stealth", "BS Attack (+1SD)")


@pytest.mark.parametrize(
    ("typed", "near"), [("Mimetsm (-3)", "mimetism"), ("Flibbertigibbet", None), ("Stealth now", None)]
)
def test_a_word_that_is_not_understood_is_asked_about(typed: str, near: str | None) -> None:
    with pytest.raises(UnknownWordError, match="write it in quotes") as refused:
        trooper.parse("Angus", f"BS 12, {typed}")
    assert near is None or refused.value.near == near


@pytest.mark.parametrize("slip", ["AMR 3", "Damge 13", "Bursts 3", "BS twelve", "12 BS", "3", "W2x"])
def test_slips_of_stats_are_no_skills(slip: str) -> None:
    with pytest.raises(PlayerError):
        trooper.parse("Angus", f"CC 12, {slip}")


@for_each_row("grammar", texts(0))
def test_a_line_of_any_grammar_is_read_within_the_step_limit(grammar: str) -> None:
    line = texts(trooper.MAX_LINE)[grammar]
    for whole in (line, f"Terrain {line}"[: trooper.MAX_LINE], f"Stealth, {line}"[: trooper.MAX_LINE]):
        assert steps_of(partial(trooper.parse, "Angus", whole), PlayerError) < MAX_STEPS


def test_a_longer_line_is_refused_unread() -> None:
    refused = steps_of(partial(trooper.parse, "Angus", "x" * (trooper.MAX_LINE + 1)), BadInputError)
    assert refused < 5_000


def test_a_hit_wants_at_most_six_saves() -> None:
    (gun,) = trooper.parse("Ana", "BS 12, Gun: B3 PS 7 saves 6").weapons
    assert gun.saves == 6
    with pytest.raises(BadInputError, match="from 1 to 6"):
        trooper.parse("Ana", "BS 12, Gun: B3 PS 7 saves 7")


def test_the_whole_name_of_a_trooper_is_read_before_a_weapon() -> None:
    held = {"FENNEC #2 (HMG)": trooper.parse("FENNEC #2 (HMG)", "BS 12, Rifle: B3 PS 7, HMG: B4 PS 5")}
    read = [trooper.find_by_words(held, words.split()) for words in ("FENNEC #2 (HMG) vs", "fennec #2 hmg vs")]
    assert [found and found[1] for found in read] == [3, 2]
