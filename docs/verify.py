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
import time
from pathlib import Path

ID, HASH, TEXT = "[1-9][0-9]{0,19}", "[0-9a-f]{64}", ".*"
SMALL, LARGE = range(2**32), range(2**53)
SIDES = range(1, 2**32 + 1)
# The forms: a pattern, a range, None, a list of one form, a fixed row, a choice, or named parts.
HEADER = {
    "v": range(2, 3),
    "application": ID,
    "channel": ID,
    "beacon": None,
    "number": range(1, 2**53),
    "earlier": LARGE,
    "commit": HASH,
    "hidden": HASH,
    "commit_message": ID,
    "players": [(ID, ".{1,64}", {None, HASH})],
    "last_word": ID,
    "seal": ID,
}
PLY = {
    "roll": LARGE,
    "by": ID,
    "of": ID,  # whose dice these are
    "offer": TEXT,
    "choice": dict,
    "draws": [(SIDES, SMALL, TEXT)],
    "typed": [{TEXT, LARGE}],  # faces as people typed them
    "undoes": {None, LARGE},
    "salt": {None, "[0-9a-f]{32}"},
    "secret": {None, HASH},
}
COVER = {"roll": LARGE, "by": ID, "hidden": HASH}  # what stands for a ply that is still hidden
FORM = {"header": HEADER, "key": HASH, "hidden_key": {None, HASH}, "hashes": [HASH], "names": dict, "plies": list}


class UnfitError(Exception):
    """The first thing that does not fit."""


def need(fits, sentence):
    if not fits:
        raise UnfitError(sentence)


def has_form(value, form):
    """Whether a value has a form."""
    if isinstance(form, str):
        return isinstance(value, str) and re.fullmatch(form, value, re.DOTALL)
    if isinstance(form, range):
        return type(value) is int and value in form
    if isinstance(form, set):
        return any(has_form(value, item) for item in form)
    if isinstance(form, list):
        return isinstance(value, list) and all(has_form(part, item) for part in value for item in form)
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
    v = t["header"].get("v") if isinstance(t.get("header"), dict) else None
    other = has_form(v, LARGE) and v != 2
    need(not other, f"The file has version {v} of the protocol; this program knows version 2.")
    need(t.keys() == FORM.keys(), "The file is not a transcript.")
    for name, form in FORM.items():
        right = has_form(t[name], form)
        if right and name == "header":
            ids = [int(player[0]) for player in t["header"]["players"]]
            right = ids and ids == sorted(set(ids)) and t["header"]["earlier"] < t["header"]["number"]
        if right and name == "names":
            right = all(has_form(key, ID) and has_form(t["names"][key], ".{1,100}") for key in t["names"])
        need(right, f"The {name} of the transcript is not as the protocol says.")
    for i, ply in enumerate(t["plies"], 1):
        need(has_form(ply, PLY) or has_form(ply, COVER), f"Ply {i}: it is not as the protocol says.")
    right, there = len(t["plies"]) + 2, len(t["hashes"])
    need(there == right, f"There must be {right} hashes, but there are {there}.")
    covered = any("hidden" in ply for ply in t["plies"])
    must = "must be null while a ply is hidden, and only then"
    need((t["hidden_key"] is None) == covered, f"The hidden_key of the transcript {must}.")
    return t


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def u64(number):
    return number.to_bytes(8, "big")


