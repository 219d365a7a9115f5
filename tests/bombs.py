"""Files that are made to cost as much as they can: (name, reader, content). None of them is large on its way."""

import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, Final

from bot.render.xwing import card_sets
from bot.resources.worker_pool import UploadedFile
from bot.rules.infinity.table import army
from bot.rules.xwing.cards.card_sets import shipped_path
from bot.rules.xwing.table.squad import parse_with
from bot.ruleset import file as rulesets

Reader = Callable[..., object]
SHIP: Final[dict[str, Any]] = {
    "name": "T-65 X-wing",
    "xws": "t65xwing",
    "size": "Small",
    "faction": "rebelalliance",
    "stats": [{"type": "hull", "value": 4}],
}
PILOT: Final[dict[str, Any]] = {"name": "Tester", "xws": "tester", "initiative": 3}
UNIT: Final[dict[str, Any]] = {"id": 1, "name": "Fusiliers"}

CARDS: Final[Reader] = partial(card_sets.import_uploaded_set, "a.json", "2026-08-01", "")
SQUAD: Final[Reader] = partial(parse_with, [shipped_path("xwa")])
ARMY: Final[Reader] = partial(army.read_trooper, "Fusiliers", "")
MERGED: Final[Reader] = army.merge_texts
RULES: Final[Reader] = rulesets.read
LARGE: Final = b"[" + b"[]," * 4_000_000 + b"0]"
"""12 MB, 340 MiB as lists: more than a worker may take. To pack more of it by bzip2 would take seconds."""
MOST: Final = {CARDS: 8_000_000, SQUAD: 200_000, ARMY: 2_000_000, MERGED: 2_000_000, RULES: 16_384}
"""Bytes of a file that each reader may get."""


def packed(*files: tuple[str, bytes], by: int = zipfile.ZIP_DEFLATED) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", by) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name), content, by)
    return written.getvalue()


def nested(opening: str, inside: str, closing: str, times: int) -> bytes:
    return (opening * times + inside + closing * times).encode()


