"""One honest game, and what a cheat could make of it, each with the sentence that finds it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.fair.protocol import commitment, hash_of, hidden_commitment, seal, secret, stream
from bot.fair.rolls import TableRolls
from bot.fair.transcript import ChainPly, Header, HiddenPly, Transcript, new_header, transcript

KEY = bytes(range(32))
HIDDEN_KEY = bytes(range(32, 64))
SEAL_MESSAGE = 1300000000000000001
NAMES = {"111": "Ana", "333": "Cleo <b>"}


def header_of(words: Mapping[int, tuple[str, str | None]], **changes: Any) -> Header:
    """A header whose words came five minutes after the commitment, and ten seconds before the seal."""
    given: dict[str, Any] = {
        "application": 1234567890,
        "channel": 222,
        "number": 3,
        "earlier": 0,
        "commit_message": SEAL_MESSAGE - (310_000 << 22),
        "last_word": SEAL_MESSAGE - (10_000 << 22),
        "seal": SEAL_MESSAGE,
    }
    return new_header(KEY, HIDDEN_KEY, words, **given | changes)


HEADER = header_of({111: ("corvus", None), 333: ("ñandú", hash_of("ñandú"))})


def play(
    rolls: TableRolls, header: Header, roll: int | None, by: str, *sides: int, offer: str = "open", **others: Any
) -> ChainPly:
    """One more honest ply; ``roll`` is None where it opens one, ``of`` says whose dice, if they are not of ``by``.

    ``secret=True``: it is made in secret.
    """
    sealed, place = seal(header.to_json()), rolls.next_place
    own = secret(HIDDEN_KEY, sealed, place) if others.pop("secret", False) else None
    of = others.pop("of", by)
    dice = rolls.dice(own or KEY, sealed, of)
    for item in sides:
        dice(item)
    draws = tuple((sides, side, str(side + 1) if sides < 21 else "") for sides, side in dice.draws)
    choice, number = others.pop("choice", {}), place if roll is None else roll
    others |= {"draws": draws, "secret": own.hex() if own else None}
    ply = ChainPly(roll=number, by=by, of=of, offer=offer, choice=choice, **others)
    rolls.check(ply, KEY, sealed)
    rolls.add(ply)
    return ply


def made(*plies: ChainPly | HiddenPly, header: Header = HEADER) -> Transcript:
    return transcript(KEY, HIDDEN_KEY, header, plies, NAMES)


def game() -> Transcript:
    """Seven plies: an attack, its reroll, that taken back, the reroll again, a step, typed dice, a secret roll."""
    rolls = TableRolls()
    return made(
        play(rolls, HEADER, None, "111", 8, 8, 8, choice={"attack": {"dice": 3, "lock": 1}}),
        play(rolls, HEADER, 1, "111", 8, 8, offer="lock", choice={"picked": ["0", "2"]}),
        play(rolls, HEADER, 1, "333", offer="undo", undoes=2),
        play(rolls, HEADER, 1, "111", 8, offer="lock", choice={"picked": ["0"]}),
        play(rolls, HEADER, 0, "333", offer="step", choice={"what": "Howlrunner gets a focus token"}),
        play(rolls, HEADER, None, "444", 20, 20, 6, typed=("7", 19), salt="00112233445566778899aabbccddeeff"),
        play(rolls, HEADER, None, "333", 20, secret=True, choice={"game": "anydice"}),
    )


def game_with_undo() -> Transcript:
    """Openings and presses taken back, one after the other, and everything that must come again or must not."""
    rolls, header = TableRolls(), header_of({100: ("later", None), 99: ("sooner", None)})
    same: dict[str, Any] = {"choice": {"declared": "same"}}
    plies = [
        play(rolls, header, None, "99", *[8] * 5, **same),
        play(rolls, header, None, "100", *[8] * 5, **same),
        play(rolls, header, 2, "100", offer="close", undoes=2),
        play(rolls, header, 1, "100", offer="close", undoes=1),
        play(rolls, header, None, "101", *[8] * 5),  # somebody else: new dice
        play(rolls, header, None, "100", *[8] * 6, **same),  # five that were seen, and one more
        play(rolls, header, None, "99", *[8] * 5, **same),
        play(rolls, header, 7, "99", *[8] * 5, offer="one"),
        play(rolls, header, 7, "99", *[8] * 5, 6, offer="two"),
        play(rolls, header, 7, "99", offer="undo", undoes=9),
        play(rolls, header, 7, "99", offer="undo", undoes=8),
        play(rolls, header, 7, "100", *[8] * 5, offer="other"),
        play(rolls, header, 7, "99", 6, *[8] * 10, offer="both"),
        play(rolls, header, 7, "99", *[8] * 5, offer="fresh"),
    ]
    return made(*plies, header=header)


def game_with_hazards() -> Transcript:
    """Obstacles on the table: one taken back, another person's, the first again, a damage card, a roll between."""
    rolls = TableRolls()
    asteroid: dict[str, Any] = {"offer": "step", "choice": {"what": "moves Luke through: asteroid"}}
    return made(
        play(rolls, HEADER, 0, "111", 8, 33, **asteroid),
        play(rolls, HEADER, 0, "333", offer="undo", undoes=1),
        play(rolls, HEADER, 0, "333", 8, offer="step", choice={"what": "moves Mauler through: asteroid"}),
        play(rolls, HEADER, 0, "111", 8, 6, 33, **asteroid),
        play(rolls, HEADER, None, "111", 8, 8),
        play(rolls, HEADER, 0, "111", 8, offer="step", choice={"what": "moves Luke through: debris cloud"}),
    )


