"""The first attack, as README and the page tell it: every step is done to the letter, at a desk and on a phone."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from bot.cli.play import STEPS, TOPIC
from tests.browser.conftest import Sitting, playing

if TYPE_CHECKING:
    from playwright.sync_api import Route

README: Final = Path(__file__).parents[2] / "README.md"
SIZES: Final[dict[str, dict[str, Any]]] = {
    "desk": {"width": 1280, "height": 900},
    "phone": {"width": 390, "height": 844, "device_scale_factor": 3, "is_mobile": True, "has_touch": True},
}
OVER: Final = "Luke Skywalker (hits|misses|destroys) Darth Vader"
PRESSES: Final = 20
NUMBERED: Final = re.compile(r"^\d\. (.+?)(?=\n\d\. |\n\n)", re.MULTILINE | re.DOTALL)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A bot of the test's own, because the attack is the first of its round."""
    with playing(tmp_path) as (_, result, _lines):
        yield result


def steps_of_readme() -> tuple[str, ...]:
    """The numbered list under "Try it"."""
    part = README.read_text().split("## Try it", 1)[1].split("## ", 1)[0]
    return tuple(" ".join(result.split()) for result in NUMBERED.findall(part))


def do(here: Sitting, step: str) -> None:
    """Do what one step says. A step in words that this does not know fails."""
    if typed := re.fullmatch(
        r"Type `/([^`]+)` in the box at the bottom, press Enter, then press the arrow next to it\.", step
    ):
        here.begin(typed[1])
        here.send()
        here.page.locator(".modal-dialog").wait_for()
        here.rest()
    elif chosen := re.fullmatch(
        r"In the form, choose `([^`]+)` as your ship and `([^`]+)` as the ship you attack, and press \*\*Submit\*\*\.",
        step,
    ):
        for key, name in (("attacker", chosen[1]), ("defender", chosen[2])):
            here.choose(key, name)
        here.shoot("form")
        here.submit()
        here.sees(chosen[1])
        is_taken_there(here)
    elif turn := re.fullmatch(r"While it is (\w+)'s turn, press a button to change dice, or \*\*Done\*\*\.", step):
        finish(here, turn[1])
    elif turn := re.fullmatch(
        r"While it is (\w+)'s turn, choose `(\w+)` under \*\*Viewing as\*\* and press \*\*Done\*\*\.", step
    ):
        here.be(turn[2])
        finish(here, turn[1])
    else:
        pytest.fail(f"nobody can do this: {step}")


def is_taken_there(here: Sitting) -> None:
    """Who sent a form has the keyboard on the newest card, and its buttons in sight."""
    here.page.wait_for_function(
        """() => document.activeElement.closest(".channel-message")
            === [...document.querySelectorAll(".channel-message")].at(-1)"""
    )
    for button in here.card.locator(".component-button").all()[:5]:
        place, height = button.bounding_box(), here.page.evaluate("innerHeight")
        assert place is not None
        assert 0 <= place["y"] <= height - place["height"], button.inner_text()


def finish(here: Sitting, name: str) -> None:
    """Press Done for as long as it is somebody's turn; dice may leave them nothing to do."""
    for _ in range(PRESSES):
        here.card.filter(has_text=re.compile(f"'s turn|{OVER}")).wait_for()
        if f"{name}'s turn" not in here.card.inner_text():
            return
        here.press("Done")
    pytest.fail(f"it is still {name}'s turn")


def test_readme_and_the_page_tell_the_same_steps() -> None:
    assert steps_of_readme() == STEPS
    assert len(TOPIC) <= 1024, "Discord's limit for a topic"


