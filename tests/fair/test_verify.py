"""Honest games fit, dishonest ones do not, and every checker says the same."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.__main__ import main
from bot.fair.protocol import seal, stream
from bot.fair.rolls import RepeatedDieError, TableRolls
from bot.fair.transcript import ChainPly, Transcript
from bot.fair.verify import format_time, report, verify
from tests.fair.checkers import DOCS, STAND_ALONE, by_the_bot, by_the_script, by_the_second, read
from tests.fair.forgeries import (
    FORGERIES,
    HEADER,
    KEY,
    SEAL_MESSAGE,
    game,
    game_with_hazards,
    game_with_undo,
    header_of,
    hidden,
    made,
    play,
    thrown_away,
)
from tests.fair.games import games
from tests.fair.second_verifier import Warned, judge
from tests.rows import for_each_row


def warnings(data: bytes) -> list[str]:
    """What both checkers warn of."""
    result = list(verify(data).warnings)
    assert STAND_ALONE["check"](STAND_ALONE["read"](data)) == result
    return result


def opened(transcript: Transcript) -> list[ChainPly]:
    return [ply for ply in transcript.plies if isinstance(ply, ChainPly)]


@given(games())
def test_an_honest_game_fits_and_is_read_as_it_was_written(found: Transcript) -> None:
    data = found.write()
    assert by_the_bot(data) == by_the_script(data) == ""
    assert read(data) == found
    assert read(data).write() == data
    warnings(data)


def test_a_game_with_undo_fits_and_shows_again_what_was_seen() -> None:
    transcript = game_with_undo()
    assert by_the_bot(transcript.write()) == by_the_script(transcript.write()) == ""
    dice = [tuple(draw[:2] for draw in ply.draws) for ply in opened(transcript)]
    assert dice[5][:5] == dice[1]
    assert dice[6] == dice[0]
    assert dice[12] == (dice[8][5], *dice[7], *dice[8][:5])
    assert len({dice[0], dice[1], dice[4], dice[7], dice[8][:5], dice[11], dice[13]}) == 7, "all others are new"
    assert warnings(transcript.write()) == []


def test_an_obstacle_taken_back_shows_the_same_die_again_to_the_same_person() -> None:
    transcript = game_with_hazards()
    assert by_the_bot(transcript.write()) == by_the_script(transcript.write()) == ""
    first, _, others, again, roll, fresh = (ply.draws for ply in opened(transcript))
    assert (again[0], again[2]) == first
    assert len({first[0], others[0], fresh[0]}) > 1, "somebody else, and later dice, are new"
    assert roll != (again[0], again[2])


# What somebody tried


def test_a_throw_away_roll_takes_the_dice_that_were_seen_and_is_named() -> None:
    """Once it got new dice under the number of the attack, and every checker said "fits"."""
    transcript = thrown_away()
    first, _, thrown, again = (ply.draws for ply in opened(transcript))
    assert thrown == first, "whatever roll asks"
    assert again != first
    assert by_the_bot(transcript.write()) == by_the_script(transcript.write()) == ""
    (warning,) = warnings(transcript.write())
    assert warning.startswith("Ply 3: dice that were taken back with ply 1 came again here, in another roll.")
    data, sentence = FORGERIES["a throw-away roll with new dice"]
    assert by_the_bot(data) == by_the_script(data) == sentence


def test_dice_come_again_for_their_player_whoever_presses() -> None:
    """Alice rolls badly, and a friend attacks for her: other dice, and every checker said "fits"."""
    rolls = TableRolls()
    attack: dict[str, Any] = {"choice": {"declared": {"attacker": "Luke"}}}
    plies = [
        play(rolls, HEADER, None, "111", 8, 8, 8, **attack),
        play(rolls, HEADER, 1, "333", undoes=1, choice={"allowed_by": "222"}),
    ]
    again = play(rolls, HEADER, None, "333", 8, 8, 8, of="111", **attack)
    assert again.draws == plies[0].draws
    file = made(*plies, again).write()
    assert by_the_bot(file) == by_the_script(file) == by_the_second(file) == ""
    assert warnings(file) == []
    fresh = stream(KEY, seal(HEADER.to_json()), 3)
    others = replace(again, draws=tuple((8, fresh(8), "") for _ in range(3)))
    forged = made(*plies, others).write()
    assert by_the_bot(forged) == by_the_script(forged) != ""


def test_dice_that_never_come_again_are_named() -> None:
    """The friend attacks with dice of their own: that fits, and is said."""
    rolls = TableRolls()
    plies = [
        play(rolls, HEADER, None, "111", 8, 8, 8),
        play(rolls, HEADER, 1, "333", undoes=1, choice={"allowed_by": "222"}),
        play(rolls, HEADER, None, "333", 8, 8, 8),
    ]
    file = made(*plies).write()
    assert by_the_bot(file) == by_the_script(file) == by_the_second(file) == ""
    assert warnings(file) == [
        "Dice of ply 1 that were taken back and never came again: 3. Look whether somebody wanted to be rid of them."
    ]
    assert judge(file).warnings == (Warned("never", (1, 3)),)


def test_the_seconds_before_the_seal_are_always_said() -> None:
    verdict = verify(game().write())
    assert f"Last word: {format_time(HEADER.last_word)}, 10 seconds before the seal" in report(verdict)


def test_another_attempt_at_a_seal_is_named() -> None:
    """Delete and post again, until the id suits: the number of the seal shows it."""
    transcript = made(header=header_of({111: ("corvus", None)}, earlier=2))
    (warning,) = warnings(transcript.write())
    assert warning.startswith("Seals of this channel that were begun before and given up: 2.")


def test_an_old_id_is_named() -> None:
    """A message of before the words, whose id was known when they were given."""
    for changes in ({"seal": SEAL_MESSAGE - (60_000 << 22)}, {"commit_message": SEAL_MESSAGE + (1 << 22)}):
        transcript = made(header=header_of({111: ("corvus", None)}, **changes))
        (warning,) = warnings(transcript.write())
        assert warning.startswith("The commitment, the last word and the seal did not come in this order.")


def test_a_seal_long_after_the_last_word_is_named() -> None:
    """Time enough to post, look, delete and post again."""
    late = made(header=header_of({111: ("corvus", None)}, last_word=SEAL_MESSAGE - (11_000 << 22)))
    (warning,) = warnings(late.write())
    assert warning.startswith("The seal came 11 seconds after the last word.")
    soon = made(header=header_of({111: ("corvus", None)}, last_word=SEAL_MESSAGE - (10_000 << 22)))
    assert warnings(soon.write()) == []


def test_an_edited_commitment_is_another_key() -> None:
    """Whoever edits it once the seal's id is known has a header, or a forwarded copy, that says the first one."""
    for name in ("another key", "another key with its commitment"):
        data, sentence = FORGERIES[name]
        assert by_the_bot(data) == by_the_script(data) == sentence


