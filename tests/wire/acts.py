"""What random people do to the bot: commands, suggestions, presses and forms, as they should be and as they should not.

Everything comes from the commands that the bot registered and from what it showed; no command is known by name here.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from tests.wire import hostile
from tests.wire.forms import LABEL, ROW, TEXT, Form
from tests.wire.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT
from tests.wire.messages import BUTTON, SELECT, Control, Message
from tests.wire.world import EVERY_PERMISSION, GUILD_ID, Channel, Json, Person

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, ANYBODY, NUMBER, FILE = range(3, 12)
SUBCOMMANDS = (1, 2)
NAMES = ("Luke", "Angus", "Żółw")
_HINT = re.compile(r"(?:like|as in|:) `([^`…]+)`")
SHORT = 40
"""A text that may be no longer is a name."""


@dataclass(frozen=True, slots=True)
class Act:
    """One interaction; ``must`` says why it can have no other answer than a refusal, if that is known."""

    kind: int
    person: Person
    channel: Channel
    data: Json
    message: Message | None = None
    must: str = ""


@dataclass(slots=True)
class Seen:
    """What people have seen of the bot so far, and may come back to."""

    messages: deque[Message] = field(default_factory=lambda: deque(maxlen=400))
    forms: deque[Form] = field(default_factory=lambda: deque(maxlen=80))
    custom_ids: deque[str] = field(default_factory=lambda: deque(["rc1:1:0:done"], maxlen=400))
    names: dict[tuple[int, str], deque[str]] = field(default_factory=dict)
    """What stands in a channel, as far as a command named it there: by channel and command."""
    naming: frozenset[str] = frozenset()
    """The options that take such a name."""
    hints: dict[str, deque[str]] = field(default_factory=dict)
    """What the answers to a command gave as an example of what it takes."""

    worked: dict[tuple[str, ...], deque[Act]] = field(default_factory=dict)
    """What was done and answered, by the command."""

    def learn(self, act: Act, answer: str, *, refused: bool) -> None:
        """Remember the examples in an answer to what was sent, or the names that it took."""
        data = act.data
        if not refused and act.kind == COMMAND:
            self.worked.setdefault(_words(data), deque(maxlen=6)).append(act)
            names = self.names.setdefault((act.channel.id, data.get("name", "")), deque(maxlen=8))
            names.extend(value for name, value in _texts(data) if name in self.naming and value not in names)
        hints = self.hints.setdefault(data.get("name", ""), deque(maxlen=20))
        hints.extend(found for found in _HINT.findall(answer) if found not in hints)


class Actors:
    """Makes one act after another, from a seed, for the ``commands`` that are registered.

    ``files`` are addresses at which something hostile can be downloaded, ``now`` tells how a message looks by now.
    """

    def __init__(
        self,
        chance: Random,
        commands: list[Json],
        people: tuple[Person, ...],
        channels: tuple[Channel, ...],
        files: tuple[str, ...],
        now: Callable[[Message], Message],
    ) -> None:
        self.chance, self.people, self.channels, self.files, self.now = chance, people, channels, files, now
        self._lines = [line for command in commands for line in _lines(command, ())]
        texts = [option for _, options in self._lines for option in options if option["type"] == STRING]
        self.seen = Seen(naming=frozenset(option["name"] for option in texts if option.get("autocomplete")))
        self._phrases = tuple(dict.fromkeys(_phrases(commands)))

    def act(self) -> Act:
        """The next thing that somebody does."""
        dice = self.chance.random()
        if dice < 0.42:
            return self.command()
        if dice < 0.54:
            return self.suggestion()
        if dice < 0.88 and self.seen.messages:
            return self.press()
        return self.form()

    # Commands

    def command(self) -> Act:
        """A command that was answered once, typed again; or one as nobody typed it before."""
        if self.seen.worked and self.chance.random() < 0.4:
            act = self.chance.choice(self.chance.choice(list(self.seen.worked.values())))
            return replace(act, person=self.chance.choice((act.person, *self.people)))
        return self.new_command()

    def new_command(self) -> Act:
        """A command that mostly makes sense, or with one option or its whole shape gone wrong."""
        person, channel = self.somewhere()
        path, options = self.chance.choice(self._lines)
        kind = self.chance.random()
        spoilt = self.chance.choice(options)["name"] if options and kind < 0.3 else None
        share = self.chance.choice((0.1, 0.4, 0.8))
        chosen = [one for one in options if one.get("required") or one["name"] == spoilt or self.chance.random() < share]
        resolved: Json = {}
        filled: list[Json] = []
        must = ""
        for option in chosen:
            value = self.valid(option, resolved, channel, path[0]["name"])
            if option["name"] == spoilt:
                value, why = self.wrong(option, resolved)
                must = must or (why and f"{spoilt} {why}")
            filled.append({"name": option["name"], "type": option["type"], "value": value})
        if 0.3 <= kind < 0.4:
            path, filled, why = self.misshapen(path, options, filled)
            must = must or why
        return Act(COMMAND, person, channel, _data(path, filled, resolved, channel), must=must)

    def somewhere(self) -> tuple[Person, Channel]:
        """Most of it happens in one channel."""
        usual = self.channels[0]
        return self.chance.choice(self.people), self.chance.choice((*self.channels, usual, usual, usual, usual))

    def misshapen(
        self, path: tuple[Json, ...], options: list[Json], filled: list[Json]
    ) -> tuple[tuple[Json, ...], list[Json], str]:
        """A command as an app would send it that has not heard of changes: path, options, and why it must fail."""
        kind = self.chance.randrange(6)
        required = [one["name"] for one in options if one.get("required")]
        if kind == 0 and required:
            gone = self.chance.choice(required)
            return path, [one for one in filled if one["name"] != gone], f"{gone} is missing"
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
        asking = [(path, options) for path, options in self._lines if any(one.get("autocomplete") for one in options)]
        path, options = self.chance.choice(asking if asking and self.chance.random() < 0.9 else self._lines)
        person, channel = self.somewhere()
        resolved: Json = {}
        filled: list[Json] = []
        focus = self.chance.choice([one["name"] for one in options if one.get("autocomplete")] or [""])
        if options and self.chance.random() < 0.1:
            focus = self.chance.choice(options)["name"]
        for option in options:
            if option["name"] == focus:
                some = self.name(channel, path[0]["name"])[:3]
                typed = self.chance.choice(("", "a", "1", some, some, hostile.text(self.chance, self._phrases)))
                filled.append({"name": focus, "type": option["type"], "value": typed, "focused": True})
            elif self.chance.random() < 0.3:
                value = self.wrong(option, resolved)[0] if self.chance.random() < 0.3 else self.valid(option, resolved, channel)
                filled.append({"name": option["name"], "type": option["type"], "value": value})
        if self.chance.random() < 0.1:
            path, filled, _ = self.misshapen(path, options, filled)
        return Act(AUTOCOMPLETE, person, channel, _data(path, filled, resolved, channel))

    def likely(self, own: tuple[str, ...], command: str) -> str:
        """A text as this command or option gives for an example, or as another one does."""
        hints = self.seen.hints.get(command)
        if len(own) > 1 and self.chance.random() < 0.7:
            return hostile.phrase(self.chance, own, 2000)
        if hints and self.chance.random() < 0.8:
            return self.chance.choice(hints)
        return hostile.phrase(self.chance, self._phrases, 2000)

    def valid(self, option: Json, resolved: Json, channel: Channel, command: str = "") -> Any:
        """A value that Discord would let a person send; often the least or the most that it may be."""
        kind = option["type"]
        if option.get("choices"):
            return self.chance.choice(option["choices"])["value"]
        if kind in (INTEGER, NUMBER):
            least, most = option.get("min_value", 0), option.get("max_value", 20)
            return self.chance.choice((least, most, *(self.chance.randint(least, most) for _ in range(4))))
        if kind == BOOLEAN:
            return self.chance.random() < 0.5
        if kind == STRING:
            longest = option.get("max_length", 6000)
            named = longest <= SHORT or option["name"] in self.seen.naming
            own = tuple(_phrases([option]))
            text = self.name(channel, command) if named and self.chance.random() < 0.9 else self.likely(own, command)
            return text[:longest] or "x"
        return self.found(kind, resolved)

    def wrong(self, option: Json, resolved: Json) -> tuple[Any, str]:
        """A value that nobody could send with Discord's own app, or only to see what happens; and why it must fail."""
        kind = option["type"]
        if self.chance.random() < 0.12:
            odd: tuple[Any, ...] = (None, True, 3, 2.5, "3", [], [1], {}, {"a": 1})
            fits = {STRING: str, INTEGER: int, BOOLEAN: bool, NUMBER: int | float}
            value = self.chance.choice(odd)
            right = isinstance(value, fits.get(kind, type(self))) and isinstance(value, bool) == (kind == BOOLEAN)
            return value, "" if right else "is of another type"
        if option.get("choices") and kind == STRING:
            return hostile.text(self.chance, self._phrases) + "?", "is no choice"
        if kind in (INTEGER, NUMBER):
            least, most = option.get("min_value"), option.get("max_value")
            edge = [number for number in (least is not None and least - 1, most is not None and most + 1) if number]
            value = self.chance.choice((*edge, *hostile.NUMBERS))
            outside = (least is not None and value < least) or (most is not None and value > most)
            return value, "is outside its limits" if outside or (kind == INTEGER and value != int(value)) else ""
        if kind == STRING:
            value = hostile.text(self.chance, self._phrases)
            if self.chance.random() < 0.7:
                value = value[: option.get("max_length", 6000)]
            fits = option.get("min_length", 0) <= len(value) <= option.get("max_length", 6000)
            return value, "" if fits else "is of the wrong length"
        if kind == BOOLEAN:
            return self.chance.choice(("yes", 2, None)), "is of another type"
        return self.chance.choice(("1", "0", str(2**63), str(GUILD_ID))), "is known to nobody"

    def found(self, kind: int, resolved: Json) -> str:
        """Somebody, some place, some role or some file, with what Discord tells about it."""
        if kind in (USER, ANYBODY):
            person = self.chance.choice(self.people)
            resolved.setdefault("users", {})[str(person.id)] = person.user()
            if self.chance.random() < 0.8:  # one who is not in this server is told of without
                resolved.setdefault("members", {})[str(person.id)] = person.member()
            return str(person.id)
        if kind == CHANNEL:
            place = self.chance.choice([one for one in self.channels if not one.is_private])
            resolved.setdefault("channels", {})[str(place.id)] = {**place.dump(), "permissions": EVERY_PERMISSION}
            return str(place.id)
        if kind == ROLE:
            number = str(self.chance.choice((GUILD_ID, GUILD_ID + 1)))
            resolved.setdefault("roles", {})[number] = _role(number)
            return number
        url = self.chance.choice(self.files)
        about = {"id": "7", "filename": "rules.json", "size": 1000, "url": url, "proxy_url": url}
        resolved.setdefault("attachments", {})["7"] = {**about, "content_type": "application/json"}
        return "7"

    # Presses and forms

    def press(self, message: Message | None = None) -> Act:
        """A press on a card: mostly one that is there, by whoever, and now and then as no app would send it."""
        if message is None:  # of two, the one on which more can be done
            message = max(self.shown(), self.shown(), key=lambda one: len(self.now(one).controls))
        person = message.asked_by if self.chance.random() < 0.5 else self.chance.choice(self.people)
        custom_id, values, must = self.pressed(message)
        channel = message.channel
        if self.chance.random() < 0.05:
            channel = self.chance.choice(self.channels)
            own = {control.custom_id for one in (message, self.now(message)) for control in one.controls}
            if channel != message.channel and custom_id in own and re.fullmatch(r"rc1:\d+:\d+:.*", custom_id):
                must = must or "it belongs to another channel"
        data: Json = {"custom_id": custom_id, "component_type": BUTTON, "id": 2}
        if values is not None:
            data |= {"component_type": SELECT, "values": values}
        return Act(COMPONENT, person, channel, data, message, must)

    def shown(self) -> Message:
        """A message that was shown, rather a new one than an old one."""
        messages = self.seen.messages
        return messages[-min(len(messages), int(self.chance.expovariate(0.1)) + 1)]

    def pressed(self, message: Message) -> tuple[str, list[str] | None, str]:
        """A custom id, what was picked, and why it must fail."""
        if self.chance.random() < 0.6:
            message = self.now(message)
        controls = [one for one in message.controls if not one.disabled]
        if not controls or self.chance.random() < 0.2:
            values = [hostile.text(self.chance, self._phrases)[:100]] if self.chance.random() < 0.3 else None
            return hostile.custom_id(self.chance, self.seen.custom_ids), values, ""
        control = self.chance.choice(controls)
        if control.type != SELECT:
            odd = self.chance.random() < 0.03
            return control.custom_id, ["0"] if odd else None, ""
        return control.custom_id, *self.picked(control)

    def picked(self, control: Control) -> tuple[list[str], str]:
        offered = [value for _, value in control.options]
        kind = self.chance.random()
        if kind < 0.75:
            return self.chance.sample(offered, self.chance.randint(control.least, min(control.most, len(offered)))), ""
        if kind < 0.82:
            return [], "" if control.least == 0 else "nothing was picked"
        if kind < 0.88:
            return [offered[0]] * 2, "one was picked twice"
        if kind < 0.94:
            return [*offered, "another"], "more was picked than is there"
        return [hostile.text(self.chance, self._phrases)[:100]], ""

    def form(self) -> Act:
        """A form that was opened once, filled in somehow; or one that never was."""
        if not self.seen.forms or self.chance.random() < 0.25:
            custom_id = hostile.custom_id(self.chance, self.seen.custom_ids)
            fields = {self.chance.choice(("order", "agility", "text", "")): hostile.text(self.chance, self._phrases)}
            person, channel = self.chance.choice(self.people), self.chance.choice(self.channels)
            return Act(SUBMIT, person, channel, _sent(custom_id, fields, LABEL))
        form = self.chance.choice(self.seen.forms)
        likely = self.chance.random() < 0.6
        examples = dict(_examples(form))
        fields = {name: example if likely else self.written(example) for name, example in examples.items()}
        if self.chance.random() < 0.1:
            fields.pop(next(iter(fields)), None)
        if self.chance.random() < 0.1:
            fields["extra"] = hostile.text(self.chance, self._phrases)
        message = next((one for one in self.seen.messages if one.id == form.source), None)
        channel = form.channel if self.chance.random() < 0.95 else self.chance.choice(self.channels)
        data = _sent(form.custom_id, fields, ROW if self.chance.random() < 0.1 else LABEL)
        return Act(SUBMIT, self.chance.choice(self.people), channel, data, message)

    def written(self, value: str) -> str:
        """What stands in one line of a form."""
        kind = self.chance.random()
        if kind < 0.25:
            return value
        if kind < 0.5:
            return str(self.chance.randint(0, 8))
        return hostile.phrase(self.chance, self._phrases, 2000) if kind < 0.75 else hostile.text(self.chance, self._phrases)

    def name(self, channel: Channel, command: str) -> str:
        """A name that a command knows in a channel, most of the time."""
        known = self.seen.names.get((channel.id, command))
        return self.chance.choice(known if known and self.chance.random() < 0.8 else NAMES)