def test_who_reads_further_up_is_taken_to_the_answer_of_a_command(sit_down: Callable[..., Sitting]) -> None:
    here = sit_down("answer", **SIZES["phone"])
    for _ in range(3):
        here.page.locator("#channel-timeline").evaluate("all => { all.scrollTop = 0; }")
        here.type_command("roll", dice="4d6kh3")
        here.page.wait_for_function(
            """() => {
                const card = [...document.querySelectorAll(".channel-message")].at(-1);
                const seen = document.querySelector("#channel-timeline").getBoundingClientRect();
                const { top, bottom } = card.getBoundingClientRect();
                return card.innerText.includes("Ana rolls") && top < seen.bottom && bottom <= seen.bottom + 1;
            }"""
        )


@pytest.mark.parametrize("size", SIZES)
def test_the_first_attack_by_the_letter(sit_down: Callable[..., Sitting], size: str) -> None:
    here = sit_down(f"first-{size}", **SIZES[size])
    here.shoot("page")
    for step in steps_of_readme():
        do(here, step)
        here.shoot("step")
    here.card.filter(has_text=re.compile(OVER)).wait_for()
    card = here.card.bounding_box()
    assert card is not None
    assert here.page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"], "nothing is cut"


@pytest.mark.parametrize("size", SIZES)
def test_who_comes_back_sees_the_newest_card_and_each_message_once(sit_down: Callable[..., Sitting], size: str) -> None:
    here = sit_down(size, **SIZES[size])
    for _ in range(3):
        here.type_command("help")
    here.page.reload()
    newest = here.page.locator(".channel-message").last
    newest.wait_for()
    here.page.wait_for_function(
        """() => {
            const place = [...document.querySelectorAll(".channel-message")].at(-1).getBoundingClientRect();
            return place.bottom > 0 && place.bottom <= innerHeight;
        }"""
    )
    assert not here.page.locator("#message-picker").is_visible(), "no second list beside the channel"
    assert here.page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]


@pytest.mark.parametrize("size", SIZES)
def test_the_first_step_is_whole_in_the_header_and_a_press_shows_all(
    sit_down: Callable[..., Sitting], size: str
) -> None:
    here = sit_down(size, **SIZES[size])
    topic = here.page.locator("#channel-topic")
    seen = """(topic, end) => {
        const range = document.createRange(), box = topic.getBoundingClientRect();
        range.setStart(topic.firstChild, 0);
        range.setEnd(topic.firstChild, end);
        const text = range.getBoundingClientRect();
        return text.bottom <= box.bottom && text.right <= box.right;
    }"""
    assert topic.evaluate(seen, topic.inner_text().index("2. "))
    topic.click()
    assert topic.evaluate(seen, len(topic.inner_text()))


PLACES: Final = """() => {
  const card = [...document.querySelectorAll(".channel-message")].at(-1), from = card.getBoundingClientRect();
  return [...card.querySelectorAll(".embed, .component-button, .select-trigger")].map(one => {
    const place = one.getBoundingClientRect();
    return [one.innerText, place.x - from.x, place.y - from.y, place.width, place.height].join();
  });
}"""
"""Where the newest card's parts stand in it."""


@pytest.mark.parametrize("size", SIZES)
def test_pictures_and_icons_that_come_late_move_nothing(sit_down: Callable[..., Sitting], size: str) -> None:
    here = sit_down(f"late-{size}", **SIZES[size])
    for step in steps_of_readme()[:2]:
        do(here, step)
    late: list[Route] | None = []

    def hold(route: "Route") -> None:
        if late is None:
            route.continue_()
        else:
            late.append(route)

    here.page.route("**/api/assets/**", hold)
    here.page.reload()
    here.card.locator(".component-button").first.wait_for()
    shown: list[list[str]] = [[], [""]]
    while len({*map(str, shown[-5:])}) > 1:  # the page finds its width first
        here.page.wait_for_timeout(100)
        shown.append(here.page.evaluate(PLACES))
    assert late
    held, late = late, None
    for waiting in held:
        waiting.continue_()
    here.wait_for_pictures()
    here.page.wait_for_function(
        "() => [...document.querySelectorAll('.channel-message img')].every(one => one.naturalWidth)"
    )
    assert here.page.evaluate(PLACES) == shown[-1]
