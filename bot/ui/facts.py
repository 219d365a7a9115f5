"""What the user interface tells those who follow an answer; ``bot.ui.after`` says who they are."""

from dataclasses import dataclass

from bot.client import Interaction
from bot.ruleset.ruling import Ruling
from bot.sessions.request import Stepped
from bot.sessions.roll import Played


@dataclass(frozen=True, slots=True)
class CardShown:
    """A roll is on a card that everybody sees, as it stands now. ``counts`` are the settings of this place.

    ``is_taken_back``: something was just taken back.
    """

    interaction: Interaction
    played: Played
    counts: Ruling
    is_taken_back: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """A command has been answered, or a press or form, be it with a refusal."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class Stepping:
    """What was answered was a step on the pieces of a game.

    ``winner``: who has won by this step, 0 for nobody; None where the match goes on.
    """

    interaction: Interaction
    game: str
    stepped: Stepped
    winner: int | None


@dataclass(frozen=True, slots=True)
class Commanded:
    """What was answered was a command, and it was not refused."""

    interaction: Interaction
