"""Presses everything: runs commands with each of their options, presses each kind of button, fills each form.

What the bot says, draws and writes into pages meanwhile is kept, for whoever asks in which language it was.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import simcord
from simcord.backend.errors import OptionError
from simcord.enums import ComponentType
from simcord.results import to_discord_message

from bot.sessions.roll import Address
from bot.ui.core.components import (
    AdvisedAddress,
    AnswerAddress,
    At,
    BoardAddress,
    CommandAddress,
    FilledForm,
    NextAddress,
    read,
    write,
)
from bot.ui.dispatch.router import ON_CARDS, ROUTES
from tests.conftest import Club
from tests.pseudo import CYRILLIC

TYPED: Final = {cyrillic: latin for latin, cyrillic in CYRILLIC.items()}
"""How an example is typed."""
RECENT: Final = 3
"""So many messages are looked at."""
TWICE: Final = 2
"""So often a kind of button is pressed: by each of two people."""


def kind_of(at: At) -> str:
    """What a button is, whatever roll and piece it stands for."""
    offer = ""
    if isinstance(at, Address | AdvisedAddress | BoardAddress | NextAddress):
        offer = re.sub(r"[0-9a-f]{6,}|\d+", "#", at.offer)
    elif isinstance(at, CommandAddress | FilledForm):
        offer = at.path
    elif isinstance(at, AnswerAddress):
        offer = f"{at.subject}:{at.answer}"
    else:
        offer = "/".join(
            str(item) for item in (getattr(at, "what", ""), getattr(at, "offer", ""), getattr(at, "flag", ""))
        )
    return f"{type(at).__name__} {offer}"


def route_of(at: At) -> str:
    """The line of the tables of presses that an address leads to."""
    if type(at) is Address:
        result = next((key for key in ON_CARDS if key.endswith("-") and at.offer.startswith(key)), at.offer)
        return result if result in ON_CARDS else "a choice"
    return str(at) if at in ROUTES else type(at).__name__


def all_routes() -> set[str]:
    """Every line of the tables of presses."""
    return {"a choice", *ON_CARDS, *(route.__name__ if isinstance(route, type) else str(route) for route in ROUTES)}


def components(shown: Any) -> Iterator[Mapping[str, Any]]:
    """The buttons, lists and fields among parts of a message or a form, at any depth."""
    if isinstance(shown, Mapping):
        if "custom_id" in shown and "type" in shown:
            yield shown
        for item in shown.values():
            yield from components(item)
    elif isinstance(shown, list | tuple):
        for item in shown:
            yield from components(item)


def rows_of(message: Any) -> list[Any]:
    """The components of a message or an answer, as Discord has them."""
    return [component if isinstance(component, dict) else component.to_dict() for component in message.components]


@dataclass(slots=True)
class Crawler:
    """Somebody who tries everything; ``people`` take turns at buttons."""

    club: Club
    people: Sequence[simcord.MemberActor]
    commands: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    pressed: Counter[str] = field(default_factory=Counter)
    routes: set[str] = field(default_factory=set)
    forms: int = 0
    suggested: int = 0
    steps: int = 0
    doing: list[tuple[int, str]] = field(default_factory=list)
    not_taken: list[str] = field(default_factory=list)
    """What Discord itself does not take."""
    held: tuple[str, ...] = ()
    """Kinds of buttons that are not pressed yet."""

    def note(self, what: str) -> None:
        self.steps += 1
        self.doing.append((len(self.club.env.http_requests), what))

    def cause(self, at: int) -> str:
        """What was done when a request was sent."""
        return next((what for begun, what in reversed(self.doing) if begun <= at), "")

    async def run(self, by: simcord.MemberActor, command: str, presses: int = 12, /, **options: Any) -> None:
        """Run a command, and press what it brings."""
        given = {name.removesuffix("_"): item for name, item in options.items()}
        self.note(f"/{command} {given}")
        try:
            result = await by.slash(self.club.channel, command, **given)
        except OptionError as error:
            self.not_taken.append(f"/{command}: {error}")
            return
        self.commands.add(command)
        self.options |= {f"{command} {name}" for name in given}
        await self.follow(by, result, presses)

    async def suggest(self, by: simcord.MemberActor, command: str, option: str, typed: str = "") -> list[Any]:
        self.note(f"suggest /{command} {option}:{typed}")
        result = await by.autocomplete(self.club.channel, command, option, typed)
        self.suggested += len(result)
        return [item["value"] for item in result]

    async def follow(self, by: simcord.MemberActor, result: simcord.InteractionResult, presses: int = 12) -> None:
        """Press what is new on what has come, one after the other, until nothing is or it was enough."""
        mine = await self.answered(by, result)
        for _ in range(presses):
            found = next(self.untried([*mine, *self.newest()]), None)
            if found is None:
                return
            message, part, at = found
            mine += await self.press(message, part, at, by if message in mine else None)

    def newest(self) -> list[Any]:
        """The last messages of the channel that everybody sees, the newest first."""
        held = self.club.env.backend.messages.get(self.club.channel.id, {}).values()
        public = [item for item in list(held)[-12:] if item.visible_to(None)]
        return [to_discord_message(self.club.env, item) for item in public[: -1 - RECENT : -1]]

    def untried(self, messages: Sequence[Any]) -> Iterator[tuple[Any, Mapping[str, Any], At]]:
        for message in messages:
            for part in components(rows_of(message)):
                at = read(part["custom_id"])
                if at is not None and self.pressed[kind_of(at)] < TWICE and not kind_of(at).startswith(self.held):
                    yield message, part, at

    async def press(
        self, message: Any, part: Mapping[str, Any], at: At, reader: simcord.MemberActor | None = None
    ) -> list[Any]:
        """Press a button or pick from a list; the private answers that came of it. A private message has one reader."""
        kind = kind_of(at)
        by = reader or self.people[self.pressed[kind] % len(self.people)]
        self.pressed[kind] += 1
        self.routes.add(route_of(at))
        self.note(f"press {kind} by {by.name}")
        try:
            if part["type"] == ComponentType.BUTTON:
                result = await by.click(message, custom_id=part["custom_id"])
            else:
                values = [item["value"] for item in part.get("options", ())][: max(1, part.get("min_values", 1))]
                result = await by.select(message, values, custom_id=part["custom_id"])
        except simcord.SetupError:
            return []  # it is gone, or another person's
        return await self.answered(by, result)

    async def made_up(self, by: simcord.MemberActor, at: At) -> None:
        """Press a button that stands on no message now."""
        self.routes.add(route_of(at))
        self.pressed[kind_of(at)] += 1
        self.note(f"press {kind_of(at)}")
        await self.answered(by, await self.club.press(by, write(at)))

    async def answered(self, by: Any, result: simcord.InteractionResult) -> list[Any]:
        """What one person alone was shown; a form is filled and sent."""
        while (form := result.modal) is not None:
            self.forms += 1
            at = read(form["custom_id"])
            if at is not None:
                self.routes.add(route_of(at))
            self.note(f"fill {kind_of(at) if at is not None else ''}")
            try:
                result = await by.submit_modal(result, filled(form, self.people[1]))
            except simcord.SetupError as error:
                self.not_taken.append(f"{form['custom_id']}: {error}")
                return []
        return [item for item in (result.response, *result.followups) if item is not None and item.ephemeral]


def filled(form: Mapping[str, Any], somebody: simcord.MemberActor) -> dict[str, Any]:
    """What stands in a form, and in its empty fields the examples; of a list the first."""
    values: dict[str, Any] = {}
    for part in components(form["components"]):
        key, kind, options = part["custom_id"], part["type"], [item["value"] for item in part.get("options") or ()]
        if kind == ComponentType.TEXT_INPUT:
            example = part.get("placeholder", "").translate(TYPED)
            values[key] = part.get("value") or example[: part.get("max_length", 4000)]
        elif kind == ComponentType.RADIO_GROUP:
            values[key] = options[0]
        elif kind == ComponentType.USER_SELECT:
            values[key] = [somebody]
        elif options:
            values[key] = options[: max(1, part.get("min_values", 1))]
    return values
