"""What random people press, pick and fill in."""

import re
from collections.abc import Iterator, Mapping
from random import Random

from tests.wire import hostile
from tests.wire.forms import LABEL, ROW, TEXT, Form
from tests.wire.interactions import COMPONENT, SUBMIT
from tests.wire.messages import BUTTON, SELECT, Control, Message
from tests.wire.seen import Act, Seen, session
from tests.wire.world import Channel, Json, Person

RECENT = 60
_NUMBER = re.compile(r"\d+")


class Presses:
    """Presses on what was ``seen``; ``messages`` are all there are, as they look by now."""

    def __init__(
        self,
        chance: Random,
        seen: Seen,
        phrases: tuple[str, ...],
        people: tuple[Person, ...],
        channels: tuple[Channel, ...],
        messages: Mapping[int, Message],
    ) -> None:
        self.chance, self.seen, self.phrases = chance, seen, phrases
        self.people, self.channels, self.messages = people, channels, messages

    def press(self, message: Message | None = None) -> Act:
        """A press on a card: mostly one that is there, by whoever, and now and then as no app would send it."""
        if message is None:
            message = self.shown()
        person = message.asked_by if self.chance.random() < 0.4 else self.chance.choice(self.people)
        custom_id, values, must = self.pressed(message)
        channel = message.channel
        if self.chance.random() < 0.05:
            channel = self.chance.choice(self.channels)
        if self.seen.homes.get(session(custom_id), channel.id) != channel.id and session(custom_id) != custom_id:
            must = must or "it belongs to another channel"
        data: Json = {"custom_id": custom_id, "component_type": BUTTON, "id": 2}
        if values is not None:
            data |= {"component_type": SELECT, "values": values}
        return Act(COMPONENT, person, channel, data, message, must)

    def shown(self) -> Message:
        """A message of the last that were shown; a rare kind of them comes as often as a common one."""
        kinds: dict[frozenset[str], list[Message]] = {}
        for message in list(self.seen.messages)[-RECENT:]:
            offers = frozenset(_NUMBER.sub("", control.custom_id) for control in self.messages[message.id].controls)
            kinds.setdefault(offers, []).append(message)
        return self.chance.choice(self.chance.choice(list(kinds.values())))

    def pressed(self, message: Message) -> tuple[str, list[str] | None, str]:
        """A custom id, what was picked, and why it must fail."""
        if self.chance.random() < 0.6:
            message = self.messages[message.id]
        controls = [item for item in message.controls if not item.disabled]
        if not controls or self.chance.random() < 0.2:
            values = [hostile.text(self.chance, self.phrases)[:100]] if self.chance.random() < 0.3 else None
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
        return [hostile.text(self.chance, self.phrases)[:100]], ""

    def form(self) -> Act:
        """A form that was opened once, filled in somehow; or one that never was."""
        if not self.seen.forms or self.chance.random() < 0.25:
            custom_id = hostile.custom_id(self.chance, self.seen.custom_ids)
            fields = {self.chance.choice(("order", "agility", "text", "")): hostile.text(self.chance, self.phrases)}
            person, channel = self.chance.choice(self.people), self.chance.choice(self.channels)
            return Act(SUBMIT, person, channel, _sent(custom_id, fields, LABEL))
        form, person = self.chance.choice(self.seen.forms)
        if self.chance.random() < 0.1:
            person = self.chance.choice(self.people)
        likely = self.chance.random() < 0.6
        examples = dict(_examples(form))
        fields = {name: example if likely else self.written(example) for name, example in examples.items()}
        if self.chance.random() < 0.1:
            fields.pop(next(iter(fields)), None)
        if self.chance.random() < 0.1:
            fields["extra"] = hostile.text(self.chance, self.phrases)
        message = self.messages.get(form.source or 0)
        channel = form.channel if self.chance.random() < 0.95 else self.chance.choice(self.channels)
        data = _sent(form.custom_id, fields, ROW if self.chance.random() < 0.1 else LABEL)
        return Act(SUBMIT, person, channel, data, message)

    def written(self, value: str) -> str:
        """What stands in one line of a form."""
        kind = self.chance.random()
        if kind < 0.25:
            return value
        if kind < 0.5:
            return str(self.chance.randint(0, 8))
        return (
            hostile.phrase(self.chance, self.phrases, 2000) if kind < 0.75 else hostile.text(self.chance, self.phrases)
        )


def _examples(form: Form) -> Iterator[tuple[str, str]]:
    """What stands in each line of a form before anything is typed: its value, or the example in gray."""
    for part in form.components:
        for line in (part.get("component"), *part.get("components", ())):
            if line and "custom_id" in line:
                yield line["custom_id"], line.get("value") or line.get("placeholder") or ""


def _sent(custom_id: str, fields: Mapping[str, str], around: int) -> Json:
    """The data of an interaction for a form, in the newer or in the older dress."""
    lines = [{"type": TEXT, "id": 2, "custom_id": name, "value": value} for name, value in fields.items()]
    dressed: list[Json] = [{"component": line} if around == LABEL else {"components": [line]} for line in lines]
    return {"custom_id": custom_id, "components": [{"type": around, "id": 1, **line} for line in dressed]}
