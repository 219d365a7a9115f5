"""Buttons, lists, and forms (modals) in Discord's API format, and the meaning of their ``custom_id``.

``bot.ui.dispatch.router`` handles presses by id. Nothing is kept in memory, so a restart loses nothing, and buttons
need no callbacks or timeouts: discord.py's objects took longer to build than the choice of buttons itself.

A submitted form is parsed from its fields. An error quotes them, so nothing typed is lost, and the answer's **Fix it**
button parses these quotations, so it survives a restart.

Each kind of id is a dataclass. The id is ``rc1``, the kind's word in ``KINDS``, and the field values, separated by
``:``; trailing defaults are omitted. Field types determine the values:

- ``int``: at most 18 digits, ``Annotated[int, range(...)]``: at most as many as the range has;
- ``Annotated[str, "[a-z]+"]``: what the expression matches;
- an enum or ``Literal``: one of its values; ``X | None``: empty or ``X``;
- ``tuple[X, ...]``: any number of ``X``, joined by dots.

https://discord.com/developers/docs/components/reference
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from enum import Enum
from types import NoneType
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import discord

from bot.languages.translate import translate, translate_fields
from bot.render.faces import Face
from bot.rules.errors import NotOfferedError
from bot.rules.game import MAX_LABEL, MAX_OPTIONS, Field, Option
from bot.rules.text import EMPTY, Said, Shown, Text
from bot.sessions.roll import Address, Secrecy

PREFIX: Final = "rc1"
LONGEST: Final = 100
"""Maximum characters of an id in Discord."""
DIGITS: Final = 18
"""Default maximum digits of a number; the store takes 19."""

ADVICE, HOW, MORE, UNDO = "advice-", "how", "more", "undo"
"""Reserved button keys of a card: explain, list more, undo, and advice; the aim follows ``ADVICE``."""

Snowflake = Annotated[int, range(10**20)]
"""An id of Discord's."""
Mark = Annotated[str, "[0-9a-f]{8}"]
"""A hash made by ``bot.ui.core.board_controls.mark``."""
PieceMark = Annotated[str, "[0-9a-f]{12}"]
"""A hash made by ``bot.ui.core.board_controls.ControlledGame.mark_of``."""
GameKey = Annotated[str, "[a-z0-9]{1,20}"]
Word = Annotated[str, "[a-z]{1,20}"]


class InvalidCustomIdError(NotOfferedError):
    """A forged id, or one from the wrong message."""

    def __init__(self) -> None:
        super().__init__(Text("I don't know this button."))


@dataclass(frozen=True, slots=True)
class ComponentId:
    """An id other than a choice on a card (``Address``)."""


@dataclass(frozen=True, slots=True)
class AdvisedAddress(Address):
    """A choice suggested by advice, on its private message; ``picked``: values selected from a list."""

    picked: tuple[Annotated[str, "[a-z0-9]{1,8}"], ...] = ()


@dataclass(frozen=True, slots=True)
class BoardAddress(ComponentId):
    """A press on a board: the table's mark, the offer, and the board's pieces. ``pieces``: the current piece of each
    player, with its state. So a press means the presser's own piece, and does nothing if that has changed.
    """

    seen: Mark
    offer: Annotated[str, "[a-z0-9-]{1,24}"]
    pieces: tuple[PieceMark, ...] = ()


@dataclass(frozen=True, slots=True)
class NextAddress(ComponentId):
    """A press for a game's next step on a finished roll: roll, piece, offer; ``sure``: 1 after a confirmation."""

    session: int
    piece: PieceMark
    offer: Annotated[str, "[a-z0-9-]{1,24}"]
    sure: Annotated[int, range(2)] = 0


@dataclass(frozen=True, slots=True)
class NewRoll(ComponentId):
    """The context of a form that declares a roll. ``flag``: a true word without a field. ``opponent``: an id."""

    game: GameKey
    flag: Annotated[str, "[a-z_]{0,20}"] = ""
    opponent: Snowflake | None = None
    secrecy: Secrecy | None = None


@dataclass(frozen=True, slots=True)
class SavedAddress(ComponentId):
    """A button of a saved-roll panel."""

    number: int


@dataclass(frozen=True, slots=True)
class TurnsAddress(ComponentId):
    """A press on a turn order: the shown turn's mark, and the offer."""

    seen: Mark
    offer: Literal["join", "next", "end"]


@dataclass(frozen=True, slots=True)
class CommandAddress(ComponentId):
    """The form of a command typed without options, or only a secrecy. ``path``: its name as in ``xwing-attack``."""

    path: Annotated[str, "[a-z0-9_-]{1,80}"]
    secrecy: Secrecy | None = None

    @property
    def name(self) -> str:
        """The full name of the command, as in ``xwing attack``."""
        return self.path.replace("-", " ")


