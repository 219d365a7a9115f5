"""What the user interface tells those who follow an answer; ``bot.ui.after`` says who they are."""

from dataclasses import dataclass

from bot.client import Interaction
from bot.sessions.roll import Played


@dataclass(frozen=True, slots=True)
class Shown:
    """A roll is on a card that everybody sees, as it stands now. ``is_taken_back``: something was just taken back."""

    interaction: Interaction
    played: Played
    is_taken_back: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """A command has been answered, or a press or form, be it with a refusal."""

    interaction: Interaction
