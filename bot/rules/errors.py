"""Errors that a player can fix. Each class holds the facts, and its text is a sentence to show."""

import copyreg
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from types import TracebackType
from typing import Any, Final

from bot.rules import text as texts
from bot.rules.name import one_line
from bot.rules.text import EMPTY, N_, OPTION, Code, Names, Noun, Place, Renamed, Sentences, Shown, Text, english, joined

ALIKE: Final = 0.65
"""Minimum similarity of a suggested word."""
LOOKED_AT: Final = 400
"""Maximum characters of a value read for quoting; a file's value may have a million."""


MAX_SHOWN: Final = 6
"""Maximum number of errors shown at once."""


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """Valid: a whole number from ``least`` to ``most``."""

    least: int
    most: int
    sentence: Text | None = None


@dataclass(frozen=True, slots=True)
class AllowedWords:
    """Valid: one of these words. ``sentence`` replaces a long list; ``is_list``: it is one, for which a near word
    stands.
    """

    words: tuple[str, ...]
    sentence: Text | None = None
    is_list: bool = False


CHARACTER: Final = Noun("character", "characters")


@dataclass(frozen=True, slots=True)
class AtMost:
    """Valid: up to a maximum, of characters unless another noun is given."""

    most: int
    noun: Noun = CHARACTER
    sentence: Text | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """Valid: an example, as typed."""

    words: str
    sentence: Text | None = None


Fact = WholeNumber | AllowedWords | AtMost | Example
"""Valid values named by an error; ``sentence``, if present, replaces the usual one."""


def fact_sentence(fact: Fact | Text) -> Text:
    """Return a fact's sentence; a text is one already."""
    if isinstance(fact, Text):
        return fact
    if fact.sentence is not None:
        return fact.sentence
    match fact:
        case WholeNumber(least, most) if least == most:
            return Text("Use {number}.", number=least)
        case WholeNumber(least, most):
            return Text("Use a whole number from {least} to {most}.", least=least, most=most)
        case AllowedWords(words):
            return Text("Use {words}.", words=Names([Code(f"`{word}`") for word in words], "or"))
        case AtMost(most, noun):
            return Text("Use at most {count}.", count=noun.of(most))
        case Example(words):
            return Text("Example: `{words}`.", words=Code(words))


class PlayerError(Exception):
    """A player's error of input or timing, created like a ``Text``: ``PlayerError("Remove {piece}.", piece=name)``."""

    def __init__(self, text: Text | str, /, **places: Place) -> None:
        super().__init__(text if isinstance(text, Text) else Text(texts.Message(text), **places))

    @cached_property
    def text(self) -> Text:
        text: Text = self.args[0]
        return text

    def __str__(self) -> str:
        return english(self.text)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with sentence and facts, for errors raised in another process; exceptions are usually pickled as a
        call with their sentence.
        """
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]  # pickle's own


class BadInputError(PlayerError):
    """A field's value is not allowed.

    ``field``: its displayed name; a plain string is an option's, or a JSON path. ``given``: its value, None if missing,
    quoted if large: the error may be pickled and stored. ``wanted``: valid values as facts, sentences, or both:
    ``BadInput("dice", 9, Whole(1, 6))`` says "`dice` was `9`. Use a whole number from 1 to 6."
    """

    def __init__(self, field: Text | str, given: object, *wanted: Text | Fact) -> None:
        is_short = not hasattr(given, "__len__") or (isinstance(given, str) and len(given) <= LOOKED_AT)
        self.field = Code(field[:LOOKED_AT]) if isinstance(field, str) else field
        self.given, self.wanted = given if is_short else quote_value(given), wanted
        message = N_("`{field}` was missing.") if given is None else N_("`{field}` was {given}.")
        super().__init__(
            Sentences([Text(message, field=self.field, given=quote_value(given)), *map(fact_sentence, wanted)])
        )


class UnknownWordError(PlayerError):
    """A typed word is unknown. ``word``: "" if the text ends too early. ``wanted``: valid values as facts or sentences.
    ``near``: the nearest word of an ``AllowedWords`` in it, or None.
    """

    def __init__(self, field: str, word: str, *wanted: Text | Fact) -> None:
        self.field, self.word, self.wanted = Code(field), word, wanted

    @cached_property
    def near(self) -> str | None:
        known = [item for fact in self.wanted if isinstance(fact, AllowedWords) for item in fact.words]
        return nearest(self.word[:LOOKED_AT].lower(), known)

    @cached_property
    def text(self) -> Text:
        """Return the sentences, built on demand: of fifty unknown words only the first few are shown."""
        hint = [Text("Did you mean `{near}`?", near=Code(self.near))] if self.near else []
        message = N_("I don't understand {word} in `{field}`.") if self.word else N_("`{field}` ends too early.")
        head = Text(message, field=self.field, word=quote_value(self.word))
        facts = (fact for fact in self.wanted if not (hint and isinstance(fact, AllowedWords) and fact.is_list))
        return Sentences([head, *hint, *map(fact_sentence, facts)])


def nearest(word: str, known: Iterable[str], alike: float = ALIKE) -> str | None:
    """Return the known word most like a typed one, or None; other lengths are skipped, as comparing is slow."""
    fits = [item for item in known if 2 * min(len(word), len(item)) >= alike * (len(word) + len(item))]
    return next(iter(get_close_matches(word, fits, n=1, cutoff=alike)), None)


def with_field_names(error: PlayerError, names: Mapping[str, Shown]) -> PlayerError:
    """Return the error with its fields' displayed names: labels of a form or page, or a command's options, by field."""
    if isinstance(error, CombinedError):
        return CombinedError(error.count, [with_field_names(player_error, names) for player_error in error.first])
    result, text = copy(error), rename_fields(error.text, names)
    result.args, result.__dict__["text"] = (text,), text  # some errors build their text on demand
    return result


def rename_fields(text: Any, names: Mapping[str, Shown]) -> Any:
    """Replace a text's options and ``{field}`` places by their names, at any depth."""
    if isinstance(text, Sentences):
        return Sentences((rename_fields(part, names) for part in text.places["texts"]), text.message)
    if type(text) is not Text:
        return text
    places = {name: rename_fields(part, names) for name, part in text.places.items()}
    if isinstance(field := places.get("field"), Code):
        places["field"] = names.get(field, field)
    labels = {f"`{option}`": names[option] for option in OPTION.findall(text.message) if option in names}
    return Renamed(text.message, **places, **labels) if labels else Text(text.message, **places)


