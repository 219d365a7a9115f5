"""What mypy cannot see of a text by its type alone, checked as a plugin of mypy: see ``bot/rules/text.py``.

A text in an f-string, in ``str.format`` or in ``str`` compiles, since anything may stand there, and loses its language.
A message that is no literal is in no catalog. Tests read English, so they may do both, and write names as plain
strings.
"""

from collections.abc import Callable, Set
from typing import Final, cast

from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.nodes import ConditionalExpr, Expression, FuncDef, StrExpr, TypeInfo
from mypy.plugin import FunctionContext, FunctionSigContext, MethodContext, MethodSigContext, Plugin
from mypy.plugins.dataclasses import replace_function_sig_callback
from mypy.type_visitor import TypeTranslator
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    LiteralType,
    NoneType,
    Type,
    TypeAliasType,
    UnionType,
    get_proper_type,
)

HOME: Final = "bot.rules.text"
ERROR: Final = "bot.rules.errors.PlayerError"
"""Made of a text, or as one is."""
LOST: Final = ErrorCode("text-lost", "A text loses its language", "Texts")
UNTYPED: Final = ErrorCode("text-place", "A place that does not say what it is", "Texts")
UNMARKED: Final = ErrorCode("text-unmarked", "A message that no catalog has", "Texts")
MESSAGES: Final = {"Text": slice(0, 1), "Count": slice(1, 3), "Noun": slice(0, 2)}
"""Which arguments are messages."""
SHOWN_BY_DISCORD: Final = {
    "Embed": {"title", "description"},
    "add_field": {"name", "value"},
    "set_author": {"name"},
    "set_footer": {"text"},
    "Choice": {"name"},
    "SelectOption": {"label", "description"},
    "CheckboxGroupOption": {"label", "description"},
    "RadioGroupOption": {"label", "description"},
    "Label": {"text", "description"},
    "TextInput": {"placeholder"},
    "Modal": {"title"},
    **dict.fromkeys(
        ("send", "edit", "reply", "send_message", "edit_message", "edit_original_response"), frozenset({"content"})
    ),
}
"""What people read of what discord.py makes and sends, by the name of the class or method."""
FORMS: Final = frozenset({"labeled", "bracketed", "parenthesized", "joined", "titled", "headed", "ended"})
"""Messages of places only."""


def plugin(_version: str) -> type[Plugin]:
    return Texts


class Texts(Plugin):
    """Asks mypy for the calls of ``str``, ``str.format`` (as which it sees an f-string) and of what makes texts."""

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        return keeps_language if fullname == "builtins.str.format" else None

    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], FunctionLike] | None:
        if shown := shown_by_discord(fullname):
            return lambda context: takes_said(context, context.default_signature, shown)
        if fullname == "dataclasses.replace":
            return lambda context: with_plain_names(context, replace_function_sig_callback(context))
        return (
            (lambda context: with_plain_names(context, context.default_signature))
            if fullname.startswith("bot.")
            else None
        )

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        if shown := shown_by_discord(fullname):
            return lambda context: takes_said(context, context.default_signature, shown)
        return (
            (lambda context: with_plain_names(context, context.default_signature))
            if fullname.startswith("bot.")
            else None
        )

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        if fullname == "builtins.str":
            return keeps_language
        module, _, name = fullname.rpartition(".")
        if self.is_error(fullname):
            return error_is_marked
        if module != HOME:
            return None
        return has_typed_places if name in FORMS else is_marked if name in MESSAGES else None

    def is_error(self, fullname: str) -> bool:
        """Whether it is an error that is made as ``PlayerError`` is."""
        result = self.lookup_fully_qualified(fullname)
        made = result.node.get("__init__") if result is not None and isinstance(result.node, TypeInfo) else None
        return made is not None and isinstance(made.node, FuncDef) and made.node.info.fullname == ERROR


def shown_by_discord(fullname: str) -> Set[str]:
    return SHOWN_BY_DISCORD.get(fullname.rpartition(".")[2], set()) if fullname.startswith("discord.") else set()


def takes_said(
    context: FunctionSigContext | MethodSigContext, signature: FunctionLike, shown: Set[str]
) -> FunctionLike:
    """``discord.Embed(title=...)``: what people read there is what the last door has said, or nothing."""
    if not is_of_the_bot(context) or not isinstance(signature, CallableType):
        return signature
    known = cast("TypeChecker", context.api).modules[HOME].names["Said"].node
    assert isinstance(known, TypeInfo)
    said = UnionType([Instance(known, []), NoneType()])
    kinds = zip(signature.arg_names, signature.arg_types, strict=True)
    return signature.copy_modified(arg_types=[said if name in shown else kind for name, kind in kinds])


def with_plain_names(context: FunctionSigContext | MethodSigContext, signature: FunctionLike) -> FunctionLike:
    """A test writes ``Trooper("Angus")`` and ``replace(trooper, name="Bo")``."""
    if is_of_the_bot(context) or not isinstance(signature, CallableType):
        return signature
    plain = Plain(context.api.named_generic_type("builtins.str", []))
    return signature.copy_modified(arg_types=[item.accept(plain) for item in signature.arg_types])


class Plain(TypeTranslator):
    """A type with plain strings for names in it."""

    def __init__(self, string: Instance) -> None:
        super().__init__()
        self.string = string

    def visit_instance(self, t: Instance, /) -> Type:
        return self.string if t.type.fullname == f"{HOME}.Name" else super().visit_instance(t)

    def visit_callable_type(self, t: CallableType, /) -> Type:
        """What a function takes is what the bot hands it."""
        return t

    def visit_type_alias_type(self, t: TypeAliasType, /) -> Type:
        return t if t.is_recursive else get_proper_type(t).accept(self)


def keeps_language(context: MethodContext | FunctionContext) -> Type:
    """``f"{text}"``, ``"{}".format(text)``, ``str(text)``."""
    if is_of_the_bot(context) and any(may_be_text(item) for types in context.arg_types for item in types):
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
                "This message is in no catalog: write it here, or mark it with N_", expression, code=UNMARKED
            )
    return has_typed_places(context, 1) if name == "Text" else context.default_return_type


def error_is_marked(context: FunctionContext) -> Type:
    """``PlayerError(words)``: ``words`` has to be a text, or as in ``Text``; those of its kinds are in no catalog."""
    for expression, kind in zip(context.args[0], context.arg_types[0], strict=True):
        is_here = is_literal(expression) and str(get_proper_type(context.default_return_type)) == ERROR
        if is_of_the_bot(context) and not (is_here or may_be_text(kind) or is_message(kind)):
            context.api.fail("This message is in no catalog: make a Text of it", expression, code=UNMARKED)
    return has_typed_places(context, 1)


def has_typed_places(context: FunctionContext, first: int = 0) -> Type:
    """``Text("{who} hits.", who=name)``: ``name`` has to be a text, a name, a code or a number."""
    if is_of_the_bot(context) and any(is_plain(kind) for kinds in context.arg_types[first:] for kind in kinds):
        context.api.fail("Say what this place is: a Text, a Name or a Code", context.context, code=UNTYPED)
    return context.default_return_type


def is_plain(kind: Type) -> bool:
    """A plain string, a literal too; what may be a text besides is not told apart yet."""
    proper = get_proper_type(kind)
    if isinstance(proper, LiteralType):
        proper = proper.fallback
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.str"


def is_of_the_bot(context: MethodContext | FunctionContext | FunctionSigContext | MethodSigContext) -> bool:
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
