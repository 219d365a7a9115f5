"""No regular expression backtracks more than linearly on any text of its own alphabet."""

import ast
import importlib
import importlib.util
import pkgutil
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest

import bot
import cogs
from bot import languages
from bot.games import GAMES
from bot.languages.translate import reader as reader_of
from bot.rules.anydice import phrases, systems, words
from bot.rules.duels import own, physical_dice, typed
from bot.rules.duels.rows import DUELS
from bot.rules.infinity.orders import typed_orders
from bot.rules.xwing.dice import typed_sides
from bot.ui.commands import saved_rolls
from cogs.duel import Duel
from tests.backtracking import MAX_STEPS, hard_texts, steps
from tests.sampling import ALL, sample_id
from tests.trees import tree_of

ROOT: Final = Path(__file__).parents[1]
SEARCHES: Final = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
SHORT, LONG = 20, 40
GROWS: Final = 2.7
"""Twice the text may need so many times the steps: 2, and some for its ends; 4 is quadratic."""
FEW: Final = 600
"""A pattern that needs no more steps than this for the long text is not looked at: it hardly repeats anything."""
TO_READ_FILES: Final = frozenset(
    {
        "bot.web.live_pages",  # its own pages
        "bot.odds_site.build",  # its own files
    }
)
"""Modules whose patterns read what we have written ourselves."""
LINEAR: Final = ROOT / "tests" / "linear.txt"
"""Digests of the patterns that were looked at; ``python -m tests.test_backtracking`` adds new ones."""
MATCHER: Final = sha256((ROOT / "tests" / "backtracking.py").read_bytes()).hexdigest()
SINGLE_BLANKS: Final = ("bot.rules.anydice.", "phrases: ")
"""Their reader makes one blank of several first."""
Patterns = dict[re.Pattern[str], tuple[str, bool]]


@cache
def sources() -> dict[str, ast.Module]:
    paths = sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").rglob("*.py")])
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    return {name: tree_of(path) for name, path in named.items() if name not in TO_READ_FILES}


@cache
def is_package(name: str) -> bool:
    spec = importlib.util.find_spec(name)
    assert spec is not None, "it is imported"
    return spec.submodule_search_locations is not None


@cache
def searched() -> frozenset[tuple[str, str]]:
    """The modules and names of patterns that are searched for anywhere in a text; others are matched at one place."""
    result = set[tuple[str, str]]()
    for module, tree in sources().items():
        known = {name: module for node in tree.body for name in assigned(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    at = str(node.module)
                    known[alias.asname or alias.name] = f"{at}.{alias.name}" if is_package(at) else at
        calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
        for item in (func.value for func in calls if isinstance(func, ast.Attribute) and func.attr in SEARCHES):
            if isinstance(item, ast.Name):
                result.add((known.get(item.id, module), item.id))
            elif isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name):
                result.add((known.get(item.value.id, module), item.attr))
    return frozenset(result)


def assigned(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return (target.id for target in targets if isinstance(target, ast.Name))


def written_in_place() -> Patterns:
    """``re.sub(r"...", ...)``: patterns that have no name."""
    patterns = Patterns()
    for module, tree in sources().items():
        for node in ast.walk(tree):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) > 1
            if is_call and ast.unparse(node.func.value) == "re" and isinstance(node.args[0], ast.Constant):  # type: ignore[attr-defined]  # it is a call
                name = node.func.attr  # type: ignore[attr-defined]  # see above
                if name != "compile" and isinstance(node.args[0].value, str):  # type: ignore[attr-defined]  # see above
                    patterns[re.compile(node.args[0].value)] = f"{module}:{node.lineno}", name in SEARCHES  # type: ignore[attr-defined]  # see above
    return patterns


def held_by(value: Any) -> Iterator[re.Pattern[str]]:
    """The patterns that a value of a module is, or holds."""
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict):
        yield from (item for each in value.values() for item in held_by(each))
    elif isinstance(value, tuple | list):
        yield from (item for each in value for item in held_by(each))


def named() -> Patterns:
    """The patterns that modules keep, and the rows of phrases."""
    patterns = Patterns()
    for package in (bot, cogs):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name in TO_READ_FILES or module.name.endswith("__main__"):
                continue
            for name, value in vars(importlib.import_module(module.name)).items():
                for item in held_by(value):
                    patterns[item] = f"{module.name}.{name}", (module.name, name) in searched() or item is not value
    for part in ("games", "read", "near", "named", "elsewhere", "other words", "about"):
        patterns |= {row.pattern: (f"phrases: {row.pattern.pattern}", True) for row in phrases.table(part)}
    return patterns


Made = tuple[Callable[[], object], bool]
"""A call in which a function makes its patterns, and whether these are searched for anywhere in a text."""


