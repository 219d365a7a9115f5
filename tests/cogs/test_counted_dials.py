"""A round of four against four with dials, counted: planning, activation, engagement, and end; nobody types."""

import json
from typing import Any

import pytest

from bot.rules.xwing.table.match import MATCH
from tests.cogs.test_counted_round import MAX_STEPS, Chance, Round
from tests.cogs.test_dials_match import ANA, ANAS, ARC, BLUE, BO, GOLD, HOWL, JEDI, OBSIDIAN, ONE, ORDER, TWO, Evening
from tests.conftest import Club, Dice


@pytest.fixture
def dice(request: pytest.FixtureRequest) -> Dice:
    return Chance(getattr(request, "param", 38))


class DialsRound(Round):
    anas = ANAS


@pytest.mark.parametrize("dice", [1, 2], indirect=True)
async def test_a_round_with_dials_takes_few_presses_and_no_command(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    evening = Evening(club)
    await evening.plans(club.ana, {JEDI: "2FB", GOLD: "2FB", ARC: "1FB", BLUE: "2FB"})
    await evening.plans(club.bo, {HOWL: "2FB", ONE: "2FB", TWO: "3FB", OBSIDIAN: "2FB"})
    assert sum(evening.acts.values()) == 4, "Plan and its form, for each player"

    revealed = list[str]()
    for _ in ORDER:
        ship = next(item for item in evening.labels() if item.startswith("Reveal")).removeprefix("Reveal ")
        acts = {f"Reveal {ship} · Focus", "Reveal · Focus"}
        await evening.press(evening.by(ship), next(item for item in evening.labels() if item in acts), "activation")
        revealed.append(ship)
    assert sorted(revealed) == sorted(ORDER)
    assert not [label for label in evening.labels() if label.startswith("Reveal")]
    assert 8 <= evening.acts["activation"] <= 10

    rest = DialsRound(club)
    for _ in range(MAX_STEPS):
        if (await rest.pieces())[MATCH].round > 1:
            break
        await rest.go_on()
    report: dict[str, Any] = {"activation": evening.acts["activation"], **rest.counts}
    print(report)  # noqa: T201 - the report
    assert rest.counts["selects"] == 0
    assert rest.counts["forms"] == 8, "one for each attack"
    assert rest.counts["presses"] <= 24, "of engagement and end, with what tokens keep open"
