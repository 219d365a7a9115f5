"""The recap of a match: who won, in which round, what each player lost, and both squads as a picture."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.rules.text import Count, Names, Text

OVER: Final = Text("the game is over")
SO_FAR: Final = Text("the game so far")


def headline(
    names: Mapping[int, str], lost: Mapping[int, Sequence[str]], winner: int | None, rounds: int, piece: str
) -> str:
    """``Ana wins in round 5, 4 : 2 in ships destroyed.``, or how a match stands that goes on (``winner`` None).

    ``names`` and what was ``lost`` go by the number of the player; the winner is 0 where nobody has anything left.
    """
    numbers = sorted(names, key=lambda number: number != winner)
    counts = [len(lost.get(number, ())) for number in reversed(numbers)] if len(numbers) == 2 else []
    score = Text(", {counts} in {piece}s destroyed", counts=" : ".join(map(str, counts)), piece=piece) if counts else ""
    when = f" in round {rounds}" if rounds else ""
    if winner is None:
        people = " against ".join(names[number] for number in numbers) if counts else Names(list(names.values()))
        return f"{f'Round {rounds}: ' if rounds else ''}{people}{score}."
    return Text("{names} wins{when}{score}.", names=names.get(winner, "Nobody"), when=when, score=score)


def losses(names: Mapping[int, str], lost: Mapping[int, Sequence[str]], piece: str) -> tuple[tuple[str, str], ...]:
    """What each player lost, by name: ``Bo``, ``Lost 2 ships: Darth Vader and Howlrunner.``"""
    return tuple(
        (
            name,
            Text(
                "Lost {pieces}: {lost}.",
                pieces=Count(len(lost[number]), piece, f"{piece}s"),
                lost=Names(list(lost[number])),
            ),
        )
        for number, name in names.items()
        if lost.get(number)
    )