def in_every_language(use: Callable[[str], object]) -> Callable[[], object]:
    """Use every language with the first and the shortest words of each of its lists: all would take minutes."""

    def call() -> None:
        any_of = words.any_of
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(words, "any_of", lambda every: "|".join((some := any_of(every).split("|"))[:2] + some[-2:]))
            for language in words.TABLES:
                use(language)
        words.phrasings.cache_clear()
        words.patterns.cache_clear()  # else others in this process would read few words

    return call


def read_a_number(language: str) -> None:
    word = next(iter(words.numbers(language)))
    match = re.match(".+", word)
    assert match is not None
    words.number_in_english(language, match, word)


def in_every_system(name: str) -> None:
    """Make a pattern of every system anew."""
    for system in systems.SYSTEMS.values():
        vars(systems.System)[name].func(system)


PLACES: Final = "numbers.aim", "numbers", "step 1"
MADE: Final[Mapping[str, Made]] = {
    **{
        f"anydice.systems:System.{name}": (partial(in_every_system, name), name in systems.PATTERNS[:3])
        for name in systems.PATTERNS
    },
    "anydice.systems:name_end": (partial(systems.name_end.__wrapped__, "7", "th"), False),
    "anydice.words:patterns": (in_every_language(words.patterns.__wrapped__), True),
    "anydice.words:phrasings": (in_every_language(words.phrasings.__wrapped__), True),
    "anydice.words:number_in_english": (in_every_language(read_a_number), True),
    "anydice.words:in_english": (in_every_language(partial(words.in_english, "zwei deux dos due dwa dois 3d6")), True),
    "anydice.phrases:about_dice": (lambda: list(phrases.about_dice("two d6 plus three")), True),
    "anydice.phrases:take_rows": (lambda: list(phrases.surely("goblins bite 3 times, 2d6+1 fire")), True),
    "anydice.phrases:many_things": (in_every_language(phrases.many_things.__wrapped__), True),
    "anydice.words:suspicious": (in_every_language(words.suspicious.__wrapped__), True),
    "anydice.words:changing": (in_every_language(words.changing.__wrapped__), True),
    "duels.own:line_of": (lambda: [own.line_of("[numbers]\naim = 1\n[[step]]", place) for place in PLACES], True),
    "rules.physical_dice:read_faces": (
        lambda: [
            physical_dice.read_faces(duel, [kind], str(duel.faces[kind][0]))
            for duel in DUELS.values()
            for kind in duel.dice
        ],
        False,
    ),
    "duels.typed:patterns": (lambda: [typed.patterns.__wrapped__(duel) for duel in DUELS.values()], False),
    "duels.typed:words": (lambda: [list(typed.words(duel, duel.examples[0][0])) for duel in DUELS.values()], False),
    "infinity.orders.typed_orders:words_of": (
        lambda: [typed_orders.words_of.__wrapped__(say) for say in map(reader_of, languages.LANGUAGES.values())],
        True,
    ),
    "xwing.dice.typed_sides:words_of": (
        lambda: [typed_sides.words_of.__wrapped__(say) for say in map(reader_of, languages.LANGUAGES.values())],
        True,
    ),
    "saved_rolls:in_english": (lambda: [saved_rolls.in_english(f"/{game.slash} ") for game in GAMES.values()], True),
    "saved_rolls:read_options": (lambda: saved_rolls.read_options(Duel.attack, "line:3r"), True),
}
"""Functions that make patterns of what is typed, by the ends of their modules' names."""
WORD: Final = re.compile(r"(?<!\\)[a-z]{2,}")
AT_ONE_PLACE: Final = r"\s*(?:[0-9]+|"
"""How the one pattern of ``anydice.words:patterns`` begins that is not searched for."""
MADE_OF_OUR_OWN: Final[Mapping[str, str]] = {
    "fair.transcript:fits": "forms of characters and numbers of them, each matched as a whole",
    "logging_setup:LineFormatter.__init__": "the words that no log may have",
    "anydice.phrases:phrase": "the rows of phrases, which are looked at as such",
    "anydice.reader:in_typed_words": "one word",
    "infinity.table.markers:sheet_for": "one word and a number",
    "text_values:value_reader": "reads rows of our own",
    "components:reading_of": "custom ids, which are looked at where they are kept",
    "suggest_fix:replace_words": "some words, as they were typed",
    "suggest_fix:without_phrase": "one word, as it was typed",
}


def made_in_functions() -> Iterator[str]:
    """The functions that make patterns: their modules and names."""
    for module, tree in sources().items():
        outermost: list[tuple[ast.AST, str]] = [(tree, "")]
        while outermost:
            at, name = outermost.pop()
            for node in ast.iter_child_nodes(at):
                if isinstance(node, ast.ClassDef):
                    outermost.append((node, f"{node.name}."))
                elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(map(makes, ast.walk(node))):
                    yield f"{module}:{name}{node.name}"


