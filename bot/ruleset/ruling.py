"""Precedence of rulesets (a player's preference, the channel's, the server's, the default), and refusals.

A locked setting ignores preferences; the channel's value still precedes the server's. A thread follows its channel in
every setting that it does not set itself.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic

from bot.games import Game
from bot.rules.dice import Rolled, list_typists
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import FREE, Field, Offer, RequiredSetting
from bot.rules.text import N_, Code, Message, Text, term
from bot.ruleset.settings import BY_HAND, GAMES_OFF, GM_ROLE, MOST_DICE, REROLLS, SEALED, SETTINGS, Setting, T, Value


class Source(StrEnum):
    """The origin of a value, nearest first."""

    PERSON = Text("your preference")
    THREAD = Text("this thread")
    CHANNEL = Text("this channel")
    SERVER = Text("this server")
    BUILT_IN = Text("default")


@dataclass(frozen=True, slots=True)
class Rule:
    """One setting in a ruleset: its JSON value, and whether it is locked against preferences."""

    value: Value
    locked: bool = False


Ruleset = Mapping[str, Rule]


@dataclass(frozen=True, slots=True)
class RuledValue(Generic[T]):
    """The effective value, its source, and the ruleset that locked it, if any."""

    value: T
    source: Source
    locked_by: Source | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """The settings for one person in one place: all applicable rulesets, nearest first."""

    layers: tuple[tuple[Source, Ruleset], ...] = ()

    def __getitem__(self, setting: Setting[T]) -> T:
        return self.lookup(setting).value if self.layers else setting.built_in

    def lookup(self, setting: Setting[T]) -> RuledValue[T]:
        """Return the value and its source, skipping stored values that are no longer valid."""
        chosen = [(source, rules[setting.key]) for source, rules in self.layers if setting.key in rules]
        locked = next((source for source, rule in chosen if rule.locked and source is not Source.PERSON), None)
        for source, rule in chosen:
            if source is Source.PERSON and (locked or not setting.personal):
                continue
            try:
                return RuledValue(setting.check(rule.value), source, locked)
            except BadInputError:
                continue
        return RuledValue(setting.built_in, Source.BUILT_IN, locked)

    def words(self, game: str) -> dict[str, object]:
        """Return the values that fill a game's declarations, without defaults, which the game has itself."""
        filled = ((setting, *setting.fills) for setting in SETTINGS if setting.fills is not None)
        ruled = {word: self.lookup(setting) for setting, of, word in filled if of == game}
        chosen = {word: item.value for word, item in ruled.items() if item.source is not Source.BUILT_IN}
        return {word: value for word, value in chosen.items() if value != FREE}


BUILT_IN = Ruling()


# Refusals


def check_game(ruling: Ruling, game: Game) -> None:
    """Raise ``PlayerError`` for a switched-off game, naming who can switch it on."""
    if game.key in ruling[GAMES_OFF]:
        message = N_(
            "{game} is turned off in {source}. To play it, ask {who_decides} to type `/ruleset set "
            "setting: {setting}` and leave it off that list."
        )
        raise refusal(ruling, GAMES_OFF, message, game=game.title, setting=GAMES_OFF.title)


def check_locked(
    ruling: Ruling, game: Game, given: Mapping[str, object], *, is_gm: bool, typed_words: Collection[str] = ()
) -> None:
    """Raise ``PlayerError`` for a value of a locked setting, unless it is from a GM. ``typed_words``: the words that
    values were typed for; any other value is a word of a text.
    """
    for setting in SETTINGS if not is_gm else ():
        word = setting.fills[1] if setting.fills is not None and setting.fills[0] == game.key else ""
        ruled = ruling.lookup(setting)
        if word in given and ruled.locked_by is not None and given[word] != ruled.value != FREE:
            message = N_("{setting} is locked by {locked_by}: it is {ruled}. Leave `{word}` out, or ask {who_decides}.")
            value, locked_by = setting.words(ruled.value), term(str(ruled.locked_by))
            typed = word if word in typed_words else str(given[word])
            places = {"setting": setting.title, "locked_by": locked_by, "ruled": value, "word": Code(typed)}
            raise refusal(ruling, setting, message, **places)


