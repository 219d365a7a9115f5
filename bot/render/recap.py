"""The recap of a match: who won, in which round, what each player lost, and both squads as a picture."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.rules.text import Code, Names, Noun, Sentences, Shown, Text, Words, as_shown, ended, term

OVER: Final = Text("the game is over")
SO_FAR: Final = Text("the game so far")


def headline(
    names: Mapping[int, Words],
    lost: Mapping[int, Sequence[str]],
    winner: int | None,
    rounds: int,
    piece: Noun,
    points: Mapping[int, int] | None = None,
) -> Shown:
    """``Ana wins in round 5, points 20 : 14, 4 : 2 in ships destroyed.``, or how a match stands that goes on.

    ``names``, what was ``lost`` and ``points`` go by the number of the player; the winner is None while the match goes
    on, and 0 where nobody wins.
    """
    numbers = sorted(names, key=lambda number: number != winner)
    counts = [len(lost.get(number, ())) for number in reversed(numbers)] if len(numbers) == 2 else []
    parts = list[Text]()
    if counts:
        parts = [
            Text("{counts} in {pieces} destroyed", counts=Code(" : ".join(map(str, counts))), pieces=term(piece.many))
        ]
    if counts and points:
        parts = [Text("points {points}", points=Code(" : ".join(str(points.get(one, 0)) for one in numbers))), *parts]
    if winner is None:
        people: Text = Names(list(names.values()))
        if counts:
            people = Text("{one} against {other}", one=names[numbers[0]], other=names[numbers[1]])
        who = Text("Round {round}: {people}", round=rounds, people=people) if rounds else people
    else:
        name = names.get(winner, Text("Nobody"))
        who = (
            Text("{name} wins in round {round}", name=name, round=rounds) if rounds else Text("{name} wins", name=name)
        )
    return ended(Sentences([who, *parts], ", "))


def losses(
    names: Mapping[int, Words], lost: Mapping[int, Sequence[str]], piece: Noun
) -> tuple[tuple[Shown, Shown], ...]:
    """What each player lost, by name: ``Bo``, ``Lost 2 ships: Darth Vader and Howlrunner.``"""
    return tuple(
        (
            as_shown(name),
            Text(
                "Lost {pieces}: {lost}.",
                pieces=piece.of(len(lost[number])),
                lost=Names(list(lost[number])),
            ),
        )
        for number, name in names.items()
        if lost.get(number)
    )