def _lines(part: Json, above: tuple[Json, ...]) -> Iterator[tuple[tuple[Json, ...], list[Json]]]:
    """Every command that can be typed: the way to it, and its options."""
    path, options = (*above, part), part.get("options") or []
    subs = [one for one in options if one["type"] in SUBCOMMANDS]
    for sub in subs:
        yield from _lines(sub, path)
    if not subs:
        yield path, options


def _words(part: Json) -> tuple[str, ...]:
    """A command that was sent, by its words."""
    below = next((option for option in part.get("options") or () if option["type"] in SUBCOMMANDS), None)
    return (part["name"], *(_words(below) if below else ()))


def _texts(part: Json) -> Iterator[tuple[str, str]]:
    """The texts among the options of a command that was sent, by option."""
    for option in part.get("options") or ():
        if isinstance(option.get("value"), str) and option["type"] == STRING:
            yield option["name"], option["value"]
        yield from _texts(option)


def _examples(form: Form) -> Iterator[tuple[str, str]]:
    """What stands in each line of a form before anything is typed: its value, or the example in grey."""
    for part in form.components:
        for line in (part.get("component"), *part.get("components", ())):
            if line and "custom_id" in line:
                yield line["custom_id"], line.get("value") or line.get("placeholder") or ""


def _phrases(parts: list[Json]) -> Iterator[str]:
    """What the descriptions give as examples: whatever follows a colon, whole and in its parts."""
    for part in parts:
        _, _, example = str(part.get("description", "")).partition(":")
        for text in (example, example.partition(";")[0], *re.split("[,;]", example), str(part.get("name", ""))):
            if text.strip():
                yield text.strip()
        yield from _phrases(part.get("options") or [])
        for choice in part.get("choices") or []:
            yield str(choice["value"])


