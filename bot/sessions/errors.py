"""Why a press did not count."""

from bot.rules.errors import PlayerError
from bot.rules.game import Side
from bot.rules.text import N_, Shown, Text, bracketed
from bot.sessions.roll import Played


class Stale(PlayerError):
    """The card that was pressed is no longer the newest; ``newest`` is how the roll stands."""

    def __init__(self, newest: Played) -> None:
        self.newest = newest
        super().__init__(
            Text("This card was out of date: there was an earlier press. I have updated the card; look again.")
        )


class NotYourSide(PlayerError):
    """The choice belongs to the other seat; ``holder`` is who sits there, by the name they gave themselves.

    ``side``: "" in a game whose sides have no names that people know. ``plays``: whether whoever pressed sits at the
    roll, so that their turn may come.
    """

    def __init__(self, side: str, holder: Shown | None, *, plays: bool = True) -> None:
        self.side, self.holder, self.plays = side, holder, plays
        if holder:
            whose = bracketed(holder, Side(side)) if side else holder
            hint = Text("Wait until it is your turn.") if plays else Text("To play yourself, start a roll of your own.")
            super().__init__(Text("This choice is for {whose}. {hint}", whose=whose, hint=hint))
        elif not side:
            super().__init__(Text("Another player has to press this. You play the other side."))
        else:
            super().__init__(
                Text("Another player has to press this, as the {side}. You play the other side.", side=Side(side))
            )


class Unknown(PlayerError):
    """No such roll in this channel."""

    def __init__(self) -> None:
        super().__init__(Text("I have no record of this roll in this channel. Please start a new one with a command."))


class NotYourPly(PlayerError):
    """Only the one who pressed, or a GM, takes a press back; ``holder`` is who pressed, empty if nobody knows."""

    def __init__(self, holder: Shown) -> None:
        self.holder = holder
        message = N_("The last press here is {holder}'s. Only they or a GM can take it back.")
        unknown = N_("The last press here is not yours. Only who made it or a GM can take it back.")
        super().__init__(Text(message if holder else unknown, holder=holder))
