"""Rules of undo: people may undo alone what revealed nothing; everything else needs consent.

Reason: a rolled die was seen. Someone who undoes it knows what comes, so the other side or a GM decides; at a sealed
table the other side alone. A shown secret is undone if its owner agrees, or, if the owner asks, the other side.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass
from typing import Final

from bot.games import GAMES
from bot.rules.dice import How
from bot.rules.errors import PlayerError
from bot.rules.text import N_, Count, Message, Sentences, Shown, Text
from bot.sessions import codec
from bot.sessions.request import Person
from bot.sessions.roll import Address
from bot.store.history import HistoryRow
from bot.store.people import FORGOTTEN
from bot.store.sessions import Newest, Ply


class RequestExpiredError(PlayerError):
    """A request that was answered, or that something came after."""

    def __init__(self) -> None:
        super().__init__(Text("This request is no longer open: it was answered, or the game has moved on."))


NOT_YOUR_ANSWER: Final = {
    True: Text("You can't answer this request. The other side or a GM must."),
    False: Text("You can't answer this request. The other side must, and a GM can't answer for them."),
}
"""Refusals for people who aren't asked, by whether a GM may answer."""
REFUSED: Final = {
    True: Text(
        "This was refused. You can ask again once something new has happened on this roll; a GM can still take it back."
    ),
    False: Text("This was refused. You can ask again once something new has happened on this roll."),
}
"""Refusals for asking again when nothing has happened since."""


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """An undo request: its address, the undone event in words, and the people who may answer. ``people``: their
    numbers; if empty, anybody but the asker may answer. ``by_gm``: a GM may as well. ``is_repeated``: shown once more,
    so nobody is mentioned again.
    """

    request: Address
    what: Shown
    people: tuple[int, ...]
    by_gm: bool = True
    is_repeated: bool = False


FELL: Final[Mapping[How, Message]] = {
    "rolled": N_("rolled {dice}"),
    "entered": N_("entered {dice}"),
    "added": N_("added {dice}"),
    "rerolled": N_("rerolled {dice}"),
}
"""Ways in which a die shows everyone a new face, and their words."""


@dataclass(frozen=True, slots=True)
class LastPly:
    """The last event in a channel that can be undone: ``done``. ``now``: its session; ``before``: the previous ply of a
    roll, None for the first one and for a table step. ``seated``: the people on the roll's sides, or at the table.
    """

    done: HistoryRow
    now: Newest
    before: Ply | None
    seated: Collection[int]

    @property
    def ply(self) -> Ply:
        return self.done.ply

    def is_involved(self, person: int) -> bool:
        """Whether a person made it, or sits there."""
        return person in (self.ply.person_id, *self.seated)

    @property
    def count_new_dice(self) -> Counter[How]:
        """Number of dice it rolled, by how; none in a step, or if the states can no longer be read."""
        if self.done.game not in GAMES:
            return Counter()
        rules = GAMES[self.done.game].rules
        try:
            states = [ply and codec.read_state(rules, ply.schema, ply.state) for ply in (self.before, self.ply)]
        except codec.OutdatedStateError:
            return Counter()
        dice = ((rules.rolled(state) if state is not None else ()) for state in states)
        before, after = (Counter(step.how for die in item for step in die.trail if step.how in FELL) for item in dice)
        return after - before

    @property
    def is_quiet(self) -> bool:
        """Whether it revealed nothing new: no die was rolled and no plan was opened."""
        is_reveal = self.done.game not in GAMES and self.ply.offer == codec.REVEAL
        return not is_reveal and not codec.read_draws(self.ply.draws) and not self.count_new_dice

    @property
    def words(self) -> Text:
        """Describe what would be undone: ``Lock: reroll 2 dice, rerolled 2 dice``."""
        if (sentence := codec.sentence_of(self.ply)) or self.done.game not in GAMES:
            return sentence or Text("a press")
        if self.before is None:
            game, message = GAMES[self.done.game], N_("the {game} roll of {dice}")
            message = N_("the roll of {dice}") if game.is_general else message
            return Text(message, game=game.title, dice=Count(self.count_new_dice.total(), "die", "dice"))
        fell = [Text(FELL[how], dice=Count(count, "die", "dice")) for how, count in self.count_new_dice.items()]
        return Sentences([self._label(self.before), *fell], ", ")

    def _label(self, before: Ply) -> Shown:
        """Return the label of the pressed button, as far as it is still known."""
        rules = GAMES[self.done.game].rules
        try:
            offers = rules.offers(codec.read_state(rules, before.schema, before.state))
        except codec.OutdatedStateError:
            offers = ()
        return next((offer.label for offer in offers if offer.key == self.ply.offer), Text("the last press"))

    def is_free(self, by: int, *, is_gm: bool) -> bool:
        """Whether a person may undo it without asking: their own quiet press, or as a GM who does not play."""
        return (by == self.ply.person_id and self.is_quiet) or (is_gm and not self.is_involved(by))

    def people_to_ask(self, by: int) -> tuple[int, ...]:
        """Return the people to ask: others who sit there, and who pressed."""
        return tuple(dict.fromkeys(item for item in (*self.seated, self.ply.person_id) if item not in (by, FORGOTTEN)))


def who_agree(asker: int, side: Set[int], others: Set[int]) -> tuple[int, ...]:
    """Return people of whom one must agree to undo a ``side``'s seen dice at a sealed table. ``others``: the other
    side, or other players. The other side is always involved: it asks, or agrees.
    """
    people = side if asker in others or not others else others
    return tuple(sorted(people - {asker, FORGOTTEN}))


def may_answer(person: Person, asker: int, people: Collection[int], *, is_gm: bool) -> bool:
    """Whether a person may answer a request: not their own; people asked and GMs may; if none is asked, anyone."""
    return person.id != asker and (is_gm or person.id in people or not people)
