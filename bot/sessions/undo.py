"""Who may take what back: alone only what nobody learned anything from, the rest with somebody's consent.

Source: a die that fell was seen. Whoever takes it back knows what comes, so the other side, or a GM, decides; at a
sealed table the other side alone.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

from bot.games import GAMES
from bot.rules.dice import How, Rolled
from bot.rules.errors import PlayerError
from bot.rules.game import Rules
from bot.rules.text import N_, Count, Message, Sentences, Text, Words
from bot.sessions import codec
from bot.sessions.place import Person
from bot.sessions.roll import Address
from bot.sessions.steps import REVEAL, sentence_of
from bot.store.history import Happened
from bot.store.people import FORGOTTEN
from bot.store.sessions import Ply

FALLS: Final[tuple[How, ...]] = ("rolled", "entered", "added", "rerolled")
"""What happens to a die that shows everybody a face which nobody knew before."""


class Lapsed(PlayerError):
    """A request to take something back that was answered, or that something came after."""

    def __init__(self) -> None:
        super().__init__(Text("This request is no longer open: it was answered, or somebody has gone on playing."))


class NotYourAnswer(PlayerError):
    """Somebody answers a request who is not asked."""

    def __init__(self, *, by_gm: bool = True) -> None:
        sentence = Text("You cannot answer this request: the other side or a GM must.")
        sealed = Text("You cannot answer this request: at a sealed table the other side must, and a GM cannot.")
        super().__init__(sentence if by_gm else sealed)


class Refused(PlayerError):
    """Somebody asks again for what was refused, though nothing has happened since."""

    def __init__(self, *, by_gm: bool = True) -> None:
        sentence = Text(
            "This was refused. You can ask again once something new has happened on this roll; a "
            "GM can still take it back."
        )
        sealed = Text("This was refused. You can ask again once something new has happened on this roll.")
        super().__init__(sentence if by_gm else sealed)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: its address, what would be taken back in words, and the people who may answer.

    ``people`` are their numbers; where there are none, anybody but the one who asks may answer. ``by_gm``: a GM may
    as well. ``is_repeated``: the same request is shown once more, and nobody has to be called again.
    """

    request: Address
    what: Words
    people: tuple[int, ...]
    by_gm: bool = True
    is_repeated: bool = False


def fallen(rules: Rules, before: Any | None, after: Any) -> Counter[How]:
    """How many dice a ply let fall, by how they came."""
    falls = Counter(how_each_fell(rules.rolled(after)))
    falls.subtract(how_each_fell(rules.rolled(before)) if before is not None else ())
    return +falls


def how_each_fell(dice: Iterable[Rolled]) -> Iterable[How]:
    return (step.how for die in dice for step in die.trail if step.how in FALLS)


def is_quiet(last: Happened, before: Ply | None) -> bool:
    """Whether a ply let no die fall and opened no plan, and so showed nobody anything new."""
    if last.game not in GAMES:
        return last.ply.offer != REVEAL and not codec.read_draws(last.ply.draws)
    return not codec.read_draws(last.ply.draws) and not falls_of(last, before)


def falls_of(last: Happened, before: Ply | None) -> Counter[How]:
    """The same for stored plies; nothing for states that can no longer be read."""
    rules = GAMES[last.game].rules
    try:
        states = [one and codec.read_state(rules, one.schema, one.state) for one in (before, last.ply)]
    except codec.Outdated:
        return Counter()
    return fallen(rules, *states)


FELL: Final[Mapping[How, Message]] = {
    "rolled": N_("rolled {dice}"),
    "entered": N_("entered {dice}"),
    "added": N_("added {dice}"),
    "rerolled": N_("rerolled {dice}"),
}


def words(last: Happened, before: Ply | None) -> Text:
    """What would be taken back: ``Lock: reroll 2 dice, rerolled 2 dice``."""
    if last.game not in GAMES:
        return sentence_of(last.ply) or Text("a press")
    if sentence := sentence_of(last.ply):
        return sentence
    falls = falls_of(last, before)
    if before is None:
        game, message = GAMES[last.game], N_("the {game} roll of {dice}")
        message = N_("the roll of {dice}") if game.is_general else message
        return Text(message, game=game.title, dice=Count(falls.total(), "die", "dice"))
    fell = [Text(FELL[how], dice=Count(count, "die", "dice")) for how, count in falls.items()]
    return Sentences([label_of(last, before), *fell], ", ")


def label_of(last: Happened, before: Ply) -> Words:
    """What stood on the button that was pressed, as far as that can still be told."""
    rules = GAMES[last.game].rules
    try:
        offers = rules.offers(codec.read_state(rules, before.schema, before.state))
    except codec.Outdated:
        offers = ()
    return next((offer.label for offer in offers if offer.key == last.ply.offer), Text("the last press"))


def may_ask(by: Person, author: int, seated: Collection[int], *, is_gm: bool) -> bool:
    """Whether somebody has a say in what is taken back: who pressed, who sits there, a GM."""
    return is_gm or by.id == author or by.id in seated


def is_alone(by: Person, author: int, seated: Collection[int], *, quiet: bool, is_gm: bool) -> bool:
    """Whether somebody takes a ply back without asking: their own quiet press, or as a GM who does not play."""
    return (by.id == author and quiet) or (is_gm and by.id != author and by.id not in seated)


def asked(by: int, author: int, seated: Collection[int]) -> tuple[int, ...]:
    """Who is asked: the others who sit there, and who pressed."""
    return tuple(dict.fromkeys(one for one in (*seated, author) if one not in (by, FORGOTTEN)))


def who_agree(asker: int, side: Set[int], others: Set[int]) -> tuple[int, ...]:
    """One of whom must agree that seen dice of a ``side`` are taken back at a sealed table, though nobody trusts a GM.

    ``others`` are the other side, or who else plays. The other side always has a say: as those who ask, or who agree.
    """
    people = side if asker in others or not others else others
    return tuple(sorted(people - {asker, FORGOTTEN}))


def may_answer(person: Person, asker: int, people: Collection[int], *, is_gm: bool) -> bool:
    """Nobody allows their own request; the people who are asked may, a GM may, and where nobody is asked anybody."""
    return person.id != asker and (is_gm or person.id in people or not people)