@dataclass(frozen=True, slots=True)
class FilledForm(ComponentId):
    """A button for a command's form with typed values: ``xwing-odds``, ``attacker:Luke range:2``."""

    path: Annotated[str, "[a-z0-9_-]{1,80}"]
    line: Annotated[str, "[^\n]+"]


@dataclass(frozen=True, slots=True)
class CommandButton(ComponentId):
    """A button that rolls a typed command for the person who presses: ``/roll dice:6#4d6kh3``."""

    line: Annotated[str, "/[^\n]+"]


@dataclass(frozen=True, slots=True)
class PlanAddress(ComponentId):
    """A press on one's plans: game, page, sheet ("": the one due), and ``what``: form, ready, or ready anyway."""

    game: GameKey
    what: Literal["form", "ready", "anyway"]
    page: Annotated[int, range(10)] = 0
    sheet: Annotated[str, "[a-z0-9 -]{0,30}"] = ""


@dataclass(frozen=True, slots=True)
class RematchAddress(ComponentId):
    """A press for a rematch: game, number of the finished match, action, and the id of the ``asker``."""

    game: GameKey
    match: int
    what: Literal["ask", "accept", "refuse"]
    asker: Snowflake = 0


@dataclass(frozen=True, slots=True)
class ReplayAddress(ComponentId):
    """A button for a match's files, or to open its plans, by the match's first press."""

    match: int
    what: Literal["take", "open"] = "take"


@dataclass(frozen=True, slots=True)
class EditForm(ComponentId):
    """A button that reopens a rejected form; ``form``: its id without the prefix."""

    form: Annotated[str, "[^\n]+"]


@dataclass(frozen=True, slots=True)
class ApplySuggestion(ComponentId):
    """A button that resubmits a rejected form with another ``text`` in a ``field``; ``form`` as in ``EditForm``."""

    field: Annotated[str, "[a-z0-9_-]{1,40}"]
    text: Annotated[str, "[^:\n]+"]
    form: Annotated[str, "[^\n]+"]


@dataclass(frozen=True, slots=True)
class AnswerAddress(ComponentId):
    """An answer, choice, or form, as ``table:clear``. Anybody can send it, so its handler checks permission."""

    subject: Word
    answer: Word


CANCEL: Final = AnswerAddress("ask", "cancel")
"""Closes a private question without doing what it asks."""
At: TypeAlias = Address | ComponentId
KINDS: Final[dict[type[At], str]] = {
    Address: "",
    AdvisedAddress: "do",
    BoardAddress: "on",
    NextAddress: "next",
    NewRoll: "new",
    SavedAddress: "saved",
    TurnsAddress: "turns",
    CommandAddress: "command",
    FilledForm: "filled",
    CommandButton: "typed",
    RematchAddress: "rematch",
    ReplayAddress: "replay",
    PlanAddress: "plan",
    EditForm: "fix",
    ApplySuggestion: "instead",
    AnswerAddress: "",
}
"""First words of ids by kind. They are on posted messages, so they never change."""
PARTS: Final = {kind: fields(kind) for kind in KINDS}
"""Each kind's fields, cached: a card has half a dozen ids."""


def write(at: At) -> str:
    parts = PARTS[type(at)]
    values = [getattr(at, item.name) for item in parts]
    for part in reversed(parts):
        if part.default is MISSING or part.default != values[-1]:
            break
        del values[-1]
    return ":".join([PREFIX, *filter(None, [KINDS[type(at)]]), *map(text_of, values)])


def read(custom_id: str) -> At | None:
    """Parse an id, or return None for one that isn't ours."""
    if len(custom_id) > LONGEST:
        return None
    for kind, (pattern, readers) in READING.items():
        if (match := pattern.fullmatch(custom_id)) is not None:
            texts = zip(readers.items(), match.groups(), strict=True)
            return kind(**{name: read_one(text) for (name, read_one), text in texts if text})
    return None


def form_of(at: EditForm | ApplySuggestion) -> At | None:
    """Return the form that a button reopens or resubmits, or None if there is no such form."""
    return read(f"{PREFIX}:{at.form}")


def text_of(value: object) -> str:
    if isinstance(value, tuple):
        return ".".join(value)
    return "" if value is None else str(value)


def reading_of(kind: type[At], word: str) -> tuple[re.Pattern[str], dict[str, Callable[[str], Any]]]:
    """Return a pattern for the ids of a type, with a group for each field, and the parser of each field."""
    hints, pattern, ends = get_type_hints(kind, include_extras=True), ":".join(filter(None, [PREFIX, word])), ""
    readers = dict[str, Callable[[str], Any]]()
    for item in PARTS[kind]:
        text, readers[item.name] = value_of(hints[item.name])
        is_optional = item.default is not MISSING
        pattern, ends = f"{pattern}{'(?:' if is_optional else ''}:({text})", f"{ends}{')?' if is_optional else ''}"
    return re.compile(pattern + ends), readers


