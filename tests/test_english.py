# ruff: noqa: E501 - a message stands on one line, as it is said
"""The English that people read is plain American English, and none of it passes as a name or a code.

A message that needs a word of the list has a row with its reason, and a row that nothing needs is red.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.pseudo import template
from tests.trees import tree_of

ROOT: Final = Path(__file__).parents[1]
NOT_READ: Final = re.compile(r"`[^`]*`|\{\w*\}")
"""Typed words and places."""

BANNED: Final[Mapping[str, str]] = {
    r"\b[Ww]ho(m)?ever\b": "the player who, the first person to, anyone who",
    r"\bsuch \{|\bof such\b": "like this",
    r"(?<!here )\b(is|are) no (?!longer)[a-z]": "isn't a",
    r"\bhas not (the|enough)\b": "doesn't have",
    r"\ball the same\b": "anyway",
    r"\blies? up\b": "now shows, is faceup",
    r"\bstands?\b": "hits, passes, is, appears",
    r"\d %": "55%",
    r"\bor Done\b": "or press Done",
    r"\b(dice|die) (less|more)\b": "fewer dice, more dice",
    r"(?i)manoeuvre|colour|licence|\bcancelled\b|uncancelled|practis": "US spelling",
    r"\b(is|are|was|were|do|does|did|could|will|has|have) not\b|\bcannot\b": "a contraction",
    r"\b[Tt]hat is (a|more|too|not|said|already)\b": "That's",
    r"\b(no|not|any) \w* ?any more\b|\bany more$": "anymore, no longer",
    r"\bfor ever\b": "forever",
    r"\bsay what\b|\bsay your\b|\byou say that\b": "enter, choose",
    r"\bwhat you bring\b|\bbrings? (its|his|her|weapons)\b": "uses, enter your tokens",
    r"\bcomes? to the table\b": "joins the table",
    r"\b(window by window|open windows?|both windows)\b": "step by step, during attacks",
    r"\bon the mat\b": "objective points",
    r"\bbroke off\b": "was interrupted",
    r"\b(dice|dice have|no dice) (fall|fell|falls) on\b|\bno dice fell\b": "roll, nothing was rolled",
    r"\bcommitment\b": "fingerprint",
    r"\b[Cc]ount(s|ed) for (you|nothing)\b": "applies to you",
    r"\bTick\b|\bticked\b": "check, select",
    r"\.\.\.$": "an ellipsis is one sign",
}
"""Patterns that no message has, each with what is said instead."""
CARD: Final = "the sentence needs the word in its plain meaning, or it is a card's own text"
ALLOWED: Final[Mapping[str, str]] = {
    "A MediKit treats who is Unconscious with VITA: {target} is not.": CARD,
    "Discord didn't accept my answer just now. Everything rolled so far is safe. Press a button on the card or type the command again, and I'll show where things stand.": CARD,
    "How this match stands or ended: losses, luck, the luckiest roll": CARD,
    "Troopers in this channel: a name stands for stats and weapons": CARD,
    "Use at most {most}: a template with several targets is not counted above that.": CARD,
    "at range 0-2, and it is not in the attacker's bullseye arc": CARD,
    "it did not defend this round": CARD,
    "it was at range 0-3, it is small and has not engaged": CARD,
    "it went through an obstacle, and is not at range 0 of it, configuration closed": CARD,
    "the defender is not in your bullseye arc": CARD,
    "write the number that {sign} stands for": CARD,
    "you are not in its bullseye arc": CARD,
    "you are not in the attacker's bullseye arc": CARD,
    "you are not in the defender's firing arc": CARD,
    "you are not in the defender's front arc": CARD,
    "you are not in the enemy's bullseye arc": CARD,
    "{card} does not allow that. Choose another ship.": CARD,
    "{target} is no friend of {name}.": CARD,
}
"""Messages that match a pattern, and why."""


def banned(message: str) -> list[str]:
    """The patterns that a message matches."""
    read = NOT_READ.sub("·", message)
    return [f"{pattern}: {better}" for pattern, better in BANNED.items() if re.search(pattern, read)]


def test_no_message_has_a_house_word() -> None:
    found = {message: why for message in template() if (why := banned(message)) and message not in ALLOWED}
    assert found == {}


def test_every_allowed_message_is_said_and_needs_its_row() -> None:
    assert [message for message in ALLOWED if message not in template() or not banned(message)] == []


@pytest.mark.parametrize(
    "message", ["9 stands", "{who} has not enough {what}.", "20 % of such {rolls}", "That is no lock."]
)
def test_the_patterns_find_what_they_are_for(message: str) -> None:
    assert banned(message)


# English that passes as a name or a code

LETTER: Final = re.compile(r"[^\W\d_]")
TYPED: Final = "an example of what people type"
PRINTED: Final = "a name as the game prints it"
MARK: Final = "Discord's own mark, an address, or a file"
WRITTEN: Final = "a word that people type, with what belongs to it"
LITERALS: Final[Mapping[str, Mapping[str, set[str]]]] = {
    PRINTED: {
        "bot/cli/play.py": {"Ana", "Rollcall"},
        "bot/render/xwing/fleet.py": {"X-Wing"},
        "bot/rules/albion.py": {"Albion"},
        "bot/rules/infinity/__init__.py": {"Infinity"},
        "bot/rules/infinity/dice/saves.py": {"Firewall", "Nanoscreen", "SR"},
        "bot/rules/infinity/orders/modifiers.py": {"Coup de Grâce", "Mimetism", "Silent"},
        "bot/rules/warsurge/__init__.py": {"WARSURGE"},
        "bot/rules/warsurge/units.py": {"AP", "HP"},
        "bot/rules/xwing/__init__.py": {"X-Wing"},
        "bot/rules/xwing/cards/card_sets.py": {"Legacy", "XWA"},
        "bot/rules/xwing/cards/cards.py": {"Primary", "Primary (Rear Arc)"},
        "cogs/roll.py": {"Blades"},
    },
    WRITTEN: {
        "bot/games/anydice.py": {"/roll dice:", "4d6kh3"},
        "bot/games/duels.py": {"/duel attack line:"},
        "bot/games/infinity.py": {"N3", "N4", "N5"},
        "bot/html/match.py": {"replay"},
        "bot/odds/infinity/sides.py": {"b"},
        "cogs/duel.py": {"/duel attack game:", "3r 2b aim 1 red saves"},
        "bot/odds_site/infinity.py": {"Angus 12 b3 vs Ortega 11", "glYMc2hhc3Zhc3RpaQ"},
        "bot/odds_site/xwing.py": {"evade"},
        "bot/render/albion.py": {"/albion profile set", "18 x "},
        "bot/render/fairness.py": {"d20", "d6"},
        "bot/rules/anydice/play.py": {"`ma`", "`mi`"},
        "bot/rules/infinity/orders/forms.py": {"-3 +6 +1sd", "ARM 3 BTS 6", "N DAM 13", "N PS 7", "Ortega", "cover -3"},
        "bot/rules/infinity/orders/modifiers.py": {"ReRoll"},
        "bot/rules/infinity/orders/open_order.py": {"`vs "},
        "bot/rules/infinity/orders/order.py": {"`Ana move vs Ortega Combi at 12`"},
        "bot/rules/infinity/table/controls.py": {"Core 1"},
        "bot/rules/infinity/troopers/weapon.py": {"DAM ", "PS "},
        "bot/rules/xwing/attack/attack.py": {"R2-D2", "agility"},
        "bot/rules/xwing/cards/card_diff.py": {"none"},
        "bot/ruleset/settings.py": {"off", "on"},
        "bot/ui/core/request_context.py": {"somebody"},
        "cogs/infinity/options.py": {"at 20 cover", "glYMc2hhc3Zhc3RpaQ"},
        "cogs/roll.py": {"4d6kh3"},
        "cogs/xwing/options.py": {"3/2/4/2 i5"},
        "cogs/xwing/ships.py": {"XWS"},
    },
    TYPED: {
        "bot/odds_site/infinity.py": {"Fennec: BS 12, PH 13, ARM 1, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48"},
        "bot/odds_site/xwing.py": {"Darth Vader\nHowlrunner", "focus, lock"},
        "bot/render/help.py": {"request:@Ana +5, @Bo"},
        "bot/rules/infinity/orders/forms.py": {
            "-3 +6 b2 +1sd rolls 9, 4",
            "Angus 12 b2 vs Ortega 11\nMurat 13 vs Ana\nAna 10 dodge",
        },
        "bot/rules/infinity/orders/open_order.py": {"-3 b2 rolls 9, 4", "pistol -3, or dodge"},
        "bot/rules/warsurge/units.py": {"Defence 5, Save 4+, HP 12; Rifle: Power 6, Dice 4; Cannon: Power 12, AP 2"},
        "bot/rules/xwing/dice/typed_sides.py": {
            "`focus, lock, force 2, reroll 1 blank, change 1 focus to hit`",
            "focus, evade, hull 4, shields 2",
        },
        "cogs/warsurge.py": {"Rifle, Cannon"},
    },
    MARK: {
        "bot/odds_site/xwing.py": {"https://yasb.app/?f=…"},
        "bot/ui/live/replay.py": {".html", ".json"},
        "bot/ui/roll/secret_rolls.py": {":R>", "<t:"},
        "bot/ui/table/board.py": {":R>", "<t:"},
    },
}
"""Literals in calls of ``Name`` and ``Code`` with letters, by file and reason."""


def literals() -> Iterator[tuple[str, str]]:
    """Each file with a literal, or a part of an f-string, that it calls a name or a code."""
    for folder in ("bot", "cogs"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(tree_of(path)) if "Name(" in text or "Code(" in text else ():
                name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
                if isinstance(node, ast.Call) and name in ("Name", "Code") and node.args:
                    parts = (one.value for one in said(node.args[0]) if isinstance(one.value, str))
                    yield from ((str(path.relative_to(ROOT)), part) for part in parts if LETTER.search(part))


def said(node: ast.expr) -> Iterator[ast.Constant]:
    """The literals that may become the text: not keys, formats, or what is compared."""
    match node:
        case ast.Constant():
            yield node
        case ast.JoinedStr():
            yield from (part for part in node.values if isinstance(part, ast.Constant))
        case ast.IfExp():
            yield from (*said(node.body), *said(node.orelse))
        case ast.BoolOp():
            yield from (one for value in node.values for one in said(value))
        case ast.BinOp():
            yield from (*said(node.left), *said(node.right))


def test_no_english_passes_as_a_name_or_a_code() -> None:
    listed = {(file, part) for files in LITERALS.values() for file, parts in files.items() for part in parts}
    found = set(literals())
    assert sorted(found - listed) == [], "make it a message, or list it with its reason"
    assert sorted(listed - found) == [], "rows that no call needs"
