"""Squads in XWS become ships; ids that are not known are named, and a text that is no squad is refused in a sentence.

The files in ``tests/squads`` have the form that YASB, Launch Bay Next and squad2xws export. BoyCrew, Boba Fenn L3-37
and Sunny Bounder's squad were exported by them and published; the others are made of published quick builds and
standard loadouts.
"""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.render.xwing.squad import squad_json
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.text import Name
from bot.rules.xwing.cards.card_sets import POOLS, SHELF, CardSet, source
from bot.rules.xwing.cards.cards import TAIL, TAIL_GUN, Charges, PilotShip, carrying
from bot.rules.xwing.table import squad_text
from bot.rules.xwing.table.ship import from_card
from bot.rules.xwing.table.squad import (
    ENDINGS,
    MAX_PILOTS,
    MAX_TEXT,
    MAX_UPGRADES,
    Squad,
    find_pilot,
    find_upgrade,
    parse,
    parse_with,
)
from tests.rows import for_each_row
from tests.sampling import Part
from tests.wire import hostile

XWA, LEGACY = SETS = [SHELF.of(key) for key in POOLS]
FILES = sorted((Path(__file__).parents[2] / "squads").glob("*.json"))


def text_of(name: str) -> str:
    return next(path for path in FILES if path.stem == name).read_text(encoding="utf-8")


def read(name: str) -> dict[str, PilotShip]:
    """The ships of one of the files, by name."""
    (squad,) = parse(text_of(name))
    assert squad.unknown == ()
    return {ship.name: ship for ship in squad.pilots}


def one(pilot: dict[str, Any] | str, **more: Any) -> Squad:
    """A squad of one pilot."""
    (squad,) = parse(json.dumps({"pilots": [{"id": pilot} if isinstance(pilot, str) else pilot], **more}))
    return squad


def numbers(ship: PilotShip) -> tuple[str, int, int]:
    return ship.numbers, ship.force.capacity, ship.charges.capacity


def attempt(text: str) -> tuple[tuple[Squad, ...], str]:
    """The squads and "", or none and the sentence that refuses the text; the sentence can be sent to Discord."""
    try:
        return parse(text), ""
    except PlayerError as refused:
        sentence = str(refused)
    sentence.encode()
    assert sentence.endswith((".", "?"))
    assert len(sentence) < 600
    return (), sentence


# Squads that people fly


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_ship_of_a_squad_is_read(path: Path) -> None:
    raw = json.loads(path.read_text(encoding="utf-8"))
    (squad,) = parse(path.read_text(encoding="utf-8"))
    assert squad.unknown == ()
    assert squad.name == raw["name"]
    assert [ship.pilot for ship in squad.pilots] == [pilot["id"] for pilot in raw["pilots"]]
    flown = [SHELF.of(squad.card_set).pilots[ship.pilot]["ship"] for ship in squad.pilots]
    assert flown == [pilot["ship"] for pilot in raw["pilots"]]
    assert len({ship.name for ship in squad.pilots}) == len(squad.pilots)


@pytest.mark.parametrize(("name", "card_set"), [("armed-and-dangerous", XWA.name), ("legacy-droids", LEGACY.name)])
def test_a_squad_of_a_new_pack_goes_to_the_set_that_knows_it(name: str, card_set: str) -> None:
    for sets in ([XWA, LEGACY], [LEGACY, XWA]):
        (squad,) = parse(text_of(name), sets)
        assert (squad.card_set, squad.unknown) == (card_set, ())


def test_of_two_sets_that_know_a_squad_its_own_words_choose_and_else_the_first_one() -> None:
    def chosen(**more: Any) -> str:
        text = json.dumps({"pilots": [{"id": "lukeskywalker"}], **more})
        return parse(text, [XWA, LEGACY])[0].card_set

    assert chosen() == XWA.name
    assert chosen(ruleset="Legacy") == LEGACY.name
    assert chosen(ruleset="AMG") == XWA.name
    assert chosen(vendor={"yasb": {"builder": "YASB - X-Wing 2.0 Legacy"}}) == LEGACY.name
    assert chosen(vendor={"yasb": {"builder": "YASB - X-Wing 2.5 XWA", "builder_url": "https://yasb.app/"}}) == XWA.name
    assert chosen(ruleset="XWA", vendor={"yasb": {"builder_url": "https://xwing-legacy.com"}}) == XWA.name, "it says so"


