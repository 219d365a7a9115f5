"""An attack on the page of `python -m bot play`, by typing and clicking, as people who read nothing but the page."""

import re
from collections.abc import Callable

import pytest

from tests.browser.conftest import Sitting

OVER = re.compile("(hits|misses|destroys) Bo")
DEFEND = "Defend: enter your tokens"
PHONE = {"width": 390, "height": 844, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}

TALL = 2000
"""A window that holds a whole card: the page closes an open list when its select scrolls out of sight."""


def press_if_there(sitting: Sitting, label: str) -> None:
    """Press a button that the dice may have made useless; what it would do is then offered no more."""
    if any(button.startswith(label) for button in sitting.buttons()):
        sitting.press(label)


def finish(sitting: Sitting, name: str) -> None:
    """Close the last window, if there is anything left that could be done in it."""
    if f"{name}'s turn" in sitting.card.inner_text():
        sitting.press("Done")
    sitting.sees(OVER)


def test_one_person_plays_both_sides_and_another_page_follows(sit_down: Callable[..., Sitting]) -> None:
    here, there = sit_down("desk", 1280, TALL), sit_down("phone", **PHONE)
    there.be("Bo")
    assert "/xwing attack" in here.page.locator("#channel-topic").inner_text(), "the page says how to begin"
    here.shoot("empty")

    here.type_command("xwing attack", dice="6", with_="focus, lock, add 1 focus, change 1 hit to crit")
    here.sees("Ana attacks")
    there.sees("Ana attacks")
    here.shoot("declared")

    here.be("Bo")
    here.press(DEFEND)
    here.fill(agility="2", tokens="focus, evade, add 1 focs")
    here.is_told("Did you mean focus?")
    here.is_told("focus, evade, add 1 focs")
    assert here.page.locator(".code-block").count() > here.page.locator(".code-language:visible").count() == 0
    here.shoot("refused")
    here.press(DEFEND)
    here.fill(agility="2", tokens="focus, evade, add 1 focus, hull 4, shields 1")
    here.sees("Ana's turn")
    there.sees("Ana's turn")
    there.shoot("rolled")

    here.be("Ana")
    here.pick("Lock", 0, 2)
    here.loses("Lock")
    there.loses("Lock")
    here.shoot("rerolled")
    here.press("Card: add 1 focus")
    here.loses("Card: add 1 focus")
    label = here.press("Focus: ")
    here.loses("Focus: ")
    here.shoot("focused")
    assert label not in here.buttons()
    assert "Card: 1 hit to crit" in here.buttons(), "so the window is open still"
    here.press("Done")
    there.sees("Bo's turn")

    here.be("Bo")
    here.sees("Bo's turn")
    here.press("Card: add 1 focus")
    here.press("Focus: ")
    here.loses("Focus: ")
    finish(here, "Bo")
    here.sees(OVER)
    there.sees(OVER)
    assert "Done" not in here.buttons()
    assert "How?" in here.buttons()
    assert here.outcome() == there.outcome()
    assert re.search(" (hits|misses|destroys) ", here.outcome())
    small = "Object.assign(document.body.appendChild(document.createElement('p')), { className: 'embed-footer' })"
    assert here.page.evaluate(f"getComputedStyle({small}).whiteSpace") == "pre-line"
    here.shoot("over")
    there.card.scroll_into_view_if_needed()
    there.shoot("over")


def test_two_people_each_at_a_page_press_as_fast_as_they_like(sit_down: Callable[..., Sitting]) -> None:
    ana, bo = sit_down("ana", 1000, 800), sit_down("bo", **PHONE)
    bo.be("Bo")
    ana.type_command("xwing attack", dice="4", with_="add 3 focus, force 2, focus")
    bo.press(DEFEND)
    bo.fill(agility="3", tokens="add 2 focus, calculate 2, evade, hull 3")
    ana.sees("Ana's turn")
    for label in ("Card: add 1 focus",) * 3 + ("Force",) * 2 + ("Focus: ",):
        press_if_there(ana, label)
    if "Ana's turn" in ana.card.inner_text():
        ana.press("Done")
    bo.sees(re.compile(f"Bo's turn|{OVER.pattern}"))
    for label in ("Card: add 1 focus",) * 2 + ("Calculate",) * 2:
        press_if_there(bo, label)
    finish(bo, "Bo")
    ana.sees(OVER)
    bo.sees(OVER)
    ana.shoot("over")
    assert ana.refused() + bo.refused() == []


@pytest.mark.parametrize("clicks", [8, pytest.param(100, marks=pytest.mark.long)])
def test_every_click_of_two_pages_is_a_press(sit_down: Callable[..., Sitting], clicks: int) -> None:
    """One click each, on one card from two pages: each changes the card under the pointer of the other.

    That many presses wait for no timer of the bot, ``tests/cli/test_play.py`` shows without a browser.
    """
    here, there = sit_down(f"many-{clicks}", 1280, TALL), sit_down(f"many-{clicks}-too", **PHONE)
    here.type_command("initiative start")
    here.page.locator(".channel-message .component-button", has_text=re.compile("^Join$")).click()
    here.fill(roll="1d20")  # a form, since suggestions that come late lie over the card's buttons
    for _ in range(clicks):
        for each in (here, there):
            each.page.locator(".channel-message .component-button", has_text=re.compile("^Next$")).click()
    for each in (here, there):
        each.rest()
        assert each.refused() == []
        assert each.page.evaluate("() => simcordPreview.lastAction.sequence") > clicks
    assert f"Round {2 * clicks}:" in there.page.locator(".channel-message", has_text="turn.").last.inner_text()
