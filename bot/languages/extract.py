"""Finds the messages of every ``Text`` and ``Count`` in the source: an extraction method for Babel.

A message is written out where the text is made, or it stands in a table or a variable that the text is made from; the
names are followed inside the module. A ``Text`` in a table of another module is found there. The rows of X-Wing's cards
and the examples of each game's help are JSON, and the dice of games TOML, whose sentences are messages too.
"""

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, Final

Found = tuple[int, str, str | tuple[str, str], list[str]]
"""A line, gettext's function for it, the message or the singular and plural, and comments for whoever translates."""

ONE: Final = frozenset({"Text", "as_text", "N_"})
SAID_OF_COMMANDS: Final = frozenset({"description", "group_description"})
ROOM: Final[Mapping[str, tuple[int, int]]] = {
    "Option": (2, 100),
    "said": (0, 100),
    "Offer": (2, 80),
    "button": (0, 80),
    "link_to": (0, 80),
    "Field": (1, 45),
    "Form": (0, 45),
    "CommandForm": (0, 45),
}
"""Calls whose text Discord shows in a narrow place: which argument, and how many characters it takes."""
COUNTED: Final = frozenset({"Count", "Noun"})
TERMS_BY_NAME: Final = ("tables/states.json", "tables/tokens.json")
ROWS: Final = frozenset({"Hazard"})
"""Rows of data whose names are terms of a game, which are said where a sentence names them as ``Text(row.name)``."""
TERMS: Final = frozenset({"Face", "Pool", "Side", "Phase"})
"""Enumerations of the rules whose words are terms of a game: a sentence says them as they are."""
REMINDER: Final = re.compile(r"remind: (.+)")
WORDS: Final = re.compile(r"[^\W\d_]{2}")
PLACE: Final = re.compile(r"\{\w*\}")


def extract(
    fileobj: IO[bytes],
    _keywords: Iterable[str],
    _tags: Iterable[str],
    options: Mapping[str, Any],  # noqa: ARG001 - Babel names it
) -> Iterator[Found]:
    """The messages of one file, as Babel asks for them."""
    if fileobj.name.endswith(".toml"):
        yield from of_systems(tomllib.load(fileobj))
    elif fileobj.name.endswith(".json"):
        yield from of_rows(json.load(fileobj), are_terms=fileobj.name.endswith(TERMS_BY_NAME))
    else:
        yield from messages(ast.parse(fileobj.read()))


def of_systems(systems: Mapping[str, Any]) -> Iterator[Found]:
    """The names of results and charts, what is counted, what a check says, and the examples of the dice of games."""
    for row in systems.values():
        said = [one["name"] for part in ("results", "also", "charts") for one in row.get(part, ())]
        said += [one["says"] for one in row.get("check", ())] + [means for _, means in row["examples"]]
        yield from ((1, "gettext", one, []) for one in said)
        yield from ((1, "ngettext", (one["one"], one["many"]), []) for one in row.get("counts", ()))


def of_rows(tables: Mapping[str, Any], *, are_terms: bool) -> Iterator[Found]:
    """What rows of data say: what cards ask and remind of, what examples mean, what skills do, how tokens are counted.

    ``are_terms``: their names are said too, in the middle of a sentence and at its beginning.
    """
    for rows in tables.values():
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                reminder = REMINDER.search(str(row.get("do", "")))
                said = [*map(row.get, ("ask", "means", "says", "does")), reminder and reminder[1]]
                said += dict.fromkeys((row["name"], row["name"].capitalize())) if are_terms else ()
                yield from ((1, "gettext", one, []) for one in said if one)
                if "noun" in row:
                    yield 1, "ngettext", tuple(row["noun"]), []


def messages(tree: ast.Module) -> Iterator[Found]:
    narrow = dict(narrow_texts(tree))
    yield from terms(tree)
    yield from sentences(tree)
    for call, scope in calls(tree):
        name = name_of(call)
        if name in ONE and call.args:
            comments = [f"At most {narrow[call]} characters."] if call in narrow else []
            for one in strings(call.args[0], scope):
                if WORDS.search(PLACE.sub("", one)):
                    yield call.lineno, "gettext", one, comments
        if name in COUNTED and len(call.args) >= 2:
            yield from counts(call, scope)
        if name in ROWS:
            yield from row_names(call, scope)
        if name == "Choice":
            named = [
                given.value for given in call.keywords if given.arg == "name" and isinstance(given.value, ast.Constant)
            ]
            yield from ((call.lineno, "gettext", one, []) for arg in named for one in strings(arg, scope))
        for given in call.keywords:
            if given.arg in SAID_OF_COMMANDS and isinstance(given.value, ast.Constant):
                yield call.lineno, "gettext", str(given.value.value), ["At most 100 characters."]


