"""The recap of a match: winner, round, each player's losses, and both squads as a picture."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.rules.text import EMPTY, N_, Code, Names, Noun, Sentences, Shown, Text, as_shown, ended, term

SO_FAR: Final = Text("the game so far")


def score(names: Mapping[int, Shown], lost: Mapping[int, Sequence[str]], points: Mapping[int, int] | None) -> Shown:
    """Return ``20 : 14``, points or pieces destroyed, in the order of ``names``; empty unless there are two players."""
    if len(names) != 2:
        return EMPTY
    counts = [len(lost.get(number, ())) for number in list(names)[::-1]]
    return Code(" : ".join(map(str, [points.get(number, 0) for number in names] if points else counts)))


def headline(
    names: Mapping[int, Shown],
    lost: Mapping[int, Sequence[str]],
    winner: int | None,
    rounds: int,
    piece: Noun,
    points: Mapping[int, int] | None = None,
) -> Shown:
    """Return ``Ana wins in round 5, points 20 : 14.``, or a running match's state; without points, the pieces
    destroyed. ``names``, ``lost`` and ``points`` are by player number; the winner is None during the match, and 0 if
    nobody wins.
    """
    item, *others = numbers = sorted(names, key=lambda number: number != winner)
    counts, parts = score({number: names[number] for number in numbers}, lost, points), list[Text]()
    if counts and points:
        parts.append(Text("points {points}", points=counts))
    elif counts:
        parts.append(Text("{counts} in {pieces} destroyed", counts=counts, pieces=term(piece.many)))
    if winner is None:
        who: Text = Names(list(names.values()))
        if counts:
            who = Text("{one} against {other}", one=names[item], other=names[others[0]])
        who = Text("Round {round}: {people}", round=rounds, people=who) if rounds else who
    else:
        message = N_("{name} wins in round {round}") if rounds else N_("{name} wins")
        who = Text(message, name=names.get(winner, Text("Nobody")), round=rounds)
    return ended(Sentences([who, *parts], ", "))


def losses(
    names: Mapping[int, Shown], lost: Mapping[int, Sequence[str]], piece: Noun
) -> tuple[tuple[Shown, Shown], ...]:
    """Return each player's losses: ``Bo``, ``Lost 2 ships: Darth Vader and Howlrunner.``"""
    gone = ((as_shown(name), lost[number]) for number, name in names.items() if lost.get(number))
    message = N_("Lost {pieces}: {lost}.")
    return tuple((name, Text(message, pieces=piece.of(len(item)), lost=Names(item))) for name, item in gone)
