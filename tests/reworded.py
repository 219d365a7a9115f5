"""Plays declarations of all games with every message of the rules in pseudo-English, and prints what came of it.

A process of its own (``python -m tests.reworded pseudo 2``): messages are made as modules are imported, so they have to
be reworded before that. ``plain`` prints the same with the messages as they are. Names and codes stay. The number says
how many declarations one is played of: 1 for all.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

from bot.rules import text
from tests.pseudo_letters import ACCENTED, PLAIN

GOLDEN: Final = Path(__file__).parent / "golden"
PARTS: Final = re.compile(r"(\{\{|\}\}|\{\w*\})")
LETTERS: Final = str.maketrans(PLAIN, ACCENTED)
STEPS: Final = 6
OPEN: Final = 6
"""Of one order among so many the reaction is asked for."""
ODDS: Final = 6
"""Of one question among so many the odds are counted too."""


def reworded(message: str) -> str:
    """A message of the same length in which no word is what it was; its places stay."""
    return "".join(part if at % 2 else part.translate(LETTERS) for at, part in enumerate(PARTS.split(message)))


def reword() -> None:
    """Reword every message that is made from now on."""

    def said(cls: Any, message: str, /, **places: Any) -> Any:
        new = text.NEW(cls, reworded(message).format_map(places) if places else reworded(message))
        new.message, new.places = message, places or text.NOTHING
        return new

    def counted(cls: Any, number: int, one: str, many: str) -> Any:
        new = text.NEW(cls, f"{number:,} {reworded(one if number == 1 else many)}")
        new.message, new.places = one, {"number": number, "one": one, "many": many}
        return new

    text.Text.__new__ = staticmethod(said)  # type: ignore[method-assign]  # every text, also those of other modules
    text.Count.__new__ = staticmethod(counted)  # type: ignore[method-assign]  # every text, also those of other modules


def questions() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Declarations: a game, and the words of one."""
    held = {path.stem: json.loads(path.read_text()) for path in GOLDEN.glob("*.json")}
    sums = held["infinity_sums"]
    for at, case in enumerate(sums["cases"]):
        lines = {name: f"{line}, {case.get(name.lower(), '')}".strip(", ") for name, line in sums["troopers"].items()}
        yield "infinity", {"troopers": lines, "order": case["order"], "edition": case.get("edition", "n5")}
        if at % OPEN == 0:
            yield "infinity", {"troopers": lines, "order": case["order"].partition(" vs ")[0] + " vs Bo", "open": True}
    for heading in ("face_to_face", "special_dice", "normal", "worked_dice"):
        yield from (("infinity", case) for case in held["infinity"][heading])
    yield from (("xwing", {key: case[key] for key in ("attack", "defense")}) for case in held["xwing"]["cases"])
    yield from (("xwing", case["cards"]) for name in ("cards", "cards_more") for case in held[name]["cases"][::2])
    for case in held["anydice"]["cases"][::4]:
        yield "dice", {"dice": case.get("dice", case.get("text", ""))}
    yield from (("albion", case) for case in held["albion"]["cases"])
    yield from (("warsurge", case) for case in held["warsurge"]["pools"])


def played(game: Any, declared: Any) -> Iterator[object]:
    """What a roll offers and comes to, step by step, as somebody plays it who takes each time another offer."""
    from bot.rules.errors import PlayerError
    from bot.rules.game import Choice, Pick

    faces = iter(range(10**6))
    state = game.rules.start(declared, lambda sides: next(faces) * 7 % sides)
    for step in range(STEPS):
        offers = game.rules.offers(state)
        yield [
            [item.key, [option.value for option in item.options], [field.key for field in item.fields]]
            for item in offers
        ]
        if not offers:
            break
        offer = offers[step * 5 % len(offers)]
        filled = {
            item.key: item.value or item.options[0].value if item.options else item.value or "9"
            for item in offer.fields
        }
        least = offer.asks.least if isinstance(offer.asks, Pick) else 0
        picked = tuple(option.value for option in offer.options[:least])
        try:
            state = game.rules.choose(state, Choice(offer.key, picked, filled), lambda sides: next(faces) * 7 % sides)
        except PlayerError as error:
            yield str(error)
    yield game.rules.outcome(state)


def answers(of: int) -> Iterator[str]:
    """A line of JSON for one question of so many: what was declared, played and counted, or why not."""
    from bot.games import by_terminal
    from bot.rules.errors import PlayerError

    games = by_terminal()
    for at, (key, words) in enumerate(islice(questions(), 0, None, of)):
        game = games[key]
        result: list[object] = []
        try:
            declared = game.rules.declare(words)
            result += played(game, declared)
            result += [game.odds(declared)] * (at % ODDS == 0)
        except PlayerError as error:
            result.append(str(error))
        yield json.dumps([key, words, result], default=str, ensure_ascii=False)


if __name__ == "__main__":
    if sys.argv[1] == "pseudo":
        reword()
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a case holds half a surrogate pair
    for line in answers(int(sys.argv[2])):
        print(line)  # noqa: T201 - what it is for
