"""What the page of odds answers, without a browser: the same numbers as the bot, and a sentence for all else."""

import ast
import html
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from colorsys import rgb_to_hsv
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings, strategies as st

from bot.games import by_terminal
from bot.odds.xwing import odds
from bot.odds_site import build, infinity
from bot.odds_site.answers import answer, keep_files
from bot.odds_site.forms import FORMS
from bot.odds_site.rolls import bar_of, roll_out
from bot.render.art.dice import BODIES
from bot.render.art.palette import SERIES
from bot.render.card import Bars
from bot.rules.text import english
from bot.rules.xwing import declare
from bot.rules.xwing.table.squad import parse
from tests.every_way import every_way
from tests.examples import share_of

LUKE: Final = {"mine": "Luke Skywalker\nWedge Antilles", "theirs": "Darth Vader\nHowlrunner"}


def ask(game: str, *asks: dict[str, str], shared: dict[str, str] | None = None, language: str = "en") -> dict[str, str]:
    question = {"game": game, "language": language, "shared": shared or {}, "asks": list(asks)}
    result: dict[str, str] = json.loads(answer(json.dumps(question)))
    return result


@pytest.mark.parametrize("game", FORMS)
def test_every_example_has_an_answer_and_its_fields(game: str) -> None:
    form = FORMS[game]
    result = ask(game, dict(form.example), shared={})
    assert "error" not in result
    assert "<article>" in result["cards"]
    assert all(f'name="{field.key}"' in result["fields"] for field in form.asked)


def test_the_mean_is_that_of_the_terminal() -> None:
    raw = {"attack": {"dice": 3, "focus": 1, "lock": 1}, "defense": {"dice": 2, "evade": 1}}
    numerator, _, denominator = str(odds(declare(raw))["mean_damage"]).partition("/")
    mean = int(numerator) / int(denominator)
    result = ask("xwing", {"dice": "3", "agility": "2", "with": "focus, lock", "against": "evade"})
    assert f"Average damage: {mean:.2f}." in result["cards"]


def test_squads_bring_ships_weapons_and_claims() -> None:
    result = ask("xwing", {}, shared=LUKE)
    shown = re.findall(r'<option value="([^"]*)" selected>', result["fields"])
    assert shown == ["Wedge Antilles", "Darth Vader"], "the form shows what was asked"
    assert "Wedge Antilles attacks Darth Vader" in result["cards"]
    assert 'value="Luke Skywalker">Luke Skywalker</option>' not in result["fields"].partition('name="defender"')[2]
    picked = ask("xwing", {"attacker": "Luke Skywalker", "defender": "Howlrunner", "range": "1"}, shared=LUKE)
    assert "Luke Skywalker attacks Howlrunner" in picked["cards"]


def test_lines_that_nobody_understands_are_named_as_in_discord() -> None:
    mine = "Luke Skywalker + Proton Torpedos\nWegde Antilles"
    (squad,) = parse(mine)
    assert squad.unknown
    cards = ask("xwing", {}, shared={**LUKE, "mine": mine})["cards"]
    for sentence in squad.unknown:
        assert html.escape(english(sentence), quote=False) in html.unescape(cards) or english(sentence) in cards


def test_a_squad_of_which_no_line_is_understood_names_the_nearest_ship_of_each() -> None:
    error = ask("xwing", {}, shared={"mine": "Howlruner\nDarth Vadr"})["error"]
    assert "Did you mean Howlrunner?" in error
    assert "Did you mean Darth Vader?" in error


def test_with_one_squad_the_page_asks_for_the_other() -> None:
    alone = ask("xwing", {}, shared={"mine": "Luke Skywalker"})
    assert "Paste their squad" in alone["error"]
    assert 'name="defender"' not in alone["fields"], "one's only ship is no target"
    both = ask("xwing", {}, shared={"mine": LUKE["mine"]})["cards"]
    assert "Paste their squad" in both
    assert "Wedge Antilles attacks Luke Skywalker" in both


