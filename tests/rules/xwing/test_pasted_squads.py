"""Squads as people paste them: text lists of builders, prose around XWS, links; each with what comes out.

The forms of the lists are those of YASB (2.0 and 2.5, simple copy, Reddit, Tabletop Simulator), Launch Bay Next and
what people type by hand; the lists themselves are made up.
"""

import json
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from bot.rules.errors import PlayerError
from bot.rules.xwing.cards.card_sets import POOLS, SHELF, CardSet
from bot.rules.xwing.table.squad import Squad, parse
from bot.rules.xwing.table.squad_text import names_of, nearest_pilot, read, search_key, short_names

XWA, LEGACY = SETS = [SHELF.of(key) for key in POOLS]

YASB_20 = """Luke Skywalker (62)
Instinctive Aim (2)
Proton Torpedoes (14)
R2-D2 (8)
Ship total: 86  Half Points: 43  Threshold: 3

Wedge Antilles (55)
Outmaneuver (6)
Ship total: 61  Half Points: 31  Threshold: 3

Total: 147

View in Yet Another Squad Builder 2.0: https://raithos.github.io/?f=Rebel%20Alliance&d=v8ZsZ200Z4X"""
YASB_25 = (
    "Luke Skywalker – T-65 X-wing (5)    \n    Proton Torpedoes (13)    R2-D2 (8)    \n"
    "Ship Cost: 5  Loadout: (21/22)  Half Points: 2  Damage Threshold: 3    \n    \n"
    "Wedge Antilles – T-65 X-wing (5)    \n    Predator (2)    \n"
    "Ship Cost: 5  Loadout: (2/15)  Half Points: 2  Damage Threshold: 3    \n    \nTotal: 10    \n    \n"
    "View in YASB: https://yasb.app/?f=Rebel%20Alliance&d=v9ZhZ20Z"
)
REDDIT = (
    "**Han Solo (79)**    \n    Trick Shot (4)    Chewbacca (5)    &nbsp;*Ship total: 88*    \n\n**Total:** *88*    \n"
    "[View in YASB](https://raithos.github.io/?f=Rebel%20Alliance&d=v8)"
)
LAUNCH_BAY = """Rebel Alliance

(62) Luke Skywalker [T-65 X-wing]
(8) R2-D2
(9) Photon Torpedos
Points: 79

(41) Blue Squadron Escort [T-65 X-wing]
Points: 41

Total points: 120"""
TTS = "Luke Skywalker + Proton Torpedoes + R2-D2 / Wedge Antilles + Predator / "
BY_HAND = """My Rebels
- 2x Blue Squadron Escort
- Luke Skywalker: Proton Torpedoes, R2-D2"""
NAMESAKES = "Darth Vader – TIE/D Defender (8)\n    Hate (4)\n\nDarth Vader (BoY) – TIE Advanced x1 (6)\n"
LOOSE = "Luke Skywalker\nHan Solo\nChewbacca"
TWO_LISTS = "Wedge Antilles (5)\nTotal: 5\n\nDarth Vader – TIE Advanced x1 (6)\nTotal: 6\n"
XWS = '{"faction": "rebelalliance", "pilots": [{"id": "wedgeantilles", "points": 5}]}'

