"""Three things that somebody wants who has never seen the page, done on a phone by reading what is on the screen alone.

Nothing here knows a command: a word to press or to type is one that the page says just now.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.conftest import Sitting, playing
from tests.ports import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

PHONE: Final[dict[str, Any]] = {
    "width": 390,
    "height": 844,
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
MAX_STEPS: Final = 14
BOLD: Final = re.compile(r"Press the blue button")


@pytest.fixture
def here(sit_down: Callable[..., Sitting]) -> Sitting:
    return sit_down("stranger", **PHONE)


def on_screen(here: Sitting) -> str:
    """All that the newest message says."""
    return here.page.locator(".channel-message").last.inner_text()


def blue(here: Sitting) -> str:
    """The label of the blue button of the newest message that has one."""
    result = here.page.locator(".channel-message").last.locator(".component-button.button-style-1")
    return result.first.inner_text()


def press_blue(here: Sitting) -> None:
    before = on_screen(here)
    button = here.page.locator(".channel-message").last.locator(".component-button.button-style-1:enabled").first
    here.wait_for_pictures()
    button.scroll_into_view_if_needed()
    button.dispatch_event("click")  # at once: a picture that comes between the halves of a click would move the button
    here.rest()
    here.page.wait_for_function(
        "before => [...document.querySelectorAll('.channel-message')].at(-1).innerText !== before", arg=before
    )


def test_a_first_attack_by_nothing_but_blue_buttons(here: Sitting) -> None:
    """I am alone, and want to know what this is."""
    topic = here.page.locator("#channel-topic").inner_text()
    assert "/help" in topic
    here.type_command("help")
    here.is_told("Try it")
    seen = list[str]()
    for _ in range(MAX_STEPS):
        said = on_screen(here)
        seen += re.findall(r"Step (\d) of 3", said)
        if "Nothing was saved" in said:
            break
        assert BOLD.search(said) or "press How?" in said or "Try it" in said, said
        press_blue(here)
    assert "Nothing was saved" in on_screen(here)
    assert {"1", "3"} <= set(seen)
    assert here.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], "nothing is cut"


def test_whose_turn_it_is_and_what_the_ships_have(here: Sitting) -> None:
    """I come late: what is on the table?"""
    board = here.page.locator(".channel-message", has_text="The table").last
    assert "4 ships" in board.inner_text()
    picture = board.locator("img[alt*='Luke Skywalker']").first
    picture.wait_for(state="attached")
    told = picture.get_attribute("alt") or ""
    assert "hull" in told, "the picture is said in words too"
    assert "Darth Vader" in told


def test_roll_some_dice(here: Sitting) -> None:
    """I want to roll 4d6 and keep the best three."""
    here.type_command("help")
    here.is_told("Roll 4d6, keep 3")
    here.page.locator(".component-button", has_text="Roll 4d6, keep 3").last.click()
    here.rest()
    here.sees(re.compile(r"Ana rolls .+ = \d+\."))


def test_a_link_to_the_board_shows_the_message(here: Sitting) -> None:
    here.page.evaluate(
        """() => {
            const board = document.querySelector('.channel-message[data-message-id]');
            const link = document.createElement('a');
            link.href = `https://discord.com/channels/1/2/${board.dataset.messageId}`;
            link.textContent = 'there';
            link.id = 'there';
            document.body.append(link);
            window.shown = 0;
            board.scrollIntoView = () => { window.shown += 1; };
            link.click();
        }"""
    )
    assert here.page.evaluate("window.shown") == 1
    assert "127.0.0.1" in here.page.url, "no other page was opened"


def test_a_tab_that_is_open_finds_the_bot_after_its_last_word_and_after_a_restart(
    chromium: "Browser", tmp_path: Path
) -> None:
    port, page = free_port(), chromium.new_page()
    with playing(tmp_path, port) as (process, address, _):
        page.goto(address)
        page.locator(".channel-message", has_text="The table").wait_for()
        page.evaluate("window.isOld = true")
        asked = list["Route"]()

        def last_words(route: "Route") -> None:
            """The page is served once more, and nothing that belongs to it."""
            asked.append(route)
            if len(asked) == 1:
                route.continue_()
            else:
                route.abort("connectionrefused")

        page.route(re.compile(r"//[^/]+/(\?.*)?$"), last_words)
        page.route("**/*.js", lambda route: route.abort("connectionrefused"))
        page.route("**/api/state", lambda route: route.fulfill(status=410))
        for _ in range(60):
            if len(asked) > 3:
                break
            page.wait_for_timeout(250)
        page.unroute_all()
        page.wait_for_function("() => !window.isOld")
        page.locator(".channel-message", has_text="The table").wait_for()
        page.evaluate("window.isOld = true")
        process.terminate()
        process.join()
    with playing(tmp_path, port) as (_, again, _lines):
        assert again == address
        page.wait_for_function("() => !window.isOld")
        page.locator(".channel-message", has_text="The table").wait_for()
    page.close()