def makes(node: ast.AST) -> bool:
    """Whether it gives ``re`` a pattern that is no text of its own; those that are, are ``written_in_place``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return False
    is_text = isinstance(node.args[0], ast.Constant) and node.func.attr != "compile"
    return ast.unparse(node.func.value) == "re" and node.func.attr != "escape" and not is_text


def made() -> Patterns:
    """The patterns that functions make, as ``re`` is given them; of those that differ in their words alone, one."""
    shapes = set[str]()
    patterns, compiled = Patterns(), re._compile  # type: ignore[attr-defined]  # every way into ``re`` leads through it
    for end, (call, is_searched) in MADE.items():
        before = len(patterns)

        def note(
            pattern: Any, flags: Any, module: str = f".{end.partition(':')[0]}", searched: bool = is_searched
        ) -> Any:
            found = compiled(pattern, flags)
            name, shape = sys._getframe(2).f_globals["__name__"], WORD.sub("word", str(pattern))
            if name.endswith(module) and shape not in shapes:
                shapes.add(shape)
                is_anywhere = searched and not shape.startswith(AT_ONE_PLACE)
                patterns[found] = f"{name}: {found.pattern[:60]}", is_anywhere
            return found

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(re, "_compile", note)
            call()
        assert len(patterns) > before or "TypedOptions" in end, end
    return patterns


def grows(pattern: re.Pattern[str], *, is_searched: bool, single_blanks: bool = False) -> str:
    """A text on which a pattern backtracks more than linearly; "" for none."""
    for short, long in zip(hard_texts(pattern, SHORT), hard_texts(pattern, LONG), strict=True):
        if single_blanks and re.search(r"\s\s", long):
            continue
        many = steps(pattern, long, is_searched=is_searched)
        if many > FEW and (many > MAX_STEPS or many > GROWS * steps(pattern, short, is_searched=is_searched)):
            return long
    return ""


def every(patterns: Patterns) -> list[str]:
    """What backtracks, a line each. It needs a deep stack."""
    result: list[str] = []

    def look() -> None:
        for pattern, (where, is_searched) in patterns.items():
            if text := grows(pattern, is_searched=is_searched, single_blanks=where.startswith(SINGLE_BLANKS)):
                result.append(f"{where}: {pattern.pattern!r} on {text[:30]!r}")

    limit, size = sys.getrecursionlimit(), threading.stack_size(256 * 1024 * 1024)
    sys.setrecursionlimit(200_000)
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    threading.stack_size(size)
    sys.setrecursionlimit(limit)
    return result


def every_pattern() -> Patterns:
    return named() | written_in_place() | made()


def not_listed(patterns: Patterns) -> Patterns:
    known = {*LINEAR.read_text().split()}
    return {key: value for key, value in patterns.items() if digest(key, *value) not in known}


def digest(pattern: re.Pattern[str], where: str, is_searched: object) -> str:
    """Everything that decides whether a pattern grows, and what decides it."""
    asked = (
        pattern.pattern,
        pattern.flags,
        is_searched,
        where.startswith(SINGLE_BLANKS),
        MATCHER,
        SHORT,
        LONG,
        GROWS,
        FEW,
    )
    return sha256(repr(asked).encode()).hexdigest()[:12]


@pytest.mark.slow
def test_no_pattern_backtracks_more_than_linearly() -> None:
    """Those in ``linear.txt`` were looked at before, which takes as long as 300 tests; ``-m long`` looks at all."""
    patterns = every_pattern()
    assert len(patterns) > 380
    assert every(patterns if sample_id() == ALL else not_listed(patterns)) == []


def test_every_function_that_makes_a_pattern_is_listed() -> None:
    ends = (*MADE, *MADE_OF_OUR_OWN)
    result = {name: [end for end in ends if name.endswith(f".{end}") or name == end] for name in made_in_functions()}
    assert {name: found for name, found in result.items() if len(found) != 1} == {}
    assert len(result) == len(ends)


@pytest.mark.parametrize(
    ("pattern", "is_searched"),
    [
        (r"(a+)+b", False),
        (r"\s*,", True),
        (r"\s*x?\s*y", False),
        (r"a.*b.*c", False),
        (r"[0-9]+#", True),
        (r"(?:a|aa)+$", False),
        (r"(?:^|vs|,)\s*([^,;]*?\D\s+[1-9])\s+\d", True),
    ],
)
def test_it_finds_those_that_do(pattern: str, is_searched: bool) -> None:
    assert grows(re.compile(pattern), is_searched=is_searched)


@pytest.mark.parametrize(
    ("pattern", "is_searched"),
    [
        (r"\s*+x?\s*+y", False),
        (r"(?<!\s)\s*+,", True),
        (r"[a-z]+[0-9]+", False),
        (r"\w+(?= )", False),
        (r"(?>a+)b", False),
    ],
)
def test_and_none_that_does_not(pattern: str, is_searched: bool) -> None:
    assert not grows(re.compile(pattern), is_searched=is_searched)


if __name__ == "__main__":
    found = every_pattern()
    assert every(not_listed(found)) == []
    LINEAR.write_text("\n".join(sorted({digest(key, *value) for key, value in found.items()})) + "\n")