def test_the_defender_and_each_choice_are_named() -> None:
    cards = ask("xwing", {"against": "evade"}, {"against": "focus"}, {"against": "focus"}, shared=LUKE)["cards"]
    assert "<dt>Defender</dt>" in cards
    names = re.findall(r'class="name">([^<]*)<', cards)
    assert len(set(names)) == len(names)


def test_a_check_is_one_number() -> None:
    cards = ask("dice", {"dice": "2d20kh1+5 vs 15"})["cards"]
    assert "Chance of a success: 80%." in cards
    assert "Exactly 319/400 of all rolls" in cards
    assert "mean" not in cards
    assert "Range" not in cards


@pytest.mark.parametrize("game", FORMS)
def test_a_question_is_rolled_and_its_bar_is_one_of_the_chart(game: str) -> None:
    question = {"game": game, "language": "en", "shared": {}, "asks": [dict(FORMS[game].example)], "rolls": True}
    (rolled,) = json.loads(answer(json.dumps(question)))["rolls"]
    assert 'class="die ' in rolled["html"]
    assert "secrets module" in rolled["html"]
    assert rolled["short"]
    card, _, bar = (rolled["bar"] or "0--").partition("-")
    charted = f'data-bar="{bar}"' in ask(game, dict(FORMS[game].example))["cards"]
    assert (charted, card) == (game in ("xwing", "warsurge", "dice", "duel"), "0")


def test_a_roll_tells_what_tokens_did() -> None:
    question = {"game": "xwing", "language": "en", "shared": {}, "asks": [dict(FORMS["xwing"].example)], "rolls": True}
    told = {json.loads(answer(json.dumps(question)))["rolls"][0]["html"] for _ in range(10)}
    assert all('<span class="line">Attack dice rolled: ' in html for html in told)
    assert any("Evade changes: " in html for html in told)


@pytest.mark.parametrize("game", FORMS)
def test_an_average_is_said_once(game: str) -> None:
    cards = html.unescape(ask(game, dict(FORMS[game].example))["cards"])
    averages = re.findall(r"(?i)(?:average|mean)[^:<]*:? (\d+\.\d+)", cards)
    assert len(averages) == len(set(averages)), cards


def test_each_choice_is_rolled_beside_its_own_bar() -> None:
    question = {"game": "xwing", "language": "en", "shared": LUKE, "asks": [{"with": "focus"}, {}], "rolls": True}
    result = json.loads(answer(json.dumps(question)))["rolls"]
    assert [rolled["bar"].rpartition("-")[0] for rolled in result] == ["0-0", "0-1"]


@pytest.mark.parametrize(
    ("game", "shared", "values"),
    [
        ("xwing", {}, {"dice": "2", "agility": "1", "with": "focus, lock", "against": "evade"}),
        ("xwing", {}, {"dice": "2", "agility": "2", "with": "calculate", "against": "focus"}),
        ("xwing", {"mine": "Academy Pilot", "theirs": "Blue Squadron Escort"}, {"with": "lock", "range": "2"}),
        ("warsurge", {}, {"power": "7", "defence": "4", "attack_dice": "2", "save": "4"}),
        ("dice", {}, {"dice": "3d6kh2"}),
        (
            "duel",
            {},
            {"legion-attacker": "1r 1w aim 1", "legion-defender": "dodge 1", "legion-defender_words": "red saves"},
        ),
    ],
)
def test_what_is_rolled_falls_as_the_chart_says(game: str, shared: dict[str, str], values: dict[str, str]) -> None:
    """Every way in which the dice can fall, played to the end as the page plays it, makes the bars of its own chart."""
    form, one = FORMS[game], by_terminal()[game]
    declared = form.declare(shared, values)
    (card,) = form.cards(shared, [values])
    assert isinstance(card.figure, Bars)
    assert form.value is not None
    value = form.value
    came = every_way(lambda rng: bar_of(card, 0, value(roll_out(one, declared, rng)) or 0))
    assert came == {at: bar.chances[0] for at, bar in enumerate(card.figure.bars) if bar.chances[0]}


