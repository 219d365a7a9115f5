"""200 presses by mouse on a fresh page of `make play`: one click each, nothing is tried again."""

import os
import random
import re
import shutil
import time
from pathlib import Path
from typing import Any, Final

import pytest

from tests.browser.conftest import BROWSERS, FLAGS, MAX_WAIT, PICKS_OPTION
from tests.cli.test_play import COMMANDS, left_over, table

PRESSES: Final = 200
BUTTONS: Final = ".channel-message .component-button:not(:disabled):not([href])"
NEWEST: Final = 12
"""Buttons at the end of the page among which somebody chooses."""
READY: Final = "() => simcordPreview.ready && !document.querySelector('#action-status').textContent.endsWith('…')"
DONE: Final = """
([sequence]) => simcordPreview.ready && simcordPreview.lastAction?.sequence > sequence
    && !document.querySelector("#action-status").textContent.endsWith("…")
"""


async def type_command(page: Any, command: str, dice: str = "") -> None:
    """Type a command and send it: a roll, or the board again, which newer cards leave behind."""
    box = page.locator("#channel-composer-input")
    await box.click()
    await box.fill(f"/{command[:-1]}")
    await box.press_sequentially(command[-1])
    await page.locator(".command-suggestion, .command-popup [role=option]", has_text=f"/{command}").first.wait_for()
    await page.keyboard.press("Enter")
    await page.locator("[data-command-chip]").wait_for()
    if dice:
        if not await page.locator("input[data-option=dice]").count():
            await page.locator(".command-ghost").evaluate(PICKS_OPTION, ".command-suggestion[data-value=dice]")
        await page.locator("input[data-option=dice]").fill(dice)
    await page.locator("#send-message").click()
    await page.locator("[data-command-chip]").wait_for(state="detached")


async def fill_form(page: Any) -> None:
    """Fill what is empty in the open form: the first of what is offered, and a number where text is asked for."""
    form = page.locator(".modal-dialog")
    for field in await form.locator(".modal-field").all():
        for line in await field.locator("input[type=text], textarea").all():
            await line.fill(await line.input_value() or "2")
        dots = field.locator("input[type=radio], input[type=checkbox]")
        if await dots.count() and not await field.locator("input:checked").count():
            await field.locator("label").first.click()
        chosen = field.locator(".select-trigger")
        if await chosen.count() and re.match("Select|Choose|$", await chosen.inner_text()):
            await chosen.click()
            await page.locator(".select-list .select-option:visible").first.click()


async def be_who_acts(page: Any) -> None:
    """Choose the person whose turn the newest message says it is."""
    said = await page.locator(".channel-message").last.inner_text()
    if named := re.search(r"(Ana|Bo)'s turn|is for (Ana|Bo)", said):
        await page.select_option("#viewer-picker", label=named[1] or named[2])
        await page.wait_for_function(READY)


async def next_button(page: Any, pressed: list[str], picks: random.Random) -> Any:
    """The button of an open form that sends it, else one of the newest, rather one that was seldom pressed; or None."""
    if await page.locator(".modal-dialog").count():
        await fill_form(page)
        return page.locator(".modal-dialog [type=submit]", has_text="Submit")
    shown = page.locator(BUTTONS)
    labels = await shown.all_inner_texts()
    newest = range(max(0, len(labels) - NEWEST), len(labels))
    best = min(newest, key=lambda at: (pressed.count(labels[at]), picks.random()), default=None)
    return None if best is None else shown.nth(best)


@pytest.mark.long
async def test_200_presses_by_mouse_wait_for_nothing_and_none_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted by what was waited for: simcord's clock moves for a timer, and left-over work holds the next press."""
    playwright = pytest.importorskip("playwright.async_api", reason="needs Playwright: pip install 'rollcall[dev]'")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("needs a browser: apt-get install chromium-headless-shell (Debian), or CHROMIUM names one")
    picks, labels, seconds, typed = random.Random(61), list[str](), list[float](), 0
    async with table(tmp_path, monkeypatch) as game, playwright.async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=list(FLAGS))
        page = await browser.new_page(viewport={"width": 1280, "height": 2000})
        page.set_default_timeout(MAX_WAIT)
        await page.goto(game.pages["xwing"].url)
        await page.locator(BUTTONS).first.wait_for()
        began = game.env._virtual_time
        while len(labels) < PRESSES:
            if not await page.locator(".modal-dialog").count():
                await be_who_acts(page)
            before = await page.evaluate("() => simcordPreview.lastAction?.sequence ?? 0")
            pressed = await next_button(page, labels, picks) if 9 * typed <= len(labels) else None
            started = time.perf_counter()
            if pressed is None and not await page.locator(".modal-dialog").count():
                await type_command(page, *(("table show",) if typed % 2 else ("roll", picks.choice(COMMANDS))))
                typed += 1
            else:
                pressed = pressed or await next_button(page, labels, picks)
                await pressed.scroll_into_view_if_needed()
                place, label = await pressed.bounding_box(), await pressed.inner_text()
                assert place is not None, label
                started = time.perf_counter()
                await page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
                labels.append(label)
            await page.wait_for_function(DONE, arg=[before])
            seconds.append(time.perf_counter() - started)
            done = await page.evaluate("() => simcordPreview.lastAction")
            assert (done["rejected"], done["settlement"]) == (False, "settled"), (labels[-1:], done)
            assert left_over(game.env) == [], (labels[-1:], "the next press would wait for it")
            assert game.env._virtual_time == began, (labels[-1:], "somebody waited for a timer")
        await browser.close()
    ordered = sorted(seconds)
    print(f"{len(set(labels))} labels; median {ordered[len(ordered) // 2]:.2f} s, longest {ordered[-1]:.2f} s")  # noqa: T201 - for whoever looks
