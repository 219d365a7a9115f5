"""Whether the books are in order: what must be true of a database whatever was played, pressed or refused."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.games import GAMES, roll_commands
from bot.rules.game import Side
from bot.rules.pieces import key
from bot.ruleset.file import check_lock
from bot.ruleset.settings import find
from bot.sessions import codec, pieces
from bot.sessions.codec import UNDO
from bot.sessions.saved import MAX_ROLLS
from bot.sessions.tables import TABLE
from bot.store.sessions import CLOSE
from tests.engines import Asker

Row = sqlite3.Row


def wrong(file: Path) -> list[str]:
    """Every sentence that should not be true of this database; empty when the books are in order."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")  # one view of it all, while somebody may be playing
        parts = (_of_the_file, _of_sessions, _of_undos, _of_pieces, _of_rulesets, _of_saved_rolls)
        return [said for part in parts for said in part(connection)]


def _of_the_file(connection: sqlite3.Connection) -> Iterator[str]:
    for (said,) in connection.execute("PRAGMA integrity_check"):
        if said != "ok":
            yield f"integrity_check: {said}"
    for row in connection.execute("PRAGMA foreign_key_check"):
        yield f"foreign_key_check: {tuple(row)}"


def _of_sessions(connection: sqlite3.Connection) -> Iterator[str]:
    plies: dict[int, list[Row]] = {}
    for row in connection.execute("SELECT * FROM ply ORDER BY session_id, number"):
        plies.setdefault(row["session_id"], []).append(row)
    seats: dict[int, list[Row]] = {}
    for row in connection.execute("SELECT * FROM seat"):
        seats.setdefault(row["session_id"], []).append(row)
    for session in connection.execute("SELECT * FROM session"):
        number = session["id"]
        for said in _of_session(session, plies.get(number, []), seats.get(number, [])):
            yield f"session {number} ({session['game']}): {said}"


def _of_session(session: Row, plies: list[Row], seats: list[Row]) -> Iterator[str]:
    is_table = session["game"] == TABLE
    if [row["number"] for row in plies] != list(range(len(plies))):
        yield f"its plies are {[row['number'] for row in plies]}"
    if not is_table and not plies:
        yield "it has no ply"
    if not is_table and session["game"] not in GAMES:
        yield "there is no such game"
        return
    for row in plies:
        if row["channel_id"] != session["channel_id"]:
            yield f"ply {row['number']} is of another channel"
        try:
            _read(session["game"], row)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
            yield f"ply {row['number']} can't be read: {error!r}"
    for seat in seats:
        is_named = seat["side"] in set(Side) or seat["side"].removeprefix(codec.PLAYER).isdecimal()
        if not is_named or is_table or not 0 <= seat["since"] < len(plies):
            yield f"somebody sits as {seat['side']} since ply {seat['since']}"


def _read(game: str, row: Row) -> None:
    """Read all that a ply holds, and what may follow it."""
    choice = json.loads(row["choice"])
    assert isinstance(choice, dict), "its choice is no object"
    for draw in codec.read_draws(row["draws"]):
        assert 0 <= draw.drawn < draw.sides, f"{draw.drawn} of {draw.sides} was drawn"
    assert codec.write_draws(codec.read_draws(row["draws"])) == row["draws"], "its draws are written otherwise"
    codec.read_changes(row["changes"])
    if game != TABLE:
        state = codec.read_state(GAMES[game].rules, row["schema"], row["state"])
        assert codec.write_state(GAMES[game].rules, state) == row["state"], "its state is written otherwise"
        keys = [offer.key for offer in GAMES[game].rules.offers(state)]
        assert len(set(keys)) == len(keys), "two offers share a key"


def _of_undos(connection: sqlite3.Connection) -> Iterator[str]:
    undone: dict[int, Row] = {}
    by_id = {row["id"]: row for row in connection.execute("SELECT id, channel_id, offer, undoes, session_id FROM ply")}
    for number, row in by_id.items():
        taken = row["undoes"]
        if (taken is None) != (row["offer"] not in (UNDO, CLOSE)):
            yield f"ply id {number} is {row['offer']!r} and takes back {taken}"
        if taken is None:
            continue
        if taken in undone:
            yield f"ply id {taken} was taken back twice"
        undone[taken] = row
        before = by_id.get(taken)
        if before is None or taken >= number or before["session_id"] != row["session_id"]:
            yield f"ply id {number} takes back {taken}, which is not an earlier one of its session"
        elif before["undoes"] is not None:
            yield f"ply id {number} takes a taking back back"