def _data(path: tuple[Json, ...], options: list[Json], resolved: Mapping[str, Any], channel: Channel) -> Json:
    """The data of an interaction for a command; outside a server nobody is a member."""
    for step in reversed(path[1:]):
        options = [{"name": step["name"], "type": step["type"], "options": options}]
    command = path[0]
    data: Json = {"id": command["id"], "name": command["name"], "type": 1, "options": options}
    told = {part: known for part, known in resolved.items() if part != "members" or not channel.is_private}
    return data | ({"resolved": told} if told else {})


def _sent(custom_id: str, fields: Mapping[str, str], around: int) -> Json:
    """The data of an interaction for a form, in the newer or in the older dress."""
    lines = [{"type": TEXT, "id": 2, "custom_id": name, "value": value} for name, value in fields.items()]
    dress: Callable[[Json], Json] = lambda line: {"component": line} if around == LABEL else {"components": [line]}  # noqa: E731 - said once, below
    return {"custom_id": custom_id, "components": [{"type": around, "id": 1, **dress(line)} for line in lines]}


def _role(number: str) -> Json:
    named = {"id": number, "name": "@everyone", "permissions": "0", "position": 0, "color": 0, "hoist": False}
    colours = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
    return {**named, "colors": colours, "managed": False, "mentionable": False, "flags": 0}
