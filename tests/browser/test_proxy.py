"""The frame behind a proxy as unkind as Discord's is reported to be: six switches, each on and off.

The proxy replaces our policy, puts a nonce into inline scripts, takes away how long things may be kept, and keeps
streams back; the document has an opaque origin, and the host's messages come from ``null``.
https://github.com/discord/embedded-app-sdk/issues/280, https://github.com/discord/embedded-app-sdk/issues/321
"""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.proxy import proxied
from tests.browser.test_activity import HOST, HOST_PAGE, calling, seats
from tests.browser.test_screen import window
from tests.ports import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Page, Route

__all__ = ["window"]  # a fixture

SWITCHES: Final = ("replaces", "marks", "forgets", "holds", "opaque", "null")
WITHIN: Final = """html => document.body.append(Object.assign(document.createElement("iframe"), {
  width: 650, height: 850, src: "data:text/html," + encodeURIComponent(html) }))"""
COMBINATIONS: Final = list(product((False, True), repeat=len(SWITCHES)))
PAIRWISE: Final = ("------", "-+++++", "+-+-+-", "++-+--", "+--++-", "-+--+-", "--++-+", "++++-+", "----++", "+-++++")
"""Combinations that hold every pair of switches in all four states: what every run tries. ``-m long`` tries all 64."""


def pattern(switches: tuple[bool, ...]) -> str:
    return "".join("-+"[on] for on in switches)


TRIED: Final = [
    pytest.param(
        combination, id=pattern(combination), marks=() if pattern(combination) in PAIRWISE else pytest.mark.long
    )
    for combination in COMBINATIONS
]


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One bot for all combinations."""
    with calling(tmp_path_factory.mktemp("proxy"), free_port(), "tests.browser.open_play") as (_, result):
        yield result


def host(page: "Page", *, null: bool) -> "Frame":
    """A page in Discord's place; ``null``: its address is none, so its messages come from ``null``."""

    def answer(route: "Route") -> None:
        route.fulfill(body="<!doctype html><body>" if null else HOST_PAGE, content_type="text/html")

    page.route(f"{HOST}/**", answer)
    page.goto(f"{HOST}/")
    if not null:
        return page.main_frame
    page.evaluate(WITHIN, HOST_PAGE)
    page.frame_locator("iframe").locator("body").wait_for(state="attached")
    (result,) = page.main_frame.child_frames
    return result


def test_every_run_tries_every_pair_of_switches_in_every_state() -> None:
    for left, right in combinations(range(len(SWITCHES)), 2):
        assert {(item[left], item[right]) for item in PAIRWISE} == set(product("-+", repeat=2))


@pytest.mark.parametrize("switches", TRIED)
def test_every_combination_shows_the_table_live_and_takes_a_choice(
    window: "Callable[..., Page]", screen: str, switches: tuple[bool, ...]
) -> None:
    on = dict(zip(SWITCHES, switches, strict=True))
    opaque, null = on.pop("opaque"), on.pop("null")
    with proxied(screen, **on) as proxy:
        page = window(700, 900, no_inline=on["replaces"] and not on["marks"])
        person, query = next(iter(seats(page, screen).items()))
        at = host(page, null=null)
        at.wait_for_function("() => window.seat")
        at.evaluate(f"seat('{person}', '{proxy.url}/?{query}', 580, 700, [])")
        if opaque:  # taken in by a frame only when it begins anew
            at.evaluate("() => { const one = here[0]; one.sandbox = 'allow-scripts'; one.src += '&again' }")
        frame = (page.frame_locator("iframe") if null else page).frame_locator(f"iframe[name='{person}']")
        frame.locator(".unit").first.wait_for()
        frame.locator("#state", has_text="Live").wait_for()
        choice = frame.locator(".plan select").first
        value = choice.locator("option").nth(3).get_attribute("value")
        before = len(proxy.taken)
        choice.select_option(value)
        page.wait_for_timeout(0)
        while "own" not in proxy.taken[before:]:
            page.wait_for_timeout(20)
        assert "choose" in proxy.taken[before:]
        assert frame.locator(".plan select").first.input_value() == value
        assert frame.locator("html").evaluate("() => self.origin") == ("null" if opaque else proxy.url)
        page.context.close()