@pytest.mark.parametrize(
    ("game", "values", "label"),
    [
        ("xwing", {"dice": "3", "with": "focsu"}, "The attacker spends"),
        ("xwing", {"dice": "3", "against": "evdae"}, "The defender spends"),
        ("dice", {"dice": "2d6+"}, "Dice"),
        ("albion", {"agility": "3", "stealth": "3", "awareness": "99999"}, "Your Awareness"),
    ],
)
def test_a_refusal_names_the_label_on_the_page(game: str, values: dict[str, str], label: str) -> None:
    assert f"<code>{label}</code>" in ask(game, values)["error"]


WRONG: Final = [
    "focsu",
    "0",
    "-1",
    "99999",
    "((",
    "3d",
    "vs",
    "evade evade",
    "x+",
    ":",
    "lock on",
    "hull -3",
    "a b c d",
    "1/0",
]
"""Texts that hardly any field takes."""
HUNDRED: Final = list(dict.fromkeys([*WRONG, *(f"{first} {second}" for first in WRONG for second in WRONG)]))[:100]
NEXT: Final = re.compile(
    r"(?i)\b(Use|Enter|Write|Copy|Paste|Example|Did you mean|Leave|Type|Choose|Pick|You can|Put|Name|Add|Remove|Give|"
    r"Fill in|something similar|the closest|Start|Check|Say|Try|Compare|Only|at most|must be)\b"
)
"""What every refusal says besides what is wrong."""


WORDS: Final = re.compile(r"[A-Za-z][A-Za-z'-]+|\d+|[^\w\s]")
ARMY: Final = "hE4HcmFuZ2VycwggRnJpZGF5IIEsAgEAAwEBAQEAAgEBAQADAQECAAIAAQECAQEA"
"""The code of ``docs/example-army.json``."""
BOTH: Final = {"mine": ARMY, "theirs": ARMY}
PROFILES: Final = (
    "Fennec: BS 12, PH 13, ARM 1, W 1, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48\nYama: BS 11, PH 12, ARM 1, W 1"
)
SHIPS: Final = {
    "mine": "Luke Skywalker + Proton Torpedoes + R2-D2\nWedge Antilles",
    "theirs": "Darth Vader\nHowlrunner",
    "stands": "Luke Skywalker: focus 1, lock on Darth Vader, shield 1, R2-D2 1, faceup Structural Damage",
}
SCENES: Final[Sequence[tuple[str, dict[str, str], dict[str, str]]]] = [
    *((game, {}, dict(form.example)) for game, form in FORMS.items()),
    (
        "xwing",
        SHIPS,
        {"with": "focus, lock, force 2, reroll 1 blank, change 1 focus to hit", "against": "evade, focus 2"},
    ),
    ("infinity", BOTH, {"more": "-3 b2 rolls 9, 4", "aro_more": "-3 rolls 9"}),
    ("infinity", {"profiles": PROFILES}, {"order": "Fennec Combi at 20 cover b2 -3 vs Yama dodge"}),
    ("dice", {}, {"dice": '4d6 drop lowest "Strength"; 1d8!+2'}),
    ("dice", {}, {"dice": "2d20kh1+5 vs 15"}),
]
"""What the fields of each game are typed into: alone, between ships, between troopers."""


def near_misses(text: str) -> Iterator[str]:
    """Texts one slip away from what somebody may type."""
    for word in WORDS.finditer(text):
        start, typed, end = text[: word.start()], word[0], text[word.end() :]
        slips = ["", typed * 2, "?"]
        if typed.isdecimal():
            slips = ["999", "-1", "0", "x", f"{typed}.5", ""]
        elif len(typed) > 1:
            slips = [typed[1:], typed[:-1], typed[1] + typed[0] + typed[2:], "", f"{typed} {typed}", f"{typed}zz"]
        yield from filter(str.strip, (f"{start}{slip}{end}" for slip in slips))


def wrong_inputs() -> Iterator[tuple[int, str, str]]:
    """The number of a scene, a text field in it, and each wrong text."""
    for at, (game, shared, ask_) in enumerate(SCENES):
        form = FORMS[game]
        for field in (*form.shared, *(form.fields(shared, ask_) if form.fields else form.asked)):
            typed = (*HUNDRED, *near_misses(shared.get(field.key) or ask_.get(field.key, "")))
            yield from ((at, field.key, text) for text in typed if not field.options)


