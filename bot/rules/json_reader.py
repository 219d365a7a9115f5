"""Parses declarations from plain JSON. Every error names the field, its value, and what is allowed."""

import json
from collections.abc import Mapping, Sequence
from typing import NoReturn, TypeVar

from bot.rules.errors import AllowedWords, BadInputError, UnknownWordError, WholeNumber, quote_value
from bot.rules.text import Code, Text, english

T = TypeVar("T")


def leave_out(words: Mapping[str, T], *names: str) -> dict[str, T]:
    return {word: value for word, value in words.items() if word not in names}


class JsonReader:
    """Reads one JSON object.

    Take each field by name, then call ``check_all_taken``, which refuses all keys that you did not take.

    ```
    reader = JsonReader({"dice": 3, "cover": True})
    dice = reader.take_whole_number("dice", 1, 6)
    cover = reader.flag("cover")
    reader.check_all_taken()
    ```

    A field that is missing and a field that is ``null`` are the same. Unless it says otherwise, a method raises
    ``BadInputError`` for a value that it does not take. ``path`` is the object's place in a larger one, for those
    errors.
    """

    def __init__(self, raw: object, path: str = "") -> None:
        if not isinstance(raw, Mapping):
            raise BadInputError(path or "declaration", raw, Text("Use a JSON object: names and values in braces."))
        self._raw: Mapping[str, object] = raw
        self._path = path
        self._known: list[str] = []

    def name(self, key: str) -> str:
        """The full name of a field, as errors show it: ``attack.dice``."""
        return f"{self._path}.{key}" if self._path else key

    def has(self, key: str) -> bool:
        """Whether the field exists and is not ``null``."""
        return self.take_raw(key) is not None

    def take_raw(self, key: str, default: object = None) -> object:
        """Return the field unchecked; the default if missing. Never raises."""
        self._known.append(key)
        given = self._raw.get(key)
        return default if given is None else given

    def take_whole_number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number from ``least`` to ``most``. Without ``default`` it is required."""
        given = self.take_raw(key)
        if given is None and default is not None:
            return default
        return check_whole_number(self.name(key), given, least, most)

    def flag(self, key: str, default: bool = False) -> bool:
        """True or false; 1 and 0 are allowed too."""
        given = self.take_raw(key, default)
        if given not in (0, 1) or isinstance(given, float):
            raise BadInputError(self.name(key), given, Text("Use true or false."))
        return bool(given)

    def word(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        """Read one of ``allowed``, in any case. Without ``default`` it is required."""
        given = self.take_raw(key)
        if given is None and default is not None:
            return default
        for word in allowed:
            if isinstance(given, str) and given.strip().lower() == word.lower():
                return word
        raise BadInputError(self.name(key), given, AllowedWords(tuple(allowed)))

    def text(self, key: str, longest: int, default: str = "") -> str:
        """A text of at most ``longest`` characters."""
        given = self.take_raw(key, default)
        if not isinstance(given, str) or len(given) > longest:
            allowed = Text("Use a text of at most {longest} characters.", longest=longest)
            raise BadInputError(self.name(key), given, allowed)
        return given

    def wholes(self, key: str, least: int, most: int, longest: int) -> tuple[int, ...]:
        """Read a list of at most ``longest`` whole numbers; empty if missing."""
        name = self.name(key)
        numbered = enumerate(self.items(key, longest))
        return tuple(check_whole_number(f"{name}[{i}]", item, least, most) for i, item in numbered)

    def items(self, key: str, longest: int) -> Sequence[object]:
        """Read a list of at most ``longest`` items, unchecked; empty if missing."""
        given = self.take_raw(key, ())
        if not isinstance(given, list | tuple) or len(given) > longest:
            raise BadInputError(self.name(key), given, Text("Use a list of at most {longest}.", longest=longest))
        return given

    def take_object(self, key: str) -> "JsonReader":
        """Return a reader for a nested object, empty if missing. Call its ``check_all_taken`` too."""
        return JsonReader(self.take_raw(key, {}), self.name(key))

    def check_all_taken(self, *declaring_nothing: str) -> None:
        """Raise ``UnknownWordError`` for a key that was not taken, with the nearest one. ``declaring_nothing``: keys
        allowed without effect, such as an answer's or a case's name.
        """
        for key in self._raw:
            if key not in {*self._known, *declaring_nothing}:
                known = tuple(dict.fromkeys(self._known))
                wanted = AllowedWords(known, Text("You can use {known}.", known=Code(", ".join(known))))
                raise UnknownWordError(self._path or "declaration", str(key), wanted)


def check_whole_number(name: Text | str, given: object, least: int, most: int) -> int:
    """Return ``given`` if it is a whole number in range, not true, 1.5 or "3". Raises ``BadInputError``."""
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise BadInputError(name, given, WholeNumber(least, most))
    return given


def parse_json(text: str) -> object:
    """Parse JSON. Raises ``ValueError`` for bad JSON, duplicate keys, and NaN; ``RecursionError``."""
    return json.loads(text, parse_constant=refuse_constant, object_pairs_hook=without_duplicates)


def refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number here")


def without_duplicates(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Return an object from its pairs. Raises ``ValueError`` for a duplicate key, which is ambiguous."""
    result = dict[str, object]()
    for name, value in pairs:
        if name in result:
            raise ValueError(f"{english(quote_value(name))} is there twice")
        result[name] = value
    return result
