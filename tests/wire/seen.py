"""What random people did and saw, and may come back to."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.wire.forms import Form
from tests.wire.interactions import COMMAND, MESSAGE, Answer
from tests.wire.messages import Message
from tests.wire.world import Channel, Json, Person

STRING = 3
SUBCOMMANDS = (1, 2)
_SESSION = re.compile(r"rc1:\d+:(?=\d+:(?!seal-))")
"""What the ids of a roll begin with; sealed tables have numbers of their own."""
_HINT = re.compile(r"(?:like|as in|:) `([^`…]+)`")


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
    forms: deque[tuple[Form, Person]] = field(default_factory=lambda: deque(maxlen=80))
    custom_ids: deque[str] = field(default_factory=lambda: deque(["rc1:1:0:done"], maxlen=400))
    names: dict[tuple[int, str], deque[str]] = field(default_factory=dict)
    """What stands in a channel, as far as a command named it there: by channel and command."""
    naming: frozenset[str] = frozenset()
    """The options that take such a name."""
    hints: dict[str, deque[str]] = field(default_factory=dict)
    """What the answers to a command gave as an example of what it takes."""
    homes: dict[str, int] = field(default_factory=dict)
    """The channel of each session, by what its custom ids begin with."""
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
        hints.extend(result for result in _HINT.findall(answer) if result not in hints)

    def offered(self, act: Act, answer: Answer) -> None:
        """What is suggested while somebody types may be typed later."""
        hints = self.hints.setdefault(act.data.get("name", ""), deque(maxlen=20))
        result = [str(choice["value"]) for choice in answer.choices]
        hints.extend(value for value in result[:5] if value not in hints)

    def show(self, person: Person, answer: Answer) -> None:
        """What an answer showed can be pressed from now on."""
        if answer.message is not None:
            if answer.type == MESSAGE:
                for control in answer.message.controls:
                    self.homes.setdefault(session(control.custom_id), answer.message.channel.id)
            self.messages.append(answer.message)
            self.custom_ids.extend(control.custom_id for control in answer.message.controls)
        if answer.form is not None:
            self.forms.append((answer.form, person))
            self.custom_ids.append(answer.form.custom_id)


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


def session(custom_id: str) -> str:
    """What the custom ids of a session begin with; the whole of any other id."""
    match = _SESSION.match(custom_id)
    return match[0] if match else custom_id