Ships = list[tuple[str, int, list[str]]]
LUKE = ["protontorpedoes", "r2d2"]
READ: list[tuple[str, str, list[Ships], list[str]]] = [
    (
        "YASB 2.0",
        YASB_20,
        [[("lukeskywalker", 86, ["instinctiveaim", *LUKE]), ("wedgeantilles", 61, ["outmaneuver"])]],
        [],
    ),
    ("YASB 2.5", YASB_25, [[("lukeskywalker", 5, LUKE), ("wedgeantilles", 5, ["predator"])]], []),
    ("Reddit", REDDIT, [[("hansolo-modifiedyt1300lightfreighter", 88, ["trickshot", "chewbacca"])]], []),
    (
        "Launch Bay Next, with a slip",
        LAUNCH_BAY,
        [[("lukeskywalker", 70, ["r2d2"]), ("bluesquadronescort", 41, [])]],
        ["I don't understand `Photon Torpedos`. Did you mean Proton Torpedoes? I left it out."],
    ),
    (
        "a slip in a line of its own, between two pilots",
        "Luke Skywalker (62)\nProton Torpedos\nR2-D2 (8)\n\nWedge Antilles (55)\nOutmaneuver (6)",
        [[("lukeskywalker", 70, ["r2d2"]), ("wedgeantilles", 61, ["outmaneuver"])]],
        ["I don't understand `Proton Torpedos`. Did you mean Proton Torpedoes? I left it out."],
    ),
    (
        "a slip in the name of a pilot, whose upgrades are nobody's then",
        "Darth Vader (70)\nFire-Control System (2)\n\nHowlruner (40)\nJuke (7)\n\nSoontir Fel (53)\nPredator (2)",
        [[("darthvader", 72, ["firecontrolsystem"]), ("soontirfel", 55, ["predator"])]],
        ["I don't understand `Howlruner`. Did you mean “Howlrunner”? I left it out."],
    ),
    (
        "slips in one line, and a line of prose",
        "Luke Skywalker + Proton Torpedos + R2-D2 / Wedge Antiles + Predator\nGood luck have fun",
        [[("lukeskywalker", 0, ["r2d2"])]],
        [
            "I don't understand `Proton Torpedos`. Did you mean Proton Torpedoes? I left it out.",
            "I don't understand `Wedge Antiles`. Did you mean Wedge Antilles? I left it out.",
            "I don't understand `Good luck have fun`. I left it out.",
        ],
    ),
    ("for a table on a screen", TTS, [[("lukeskywalker", 0, LUKE), ("wedgeantilles", 0, ["predator"])]], []),
    (
        "by hand",
        BY_HAND,
        [[("bluesquadronescort", 0, []), ("bluesquadronescort", 0, []), ("lukeskywalker", 0, LUKE)]],
        [],
    ),
    (
        "namesakes, told apart by their ship and by the pack",
        NAMESAKES,
        [
            [
                ("darthvader-tieddefender", 8, ["hate"]),
                ("darthvader-battleofyavin", 6, ["marksmanship", "hate", "afterburners"]),
            ]
        ],
        [],
    ),
    (
        "pilots who are crew as well, one on each line",
        LOOSE,
        [[("lukeskywalker", 0, []), ("hansolo-modifiedyt1300lightfreighter", 0, []), ("chewbacca", 0, [])]],
        [],
    ),
    ("two lists", TWO_LISTS, [[("wedgeantilles", 5, [])], [("darthvader", 6, [])]], []),
    ("prose before and after", f"Hi Bo, mine is:\n{XWS}\nsee you at 8!", [[("wedgeantilles", 5, [])]], []),
    (
        "several blocks",
        f"Ana:\n```json\n{XWS}\n```\nBo:\n```\n{XWS}\n```",
        [[("wedgeantilles", 5, [])], [("wedgeantilles", 5, [])]],
        [],
    ),
    ("XWS beside its own link", f"https://yasb.app/?f=Rebel%20Alliance&d=v9\n{XWS}", [[("wedgeantilles", 5, [])]], []),
    (
        "an empty id",
        '{"pilots": [{"id": ""}, {"id": "wedgeantilles", "upgrades": {"talent": ["", "predator"]}}]}',
        [[("wedgeantilles", 0, ["predator"])]],
        [
            "Pilot 1 in the squad has no id. I left it out.",
            "One of Wedge Antilles's upgrades has no id. I left it out.",
        ],
    ),
    (
        "a pilot of another faction",
        '{"faction": "rebelalliance", "pilots": [{"id": "darthvader"}]}',
        [[("darthvader", 0, [])]],
        ["Darth Vader flies for the Galactic Empire, not for the Rebel Alliance."],
    ),
]
REFUSED = [
    (
        "a link alone",
        "https://launchbaynext.app/?lbx=abc",
        ("I can't read a squad from this link. Open it, choose Export and XWS there, and paste that text"),
    ),
    ("half a squad", XWS[:40], "The text ends in the middle of a squad."),
    ("a squad with a slip", XWS.replace("[", "[["), "I can't read this squad near `"),
    ("typographic quotes", XWS.replace('"', "“"), "I can't read this squad near `{“faction“"),
    ("prose", "I will bring my squad tomorrow", "Paste XWS or the text list that a squad builder exports."),
    ("nothing known", '{"pilots": [{"id": "lukeskywaker"}]}', "Did you mean `lukeskywalker`?"),
]


def ships(squad: Squad) -> Ships:
    return [(pilot.pilot, pilot.points, [upgrade.id for upgrade in pilot.upgrades]) for pilot in squad.pilots]


