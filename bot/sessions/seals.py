"""Sealed tables: a commitment, words, the seal, dice by the protocol, the chain, the reveal. See docs/fairness.md.

A roll belongs to the table at which it was opened: an earlier roll waits until the table is unsealed, and a roll of the
sealed table ends with it. So no die is drawn outside the protocol while a table is sealed, and none of its rolls
continues with other dice.

The stored chain's state (valid plies, dice to replay) is cached, and reloaded if the database has another last hash:
after a restart, a failed transaction, or play in another process.
"""

import secrets
import time
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.bounded_dict import BoundedDict
from bot.fair import protocol
from bot.fair.rolls import TableRolls
from bot.fair.transcript import MAX_NAME, ChainPly, new_header, to_header, to_ply, transcript
from bot.rules.dice import Face, Rolled
from bot.rules.errors import BadTextError, PlayerError
from bot.rules.text import N_, Text
from bot.sessions import codec, pieces
from bot.sessions.chance import Draw, Recorder
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import ChainMark
from bot.store import seals as rows, sessions as session_rows
from bot.store.database import Database

IDLE: Final = 24 * 60 * 60
"""Seconds without a press after which a table is unsealed automatically."""
TRY_FOR: Final = 7 * 24 * 60 * 60
"""Seconds for which the bot retries posting a transcript."""
SALT_BYTES: Final = 16
RECENT: Final = 12 * 60 * 60
"""Seconds for which a person who sat in a roll counts as playing."""
MAX_FOLLOWED: Final = 200
"""Maximum sealed tables cached."""


NOT_SEALED: Final = Text("This table isn't sealed. To seal it, type `/table seal`.")


@dataclass(frozen=True, slots=True)
class PendingSeal:
    """A table about to be sealed: id, number in the channel, commitment, words so far. ``missing``: people who still
    have to give a word; ``hashed_word_owners``: those who have only given its hash.
    """

    seal_id: int
    number: int
    commitment: str
    words: tuple[rows.SeedWord, ...]
    missing: tuple[int, ...]

    @property
    def hashed_word_owners(self) -> tuple[int, ...]:
        return tuple(word.person_id for word in self.words if not word.word)


@dataclass(frozen=True, slots=True)
class RevealedTable:
    """A finished sealed table: place, message, plies, and transcript; ``hidden``: number of plies still secret."""

    seal_id: int
    guild_id: int | None
    channel_id: int
    seal_message: str
    plies: int
    hidden: int
    file: bytes

    @property
    def file_name(self) -> str:
        return f"sealed-table-{self.seal_message}.json"


class SealedTable:
    """A sealed table as far as this process has followed its chain."""

    def __init__(self, row: rows.Seal) -> None:
        self.id = row.id
        self._key = bytes.fromhex(row.key or "")
        self._hidden_key = bytes.fromhex(row.hidden_key or "")
        self._seal = protocol.seal(codec.read_plain(row.header or "{}"))
        self.rolls = TableRolls()
        self.places = 0
        self.last = self._seal
        self._numbers: dict[tuple[int, int], tuple[int, int]] = {}
        """The roll's number and the ply's position, by session and stored ply number."""

    def recorder(self, of: int, *, is_secret: bool = False) -> Recorder:
        """Chance for the next ply; ``of``: the owner of the dice."""
        key = self.next_secret if is_secret else self._key
        return Recorder(self.rolls.dice(key, self._seal, str(of)))

    @property
    def next_secret(self) -> bytes:
        """The next ply's own key, used if it is secret."""
        return protocol.secret(self._hidden_key, self._seal, self.rolls.next_place)

    def roll_of(self, session_id: int) -> int:
        return self._numbers[session_id, 0][0]

    def place_of(self, session_id: int, number: int) -> tuple[int, int]:
        """Return a stored ply's roll number and position. Raises ``KeyError`` for another table's."""
        return self._numbers[session_id, number]

    def owner_of_dice(self, session_id: int, number: int) -> int:
        return int(self.rolls.of(self._numbers[session_id, number][1]))

    @property
    def last_shown(self) -> str:
        """The hash of the last ply; none before the first."""
        return self.last.hex() if self.places else ""

    def take(self, stored: rows.SealPly, ply: ChainPly | None = None) -> None:
        ply = ply or read_ply(stored)
        self.rolls.add(ply)
        self.places, self.last = stored.place, bytes.fromhex(stored.hash)
        self._numbers[stored.session_id, stored.number] = (ply.roll, stored.place)


