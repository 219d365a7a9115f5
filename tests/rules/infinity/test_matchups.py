"""Matchups of real troopers worked by hand from the rules page (N5.2), and their Wounds by an arithmetic of its own.

Each row says what somebody with the page and a pencil writes down: the Success Value, Burst and special dice of each
roll, which rolls meet Face to Face, and the number that each target's Saving Rolls must not exceed. Nothing of it is
computed from a profile, so a row and the bot can only agree where both read the page alike.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final

from bot.odds.infinity.wounds import harm
from bot.rules import infinity
from bot.rules.infinity.orders.play import sums
from bot.rules.infinity.troopers.declared import Order
from bot.rules.text import Name
from tests.rows import for_each_row
from tests.rules.infinity import book as book

FIGURES: Final = {figure.name: figure for figure in book.figures()}

Roll = tuple[str, int, int, int]
"""Who, Success Value after the MODs, Burst, special dice."""

CRITICAL: Final = 99
ALWAYS: Final = 0
"""In the place of a Success Value: a Direct Template hits without a roll."""


@dataclass(frozen=True)
class Save:
    """What a hit asks of its target: the number to roll or less, how often a hit, and the Wounds of a failure."""

    need: int
    often: int = 1
    wounds: int = 1
    aside: bool = False
    """It is under a template whose main target is another: a Critical is a plain success against it."""


@dataclass(frozen=True)
class Row:
    """``faced`` names rolls by their places; ``saves`` the roll that hits, whom, and with what."""

    order: str
    rolls: tuple[Roll, ...]
    faced: tuple[tuple[int, int], ...] = ((0, 1),)
    saves: tuple[tuple[int, str, Save], ...] = ()
    more: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return [name for name in FIGURES if name in self.order]


def row(order: str, *rolls: Roll, faced: tuple[tuple[int, int], ...] = ((0, 1),), **saved: Save | str) -> Row:
    """``Drummer_0=Save(7)``: the hits of the roll at place 0 on Drummer; any other word is added to a profile."""
    saves = tuple(
        (int(key.rsplit("_", 1)[1]), key.rsplit("_", 1)[0].replace("_", " "), item)
        for key, item in saved.items()
        if isinstance(item, Save)
    )
    more = {key: item for key, item in saved.items() if isinstance(item, str)}
    return Row(order, rolls, faced, saves, more)


N: Final = ()
ROWS: Final = (
    # range bands, Partial Cover, Burst of an ARO
    row("Drummer Marksman Rifle at 20 vs Fennec dodge", ("Drummer", 16, 3, 0), ("Fennec", 10, 1, 0), Fennec_0=Save(7)),
    row(
        "Drummer Marksman Rifle at 20 cover vs Fennec Thunderbolt",
        ("Drummer", 13, 3, 0),
        ("Fennec", 15, 1, 0),
        Fennec_0=Save(10),
        Drummer_1=Save(7),
    ),
    row("Fennec Thunderbolt at 30 vs Drummer dodge", ("Fennec", 15, 3, 0), ("Drummer", 10, 1, 0), Drummer_0=Save(7)),
    # Total Reaction and Neurocinetics in both turns
    row(
        "Helot Shock Marksman Rifle at 24 vs Sierra HMG",
        ("Helot", 14, 1, 0),
        ("Sierra", 14, 4, 0),
        Sierra_0=Save(7),
        Helot_1=Save(5),
    ),
    row(
        "Sierra HMG at 12 vs Helot Shock Marksman Rifle",
        ("Sierra", 11, 4, 0),
        ("Helot", 14, 3, 0),
        Sierra_1=Save(7),
        Helot_0=Save(5),
    ),
    # BS Attack (+1B) and (SR-2), Mimetism, Immunity (AP): 13+3-6, saves 7+3-2
    row(
        "Gecko MULTI Marksman Rifle AP Mode at 20 vs Vostok Mk12",
        ("Gecko", 10, 4, 0),
        ("Vostok", 15, 1, 0),
        Vostok_0=Save(8),
        Gecko_1=Save(11),
    ),
    row(
        "Gecko MULTI Marksman Rifle Anti-Material Mode at 20 vs Hsien dodge",
        ("Gecko", 16, 2, 0),
        ("Hsien", 14, 1, 0),
        Hsien_0=Save(9, 2),
    ),
    # Suppressive Fire: in ARO, with Marksmanship against cover, ended by its own order, ended by a Dodge
    row(
        "Rounder Red Fury at 20 vs Asura Spitfire Suppressive Fire",
        ("Rounder", 12, 4, 0),
        ("Asura", 11, 3, 0),
        Asura_0=Save(12),
        Rounder_1=Save(7),
    ),
    row(
        "Rounder Red Fury at 12 cover vs Asura Spitfire Suppressive Fire",
        ("Rounder", 12, 4, 0),
        ("Asura", 14, 3, 0),
        Asura_0=Save(15),
        Rounder_1=Save(7),
    ),
    row(
        "Drummer Marksman Rifle at 10 Suppressive Fire vs Interventor Combi Rifle",
        ("Drummer", 16, 3, 0),
        ("Interventor", 14, 1, 0),
        Interventor_0=Save(8),
        Drummer_1=Save(8),
    ),
    row(
        "Drummer Marksman Rifle at 10 vs Interventor dodge Suppressive Fire",
        ("Drummer", 16, 3, 0),
        ("Interventor", 10, 1, 0),
        Interventor_0=Save(8),
    ),
    # which reaction answers which attack
    row(
        "Drummer Marksman Rifle at 20 vs Interventor reset",
        ("Drummer", 16, 3, 0),
        ("Interventor", 15, 1, 0),
        faced=N,
        Interventor_0=Save(8),
    ),
    row("Interventor Spotlight vs Asura dodge", ("Interventor", 15, 2, 0), ("Asura", 14, 1, 0), faced=N),
    row(
        "Asura AP CC Weapon vs Interventor reset",
        ("Asura", 20, 1, 0),
        ("Interventor", 15, 1, 0),
        faced=N,
        Interventor_0=Save(7),
    ),
    row("Asura AP CC Weapon vs Rounder dodge", ("Asura", 20, 1, 0), ("Rounder", 10, 1, 0), Rounder_0=Save(7)),
    row(
        "Asura Nanopulser vs Drummer dodge",
        ("Asura", ALWAYS, 1, 0),
        ("Drummer", 10, 1, 0),
        faced=((0, 1),),
        Drummer_0=Save(10),
    ),
    row(
        "Asura Nanopulser vs Drummer Pistol at 6",
        ("Asura", ALWAYS, 1, 0),
        ("Drummer", 16, 1, 0),
        faced=N,
        Drummer_0=Save(10),
        Asura_1=Save(14),
    ),
    # programs, Firewall, ECM, Zero Pain
    row("Interventor Carbonite vs Hsien reset", ("Interventor", 9, 2, 0), ("Hsien", 14, 1, 0)),
    row("Interventor Oblivion vs Hsien reset Immobilized-B", ("Interventor", 9, 2, 0), ("Hsien", 11, 1, 0)),
    row("Interventor Carbonite vs Scarface reset", ("Interventor", 12, 2, 0), ("Scarface", 13, 1, 0)),
    row("Thyreos Total Control vs Gecko reset", ("Thyreos", 13, 1, 0), ("Gecko", 13, 1, 0)),
    row(
        "Black AIR Trinity vs Interventor reset",
        ("Black AIR", 16, 3, 0),
        ("Interventor", 15, 1, 0),
        Interventor_0=Save(15),
    ),
    row("Black AIR Trinity vs Zhanying Zero Pain", ("Black AIR", 13, 3, 0), ("Zhanying", 13, 2, 0)),
    # BS Attack (Guided): Dodge out of line of fire, Reset, ECM
    row(
        "Clipper Missile Launcher Blast Mode at 30 guided vs Drummer dodge zoc Targeted",
        ("Clipper", 18, 1, 0),
        ("Drummer", 7, 1, 0),
        Drummer_0=Save(7, 3),
    ),
    row(
        "Clipper Missile Launcher Blast Mode at 60 guided vs Hsien reset Targeted",
        ("Clipper", 12, 1, 0),
        ("Hsien", 11, 1, 0),
        Hsien_0=Save(10, 3),
    ),
    row(
        "Clipper Missile Launcher Blast Mode at 30 guided vs Gecko reset Targeted",
        ("Clipper", 12, 1, 0),
        ("Gecko", 10, 1, 0),
        Gecko_0=Save(12, 3),
    ),
    # Nanoscreen: alone, with Partial Cover, under Marksmanship
    row(
        "Drummer Marksman Rifle at 20 vs Achilles dodge",
        ("Drummer", 10, 3, 0),
        ("Achilles", 15, 1, 0),
        Achilles_0=Save(13),
    ),
    row(
        "Drummer Marksman Rifle at 12 vs Achilles Pistol",
        ("Drummer", 10, 3, 0),
        ("Achilles", 15, 1, 0),
        Achilles_0=Save(13),
        Drummer_1=Save(9),
    ),
    row(
        "Drummer Marksman Rifle at 20 cover vs Fennec Thunderbolt",
        ("Drummer", 10, 3, 0),
        ("Fennec", 15, 1, 0),
        Fennec_0=Save(13),
        Drummer_1=Save(7),
        Fennec="Nanoscreen",
    ),
    row(
        "Rounder Red Fury at 20 cover vs Fennec dodge",
        ("Rounder", 15, 4, 0),
        ("Fennec", 10, 1, 0),
        Fennec_0=Save(13),
        Fennec="Nanoscreen",
    ),
    # Fireteam levels on both sides, Sixth Sense of level 5
    row(
        "Drummer Marksman Rifle at 20 fireteam 5 vs Fennec dodge fireteam 3",
        ("Drummer", 17, 3, 1),
        ("Fennec", 11, 1, 0),
        Fennec_0=Save(7),
    ),
    row(
        "Drummer Marksman Rifle at 16 fireteam 2 vs Interventor Combi Rifle fireteam 4",
        ("Drummer", 16, 3, 1),
        ("Interventor", 15, 1, 1),
        Interventor_0=Save(8),
        Drummer_1=Save(8),
    ),
    row(
        "Kunai Thunderbolt at 20 surprise vs Drummer dodge fireteam 5",
        ("Kunai", 15, 2, 0),
        ("Drummer", 11, 1, 0),
        Drummer_0=Save(7, 1, 2),
    ),
    row(
        "Kunai Thunderbolt at 20 surprise vs Drummer Marksman Rifle",
        ("Kunai", 15, 2, 0),
        ("Drummer", 7, 1, 0),
        Drummer_0=Save(7, 1, 2),
        Kunai_1=Save(8),
    ),
    row(
        "Sphinx Spitfire at 20 surprise vs Rounder Red Fury",
        ("Sphinx", 17, 4, 0),
        ("Rounder", 9, 1, 0),
        Rounder_0=Save(6),
        Sphinx_1=Save(13),
    ),
    row(
        "Sphinx Spitfire at 12 surprise vs Black AIR Submachine Gun",
        ("Sphinx", 14, 4, 0),
        ("Black AIR", 13, 1, 0),
        Black_AIR_0=Save(7),
        Sphinx_1=Save(13),
    ),
    # close combat: Martial Arts 5 against 3, Natural Born Warrior against Martial Arts and CC Attack (-6)
    row(
        "Musashi EXP CC Weapon vs Kunai Shock CC Weapon",
        ("Musashi", 25, 2, 1),
        ("Kunai", 21, 1, 1),
        Kunai_0=Save(5, 3),
    ),
    row(
        "Hwarang EXP CC Weapon vs Thyreos Monofilament CC Weapon",
        ("Hwarang", 19, 1, 1),
        ("Thyreos", 21, 1, 0),
        Thyreos_0=Save(7, 3),
    ),
    # states of the one who reacts
    row(
        "Drummer Marksman Rifle at 20 vs Rounder dodge Stunned",
        ("Drummer", 16, 3, 0),
        ("Rounder", 7, 1, 0),
        Rounder_0=Save(8),
    ),
    row(
        "Drummer Marksman Rifle at 20 vs Hsien dodge Immobilized-A",
        ("Drummer", 16, 3, 0),
        ("Hsien", 8, 1, 0),
        Hsien_0=Save(11),
    ),
    row(
        "Drummer Marksman Rifle at 30 vs Rounder reset Targeted",
        ("Drummer", 13, 3, 0),
        ("Rounder", 10, 1, 0),
        faced=N,
        Rounder_0=Save(8),
    ),
    # profile words of the enemy, zones, visors, the limit of the sum
    row(
        "Drummer Marksman Rifle at 20 vs Feiquan dodge",
        ("Drummer", 7, 3, 0),
        ("Feiquan", 12, 1, 0),
        Feiquan_0=Save(10),
    ),
    row("Feiquan E/M Carbine at 12 vs Drummer dodge", ("Feiquan", 16, 3, 1), ("Drummer", 10, 1, 0)),
    row(
        "Drummer Marksman Rifle at 20 poor vs Rounder Red Fury poor",
        ("Drummer", 10, 3, 0),
        ("Rounder", 12, 1, 0),
        Rounder_0=Save(8),
        Drummer_1=Save(8),
    ),
    row("Drummer Pistol at 24 cover poor vs Kunai dodge", ("Drummer", 1, 2, 0), ("Kunai", 12, 1, 0), Kunai_0=Save(13)),
    row(
        "Mukhtar Viral Rifle at 12 vs Hsien MULTI Marksman Rifle AP Mode",
        ("Mukhtar", 16, 3, 0),
        ("Hsien", 17, 1, 0),
        Hsien_0=Save(13),
        Mukhtar_1=Save(8),
    ),
    row(
        "Bashi T2 Boarding Shotgun at 8 vs Rounder dodge",
        ("Bashi", 17, 2, 0),
        ("Rounder", 10, 1, 0),
        Rounder_0=Save(7, 1, 2),
    ),
    row("Unidron K1 Combi Rifle at 20 vs Vostok dodge", ("Unidron", 2, 3, 0), ("Vostok", 10, 1, 0), Vostok_0=Save(7)),
    row("Drummer discover at 20 cover vs Kunai", ("Drummer", 3, 1, 0), faced=N),
    # several rolls: three AROs, one in the back, one Dodge against two, a shot and a program, a template on two
    row(
        "Asura Spitfire b2 at 20 vs Drummer Marksman Rifle; Asura Spitfire b1 at 20 vs Fennec dodge; "
        "Asura Spitfire b1 at 12 vs Interventor Combi Rifle",
        ("Asura", 17, 2, 0),
        ("Drummer", 16, 1, 0),
        ("Asura", 17, 1, 0),
        ("Fennec", 10, 1, 0),
        ("Asura", 17, 1, 0),
        ("Interventor", 14, 1, 0),
        faced=((0, 1), (2, 3), (4, 5)),
        Drummer_0=Save(7),
        Fennec_2=Save(6),
        Interventor_4=Save(7),
        Asura_1=Save(12),
        Asura_5=Save(12),
    ),
    row(
        "Asura Spitfire at 20 vs Drummer Marksman Rifle; Fennec Thunderbolt at 20 vs Asura",
        ("Asura", 17, 4, 0),
        ("Drummer", 16, 1, 0),
        ("Fennec", 15, 1, 0),
        Drummer_0=Save(7),
        Asura_1=Save(12),
        Asura_2=Save(11),
    ),
    row(
        "Drummer Marksman Rifle at 20 spearhead vs Asura dodge; Fennec Thunderbolt at 20 coordinated vs Asura",
        ("Drummer", 16, 2, 0),
        ("Asura", 14, 1, 0),
        ("Fennec", 15, 1, 0),
        faced=((0, 1), (2, 1)),
        Asura_0=Save(12),
        Asura_2=Save(11),
    ),
    row(
        "Drummer Marksman Rifle at 20 vs Asura dodge; Interventor Spotlight vs Asura",
        ("Drummer", 16, 3, 0),
        ("Asura", 14, 1, 0),
        ("Interventor", 15, 2, 0),
        Asura_0=Save(12),
    ),
    row(
        "Teutonic Missile Launcher Blast Mode at 30 vs Drummer dodge, Fennec dodge",
        ("Teutonic", 16, 1, 0),
        ("Drummer", 7, 1, 0),
        ("Fennec", 7, 1, 0),
        faced=((0, 1), (0, 2)),
        Drummer_0=Save(7, 3),
        Fennec_0=Save(6, 3, aside=True),
    ),
)


# The arithmetic: every hand of dice, every hand against it, every Saving Roll. Chances are fractions.

Hand = tuple[int, ...]


def value(face: int, sv: int) -> int:
    """0 for a failure, 99 for a Critical; above 20, 1 to the excess are Criticals too, and every face succeeds."""
    if face == sv or (sv > 20 and (face == 20 or face <= sv - 20)):
        return CRITICAL
    return face if face < sv else 0


@cache
def hands(roll: Roll) -> dict[Hand, Fraction]:
    """Each hand that may lie after the special dice are discarded (the lowest go), with its chance."""
    _, sv, burst, special = roll
    if sv == ALWAYS:
        return {(1,) * burst: Fraction(1)}
    dice = burst + special
    ways: Counter[Hand] = Counter()
    for faces in combinations_with_replacement(range(1, 21), dice):
        hand = tuple(sorted(value(face, sv) for face in faces)[special:])
        ways[hand] += factorial(dice) // prod(factorial(faces.count(face)) for face in set(faces))
    return {hand: Fraction(count, 20**dice) for hand, count in ways.items()}


def against(hand: Hand, best: int) -> tuple[int, int]:
    """Hits and Criticals of a hand that meets an enemy whose best die is this (0: none, or nobody)."""
    criticals = hand.count(CRITICAL)
    if best == CRITICAL:
        return 0, 0
    return sum(best < item < CRITICAL for item in hand), criticals


def lost(hits: int, criticals: int, save: Save) -> dict[int, Fraction]:
    """Wounds of that many hits and Criticals. A Critical's extra save costs one Wound, whatever the ammunition."""
    fails = Fraction(20 - min(20, max(0, save.need)), 20)
    law = {0: Fraction(1)}
    for wounds in [save.wounds] * save.often * (hits + criticals) + [1] * criticals:
        law = mixed((law, 1 - fails), ({number + wounds: chance for number, chance in law.items()}, fails))
    return law