@pytest.mark.parametrize(("text", "wanted", "said"), [item[1:] for item in READ], ids=[item[0] for item in READ])
def test_a_pasted_squad_is_read(text: str, wanted: list[Ships], said: list[str]) -> None:
    squads = parse(text, SETS)
    assert [ships(squad) for squad in squads] == wanted
    assert [sentence for squad in squads for sentence in squad.unknown] == said


@pytest.mark.parametrize("text", [YASB_20, YASB_25, REDDIT, LAUNCH_BAY, TTS, NAMESAKES, TWO_LISTS])
def test_a_list_that_has_lost_its_lines_is_read_all_the_same(text: str) -> None:
    """An option of a command makes blanks of line breaks."""
    folded_ = " ".join(text.splitlines())
    assert [ships(squad) for squad in parse(folded_, SETS)] == [ships(squad) for squad in parse(text, SETS)]


@pytest.mark.parametrize(("text", "words"), [item[1:] for item in REFUSED], ids=[item[0] for item in REFUSED])
def test_what_is_no_squad_is_refused_in_words_of_ours(text: str, words: str) -> None:
    with pytest.raises(PlayerError) as refused:
        parse(text, SETS)
    assert words in str(refused.value)
    for parser in ("Expecting", "column", "delimiter", "char "):
        assert parser not in str(refused.value)


def test_a_list_names_its_squad_and_its_set() -> None:
    assert parse(f"Red Squadron\n\n{TTS}")[0].name == "Red Squadron"
    assert parse(YASB_25)[0].card_set == XWA.name
    assert parse(YASB_20)[0].card_set == LEGACY.name, "such points are of 200"
    assert parse(f"{TTS}\nhttps://xwing-legacy.com/?f=Rebel%20Alliance&d=v9")[0].card_set == LEGACY.name


@pytest.mark.parametrize("cards", SETS, ids=POOLS)
def test_every_pilot_is_found_by_name_and_ship(cards: CardSet) -> None:
    for card in cards.pilots.values():
        (squad,) = read(f"{card['name']} – {cards.ships[card['ship']]['name']} (5)", cards)
        pilot = cards.pilots[squad["pilots"][0]["id"]]
        assert search_key(pilot["name"]) == search_key(card["name"])
        named = [cards.ships[item["ship"]]["name"].partition(" (")[0] for item in (pilot, card)]
        assert named[0] == named[1], "but for the year in brackets"
        assert squad["pilots"][0]["points"] == 5


@pytest.mark.parametrize("cards", SETS, ids=POOLS)
def test_every_upgrade_is_found_by_name(cards: CardSet) -> None:
    for card in cards.upgrades.values():
        (squad,) = read(f"Wedge Antilles (5)\n  {card['name']} (3)", cards)
        (upgrade,) = squad["pilots"][0]["upgrades"]
        assert search_key(cards.upgrades[upgrade]["name"]) == search_key(card["name"])


