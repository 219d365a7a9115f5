"""The table of a channel as a card: every game's pieces, and open rolls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.languages.translate import translate
from bot.render import plain_text
from bot.render.card import Ahead, Card, Figure
from bot.rules.text import EMPTY, Count, Name, Names, Noun, Sentences, Shown, Text, bracketed

TITLE: Final = Text("The table")
MAX_FACTS: Final = 23
"""Maximum fields: an embed has 25, one for the open rolls, one for pieces without their own."""
MAX_TEXT: Final = 3500
"""Maximum characters of all facts: an embed has 6000, and escaping Markdown adds some."""


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """One game's pieces with their lines.

    ``title``: the game's ("" for dice of any game); a piece's noun is ``ship`` or the like. ``summary``: the game's
    status as a sentence. ``figure``: the pieces as a picture, equivalent to the lines. ``size``: number of pieces, None
    for that of ``facts``.
    """

    title: Shown
    piece: Noun
    facts: tuple[tuple[Shown, Shown], ...]
    summary: Shown = EMPTY
    figure: Figure | None = None
    size: int | None = None

    @property
    def lines(self) -> tuple[tuple[Shown, Shown], ...]:
        return self.facts if self.figure is None else ()


def board(groups: Sequence[PieceGroup], open_rolls: int) -> Card:
    """Return everything in play, and the number of open rolls. A game with a picture has the board to itself."""
    drawn = next((group for group in groups if group.figure is not None), None)
    shown = [drawn] if drawn is not None else groups
    every = [fact for group in shown for fact in group.lines]
    if len(every) > MAX_FACTS:
        every = [*every[:MAX_FACTS], (Text("And more"), Sentences((name for name, _ in every[MAX_FACTS:]), ", "))]
    longest = MAX_TEXT // max(1, len(every))
    cut = ((name, lines, translate(lines)) for name, lines in every)
    every = [(name, lines if len(said) <= longest else Name(f"{said[: longest - 1]}…")) for name, lines, said in cut]
    figure = drawn.figure if drawn is not None else None
    outcome = Sentences([*(group.summary for group in shown), count_sentence(groups, drawn, open_rolls)])
    ahead: Ahead = "open" if groups or open_rolls else "nobody"
    return Card(TITLE, outcome, facts=tuple(every), figure=figure, alt=plain_text.figure(figure), ahead=ahead)


def count_sentence(groups: Sequence[PieceGroup], drawn: PieceGroup | None, open_rolls: int) -> Shown:
    """Return the numbers of pieces and open rolls; if a game has a picture, what else is here."""
    is_said = drawn is not None and bool(drawn.summary)
    others = [group for group in groups if group is not drawn or not is_said]
    sizes = [(other.piece.of(len(other.facts) if other.size is None else other.size), other.title) for other in others]
    counts = [bracketed(count, title) if title else count for count, title in sizes]
    if is_said:
        return Text("Also here: {others}.", others=Names(counts)) if counts else EMPTY
    counts += [Count(open_rolls, "open roll", "open rolls")] if open_rolls else []
    if counts:
        return Text("On the table: {counts}.", counts=Names(counts))
    return EMPTY if groups else Text("The table is empty.")


def notice_of(facts: Sequence[tuple[Shown, Shown]]) -> Card:
    names = Names([name for name, _ in facts])
    return Card(title=TITLE, outcome=names, facts=tuple(facts), small=Text("Only you can see this."))


def notice(outcome: Shown, names: Sequence[Name] = (), *, small: Shown = EMPTY) -> Card:
    facts = ((Text("Pieces"), Sentences(names, ", ")),) if names else ()
    return Card(title=TITLE, outcome=outcome, facts=facts, small=small)
