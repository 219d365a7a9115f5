"""Wrong texts in every field of every form: a refusal names what is on the screen, and says what to do next."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

import pytest
from simcord.enums import ComponentType

from bot.ui.commands.options import form_of
from cogs.help import slashes
from tests.cogs.test_crawl import Falling
from tests.conftest import Club, Dice, said
from tests.crawler import components, filled
from tests.odds_site.test_answers import NEXT, WRONG

SOME: Final = 25
"""So many refusals are looked at each time; all of them with ``-m long``."""


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


async def forms_here(club: Club) -> dict[str, list[str]]:
    """The commands that open a form here, with the fields into which people type."""
    bot: Any = club.env.bot
    result = dict[str, list[str]]()
    for command in slashes(bot):
        if form_of(command) is not None:
            form = (await club.ana.slash(club.channel, command.qualified_name)).modal
            assert form is not None
            typed = [part["custom_id"] for part in components(form["components"]) if part["type"] == TEXT]
            result |= {command.qualified_name: typed} if typed else {}
    return result


TEXT: Final = ComponentType.TEXT_INPUT


async def check_refusals(club: Club, some: int | None) -> int:
    """Type wrong texts, and hold every refusal to the law; how many there were."""
    forms, refused = await forms_here(club), 0
    cases = [(name, key, text) for name, keys in forms.items() for key in keys for text in WRONG]
    for name, key, text in cases if some is None else Random(4).sample(cases, some):
        opened = await club.ana.slash(club.channel, name)
        assert opened.modal is not None
        field = next(part for part in components(opened.modal["components"]) if part["custom_id"] == key)
        typed = text[: field.get("max_length") or len(text)]
        field = next(part for part in components(opened.modal["components"]) if part["custom_id"] == key)
        typed = text[: field.get("max_length") or len(text)]
        values = filled(opened.modal, club.bo) | {key: typed}
        answer = await club.ana.submit_modal(opened, values)
        if answer.response is None or not answer.response.ephemeral:
            continue  # it was taken
        sentence, labels = said(answer).partition("\n```")[0], list(labels_of(opened.modal))
        refused += 1
        quoted = sentence.split("`")[1::2]
        is_typed = any(word in sentence for word in typed.split() if len(word) > 2)
        assert is_typed or any(part in labels or part in typed for part in quoted), (name, key, text, sentence)
        assert NEXT.search(sentence), (name, key, text, sentence)
        assert "`the end`" not in sentence
    return refused


async def test_a_refusal_of_a_form_names_what_is_on_the_screen(club: Club) -> None:
    assert await check_refusals(club, SOME) > SOME // 3


@pytest.mark.long
async def test_every_refusal_of_every_form_names_what_is_on_the_screen(club: Club) -> None:
    assert await check_refusals(club, None) > 100


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