@pytest.mark.parametrize(
    "text",
    [
        "a, " * 60000,
        "(" * 200000,
        "(1" * 99000,
        " " * 199000 + "x",
        "x" + "\t" * 40000 + "y",
        "*" * 199000 + "x",
        "\n" * 199000,
        " - " * 66000,
        "9x " * 60000,
        "total " * 33000,
        "https://" * 24000,
        "Luke (1) " * 22000,
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_a_long_text_costs_no_more_than_it_is_long(text: str) -> None:
    """Some of them once took minutes. Nothing here measures time."""
    with pytest.raises(PlayerError):
        parse(text, SETS)


@given(st.text(max_size=200), st.integers(0, 200))
def test_whatever_stands_around_a_list_is_read_or_refused(text: str, place: int) -> None:
    for typed in (text, TTS[:place] + text + TTS[place:], json.dumps(text)):
        with suppress(PlayerError):
            assert all(squad.pilots for squad in parse(typed, SETS))


@pytest.mark.parametrize(
    ("listed", "pilot"),
    [
        ("Sabine Wren - TIE Fighter", "sabinewren-tielnfighter"),
        ("Sabine Wren (TIE Fighter)", "sabinewren-tielnfighter"),
        ("Wedge Antilles [A-wing]", "wedgeantilles-rz1awing"),
        ("Hera Syndulla - B-wing", "herasyndulla-asf01bwing"),
        ("Darth Vader - TIE Defender", "darthvader-tieddefender"),
        ("Anakin Skywalker - Y-wing", "anakinskywalker-btlbywing"),
        ("Ezra Bridger - TIE Fighter", "ezrabridger-tielnfighter"),
        ("Kylo Ren - TIE Whisper", "kyloren-tiewiwhispermodifiedinterceptor"),
        ("Norra Wexley - Y-wing", "norrawexley-btla4ywing"),
        ("Fenn Rau - Sheathipede", "fennrau-sheathipedeclassshuttle"),
        ("Fenn Rau (Sheathipede)", "fennrau-sheathipedeclassshuttle"),
    ],
)
def test_a_short_name_of_a_ship_chooses_among_the_ships_of_the_pilot(listed: str, pilot: str) -> None:
    (squad,) = parse(f"{listed} (5)")
    assert [ship.pilot for ship in squad.pilots] == [pilot]
    assert not squad.unknown


SHORT = {
    "arc170starfighter": "ARC-170, ARC",
    "asf01bwing": "B-wing",
    "attackshuttle": "Attack Shuttle",
    "btanr2wywing": "Y-wing",
    "btanr2ywing": "Y-wing, BTA-NR2",
    "btla4ywing": "Y-wing, BTL-A4",
    "btlbywing": "Y-wing, BTL-B",
    "clonez95headhunter": "Clone Z-95, Z-95",
    "cr90corelliancorvette": "CR90, Corellian Corvette",
    "customizedyt1300lightfreighter": "Customized YT-1300",
    "delta7aethersprite": "Delta-7",
    "delta7baethersprite": "Delta-7B",
    "escapecraft": "Escape Craft",
    "eta2actis": "Eta-2, Actis",
    "ewing": "E-wing",
    "fangfighter": "Fang",
    "fireball": "Fireball",
    "gauntletfighter": "Gauntlet",
    "hwk290lightfreighter": "HWK-290, HWK",
    "jumpmaster5000": "JumpMaster, Jumpmaster",
    "kihraxzfighter": "Kihraxz",
    "laatigunship": "LAAT, Gunship, LAAT/i",
    "lambdaclasst4ashuttle": "Lambda, Lambda Shuttle",
    "lancerclasspursuitcraft": "Lancer",
    "m12lkimogilafighter": "Kimogila",
    "modifiedyt1300lightfreighter": "Modified YT-1300",
    "nabooroyaln1starfighter": "N-1, Naboo N-1, Naboo Starfighter, N-1 Starfighter",
    "nimbusclassvwing": "V-wing, Nimbus",
    "raiderclasscorvette": "Raider",
    "rogueclassstarfighter": "Rogue, Rogue-class",
    "rz1awing": "A-wing, RZ-1",
    "scavengedyt1300": "Scavenged YT-1300",
    "sheathipedeclassshuttle": "Sheathipede, Sheathipede Shuttle",
    "st70assaultship": "ST-70",
    "starviperclassattackplatform": "StarViper",
    "t65xwing": "X-wing, T-65",
    "t70xwing": "T-70, X-wing",
    "tieadvancedx1": "TIE Advanced",
    "tieddefender": "TIE Defender, Defender",
    "tiefofighter": "TIE/fo",
    "tieininterceptor": "TIE Interceptor",
    "tielnfighter": "TIE Fighter, TIE/ln",
    "tiesebomber": "TIE/se, TIE Bomber",
    "tievnsilencer": "TIE Silencer, Silencer",
    "tiewiwhispermodifiedinterceptor": "TIE Whisper, Whisper, TIE/wi",
    "tridentclassassaultship": "Trident",
    "v19torrentstarfighter": "V-19, V-19 Torrent, Torrent",
    "vcx100lightfreighter": "VCX-100, VCX",
    "xiclasslightshuttle": "Xi, Xi Shuttle",
    "yv666lightfreighter": "YV-666",
    "z95af4headhunter": "Z-95, Z-95 Headhunter",
}
"""What people call the ships of pilots who fly several."""


@pytest.mark.parametrize("form", ["{} - {} (5)", "{} – {} (5)", "{} ({}) (5)", "{} [{}] (5)"])
def test_every_usual_name_of_a_ship_chooses_among_the_ships_of_its_pilot(form: str) -> None:
    flown: dict[str, set[str]] = {}
    for card in XWA.pilots.values():
        flown.setdefault(search_key(card["name"]), set()).add(card["ship"])
    pairs = [(name, ship) for name, fleet in flown.items() if len(fleet) > 1 for ship in sorted(fleet)]
    assert len(pairs) > 130
    for name, ship in pairs:
        for short in SHORT[ship].split(", "):
            (squad,) = read(form.format(name, short), XWA)
            chosen = XWA.pilots[squad["pilots"][0]["id"]]["ship"]
            assert chosen == ship or short in SHORT[chosen].split(", "), (name, short)
            assert not squad["pilots"][0]["upgrades"], (name, short)


@pytest.mark.parametrize("form", ["{} - {} + {}", "{} ({}) + {}", "{} [{}] - {}", "{} ({}): {}, Perceptive Copilot"])
@pytest.mark.parametrize(
    ("ship", "title", "pilot"),
    [
        ("YT-2400 (2023)", "Outrider (2023)", "dashrendar-swz103-rebelalliance"),
        ("YT-2400 Light Freighter (2023)", "Outrider (2023)", "dashrendar-swz103-rebelalliance"),
        ("YT-2400", "Outrider", "dashrendar"),
    ],
)
def test_a_year_in_brackets_belongs_to_the_name(form: str, ship: str, title: str, pilot: str) -> None:
    (squad,) = read(form.format("Dash Rendar", ship, title), SHELF.of("legacy"))
    (item,) = squad["pilots"]
    assert item["id"] == pilot
    assert ("outrider2023" if "2023" in title else "outrider") in str(item["upgrades"])
    assert not squad.get("unknown")


def test_a_ship_that_no_pilot_flies_is_said() -> None:
    (squad,) = parse("Han Solo (Foo-wing) (5)")
    assert "Foo-wing" in str(squad.unknown)


@pytest.mark.parametrize(
    ("id_", "pilot"),
    [("wedgeantillesawing", "wedgeantilles-rz1awing"), ("bokatankryze-separatist", "bokatankryze-separatistalliance")],
)
def test_ids_of_older_builders_are_read_where_one_pilot_fits(id_: str, pilot: str) -> None:
    (squad,) = parse(f'{{"faction": "rebelalliance", "pilots": [{{"id": "{id_}"}}]}}')
    assert [ship.pilot for ship in squad.pilots] == [pilot]


def test_xws_without_its_outer_braces_is_read() -> None:
    pilot = '{"id": "clanwrenvolunteer", "upgrades": {"crew": ["clanwrencommandoteam"]}}'
    (squad,) = parse(f'"faction": "rebelalliance", "pilots": [{pilot}]')
    assert [upgrade.id for ship in squad.pilots for upgrade in ship.upgrades] == ["clanwrencommandos"]


def shared_names(cards: CardSet) -> dict[str, set[str]]:
    """The ships of each pilot's name that several ships have."""
    flown: dict[str, set[str]] = {}
    for card in cards.pilots.values():
        flown.setdefault(search_key(card["name"]), set()).add(card["ship"])
    return {name: ships for name, ships in flown.items() if len(ships) > 1}


@pytest.mark.parametrize("cards", SETS, ids=POOLS)
@pytest.mark.parametrize("form", ["{} - {}", "{} ({})"])
def test_every_usual_name_of_a_ship_behind_a_pilot_chooses_among_the_ships_of_that_name(
    cards: CardSet, form: str
) -> None:
    called, many = names_of(cards).ships, 0
    printed = {search_key(card["name"]): card["name"] for card in cards.pilots.values()}
    for key, ships in shared_names(cards).items():
        name = printed[key]
        for ship in ships:
            full = cards.ships[ship]["name"]
            for short in {full, *short_names(full, cards)}:
                if "(" in short and form == "{} ({})":
                    continue  # brackets in brackets
                ((pilot,), unread) = (squad := read(form.format(name, short), cards)[0])["pilots"], squad["unread"]
                fit = ships & set(called[search_key(short)])
                assert cards.pilots[pilot["id"]]["ship"] in fit, (name, short)
                assert unread == (), (name, short)
                many += 1
    assert many > 450


@pytest.mark.parametrize("form", ["{} - {}", "{} – {}", "{} [{}]", "{} ({})"])
@pytest.mark.parametrize("ship", ["X-wing", "TIE Fighter", "Star Destroyer", "B-wing"])
def test_a_ship_behind_a_pilot_that_is_none_of_theirs_is_said(form: str, ship: str) -> None:
    (squad,) = read(form.format("Han Solo", ship), XWA)
    assert [word for word, _ in squad["unread"]] == [ship]


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("luke", "Luke Skywalker"),
        ("**Luke**", "Luke Skywalker"),
        ("vadr", "Darth Vader"),
        ("half", ""),
        ("Vadr x2", ""),
    ],
)
def test_a_part_of_a_name_names_the_pilot(line: str, near: str) -> None:
    assert nearest_pilot(line, SHELF.newest()) == near
