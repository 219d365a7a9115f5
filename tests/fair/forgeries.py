"""One honest game, and what a cheat could make of it, each with the sentence that finds it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.fair.protocol import Stream, commitment, seal
from bot.fair.rolls import Rolls
from bot.fair.transcript import Ply, Transcript, new_header, transcript

KEY = bytes(range(32))
HEADER = new_header(
    KEY, application=1234567890, channel=222, words={111: "corvus", 333: "ñandú"}, message=1300000000000000001
)


def play(rolls: Rolls, sealed: bytes, roll: int, by: str, *sides: int, offer: str = "open", **others: Any) -> Ply:
    """One more honest ply."""
    dice = rolls.dice(KEY, sealed, roll, by)
    for one in sides:
        dice(one)
    choice = others.pop("choice", {})
    number = rolls.next_ply(roll)
    ply = Ply(roll=roll, ply=number, by=by, offer=offer, choice=choice, draws=tuple(dice.draws), **others)
    rolls.check(ply, KEY, sealed, 1)
    rolls.add(ply)
    return ply


def game() -> Transcript:
    """Six plies: an attack, its reroll, that taken back, the reroll again, a step on the table, dice typed by hand."""
    rolls, sealed = Rolls(), seal(HEADER.to_json())
    plies = [
        play(rolls, sealed, 1, "111", 8, 8, 8, choice={"attack": {"dice": 3, "lock": 1}}),
        play(rolls, sealed, 1, "111", 8, 8, offer="lock", choice={"picked": ["0", "2"]}),
        play(rolls, sealed, 1, "333", offer="undo", undoes=1),
        play(rolls, sealed, 1, "111", 8, offer="lock", choice={"picked": ["0"]}),
        play(rolls, sealed, 0, "333", offer="step", choice={"what": "Howlrunner gets a focus token"}),
        play(rolls, sealed, 2, "444", 20, 20, 6, typed=("7", 19), salt="00112233445566778899aabbccddeeff"),
    ]
    return transcript(KEY, HEADER, plies)


def game_with_undo() -> Transcript:
    """Openings and presses taken back, one after the other, and everything that must come again or must not."""
    header = new_header(KEY, application=1, channel=2, words={100: "later", 99: "sooner"}, message=3)
    rolls, sealed = Rolls(), seal(header.to_json())
    plies = [
        play(rolls, sealed, 1, "99", *[8] * 5),
        play(rolls, sealed, 2, "100", *[8] * 5),
        play(rolls, sealed, 2, "100", offer="close", undoes=0),
        play(rolls, sealed, 1, "100", offer="close", undoes=0),
        play(rolls, sealed, 3, "101", *[8] * 5),  # somebody else: a new roll, and new dice
        play(rolls, sealed, 2, "100", *[8] * 6),  # five that were seen, and one more
        play(rolls, sealed, 1, "99", *[8] * 5),
        play(rolls, sealed, 1, "99", *[8] * 5, offer="one"),
        play(rolls, sealed, 1, "99", *[8] * 5, 6, offer="two"),
        play(rolls, sealed, 1, "99", offer="undo", undoes=4),
        play(rolls, sealed, 1, "99", offer="undo", undoes=3),
        play(rolls, sealed, 1, "100", *[8] * 5, offer="other"),
        play(rolls, sealed, 1, "99", 6, *[8] * 10, offer="both"),
        play(rolls, sealed, 1, "99", *[8] * 5, offer="fresh"),
    ]
    return transcript(KEY, header, plies)


def game_with_hazards() -> Transcript:
    """Obstacles on the table: one taken back, another person's, the first again, a damage card, a roll between."""
    rolls, sealed = Rolls(), seal(HEADER.to_json())
    plies = [
        play(rolls, sealed, 0, "111", 8, 33, offer="step", choice={"what": "moves Luke through: asteroid"}),
        play(rolls, sealed, 0, "333", offer="undo", undoes=0),
        play(rolls, sealed, 0, "333", 8, offer="step", choice={"what": "moves Mauler through: asteroid"}),
        play(rolls, sealed, 0, "111", 8, 6, 33, offer="step", choice={"what": "moves Luke through: asteroid"}),
        play(rolls, sealed, 1, "111", 8, 8),
        play(rolls, sealed, 0, "111", 8, offer="step", choice={"what": "moves Luke through: debris cloud"}),
    ]
    return transcript(KEY, HEADER, plies)