def sentences(tree: ast.Module) -> Iterator[Found]:
    """What an error of the store says to people: the attribute ``sentence`` of its class."""
    for one in ast.walk(tree):
        if isinstance(one, ast.ClassDef):
            for line in one.body:
                value = line.value if isinstance(line, ast.Assign | ast.AnnAssign) else None
                is_said = isinstance(value, ast.Constant) and "sentence" in ast.unparse(line).split(" = ")[0]
                if is_said and isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield line.lineno, "gettext", value.value, []


def row_names(call: ast.Call, scope: "Scope") -> Iterator[Found]:
    """The name of a row, in the middle of a sentence and at its beginning."""
    for value in (*call.args[:1], *(given.value for given in call.keywords if given.arg == "name")):
        for name in strings(value, scope):
            for word in dict.fromkeys((name, name.capitalize())):
                yield call.lineno, "gettext", word, []


def terms(tree: ast.Module) -> Iterator[Found]:
    """The words of enumerations of terms."""
    for one in ast.walk(tree):
        if isinstance(one, ast.ClassDef) and one.name in TERMS:
            for line in one.body:
                if isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant):
                    word = str(line.value.value)
                    for said in (word, word.capitalize()) if WORDS.search(word) and "_" not in word else ():
                        yield line.lineno, "gettext", said, []


def narrow_texts(tree: ast.Module) -> Iterator[tuple[ast.AST, int]]:
    """The calls that make a text for a narrow place, and its characters."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and name_of(call) in ROOM:
            at, room = ROOM[name_of(call)]
            for inner in ast.walk(call.args[at]) if len(call.args) > at else ():
                yield inner, room


def counts(call: ast.Call, scope: "Scope") -> Iterator[Found]:
    """The singular and plural of a noun. Those of a table stand there side by side."""
    one, many = (list(strings(arg, scope)) for arg in call.args[-2:])
    if len(one) == len(many):
        for pair in zip(one, many, strict=True):
            if pair[0]:
                yield call.lineno, "ngettext", pair, []


Names = dict[str, list[ast.expr]]


class Scope:
    """The values that names have in a function, and in its module."""

    def __init__(self, outer: "Scope | None" = None) -> None:
        self.outer = outer
        self.names: Names = {}

    def values(self, name: str) -> list[ast.expr]:
        if name in self.names:
            return self.names[name]
        return self.outer.values(name) if self.outer is not None else []

    def learn(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.names.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Tuple):
            same = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
            for at, one in enumerate(target.elts):
                self.learn(one, value.elts[at] if same and isinstance(value, ast.Tuple) else value)


def calls(tree: ast.Module) -> Iterator[tuple[ast.Call, Scope]]:
    """Every call with the scope that it stands in."""
    top = Scope()
    yield from _calls(tree, top)


def _calls(node: ast.AST, scope: Scope) -> Iterator[tuple[ast.Call, Scope]]:
    learn(node, scope)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            inner = Scope(scope)
            learn(child, inner)
            yield from _calls(child, inner)
        else:
            yield from _calls(child, scope)
    if isinstance(node, ast.Call):
        yield node, scope


def learn(node: ast.AST, scope: Scope) -> None:
    """Note what a function or module assigns, before its calls are looked at."""
    if not isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
        return
    for one in within(node):
        if isinstance(one, ast.Assign):
            for target in one.targets:
                scope.learn(target, one.value)
        elif isinstance(one, ast.AnnAssign | ast.NamedExpr) and one.value is not None:
            scope.learn(one.target, one.value)
        elif isinstance(one, ast.For | ast.comprehension):
            scope.learn(one.target, one.iter)


def within(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function or module, but not in the functions in it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from within(child)


def strings(node: ast.expr, scope: Scope, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The strings that an expression may be."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
    elif isinstance(node, ast.Name) and node.id not in seen:
        for value in scope.values(node.id):
            yield from strings(value, scope, seen | {node.id})
    else:
        for part in parts(node):
            yield from strings(part, scope, seen)


def parts(node: ast.expr) -> list[ast.expr]:
    """The expressions in one that may be its value."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.BoolOp(values=values):
            return values
        case ast.Tuple(elts=values) | ast.List(elts=values):
            return values
        case ast.Dict(values=values):
            return values
        case ast.Subscript(value=value) | ast.Attribute(value=value, attr="items" | "values" | "message"):
            return [value]
        case ast.Call(func=ast.Attribute(value=value, attr="get"), args=args):
            return [value, *args[1:]]
        case ast.Call(func=ast.Attribute(value=value, attr="items" | "values")):
            return [value]
        case ast.Call(func=ast.Name(id="Text" | "N_"), args=[message, *_]):
            return [message]
    return []


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
