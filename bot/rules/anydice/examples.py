"""What tables of a few games type, five rolls each: a help page a game, on which each can be pressed."""

from dataclasses import dataclass
from typing import Final

from bot.rules.text import Text


@dataclass(frozen=True, slots=True)
class Page:
    """The game, and its rolls: what is typed for ``dice``, and what it means."""

    title: str
    rolls: tuple[tuple[str, Text], ...]


PAGES: Final[dict[str, Page]] = {
    "dnd": Page(
        "D&D, Pathfinder",
        (
            ("1d20+5 adv", Text("with advantage: the higher of two d20; `dis` is the lower")),
            ("1d20+7 vs 15", Text("a check against a DC or an AC; `dc 15` says the same")),
            ("1d20+5 attack; 1d8+3 damage", Text("two rolls on one card")),
            ("2d6+3 [slashing] + 1d6 [fire]", Text("damage with a note for each kind")),
            ("dndstats", Text("six ability scores: four d6 each, the lowest dropped")),
        ),
    ),
    "wod": Page(
        "World of Darkness",
        (
            ("4cod", Text("four d10 of 2004: 8 or more succeeds, tens roll again")),
            ("6cod9", Text("the same with nines again")),
            ("5wod6", Text("five d10 of the older rules, difficulty 6: ones take successes away")),
            ("6d10 t7 f1", Text("any target and any failure; below 0 is a botch")),
            ("8d10>=8", Text("dice that only count")),
        ),
    ),
    "savage": Page(
        "Savage Worlds",
        (
            ("sw8", Text("a Wild Card's d8 with the wild die: the better one, both explode")),
            ("sw8+2", Text("with a bonus")),
            ("sw6 vs 4", Text("against the target number")),
            ("1d10!", Text("an Extra's d10")),
            ("2d6!+1d8!", Text("damage: every die explodes")),
        ),
    ),
    "coc": Page(
        "Call of Cthulhu",
        (
            ("coc 45", Text("a skill of 45: regular, hard or extreme, critical or fumble")),
            ("coc 60 bonus", Text("with a bonus die")),
            ("coc 60 penalty 2", Text("with two penalty dice")),
            ("coc bonus", Text("without a skill: just the number")),
            ("1d6+1d4", Text("damage")),
        ),
    ),
    "yearzero": Page(
        "Year Zero",
        (
            ("yz6", Text("six d6: sixes succeed, ones are counted beside; a button pushes the roll")),
            ("yz10", Text("ten of them")),
            ("d66", Text("a table from 11 to 66")),
            ("d666", Text("a table from 111 to 666")),
            ("1d6>=6", Text("one die")),
        ),
    ),
    "pbta": Page(
        "PbtA",
        (
            ("pbta+2", Text("2d6+2: a miss, a partial or a full success")),
            ("pbta-1", Text("with a penalty")),
            ("pbta", Text("with nothing added")),
            ("3d6kh2+1 as pbta", Text("with advantage: the best two of three")),
            ("3d6kl2+1 as pbta", Text("with disadvantage")),
        ),
    ),
    "fate": Page(
        "Fate",
        (
            ("fate+3", Text("four Fudge dice and a skill of 3")),
            ("fate", Text("the dice alone")),
            ("fate+2 vs 3", Text("against a difficulty")),
            ("3#fate+1", Text("three rolls of it")),
            ("4dF-1", Text("in the notation")),
        ),
    ),
    "shadowrun": Page(
        "Shadowrun",
        (
            ("sr8", Text("eight d6: 5 and 6 are hits; says a glitch")),
            ("sr12", Text("twelve of them")),
            ("8d6e6>=5", Text("with sixes that roll again")),
            ("1d6+9", Text("initiative with one die")),
            ("4d6+11", Text("initiative with four")),
        ),
    ),
}