def check_refusals(cases: Iterable[tuple[int, str, str]]) -> int:
    """Hold every refusal to the law; how many there were."""
    refused = 0
    for at, key, text in cases:
        game, shared, ask_ = SCENES[at]
        form = FORMS[game]
        asks, everywhere = dict(ask_), dict(shared)
        (everywhere if key in [field.key for field in form.shared] else asks)[key] = text
        error = ask(game, asks, shared=everywhere).get("error")
        if error is None:
            continue
        refused += 1
        asked = form.fields(shared, ask_) if form.fields else form.asked
        labels = [english(field.label) for field in (*form.shared, *asked)]
        said = html.unescape(re.sub("</?(?:code|p)[^>]*>", lambda tag: "`" if "code" in tag[0] else "", error))
        typed = " ".join([text, *shared.values(), *ask_.values()])
        quoted = said.split("`")[1::2]
        is_typed = any(word in said for word in typed.split() if len(word) > 2)
        is_quoted = any(part in labels or part in text or text.split()[0] in part for part in quoted)
        is_named = any(label.lower() in said.lower() for label in labels)
        assert is_typed or is_quoted or is_named, (game, key, text, said)
        assert NEXT.search(said), (game, key, text, said)
        keys = {field.key for field in (*form.shared, *form.asked)} | {"stats", "name", "upgrade", "line 1", "line 2"}
        assert not keys & (set(quoted) - set(labels) - set(typed.split())), (game, key, text, said)
        assert said[0] in "`(" or said[0].isupper(), (game, key, text, said)
        assert "`the end`" not in said
        assert not re.search("`/[a-z]|channel|\\. [a-z]", said), ("the page has no commands", game, key, text, said)
    return refused


@pytest.mark.usefixtures("army_data")
def test_a_refusal_names_what_is_there_and_what_to_do_next() -> None:
    every = list(wrong_inputs())
    assert check_refusals(Random(61).sample(every, 120)) > 60


@pytest.mark.long
@pytest.mark.usefixtures("army_data")
def test_every_refusal_of_the_page_names_what_is_there_and_what_to_do_next() -> None:
    assert check_refusals(wrong_inputs()) > 2000


@pytest.mark.parametrize(
    ("order", "bodies"),
    [
        ("Angus 12 b3 vs Ortega 11", ["d20-attacker", "d20-defender"]),
        ("Angus 12 b3 N PS 7 vs Ortega 11 ARM 1 W 1 dodge", ["d20-defender"]),
        ("Angus 12 ARM 1 W 1 dodge vs Ortega 11 N PS 7", ["d20-attacker"]),
    ],
)
def test_a_persons_bars_have_the_color_of_their_dice_on_cards_and_on_the_page(order: str, bodies: list[str]) -> None:
    (card,) = FORMS["infinity"].cards({}, [{"order": order}])
    assert isinstance(card.figure, Bars)
    drawn = [SERIES[card.figure.color + at] for at in range(len(card.figure.series))]
    assert drawn == [BODIES[body].ink for body in bodies]
    classes = re.findall(r'class="series-(\d)" data-bar', ask("infinity", {"order": order})["cards"])
    assert {SERIES[int(at)] for at in classes} == {*drawn}
    css = (Path(build.__file__).parent / "static" / "site.css").read_text(encoding="utf-8")
    for at, ink in re.findall(r"--series-(\d): (#\w{6})", css):
        hues = [rgb_to_hsv(*parts)[0] for parts in (SERIES[int(at)], bytes.fromhex(ink[1:]))]
        assert hues[0] == pytest.approx(hues[1], abs=0.04)


def test_choices_stand_side_by_side() -> None:
    result = ask("xwing", {"with": "focus"}, {"with": "lock"}, shared=LUKE)
    assert result["cards"].count("<article>") == 1
    assert result["cards"].count('class="series-1"') > 1
    assert result["fields"].count("<fieldset><p>") == 2


def test_infinity_is_counted_to_the_wound_where_profiles_say_so() -> None:
    result = ask("infinity", {"order": "Fennec Combi at 20 vs Yama dodge"}, shared={"profiles": PROFILES})
    assert "Wounds" in result["cards"]
    assert "Chance that Yama takes damage: 42%." in result["cards"]


