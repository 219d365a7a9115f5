"""Squads and the score on the page of `python -m bot play`, at a desk and on a phone."""

from collections.abc import Callable

from tests.browser.conftest import Sitting
from tests.browser.test_play import PHONE, TALL

ANA = "Luke Skywalker (12), Proton Torpedoes (13); Wedge Antilles (7), Predator (2); Total: 19"
BO = '{"name": "Black", "pilots": [{"id": "darthvader", "points": 14}, {"id": "howlrunner", "points": 6}]}'


def test_two_people_bring_squads_and_score(sit_down: Callable[..., Sitting]) -> None:
    here, there = sit_down("desk", 1280, TALL), sit_down("phone", **PHONE)
    there.be("Bo")
    for page, squad, said in (
        (here, ANA, "Rebel Alliance joins the table"),
        (there, BO, "Black joins the table"),
    ):
        page.type_command("xwing squad", text=squad)
        page.sees("You already have 2 ships here.")  # those with which the page begins
        page.shoot("asked")
        page.press("Replace mine")
        page.is_told(said)
        page.shoot("squad")

    here.type_command("xwing score")
    here.sees("Ana 0 : 1 Bo.")
    here.press("Scenario")
    here.choose("scenario", "Assault at the Satellite Array")
    here.submit()
    here.sees("You're playing Assault at the Satellite Array.")
    there.sees("You're playing Assault at the Satellite Array.")
    there.shoot("score")
    here.press("Points")
    here.choose("points", "+2")
    here.submit()
    here.sees("Ana scores +2 for controlled satellite.")
    there.sees("Ana 2 : 1 Bo.")
    assert "End the match" in there.buttons()
    here.shoot("points")
    here.press("End the match")
    here.sees("Ana wins in round 1, points 2 : 1")
    there.sees("Ana wins in round 1, points 2 : 1")
    there.card.scroll_into_view_if_needed()
    there.shoot("recap")
    assert "Rematch" in here.buttons()