def test_where_no_set_knows_all_the_one_that_knows_most_counts() -> None:
    raw = {"pilots": [{"id": "bossk-armedanddangerous"}, {"id": "nobody"}, {"id": "dfs420-wat1"}, {"id": "maul"}]}
    (squad,) = parse(json.dumps({**raw, "ruleset": "legacy"}), [XWA, LEGACY])
    assert (squad.card_set, len(squad.unknown)) == (LEGACY.name, 2)


def test_every_pilot_and_upgrade_of_both_sets_reads_in_its_own_set() -> None:
    """158 of these pilots were unknown while there was one file, of 2023."""
    for cards in SETS:
        for pilot, card in cards.pilots.items():
            raw = {"faction": card["faction"], "pilots": [{"id": pilot, "ship": card["ship"]}]}
            (squad,) = parse(json.dumps(raw), [cards])
            assert (squad.unknown, squad.pilots[0].pilot) == ((), pilot)


def test_the_squads_are_of_every_faction() -> None:
    assert len({parse(path.read_text(encoding="utf-8"))[0].faction for path in FILES}) == 7


def test_the_empire_at_yavin() -> None:
    """Standard loadouts have stats of their own: one more shield for Vader, one more hull for the TIE fighters."""
    ships = read("boycrew")
    assert {name: numbers(ship) for name, ship in ships.items()} == {
        "Darth Vader": ("2/3/3/3 i6", 3, 0),
        "“Mauler” Mithel": ("2/3/4/0 i5", 0, 0),
        "Sigma 7": ("3/3/4/0 i4", 0, 2),
        "Iden Versio": ("2/3/3/0 i4", 0, 1),
        "“Backstabber”": ("2/3/4/0 i5", 0, 0),
    }
    assert [upgrade.name for upgrade in ships["Darth Vader"].upgrades] == ["Marksmanship", "Hate", "Afterburners"]
    assert ships["Darth Vader"].upgrades[2].charges == Charges(2, 0)
    assert [weapon.name for weapon in ships["Iden Versio"].weapons] == ["Primary", "Ion Cannon"]


def test_rebels_with_a_hull_upgrade_and_a_title_that_brings_a_weapon() -> None:
    ships = read("red-squadron")
    luke = ships["Luke Skywalker"]
    assert numbers(luke) == ("3/2/4/2 i5", 2, 0)
    assert luke.force == Charges(2, 1)
    primary, torpedoes = luke.weapons
    assert (primary.name, primary.primary, primary.arc, primary.value) == ("Primary", True, "Front Arc", 3)
    assert (torpedoes.name, torpedoes.primary, torpedoes.value) == ("Proton Torpedoes", False, 4)
    assert (torpedoes.nearest, torpedoes.farthest, torpedoes.ordnance) == (2, 3, True)
    assert (torpedoes.needs, torpedoes.needs_any, torpedoes.cost) == (("lock",), False, 1)
    assert {upgrade.id: upgrade.charges for upgrade in luke.upgrades}[torpedoes.upgrade] == Charges(2, 0)
    assert numbers(ships["Jek Porkins"]) == ("3/2/5/2 i4", 0, 0)
    turret, front = ships["Jan Ors"].weapons
    assert (turret.name, turret.value) == ("Primary (Single Turret Arc)", 2)
    assert (front.name, front.value, front.primary) == ("Primary (Front Arc)", 3, True)


