"""How long the picture of a board takes. Run ``python -m benchmarks.board`` from the top of the project.

Medians of CPU time, eight ships with tokens and locks: the first picture of a process; one in which a press has changed
one ship, which is what a board draws nearly always; and the same picture again, which is only looked up.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from statistics import median
from time import process_time

from bot.render.card import Roster
from bot.render.paint import compose_picture
from bot.render.xwing import fleet as board
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table.match import MATCH, Match, Phase
from bot.rules.xwing.table.ship import from_card, give

PILOTS = (
    ("wedgeantilles", "lukeskywalker", "redsquadronveteran", "bluesquadronescort"),
    ("howlrunner", "academypilot"),
)


def eight() -> Roster:
    """Four against four in the Engagement Phase, each with two tokens and every second one with a lock."""
    table: dict[str, object] = {MATCH: Match(phase=Phase.ENGAGEMENT, first=1, second=2)}
    for owner, pilots in enumerate(PILOTS, 1):
        for place, pilot in enumerate((pilots * 2)[:4]):
            ship = give(give(from_card(pilot_ship(pilot, ()), owner), "focus", 1), "stress", 1)
            ship = replace(ship, name=f"{ship.name} {place}", locks=("Howlrunner 0",) if place % 2 else ())
            table[ship.name] = ship
    roster = board.roster(table, {1: "Ana", 2: "Bo"})
    assert roster is not None
    return roster


def changed(roster: Roster, numbers: "count[int]") -> Roster:
    """The same with another number of hull on one ship, never drawn before."""
    first, *others = roster.teams[0].units
    team = replace(roster.teams[0], units=(replace(first, hull=(1, 2 + next(numbers))), *others))
    return replace(roster, teams=(team, *roster.teams[1:]))


def main() -> None:
    roster, numbers = eight(), count()
    began = process_time()
    size = len(compose_picture((), roster))
    print(f"{'first picture of a process':36}{(process_time() - began) * 1000:8.3f} ms  {size} bytes")
    took = [timed(partial(compose_picture, (), changed(roster, numbers))) for _ in range(200)]
    print(f"{'one ship changed':36}{median(took):8.3f} ms")
    again = [timed(partial(compose_picture, (), roster)) for _ in range(200)]
    print(f"{'the same picture again':36}{median(again):8.3f} ms")


def timed(act: Callable[[], object]) -> float:
    """Milliseconds of CPU."""
    began = process_time()
    act()
    return (process_time() - began) * 1000


if __name__ == "__main__":
    main()
