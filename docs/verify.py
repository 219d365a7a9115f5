#!/usr/bin/env python3
# ruff: noqa: T201 - one script that stands alone, prints, and is short enough to be read by anybody
"""Check the dice of a sealed table yourself: `python3 verify.py FILE`. Needs Python 3.8 or newer and nothing else.

This file shares no code with the bot. fairness.md, beside it, says what is checked and why.
"""

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path

D = b"rollcall-fair/1"
ID, HASH, TEXT = "[1-9][0-9]{0,19}", "[0-9a-f]{64}", ".*"
SMALL, LARGE = range(2**32), range(2**53)
DIE = (range(1, 2**32 + 1), SMALL)  # how many sides, and which was drawn, from 0
PLAYER = (ID, ".{1,64}")
FORM = {
    "header": {"v": range(1, 2), "application": ID, "channel": ID, "commit": HASH, "players": [PLAYER], "seal": ID},
    "key": HASH,
    "hashes": [HASH],
    "plies": [],
}
PLY = {"roll": LARGE, "ply": SMALL, "by": ID, "offer": TEXT, "choice": dict, "draws": [DIE], "typed": [{TEXT, LARGE}]}
PLY = {**PLY, "undoes": {None, SMALL}, "salt": {None, "[0-9a-f]{32}"}}


class Unfit(Exception):
    """The first thing that does not fit."""


def need(fits, sentence):
    if not fits:
        raise Unfit(sentence)


def has_form(value, form):
    """Whether a value has a form: a pattern, a range, None, a list of one form, a pair, a choice, or named parts."""
    if isinstance(form, str):
        return isinstance(value, str) and re.fullmatch(form, value, re.DOTALL)
    if isinstance(form, range):
        return type(value) is int and value in form
    if isinstance(form, set):
        return any(has_form(value, one) for one in form)
    if isinstance(form, list):
        return isinstance(value, list) and all(has_form(part, one) for part in value for one in form)
    if isinstance(form, tuple):
        return isinstance(value, list) and len(value) == len(form) and all(map(has_form, value, form))
    if isinstance(form, dict):
        return (
            isinstance(value, dict) and value.keys() == form.keys() and all(has_form(value[k], form[k]) for k in form)
        )
    return value is None if form is None else isinstance(value, form)


def canonical(value):
    """The one way to write JSON; raises ValueError for numbers and text that not every program keeps exactly."""
    if isinstance(value, dict):
        return b"{" + b",".join(canonical(key) + b":" + canonical(value[key]) for key in sorted(value)) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(canonical, value)) + b"]"
    if isinstance(value, float) or (isinstance(value, int) and abs(value) >= 2**53):
        raise ValueError("not exact")
    return json.dumps(value, ensure_ascii=False).encode()


def read(data):
    """The transcript in a file, every part of it in the right form."""
    need(data.endswith(b"}\n"), "The file is cut off, or something follows its end. Download it again.")
    try:
        t = json.loads(data.decode())
        is_canonical = canonical(t) + b"\n" == data
    except (ValueError, RecursionError):
        is_canonical = False
    what = "somebody changed it, or it is another file"
    need(is_canonical, f"The file is not canonical JSON: {what}. Download it again.")
    need(t.keys() == FORM.keys(), "The file is not a transcript.")
    v = t["header"].get("v") if isinstance(t["header"], dict) else None
    need(v == 1 or not has_form(v, LARGE), f"The file has version {v} of the protocol; this program knows version 1.")
    for name, form in FORM.items():
        need(has_form(t[name], form), f"The {name} of the transcript is not as the protocol says.")
        ids = [int(player) for player, _ in t["header"]["players"]]
        need(ids and ids == sorted(set(ids)), "The header of the transcript is not as the protocol says.")
    for i, ply in enumerate(t["plies"], 1):
        need(has_form(ply, PLY), f"Ply {i}: it is not as the protocol says.")
    right, there = len(t["plies"]) + 1, len(t["hashes"])
    need(there == right, f"There must be {right} hashes, but there are {there}.")
    return t


