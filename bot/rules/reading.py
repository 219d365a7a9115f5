"""Reads a declaration from plain JSON words: every rejection names the field, what it was, and what is allowed."""

import json
from collections.abc import Mapping, Sequence
from typing import NoReturn

from bot.rules.errors import BadInput, BadWord, shown


class Reader:
    """One JSON object being read. Take each field by name, then call ``done`` so that a misspelt key is refused."""

    def __init__(self, raw: object, path: str = "") -> None:
        if not isinstance(raw, Mapping):
            raise BadInput(path or "declaration", raw, 'a JSON object like {"dice": 3}')
        self._raw: Mapping[str, object] = raw
        self._path = path
        self._known: list[str] = []

    def name(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key

    def has(self, key: str) -> bool:
        self._known.append(key)
        return self._raw.get(key) is not None

    def raw(self, key: str) -> object:
        self._known.append(key)
        return self._raw.get(key)

    def whole(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number from ``least`` to ``most``; without ``default`` it must be there."""
        given = self.raw(key)
        return default if given is None and default is not None else whole(self.name(key), given, least, most)

    def flag(self, key: str, default: bool = False) -> bool:
        given = self.raw(key)
        if given is None:
            return default
        if given not in (0, 1) or isinstance(given, float):
            raise BadInput(self.name(key), given, "true or false")
        return bool(given)

    def word(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        """One of ``allowed``, whatever its case; without ``default`` it must be there."""
        given = self.raw(key)
        if given is None and default is not None:
            return default
        for word in allowed:
            if isinstance(given, str) and given.strip().lower() == word.lower():
                return word
        raise BadInput(self.name(key), given, "one of " + ", ".join(allowed))

    def text(self, key: str, longest: int, default: str = "") -> str:
        given = self.raw(key)
        if given is None:
            return default
        if not isinstance(given, str) or len(given) > longest:
            raise BadInput(self.name(key), given, f"a text of at most {longest} characters")
        return given

    def wholes(self, key: str, least: int, most: int, longest: int) -> tuple[int, ...]:
        """A list of whole numbers; empty when missing."""
        name = self.name(key)
        return tuple(whole(f"{name}[{i}]", item, least, most) for i, item in enumerate(self.items(key, longest)))

    def items(self, key: str, longest: int) -> Sequence[object]:
        """A list of at most ``longest``; empty when missing."""
        given = self.raw(key)
        if given is None:
            return ()
        if not isinstance(given, list | tuple) or len(given) > longest:
            raise BadInput(self.name(key), given, f"a list of at most {longest}")
        return given

    def part(self, key: str) -> "Reader":
        """A nested object; an empty one when missing."""
        given = self.raw(key)
        return Reader({} if given is None else given, self.name(key))

    def done(self) -> None:
        """Refuse any key that nobody asked for."""
        for key in self._raw:
            if key not in self._known:
                known = tuple(dict.fromkeys(self._known))
                raise BadWord(self._path or "declaration", str(key), f"It knows {', '.join(known)}.", known)


def whole(name: str, given: object, least: int, most: int) -> int:
    """``given`` as a whole number from ``least`` to ``most``; true, 1.5 and "3" are none."""
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise BadInput(name, given, f"a whole number from {least} to {most}")
    return given


def parse_json(text: str) -> object:
    """What JSON says, where it says it once and with numbers. Raises ``ValueError`` or ``RecursionError``."""
    return json.loads(text, parse_constant=refuse_constant, object_pairs_hook=without_duplicates)


def refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number here")


def without_duplicates(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """An object; of two values under one name nobody could say which is meant."""
    found = dict[str, object]()
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{shown(name)} stands there twice")
        found[name] = value
    return found