def test_the_republic_with_a_refitted_jedi_starfighter() -> None:
    ships = read("siege-of-coruscant")
    assert numbers(ships["“Odd Ball”"]) == ("3/1/6/4 i5", 0, 0)
    assert numbers(ships["“Jag”"]) == ("3/1/6/4 i3", 0, 0), "a Shield Upgrade"
    assert ships["“Jag”"].size == "medium"
    assert numbers(ships["Adi Gallia"]) == ("3/2/3/3 i5", 2, 0), "the Delta-7B is stronger and less agile"
    assert [upgrade.id for upgrade in ships["Anakin Skywalker"].upgrades] == [
        "malice",
        "ancillaryionweapons-cannon",
        "r2d2-republic",
    ], "the builder lists what the standard loadout brings anyway"


def test_droids_of_one_name_are_numbered() -> None:
    ships = read("droids")
    assert [name for name in ships if "Baktoid" in name] == ["Baktoid Prototype", "Baktoid Prototype #2"]
    assert [weapon.name for weapon in ships["Baktoid Prototype #2"].weapons] == ["Primary", "Homing Missiles"]
    assert ships["Separatist Drone"].weapons[1].needs == ("calculate",)


def test_the_others() -> None:
    assert numbers(read("black-squadron")["Poe Dameron"]) == ("3/2/4/3 i6", 0, 1)
    assert read("black-squadron")["Rey"].size == "large"
    assert numbers(read("first-order")["Omega Squadron Ace"]) == ("2/3/4/1 i3", 0, 0)
    assert numbers(read("first-order")["Omega Squadron Ace #2"]) == ("2/3/3/1 i3", 0, 0)
    assert [weapon.arc for weapon in read("boba-fenn-l3-37")["Boba Fett"].weapons] == ["Front Arc", "Rear Arc"]
    assert read("sunny-b")["Sunny Bounder"].weapons[1].arc == "Bullseye Arc"


# Several squads in one paste


@pytest.mark.parametrize(
    "paste",
    [
        "{a}{b}",
        "{a}\n\n{b}\n",
        "[{a}, {b}]",
        '{{"container": [{a}, {b}]}}',
        "```json\n{a}\n```\n```\n{b}```",
        "{a},{b}",
    ],
)
def test_several_squads_in_one_paste(paste: str) -> None:
    squads = parse(paste.format(a=text_of("boycrew"), b=text_of("droids")))
    assert [squad.name for squad in squads] == ["BoyCrew", "Droids"]
    assert [len(squad.pilots) for squad in squads] == [5, 5]


def test_an_error_says_in_which_squad_it_is() -> None:
    with pytest.raises(BadInputError, match=r"`squad 2\.pilots\[0\]\.id`"):
        parse(text_of("boycrew") + '{"pilots": [{"id": 5}]}')


# Ids


@pytest.mark.parametrize(
    ("given", "ship", "pilot"),
    [
        ("lukeskywalker", "", "lukeskywalker"),
        ("Luke Skywalker", "t65xwing", "lukeskywalker"),
        ("LUKESKYWALKER", "", "lukeskywalker"),
        ("obi-wan kenobi", "", "obiwankenobi"),
        ("lukeskywalker-boy", "t65xwing", "lukeskywalker-battleofyavin"),
        ("lukeskywalker-ssp", "", "lukeskywalker-swz106"),
        ("darthvader-ssp", "", "darthvader-swz105"),
        ("darthvader-tieadvancedx1", "tieadvancedx1", "darthvader"),
        ("darthvader", "tieddefender", "darthvader-tieddefender"),
        ("adigallia", "delta7baethersprite", "adigallia-delta7baethersprite"),
        ("lukeskywalker-battleofnowhere", "t65xwing", None),
        ("luke", "", None),
        ("", "", None),
    ],
)
def test_ids_of_pilots_in_the_spellings_of_builders(given: str, ship: str, pilot: str | None) -> None:
    assert find_pilot(given, XWA, ship) == pilot


@pytest.mark.parametrize(
    ("given", "slot", "upgrade"),
    [
        ("protontorpedoes", "torpedo", "protontorpedoes"),
        ("Proton Torpedoes", "torpedo", "protontorpedoes"),
        ("ahsokatano", "crew", "ahsokatano-crew"),
        ("ahsokatano", "gunner", "ahsokatano"),
        ("fearless", "ept", "fearless"),
        ("instinctiveaim", "force-power", "instinctiveaim"),
        ("instinctiveaim", "forcepower", "instinctiveaim"),
        ("r2d2-soc", "astromech", None),
        ("photontorpedoes", "torpedo", None),
    ],
)
def test_ids_of_upgrades_in_the_spellings_of_builders(given: str, slot: str, upgrade: str | None) -> None:
    assert find_upgrade(given, XWA, slot) == upgrade