def value_of(hint: Any) -> tuple[str, Callable[[str], Any]]:
    """Return a pattern without groups for values of a type, and their parser."""
    kinds = get_args(hint)
    if get_origin(hint) is Annotated and isinstance(kinds[1], range):
        return f"[0-9]{{1,{len(str(kinds[1][-1]))}}}", int
    if get_origin(hint) is Annotated:
        return kinds[1], str
    if get_origin(hint) is Literal:
        return "|".join(kinds), str
    if get_origin(hint) is tuple:
        item, read_one = value_of(kinds[0])
        return rf"(?:{item}(?:\.{item})*)?", lambda text: tuple(map(read_one, text.split(".")))
    if NoneType in kinds:
        item, read_one = value_of(next(kind for kind in kinds if kind is not NoneType))
        return f"(?:{item})?", read_one
    if issubclass(hint, Enum):
        return "|".join(str(one.value) for one in hint), hint
    return f"[0-9]{{1,{DIGITS}}}", int


READING: Final = {kind: reading_of(kind, word) for kind, word in KINDS.items()}


Component = dict[str, Any]

ROW: Final = 5
"""Buttons per row, and rows per message; a select takes a row."""
MAX_OPTION: Final = 100
MAX_PLACEHOLDER: Final = 150
MAX_URL: Final = 512
"""Maximum characters of an option's lines, a placeholder, a link."""


def fit(text: Shown | Said, most: int) -> Said:
    """Translate a text, cut to Discord's limit."""
    whole = translate(text)
    return Said(whole[:most] if len(whole) <= most else f"{whole[: most - 1].rstrip()}…")


PRIMARY: Final = (discord.ButtonStyle.primary.value, discord.ButtonStyle.success.value)
"""Colors of a primary button, blue and green; a message has one."""


class Components(discord.ui.View):
    """Rows of buttons, or of one select: a view that discord.py sends without keeping. The first enabled button in a
    primary color keeps it; the others are gray.
    """

    def __init__(self, *rows: Sequence[Component]) -> None:
        super().__init__(timeout=None)
        colored = (item for row in rows for item in row if item.get("style") in PRIMARY and not item.get("disabled"))
        first, kind = next(colored, None), discord.ComponentType.action_row.value

        def written(item: Component) -> Component:
            gray = discord.ButtonStyle.secondary.value
            return item if item is first or item.get("style") not in PRIMARY else {**item, "style": gray}

        self._rows = [{"type": kind, "components": list(map(written, row))} for row in rows if row]

    def to_components(self) -> list[Component]:
        return self._rows

    def is_finished(self) -> bool:
        """Return True, so that discord.py doesn't keep the view."""
        return True


def rows(buttons: Sequence[Component]) -> list[Sequence[Component]]:
    return [buttons[first : first + ROW] for first in range(0, len(buttons), ROW)]


def button(
    label: Shown,
    at: At,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: discord.PartialEmoji | None = None,
) -> Component:
    """Return a button; a long label is cut."""
    kind = discord.ComponentType.button.value
    written = {"type": kind, "style": style.value, "label": fit(label, MAX_LABEL), "custom_id": write(at)}
    return written if emoji is None else {**written, "emoji": emoji.to_dict()}


def link_to(label: Shown, address: str) -> Component:
    kind, style = discord.ComponentType.button.value, discord.ButtonStyle.link.value
    return {"type": kind, "style": style, "label": fit(label, MAX_LABEL), "url": address}


def select(placeholder: Shown, at: At, options: Sequence[Component], least: int = 1, most: int = 1) -> Component:
    """Return a select with ``least`` to ``most`` (default: all) options."""
    return {
        "type": discord.ComponentType.string_select.value,
        "custom_id": write(at),
        "placeholder": fit(placeholder, MAX_PLACEHOLDER),
        "min_values": least,
        "max_values": min(most, len(options)),
        "options": options[:MAX_OPTIONS],
    }


def option(
    label: Shown,
    value: str,
    detail: Shown = EMPTY,
    emoji: discord.PartialEmoji | None = None,
    *,
    is_picked: bool = False,
) -> Component:
    """Return a select's option, with a detail line if any."""
    written: Component = {"label": fit(label, MAX_OPTION), "value": value}
    if is_picked:
        written["default"] = True
    if detail:
        written["description"] = fit(detail, MAX_OPTION)
    if emoji is not None:
        written["emoji"] = emoji.to_dict()
    return written


def options(listed: Sequence[Option], faces: Mapping[Face, discord.PartialEmoji]) -> list[Component]:
    """Return a list of the rules as a select's options, each with its face's emoji."""
    return [
        option(item.label, item.value, item.detail, faces.get(Face(*item.shows)) if item.shows else None)
        for item in listed[:MAX_OPTIONS]
    ]


