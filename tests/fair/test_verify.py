"""Honest games fit, dishonest ones do not, and every checker says the same."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.__main__ import main
from bot.fair.protocol import seal
from bot.fair.rolls import Rolls
from bot.fair.transcript import Ply, Transcript, new_header, read, transcript
from bot.fair.verify import verify
from tests.fair.checkers import DOCS, by_the_bot, by_the_script
from tests.fair.forgeries import FORGERIES, KEY, game, game_with_hazards, game_with_undo, play
from tests.fair.games import games


@given(games())
def test_an_honest_game_fits_and_is_read_as_it_was_written(found: Transcript) -> None:
    data = found.write()
    assert by_the_bot(data) == by_the_script(data) == ""
    assert read(data) == found
    assert read(data).write() == data


def test_a_game_with_undo_fits_and_shows_again_what_was_seen() -> None:
    found = game_with_undo()
    assert by_the_bot(found.write()) == by_the_script(found.write()) == ""
    dice = [ply.draws for ply in found.plies]
    assert dice[5][:5] == dice[1]
    assert dice[6] == dice[0]
    assert dice[12] == (dice[8][5], *dice[7], *dice[8][:5])
    assert len({dice[0], dice[1], dice[4], dice[7], dice[8][:5], dice[11], dice[13]}) == 7, "all others are new"


def test_an_obstacle_taken_back_shows_the_same_die_again_to_the_same_person() -> None:
    found = game_with_hazards()
    assert by_the_bot(found.write()) == by_the_script(found.write()) == ""
    first, _, others, again, roll, fresh = (ply.draws for ply in found.plies)
    assert (again[0], again[2]) == first
    assert len({first[0], others[0], fresh[0]}) > 1, "somebody else, and later dice, are new"
    assert roll != (again[0], again[2])


@given(games(most=6), st.data())
def test_any_changed_byte_is_found(found: Transcript, data: st.DataObject) -> None:
    written = found.write()
    place = data.draw(st.integers(0, len(written) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != written[place]))
    changed = written[:place] + bytes([byte]) + written[place + 1 :]
    assert by_the_bot(changed) == by_the_script(changed) != ""


@given(games(most=6), st.data())
def test_any_missing_or_added_byte_is_found(found: Transcript, data: st.DataObject) -> None:
    written = found.write()
    first = data.draw(st.integers(0, len(written)))
    last = data.draw(st.integers(first, len(written)))
    added = data.draw(st.binary(max_size=3))
    changed = written[:first] + added + written[last:]
    if changed != written:
        assert by_the_bot(changed) == by_the_script(changed) != ""


def test_every_byte_counts() -> None:
    """Not a sample: each byte of one whole file, with another digit, the other case, and no ASCII."""
    written = game().write()
    for place, byte in enumerate(written):
        for bit in (0x01, 0x20, 0x80):
            changed = written[:place] + bytes([byte ^ bit]) + written[place + 1 :]
            assert by_the_bot(changed) != "", (place, bit)


@given(st.binary(max_size=50) | st.binary(max_size=50).map(lambda data: b"{" + data + b"}\n"))
def test_any_file_gets_a_sentence(data: bytes) -> None:
    assert by_the_bot(data) == by_the_script(data) != ""


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_named(name: str) -> None:
    data, sentence = FORGERIES[name]
    assert by_the_bot(data) == sentence
    assert by_the_script(data) == sentence


def test_the_place_of_what_does_not_fit_is_given() -> None:
    data, _ = FORGERIES["a rigged die"]
    assert verify(data).ply == 2
    assert verify(FORGERIES["another key"][0]).ply is None


# Dice that come again


def test_a_roll_opened_again_keeps_its_number_and_shows_the_same_dice() -> None:
    rolls, deal = Rolls(), Dealer()
    first = deal(rolls, "111", 8, 8, 8)
    deal.undo(rolls, first)
    again = deal(rolls, "111", 8, 8, 8, 8)
    assert (again.roll, again.ply) == (1, 2)
    assert again.draws[:3] == first.draws
    assert deal(rolls, "111", 8).roll == 2


def test_nobody_else_gets_the_dice_that_were_taken_back() -> None:
    rolls, deal = Rolls(), Dealer()
    first = deal(rolls, "111", *[8] * 20)
    deal.undo(rolls, first)
    other = deal(rolls, "222", *[8] * 20)
    assert other.roll == 2
    assert other.draws != first.draws
    assert deal(rolls, "111", *[8] * 20).draws == first.draws


def test_within_a_roll_they_wait_for_their_person_and_their_number_of_sides() -> None:
    rolls, deal = Rolls(), Dealer()
    deal(rolls, "111", 8)
    reroll = deal.press(rolls, 1, "111", *[8] * 20, 6)
    deal.undo(rolls, reroll)
    assert deal.press(rolls, 1, "222", *[8] * 20).draws != reroll.draws[:20]
    assert deal.press(rolls, 1, "111", 6).draws == reroll.draws[20:], "the die of six sides comes first of its kind"
    assert deal.press(rolls, 1, "111", *[8] * 20).draws == reroll.draws[:20]


def test_two_presses_taken_back_come_again_in_their_order() -> None:
    rolls, deal = Rolls(), Dealer()
    deal(rolls, "111", 8)
    one, two = deal.press(rolls, 1, "111", *[8] * 9), deal.press(rolls, 1, "111", *[8] * 9)
    deal.undo(rolls, two)
    deal.undo(rolls, one)
    assert deal.press(rolls, 1, "111", *[8] * 18).draws == one.draws + two.draws


class Dealer:
    """Plays plies with real streams."""

    def __init__(self) -> None:
        header = new_header(KEY, application=1, channel=2, words={111: "a"}, message=3)
        self.sealed = seal(header.to_json())

    def __call__(self, rolls: Rolls, by: str, *sides: int) -> Ply:
        return self.press(rolls, rolls.next_roll(by), by, *sides)

    def press(self, rolls: Rolls, roll: int, by: str, *sides: int) -> Ply:
        return play(rolls, self.sealed, roll, by, *sides)

    def undo(self, rolls: Rolls, ply: Ply) -> None:
        number = rolls.next_ply(ply.roll)
        undo = Ply(roll=ply.roll, ply=number, by="222", offer="undo", choice={}, undoes=ply.ply)
        rolls.check(undo, KEY, self.sealed, 1)
        rolls.add(undo)


# Command lines


@pytest.fixture
def file(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(data: bytes) -> Path:
        path = tmp_path / "transcript.json"
        path.write_bytes(data)
        return path

    return write


def test_the_command_says_that_all_fits(file: Callable[[bytes], Path], capsys: pytest.CaptureFixture[str]) -> None:
    found = game()
    assert main(["verify", str(file(found.write()))]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "Every die fits. Plies: 6. Dice drawn: 9. Dice typed by hand: 2."
    assert f"Commitment: {found.header.commit}" in printed
    assert "Seal: message 1300000000000000001 in channel 222" in printed
    assert 'Word of 333: "\\u00f1and\\u00fa"' in printed
    assert "Rolled without a word: 444" in printed
    assert f"Last card: 6 {found.hashes[6][:8]}" in printed
    drawn = " ".join(f"d8={side}" for _, side in found.plies[0].draws)
    assert f'1 {found.hashes[1][:8]} roll 1 by 111 "open" {drawn}' in printed


def test_the_command_names_what_does_not_fit(file: Callable[[bytes], Path], capsys: pytest.CaptureFixture[str]) -> None:
    data, sentence = FORGERIES["a rigged die"]
    assert main(["verify", str(file(data))]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(sentence + "\nDo not trust this transcript.")


def test_the_command_says_which_file_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "none.json")]) == 2
    assert "none.json cannot be read: No such file or directory." in capsys.readouterr().err


@pytest.mark.parametrize(("name", "code"), [("", 0), ("a rigged die", 1)])
def test_the_script_stands_alone(file: Callable[[bytes], Path], tmp_path: Path, name: str, code: int) -> None:
    data = FORGERIES[name][0] if name else game().write()
    alone = tmp_path / "verify.py"
    alone.write_bytes((DOCS / "verify.py").read_bytes())
    ran = subprocess.run([sys.executable, "-I", "-S", alone, file(data)], capture_output=True, text=True, check=False)
    assert ran.returncode == code, ran.stderr
    says = verify(data).sentence
    assert (ran.stderr if name else ran.stdout).splitlines()[0] == says


def test_the_script_wants_one_file() -> None:
    ran = subprocess.run([sys.executable, DOCS / "verify.py"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr == "Name the file: python3 verify.py FILE\n"
    ran = subprocess.run([sys.executable, DOCS / "verify.py", "none.json"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr == "none.json cannot be read: No such file or directory. Name the file again.\n"


def test_the_room_loads_in_a_bare_interpreter() -> None:
    names = [f"bot.fair.{path.stem}" for path in (DOCS.parent / "bot" / "fair").glob("[!_]*.py")]
    assert "bot.fair.verify" in names
    root = str(DOCS.parent)
    code = f"import sys; sys.path.insert(0, {root!r}); import importlib; [importlib.import_module(n) for n in {names}]"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_the_example_on_the_page_is_a_transcript() -> None:
    """docs/fairness.md shows one ply; it has the form that the reader takes."""
    page = (DOCS / "fairness.md").read_text(encoding="utf-8")
    shown = json.loads(page.split("```json\n")[1].split("```")[0])
    found = game()
    assert shown == found.plies[0].to_json()
    assert transcript(KEY, found.header, [replace(found.plies[0])]).plies == found.plies[:1]