def words(key, prefix):
    """The stream of 32-bit numbers from which the dice of one ply are drawn."""
    for j in range(2**32):
        block = hmac.new(key, prefix + j.to_bytes(4, "big"), "sha256").digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def fall(i, draws, stream, waiting, secret):
    """Compare the dice of ply i with those that wait and with the stream; returns what came again."""
    came = []
    for at, (sides, side, _) in enumerate(draws, 1):
        shows = f"die {at} of {len(draws)} shows side {side} of {sides}"
        again = next((draw for draw in waiting if draw[0] == sides), None)
        if again:  # a die that was taken back comes again
            need(not secret, f"Ply {i}: {shows} in secret, but a die of {sides} sides waits to come again.")
            waiting.remove(again)
            came.append(again)
            right = again[1]
        else:
            right = next(x for x in stream if x < 2**32 // sides * sides) % sides
        need(side == right, f"Ply {i}: {shows}, but the key gives side {right}.")
    return came


CHANGED = "The words, the players or the seal were changed: the first hash is that of another header."


def check(t):
    """Recompute the commitment, the seal, the chain and every die; returns the warnings."""
    domain, key, header = b"rollcall-fair/2", bytes.fromhex(t["key"]), t["header"]
    hidden_key = t["hidden_key"] and bytes.fromhex(t["hidden_key"])
    if hidden_key:
        fits = sha256(domain, b"|hidden|", hidden_key).hex() == header["hidden"]
        need(fits, "The key of hidden plies does not fit its commitment.")
    fits = sha256(domain, b"|commit|", key, bytes.fromhex(header["hidden"])).hex() == header["commit"]
    need(fits, "The key does not fit the commitment.")
    seal = last = sha256(domain, b"|seal|", canonical(header))
    need(seal.hex() == t["hashes"][0], CHANGED)
    for person, word, given in header["players"]:
        fits = given is None or sha256(word.encode()).hex() == given
        need(fits, f"The word of {person} does not fit the hash that they gave first.")
    plies, standing, waiting, warnings = t["plies"], {0: []}, {}, about_the_seal(t)  # 0 is the table itself
    for i, ply in enumerate(plies, 1):
        covered, own = "hidden" in ply, ply.get("secret")
        hidden = sha256(domain, b"|ply|", canonical(ply)).hex()
        kept = {"roll": ply["roll"], "by": ply["by"], "hidden": hidden} if own else ply
        last = sha256(last, canonical(kept))
        need(last.hex() == t["hashes"][i], f"Ply {i}: the chain breaks here.")
        if own and hidden_key:
            right = hmac.new(hidden_key, domain + b"|secret|" + seal + u64(i), "sha256").hexdigest()
            need(own == right, f"Ply {i}: its secret does not follow from the key of hidden plies.")
        roll, undoes = ply["roll"], ply.get("undoes")
        stands = standing[roll][-1] if standing.get(roll) else None
        begins = f"A roll that begins here has number {i}"
        need(roll in (0, i) or stands, f"Ply {i}: nothing stands of roll {roll}. {begins}.")
        need(roll == i or not (covered or own), f"Ply {i}: a secret ply begins a roll.")
        if undoes is not None:
            why = f"the last that stands is ply {stands}" if stands else "nothing of it stands"
            need(stands and undoes == stands, f"Ply {i}: it takes back ply {undoes} of roll {roll}, but {why}.")
            need("hidden" not in plies[stands - 1], f"Ply {i}: it takes back ply {stands}, which is still hidden.")
            need(not ply["draws"], f"Ply {i}: a ply that takes one back draws no dice.")
            gone = plies[standing[roll].pop() - 1]
            seen = [(sides, side, undoes) for sides, side, _ in gone["draws"]]
            waiting.setdefault(gone["of"], [])[:0] = seen
            continue
        standing.setdefault(roll, []).append(i)
        if not covered:
            stream = words(bytes.fromhex(own) if own else key, domain + b"|draw|" + seal + u64(i))
            came = fall(i, ply["draws"], stream, waiting.setdefault(ply["of"], []), bool(own))
            for first in dict.fromkeys(first for _, _, first in came):
                if plies[first - 1]["roll"] != roll and canonical(plies[first - 1]["choice"]) != canonical(
                    ply["choice"]
                ):
                    again = f"dice that were taken back with ply {first} came again here, in another roll"
                    warnings.append(f"Ply {i}: {again}. Look whether somebody wanted to be rid of them.")
    need(sha256(last, canonical(t["names"])).hex() == t["hashes"][-1], "The names were changed.")
    left = [place for dice in waiting.values() for _, _, place in dice]
    for place in sorted(set(left)):
        never = f"Dice of ply {place} that were taken back and never came again: {left.count(place)}."
        warnings.append(f"{never} Look whether somebody wanted to be rid of them.")
    return warnings


def check_plans(match):
    """Recompute the plans in the file of a match, and compare them with what its plies show."""
    sheets, domain = {item["root"]: item for item in match["plans"]}, b"rollcall-plan/1"
    for sheet in sheets.values():
        if not sheet["leaves"]:
            continue  # nothing of it is open yet
        header = {"leaves": sheet["leaves"], "owner": str(sheet["owner"]), "sheet": sheet["sheet"]}
        fits = len(sheet["of"]) == len(sheet["leaves"])
        fits = fits and sha256(domain, b"|root|", canonical(header)).hex() == sheet["root"]
        need(fits, f"The commitment {sheet['root'][:8]} ({sheet['sheet']}) does not follow from its leaves.")
        for leaf in sheet["opened"]:
            plain = {name: leaf[name] for name in ("choice", "of", "salt")}
            right = sha256(domain, b"|leaf|", canonical(plain)).hex()
            fits = leaf["of"] in sheet["of"] and right == sheet["leaves"][sheet["of"].index(leaf["of"])]
            need(fits, f"The plan of {leaf['of']} ({sheet['sheet']}) is not the one that was committed to.")
    for held in [match["start"], match["end"]] + [ply.get("pieces", {}) for ply in match["plies"]]:
        for shown in [
            piece for pieces in held.values() for piece in pieces.values() if piece and piece.get("kind") == "plans"
        ]:
            named = f"({shown['sheet']}) was shown"
            lacks = f"The commitment {shown['root'][:8]} {named}, and the file lacks its plans."
            need(shown["root"] in sheets, lacks)
            for leaf in shown.get("opened", []):
                fits = leaf in sheets[shown["root"]]["opened"]
                need(fits, f"The plan of {leaf['of']} {named} as something else than it was.")
    opened = sum(len(item["opened"]) for item in sheets.values())
    closed = sum(len(item["of"]) for item in sheets.values()) - opened
    return f"Every plan fits. Commitments: {len(sheets)}. Plans open: {opened}. Plans still closed: {closed}."


def match_in(data):
    """The match in a file, None for a file that is none."""
    try:
        result = json.loads(data.decode())
    except (ValueError, RecursionError):
        return None
    return result if isinstance(result, dict) and result.get("format") == "rollcall-match/1" else None


def moment(number):
    """The milliseconds since 1970 at which Discord made an id."""
    return (int(number) >> 22) + 1420070400000


def shown_time(number):
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(moment(number) // 1000))


def about_the_seal(t):
    """What fits and should be looked at all the same."""
    header, result = t["header"], []
    if header["earlier"]:
        result.append(f"Seals of this channel that were begun before and given up: {header['earlier']}. Ask why: with ")
        result[-1] += "each of them somebody could have tried for better dice."
    commit, word, seal = (moment(header[name]) for name in ("commit_message", "last_word", "seal"))
    if not commit <= word <= seal:
        result.append("The commitment, the last word and the seal did not come in this order. Do not trust this seal.")
    elif seal - word > 10000:
        result.append(f"The seal came {(seal - word) // 1000} seconds after the last word. A message in between may ")
        result[-1] += "have been deleted: ask whoever was there."
    if hidden := sum("hidden" in ply for ply in t["plies"]):
        result.append(
            f"Plies that are still hidden: {hidden}. Nobody can check their dice yet; a later file opens them."
        )
    return result


def main(data):
    if match_in(data):
        try:
            print(check_plans(match_in(data)))
        except (KeyError, TypeError, AttributeError):
            raise UnfitError("The plans of this file are not as docs/match.md says.") from None
        print("Now compare the commitments with those on the board in Discord; they show that no plan was changed,")
        print("not that nobody has looked.")
        return
    t = read(data)
    warnings, header = check(t), t["header"]
    names = t["names"]
    drawn, typed = (sum(len(ply.get(name, ())) for ply in t["plies"]) for name in ("draws", "typed"))
    print(f"Every die fits. Plies: {len(t['plies'])}. Dice drawn: {drawn}. Dice typed by hand: {typed}.")
    print(*(f"Warning: {warning}\n" for warning in warnings), sep="", end="")
    print("Now compare with Discord; no file can prove that it is the one that was sealed there.")
    print("Commitment:", header["commit"])
    print("Seal number", header["number"], "of this channel")
    print(f"Commitment: message {header['commit_message']}, {shown_time(header['commit_message'])}")
    seconds = (moment(header["seal"]) - moment(header["last_word"])) // 1000
    print(f"Last word: {shown_time(header['last_word'])}, {seconds} seconds before the seal")
    print(f"Seal: message {header['seal']} in channel {header['channel']}, {shown_time(header['seal'])}")

    def called(person):
        return f"{json.dumps(names[person])} ({person})" if person in names else person

    for person, word, given in header["players"]:
        first = f", given as its hash {given} first" if given else ""
        print(f"Word of {called(person)}: {json.dumps(word)}{first}")
    silent = {ply["by"] for ply in t["plies"] if ply.get("draws", True)} - {item[0] for item in header["players"]}
    print("Rolled without a word:", ", ".join(map(called, sorted(silent, key=int))) or "nobody")
    for i, (ply, shown) in enumerate(zip(t["plies"], t["hashes"][1:]), 1):  # noqa: B905 - Python 3.8 knows no strict
        dice = (f"d{n}={face} (side {k})" if face else f"d{n}={k}" for n, k, face in ply.get("draws", ()))
        took = json.dumps(ply["offer"]) if "offer" in ply else "hidden"
        print(i, shown[:8], "roll", ply["roll"], "by", called(ply["by"]), took, *dice)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the file: python3 verify.py FILE")
    try:
        file = Path(sys.argv[1]).read_bytes()
    except OSError as error:
        sys.exit(f"{sys.argv[1]} can't be read: {error.strerror}. Name the file again.")
    try:
        main(file)
    except UnfitError as unfit:
        sys.exit(f"{unfit}\nDo not trust this transcript. If a new download does not fit either, ask who runs the bot.")