@pytest.mark.parametrize("cards", SETS, ids=POOLS)
def test_every_id_is_found_by_itself(cards: CardSet) -> None:
    for pilot, card in cards.pilots.items():
        assert find_pilot(pilot, cards, card["ship"], card["faction"]) == pilot
        assert find_pilot(pilot, cards) == pilot
    for upgrade, card in cards.upgrades.items():
        assert find_upgrade(upgrade, cards, card["slot"]) == upgrade
        assert find_upgrade(upgrade, cards) == upgrade


def test_every_short_ending_is_one_of_the_data() -> None:
    ids = [id_ for cards in SETS for id_ in (*cards.pilots, *cards.upgrades)]
    for full in (ending for endings in ENDINGS.values() for ending in endings):
        assert any(id_.endswith(f"-{full}") for id_ in ids)


def test_unknown_ids_are_named_and_the_rest_is_read() -> None:
    raw = {
        "faction": "rebels of old",
        "pilots": [
            {"id": "lukeskywaker", "ship": "t65xwing"},
            {
                "id": "wedgeantilles",
                "ship": "tielnfighter",
                "upgrades": {"torpedo": ["protontorpedos"], "hat": ["top"]},
            },
        ],
    }
    (squad,) = parse(json.dumps(raw))
    assert [ship.name for ship in squad.pilots] == ["Wedge Antilles"]
    assert squad.faction == "Rebel Alliance"
    assert squad.unknown == (
        "I don't know the faction `rebelsofold`. I used the first pilot's faction.",
        "I don't know the pilot `lukeskywaker`. Did you mean `lukeskywalker`? I left it out.",
        "I don't know the ship `tielnfighter`. Wedge Antilles flies the T-65 X-wing.",
        "I don't know the upgrade `protontorpedos`. Did you mean `protontorpedoes`? I left it out.",
        "I don't know the upgrade `top`. I left it out.",
    )


def test_many_unknown_ids_are_counted() -> None:
    squad = one({"id": "lukeskywalker", "upgrades": {"talent": [f"nothing{n}" for n in range(MAX_UPGRADES)]}})
    assert len(squad.unknown) == 9
    assert squad.unknown[-1] == f"There are {MAX_UPGRADES - 8} more ids I don't know."


def test_a_squad_without_any_known_pilot_is_refused() -> None:
    with pytest.raises(
        PlayerError,
        match=r"any pilot in this squad\. I don't know the pilot `lukeskywaker`\. Did you mean `lukeskywalker`\?",
    ):
        one("lukeskywaker")


def test_a_squad_may_say_little_or_more_than_is_known() -> None:
    assert one("maul").name == "Scum and Villainy"
    assert (
        one("maul", faction="scum", extra=[1, {"a": None}], points="many", obstacles=None).faction
        == "Scum and Villainy"
    )
    assert one({"name": "maul"}).pilots[0].pilot == "maul", "older XWS"
    nothing: list[Any] = [None, [], {}, {"talent": None}, {"talent": []}]
    for upgrades in nothing:
        assert one({"id": "maul", "upgrades": upgrades}).pilots[0].upgrades == ()
    for listed in (["fearless"], {"talent": "fearless"}):
        assert [upgrade.id for upgrade in one({"id": "maul", "upgrades": listed}).pilots[0].upgrades] == ["fearless"]


# Texts that are no squad


