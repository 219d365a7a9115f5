"""An extraction method for Babel.

A message is a literal in a call that makes a text of it, or marked with ``N_`` (``T_`` for a term that is also
capitalized) in a table or constant; ``tests/texts_plugin.py`` makes mypy reject others. X-Wing's card rows and the help
examples (JSON) and the dice of games (TOML) contain messages too.
"""

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, Final

from bot.languages import COUNTED as AFTER_A_NUMBER, FOLDER
from bot.languages.compiling import contexts
from bot.rules.duels.rows import DuelPhrase

Found = tuple[int, str, str | tuple[str, ...], list[str]]
"""A line, the gettext function, its arguments (context, message, plural), and translator comments."""
CONTEXTS: Final = contexts()
PLACES: Final[Mapping[str, str]] = tomllib.loads((FOLDER / "places.toml").read_text(encoding="utf-8"))
"""Descriptions of placeholders by name."""
SAID: Final[Mapping[str, int]] = tomllib.loads((FOLDER / "said.toml").read_text(encoding="utf-8"))
"""Number of uses of each message when everything was pressed (``make weights``)."""

MARKS: Final = frozenset({"N_", "T_"})
"""Calls whose second argument, if a literal, is a context."""
ONE: Final = MARKS | {"Text", "as_text", "PlayerError"}
COUNTED: Final[Mapping[str, slice]] = {"Count": slice(1, 3), "Noun": slice(0, 2)}
"""Positions of the singular and plural arguments."""
NAMED: Final = frozenset({"description", "group_description"})
"""Arguments of discord.py whose literals ``bot/ui/commands/options.py`` translates."""
OF_ERRORS: Final = "sentence"
"""A store error's attribute for people: the store can't import texts."""
TERMS_BY_NAME: Final = ("tables/states.json", "tables/tokens.json", "tables/hazards.json")
"""Data tables whose names are a game's terms."""
ROOM: Final[Mapping[str, tuple[int, int]]] = {
    "Option": (2, 100),
    "CommandOption": (2, 100),
    "with_description": (0, 100),
    "Offer": (2, 80),
    "button": (0, 80),
    "link_to": (0, 80),
    "Field": (1, 45),
    "Form": (0, 45),
    "CommandForm": (0, 45),
}
"""Calls whose text Discord shows in a narrow place: argument index, and maximum characters."""
REMINDER: Final = re.compile(r"(?:remind|mark|step): (.+)")
LETTER: Final = re.compile(r"[^\W\d_]")
PLACE: Final = re.compile(r"\{(\w*)\}")
POOL: Final = re.compile(r"\[([a-z]+)\]")
"""The name of a pool behind its dice."""


def extract(
    fileobj: IO[bytes],
    _keywords: Iterable[str],
    _tags: Iterable[str],
    options: Mapping[str, Any],  # noqa: ARG001 - Babel names it
) -> Iterator[Found]:
    """Yield a file's messages, in Babel's interface."""
    if fileobj.name.endswith(".toml"):
        rows = tomllib.load(fileobj)
        result = of_duel(rows) if "step" in rows else of_systems(rows)
    elif fileobj.name.endswith(".json"):
        result = of_rows(json.load(fileobj), are_terms=fileobj.name.endswith(TERMS_BY_NAME))
    else:
        result = iter(sorted(messages(ast.parse(fileobj.read())), key=lambda found: found[0]))
    yield from map(explain, result)


def explain(result: Found) -> Found:
    """Return the message with its context and a comment for each placeholder."""
    line, function, said, comments = result
    places = dict.fromkeys(PLACE.findall(said if isinstance(said, str) else said[-1]))
    times = SAID.get(said if isinstance(said, str) else said[function == "pgettext"])
    comments = [*comments, *(f"{{{place}}}: {PLACES[place]}" for place in places if place in PLACES)]
    comments += [f"said {times:,} times" if times > 1 else "said once"] if times else []
    if isinstance(said, str):
        return (line, "pgettext", (CONTEXTS[said], said), comments) if said in CONTEXTS else (*result[:3], comments)
    return (line, "npgettext", (AFTER_A_NUMBER, *said), comments) if function == "ngettext" else (*result[:3], comments)