@pytest.fixture
def army_data() -> Iterator[None]:
    """The visitor has chosen the data of the example."""
    path = Path(__file__).parents[2] / "docs" / "example-army.json"
    keep_files(json.dumps({path.name: path.read_text()}))
    yield
    infinity.FILES.clear()
    infinity.read_code.cache_clear()


@pytest.mark.usefixtures("army_data")
def test_of_two_army_codes_two_troopers_are_picked_with_weapon_distance_cover_and_aro() -> None:
    picked = {
        "attacker": "RANGER (Heavy Rifle)",
        "target": "WALKER (Flamer) #1",
        "weapon": "Heavy Rifle Burst Mode (+1B)",
        "at": "8-24",
        "around": "cover",
        "aro_does": "Heavy Rifle AP Mode",
    }
    result = ask("infinity", picked, shared=BOTH)
    assert "error" not in result
    shown = re.findall(r'<option value="([^"]*)" selected>', result["fields"])
    assert shown == [value for key, value in picked.items() if key != "around"], "the form shows what was asked"
    assert 'value="cover" checked>' in result["fields"]
    order = (
        "RANGER (Heavy Rifle) Heavy Rifle Burst Mode (+1B) at 8-24 cover vs WALKER (Flamer) #1\n"
        "WALKER (Flamer) #1 Heavy Rifle AP Mode vs RANGER (Heavy Rifle)"
    )
    shared, asks = json.loads(json.dumps(result["question"]))
    assert asks == [{"order": order, "edition": "n5"}]
    infinity.FILES.clear()
    in_words = ask("infinity", *asks, shared=shared)
    assert figures(in_words["cards"]) == figures(result["cards"]), "who gets the link needs no army data"


def figures(cards: str) -> list[str]:
    return re.findall(r"\d+%", cards)


@pytest.mark.usefixtures("army_data")
@pytest.mark.parametrize("attacker", ["RANGER (Carbine) #1", "RANGER (Heavy Rifle)", "WALKER (Flamer)"])
def test_every_weapon_and_aro_that_can_be_picked_is_counted(attacker: str) -> None:
    for key in ("weapon", "aro_does"):
        fields = ask("infinity", {"attacker": attacker}, shared=BOTH)["fields"]
        (shown,) = re.findall(rf'name="{key}">(.*?)</select>', fields)
        for value in re.findall(r'<option value="([^"]*)"', shown):
            result = ask("infinity", {"attacker": attacker, key: value}, shared=BOTH)
            assert "error" not in result, (key, value, result["error"])
            assert "%" in result["cards"]


def test_without_data_an_army_code_says_which_file_to_choose_and_where() -> None:
    error = ask("infinity", {}, shared=BOTH)["error"]
    assert "Choose it in <code>Army data (JSON)</code>, or delete the code and use <code>Profiles" in error
    assert "<code>Your army code</code>" in ask("infinity", {}, shared={"mine": "x"})["error"]


@pytest.mark.usefixtures("army_data")
def test_two_picks_are_named_by_what_differs() -> None:
    cards = ask("infinity", {"around": "cover"}, {"aro_does": "nothing"}, shared=BOTH)["cards"]
    assert "The target is in Partial Cover · Carbine" in cards
    assert "No ARO" in cards


def test_a_language_is_spoken() -> None:
    assert "Schaden im Schnitt" in ask("xwing", dict(FORMS["xwing"].example), language="de")["cards"]
    assert "Average damage" in ask("xwing", dict(FORMS["xwing"].example), language="xx")["cards"]


@pytest.mark.parametrize(
    ("game", "values", "says"),
    [
        ("dice", {"dice": "3d0"}, "a die has 2 to 1000 sides"),
        ("dice", {}, "empty"),
        ("infinity", {"order": "Angus"}, "Angus"),
        ("warsurge", {"power": "x"}, "Use a whole number"),
        ("xwing", {"with": "<script>alert(1)</script>", "dice": "3"}, "&lt;script&gt;"),
    ],
)
def test_a_mistake_is_one_sentence_and_the_fields_stay(game: str, values: dict[str, str], says: str) -> None:
    result = ask(game, values)
    assert says in result["error"]
    assert "<script" not in result["error"]
    assert result["fields"]
    assert "cards" not in result