@for_each_row(
    ("text", "words"),
    [
        ("", "XWS"),
        ("   ", "XWS"),
        ("https://yasb.app/?f=Rebel%20Alliance&d=v9", "I can't read a squad from this link"),
        ("Luke, Wedge, Biggs", "XWS"),
        ('{"pilots": [{"id": "maul"}', "ends in the middle of a squad"),
        ('{"pilots": [{"id": "mau', "ends in the middle of a squad"),
        ('{"pilots": [{"id": "maul"} "x": 3, "name": "Red"}', "I can't read this squad near `"),
        ("{}", "`pilots` was missing. Use a list of 1 to"),
        ("[]", "XWS"),
        ("3", "XWS"),
        ("nothing", "XWS"),
        ('{"pilots": []}', "`pilots` was"),
        ('{"pilots": {"id": "maul"}}', "`pilots` was"),
        ('{"pilots": [5]}', r"`pilots[0]` was `5`"),
        ('{"pilots": [{}]}', "Pilot 1 in the squad has no id. I left it out"),
        ('{"pilots": [{"id": ["maul"]}]}', r"`pilots[0].id` was"),
        ('{"pilots": [{"id": "maul", "ship": 3}]}', r"`pilots[0].ship` was `3`"),
        ('{"pilots": [{"id": "maul", "upgrades": 3}]}', r"`pilots[0].upgrades` was `3`"),
        ('{"pilots": [{"id": "maul", "upgrades": {"talent": [3]}}]}', r"`pilots[0].upgrades.talent` was `3`"),
        ('{"pilots": [{"id": "maul", "upgrades": {"talent": {"a": 1}}}]}', r"`pilots[0].upgrades.talent` was"),
        ('{"pilots": [{"id": "maul"}], "name": 3}', "`name` was `3`"),
        ('{"pilots": [{"id": "maul"}], "faction": []}', "`faction` was"),
        ('{"pilots": [{"id": "maul"}], "pilots": []}', "'pilots' is there twice"),
        ('{"pilots": [{"id": "maul"}], "points": NaN}', "NaN is not a number here"),
        ('{"pilots": ' + "[" * 50_000 + "]" * 50_000 + "}", "nested too deep"),
        ("x" * 5_000_000, f"at most {MAX_TEXT:,} characters"),
        (json.dumps({"pilots": [{"id": "maul"}] * (MAX_PILOTS + 1)}), f"a list of at most {MAX_PILOTS}"),
        (json.dumps({"pilots": [{"id": "maul", "upgrades": ["fearless"] * 21}]}), "at most 20 upgrades"),
        ('{"pilots": [{"id": "maul"}]}' * 9, "1 to 8 squads"),
        (json.dumps({"pilots": [{"id": "m" * 5000}]}), "at most 100 characters"),
    ],
    ids=lambda value: value[:40],
)
def test_a_text_that_is_no_squad_is_refused_in_a_sentence(text: str, words: str) -> None:
    squads, sentence = attempt(text)
    assert squads == ()
    assert words in sentence
    assert "\n" not in sentence


def test_as_many_squads_as_the_refusal_names_are_read() -> None:
    assert len(parse('{"pilots": [{"id": "maul"}]}' * 8)) == 8


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "1e999", "0.5", "1" * 21])
def test_numbers_of_a_squad_do_not_matter_however_large(number: str) -> None:
    (squad,) = parse(f'{{"pilots": [{{"id": "maul", "points": {number}}}], "points": {number}}}')
    assert squad.pilots[0].pilot == "maul"
    with pytest.raises(BadInputError, match="`name` was"):
        parse(f'{{"pilots": [{{"id": "maul"}}], "name": {number}}}')


