"""What random people do to the bot: commands, suggestions, presses and forms, as they should be and as they should not.

Everything comes from the commands that the bot registered and from what it showed; no command is known by name here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.wire import hostile
from tests.wire.interactions import AUTOCOMPLETE, COMMAND
from tests.wire.messages import Message
from tests.wire.presses import Presses
from tests.wire.seen import STRING, SUBCOMMANDS, Act, Seen
from tests.wire.values import Values
from tests.wire.world import Channel, Json, Person


class Actors:
    """Makes one act after another, from a seed, for the ``commands`` that are registered.

    ``files`` are addresses at which something hostile can be downloaded, ``messages`` how messages look by now.
    """

    def __init__(
        self,
        chance: Random,
        commands: list[Json],
        people: tuple[Person, ...],
        channels: tuple[Channel, ...],
        files: tuple[str, ...],
        messages: Mapping[int, Message],
    ) -> None:
        self.chance, self.people, self.channels = chance, people, channels
        self._lines = [line for command in commands for line in _lines(command, ())]
        texts = [option for _, options in self._lines for option in options if option["type"] == STRING]
        explained = {option["name"] for option in texts if ":" in option["description"]}  # it gives an example
        suggested = {option["name"] for option in texts if option.get("autocomplete")}
        self.seen = Seen(naming=frozenset(suggested - explained))
        self.values = Values(chance, self.seen, commands, people, channels, files)
        self.presses = Presses(chance, self.seen, self.values.phrases, people, channels, messages)

    def act(self) -> Act:
        """The next thing that somebody does."""
        dice = self.chance.random()
        if dice < 0.42:
            return self.command()
        if dice < 0.54:
            return self.suggestion()
        if dice < 0.88 and self.seen.messages:
            return self.presses.press()
        return self.presses.form()

    def command(self) -> Act:
        """A command that was answered once, typed again; or one as nobody typed it before."""
        if self.seen.worked and self.chance.random() < 0.4:
            act = self.chance.choice(self.chance.choice(list(self.seen.worked.values())))
            return replace(act, person=self.chance.choice((act.person, *self.people)))
        return self.new_command()

    def new_command(self) -> Act:
        """A command that mostly makes sense, or with one option or its whole shape gone wrong."""
        person, channel = self.somewhere()
        path, options = self.chance.choice(self.untried() if self.chance.random() < 0.5 else self._lines)
        kind = self.chance.random()
        spoilt = self.chance.choice(options)["name"] if options and kind < 0.3 else None
        share = self.chance.choice((0.1, 0.4, 0.8))
        chosen = [
            item for item in options if item.get("required") or item["name"] == spoilt or self.chance.random() < share
        ]
        resolved: Json = {}
        filled: list[Json] = []
        must = ""
        for option in chosen:
            value = self.values.valid(option, resolved, channel, path[0]["name"])
            if option["name"] == spoilt:
                value, why = self.values.wrong(option)
                must = must or (why and f"{spoilt} {why}")
            filled.append({"name": option["name"], "type": option["type"], "value": value})
        if 0.3 <= kind < 0.4:
            path, filled, why = self.misshapen(path, options, filled)
            must = must or why
        return Act(COMMAND, person, channel, _data(path, filled, resolved, channel), must=must)

    def untried(self) -> Sequence[tuple[tuple[Json, ...], list[Json]]]:
        """The commands that were answered least so far."""
        worked = {words: len(acts) for words, acts in self.seen.worked.items()}
        times = [worked.get(tuple(step["name"] for step in path), 0) for path, _ in self._lines]
        return [line for line, many in zip(self._lines, times, strict=True) if many == min(times)]

    def somewhere(self) -> tuple[Person, Channel]:
        """Most of it happens in one channel."""
        usual = self.channels[0]
        return self.chance.choice(self.people), self.chance.choice((*self.channels, usual, usual, usual, usual))

    def misshapen(
        self, path: tuple[Json, ...], options: list[Json], filled: list[Json]
    ) -> tuple[tuple[Json, ...], list[Json], str]:
        """A command as an app would send it that has not heard of changes: path, options, and why it must fail."""
        kind = self.chance.randrange(6)
        required = [option["name"] for option in options if option.get("required")]
        if kind == 0 and required:
            gone = self.chance.choice(required)
            return path, [item for item in filled if item["name"] != gone], f"{gone} is missing"
        if kind == 1:
            return path, [*filled, {"name": "gone_since", "type": STRING, "value": "x"}], ""
        if kind == 2:
            return (*path[:-1], {**path[-1], "name": "nosuch"}), filled, "there is no such command"
        if kind == 3 and len(path) > 1:
            return path[:-1], [], "it is a group and no command"
        if kind == 4 and len(path) > 1:
            return (*path, {"name": "deeper", "type": 1}), filled, "it is deeper than any command"
        return path, [*filled, *filled], ""

    def suggestion(self) -> Act:
        """Somebody is typing: the option in focus may hold anything so far."""
        asking = [(path, options) for path, options in self._lines if any(item.get("autocomplete") for item in options)]
        path, options = self.chance.choice(asking if asking and self.chance.random() < 0.9 else self._lines)
        person, channel = self.somewhere()
        resolved: Json = {}
        filled: list[Json] = []
        focus = self.chance.choice([item["name"] for item in options if item.get("autocomplete")] or [""])
        if options and self.chance.random() < 0.1:
            focus = self.chance.choice(options)["name"]
        for option in options:
            if option["name"] == focus:
                some = self.values.name(channel, path[0]["name"])[:3]
                typed = self.chance.choice(("", "a", "1", some, some, hostile.text(self.chance, self.values.phrases)))
                filled.append({"name": focus, "type": option["type"], "value": typed, "focused": True})
            elif self.chance.random() < 0.3:
                value = (
                    self.values.wrong(option)[0]
                    if self.chance.random() < 0.3
                    else self.values.valid(option, resolved, channel)
                )
                filled.append({"name": option["name"], "type": option["type"], "value": value})
        if self.chance.random() < 0.1:
            path, filled, _ = self.misshapen(path, options, filled)
        return Act(AUTOCOMPLETE, person, channel, _data(path, filled, resolved, channel))


def _lines(part: Json, above: tuple[Json, ...]) -> Iterator[tuple[tuple[Json, ...], list[Json]]]:
    """Every command that can be typed: the way to it, and its options."""
    path, options = (*above, part), part.get("options") or []
    subs = [option for option in options if option["type"] in SUBCOMMANDS]
    for sub in subs:
        yield from _lines(sub, path)
    if not subs:
        yield path, options


def _data(path: tuple[Json, ...], options: list[Json], resolved: Mapping[str, Any], channel: Channel) -> Json:
    """The data of an interaction for a command; outside a server nobody is a member."""
    for step in reversed(path[1:]):
        options = [{"name": step["name"], "type": step["type"], "options": options}]
    command = path[0]
    data: Json = {"id": command["id"], "name": command["name"], "type": 1, "options": options}
    told = {part: known for part, known in resolved.items() if part != "members" or not channel.is_private}
    return data | ({"resolved": told} if told else {})