def _of_pieces(connection: sqlite3.Connection) -> Iterator[str]:
    for row in connection.execute("SELECT * FROM piece"):
        try:
            assert row["key"] == key(row["name"]), "it is found by another name"
            kind: Any = pieces.kind_of(row["game"])
            assert row["schema"] == kind.SCHEMA, "it is of another version"
            body = codec.read_body(kind.Body, row["body"])
            assert codec.write_body(kind.Body, body) == row["body"], "it is written otherwise"
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
            yield f"piece {row['name']!r} of {row['game']}: {error!r}"
    for row in connection.execute("SELECT redraw.*, ply.id FROM redraw LEFT JOIN ply ON ply.id = redraw.ply_id"):
        if row["id"] is None or any(draw.drawn not in range(draw.sides) for draw in codec.read_draws(row["draws"])):
            yield f"redraws of ply id {row['ply_id']} wait in session {row['session_id']}: {row['draws']}"


def _of_rulesets(connection: sqlite3.Connection) -> Iterator[str]:
    for row in connection.execute("SELECT * FROM ruleset"):
        where = f"{row['setting']} of {row['scope']} {row['scope_id']}"
        try:
            setting = find(row["setting"])
            setting.check(json.loads(row["value"]))
            check_lock(setting, bool(row["locked"]))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
            yield f"{where}: {error!r}"
        if row["scope"] not in ("server", "channel", "person") or (row["scope"] == "person") != (
            row["guild_id"] is None
        ):
            yield f"{where} is said to be of server {row['guild_id']}"


def _of_saved_rolls(connection: sqlite3.Connection) -> Iterator[str]:
    counts: dict[tuple[str, int], int] = {}
    for row in connection.execute("SELECT * FROM saved"):
        scope = (row["scope"], row["scope_id"])
        counts[scope] = counts.get(scope, 0) + 1
        if row["scope"] not in ("channel", "person") or (row["scope"] == "person" and row["guild_id"] is not None):
            yield f"saved roll {row['name']!r} is of {scope} in server {row['guild_id']}"
        if row["key"] != key(row["name"]) or not any(
            f"{row['line']} ".startswith(f"/{command} ") for command in roll_commands()
        ):
            yield f"saved roll {row['name']!r} is found as {row['key']!r} and rolls {row['line']!r}"
    yield from (f"{scope} has {count} saved rolls" for scope, count in counts.items() if count > MAX_ROLLS)


class Watch:
    """Looks at what a database holds, so cheaply that it can be asked after every press.

    What the bot writes down by itself a moment later is left out: links to messages, and in which servers it is.
    """

    _SMALL = ("piece", "redraw", "ruleset", "saved")

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        self._version: int | None = None
        self._seen: tuple[object, ...] = ()

    def look(self) -> tuple[object, ...]:
        """Equal to what it was if nothing was changed since."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version = version
            self._seen = tuple(self._digest())
        return self._seen

    def _digest(self) -> Iterator[object]:
        for table in ("session", "ply", "seat"):
            yield self._connection.execute(f"SELECT count(*), max(rowid) FROM {table}").fetchone()  # noqa: S608 - ours
        yield self._connection.execute("SELECT total(person_id % 1000003 + since) FROM seat").fetchone()
        for table in self._SMALL:
            yield self._connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - ours

    def close(self) -> None:
        self._connection.close()


class ServerWatch(Watch):
    """The same on a server; every look is a question."""

    def __init__(self, url: str) -> None:
        self._ask = Asker(url)

    def look(self) -> tuple[object, ...]:
        counts = " UNION ALL ".join(f"SELECT count(*), max(id) FROM {table}" for table in ("session", "ply"))  # noqa: S608 - ours
        seats = "SELECT count(*), sum(person_id % 1000003 + since)::bigint FROM seat"
        return tuple(
            tuple(self._ask(question))
            for question in (counts, seats, *(f"SELECT * FROM {table} ORDER BY 1, 2, 3" for table in self._SMALL))  # noqa: S608 - ours
        )

    def close(self) -> None:
        self._ask.close()