FOUND = game()
RAW: dict[str, Any] = json.loads(FOUND.write())


def rewritten(place: int, **changes: Any) -> bytes:
    """A game whose bot did something else in one ply and kept the chain right: only the rules of the draw find it."""
    plies = list(FOUND.plies)
    plies[place - 1] = replace(plies[place - 1], **changes)
    return transcript(KEY, HEADER, plies).write()


def edited(change: Callable[[dict[str, Any]], object]) -> bytes:
    """The file after somebody edited it, in canonical form as before."""
    raw = json.loads(json.dumps(RAW))
    change(raw)
    return json.dumps(raw, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def with_header(**changes: Any) -> bytes:
    return transcript(KEY, replace(HEADER, **changes), FOUND.plies).write()


def flipped(draws: tuple[tuple[int, int], ...], at: int) -> tuple[tuple[int, int], ...]:
    sides, side = draws[at]
    return (*draws[:at], (sides, (side + 1) % sides), *draws[at + 1 :])


def rigged(place: int, at: int) -> tuple[bytes, str]:
    """A die of one ply turned by one side, and the sentence."""
    draws = FOUND.plies[place - 1].draws
    (sides, right), (_, shown) = draws[at], flipped(draws, at)[at]
    said = f"Ply {place}: die {at + 1} of {len(draws)} shows side {shown} of {sides}, but the key gives side {right}."
    return rewritten(place, draws=flipped(draws, at)), said


HAZARDS = game_with_hazards()


def rewritten_hazards(place: int, **changes: Any) -> bytes:
    """The same of a game with obstacles."""
    plies = list(HAZARDS.plies)
    plies[place - 1] = replace(plies[place - 1], **changes)
    return transcript(KEY, HEADER, plies).write()


def rigged_hazard(place: int) -> tuple[bytes, str]:
    """The die of an obstacle turned by one side."""
    draws = HAZARDS.plies[place - 1].draws
    return shown_instead(place, flipped(draws, 0)[0][1])


def rolled_anew() -> tuple[bytes, str]:
    """After an obstacle was taken back, the bot shows the stream's die in place of the one that was seen."""
    dice = Stream(KEY, seal(HEADER.to_json()), 0, 3)
    return shown_instead(4, dice(8))


def seen_by_another() -> tuple[bytes, str]:
    """Somebody else gets the die that waits for whoever saw it."""
    return shown_instead(3, HAZARDS.plies[0].draws[0][1])


def shown_instead(place: int, shown: int) -> tuple[bytes, str]:
    """Another side of the first die of a step, and the sentence."""
    (_, right), *rest = HAZARDS.plies[place - 1].draws
    assert shown != right, "the key must make the forgery another die"
    said = f"Ply {place}: die 1 of {len(rest) + 1} shows side {shown} of 8, but the key gives side {right}."
    return rewritten_hazards(place, draws=((8, shown), *rest)), said


FILE = "The file is not canonical JSON: somebody changed it, or it is another file. Download it again."
CUT = "The file is cut off, or something follows its end. Download it again."
WRITTEN = FOUND.write()
OTHER_KEY = bytes(32)


def part(name: str) -> str:
    return f"The {name} of the transcript is not as the protocol says."


def sealed_again() -> tuple[bytes, str]:
    """Somebody adds a word after the game and seals again: other dice belong to that seal."""
    header = replace(HEADER, players=(*HEADER.players, ("999", "late")))
    dice = Rolls().dice(KEY, seal(header.to_json()), 1, "111")
    shown = FOUND.plies[0].draws
    at, right = next((at, right) for at, (sides, side) in enumerate(shown) if (right := dice(sides)) != side)
    said = f"Ply 1: die {at + 1} of 3 shows side {shown[at][1]} of 8, but the key gives side {right}."
    return transcript(KEY, header, FOUND.plies).write(), said


def opened_as_new() -> tuple[bytes, str]:
    """The bot opens a roll that was taken back under a new number, for new dice."""
    rolls, sealed = Rolls(), seal(HEADER.to_json())
    first = play(rolls, sealed, 1, "111", 8)
    undo = play(rolls, sealed, 1, "111", offer="close", undoes=0)
    dice = Rolls().dice(KEY, sealed, 2, "111")
    dice(8)
    new = Ply(roll=2, ply=0, by="111", offer="open", choice={}, draws=tuple(dice.draws))
    return transcript(
        KEY, HEADER, [first, undo, new]
    ).write(), "Ply 3: the next roll that 111 opens is number 1, not 2."


FORGERIES: Mapping[str, tuple[bytes, str]] = {
    # The file
    "nothing": (b"", CUT),
    "cut off": (WRITTEN[:-20], CUT),
    "something after its end": (WRITTEN + b" ", CUT),
    "no text": (b"\xff}\n", FILE),
    "no JSON": (b"{draws}\n", FILE),
    "a space before it": (b" " + WRITTEN, FILE),
    "a space": (WRITTEN.replace(b":", b": ", 1), FILE),
    "a byte order mark": (b"\xef\xbb\xbf" + WRITTEN, FILE),
    "an escaped letter": (WRITTEN.replace("ñ".encode(), b"\\u00f1", 1), FILE),
    "half a letter": (WRITTEN.replace(b"corvus", b"\\ud800", 1), FILE),
    "a fraction": (WRITTEN.replace(b'"v":1', b'"v":1.0', 1), FILE),
    "a number that no other program keeps": (WRITTEN.replace(b'"v":1', b'"v":9007199254740993', 1), FILE),
    "a number without end": (WRITTEN.replace(b'"v":1', b'"v":NaN', 1), FILE),
    "a name twice": (WRITTEN.replace(b'"v":1', b'"v":1,"v":1', 1), FILE),
    "far too deep": (b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n", FILE),
    "something else": (b'{"a":1}\n', "The file is not a transcript."),
    "a later version": (
        edited(lambda raw: raw["header"].update(v=2)),
        "The file has version 2 of the protocol; this program knows version 1.",
    ),
    "no version": (edited(lambda raw: raw["header"].update(v="1")), part("header")),
    "a header with more": (edited(lambda raw: raw["header"].update(note="")), part("header")),
    "a header that is none": (edited(lambda raw: raw.update(header=[])), part("header")),
    "no player": (with_header(players=()), part("header")),
    "a player twice": (with_header(players=HEADER.players[:1] * 2), part("header")),
    "players out of order": (with_header(players=HEADER.players[::-1]), part("header")),
    "an empty word": (with_header(players=(("111", ""),)), part("header")),
    "a word of 65": (with_header(players=(("111", "😀" * 65),)), part("header")),
    "an id in another form": (with_header(channel="0222"), part("header")),
    "capitals in the key": (edited(lambda raw: raw.update(key=raw["key"].upper())), part("key")),
    "half a hash": (edited(lambda raw: raw["hashes"].append("00")), part("hashes")),
    "plies that are none": (edited(lambda raw: raw.update(plies=7)), part("plies")),
    "a hash too many": (
        edited(lambda raw: raw["hashes"].append("0" * 64)),
        "There must be 7 hashes, but there are 8.",
    ),
    "a ply too few": (edited(lambda raw: raw["plies"].pop()), "There must be 6 hashes, but there are 7."),
    "a die without sides": (rewritten(2, draws=((0, 0),)), "Ply 2: it is not as the protocol says."),
    "a flag as a die": (rewritten(2, draws=((8, True),)), "Ply 2: it is not as the protocol says."),
    "a ply with more": (edited(lambda raw: raw["plies"][3].update(n=4)), "Ply 4: it is not as the protocol says."),
    "a ply with less": (edited(lambda raw: raw["plies"][3].pop("typed")), "Ply 4: it is not as the protocol says."),
    "a short salt": (rewritten(6, salt="00"), "Ply 6: it is not as the protocol says."),
    # The seal
    "another key": (
        edited(lambda raw: raw.update(key=OTHER_KEY.hex())),
        "The key does not fit the commitment.",
    ),
    "another key with its commitment": (
        edited(lambda raw: (raw.update(key=OTHER_KEY.hex()), raw["header"].update(commit=commitment(OTHER_KEY)))),
        "The first hash does not fit the header.",
    ),
    "another word": (
        edited(lambda raw: raw["header"]["players"][0].__setitem__(1, "corvux")),
        "The first hash does not fit the header.",
    ),
    "a player missing": (
        edited(lambda raw: raw["header"]["players"].pop()),
        "The first hash does not fit the header.",
    ),
    "another seal message": (
        edited(lambda raw: raw["header"].update(seal="1300000000000000002")),
        "The first hash does not fit the header.",
    ),
    # The chain
    "an edited choice": (
        edited(lambda raw: raw["plies"][1].update(offer="focus")),
        "Ply 2: the chain breaks here.",
    ),
    "an edited die": (
        edited(lambda raw: raw["plies"][3]["draws"][0].__setitem__(1, (RAW["plies"][3]["draws"][0][1] + 1) % 8)),
        "Ply 4: the chain breaks here.",
    ),
    "a ply taken out": (
        edited(lambda raw: (raw["plies"].pop(4), raw["hashes"].pop(5))),
        "Ply 5: the chain breaks here.",
    ),
    "plies exchanged": (
        edited(lambda raw: raw["plies"].insert(3, raw["plies"].pop(4))),
        "Ply 4: the chain breaks here.",
    ),
    "a word added and sealed again": sealed_again(),
    # The bot cheats and keeps its chain right
    "opened again as new": opened_as_new(),
    "a rigged die": rigged(2, 1),
    "a rigged last die": rigged(6, 2),
    "a die that should have come again": rigged(4, 0),
    "a side that the die does not have": (
        rewritten(1, draws=((8, 8), *FOUND.plies[0].draws[1:])),
        f"Ply 1: die 1 of 3 shows side 8 of 8, but the key gives side {FOUND.plies[0].draws[0][1]}.",
    ),
    "a number of a ply twice": (rewritten(4, ply=1), "Ply 4: roll 1 goes on with number 3, not 1."),
    "a number of a ply left out": (rewritten(6, ply=1), "Ply 6: roll 2 goes on with number 0, not 1."),
    "a number of a roll left out": (
        rewritten(6, roll=3),
        "Ply 6: the next roll that 444 opens is number 2, not 3.",
    ),
    "an undo of what is not the last": (
        rewritten(3, undoes=0),
        "Ply 3: it takes back number 0 of roll 1, but number 1 is the last that stands.",
    ),
    "an undo of nothing": (
        rewritten(6, undoes=0, draws=()),
        "Ply 6: it takes back number 0 of roll 2, but nothing stands.",
    ),
    "an undo that rolls": (rewritten(3, draws=((8, 0),)), "Ply 3: a ply that takes one back draws no dice."),
    "an undo on the table that rolls": (
        rewritten_hazards(2, draws=((8, 0),)),
        "Ply 2: a ply that takes one back draws no dice.",
    ),
    "a rigged die of an obstacle": rigged_hazard(1),
    "an obstacle taken back and rolled anew": rolled_anew(),
    "a die of an obstacle that somebody else saw": seen_by_another(),
}