def thrown_away() -> Transcript:
    """An attack is taken back with consent, a throw-away roll takes its dice, and the attack is made again."""
    rolls, attack = TableRolls(), dict[str, Any](choice={"declared": {"attack": {"dice": 3}}})
    return made(
        play(rolls, HEADER, None, "111", 8, 8, 8, **attack),
        play(rolls, HEADER, 1, "111", offer="undo", undoes=1, choice={"allowed_by": "333"}),
        play(rolls, HEADER, None, "111", 8, 8, 8, choice={"declared": {"red": 3}}),
        play(rolls, HEADER, None, "111", 8, 8, 8, **attack),
    )


def hidden(result: Transcript, *places: int) -> Transcript:
    """The same game while some of its secret plies are hidden."""
    plies = [
        ply.as_hidden if at in places and isinstance(ply, ChainPly) else ply for at, ply in enumerate(result.plies, 1)
    ]
    return made(*plies, header=result.header)


FOUND = game()
RAW: dict[str, Any] = json.loads(FOUND.write())


PLIES = [ply for ply in FOUND.plies if isinstance(ply, ChainPly)]


def rewritten(place: int, **changes: Any) -> bytes:
    """A game whose bot did something else in one ply and kept the chain right: only the rules of the draw find it."""
    plies = list(PLIES)
    plies[place - 1] = replace(plies[place - 1], **changes)
    return made(*plies).write()


