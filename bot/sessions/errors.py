"""Why a press did not count."""

from typing import TYPE_CHECKING

from bot.rules.errors import PlayerError

if TYPE_CHECKING:
    from bot.sessions.sessions import Played


class Settled(PlayerError):
    """The card that was pressed is no longer the newest; ``newest`` is how the roll stands."""

    def __init__(self, newest: "Played") -> None:
        self.newest = newest
        super().__init__(
            "That was settled already by an earlier press. I have brought the card up to date: look again."
        )


class NotYourSide(PlayerError):
    """The choice belongs to the other seat; ``holder`` is who sits there, by the name they gave themselves."""

    def __init__(self, side: str, holder: str | None) -> None:
        self.side, self.holder = side, holder
        whose = f"{holder} ({side})" if holder else f"another player as {side}; you sit on the other side"
        super().__init__(f"That choice belongs to {whose}. You will be asked when it is your turn.")


class Unknown(PlayerError):
    """No such roll in this channel."""

    def __init__(self) -> None:
        super().__init__("I have no record of this roll in this channel. Please start a new one with a command.")
