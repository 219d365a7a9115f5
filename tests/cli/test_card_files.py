"""`python -m bot cards`: sets from data in the form of xwing-data2, checked, compared and listed."""

import copy
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.rules.xwing.cards.card_sets import POOLS, SHELF, CardSet
from bot.rules.xwing.cards.cards import Charges, pilot_ship

SHIP: dict[str, Any] = {
    "name": "T-65 X-wing",
    "xws": "t65xwing",
    "size": "Small",
    "faction": "rebelalliance",
    "dial": ["1BB"],
    "stats": [
        {"type": "attack", "arc": "Front Arc", "value": 3},
        {"type": "agility", "value": 2},
        {"type": "hull", "value": 4},
        {"type": "shields", "value": 2},
    ],
    "pilots": [
        {
            "name": "Luke Skywalker",
            "caption": "Red Five",
            "initiative": 6,
            "limited": 1,
            "xws": "lukeskywalker",
            "ability": "A text that nobody keeps.",
            "force": {"value": 3, "recovers": 1, "side": ["light"]},
        },
        {
            "name": "Tester",
            "initiative": 2,
            "limited": 0,
            "xws": "tester-club",
            "charges": {"value": 2, "recovers": 1},
            "shipAbility": {"name": "Plated Hull", "text": "Another text."},
            "shipStats": [{"type": "attack", "arc": "Front Arc", "value": 2}, {"type": "hull", "value": 5}],
            "standardLoadout": ["clubmissiles", "hate", "nobodyknowsit"],
        },
    ],
}
UPGRADES: list[dict[str, Any]] = [
    {
        "name": "Club Missiles",
        "xws": "clubmissiles",
        "sides": [
            {
                "title": "Club Missiles",
                "type": "Missile",
                "slots": ["Missile", "Missile"],
                "ability": "Attack ([Focus], [Calculate], or [Lock]): Spend 2 [Charge]. More that nobody keeps.",
                "charges": {"value": 4, "recovers": 0},
                "attack": {"arc": "Front Arc", "value": 4, "minrange": 2, "maxrange": 3, "ordnance": True},
            }
        ],
    },
    {
        "name": "Hull Upgrade",
        "xws": "hullupgrade",
        "sides": [
            {
                "title": "Hull Upgrade",
                "type": "Modification",
                "slots": ["Modification"],
                "grants": [
                    {"type": "stat", "value": "hull", "amount": 2},
                    {"type": "slot", "value": "Crew", "amount": 1},
                ],
            }
        ],
    },
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the sets of this host."""
    monkeypatch.setenv("DATA_FOLDER", str(tmp_path))
    monkeypatch.setattr(SHELF, "folder", None)
    return tmp_path / "cards"


@pytest.fixture
def source(tmp_path: Path, folder: Path) -> Path:
    """A small tree, as a checkout of the repository has it."""
    return tree(tmp_path / "xwing-data2", SHIP, UPGRADES)


def tree(root: Path, ship: object, upgrades: object) -> Path:
    for name, content in (
        ("pilots/rebel-alliance/t-65-x-wing.json", ship),
        ("upgrades/missile.json", upgrades),
        ("manifest.json", {"version": "9", "pilots": [], "stats": []}),
        ("damage-decks/core.json", {"cards": [{"title": "Hull Breach", "amount": 2}]}),
    ):
        path = root / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return root


def brought(source: Path, *more: str) -> int:
    return main(["cards", "import", str(source), "--set", "club", "--as-of", "2026-08-01", *more])


def club() -> CardSet:
    card_set = SHELF.find("club")
    assert card_set is not None
    return card_set


def test_a_set_is_made_of_the_numbers_of_the_data(source: Path, folder: Path) -> None:
    assert brought(source) == 0
    assert [path.name for path in folder.iterdir()] == ["club@2026-08-01.json"]
    assert "nobody keeps" not in (folder / "club@2026-08-01.json").read_text(encoding="utf-8")
    luke = pilot_ship("lukeskywalker", ["clubmissiles", "hullupgrade"], club())
    assert (luke.numbers, luke.force, luke.card_set) == ("3/2/6/2 i6", Charges(3, 1), "club@2026-08-01")
    missiles = luke.weapons[1]
    assert (missiles.needs, missiles.needs_any, missiles.cost) == (("calculate", "focus", "lock"), True, 2)
    assert (missiles.nearest, missiles.farthest, missiles.ordnance, missiles.slot) == (2, 3, True, "missile")
    tester = pilot_ship("tester-club", cards=club())
    assert (tester.numbers, tester.chassis, tester.charges) == ("2/0/5/0 i2", "platedhull", Charges(2, 1))
    assert [upgrade.id for upgrade in tester.upgrades] == ["clubmissiles", "hate"], (
        "from the set with most of its pilots"
    )


def test_import_says_what_is_new_gone_and_changed(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert brought(source) == 0
    out = capsys.readouterr().out
    assert "club (2026-08-01): 1 ship, 2 pilots, 3 upgrades. Compared with XWA (2026-07-05):" in out
    assert "New pilots (1):\n  Tester (T-65 X-wing), tester-club\n" in out
    assert "Removed pilots (733):\n" in out
    assert "and 693 more" in out
    assert "Luke Skywalker (T-65 X-wing), lukeskywalker: initiative 6, was 5; force 3 (+1), was 2 (+1)" in out
    assert "Hull Upgrade (modification), hullupgrade: own hull 2, was 1" in out
    assert "New cards to play by hand (2):\n  Club Missiles\n  Tester (T-65 X-wing)\n" in out


def test_list_and_diff(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brought(source)
    newer = copy.deepcopy(SHIP)
    newer["pilots"][0]["initiative"] = 4
    again = tree(source.parent / "newer", newer, UPGRADES)
    assert main(["cards", "import", str(again), "--set", "club", "--as-of", "2026-09-01"]) == 0
    assert "Compared with club (2026-08-01):\nChanged pilots (1):" in capsys.readouterr().out
    assert main(["cards", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" · ")[0] for line in lines[::2]] == [
        "xwa: XWA (2026-07-05)",
        "legacy: Legacy (2025-12-11)",
        "club: club (2026-09-01)",
        "club: club (2026-08-01)",
    ]
    assert "older; matches that started with it keep it" in lines[6]
    assert lines[5] == "  Dice effects: 3 automated, 0 ask first, 0 reminders only, 0 by hand."
    assert main(["cards", "diff", "club@2026-08-01", "club"]) == 0
    assert "initiative 4, was 6" in capsys.readouterr().out
    assert main(["cards", "diff", "xwa", "xwa"]) == 0
    assert "Nothing was added, removed, or changed." in capsys.readouterr().out


def test_a_squad_goes_to_the_set_that_is_named(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brought(source)
    xws = json.dumps({"faction": "rebelalliance", "pilots": [{"id": "tester-club"}]})
    capsys.readouterr()
    assert main(["squad", xws]) == 0, "it alone knows the pilot"
    assert "Cards: club (2026-08-01)." in capsys.readouterr().out
    assert main(["squad", json.dumps({"pilots": [{"id": "lukeskywalker"}]}), "--set", "club", "--json"]) == 0
    squad = json.loads(capsys.readouterr().out)
    assert (squad["set"], squad["ships"][0]["initiative"]) == ("club", 6)
    assert main(["squad", xws, "--set", "clubb"]) == 2
    assert "Did you mean `club`?" in capsys.readouterr().err


def test_an_archive_or_one_file_will_do(source: Path, tmp_path: Path) -> None:
    archive = tmp_path / "data.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in source.rglob("*.json"):
            packed.write(path, path.relative_to(source.parent).as_posix())
    assert brought(archive) == 0
    assert len(club().pilots) == 2
    item = tmp_path / "one.json"
    item.write_text(json.dumps({"ships": [SHIP], "upgrades": UPGRADES}), encoding="utf-8")
    assert main(["cards", "import", str(item), "--set", "single", "--as-of", "2026-08-01"]) == 0
    assert SHELF.find("single") is not None


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "an initiative": ({"pilots": [{**SHIP["pilots"][0], "initiative": 12}]}, "pilots[0].initiative` was `12`"),
    "an id that is there twice": ({"pilots": [SHIP["pilots"][0]] * 2}, "Each id can appear only once."),
    "no id": (
        {"pilots": [{**SHIP["pilots"][0], "xws": "Luke Skywalker"}]},
        "Use lowercase letters, digits, and hyphens.",
    ),
    "a ship without hull": ({"stats": SHIP["stats"][:2]}, "Give the ship hull."),
    "an unknown arc": ({"stats": [{"type": "attack", "arc": "Top Arc", "value": 3}]}, "stats[0].arc` was `Top Arc`"),
    "a strange size": ({"size": "Tiny"}, "size` was `Tiny`"),
    "a strange faction": ({"faction": "rebels"}, "faction` was `rebels`"),
    "I can't find any pilots here": ({"pilots": []}, "I can't find any pilots here"),
    "a pilot that is no card": ({"pilots": ["luke"]}, "pilots[0]` was `luke`"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_named_with_its_place_and_nothing_is_written(
    wrong: str, tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed, words = WRONG[wrong]
    assert brought(tree(tmp_path / "wrong", SHIP | changed, UPGRADES)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert not folder.exists()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("maxrange", 1, "Use at most the farthest range."),
        ("value", 9, "attack.value` was `9`"),
        ("arc", "Nowhere", "attack.arc` was `Nowhere`"),
    ],
)
def test_a_weapon_is_checked(
    field: str, value: object, words: str, tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    upgrades = copy.deepcopy(UPGRADES)
    upgrades[0]["sides"][0]["attack"][field] = value
    assert brought(tree(tmp_path / "wrong", SHIP, upgrades)) == 2
    assert words in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--set", "Club Sandwich"], "Use 1 to 20 lowercase letters, digits, and hyphens, as in `club"),
        (["--set", "club", "--as-of", "yesterday"], "Use a date like `2026-08-01`."),
        (["--set", "../club"], "Use 1 to 20 lowercase letters, digits, and hyphens, as in `club"),
    ],
)
def test_a_set_needs_a_name(arguments: list[str], words: str, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "import", str(source), *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_set_is_never_overwritten(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert brought(source) == 0
    assert brought(source) == 2
    assert "There's already a set with this name and date" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"[", b"\xff\xfe", b"PK\x03\x04broken", b"[" * 100_000])
def test_a_file_that_is_no_data_is_refused_in_a_sentence(
    content: bytes, tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file.json").write_bytes(content)
    assert brought(tmp_path / "file.json") == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert brought(tmp_path / "nothing") == 2
    assert "can't be read" in capsys.readouterr().err
    assert not folder.exists()


def test_a_newer_set_of_a_shipped_key_is_the_one_in_use(source: Path) -> None:
    assert main(["cards", "import", str(source), "--set", "xwa", "--as-of", "2099-01-01"]) == 0
    assert SHELF.of("xwa").name == "xwa@2099-01-01"
    assert SHELF.of("xwa@2026-07-05").name == "xwa@2026-07-05", "what matches began with"
    assert [card_set.key for card_set in SHELF.newest()] == list(POOLS)