def test_hidden_plies_are_said_and_a_later_file_opens_them() -> None:
    covered = hidden(game(), 7)
    assert by_the_bot(covered.write()) == by_the_script(covered.write()) == ""
    assert warnings(covered.write()) == [
        "Plies that are still hidden: 1. Nobody can check their dice yet; a later file opens them.",
        "Dice of ply 2 that were taken back and never came again: 1. Look whether somebody wanted to be rid of them.",
    ]
    assert covered.hashes == game().hashes, "it was in the chain all the time"
    secret_part = opened(game())[6]
    shown = covered.write().decode()
    assert secret_part.secret
    assert secret_part.secret not in shown
    assert "anydice" not in shown


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


@for_each_row("name", FORGERIES)
def test_a_forgery_is_named(name: str) -> None:
    data, sentence = FORGERIES[name]
    assert by_the_bot(data) == sentence
    assert by_the_script(data) == sentence


def test_the_place_of_what_does_not_fit_is_given() -> None:
    data, _ = FORGERIES["a rigged die"]
    assert verify(data).sentence.startswith("Ply 2: ")
    assert not verify(FORGERIES["another key"][0]).sentence.startswith("Ply ")


# Dice that come again


def test_a_die_comes_again_for_whatever_its_person_rolls_next() -> None:
    rolls, deal = TableRolls(), Dealer()
    first = deal(rolls, None, "111", 8, 8, 8)
    deal.undo(rolls, 1)
    again = deal(rolls, None, "111", 8, 6, 8)
    assert (again.roll, again.draws[0], again.draws[2]) == (3, first.draws[0], first.draws[1])
    assert deal(rolls, 3, "111", 8).draws == first.draws[2:]


