"""What mypy cannot see of a text by its type alone, checked as a plugin of mypy: see ``bot/rules/text.py``.

A text in an f-string, in ``str.format`` or in ``str`` compiles, since anything may stand there, and loses its language.
A message that is no literal is in no catalogue. Tests read English, so they may do both.
"""

from collections.abc import Callable
from typing import Final

from mypy.errorcodes import ErrorCode
from mypy.nodes import ConditionalExpr, Expression, StrExpr
from mypy.plugin import FunctionContext, MethodContext, Plugin
from mypy.types import AnyType, Instance, Type, UnionType, get_proper_type

HOME: Final = "bot.rules.text"
LOST: Final = ErrorCode("text-lost", "A text loses its language", "Texts")
UNMARKED: Final = ErrorCode("text-unmarked", "A message that no catalogue has", "Texts")
MESSAGES: Final = {"Text": slice(0, 1), "Count": slice(1, 3), "Noun": slice(0, 2)}
"""Which arguments are messages."""


def plugin(_version: str) -> type[Plugin]:
    return Texts


class Texts(Plugin):
    """Asks mypy for the calls of ``str``, ``str.format`` (as which it sees an f-string) and of what makes texts."""

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        return keeps_language if fullname == "builtins.str.format" else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        if fullname == "builtins.str":
            return keeps_language
        module, _, name = fullname.rpartition(".")
        return is_marked if module == HOME and name in MESSAGES else None


def keeps_language(context: MethodContext | FunctionContext) -> Type:
    """``f"{text}"``, ``"{}".format(text)``, ``str(text)``."""
    if is_of_the_bot(context) and any(may_be_text(one) for types in context.arg_types for one in types):
        context.api.fail(
            "A text loses its language here: make it a place of a Text, or say it", context.context, code=LOST
        )
    return context.default_return_type


def is_marked(context: FunctionContext) -> Type:
    """``Text(words)``: ``words`` has to be a literal, or marked with ``N_`` or ``T_`` where it stands."""
    name = str(get_proper_type(context.default_return_type)).rpartition(".")[2].rpartition(" ")[2].rstrip("]")
    given = [
        pair
        for types, args in zip(context.arg_types, context.args, strict=True)
        for pair in zip(args, types, strict=True)
    ]
    for expression, kind in given[MESSAGES.get(name, slice(0, 1))]:
        if is_of_the_bot(context) and not is_literal(expression) and not is_message(kind):
            context.api.fail(
                "This message is in no catalogue: write it here, or mark it with N_", expression, code=UNMARKED
            )
    return context.default_return_type


def is_of_the_bot(context: MethodContext | FunctionContext) -> bool:
    path = str(getattr(context.api, "path", ""))
    return path.startswith(("bot/", "cogs/")) and path != "bot/rules/text.py"


def is_literal(expression: Expression) -> bool:
    if isinstance(expression, ConditionalExpr):
        return is_literal(expression.if_expr) and is_literal(expression.else_expr)
    return isinstance(expression, StrExpr)


def is_message(kind: Type) -> bool:
    proper = get_proper_type(kind)
    if isinstance(proper, UnionType):
        return all(map(is_message, proper.items))
    return isinstance(proper, AnyType) or (isinstance(proper, Instance) and proper.type.fullname == f"{HOME}.Message")


def may_be_text(kind: Type) -> bool:
    proper = get_proper_type(kind)
    if isinstance(proper, UnionType):
        return any(map(may_be_text, proper.items))
    return isinstance(proper, Instance) and proper.type.has_base(f"{HOME}.Text")
