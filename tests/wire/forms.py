"""Forms (Discord's modals): what a person sees of one, and what is sent when it is filled in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.wire.world import Channel, Json

ROW, SELECT, TEXT, WORDS, LABEL, RADIO = 1, 3, 4, 10, 18, 21
Filled = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to fill in: a text or a choice (then with ``options``, label and value), and what stands there."""

    custom_id: str
    label: str
    type: int
    required: bool
    value: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A form as it was opened; it can be sent at any time after that, restart or not."""

    custom_id: str
    title: str
    channel: Channel
    source: int | None
    components: tuple[Json, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(_entries(self.components))

    def data(self, values: Mapping[str, str | list[str]]) -> Json:
        """The interaction's data with entries filled by label or custom id; the others keep what stood in them.

        LookupError for an entry the form does not have, ValueError for one that must be filled and is not.
        """
        filled: dict[str, Filled] = {}
        for entry in self.entries:
            filled[entry.custom_id] = entry.value if entry.type == TEXT else ()
        for name, value in values.items():
            entry = self._entry(name)
            filled[entry.custom_id] = value if isinstance(value, str) else tuple(value)
        for entry in self.entries:
            if entry.required and not filled[entry.custom_id]:
                raise ValueError(f"{entry.label!r} must be filled in")
        return {"custom_id": self.custom_id, "components": [_sent(c, filled) for c in self.components]}

    def _entry(self, name: str) -> Entry:
        for entry in self.entries:
            if name in (entry.custom_id, entry.label):
                return entry
        raise LookupError(f"the form has no {name!r}, it has: {', '.join(e.label for e in self.entries)}")


def form(data: Json, channel: Channel, source: int | None) -> Form:
    """The form in a callback's ``data``, opened from the message ``source`` (None if by a command)."""
    return Form(data["custom_id"], data["title"], channel, source, tuple(data["components"]))


def _entries(components: tuple[Json, ...]) -> Iterator[Entry]:
    for component in components:
        if component["type"] == ROW:
            for inner in component["components"]:
                yield _entry(inner, inner.get("label", ""))
        elif component["type"] == LABEL:
            yield _entry(component["component"], component["label"])


def _entry(component: Json, label: str) -> Entry:
    options = tuple((option["label"], option["value"]) for option in component.get("options", ()))
    required = component.get("required", True)
    chosen = next((option["value"] for option in component.get("options", ()) if option.get("default")), "")
    return Entry(component["custom_id"], label, component["type"], required, component.get("value") or chosen, options)


def _sent(component: Json, filled: Mapping[str, Filled]) -> Json:
    """One component as the client sends it back."""
    kind = component["type"]
    if kind == WORDS:
        return {"type": kind, "id": 1}
    if kind == ROW:
        return {"type": kind, "id": 1, "components": [_value(inner, filled) for inner in component["components"]]}
    return {"type": kind, "id": 1, "component": _value(component["component"], filled)}


def _value(component: Json, filled: Mapping[str, Filled]) -> Json:
    kind, name = component["type"], component["custom_id"]
    value = filled[name]
    if isinstance(value, str) and kind == TEXT:
        return {"type": kind, "id": 2, "custom_id": name, "value": value}
    chosen = [value] if isinstance(value, str) else list(value)
    by_label = {option["label"]: option["value"] for option in component.get("options", ())}
    if kind == RADIO:  # one value, or none
        return {"type": kind, "id": 2, "custom_id": name, "value": next((by_label.get(c, c) for c in chosen), None)}
    return {"type": kind, "id": 2, "custom_id": name, "values": [by_label.get(c, c) for c in chosen]}