def yes_or_no(
    yes: At, yes_label: Shown, no: At, no_label: Shown, style: discord.ButtonStyle = discord.ButtonStyle.danger
) -> Components:
    """Return a question's buttons: red to confirm, gray to cancel."""
    return Components([button(yes_label, yes, style), button(no_label, no)])


# Forms

MAX_GROUP: Final = 10
"""Maximum options of a form's radio or checkbox group."""
MAX_TITLE: Final = 45
"""Maximum characters of a form's title and labels."""
MAX_EXAMPLE: Final = 100
"""Maximum characters of a placeholder or description."""
MAX_TYPED: Final = 1200
"""Maximum characters of a quoted form; a message has 2000, shared with the preceding sentences."""
MAX_EMBED: Final = 4096
"""Maximum characters of an embed that quotes a longer form."""
Made = TypeVar("Made")
QUOTED: Final = re.compile(r"^```([a-z0-9_-]{1,40})\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
"""A field in a refusal: its text as code in the "language" of its key, which Discord doesn't show."""


def modal(title: Shown, at: At, fields: Iterable[Field], texts: Mapping[str, str]) -> discord.ui.Modal:
    """Return a translated form that comes back by its address; ``texts``, if any, replace its fields' values."""
    shown = discord.ui.Modal(title=fit(title, MAX_TITLE), custom_id=write(at))
    for field in map(translate_fields, fields):
        field = replace(field, value=texts.get(field.key, "")) if texts else field
        line = pick_line(field) if field.options else text_line(field)
        detail = fit(field.detail, MAX_EXAMPLE) or None
        shown.add_item(discord.ui.Label(text=fit(field.label, MAX_TITLE), description=detail, component=line))
    return shown


def text_line(field: Field) -> discord.ui.Item[discord.ui.Modal]:
    return discord.ui.TextInput(
        custom_id=field.key,
        style=discord.TextStyle.paragraph if field.lines else discord.TextStyle.short,
        placeholder=fit(field.example, MAX_EXAMPLE) or None,
        default=field.value or None,
        required=field.required,
        max_length=field.longest,
    )


def pick_line(field: Field) -> discord.ui.Item[discord.ui.Modal]:
    """Return checkboxes or a radio group; a select if there are too many options, or only one."""
    first, listed = field.picked_values(field.value), field.options[:MAX_OPTIONS]

    def options(kind: Callable[..., Made]) -> list[Made]:
        return [
            kind(
                label=fit(item.label, MAX_OPTION),
                value=item.value,
                description=fit(item.detail, MAX_OPTION) or None,
                default=item.value in first,
            )
            for item in listed
        ]

    least, is_group = int(field.required), len(listed) <= MAX_GROUP
    line: dict[str, Any] = {"custom_id": field.key, "required": field.required}
    if field.several and is_group:
        return discord.ui.CheckboxGroup(**line, options=options(discord.CheckboxGroupOption), min_values=least)
    if not field.several and is_group and len(listed) > 1:
        return discord.ui.RadioGroup(**line, options=options(discord.RadioGroupOption))
    most = len(listed) if field.several else 1
    return discord.ui.Select(**line, options=options(discord.SelectOption), min_values=least, max_values=most)


def submitted_fields(data: Mapping[str, Any]) -> dict[str, str]:
    """Return a submitted form's texts, picked values joined by ``, ``; half a surrogate pair becomes a ``?``."""
    result: dict[str, str] = {}
    for row in data.get("components", []):
        for item in [row.get("component"), *row.get("components", [])]:
            if item and ("value" in item or "values" in item):
                values = item["values"] if "values" in item else [item["value"]]
                text = ", ".join(str(value) for value in values or () if value is not None)
                result[item["custom_id"]] = text.encode(errors="replace").decode()
    return result


def quote(texts: Mapping[str, str], labels: Mapping[str, Shown]) -> tuple[Said, discord.Embed | None, bool]:
    """Return a form's contents with labels, to read and copy, and whether they are complete. If too long for an error
    they are in an embed, shortened if still too long. Empty without content.
    """
    lines = {key: text.replace("`", "'") for key, text in texts.items() if text.strip()}
    size = sum(map(len, texts.values()))

    def quoted(most: int) -> Said:
        parts = [f"{translate(labels.get(key, EMPTY))}\n```{key}\n{text[:most]}\n```" for key, text in lines.items()]
        return Said("\n".join([translate(Text("You typed:")), *parts]) if parts else "")

    whole = quoted(MAX_EMBED)
    if size <= MAX_TYPED:
        return whole, None, True
    if size <= MAX_EMBED and len(whole) <= MAX_EMBED:
        return Said(""), discord.Embed(description=whole), True
    return quoted(MAX_TYPED // max(1, len(lines))), None, False