class BadTextError(PlayerError):
    """An unusable text; the sentence says what would do."""


class NotUnderstoodError(BadTextError):
    """An unparsable text: the first ``sign`` not understood ("" at the end), and the ``nearest`` valid text, with
    everything typed, "" if none. ``field``: the displayed name of the input.
    """

    def __init__(self, sentence: Text, field: str, sign: str, nearest: str) -> None:
        super().__init__(sentence)
        self.field, self.sign, self.nearest = field, sign, nearest


class AmbiguousTextError(PlayerError):
    """A text with two readings: ``choices`` as unambiguous texts, ``names`` of each, ``field``: displayed name."""

    def __init__(self, sentence: Text, field: str, choices: tuple[str, ...], names: tuple[Text, ...]) -> None:
        super().__init__(sentence)
        self.field, self.choices, self.names = field, choices, names


class CombinedError(PlayerError):
    """Several errors in a text, in order: their ``count``, and the ``first`` that fit in a message."""

    def __init__(self, count: int, first: Sequence[PlayerError]) -> None:
        self.count, self.first = count, tuple(first)
        self.head = Text("{count} things are wrong:", count=count)
        if count > MAX_SHOWN:
            self.head = Text("{count} things are wrong. The first {most}:", count=count, most=MAX_SHOWN)
        lines = [joined(Code("-"), error.text) for error in first]
        super().__init__(Sentences([self.head, *lines], "\n"))


class Collector:
    """Continues after errors, so that all can be reported together.

    ```
    with Collector() as wrong:
        for text in texts:
            with wrong.also():
                read(text)
    ```

    At its end it raises the only error, or ``CombinedError``. Duplicates count once.
    """

    def __init__(self) -> None:
        self._first: list[PlayerError] = []
        self._known: set[int] = set()
        """Hashes of the errors so far: a file may have a hundred thousand."""
        self._more = 0
        """Errors counted by a nested ``CombinedError``."""

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Collect an error raised inside, and continue."""
        try:
            yield
        except PlayerError as error:
            self.add(error)

    def add(self, error: PlayerError) -> None:
        if isinstance(error, CombinedError):
            self._more += error.count - len(error.first)
        for player_error in error.first if isinstance(error, CombinedError) else (error,):
            facts = hash(player_error.args)
            if len(self._first) < MAX_SHOWN and facts not in self._known:
                self._first.append(player_error)
            self._known.add(facts)

    @property
    def count(self) -> int:
        return len(self._known) + self._more

    def __enter__(self) -> "Collector":
        return self

    def __exit__(self, _: type[BaseException] | None, raised: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(raised, PlayerError):
            self.add(raised)
        elif raised is not None:
            return
        if self.count > 1:
            raise CombinedError(self.count, self._first) from None
        if self._first:
            raise self._first[0] from None


class UnpayableCostError(PlayerError):
    """The declarer can't pay a cost; nothing was rolled."""


MENDABLE: Final = (BadInputError, UnknownWordError, BadTextError, AmbiguousTextError, CombinedError, UnpayableCostError)
"""Errors of typed text, which can be retyped."""


class NotAllowedNowError(PlayerError):
    """The current situation at the table forbids a valid request; it may be allowed later."""


class NotOfferedError(PlayerError):
    """The rules do not allow this choice now."""

    def __init__(self, reason: Text = EMPTY, next_step: Text = EMPTY) -> None:
        first = reason or Text("That isn't possible now.")
        then = next_step or Text("Look at the newest card and choose from its buttons.")
        super().__init__(Sentences([first, then]))


def quote_value(given: object) -> Shown:
    """Quote a value in short, safe backticks; a text is returned unchanged."""
    if isinstance(given, Text):
        return given
    text = given if isinstance(given, str) else repr(given)
    seen = one_line(text[:LOOKED_AT], LOOKED_AT + 2)
    return Code(f"`{one_line(seen, 40)}{'…' if len(seen) > 40 else ''}`") if seen else Text("empty")
