"""Names that a reader would stumble over: words that name nothing, for functions, methods, and constants."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import pytest

from tests.test_house import ROOT, sources
from tests.trees import tree_of

BANNED: Final = frozenset(
    {
        "asked",
        "brought",
        "dues",
        "felt",
        "found",
        "held",
        "here",
        "its",
        "kept",
        "lying",
        "made",
        "meant",
        "mine",
        "one",
    }
    | {"put", "said", "told", "what", "whose"}
)
"""Participles and pronouns that say neither what a function does nor what it returns."""
BARE: Final = re.compile(
    r"[a-z]+(?<!e)ed|about|above|after|alone|along|apart|aside|at|away|back|before|beside|beyond|by|down|for|from|in|later"
    r"|near|of|off|on|out|over|past|since|through|to|together|under|until|up|with|within|without|all|any|both|each|it"
    r"|many|more|most|none|nothing|other|others|own|several|some|these|they|this|those|which|who"
    r"|brought|chosen|drawn|fallen|flown|given|held|hidden|kept|known|left|lost|met|paid|seen|sent|shown|taken|won|written"
)
"""Participles, prepositions, and pronouns that stand alone."""
BARE_ALLOWED: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("bracketed", "ended", "headed", "joined", "labeled", "parenthesized", "titled"), "a text around texts"
    ),
    **dict.fromkeys(("escaped", "folded", "quoted", "signed", "unchanged"), "a pure transform of a text, like sorted"),
    **dict.fromkeys(
        ("compiled", "imported", "neutralized", "ordered", "parsed", "treated"), "a pure transform of a value"
    ),
    "about": "the pieces that a roll is about: a part of a game's interface",
    "answered": "step 2 of the practice",
    "embed": "a verb, and Discord's word for the card of a message",
    "fixed": "a byte with one of some fixed values",
    "of": "look up or make one for the argument",
    "others": "a noun: the other people in a call",
    "own": "a route of the Activity, named by its address",
    "rolled": "the dice of a state: a part of a game's interface, like offers and outcome",
    "seen": "scores as a comparison sees them",
    "shown": "the pieces that a board shows",
    "suggested": "the words that an error suggests",
}
"""Bare words that name functions, and why."""
REPEATED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("Action", "AttackRoll", "Comparison", "Declared", "Weapon"), "each game has its own"),
    **dict.fromkeys(("Flip", "Gain", "Recover", "Repair", "Suffer", "Transfer"), "a verb of cards"),
    **dict.fromkeys(("Contest", "Help", "Initiative", "Roll", "Rulesets"), "a cog and what it is named after"),
    "AtMost": "what an error asks for, and what a card asks of a ship",
    "BonusAttack": "what a card allows, and the press that uses it",
    "Choice": "what a person chose, and a maneuver that a card lets a ship choose",
    "Fact": "facts of an attack, and facts outside attacks",
    "Keep": "dice that a roll keeps, and tokens that a ship keeps",
}
"""Classes of one name in several modules, and why."""
LIMITS: Final = ("_MOST", "_LEAST")
"""Ends of constants that are called ``MAX_`` and ``MIN_``."""
ENDS_SO: Final = {"AT_MOST"}


def named(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name


def constants(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        yield from (target.id for target in targets if isinstance(target, ast.Name))


Trees = dict[str, ast.Module]


@pytest.fixture(scope="module")
def trees() -> Trees:
    """Every file of the program, read once."""
    paths = sources("bot", "cogs")
    return {path.relative_to(ROOT).as_posix(): tree_of(path) for path in paths}


def test_no_function_has_a_name_that_names_nothing(trees: Trees) -> None:
    words = [(f"{name}:{line} {word}", word) for name, tree in trees.items() for line, word in named(tree)]
    wrong = [place for place, word in words if word.strip("_").lower() in BANNED]
    assert wrong == [], "say what it does (a verb) or what it is (a noun)"


def bare_functions(trees: Trees) -> Iterator[tuple[str, str]]:
    """Functions of modules and classes that are named by one bare word; neither properties nor commands."""
    for name, tree in trees.items():
        bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
        for item in (item for body in bodies for item in body):
            if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            word, marks = item.name.strip("_"), " ".join(map(ast.unparse, item.decorator_list))
            if BARE.fullmatch(word) and not re.search("property|command", marks):
                yield f"{name}:{item.lineno}", word


def test_functions_are_named_by_verbs_or_nouns(trees: Trees) -> None:
    found = list(bare_functions(trees))
    assert [f"{place} {word}" for place, word in found if word not in BARE_ALLOWED] == [], "say what it does or returns"
    assert BARE_ALLOWED.keys() - {word for _, word in found} == set(), "rows that no function needs"


def test_classes_have_names_of_their_own(trees: Trees) -> None:
    names = Counter(node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert {name for name, number in names.items() if number > 1} == REPEATED.keys()


def test_limits_begin_with_max_or_min(trees: Trees) -> None:
    limits = [word for tree in trees.values() for word in constants(tree) if word.endswith(LIMITS)]
    assert sorted(set(limits) - ENDS_SO) == []