def mixed(*parts: tuple[dict[int, Fraction], Fraction]) -> dict[int, Fraction]:
    result: dict[int, Fraction] = {}
    for law, share in parts:
        for number, chance in law.items():
            result[number] = result.get(number, Fraction(0)) + chance * share
    return result


def summed(item: dict[int, Fraction], two: dict[int, Fraction]) -> dict[int, Fraction]:
    return mixed(*(({number + more: chance for more, chance in two.items()}, share) for number, share in item.items()))


def wounds(this: Row, name: str) -> dict[int, Fraction]:
    """The law of the Wounds of somebody: whatever hits it, with what it meets. One Dodge against two is one roll."""
    law = {0: Fraction(1)}
    threats = [(place, save) for place, target, save in this.saves if target == name]
    met = {place: next((enemy(pair, place) for pair in this.faced if meets(this, pair, place, name)), None)
           for place, _ in threats}  # fmt: skip  # one condition reads best whole
    for foe in set(met.values()):
        together = [(place, save) for place, save in threats if met[place] == foe]
        if foe is None:
            for place, save in together:
                law = summed(law, one_side(this.rolls[place], 0, save))
            continue
        parts = []
        for best, chance in bests(this.rolls[foe]).items():
            each = {0: Fraction(1)}
            for place, save in together:
                each = summed(each, one_side(this.rolls[place], best, save))
            parts.append((each, chance))
        law = summed(law, mixed(*parts))
    return law