@pytest.mark.parametrize(
    "text",
    [
        *("", "null", "[]", "{}", '{"game": "chess", "asks": []}', '{"game": "dice"}', '{"game": "dice", "asks": 3}'),
        *('{"game": "dice", "asks": [3]}', '{"game": "dice", "asks": [{"dice": 3}]}', "[" * 100_000),
        '{"game": "xwing", "asks": [{}], "shared": {"mine": 7}}',
        *('{"game": [], "asks": [{}]}', '{"game": {}, "asks": [{}]}'),
    ],
)
def test_what_is_no_question_is_one_sentence(text: str) -> None:
    result = json.loads(answer(text))
    assert result.keys() == {"error"}
    assert "This link contains no question" in result["error"]


@settings(max_examples=share_of(60), deadline=None)
@given(game=st.sampled_from(sorted(FORMS)), data=st.data())
def test_no_text_of_a_stranger_breaks_out(game: str, data: st.DataObject) -> None:
    keys = [field.key for field in (*FORMS[game].asked, *FORMS[game].shared)]
    texts = st.text(st.sampled_from("<>\"&'`/=+-d0123456789 abvs\n"), max_size=24)
    values = data.draw(st.dictionaries(st.sampled_from(keys), texts, max_size=4))
    result = ask(game, values, shared=values)
    assert result.keys() & {"error", "cards"}
    for shown in result.values():
        assert not re.search(r"<(?!/?(?:[a-z0-9]+)[ >])", shown), shown


def test_only_so_many_choices_are_compared() -> None:
    assert all(form.most <= 4 for form in FORMS.values())
    assert ask("dice", *[{"dice": "1d6"}] * 9)["cards"].count("<article>") == FORMS["dice"].most


def test_nothing_but_the_standard_library_is_imported() -> None:
    """Pyodide has no Pillow here, and needs no Discord."""
    code = (
        "import sys, bot.odds_site.answers; "
        "known = {name.partition('.')[0] for name in sys.modules}; "
        "print(known & {'PIL', 'discord', 'sqlalchemy', 'pydantic', 'aiohttp'})"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_all_that_is_imported_is_packed() -> None:
    files = "[module.__file__ for name, module in sys.modules.items() if name[:3] == 'bot']"
    code = f"import sys, bot.odds_site.answers; print({files})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    packed = {str(path) for _, path in build.list_own_files(is_language=False)}
    assert set(ast.literal_eval(ran.stdout)) <= packed


def test_what_is_packed_answers_every_example(tmp_path: Path) -> None:
    """The archive alone, as the browser has it: a file that is read only when somebody asks is there too."""
    for files in (build.list_own_files(is_language=False), [*build.list_own_files(is_language=True), *build.babel()]):
        with zipfile.ZipFile(io.BytesIO(build.zip_files(files))) as archive:
            archive.extractall(tmp_path)
    asked: list[dict[str, Any]] = [{"game": key, "asks": [dict(form.example)]} for key, form in FORMS.items()]
    asked.append({"game": "xwing", "asks": [{}], "shared": LUKE, "language": "de"})
    code = "import json, sys; from bot.odds_site.answers import answer; print([*map(answer, json.load(sys.stdin))])"
    given = json.dumps([json.dumps(item) for item in asked])
    command = [sys.executable, "-S", "-c", code]
    ran = subprocess.run(command, input=given, capture_output=True, text=True, check=True, cwd=tmp_path, env={})
    result = [json.loads(item) for item in ast.literal_eval(ran.stdout)]
    assert [item.keys() for item in result] == [{"fields", "cards"}] * len(asked)
    assert "Schaden im Schnitt" in result[-1]["cards"], "the catalogs of games are there too"


def test_the_games_are_those_of_the_terminal() -> None:
    shown: dict[str, Any] = dict(by_terminal())
    assert FORMS.keys() <= shown.keys()