class Seals:
    """The sealed tables of one database. Every method raises ``StoreError`` if the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._followed: BoundedDict[int, SealedTable] = BoundedDict(MAX_FOLLOWED)

    # Sealing

    async def ask(self, request: Request, opponent: Person | None) -> PendingSeal:
        """Step 1: publish a commitment. Raises ``PlayerError`` if the table is sealed, or not theirs to seal. With
        ``opponent``, or exactly one other person in the call or at the table, both must give a word.
        """
        by, place, is_gm, now = request.by, request.place, request.is_gm, int(time.time())
        try:
            async with self._database.transaction() as connection:
                row = await rows.lock_current(connection, place.channel_id)
                if row is not None and row.sealed_at is not None:
                    raise PlayerError("This table is already sealed. To unseal it, type `/table unseal`.")
                playing = await self._list_players(connection, place)
                if playing and by.id not in playing and not is_gm:
                    raise PlayerError("You aren't playing at this table. Only its players or a GM can seal it.")
                other = opponent.id if opponent else find_only_other(place, by, playing)
                if row is not None:  # its message may be gone, so words and key start over
                    if not (is_gm or await self._has_say(connection, row, by)):
                        raise PlayerError(
                            "Someone has already asked to seal this table. Only they, the player they asked, "
                            "or a GM can start over."
                        )
                    await rows.give_up(connection, row.id, now)
                result = await rows.add(
                    connection,
                    place.channel_id,
                    guild_id=place.guild_id,
                    opened_by=by.id,
                    opponent_id=other if other != by.id else None,
                    opened_at=now,
                    key=secrets.token_hex(protocol.KEY_BYTES),
                    hidden_key=secrets.token_hex(protocol.KEY_BYTES),
                )
                return await self._read_pending(connection, await rows.lock_seal(connection, result))
        except IntegrityError:
            raise PlayerError("Someone just asked to seal this table. Look above.") from None

    async def pending(self, channel_id: int) -> PendingSeal:
        """Return the words so far. Raises ``PlayerError`` if none are requested."""
        async with self._database.transaction() as connection:
            row = await rows.lock_current(connection, channel_id)
            if row is None or row.sealed_at is not None:
                raise PlayerError("Nobody is asking to seal this table anymore.")
            return await self._read_pending(connection, row)

    async def note_posted(self, asked: PendingSeal, message_id: int) -> None:
        """Note that the commitment was posted; words are accepted from now on."""
        await self._database.run(rows.change, asked.seal_id, commit_message=message_id)

    async def check_waiting(self, request: Request, seal_id: int) -> None:
        """Raise ``PlayerError`` unless the table here waits for this person's word."""
        async with self._database.transaction() as connection:
            await self._check_player(connection, await self._pending_row(connection, request.place, seal_id), request)

    async def give_word(self, request: Request, seal_id: int, typed: str) -> PendingSeal:
        """Step 2: store a player's word, its hash, or a replacement. Raises ``PlayerError`` for an invalid word.

        Also for a non-player. The word of a hash is accepted once everybody has given something; after the first of
        those, no word can be changed.
        """
        try:
            word = protocol.word(typed)
        except ValueError as error:
            message = N_("A seed word must have 1 to {most} visible characters. Choose another.")
            raise BadTextError(Text(message, most=protocol.MAX_WORD)) from error
        async with self._database.transaction() as connection:
            row = await self._pending_row(connection, request.place, seal_id)
            await self._check_player(connection, row, request)
            asked, by = await self._read_pending(connection, row), request.by
            given = rows.SeedWord(by.id, by.name, word, None, request.interaction_id or row.commit_message)
            await rows.store_word(connection, seal_id, next_word(asked, given))
            return await self._read_pending(connection, row)

    async def ready_to_seal(self, request: Request, seal_id: int) -> PendingSeal:
        """Return the words to seal. Raises ``PlayerError`` while one is missing."""
        async with self._database.transaction() as connection:
            asked = await self._read_pending(connection, await self._pending_row(connection, request.place, seal_id))
        if request.by.id not in [word.person_id for word in asked.words]:
            message = N_("Only someone who has given a seed word can seal the table. Press Give a seed word first.")
            raise PlayerError(Text(message))
        if asked.missing:
            raise PlayerError(
                "I still need a seed word; the message above says from whom. Wait for it, then press Seal again."
            )
        if asked.hashed_word_owners:
            raise PlayerError(
                "I still need the seed words for the hashes that were given; the message above says from "
                "whom. They press Give a seed word again and type the word itself."
            )
        return asked

    async def close(self, place: Place, asked: PendingSeal, *, application_id: int, message_id: int) -> ChainMark:
        """Step 3: seal the table, so dice follow the protocol. ``message_id``: the message with the words. Raises
        ``PlayerError`` if a word changed since, or the table is already sealed.
        """
        async with self._database.transaction() as connection:
            row = await self._pending_row(connection, place, asked.seal_id)
            if await rows.words(connection, row.id) != asked.words:
                raise PlayerError("A seed word changed just now, so this seal doesn't count. Press Seal again.")
            header = new_header(
                bytes.fromhex(row.key or ""),
                bytes.fromhex(row.hidden_key or ""),
                {word.person_id: (word.word, word.hash) for word in asked.words},
                application=application_id,
                channel=place.channel_id,
                number=row.number,
                earlier=row.number - 1 - (await rows.numbers(connection, place.channel_id))[1],
                commit_message=row.commit_message or 0,
                last_word=max(word.given_by or 0 for word in asked.words),
                seal=message_id,
            )
            written = protocol.canonical_json(header.to_json()).decode()
            await rows.change(connection, row.id, header=written, sealed_at=int(time.time()))
        return ChainMark(row.id, 0, protocol.seal(header.to_json()).hex())

    async def _pending_row(self, connection: AsyncConnection, place: Place, seal_id: int) -> rows.Seal:
        """Return the seal that waits for words. Raises ``PlayerError`` if it is no longer current."""
        row = await rows.lock_current(connection, place.channel_id)
        if row is None or row.id != seal_id or row.commit_message is None:
            raise PlayerError("These buttons are out of date. To seal the table, type `/table seal`.")
        if row.sealed_at is not None:
            raise PlayerError("This table is already sealed, so seed words can't change.")
        return row

    async def _check_player(self, connection: AsyncConnection, row: rows.Seal, request: Request) -> None:
        """Raise ``PlayerError`` for a person who gives no word: only the two do, or the table's players."""
        if request.by.id in (row.opened_by, row.opponent_id):
            return
        if row.opponent_id is not None:
            raise PlayerError("This seal is for two players, and you aren't one of them. Only they give a seed word.")
        if request.by.id not in await self._list_players(connection, request.place):
            raise PlayerError(
                "You aren't playing at this table yet, so it needs no seed word from you. To play, ask the "
                "person who typed `/table seal` to type it again with you as `opponent`."
            )

    async def _list_players(self, connection: AsyncConnection, place: Place) -> set[int]:
        """Return who plays at a table: people in the call, in a roll of the last hours, or with pieces there."""
        sat = await rows.list_seated(connection, place.channel_id, int(time.time()) - RECENT)
        owners = await pieces.list_owners(connection, place.channel_id)
        return {*(person.id for person in place.call), *sat, *(owner.person_id for owner in owners)}

    async def _read_pending(self, connection: AsyncConnection, row: rows.Seal | None) -> PendingSeal:
        assert row is not None, "it was just made or read"  # noqa: S101 - states how it is called
        words = await rows.words(connection, row.id)
        given = {word.person_id for word in words}
        needed = [row.opened_by, row.opponent_id] if row.opponent_id else []
        missing = [person for person in needed if person and person not in given]
        hidden = protocol.hidden_commitment(bytes.fromhex(row.hidden_key or ""))
        committed = protocol.commitment(bytes.fromhex(row.key or ""), hidden)
        return PendingSeal(row.id, row.number, committed, words, tuple(missing))

    # Rolling

    async def open_table(self, connection: AsyncConnection, end: ChainMark | None) -> SealedTable | None:
        """Return the sealed table with this chain end, as ``follow``; None if unsealed."""
        return None if end is None else await self.follow(connection, end)

    async def follow(self, connection: AsyncConnection, end: ChainMark) -> SealedTable:
        """Return the sealed table as of this transaction, locked until its end on PostgreSQL. ``end``: its chain end,
        read under SQLite's one lock, so a cached table is up to date there.
        """
        seal_id = end.seal_id
        followed = self._followed.get(seal_id)
        is_locked = connection.dialect.name == "sqlite"
        if followed is not None and is_locked and (followed.places, followed.last_shown) == (end.place, end.hash):
            return followed
        if followed is None or not is_locked:
            row = await rows.lock_seal(connection, seal_id)
            if row is None or row.ended_at is not None:
                raise PlayerError("This table was just unsealed. Please try again.")
            followed = followed or SealedTable(row)
        plies = await rows.plies(connection, seal_id, followed.places)
        if followed.places:
            if not plies or plies[0].hash != followed.last.hex():
                del self._followed[seal_id]
                return await self.follow(connection, end)
            plies = plies[1:]
        for stored in plies:
            followed.take(stored)
        self._followed[seal_id] = followed
        return followed

    async def keep(
        self,
        connection: AsyncConnection,
        sealed: SealedTable,
        result: session_rows.Ply,
        *,
        roll: int | None,
        choice: Mapping[str, Any],
        of: int | None = None,
        draws: Iterable[Draw] = (),
        typed: Iterable[Face] = (),
        undoes: int | None = None,
        is_hidden: bool = False,
    ) -> ChainMark:
        """Step 5: add a stored ply to the chain; ``roll``: None if it opens one; ``of``: the owner of the dice, if not
        its maker.

        A draw without dice is a card, perhaps facedown. There are so few cards that the digits on the next card could
        be brute-forced, so such a ply has a salt. A hidden ply has its own key.
        """
        drawn = tuple(draws)
        ply = ChainPly(
            roll=sealed.rolls.next_place if roll is None else roll,
            by=str(result.person_id),
            of=str(of or result.person_id),
            offer=result.offer,
            choice=choice,
            draws=tuple((draw.sides, draw.drawn, draw.face) for draw in drawn),
            typed=tuple(typed),
            undoes=undoes,
            salt=None if all(draw.pool for draw in drawn) else secrets.token_hex(SALT_BYTES),
            secret=sealed.next_secret.hex() if is_hidden else None,
        )
        text = protocol.canonical_json(ply.to_json())
        shown = protocol.link(sealed.last, protocol.canonical_json(ply.chain_json()) if is_hidden else text).hex()
        stored = rows.SealPly(sealed.places + 1, result.session_id, result.number, text.decode(), shown)
        await rows.add_ply(connection, sealed.id, stored, int(time.time()))
        sealed.take(stored, ply)
        return ChainMark(sealed.id, stored.place, shown)

    async def at_undo(self, connection: AsyncConnection, ply: session_rows.Ply) -> SealedTable | None:
        """Return the sealed table of a ply to undo. Raises ``PlayerError`` if it is another one."""
        open_seal = codec.read_mark(await rows.open_in(connection, ply.channel_id))
        check_table(await rows.of_ply(connection, ply.session_id, ply.number), open_seal)
        return await self.open_table(connection, open_seal)

    # Unsealing

    async def players(self, connection: AsyncConnection, place: Place) -> set[int]:
        """Return a sealed table's participants: people who gave a word or play there."""
        row = await rows.lock_current(connection, place.channel_id)
        gave = {word.person_id for word in await rows.words(connection, row.id)} if row is not None else set[int]()
        return gave | await self._list_players(connection, place)

    async def unseal(self, request: Request) -> RevealedTable | None:
        """Step 6: unseal a table. None if it was only about to be sealed; the last transcript again, if any.

        Opens the secret rolls that this person may see; others stay hidden until revealed. Raises ``PlayerError`` if
        there is none, and for non-participants.
        """
        by, channel_id, is_gm, now = request.by, request.place.channel_id, request.is_gm, int(time.time())
        async with self._database.transaction() as connection:
            row = await rows.lock_current(connection, channel_id)
            if row is not None and not (is_gm or await self._has_say(connection, row, by)):
                message = N_("Only a GM or someone who gave a seed word can unseal this table. Please ask one of them.")
                raise PlayerError(Text(message))
            if row is not None and row.sealed_at is None:
                await rows.give_up(connection, row.id, now)
                return None
            if row is not None:
                await rows.change(connection, row.id, ended_at=now)
            ended = row or await rows.last_seal(connection, channel_id)
            if ended is None:
                raise PlayerError(NOT_SEALED)
            await session_rows.reveal_sealed(connection, ended.id, by.id, now, is_gm=is_gm)
            return await self._reveal(connection, ended)

    async def _has_say(self, connection: AsyncConnection, row: rows.Seal, by: Person) -> bool:
        """Whether a person requested the seal, was asked, or gave a word."""
        gave = [word.person_id for word in await rows.words(connection, row.id)]
        return by.id in (row.opened_by, row.opponent_id, *gave)

    async def unseal_idle(self, now: int) -> tuple[RevealedTable, ...]:
        """Unseal tables without a press for a day; return them, and others with an unposted transcript. Drops
        incomplete seals of that age. Secrets stay hidden, because nobody asked for them.
        """
        async with self._database.transaction() as connection:
            for seal_id in await rows.unfinished_seals(connection, now - IDLE):
                await rows.give_up(connection, seal_id, now)
            for row in await rows.idle_seals(connection, now - IDLE):
                await rows.change(connection, row.id, ended_at=now)
            due = await rows.unrevealed_seals(connection, now - TRY_FOR)
            return tuple([await self._reveal(connection, row) for row in due])

    async def transcript_with(self, channel_id: int, rolls: Set[int]) -> bytes | None:
        """Return the posted transcript of a channel's last sealed table if it has one of these rolls."""
        async with self._database.transaction() as connection:
            row = await rows.last_seal(connection, channel_id)
            if row is None or row.revealed_at is None:
                return None
            if rolls.isdisjoint(ply.session_id for ply in await rows.plies(connection, row.id)):
                return None
            return (await self._reveal(connection, row)).file

    async def note_revealed(self, revealed: RevealedTable) -> None:
        """Note that the transcript was posted."""
        await self._database.run(rows.change, revealed.seal_id, revealed_at=int(time.time()))

    async def counts(self) -> dict[str, int]:
        """Return the number of tables ever sealed, and what became of them."""
        return await self._database.run(rows.counts)

    async def mark(self, channel_id: int) -> ChainMark | None:
        """Return the current end of the chain of a channel's sealed table."""
        return codec.read_mark(await self._database.run(rows.open_in, channel_id))

    async def _reveal(self, connection: AsyncConnection, row: rows.Seal) -> RevealedTable:
        raw, stored = codec.read_plain(row.header or "{}"), await rows.plies(connection, row.id)
        hidden = await session_rows.hidden_at(connection, row.id)
        names = {str(person): name[:MAX_NAME] for person, name in (await rows.names(connection, row.id)).items()}
        plies = [read_ply(ply).as_hidden if ply.session_id in hidden else read_ply(ply) for ply in stored]
        keys = bytes.fromhex(row.key or ""), bytes.fromhex(row.hidden_key or "")
        file = transcript(*keys, to_header(raw), plies, names).write()
        return RevealedTable(row.id, row.guild_id, row.channel_id or 0, raw["seal"], len(stored), len(hidden), file)