def words(key, prefix):
    """The stream of 32-bit numbers from which the dice of one ply are drawn."""
    for j in range(2**32):
        block = hmac.new(key, prefix + j.to_bytes(4, "big"), "sha256").digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def check(t):
    """Recompute the commitment, the seal, the chain and every die."""
    key, header = bytes.fromhex(t["key"]), t["header"]
    commitment = hashlib.sha256(D + b"|commit|" + key).hexdigest()
    need(commitment == header["commit"], "The key does not fit the commitment.")
    seal = last = hashlib.sha256(D + b"|seal|" + canonical(header)).digest()
    need(seal.hex() == t["hashes"][0], "The first hash does not fit the header.")
    rolls = {0: {"by": None, "count": 0, "standing": [], "waiting": {}}}  # 0 is the table itself
    for i, ply in enumerate(t["plies"], 1):
        last = hashlib.sha256(last + canonical(ply)).digest()
        need(last.hex() == t["hashes"][i], f"Ply {i}: the chain breaks here.")
        s, p, by, undoes = ply["roll"], ply["ply"], ply["by"], ply["undoes"]
        roll = rolls.get(s) or {"by": by, "count": 0, "standing": [], "waiting": {}}
        standing, waiting = roll["standing"], roll["waiting"].setdefault(by, [])
        if s != 0 and not standing:  # it opens a roll: the first of this person's that was taken back, else a new one
            taken_back = [r for r in rolls if r != 0 and rolls[r]["by"] == by and not rolls[r]["standing"]]
            right = min(taken_back, default=len(rolls))
            need(s == right, f"Ply {i}: the next roll that {by} opens is number {right}, not {s}.")
        need(p == roll["count"], f"Ply {i}: roll {s} goes on with number {roll['count']}, not {p}.")
        if undoes is not None:
            stands = standing[-1]["ply"] if standing else None
            why = "nothing stands" if stands is None else f"number {stands} is the last that stands"
            need(undoes == stands, f"Ply {i}: it takes back number {undoes} of roll {s}, but {why}.")
            need(not ply["draws"], f"Ply {i}: a ply that takes one back draws no dice.")
        stream = words(key, D + b"|draw|" + seal + s.to_bytes(8, "big") + p.to_bytes(4, "big"))
        for at, (sides, side) in enumerate(ply["draws"], 1):
            right = next((draw for draw in waiting if draw[0] == sides), None)
            if right:  # a die that was taken back comes again
                waiting.remove(right)
                right = right[1]
            else:
                right = next(x for x in stream if x < 2**32 // sides * sides) % sides
            shows = f"die {at} of {len(ply['draws'])} shows side {side} of {sides}"
            need(side == right, f"Ply {i}: {shows}, but the key gives side {right}.")
        rolls[s] = roll
        roll["count"] += 1
        if undoes is None:
            standing.append(ply)
        else:
            gone = standing.pop()
            roll["waiting"][gone["by"]][:0] = gone["draws"]


def main(path):
    t = read(Path(path).read_bytes())
    check(t)
    drawn, typed = (sum(len(ply[name]) for ply in t["plies"]) for name in ("draws", "typed"))
    print(f"Every die fits. Plies: {len(t['plies'])}. Dice drawn: {drawn}. Dice typed by hand: {typed}.")
    print("Now compare with Discord; no file can prove that it is the one that was sealed there.")
    print("Commitment:", t["header"]["commit"])
    print("Seal: message", t["header"]["seal"], "in channel", t["header"]["channel"])
    print(*(f"Word of {person}: {json.dumps(word)}" for person, word in t["header"]["players"]), sep="\n")
    silent = {ply["by"] for ply in t["plies"] if ply["draws"]} - {person for person, _ in t["header"]["players"]}
    print("Rolled without a word:", ", ".join(sorted(silent, key=int)) or "nobody")
    for i, (ply, shown) in enumerate(zip(t["plies"], t["hashes"][1:]), 1):  # noqa: B905 - Python 3.8 knows no strict
        dice = " ".join(f"d{sides}={side}" for sides, side in ply["draws"])
        print(i, shown[:8], "roll", ply["roll"], "by", ply["by"], json.dumps(ply["offer"]), dice)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the file: python3 verify.py FILE")
    try:
        main(sys.argv[1])
    except OSError as error:
        sys.exit(f"{sys.argv[1]} cannot be read: {error.strerror}. Name the file again.")
    except Unfit as unfit:
        sys.exit(f"{unfit}\nDo not trust this transcript. If a new download does not fit either, ask who runs the bot.")