def enemy(pair: tuple[int, int], place: int) -> int:
    return pair[1] if pair[0] == place else pair[0]


def meets(this: Row, pair: tuple[int, int], place: int, name: str) -> bool:
    return place in pair and this.rolls[enemy(pair, place)][0] == name


def bests(roll: Roll) -> dict[int, Fraction]:
    result: dict[int, Fraction] = {}
    for hand, chance in hands(roll).items():
        best = max(hand, default=0)
        result[best] = result.get(best, Fraction(0)) + chance
    return result


def one_side(roll: Roll, best: int, save: Save) -> dict[int, Fraction]:
    if roll[1] == ALWAYS:
        return {0: Fraction(1)} if best else lost(roll[2], 0, save)
    counted: dict[tuple[int, int], Fraction] = {}
    for hand, chance in hands(roll).items():
        plain = tuple(roll[1] if item == CRITICAL else item for item in hand)
        key = against(plain if save.aside else hand, best)
        counted[key] = counted.get(key, Fraction(0)) + chance
    return mixed(*((lost(*key, save), chance) for key, chance in counted.items()))


def declared(this: Row) -> Order:
    troopers = {name: ", ".join(filter(None, (FIGURES[name].text(), this.more.get(name)))) for name in this.names}
    result = infinity.declare({"troopers": troopers, "order": this.order})
    assert isinstance(result, Order)
    return result


@for_each_row("this", ROWS, ids=lambda this: this.order + "".join(this.more.values()))
def test_a_matchup_is_what_the_page_and_a_pencil_say(this: Row) -> None:
    order = declared(this)
    result = [(str(item["name"]), item["sv"], item["burst"], item.get("special_dice", 0)) for item in sums(order)]
    assert result == list(this.rolls), [item["mods"] for item in sums(order)]
    names = [roll.name for roll in order.rolls]
    faced = [(names[meeting.a], names[meeting.b]) for meeting in order.meetings if meeting.b is not None]
    assert faced == [(this.rolls[a][0], this.rolls[b][0]) for a, b in this.faced]
    suffered = {trooper_odds.name: trooper_odds.wounds for trooper_odds in harm(order)}
    for name in {target for _, target, _ in this.saves}:
        law = suffered[Name(name)]
        assert {number: Fraction(ways, law.total) for number, ways in law.weights.items() if ways} == {
            number: chance for number, chance in wounds(this, name).items() if chance
        }, name


def test_there_are_enough_of_them() -> None:
    assert len(ROWS) >= 40
    assert len({name for this in ROWS for name in this.names}) >= 25