def edited(change: Callable[[dict[str, Any]], object]) -> bytes:
    """The file after somebody edited it, in canonical form as before."""
    raw = json.loads(json.dumps(RAW))
    change(raw)
    return json.dumps(raw, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def with_header(**changes: Any) -> bytes:
    return made(*PLIES, header=replace(HEADER, **changes)).write()


Draws = tuple[tuple[int, int, str], ...]


def flipped(draws: Draws, at: int) -> Draws:
    sides, side, face = draws[at]
    return (*draws[:at], (sides, (side + 1) % sides, face), *draws[at + 1 :])


def rigged(place: int, at: int) -> tuple[bytes, str]:
    """A die of one ply turned by one side, and the sentence."""
    draws = PLIES[place - 1].draws
    (sides, right, _), (_, shown, _) = draws[at], flipped(draws, at)[at]
    said = f"Ply {place}: die {at + 1} of {len(draws)} shows side {shown} of {sides}, but the key gives side {right}."
    return rewritten(place, draws=flipped(draws, at)), said


HAZARDS = [ply for ply in game_with_hazards().plies if isinstance(ply, ChainPly)]


def rewritten_hazards(place: int, **changes: Any) -> bytes:
    """The same of a game with obstacles."""
    plies = list(HAZARDS)
    plies[place - 1] = replace(plies[place - 1], **changes)
    return made(*plies).write()


def shown_instead(place: int, shown: int) -> tuple[bytes, str]:
    """Another side of the first die of a step, and the sentence."""
    (_, right, face), *rest = HAZARDS[place - 1].draws
    assert shown != right, "the key must make the forgery another die"
    said = f"Ply {place}: die 1 of {len(rest) + 1} shows side {shown} of 8, but the key gives side {right}."
    return rewritten_hazards(place, draws=((8, shown, face), *rest)), said


def rolled_anew() -> tuple[bytes, str]:
    """After an obstacle was taken back, the bot shows the stream's die in place of the one that was seen."""
    return shown_instead(4, stream(KEY, seal(HEADER.to_json()), 4)(8))


def seen_by_another() -> tuple[bytes, str]:
    """Somebody else gets the die that waits for whoever saw it."""
    return shown_instead(3, HAZARDS[0].draws[0][1])


def thrown_away_and_left_behind() -> tuple[bytes, str]:
    """As the bot did before: a throw-away roll gets new dice, and those that were seen stay behind."""
    plies = [ply for ply in thrown_away().plies if isinstance(ply, ChainPly)]
    fresh = stream(KEY, seal(HEADER.to_json()), 3)
    new = tuple((8, fresh(8), "") for _ in range(3))
    at, right = next((at, old[1]) for at, old in enumerate(plies[2].draws) if old[1] != new[at][1])
    said = f"Ply 3: die {at + 1} of 3 shows side {new[at][1]} of 8, but the key gives side {right}."
    return made(*plies[:2], replace(plies[2], draws=new), plies[3]).write(), said


def in_secret() -> tuple[bytes, str]:
    """After an attack was taken back, it is made again in secret, for new dice."""
    rolls, sealed = TableRolls(), seal(HEADER.to_json())
    plies = [play(rolls, HEADER, None, "111", 8), play(rolls, HEADER, 1, "111", offer="undo", undoes=1)]
    own = secret(HIDDEN_KEY, sealed, 3)
    side = stream(own, sealed, 3)(8)
    again = ChainPly(roll=3, by="111", of="111", offer="open", choice={}, draws=((8, side, ""),), secret=own.hex())
    said = f"Ply 3: die 1 of 1 shows side {side} of 8 in secret, but a die of 8 sides waits to come again."
    return made(*plies, again).write(), said


def with_own_secret() -> bytes:
    """The bot chooses the secret of a ply, and with it its dice."""
    chosen = bytes(32)
    side = stream(chosen, seal(HEADER.to_json()), 7)(20)
    return rewritten(7, draws=((20, side, ""),), secret=chosen.hex())


def hidden_undone() -> bytes:
    """A secret roll is taken back while it is hidden."""
    undo = ChainPly(roll=7, by="333", of="333", offer="undo", choice={}, undoes=7)
    return made(*PLIES[:6], PLIES[6].as_hidden, undo).write()


FILE = "The file is not canonical JSON: somebody changed it, or it is another file. Download it again."
CUT = "The file is cut off, or something follows its end. Download it again."
WRITTEN = FOUND.write()
OTHER_KEY = bytes(32)


def part(name: str) -> str:
    return f"The {name} of the transcript is not as the protocol says."


def sealed_again() -> tuple[bytes, str]:
    """Somebody adds a word after the game and seals again: other dice belong to that seal."""
    header = replace(HEADER, players=(*HEADER.players, ("999", "late", None)))
    dice = TableRolls().dice(KEY, seal(header.to_json()), "111")
    shown = PLIES[0].draws
    at, right = next((at, right) for at, (sides, side, _) in enumerate(shown) if (right := dice(sides)) != side)
    said = f"Ply 1: die {at + 1} of 3 shows side {shown[at][1]} of 8, but the key gives side {right}."
    return made(*PLIES, header=header).write(), said


NO_TRANSCRIPT = "The file is not a transcript."
CHANGED = "The words, the players or the seal were changed: the first hash is that of another header."
HIDING = "The hidden_key of the transcript must be null while a ply is hidden, and only then."


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
    "a fraction": (WRITTEN.replace(b'"v":2', b'"v":2.0', 1), FILE),
    "a number that no other program keeps": (WRITTEN.replace(b'"v":2', b'"v":9007199254740993', 1), FILE),
    "a number without end": (WRITTEN.replace(b'"v":2', b'"v":NaN', 1), FILE),
    "a name twice": (WRITTEN.replace(b'"v":2', b'"v":2,"v":2', 1), FILE),
    "far too deep": (b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n", FILE),
    "something else": (b'{"a":1}\n', NO_TRANSCRIPT),
    "a later version": (
        edited(lambda raw: raw["header"].update(v=3)),
        "The file has version 3 of the protocol; this program knows version 2.",
    ),
    "an earlier version": (
        edited(lambda raw: raw["header"].update(v=1)),
        "The file has version 1 of the protocol; this program knows version 2.",
    ),
    "no version": (edited(lambda raw: raw["header"].update(v="2")), part("header")),
    "a version that is a flag": (edited(lambda raw: raw["header"].update(v=True)), part("header")),
    "two parts too few": (edited(lambda raw: (raw.pop("names"), raw.pop("hidden_key"))), NO_TRANSCRIPT),
    "a header with more": (edited(lambda raw: raw["header"].update(note="")), part("header")),
    "a header that is none": (edited(lambda raw: raw.update(header=[])), part("header")),
    "no player": (with_header(players=()), part("header")),
    "a player twice": (with_header(players=HEADER.players[:1] * 2), part("header")),
    "players out of order": (with_header(players=HEADER.players[::-1]), part("header")),
    "an empty word": (with_header(players=(("111", "", None),)), part("header")),
    "a word of 65": (with_header(players=(("111", "😀" * 65, None),)), part("header")),
    "an id in another form": (with_header(channel="0222"), part("header")),
    "capitals in the key": (edited(lambda raw: raw.update(key=raw["key"].upper())), part("key")),
    "half a hash": (edited(lambda raw: raw["hashes"].append("00")), part("hashes")),
    "plies that are none": (edited(lambda raw: raw.update(plies=7)), part("plies")),
    "a hash too many": (
        edited(lambda raw: raw["hashes"].append("0" * 64)),
        "There must be 9 hashes, but there are 10.",
    ),
    "a ply too few": (edited(lambda raw: raw["plies"].pop()), "There must be 8 hashes, but there are 9."),
    "a die without sides": (rewritten(2, draws=((0, 0, ""),)), "Ply 2: it is not as the protocol says."),
    "a flag as a die": (rewritten(2, draws=((8, True, ""),)), "Ply 2: it is not as the protocol says."),
    "a ply with more": (edited(lambda raw: raw["plies"][3].update(n=4)), "Ply 4: it is not as the protocol says."),
    "a ply with less": (edited(lambda raw: raw["plies"][3].pop("typed")), "Ply 4: it is not as the protocol says."),
    "a short salt": (rewritten(6, salt="00"), "Ply 6: it is not as the protocol says."),
    # The seal
    "another key": (
        edited(lambda raw: raw.update(key=OTHER_KEY.hex())),
        "The key does not fit the commitment.",
    ),
    "another key with its commitment": (
        edited(
            lambda raw: (
                raw.update(key=OTHER_KEY.hex()),
                raw["header"].update(commit=commitment(OTHER_KEY, HEADER.hidden)),
            )
        ),
        CHANGED,
    ),
    "another word": (
        edited(lambda raw: raw["header"]["players"][0].__setitem__(1, "corvux")),
        CHANGED,
    ),
    "a player missing": (
        edited(lambda raw: raw["header"]["players"].pop()),
        CHANGED,
    ),
    "another seal message": (
        edited(lambda raw: raw["header"].update(seal="1300000000000000002")),
        CHANGED,
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
    # Its number, names and hidden plies
    "a beacon": (edited(lambda raw: raw["header"].update(beacon="x")), part("header")),
    "a number of a seal that is none": (with_header(number=0, earlier=0), part("header")),
    "more earlier seals than seals": (with_header(earlier=3), part("header")),
    "half a hash of a word": (with_header(players=(("111", "a", "00"),)), part("header")),
    "names that are none": (edited(lambda raw: raw.update(names=[])), part("names")),
    "an empty name": (edited(lambda raw: raw["names"].update({"111": ""})), part("names")),
    "another name": (edited(lambda raw: raw["names"].update({"111": "Bo"})), "The names were changed."),
    "a name of nobody": (edited(lambda raw: raw["names"].update(x="Ana")), part("names")),
    "half a key of hidden plies": (edited(lambda raw: raw.update(hidden_key="00")), part("hidden_key")),
    "no key of hidden plies though none is hidden": (edited(lambda raw: raw.update(hidden_key=None)), HIDING),
    "a key of hidden plies though one is hidden": (
        edited(lambda raw: raw["plies"].__setitem__(6, PLIES[6].as_hidden.to_json())),
        HIDING,
    ),
    "another key of hidden plies": (
        edited(lambda raw: raw.update(hidden_key=OTHER_KEY.hex())),
        "The key of hidden plies does not fit its commitment.",
    ),
    "another commitment to it": (
        edited(
            lambda raw: (
                raw.update(hidden_key=OTHER_KEY.hex()),
                raw["header"].update(hidden=hidden_commitment(OTHER_KEY)),
            )
        ),
        "The key does not fit the commitment.",
    ),
    "a word that does not fit its hash": (
        with_header(players=(("111", "corvus", None), ("333", "nandu", hash_of("ñandú")))),
        "The word of 333 does not fit the hash that they gave first.",
    ),
    "a seal number changed": (edited(lambda raw: raw["header"].update(number=4)), CHANGED),
    "earlier seals left out": (edited(lambda raw: raw["header"].update(earlier=1)), CHANGED),
    "another time of the last word": (edited(lambda raw: raw["header"].update(last_word="5")), CHANGED),
    "a hidden ply changed": (
        edited(
            lambda raw: (
                raw["plies"].__setitem__(6, {**PLIES[6].as_hidden.to_json(), "hidden": "0" * 64}),
                raw.update(hidden_key=None),
            )
        ),
        "Ply 7: the chain breaks here.",
    ),
    "a hidden ply of somebody else": (
        edited(
            lambda raw: (
                raw["plies"].__setitem__(6, {**PLIES[6].as_hidden.to_json(), "by": "111"}),
                raw.update(hidden_key=None),
            )
        ),
        "Ply 7: the chain breaks here.",
    ),
    "a hidden ply with more": (
        edited(lambda raw: raw["plies"].__setitem__(6, {**PLIES[6].as_hidden.to_json(), "draws": []})),
        "Ply 7: it is not as the protocol says.",
    ),
    "a ply made secret afterwards": (
        rewritten(6, secret="0" * 64),
        "Ply 6: its secret does not follow from the key of hidden plies.",
    ),
    "a secret that the bot chose": (
        with_own_secret(),
        "Ply 7: its secret does not follow from the key of hidden plies.",
    ),
    "a secret ply that goes on with a roll": (
        rewritten(2, secret=secret(HIDDEN_KEY, seal(HEADER.to_json()), 2).hex()),
        "Ply 2: a secret ply begins a roll.",
    ),
    "an attack made again in secret": in_secret(),
    "a hidden ply taken back": (hidden_undone(), "Ply 8: it takes back ply 7, which is still hidden."),
    # The bot cheats and keeps its chain right
    "a throw-away roll with new dice": thrown_away_and_left_behind(),
    "a rigged die": rigged(2, 1),
    "a rigged last die": rigged(6, 2),
    "a rigged die of a secret roll": rigged(7, 0),
    "a die that should have come again": rigged(4, 0),
    "a side that the die does not have": (
        rewritten(1, draws=((8, 8, ""), *PLIES[0].draws[1:])),
        f"Ply 1: die 1 of 3 shows side 8 of 8, but the key gives side {PLIES[0].draws[0][1]}.",
    ),
    "a number of a roll left out": (
        rewritten(6, roll=7),
        "Ply 6: nothing stands of roll 7. A roll that begins here has number 6.",
    ),
    "a roll that begins under an old number": (
        rewritten(6, roll=2),
        "Ply 6: nothing stands of roll 2. A roll that begins here has number 6.",
    ),
    "an undo of what is not the last": (
        rewritten(3, undoes=1),
        "Ply 3: it takes back ply 1 of roll 1, but the last that stands is ply 2.",
    ),
    "an undo of nothing": (
        rewritten(6, undoes=1, draws=()),
        "Ply 6: it takes back ply 1 of roll 6, but nothing of it stands.",
    ),
    "an undo that rolls": (rewritten(3, draws=((8, 0, ""),)), "Ply 3: a ply that takes one back draws no dice."),
    "an undo on the table that rolls": (
        rewritten_hazards(2, draws=((8, 0, ""),)),
        "Ply 2: a ply that takes one back draws no dice.",
    ),
    "a rigged die of an obstacle": shown_instead(1, (HAZARDS[0].draws[0][1] + 1) % 8),
    "an obstacle taken back and rolled anew": rolled_anew(),
    "a die of an obstacle that somebody else saw": seen_by_another(),
}