def read_ply(stored: rows.SealPly) -> ChainPly:
    """Parse a stored ply; secret ones are stored in full."""
    ply = to_ply(codec.read_plain(stored.ply))
    assert isinstance(ply, ChainPly), "no cover is stored"  # noqa: S101 - states it
    return ply


def next_word(asked: PendingSeal, given: rows.SeedWord) -> rows.SeedWord:
    """Return a player's state with what they gave. Raises ``PlayerError`` if it isn't accepted now."""
    mine = next((word for word in asked.words if word.person_id == given.person_id), None)
    are_opened = any(word.hash and word.word for word in asked.words)
    if mine is not None and mine.hash and not mine.word and not protocol.is_hash(given.word):
        if asked.missing:
            message = N_("I have your hash. Keep the word to yourself, and give it once everyone has given theirs.")
            raise PlayerError(Text(message))
        if protocol.hash_of(given.word) != mine.hash:
            message = N_("This word doesn't match the hash you gave. Type the word exactly as it was shown to you.")
            raise PlayerError(Text(message))
        return replace(given, hash=mine.hash)
    if are_opened:
        raise PlayerError(
            "The first hashed word has been revealed, so nobody can give or change a word now. To start "
            "over, type `/table seal`."
        )
    return replace(given, word="", hash=given.word) if protocol.is_hash(given.word) else given


def find_only_other(place: Place, by: Person, playing: Iterable[int]) -> int | None:
    """Return the one other person in the call, else at the table; None for none or several."""
    for people in ({other.id for other in place.others(by)}, set(playing) - {by.id}):
        if people:
            return next(iter(people)) if len(people) == 1 else None
    return None


def check_table(seal_id: int | None, open_seal: ChainMark | None) -> None:
    """Raise ``PlayerError`` for a roll or press of a sealed table that isn't the channel's current one."""
    if seal_id != (open_seal.seal_id if open_seal else None):
        before = Text(
            "That roll is from before the table was sealed. It's on hold until someone types `/table "
            "unseal`; start a new roll."
        )
        after = Text("That roll belongs to a sealed table that has ended, so it can't change. Start a new roll.")
        raise PlayerError(before if open_seal is not None else after)


def typed_faces(before: Iterable[Rolled], after: Iterable[Rolled]) -> list[Face]:
    """Return the faces typed in since, in table order."""
    known = [step.face for die in before for step in die.trail if step.how == "entered"]
    new = []
    for face in (step.face for die in after for step in die.trail if step.how == "entered"):
        if face in known:
            known.remove(face)
        else:
            new.append(face)
    return new
