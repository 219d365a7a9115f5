"""An evening in a call in a real browser: three frames in a host that stands in for Discord, whatever their size."""

import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.conftest import Sitting
from tests.browser.proxy import proxied
from tests.browser.test_activity import calling, host, seat, seats
from tests.browser.test_first_steps import finish
from tests.browser.test_screen import window
from tests.ports import free_port

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page, Response

__all__ = ["window"]  # a fixture

DESK, PHONE, SMALL = (1100, 700), (390, 844), (320, 180)
"""Sizes of a frame: on a desk, on a phone, and picture-in-picture."""
MAX_FIRST_LOAD: Final = 150_000
MAX_TRIES: Final = 40
READY: Final = "button[data-do=ready]"
ADVICE: Final = "[data-do=advice]"


def shoot(page: "Page", name: str) -> None:
    """Keep a picture where SCREENSHOTS names a folder."""
    if folder := os.environ.get("SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"call-{name}.png")


def until(happens: Callable[[], bool], page: "Page") -> None:
    """Wait for something that no event tells of."""
    for _ in range(600):
        if happens():
            return
        page.wait_for_timeout(50)
    pytest.fail("it does not happen")


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """One bot for all the tests: its start takes seconds, and each test makes its own roll."""
    with calling(tmp_path_factory.mktemp("call"), free_port()) as addresses:
        yield addresses


@pytest.fixture(scope="module")
def address(both: tuple[str, str]) -> str:
    return both[0]


@pytest.fixture(scope="module")
def screen(both: tuple[str, str]) -> str:
    return both[1]


def same_roll(frames: "list[FrameLocator]", page: "Page") -> None:
    """Wait until all frames show the same roll and the same sentence."""

    def shown() -> set[str]:
        return {
            f"{frame.locator('.said').inner_text()}\n{frame.locator('[data-part=roll]').inner_html()}"
            for frame in frames
        }

    until(lambda: len(shown()) == 1, page)


def test_by_keyboard_alone_and_without_motion_or_sound(window: "Callable[..., Page]", screen: str) -> None:
    page = window(1100, 900, reduced_motion="reduce", color_scheme="dark")
    (ana, query), *_ = seats(page, screen).items()
    host(page)
    frame = seat(page, ana, f"{screen}/?{query}", *DESK)
    frame.locator(".plan select").first.wait_for()
    focused = (
        "() => document.activeElement.dataset.of ?? document.activeElement.dataset.do ?? document.activeElement.id"
    )
    first = str(frame.locator(".plan select").first.get_attribute("data-of"))
    page.locator("iframe").focus()
    root = frame.locator("html")
    for _ in range(MAX_TRIES):
        page.keyboard.press("Tab")
        if root.evaluate(focused) == first:
            break
    page.keyboard.press("ArrowDown")
    until(lambda: frame.locator(".plan select").first.input_value() != "", page)
    until(lambda: root.evaluate(focused) == first, page)
    for _ in range(MAX_TRIES):
        page.keyboard.press("Tab")
        if root.evaluate(focused) == "ready":
            break
    page.keyboard.press("Enter")
    frame.get_by_role("button", name="Ready anyway").wait_for()
    assert root.evaluate(focused) == "ready", "the focus stays where it was"
    spoken = frame.locator("#advice")
    assert spoken.get_attribute("aria-live") == "polite"
    assert "You haven't planned anything for" in spoken.inner_text()
    assert frame.locator(".said").get_attribute("aria-live") == "polite"
    assert frame.get_by_role("status").inner_text() == "Live"
    assert frame.get_by_role("region", name="Only for you").count() == 1
    assert frame.get_by_role("combobox", name="Luke Skywalker").count() == 1
    assert frame.locator("#sound").get_attribute("aria-pressed") == "false"
    root.evaluate("root => root.append(Object.assign(document.createElement('i'), { className: 'new' }))")
    assert root.evaluate("root => getComputedStyle(root.lastChild).animationName") == "none"
    shoot(page, "keyboard")


def test_the_first_load_is_small(window: "Callable[..., Page]", screen: str) -> None:
    """What is text counts as a proxy sends it, compressed; all else as it is."""
    came: list[Response] = []
    page = window(*DESK)
    (ana, query), *_ = seats(page, screen).items()
    host(page)
    page.on("response", lambda item: came.append(item) if item.url.startswith(screen) else None)
    frame = seat(page, ana, f"{screen}/?{query}", *DESK)
    frame.locator(".unit").first.wait_for()
    until(lambda: any("/font-" in item.url for item in came), page)
    bodies = {item.url: item.body() for item in came if not item.url.endswith("/events") and "/events?" not in item.url}
    texts = {url for url in bodies if not url.endswith((".png", ".woff2"))}
    size = sum(len(gzip.compress(body)) if url in texts else len(body) for url, body in bodies.items())
    print(f"first load: {size / 1000:.1f} kB, {len(bodies)} requests")  # noqa: T201 - the figure
    assert 20_000 < size < MAX_FIRST_LOAD


def test_each_size_shows_what_it_has_room_for(
    sit_down: Callable[..., Sitting], window: "Callable[..., Page]", screen: str
) -> None:
    page = window(1960, 1400)
    (ana, query), *_ = seats(page, screen).items()
    host(page)
    frames = [
        seat(page, ana, f"{screen}/?{query}", *size) if not number else again(page, number, query, screen, size)
        for number, size in enumerate((DESK, PHONE, SMALL))
    ]
    for frame in frames:
        frame.locator(".unit").first.wait_for(state="attached")
    sit_down("call").type_command("xwing attack", dice="6", agility="0", with_="focus")
    for frame, (width, height) in zip(frames, (DESK, PHONE, SMALL), strict=True):
        frame.locator(".roll .die").last.wait_for()
        root = frame.locator("html")
        assert root.evaluate("root => root.scrollWidth <= root.clientWidth"), "nothing stands beside the frame"
        roll = root.evaluate("() => document.querySelector('.roll .strips').getBoundingClientRect().toJSON()")
        assert 0 <= roll["left"] < roll["right"] <= width
        assert 0 < roll["top"] < roll["bottom"] <= height, "the dice are in sight"
        mine = root.evaluate("() => document.querySelector('.mine').getBoundingClientRect().toJSON()")
        is_apart = not mine["height"] or mine["left"] >= roll["right"] or mine["top"] >= roll["bottom"]
        assert is_apart, "what is one's own covers no dice"
    assert frames[0].locator(".mine").is_visible()
    assert frames[1].locator(".mine").is_visible()
    assert not frames[2].locator(".mine").is_visible()
    shoot(page, "sizes")


def again(page: "Page", number: int, query: str, screen: str, size: tuple[int, int]) -> "FrameLocator":
    """One more frame of somebody who has one: its place in the host is another, and its code says whose it is."""
    person = query.partition("frame_id=")[2].partition("&")[0]
    return seat(page, f"{person}-{number}", f"{screen}/?{query}", *size)


def test_where_a_proxy_keeps_events_back_a_socket_shows_the_same(
    sit_down: Callable[..., Sitting], window: "Callable[..., Page]", screen: str
) -> None:
    with proxied(screen, holds=True) as slow, proxied(screen, holds=False) as plain:
        page = window(1200, 900)
        (ana, query), (bo, other), *_ = seats(page, screen).items()
        host(page)
        frames = [seat(page, ana, f"{slow.url}/?{query}", 580, 700), seat(page, bo, f"{plain.url}/?{other}", 580, 700)]
        for frame in frames:
            frame.locator(".unit").first.wait_for()
        until(lambda: "socket" in slow.taken, page)
        sit_down("call").type_command("roll", dice="2d20")
        for frame in frames:
            frame.locator(".roll .title", has_text="2d20").wait_for()
            frame.locator(".roll .die").first.wait_for()
        same_roll(frames, page)
        assert slow.taken.index("events") < slow.taken.index("socket")
        assert "events" in plain.taken


def test_share_asks_discord_for_a_link_that_opens_at_this_table(window: "Callable[..., Page]", screen: str) -> None:
    page = window(1200, 900)
    (ana, first), (bo, second), *_ = seats(page, screen).items()
    host(page)
    frame = seat(page, ana, f"{screen}/?{first}", 580, 700)
    frame.locator(".unit").first.wait_for()
    tables = frame.locator("#tables")
    begun = tables.input_value()
    (other,) = {option.get_attribute("value") for option in tables.locator("option").all()} - {begun}
    assert other is not None
    tables.select_option(other)
    until(lambda: frame.locator(".trooper, .unit", has_text="Luke Skywalker").count() == 0, page)
    said = frame.locator("[data-part=said]").inner_text().strip()
    frame.get_by_role("button", name="Share this table").click()
    page.wait_for_function("heard.some(([kind, said]) => said.cmd === 'SHARE_LINK')")
    asked = page.evaluate("heard.find(([kind, said]) => said.cmd === 'SHARE_LINK')[1].args")
    assert asked == {"custom_id": other, "message": said or "Share this table"}
    follower = seat(page, bo, f"{screen}/?{second}&custom_id={other}", 580, 700)  # as Discord opens such a link
    follower.locator("#state", has_text="Live").wait_for()
    assert follower.locator("#tables").input_value() == other
    page.context.close()


def test_an_evening_from_consent_to_damage(
    sit_down: Callable[..., Sitting], window: "Callable[..., Page]", screen: str
) -> None:
    page = window(1960, 1080)
    (ana, bo, cleo), queries = zip(*list(seats(page, screen).items())[:3], strict=True)
    host(page)
    frames = [
        seat(page, ana, f"{screen}/?{queries[0]}", *DESK, False, True),
        seat(page, bo, f"{screen}/?{queries[1]}", *PHONE),
        seat(page, cleo, f"{screen}/?{queries[2]}", *SMALL),
    ]
    frames[0].get_by_text("without knowing who you are").wait_for()
    assert not frames[0].locator(".unit").count(), "who does not agree is shown nothing"
    frames[0].get_by_role("button", name="Try again").click()
    for frame in frames:
        frame.locator(".unit").first.wait_for(state="attached")
    here = sit_down("call")
    attack(page, frames, here)
    dials(page, frames, here)
    advice(page, frames, here)


def dials(page: "Page", frames: "list[FrameLocator]", here: Sitting) -> None:
    """Chosen in two frames, then revealed on Discord."""
    assert [frame.locator(".plan select").count() for frame in frames] == [2, 2, 0], "each their own ships"
    for at in range(4):
        choice = frames[at // 2].locator(".plan select").nth(at % 2)
        choice.select_option(index=2 + at)
        until(lambda choice=choice: choice.input_value() != "", page)  # type: ignore[misc]  # this one
    shoot(page, "dials")
    assert "ready" not in frames[2].locator(".said").inner_text(), "what is chosen is told to nobody"
    for item, name in zip(frames, ("Ana", "Bo"), strict=False):
        item.locator(READY).click()
        for each in frames:
            each.locator(".said", has_text=f"{name} is ready").wait_for()
    here.type_command("table show")  # the page of the simulation follows what is done on it, not in a frame
    for _ in range(4):
        label = next(label for label in here.buttons() if label.startswith("Reveal ") and "·" not in label)
        ship = label.removeprefix("Reveal ")
        here.be("Ana" if ship in ("Luke Skywalker", "Wedge Antilles") else "Bo")  # whose is next falls by a roll
        here.press(label)
        same_roll(frames, page)
        frames[2].locator(".said", has_text=f"reveals {ship}").wait_for()
    here.be("Ana")
    shoot(page, "revealed")


def attack(page: "Page", frames: "list[FrameLocator]", here: Sitting) -> None:
    """Watched from its declaration to the damage."""
    here.begin("xwing attack")
    here.send()
    for key, name in (("attacker", "Luke Skywalker"), ("defender", "Darth Vader")):
        here.choose(key, name)
    here.submit()
    for frame in frames:
        frame.locator(".said", has_text="Luke Skywalker").wait_for(state="attached")
        frame.locator(".roll .die").first.wait_for()
    for _ in range(MAX_TRIES):
        same_roll(frames, page)
        if frames[2].locator(".roll.over").count():
            break
        for name in ("Ana", "Bo"):
            here.be(name)
            finish(here, name)
    here.be("Ana")
    assert "Luke Skywalker" in frames[2].locator(".said").inner_text()
    assert all(item.locator(".roll.over").count() == 1 for item in frames)
    shoot(page, "damage")


def advice(page: "Page", frames: "list[FrameLocator]", here: Sitting) -> None:
    """One frame shows it, and no other."""
    for _ in range(MAX_TRIES):  # the dice may leave nothing to do
        here.type_command("xwing attack", dice="6", agility="0", with_="focus")
        if any(label.startswith("Focus") for label in here.buttons()):
            break
    frames[0].locator(ADVICE).last.click()
    frames[0].locator("#advice .roll .outcome").wait_for()
    shoot(page, "advice")
    assert [frame.locator("#advice .roll").count() for frame in frames] == [1, 0, 0]
    assert [frame.locator(ADVICE).count() > 0 for frame in frames] == [True, False, False]