def flat(most: int) -> Iterator[tuple[str, bytes]]:
    """JSON of so many bytes that is parsed into as much as possible, whatever it is for."""
    yield "empty lists", b"[" + b"[]," * (most // 3 - 2) + b"0]"
    yield "empty objects", b"[" + b"{}," * (most // 3 - 2) + b"0]"
    yield "lists in lists, thousandfold", b"[" + b",".join([nested("[", "", "]", 400)] * (most // 802)) + b"]"
    yield "a list too deep", nested("[", "", "]", most // 2)
    yield "a list that is never closed", b"[" * most
    yield "objects too deep", nested('{"a":', "0", "}", most // 6)
    yield "objects nearly too deep", nested('{"a":', "{}", "}", 480)
    yield "a number of all digits", b"[" + b"9" * (most - 2) + b"]"
    yield "numbers of 4,300 digits", b"[" + b",".join([b"9" * 4300] * (most // 4302)) + b"]"
    yield "a fraction of all digits", b"[0." + b"9" * (most - 5) + b"]"
    yield "huge exponents", b"[" + b",".join([b"1e999999999"] * (most // 12)) + b"]"
    yield "one text", b'"' + b"a" * (most - 2) + b'"'
    yield "escapes", b'"' + b"\\ud800" * (most // 6 - 2) + b'"'
    yield "a key of all characters", b'{"' + b"k" * (most - 6) + b'":0}'
    yield "as many keys as fit", b"{" + b",".join(b'"%x":0' % at for at in range(most // 11)) + b"}"
    yield "accents", ('["' + "\u0344" * (most // 2 - 4) + '"]').encode()
    yield "not UTF-8", b"\xff" * most
    yield "UTF-16", json.dumps(SHIP).encode("utf-16")
    yield "blanks", b" " * most
    yield "zeros", b"\0" * most


def cards() -> Iterator[tuple[str, bytes]]:
    def ship(**changed: object) -> bytes:
        return json.dumps({**SHIP, "pilots": [PILOT], **changed}, ensure_ascii=False).encode()

    pilots = [{**PILOT, "xws": f"p{at}"} for at in range(4_900)]
    yield (
        "24 ships of 4,900 pilots each",
        json.dumps(
            [
                {**SHIP, "xws": f"s{n}", "pilots": [{**pilot, "xws": f"s{n}{pilot['xws']}"} for pilot in pilots[:3200]]}
                for n in range(24)
            ]
        ).encode()[: MOST[CARDS]],
    )
    yield (
        "8 ships of 4,900 pilots each",
        json.dumps(
            [{**SHIP, "xws": f"s{n}", "pilots": [{**o, "xws": f"s{n}{o['xws']}"} for o in pilots]} for n in range(8)]
        ).encode(),
    )
    yield (
        "50,000 ships without pilots",
        json.dumps([{**SHIP, "xws": f"s{n}", "pilots": []} for n in range(50_000)]).encode(),
    )
    yield (
        "50,000 wrong ships",
        json.dumps([{**SHIP, "size": "Tiny", "xws": f"{n}", "pilots": []} for n in range(50_000)]).encode(),
    )
    yield (
        "a ship of two million lists for pilots",
        b'{"stats":0,"faction":"rebelalliance","xws":"a","name":"a","size":"Small","pilots":'
        b"[" + b"[]," * 2_000_000 + b"0]}",
    )
    yield (
        "two million lists for stats",
        ship(stats=[]).replace(b'"stats": []', b'"stats": [' + b"[]," * 2_000_000 + b"0]"),
    )
    many = [{**PILOT, "xws": f"p{at}", "name": "\ufdfa" * 80, "caption": "\ufdfa" * 80} for at in range(1_900)]
    yield "names of which each letter becomes eighteen", ship(pilots=many, name="\ufdfa" * 80)
    yield "no characters at all", ship(name="\\ud800").replace(b"\\\\ud800", b"\\ud800")
    yield "a name of an entry", packed(("n" * 60_000 + ".json", b"{"))
    yield "nested keys as a name", nested('{"' + "k" * 8_000 + '":', "[]", "}", 300)
    side = {"type": "a" * 100, "ability": "Attack (" + "[Focus] or " * 900, "attack": {"arc": "Front Arc", "value": 3}}
    upgrades = [{"name": "u", "xws": f"u{at}", "sides": [side]} for at in range(700)]
    yield "texts that are slow to search", json.dumps([{**SHIP, "pilots": [PILOT]}, *upgrades]).encode()
    long_ = [{**PILOT, "xws": f"{at}" + "p" * 95, "name": "N" * 80, "caption": "C" * 80} for at in range(1_999)]
    yield "the longest cards that may be", ship(pilots=long_)
    issue = b"[" + b"[]," * 13_000_000 + b"0]"
    yield "few bytes of bzip2", packed(("a.json", LARGE), by=zipfile.ZIP_BZIP2)
    yield "the same by LZMA", packed(("a.json", LARGE), by=zipfile.ZIP_LZMA)
    yield "three times as much deflated", packed(("a.json", issue))
    yield (
        "the same in parts that pack worse",
        packed(
            *((f"{at}.json", issue[:2_000_000] if at else b"[]") for at in range(19)),
            ("pad.json", bytes(range(32, 127)) * 3_000),
        ),
    )
    yield "60,000 entries", packed(*((f"{at}.json", b"") for at in range(60_000)))
    yield "1,999 entries of nothing", packed(*((f"{at}.json", b"[]") for at in range(1_999)))
    lying = bytearray(packed(("a.json", b"[]" + b" " * 5_000_000)))
    yield (
        "an entry that is larger than it says",
        bytes(lying).replace(struct.pack("<I", 5_000_002), struct.pack("<I", 2)),
    )
    yield (
        "an entry that is smaller than it says",
        packed(("a.json", b"[]")).replace(struct.pack("<I", 2), struct.pack("<I", 39_000)),
    )
    data = packed(("a.json", b"[]" + b" " * 900_000))
    directory = data.index(b"PK\x01\x02")
    entry, end = data[directory : data.index(b"PK\x05\x06")], data[data.index(b"PK\x05\x06") :]
    count = 1_900
    overlap = (
        data[:directory] + entry * count + end[:8] + struct.pack("<HHI", count, count, len(entry) * count) + end[16:]
    )
    yield "1,900 entries that are the same bytes", overlap
    yield "an archive in an archive", packed(("a.json", packed(("b.json", issue))))
    yield "a directory that is all there is", b"PK\x05\x06" + b"\0" * 4 + b"\xff" * 14


def squads() -> Iterator[tuple[str, bytes]]:
    most = MOST[SQUAD]
    yield "pilots without an end", json.dumps({"faction": "rebelalliance", "pilots": [{"id": "a"}] * 13_000}).encode()
    yield "one squad after another", (b'{"faction":"rebelalliance","pilots":[]}' * (most // 39))
    upgrades = {f"slot{at}": ["a"] for at in range(8_000)}
    yield (
        "upgrades without an end",
        json.dumps({"pilots": [{"id": "lukeskywalker", "upgrades": upgrades}]}).encode()[:most],
    )
    yield "opening braces", b"{" * most
    yield "lines of a list", b"Luke Skywalker (40)\n" * (most // 20)
    yield "one line of a list", b"Luke + " * (most // 7)
    yield "brackets", b"(" * most


def armies() -> Iterator[tuple[str, bytes]]:
    yield "units without an end", json.dumps({"units": [UNIT] * 50_000}).encode()
    yield (
        "names near and nearer",
        json.dumps({"units": [{"name": f"Fusilier{at}" * 5} for at in range(20_000)]}).encode(),
    )
    yield "units that are lists", b'{"units":[' + b"[]," * 600_000 + b"0]}"
    option = {"name": "FUSILIER", "skills": [{"id": at} for at in range(80_000)]}
    whole = {**UNIT, "profileGroups": [{"profiles": [{"name": "F"}], "options": [option]}]}
    yield "skills without an end", json.dumps({"units": [whole], "filters": {}}).encode()
    words = " ".join(["SR=12"] * 150_000)
    slow = {**UNIT, "profileGroups": [{"profiles": [{"name": words}], "options": [{"name": words}]}]}
    yield "a name of 150,000 words", json.dumps({"units": [slow]}).encode()


def settings() -> Iterator[tuple[str, bytes]]:
    yield "settings of long names", json.dumps({"rollcall_ruleset": 1, "settings": {"k" * 16_000: 1}}).encode()
    yield "a number as a value", b'{"rollcall_ruleset":1,"settings":{"most_dice":' + b"9" * 4_000 + b"}}"
    yield "a text as a value", json.dumps({"rollcall_ruleset": 1, "settings": {"log_channel": "9" * 16_000}}).encode()


GROUPS: Final[dict[str, tuple[Reader, Callable[[], Iterable[tuple[str, bytes]]]]]] = {
    "JSON as a card set": (CARDS, lambda: flat(MOST[CARDS])),
    "This server now has its own card set": (CARDS, cards),
    "JSON as a squad": (SQUAD, lambda: islice(flat(MOST[SQUAD]), 5)),
    "a squad": (SQUAD, squads),
    "JSON as an army": (ARMY, lambda: islice(flat(MOST[ARMY]), 5)),
    "an army": (ARMY, armies),
    "an army to keep": (MERGED, armies),
    "a ruleset": (RULES, settings),
}


def of(group: str) -> Iterator[tuple[str, Reader, UploadedFile]]:
    reader, bombs = GROUPS[group]
    for name, content in bombs():
        yield name, reader, sent(content[: MOST[reader]], reader is not CARDS)


def sent(content: bytes, is_text: bool) -> UploadedFile:
    return UploadedFile(name="a.json", content=content, what="what is asked for", is_text=is_text)
