"""A round of X-Wing at two pages, a desk and a phone, by the newest card alone: from the board to its end."""

import re
from collections.abc import Callable

from tests.browser.conftest import Sitting
from tests.browser.test_play import PHONE, TALL

NEXT = ("Next: ", "End the round")
MAX_STEPS = 400
PAUSE = 100
"""Milliseconds in which a page may follow the other one."""


def attack(by: Sitting, label: str, name: str, target: str) -> None:
    """Press an attack, and fill in what is not chosen already."""
    by.press(label)
    form = by.page.locator(".modal-dialog")
    form.filter(has_text=f"{name} attacks").wait_for()
    by.choose("defender", target)
    by.choose("range", "Range 2")
    by.shoot("attack")
    by.submit()


def to_its_end(ana: Sitting, bo: Sitting) -> str:
    """Whoever reads that it is their turn presses Done, until both read what comes next; that button."""
    for _ in range(MAX_STEPS):
        asked = next((item for item, name in ((ana, "Ana"), (bo, "Bo")) if is_turn(item, name)), None)
        if asked is not None:
            asked.press("Done")
        coming = [next((button for button in page.buttons() if button.startswith(NEXT)), "") for page in (ana, bo)]
        if coming[0] and coming[0] == coming[1]:
            return coming[0]
        ana.page.wait_for_timeout(PAUSE)
    raise AssertionError("an attack does not end")


def is_turn(by: Sitting, name: str) -> bool:
    return f"{name}'s turn" in by.card.inner_text() and "Done" in by.buttons()


def test_a_round_by_the_newest_card_at_a_desk_and_a_phone(sit_down: Callable[..., Sitting]) -> None:
    ana, bo = sit_down("round-desk", 1280, TALL), sit_down("round-phone", **PHONE)
    bo.be("Bo")
    bo.shoot("board")
    board = bo.page.locator(".channel-message:has(.embed-title)").last
    first_row = board.locator(".component-button").first.bounding_box()
    picture = board.locator("img.embed-image").bounding_box()
    assert first_row is not None
    assert picture is not None
    assert first_row["y"] + first_row["height"] - picture["y"] <= 844, "a phone shows picture and first row together"
    ana.press("Begin the Engagement Phase")
    attack(ana, "Attack", "Wedge Antilles", "Darth Vader")
    people = {"Wedge Antilles": ana, "Luke Skywalker": ana, "Darth Vader": bo, "Howlrunner": bo}
    attacks = 1
    while (label := to_its_end(ana, bo)) != "End the round":
        name = label.removeprefix("Next: ").removesuffix(" attacks")
        by = people[name]
        by.sees(label)
        attack(by, label, name, "Luke Skywalker" if by is bo else "Darth Vader")
        attacks += 1
    assert attacks >= 3, "whoever is not destroyed before has attacked"
    bo.sees("End the round")
    bo.shoot("over")
    bo.press("End the round")
    ana.sees(re.compile("Roll for the first player|Round 2"))
    ana.shoot("ended")
    for item in (ana, bo):
        assert item.refused() == []