def of_systems(systems: Mapping[str, Any]) -> Iterator[Found]:
    """Yield names of results, charts, pools, and faces, counted nouns, check labels, and examples."""
    for row in systems.values():
        said = [item["name"] for part in ("results", "also", "charts") for item in row.get(part, ())]
        said += [item["says"] for item in row.get("check", ())] + [means for _, means in row["examples"]]
        said += [*POOL.findall(" ".join(row["roll"])), *(item["name"] for item in row.get("marks", {}).values())]
        yield from ((1, "gettext", item, []) for item in said)
        yield from ((1, "ngettext", (item["one"], item["many"]), []) for item in row.get("counts", ()))


def of_duel(rows: Mapping[str, Any]) -> Iterator[Found]:
    """Yield a duel file's messages: its pools, numbers, steps, refusals, examples, and results."""
    said = [*rows["pools"].values(), *(number["asks"] for number in rows["numbers"].values())]
    said += [step[word] for step in rows["step"] for word in ("may", "must") if word in step]
    said += [item["says"] for item in rows.get("check", ())] + [means for _, means in rows["examples"]]
    said += [rows["result"][word] for word in ("nothing", "some", "less") if word in rows["result"]]
    said += rows["result"].get("called", {}).values()
    nouns = [item["noun"] for item in (*rows["marks"].values(), rows["result"], *rows.get("also", ()))]
    said += [word for noun in nouns for word in noun]
    yield from ((1, "pgettext", (DuelPhrase.CONTEXT, item), []) for item in dict.fromkeys(said))
    yield from ((1, "ngettext", tuple(noun), []) for noun in nouns)


def of_rows(tables: Mapping[str, Any], *, are_terms: bool) -> Iterator[Found]:
    """Yield the messages in data tables: card questions and reminders, examples, skills, token counts. ``are_terms``:
    their names are also used, both inside and at the start of a sentence.
    """
    for rows in tables.values():
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                does = row.get("do", "")
                said = [*map(row.get, ("ask", "means", "says", "does", "near"))]
                said += REMINDER.findall("\n".join(map(str, does)) if isinstance(does, list) else str(does))
                said += dict.fromkeys((row["name"], row["name"].capitalize())) if are_terms else ()
                yield from ((1, "gettext", item, []) for item in said if item and LETTER.search(item))
                if "noun" in row:
                    yield 1, "ngettext", tuple(row["noun"]), []


def messages(tree: ast.Module) -> Iterator[Found]:
    narrow = dict(narrow_texts(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from of_call(node, narrow.get(node))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id == OF_ERRORS:
                yield from ((node.lineno, "gettext", literal, []) for literal in literals(node.value))


def of_call(node: ast.Call, room: int | None) -> Iterator[Found]:
    """Yield the messages of a call: a mark, a plural, a command's description. ``room``: its maximum length."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in ONE and node.args:
        yield from of_mark(node, name, [f"At most {room} characters."] if room is not None else [])
    if name in COUNTED:
        pair = [literal for given in node.args[COUNTED[name]] for literal in literals(given)]
        if len(pair) == 2:
            yield node.lineno, "ngettext", (pair[0], pair[1]), []
    for given in node.keywords:
        if given.arg in NAMED:
            yield from (
                (node.lineno, "gettext", literal, ["At most 100 characters."]) for literal in literals(given.value)
            )


def of_mark(node: ast.Call, name: str, comments: list[str]) -> Iterator[Found]:
    """Yield a marked message with its context; a term also in its form at the beginning of a sentence."""
    context = next(literals(node.args[1]), "") if name in MARKS and len(node.args) > 1 else ""
    for literal in literals(node.args[0]):
        if name in MARKS or LETTER.search(PLACE.sub("", literal)):
            for said in dict.fromkeys((literal, literal.capitalize() if name == "T_" else literal)):
                function, arguments = ("pgettext", (context, said)) if context else ("gettext", said)
                yield node.lineno, function, arguments, comments


def literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def narrow_texts(tree: ast.Module) -> Iterator[tuple[ast.AST, int]]:
    """Yield the calls with a text for a narrow place, and its maximum length."""
    for call in ast.walk(tree):
        name = getattr(call.func, "attr", getattr(call.func, "id", "")) if isinstance(call, ast.Call) else ""
        if isinstance(call, ast.Call) and name in ROOM:
            at, room = ROOM[name]
            for inner in ast.walk(call.args[at]) if len(call.args) > at else ():
                yield inner, room