def test_nobody_else_gets_the_dice_that_were_taken_back() -> None:
    rolls, deal = TableRolls(), Dealer()
    first = deal(rolls, None, "111", *[8] * 20)
    deal.undo(rolls, 1)
    assert deal(rolls, None, "222", *[8] * 20).draws != first.draws
    assert deal(rolls, None, "111", *[8] * 20).draws == first.draws


def test_two_presses_taken_back_come_again_in_their_order() -> None:
    rolls, deal = TableRolls(), Dealer()
    deal(rolls, None, "111", 8)
    ply, two = deal(rolls, 1, "111", *[8] * 9), deal(rolls, 1, "111", *[8] * 9)
    deal.undo(rolls, 3)
    deal.undo(rolls, 2)
    assert deal(rolls, 1, "111", *[8] * 18).draws == ply.draws + two.draws


def test_a_roll_whose_opening_was_taken_back_is_closed() -> None:
    rolls, deal = TableRolls(), Dealer()
    deal(rolls, None, "111", 8)
    deal.undo(rolls, 1)
    assert rolls.last_place(1) is None
    assert deal(rolls, None, "111", 8).roll == 3


def test_no_die_comes_again_in_secret() -> None:
    rolls, deal = TableRolls(), Dealer()
    deal(rolls, None, "111", 8)
    deal.undo(rolls, 1)
    dice = rolls.dice(bytes(32), seal(HEADER.to_json()), "111", is_secret=True)
    assert 0 <= dice(6) < 6
    with pytest.raises(RepeatedDieError):
        dice(8)


class Dealer:
    """Plays plies with real streams."""

    def __call__(self, rolls: TableRolls, roll: int | None, by: str, *sides: int) -> ChainPly:
        return play(rolls, HEADER, roll, by, *sides)

    def undo(self, rolls: TableRolls, place: int) -> None:
        roll = next(roll for roll in range(1, place + 1) if rolls.last_place(roll) == place)
        play(rolls, HEADER, roll, "222", offer="undo", undoes=place)


# Command lines


@pytest.fixture
def file(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(data: bytes) -> Path:
        path = tmp_path / "transcript.json"
        path.write_bytes(data)
        return path

    return write


def test_the_command_says_that_all_fits(file: Callable[[bytes], Path], capsys: pytest.CaptureFixture[str]) -> None:
    transcript = thrown_away()
    assert main(["verify", str(file(transcript.write()))]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "Every die fits. Plies: 4. Dice drawn: 9. Dice typed by hand: 0."
    assert printed[1].startswith("Warning: Ply 3: dice that were taken back")
    assert f"Commitment: {transcript.header.commit}" in printed
    assert "Seal number 3 of this channel" in printed
    assert f"Seal: message {SEAL_MESSAGE} in channel 222, {format_time(str(SEAL_MESSAGE))}" in printed
    assert (
        f'Word of "Cleo <b>" (333): "\\u00f1and\\u00fa", given as its hash {transcript.header.players[1][2]} first'
        in printed
    )
    assert f"Last card: 4 {transcript.hashes[4][:8]}" in printed
    drawn = " ".join(f"d8={side + 1} (side {side})" for _, side, _ in opened(transcript)[0].draws)
    assert f'1 {transcript.hashes[1][:8]} roll 1 by "Ana" (111) "open" {drawn}' in printed


def test_the_command_shows_what_is_hidden_and_who_gave_no_word(
    file: Callable[[bytes], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(file(hidden(game(), 7).write()))]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "Rolled without a word: 444" in printed
    assert printed[-1].endswith('roll 7 by "Cleo <b>" (333) hidden')


def test_times_are_those_in_the_ids() -> None:
    """The example of Discord's documentation: https://discord.com/developers/docs/reference#snowflakes"""
    assert (
        format_time("175928847299117063")
        == STAND_ALONE["shown_time"]("175928847299117063")
        == "2016-04-30 11:18:25 UTC"
    )


def test_the_command_names_what_does_not_fit(file: Callable[[bytes], Path], capsys: pytest.CaptureFixture[str]) -> None:
    data, sentence = FORGERIES["a rigged die"]
    assert main(["verify", str(file(data))]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(sentence + "\nDo not trust this transcript.")


def test_the_command_says_which_file_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "none.json")]) == 2
    assert "none.json can't be read: No such file or directory." in capsys.readouterr().err


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
    assert ran.stderr == "none.json can't be read: No such file or directory. Name the file again.\n"


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
    assert shown == game().plies[0].to_json()
