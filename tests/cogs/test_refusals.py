"""Wrong texts in every field of every form: a refusal names what is on the screen, and says what to do next."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any, Final

import pytest
import simcord
from simcord.backend.errors import OptionError
from simcord.enums import ComponentType

from bot.languages.translate import translate
from bot.rules.anydice.notation import parse as parse_dice
from bot.rules.game import Side
from bot.rules.xwing.dice.typed_sides import parse as parse_side
from bot.ui.commands.options import form_of
from bot.ui.dispatch import error_messages
from cogs.help import slashes
from tests.cogs.test_crawl import Falling
from tests.conftest import Club, Dice, said
from tests.crawler import components, filled
from tests.odds_site.test_answers import HUNDRED, NEXT, near_misses

SOME: Final = 25
"""So many refusals are looked at each time; all of them with ``-m long``, in so many parts, each with a new server."""
PARTS: Final = range(12)
Case = tuple[str, str, str]
"""A command, its option or field, and what is typed there."""
Selection = Callable[[list[Case]], list[Case]]


@pytest.fixture
def dice() -> Dice:
    return Falling()


def labels_of(shown: Any) -> Iterator[str]:
    """The labels of a form, at any depth."""
    if isinstance(shown, Mapping):
        if isinstance(shown.get("label"), str):
            yield shown["label"]
        for part in shown.values():
            yield from labels_of(part)
    elif isinstance(shown, list | tuple):
        for part in shown:
            yield from labels_of(part)


async def forms_here(club: Club) -> dict[str, dict[str, str]]:
    """The commands that open a form here, with the fields into which people type, and the example in each."""
    bot: Any = club.env.bot
    result = dict[str, dict[str, str]]()
    for command in slashes(bot):
        if form_of(command) is not None:
            form = (await club.ana.slash(club.channel, command.qualified_name)).modal
            assert form is not None
            fields = [part for part in components(form["components"]) if part["type"] == TEXT]
            typed = {part["custom_id"]: str(part.get("value") or part.get("placeholder") or "") for part in fields}
            result |= {command.qualified_name: typed} if typed else {}
    return result


TEXT: Final = ComponentType.TEXT_INPUT
BESIDE: Final = re.compile("permission|the limit")
"""What is refused whatever was typed."""


async def check_refusals(club: Club, select: Selection) -> int:
    """Type wrong texts, and hold every refusal to the law; how many there were."""
    forms, refused, wrong = await forms_here(club), 0, list[object]()
    cases = select(
        [
            (name, key, text)
            for name, examples in forms.items()
            for key, example in examples.items()
            for text in (*HUNDRED, *near_misses(example))
        ]
    )
    for name, key, text in cases:
        opened = await club.ana.slash(club.channel, name)
        assert opened.modal is not None
        field = next(part for part in components(opened.modal["components"]) if part["custom_id"] == key)
        typed = text[: field.get("max_length") or len(text)]
        values = filled(opened.modal, club.bo) | {key: typed}
        answer = await club.ana.submit_modal(opened, values)
        if answer.response is None or not answer.response.ephemeral:
            continue  # it was taken
        sentence, labels = said(answer).partition("You typed:")[0], list(labels_of(opened.modal))
        keys = {part.get("custom_id") for part in components(opened.modal["components"])}
        refused += 1
        quoted = sentence.split("`")[1::2]
        is_typed = any(word in sentence for word in typed.split() if len(word) > 2)
        is_lawful = (
            (is_typed or any(part in labels or part in typed for part in quoted))
            and NEXT.search(sentence)
            and "`the end`" not in sentence
            and not keys & (set(quoted) - set(labels) - set(typed.split()))
            and set(labels) & set(said(answer).splitlines())  # what was typed stands below the labels
        )
        wrong += [] if is_lawful else [(name, key, text, sentence)]
    assert wrong == []
    print(f"forms: {len(cases)} inputs, {refused} refused")  # noqa: T201 - for whoever looks
    return refused


async def test_a_refusal_of_a_form_names_what_is_on_the_screen(club: Club) -> None:
    assert await check_refusals(club, lambda cases: Random(4).sample(cases, SOME)) > SOME // 3


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
async def test_every_refusal_of_every_form_names_what_is_on_the_screen(club: Club, part: int) -> None:
    assert await check_refusals(club, lambda cases: cases[part :: len(PARTS)]) > 100


async def examples_of(club: Club, command: Any) -> dict[str, Any]:
    """What the form of a command shows as examples, as its options: then a wrong text is the only fault."""
    if form_of(command) is None:
        return {}
    form = (await club.ana.slash(club.channel, command.qualified_name)).modal
    assert form is not None
    types = {option.display_name: option.type.name for option in command.parameters}
    shown = {key: value[0] if isinstance(value, list) else value for key, value in filled(form, club.bo).items()}
    result = {key: int(value) if types.get(key) == "integer" else value for key, value in shown.items() if value}
    return {key: value for key, value in result.items() if types.get(key) in ("string", "integer")}


async def check_options(club: Club, monkeypatch: pytest.MonkeyPatch, select: Selection) -> int:
    """Type a hundred wrong texts into every text option of every command; how many were refused."""
    bot: Any = club.env.bot
    told, wrong, examples = list[str](), list[object](), dict[str, dict[str, Any]]()
    refused, write = 0, error_messages.error_text

    def noted(interaction: Any, error: BaseException) -> Any:
        told.append(translate(write(interaction, error)))
        return write(interaction, error)

    monkeypatch.setattr(error_messages, "error_text", noted)
    commands = {f"/{command.qualified_name}": command for command in slashes(bot)}
    cases = select(
        [
            (name, option.display_name, text)
            for name, command in commands.items()
            for option in command.parameters
            if option.type.name == "string" and not option.choices
            for text in HUNDRED
        ]
    )
    for name, key, text in cases:
        if name not in examples:
            examples[name] = await examples_of(club, commands[name])
        given: dict[str, Any] = examples[name] | {key: text}
        for option in commands[name].parameters:
            if option.required and option.display_name not in given:
                plain = {"integer": 1, "boolean": True, "user": club.bo}.get(option.type.name, "x")
                given[option.display_name] = option.choices[0].value if option.choices else plain
        told.clear()
        with suppress(OptionError, simcord.SetupError):  # Discord itself does not take it, or only from a GM
            await club.ana.slash(club.channel, name[1:], **given)
        for sentence in told:
            refused += 1
            quoted, options = sentence.split("`")[1::2], {item.display_name for item in commands[name].parameters}
            named = [part for part in quoted if part in options or part in text or part.partition(" ")[0] in options]
            said = [part for part in quoted if part.startswith("/") and part not in text]
            is_typed = any(word in sentence for word in (*text.split(), "x"))
            is_lawful = (
                all(any(part.startswith(each) for each in commands) for part in said)
                and (named or said or is_typed or BESIDE.search(sentence))
                and NEXT.search(sentence)
            )
            wrong += [] if is_lawful else [(name, key, text, sentence)]
    assert wrong == []
    print(f"options: {len(cases)} inputs, {refused} refused")  # noqa: T201 - for whoever looks
    return refused


async def test_a_refusal_of_an_option_names_what_is_there(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    some = 2 * SOME
    assert await check_options(club, monkeypatch, lambda cases: Random(5).sample(cases, some)) > some // 4


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
async def test_every_refusal_of_every_option_names_what_is_there(
    club: Club, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    assert await check_options(club, monkeypatch, lambda cases: cases[part :: len(PARTS)]) > 100


async def test_a_refused_form_is_told_its_label_and_a_refused_command_its_option(club: Club) -> None:
    opened = await club.ana.slash(club.channel, "roll")
    assert opened.modal is not None
    label = next(labels_of(opened.modal))
    assert re.search(f"In `{re.escape(label)}`, ", said(await club.ana.submit_modal(opened, {"dice": "2d6+"})))
    assert "In `dice`, " in said(await club.ana.slash(club.channel, "roll", dice="2d6+"))


async def test_a_ship_of_a_name_alone_is_asked_for_its_numbers(club: Club) -> None:
    opened = await club.ana.slash(club.channel, "xwing ship add", name="My freighter")
    assert opened.modal is not None
    fields = {part["custom_id"]: part for part in components(opened.modal["components"])}
    assert fields["name"]["value"] == "My freighter"
    refused = said(await club.ana.submit_modal(opened, {"name": "My freighter"}))
    assert "3/2/4/2 i5" in refused
    opened = await club.ana.slash(club.channel, "xwing ship add", name="My freighter")
    added = await club.ana.submit_modal(opened, {"name": "My freighter", "numbers": "3/2/4/2 i5"})
    assert not added.response or not added.response.ephemeral


@pytest.mark.parametrize(
    ("form", "key", "text", "named"),
    [
        ("xwing ship add", "pilot", "Luke", "Did you mean `Luke Skywalker, "),
        ("xwing ship add", "pilot", "luke skywlaker", "Did you mean `Luke Skywalker`?"),
        ("xwing ship add", "pilot", "Luke Skywalker + Proton Torps", "Did you mean `Luke Skywalker`?"),
        ("xwing ship add", "pilot", "\N{ROCKET}", "Use the name of a pilot as printed on its card."),
        ("roll", "dice", "1d20+Dex", "write the number that `Dex` stands for"),
        ("roll", "dice", "dé 6", "Write dice such as `2d6+3`"),
        ("infinity roll", "mods", "-3 cover", "as in `-3 +6`"),
        ("xwing attack", "with", "i have a focus", "You can use: focus, "),
    ],
)
async def test_what_clumsy_people_type_is_refused_with_what_would_do(
    club: Club, form: str, key: str, text: str, named: str
) -> None:
    opened = await club.ana.slash(club.channel, form)
    assert opened.modal is not None
    label = next(part["label"] for part in fields_of(opened.modal) if part["component"].get("custom_id") == key)
    values = {key: text} if form in ("roll", "xwing ship add") else filled(opened.modal, club.bo) | {key: text}
    refused = said(await club.ana.submit_modal(opened, values))
    assert named in refused
    assert f"`{label}`" in refused


def fields_of(form: Any) -> list[Any]:
    """The labeled fields of a form."""
    return [part for part in form["components"] if "component" in part]


@pytest.mark.parametrize("text", ["**focus**, lock", "- focus\n- lock", "focus & lock", "1 foci and lock"])
def test_pasted_markdown_is_read(text: str) -> None:
    assert parse_side(text, Side.ATTACKER, "with") == parse_side("focus, lock", Side.ATTACKER, "with")


def test_no_tokens_may_be_said_in_words() -> None:
    assert {parse_side(text, Side.ATTACKER, "with") for text in ("none", "Nothing", "no tokens", "")} == {
        parse_side("", Side.ATTACKER, "with")
    }
    assert parse_dice("**2d6**") == parse_dice("2d6")