def check_repeated(ruling: Ruling, game: Game, declared: object, *, is_gm: bool) -> None:
    """Raise ``PlayerError`` for a roll declared before a setting was locked to another value, unless it is a GM's."""
    words = [setting.fills[1] for setting in SETTINGS if setting.fills is not None and setting.fills[0] == game.key]
    given = {word: getattr(declared, word) for word in words if hasattr(declared, word)}
    check_locked(ruling, game, given, is_gm=is_gm, typed_words=words)


def check_count(ruling: Ruling, count: int) -> None:
    """Raise ``PlayerError`` for more dice than a ruleset allows."""
    if count > ruling[MOST_DICE]:
        message = N_(
            "That's {count} dice, but {source} allows at most {ruled} per roll. Roll fewer at once, or "
            "ask {who_decides} to allow more."
        )
        raise refusal(ruling, MOST_DICE, message, count=count, ruled=ruling[MOST_DICE])


def check_by_hand(ruling: Ruling, before: Iterable[Rolled], after: Iterable[Rolled]) -> None:
    """Raise ``PlayerError`` for newly typed dice, if not allowed; those typed earlier may stay."""
    if len(list_typists(after)) > len(list_typists(before)):
        check_may_type(ruling)


def check_forced(game: Game, before: Any, after: Any, *, is_gm: bool) -> None:
    """Raise ``PlayerError`` if a non-GM declares a roll that only a GM may make."""
    if game.forced is None or is_gm:
        return
    if game.forced(after) > (0 if before is None else game.forced(before)):
        raise PlayerError(
            Text("Only a GM can use `anyway`: someone with the Manage Channels permission. Ask one, or leave it out.")
        )


def check_camera(ruling: Ruling, game: Game, words: Collection[str]) -> None:
    """Raise ``PlayerError`` for dice that are rolled by hand later, if not allowed."""
    if not set(game.by_hand_words).isdisjoint(words):
        check_may_type(ruling)


def check_offer(ruling: Ruling, offer: Offer) -> None:
    """Raise ``PlayerError`` for an offer of physical dice or a reroll, if not allowed."""
    if offer.leave is RequiredSetting.BY_HAND:
        check_may_type(ruling)
    if offer.leave is RequiredSetting.REROLLS and not ruling[REROLLS]:
        message = N_("Finished rolls can't be rerolled in {source}. To change that, ask {who_decides}.")
        raise refusal(ruling, REROLLS, message)


def check_may_type(ruling: Ruling) -> None:
    if not ruling[BY_HAND]:
        message = N_(
            "Dice rolled by hand aren't allowed in {source}. Leave them out and I'll roll. Only "
            "{who_decides} can allow them."
        )
        raise refusal(ruling, BY_HAND, message)


def allowed_offers(ruling: Ruling, offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return the offers without those of physical dice and rerolls, if not allowed."""
    allows = {RequiredSetting.BY_HAND: ruling[BY_HAND], RequiredSetting.REROLLS: ruling[REROLLS]}
    return tuple(offer for offer in offers if offer.leave is None or allows[offer.leave])


def allowed_fields(ruling: Ruling, fields: Iterable[Field]) -> tuple[Field, ...]:
    """Drop a form's fields for physical dice if not allowed; required ones stay, as they were rolled."""
    if ruling[BY_HAND]:
        return tuple(fields)
    kept = (field for field in fields if field.required or not field.by_hand)
    return tuple(
        replace(field, options=tuple(option for option in field.options if not option.by_hand)) for field in kept
    )


def check_sealed(ruling: Ruling, *, is_sealed: bool) -> None:
    """Raise ``PlayerError`` for dice at an unsealed table, if a ruleset requires a seal."""
    if ruling[SEALED] and not is_sealed:
        message = N_(
            "In {source}, I roll only at sealed tables. Type `/table seal`, give your seed words, and "
            "seal the table. Then roll."
        )
        raise refusal(ruling, SEALED, message)


def refusal(ruling: Ruling, of: Setting[Any], message: Message, **places: Any) -> PlayerError:
    """Refuse by a setting; a message may use ``source``, the value's origin, and ``who_decides``: an admin or a GM."""
    source = ruling.lookup(of).source
    role = ruling[GM_ROLE]
    gm = Text("a GM (someone with the Manage Channels permission)")
    if role:
        gm = Text("a GM ({role} or someone with the Manage Channels permission)", role=Code(f"<@&{role}>"))
    who = Text("someone with the Manage Server permission, or {gm} for this channel only", gm=gm)
    return PlayerError(Text(message, source=source, who_decides=who if source is Source.SERVER else gm, **places))