@for_each_row("depth", range(100, 1100, 50))
def test_a_text_that_is_nested_deep_is_read_or_refused(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    for text in (f'{{"pilots": {deep}}}', f'{{"pilots": [{{"id": "maul"}}], "vendor": {deep}}}', deep):
        squads, refusal = attempt(text)
        assert [squad.pilots[0].pilot for squad in squads] == ([] if refusal else ["maul"])


@for_each_row("text", hostile.TEXTS, ids=lambda text: ascii(text[:20]))
def test_hostile_texts_are_read_or_refused_in_a_sentence(text: str) -> None:
    raw = {"id": "maul", "upgrades": {text: [text or "x"]}}
    for typed in (
        text,
        json.dumps({"name": text, "faction": text[:100], "pilots": [raw]}),
        json.dumps({"pilots": [{"id": text}, {"id": "maul", "ship": text}]}),
    ):
        squads, _ = attempt(typed)
        for squad in squads:
            json.dumps(squad_json(squad), ensure_ascii=False).encode()
            assert len(squad.name) <= 60


def damaged(text: str, rng: Random) -> str:
    """The text with a few of its characters gone, doubled or changed."""
    signs = list(text)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(signs))
        signs[place] = rng.choice(["", signs[place] * 2, *'{}[]":,x0'])
    return "".join(signs)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_damaged_squad_is_read_or_refused(path: Path, part: Part[int]) -> None:
    text = path.read_text(encoding="utf-8")
    for number in part(range(150), 5):
        squads, _ = attempt(damaged(text, Random(f"{path.stem} {number}")))
        assert all(squad.pilots for squad in squads)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(["maul", "fearless"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["id", "ship", "upgrades"]), inner),
    max_leaves=12,
)


@given(st.fixed_dictionaries({"pilots": VALUES | st.lists(VALUES)}, optional={"name": VALUES, "faction": VALUES}))
def test_whatever_the_types_there_are_ships_or_a_sentence(raw: dict[str, Any]) -> None:
    squads, refusal = attempt(json.dumps(raw))
    assert refusal or squads[0].pilots


def test_another_process_is_sent_the_file_of_a_set_and_not_the_set() -> None:
    """Both sets together are megabytes, and would hold everybody up while they are packed."""
    text = json.dumps({"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker"}]})
    own = replace(SHELF.of("xwa"), key="own")
    sources = [source(card_set) for card_set in (SHELF.of("legacy"), own)]
    assert isinstance(sources[0], Path)
    assert sources[1] is own
    assert parse_with(sources, text) == parse(text, [SHELF.of("legacy"), own])


# Points


@pytest.mark.parametrize(
    ("given", "points"), [(62, 62), (0, 0), (1000, 1000), (1001, 0), (-1, 0), (True, 0), (2.5, 0), ("5", 0), (None, 0)]
)
def test_what_a_ship_costs_is_kept_where_its_squad_says_it(given: object, points: int) -> None:
    (ship,) = one({"id": "lukeskywalker", "points": given}).pilots
    assert ship.points == points
    assert from_card(ship).points == points


def test_a_broken_text_is_shown_where_it_breaks() -> None:
    _, refusal = attempt(f'{{"name": "{"Rebels " * 6}", "pilots": [{{"id": "maul" oops}}]}}')
    assert '"id": "maul" oops' in refusal
    assert "Rebels" not in refusal, "only what stands around the place"


@pytest.mark.parametrize(("text", "card_set"), [("Luke Skywalker (50)", XWA), ("Luke Skywalker (51)", LEGACY)])
def test_points_that_only_one_edition_has_say_which_cards_are_meant(text: str, card_set: CardSet) -> None:
    (squad,) = parse(text)
    assert squad.card_set == card_set.name
    assert squad_text.count_known_names("Luke Skywalker\nWedge Antilles", card_set) == (2, 0)


def test_a_line_that_is_too_long_is_no_ship() -> None:
    (squad,) = parse(f"Luke Skywalker (5)\nWedge Antilles (5)\nJek Porkins{', Predator' * 400}")
    assert [ship.name for ship in squad.pilots] == ["Luke Skywalker", "Wedge Antilles"]


def test_a_tail_gun_fires_what_the_docked_ship_has_in_front() -> None:
    (luke,) = one("lukeskywalker").pilots
    front = replace(luke.weapons[0], name=Name("Front"), arc="Front Arc", primary=True)
    turret, torpedo = replace(front, arc="Single Turret Arc"), replace(front, primary=False)
    guest = replace(luke, weapons=(front, turret, torpedo))
    carrier = carrying(replace(luke, chassis=TAIL_GUN), guest)
    assert carrier.weapons == (*luke.weapons, replace(front, name=TAIL, arc="Rear Arc"))
