"""The page's games by terminal name, and form fields as HTML."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games import by_terminal
from bot.games.game import Form
from bot.html.html import Html, filled_tag, tag
from bot.odds_site import infinity, xwing
from bot.rules.game import Field, Option
from bot.rules.text import Code, Shown, Text, labeled

FORMS: Final[Mapping[str, Form]] = {item.__name__.rpartition(".")[2]: item.FORM for item in (xwing, infinity)} | {
    name: game.form for name, game in by_terminal().items() if game.form is not None
}
"""Games that take squads or profiles have a file here."""


MAX_TICKS: Final = 5
"""Maximum checkboxes shown; of more, all but the first are folded."""


def field(shown: Field, value: str, of: str, presets: Sequence[Option] = ()) -> Html:
    """Return a field with label and value; ``of``: makes its id unique. ``presets``: buttons that fill it in."""
    name = f"{of}-{shown.key}"
    if shown.several:
        ticked = value.split(", ")
        ticks = list[Html]()
        for at, option in enumerate(shown.options):
            own = f"{name}-{at}"
            box = tag(
                "input", type="checkbox", id=own, name=shown.key, value=option.value, checked=option.value in ticked
            )
            ticks.append(tag("label", box, Code(" "), option_text(option), for_=own, class_="tick"))
        rest = None
        if len(ticks) > MAX_TICKS:
            is_open = any(option.value in ticked for option in shown.options[1:])
            rest = tag("details", tag("summary", Text("More")), *ticks[1:], open=is_open)
        return tag("fieldset", tag("legend", shown.label), *(ticks if rest is None else ticks[:1]), rest)
    label = tag("label", shown.label, for_=name)
    if shown.options:
        none = () if shown.required else (tag("option", Text("Not given"), value=""),)
        options = [
            tag("option", option_text(item), value=item.value, selected=item.value == value) for item in shown.options
        ]
        return tag("p", label, tag("select", *none, *options, id=name, name=shown.key))
    common: dict[str, str | int] = {"id": name, "name": shown.key, "maxlength": shown.longest}
    plain = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false", "placeholder": shown.example}
    if shown.lines:
        return tag("p", label, tag("textarea", Code(value), rows=2, **common, **plain))
    ready = [tag("button", item.label, type="button", class_="preset", value=item.value) for item in presets]
    buttons = filled_tag("span", *ready, class_="presets")
    return tag("p", label, buttons, tag("input", type="text", value=value, **common, **plain))


def option_text(option: Option) -> Shown:
    return labeled(option.label, option.detail) if option.detail else option.label


def fields(
    shown: tuple[Field, ...], values: Mapping[str, str], of: str, presets: Mapping[str, Sequence[Option]]
) -> list[Html]:
    """Return fields with values: Python's for a field that it has set, else the typed ones."""
    return [field(item, item.value or values.get(item.key, ""), of, presets.get(item.key, ())) for item in shown]
