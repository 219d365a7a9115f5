"""What the page of odds answers, without a browser: the same numbers as the bot, and a sentence for all else."""

import ast
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games import by_terminal
from bot.odds.xwing import odds
from bot.odds_site import build
from bot.odds_site.answers import answer
from bot.odds_site.forms import FORMS
from bot.rules.xwing import declare

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
    assert re.findall(r'<option value="([^"]*)" selected>', result["fields"]) == []
    assert "Luke Skywalker" in result["fields"]
    picked = ask("xwing", {"attacker": "Luke Skywalker", "defender": "Howlrunner", "range": "1"}, shared=LUKE)
    assert "Luke Skywalker attacks Howlrunner" in picked["cards"]


def test_choices_stand_side_by_side() -> None:
    result = ask("xwing", {"with": "focus"}, {"with": "lock"}, shared=LUKE)
    assert result["cards"].count("<article>") == 1
    assert result["cards"].count('class="series-1"') > 1
    assert result["fields"].count("<fieldset><p>") == 2


def test_infinity_is_counted_to_the_wound_where_profiles_say_so() -> None:
    profiles = (
        "Fennec: BS 12, PH 13, ARM 1, W 1, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48\nYama: BS 11, PH 12, ARM 1, W 1"
    )
    result = ask("infinity", {"order": "Fennec Combi at 20 vs Yama dodge"}, shared={"profiles": profiles})
    assert "Wounds" in result["cards"]
    assert "Chance that Yama takes damage: 42%." in result["cards"]


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
    ],
)
def test_what_is_no_question_is_one_sentence(text: str) -> None:
    result = json.loads(answer(text))
    assert result.keys() == {"error"}
    assert "This link contains no question" in result["error"]


@settings(max_examples=60, deadline=None)
@given(game=st.sampled_from(sorted(FORMS)), data=st.data())
def test_no_text_of_a_stranger_breaks_out(game: str, data: st.DataObject) -> None:
    keys = [field.key for field in (*FORMS[game].asked, *FORMS[game].shared)]
    texts = st.text(st.sampled_from("<>\"&'`/=+-d0123456789 abvs\n"), max_size=24)
    values = data.draw(st.dictionaries(st.sampled_from(keys), texts, max_size=4))
    result = ask(game, values, shared=values)
    assert result.keys() & {"error", "cards"}
    for html in result.values():
        assert not re.search(r"<(?!/?(?:[a-z0-9]+)[ >])", html), html


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
