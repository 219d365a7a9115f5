"""Saved rolls: of a person anywhere, or of a channel and its threads. A saved roll is a typed line, parsed anew each
time, so the current ruleset, pieces, and person apply as to the command.
"""

from typing import Final

from bot.rules.errors import PlayerError
from bot.rules.pieces import key
from bot.rules.text import N_, Name, Text
from bot.sessions.request import Person, Place
from bot.store import saved as rows
from bot.store.database import Database
from bot.store.rulesets import Scope
from bot.store.saved import CHANNEL, PERSON, SavedRoll, of_person
from bot.store.tracked_messages import EVERYBODY

MAX_ROLLS: Final = 25
"""Maximum number per person and per channel: a message holds 25 buttons."""


class SavedRolls:
    """The saved rolls of one database. Every method raises ``StoreError`` if the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, place: Place, person: Person) -> list[SavedRoll]:
        """Return the rolls available to a person at a place: their own first, then the channel's, by name."""
        own, here = of_person(person.id), of_channels(place)
        saved_rolls = await self._database.run(rows.find, [own, *here])
        return sorted(saved_rolls, key=lambda saved: [own, *here].index(saved.scope))

    async def of_panel(self, place: Place, person_id: int) -> list[SavedRoll]:
        """Return a panel's rolls: a person's own, or with ``EVERYBODY`` those of the channel."""
        scopes = of_channels(place) if person_id == EVERYBODY else [of_person(person_id)]
        return await self._database.run(rows.find, scopes)

    async def find_by_name(self, place: Place, person: Person, name: str) -> SavedRoll | None:
        """Return a person's roll of this name at a place, their own before the channel's."""
        return next((saved for saved in await self.find(place, person) if saved.key == key(name)), None)

    async def find_by_number(self, number: int, place: Place, person: Person) -> SavedRoll:
        """Return a button's roll. Raises ``PlayerError`` if it is gone, or not this person's to roll here."""
        saved = await self._database.run(rows.read_roll, number)
        if saved is None:
            raise PlayerError("This roll is no longer saved. Get a new panel with `/saved panel`.")
        if saved.scope.kind == PERSON and saved.scope != of_person(person.id):
            raise PlayerError(
                "These are someone else's saved rolls. Save your own with `/saved add`, then get your own "
                "panel with `/saved panel`."
            )
        if saved.scope.kind == CHANNEL and saved.scope not in of_channels(place):
            raise PlayerError("This roll belongs to another channel. To see what you can roll here, use `/saved list`.")
        return saved

    async def save(self, place: Place, scope: Scope, name: str, line: str) -> bool:
        """Save a roll; returns whether it replaced one. Raises ``PlayerError`` if there are too many."""
        roll = SavedRoll(scope, name, key(name), line)
        async with self._database.transaction() as connection:
            before = await rows.find(connection, [scope])
            replaces = any(saved.key == roll.key for saved in before)
            if not replaces and len(before) >= MAX_ROLLS:
                message = N_("{who_has} {count} saved rolls, which is the limit. Remove one first.")
                raise PlayerError(Text(message, who_has=owner_phrase(scope), count=len(before)))
            await rows.store_roll(connection, roll, place.guild_id if scope.kind == CHANNEL else None)
        return replaces

    async def remove(self, scope: Scope, name: str) -> SavedRoll:
        """Remove a roll. Raises ``PlayerError`` if there is none of that name."""
        async with self._database.transaction() as connection:
            held = await rows.find(connection, [scope])
            saved = next((item for item in held if item.key == key(name)), None)
            if saved is None:
                names = ", ".join(item.name for item in held)
                hint = Text("Saved: {names}.", names=Name(names)) if held else Text("Save one with `/saved add`.")
                message = N_("{who_has} no saved roll with that name. {hint}")
                raise PlayerError(Text(message, who_has=owner_phrase(scope), hint=hint))
            await rows.remove(connection, scope, saved.key)
        return saved


def owner_phrase(scope: Scope) -> Text:
    return Text("You have") if scope.kind == PERSON else Text("This channel has")


def of_channels(place: Place) -> list[Scope]:
    """Return the scopes of a place: its own, and in a thread those of its channel."""
    around = [] if place.parent_id is None else [Scope(CHANNEL, place.parent_id)]
    return [Scope(CHANNEL, place.channel_id), *around]
