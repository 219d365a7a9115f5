"""`python -m bot play` in a process of its own, and people who sit at its page in a real browser, headless.

Wants Playwright's Python package and a chromium of the system (``BROWSERS`` on the path, or CHROMIUM names it); the
browsers that Playwright would download are not needed.
"""

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.wire.forks import started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parents[2]
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--blink-settings=imageAnimationPolicy=2",  # to draw dice that tumble takes a tenth of all
    "--disable-features=LocalNetworkAccessChecks",  # pages that a test makes up count as strangers to this machine
)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first, which has no windows, takes an eighth less of the processor."""
PICKS_OPTION = "(button, option) => { button.click(); document.querySelector(option).click(); }"
ALL_THAT_IS_SAID = (
    """[...document.querySelectorAll(".channel-message, .modal-dialog")].map(one => one.innerText).join()"""
)
"""The words of all messages, and of the form that is open."""


CONTRAST: Final = """() => {
  const luminance = ([r, g, b]) => [r, g, b].map(part => part / 255)
    .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const painted = layers => {
    canvas.globalAlpha = 1;
    canvas.fillStyle = "#fff";
    canvas.fillRect(0, 0, 1, 1);
    for (const [color, opacity] of layers) {
      canvas.globalAlpha = opacity;
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const low = [];
  for (const one of document.querySelectorAll("body *")) {
    const own = [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own && !one.matches("input:not([type=checkbox], [type=radio]), select, textarea")) continue;
    if (!one.checkVisibility() || one.closest("script, style, option, .unseen")) continue;
    const line = [], grounds = [];
    for (let up = one; up; up = up.parentElement) line.unshift(getComputedStyle(up));
    let opacity = 1;
    for (const style of line) grounds.push([style.backgroundColor, opacity *= style.opacity]);
    const style = one.placeholder && !one.value ? getComputedStyle(one, "::placeholder") : line.at(-1);
    const ink = one.closest("svg") ? style.fill : style.color;
    const [text, ground] = [painted([...grounds, [ink, opacity]]), painted(grounds)].map(luminance);
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    const said = own ? one.textContent : one.placeholder;
    if (ratio < 4.5) low.push([one.className, said.slice(0, 20), ratio.toFixed(2)]);
  }
  return low;
}"""
"""The texts, values, and examples in fields whose contrast is below 4.5 (WCAG 2, 1.4.3)."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Somebody at an open page; ``shots`` is where its pictures go, where somebody wants to look at them."""

    page: "Page"
    shots: Path | None

    def be(self, name: str) -> None:
        """Choose a person under "Viewing as"."""
        self.page.select_option("#viewer-picker", label=name)
        self.page.locator("#viewer-picker option:checked", has_text=name).wait_for(state="attached")
        self.rest()

    def rest(self) -> None:
        """Wait until the page has nothing under way, and takes a press; it says so with an ellipsis less."""
        self.page.locator("#action-status", has_text=re.compile("[^…]$")).wait_for(state="attached")
        self.page.wait_for_function("() => simcordPreview.ready && !simcordPreview.pendingAction")

    @property
    def card(self) -> "Locator":
        """The newest card in the channel."""
        return self.page.locator(".channel-message:has(.embed-title)").last

    def outcome(self) -> str:
        return self.card.locator(".embed-title").inner_text()

    def loses(self, label: str) -> None:
        """Wait until the newest card has no button or select that begins so."""
        begins = re.compile(f"^{re.escape(label)}")
        self.card.locator(".component-button, .select-trigger").filter(has_text=begins).first.wait_for(state="detached")

    def sees(self, words: str | re.Pattern[str]) -> None:
        """Wait until the newest card says so, title or story."""
        self.card.filter(has_text=words).wait_for()

    def is_told(self, words: str) -> None:
        """Wait for a message that says so, whoever may see it."""
        self.page.locator(".channel-message", has_text=words).last.wait_for()

    def refused(self) -> list[str]:
        """What the bot did not carry out of all that was done on this page lately."""
        done: list[dict[str, Any]] = self.page.evaluate("() => simcordPreview.activity")
        return [str(item) for item in done if item["rejected"] or item["settlement"] != "settled"]

    def buttons(self) -> list[str]:
        return self.card.locator(".component-button").all_inner_texts()

    def press(self, label: str) -> str:
        """Press the button that says this or begins so, once, and wait for something to change. Return its label."""
        matches = [
            self.card.locator(".component-button", has_text=re.compile(f"^{re.escape(label)}{end}"))
            for end in ("$", "")
        ]
        button = next((match for match in matches if match.count()), matches[-1])
        whole, before = button.inner_text(), self.page.evaluate(ALL_THAT_IS_SAID)
        button.click()
        self.rest()
        self.page.wait_for_function(f"before => ({ALL_THAT_IS_SAID}) !== before", arg=before)
        return whole

    def pick(self, select: str, *options: int) -> None:
        """Open the select that begins so and pick options by their place, as a person does."""
        self.wait_for_pictures()
        trigger = self.card.locator(".select-trigger", has_text=select)
        trigger.scroll_into_view_if_needed()  # the page closes a list whose select has left the window
        offered = self.page.locator(".select-list .select-option:visible")
        trigger.click()
        offered.first.wait_for()
        for place in options:
            self.page.locator(".select-list .select-option:visible").nth(place).click()
        self.shoot("select")
        self.page.locator(".select-list .select-apply:visible").click()
        self.rest()

    def submit(self) -> None:
        """Send the form that is open."""
        form = self.page.locator(".modal-dialog")
        form.locator("[type=submit]", has_text="Submit").click()
        form.wait_for(state="detached")
        self.rest()

    def type_command(self, command: str, **options: str) -> None:
        """Type a slash command, its options one by one, and send it."""
        self.begin(command)
        for name, value in options.items():
            self.option(name.removesuffix("_")).fill(value)
        self.send()

    def begin(self, command: str) -> None:
        """Pick a slash command from the list that opens while one types."""
        box = self.page.locator("#channel-composer-input")
        box.click()
        box.fill(f"/{command[:-1]}")  # the page looks for suggestions after each letter that is typed
        box.press_sequentially(command[-1])
        self.page.locator(".command-suggestion, .command-popup [role=option]", has_text=f"/{command}").first.wait_for()
        self.shoot("picker")
        self.page.keyboard.press("Enter")
        self.page.locator("[data-command-chip]").wait_for()

    def option(self, name: str) -> "Locator":
        """The field of an option, which is brought up if it does not stand there yet."""
        field = self.page.locator(f"input[data-option={name}]")
        if not field.count():
            # In one step: a message that comes while the list is open closes it.
            self.page.locator(".command-ghost").evaluate(PICKS_OPTION, f".command-suggestion[data-value={name}]")
        return field

    def send(self) -> None:
        self.shoot("command")
        self.touch(self.page.locator("#send-message:enabled"))  # gray for a moment after a command was picked
        self.rest()

    def touch(self, there: "Locator") -> None:
        """Tap or click where it stands, as a finger does; what lies off the screen isn't brought there."""
        there.wait_for()
        box, window = there.bounding_box(), self.page.viewport_size
        assert box, "it isn't drawn"
        assert window
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= window["width"], f"it lies beside the screen: {box}"
        assert box["y"] + box["height"] <= window["height"], f"it lies below the screen: {box}"
        at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        has_touch = self.page.evaluate("navigator.maxTouchPoints > 0")
        (self.page.touchscreen.tap if has_touch else self.page.mouse.click)(*at)

    def fill(self, **lines: str) -> None:
        """Fill the form that is open, and send it."""
        for name, text in lines.items():
            self.page.locator(f".modal-dialog input[name={name}]").fill(text)
        self.shoot("form")
        self.submit()

    def choose(self, key: str, label: str) -> None:
        """Pick one thing in the form that is open: from its dots, or from its list."""
        dots = self.page.locator(f".modal-field[data-custom-id={key}] label", has_text=label)
        if dots.count():
            dots.first.click()
            return
        self.page.locator(f".modal-field[data-custom-id={key}] .select-trigger").click()
        self.page.locator(".select-list .select-option:visible", has_text=label).first.click()

    def shoot(self, name: str) -> None:
        """Wait for the dice on the page, and keep a picture of it where SCREENSHOTS names a folder."""
        self.wait_for_pictures()
        if self.shots is None:
            return
        self.shots.mkdir(parents=True, exist_ok=True)
        number = len(list(self.shots.glob("*.png"))) + 1
        self.page.screenshot(path=self.shots / f"{number:02}-{name}.png")

    def wait_for_pictures(self) -> None:
        """Wait until the dice on the page are there."""
        self.page.wait_for_function(
            "() => [...document.querySelectorAll('img.embed-image')].every(one => one.naturalWidth)"
        )


@pytest.fixture(scope="module")
def chromium() -> "Iterator[Browser]":
    """A browser for the tests of one module: Playwright keeps a loop running, and others want their own."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install 'rollcall[dev]'")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("needs a browser: apt-get install chromium-headless-shell (Debian), or CHROMIUM names one")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def playing(
    folder: Path, port: int = 0, program: str = "bot"
) -> Iterator[tuple[ForkServerProcess, str, "Iterator[str]"]]:
    """`python -m bot play` at a port, by a fork: the process, the address of its page, and the lines that it says."""
    pytest.importorskip("simcord.preview", reason="needs simcord: pip install 'rollcall[play]'")
    command = (program, "play", "--port", str(port), "--db", str(folder / "play.db"))
    env = os.environ | {"PYTHONPATH": str(ROOT), "BROWSER": "true"}  # a browser that shows nothing
    said, complained = folder / f"said-{time.monotonic_ns()}", folder / "complained"
    os.mkfifo(said)
    begun = time.perf_counter()
    process = started(command, env, folder, said, complained)
    process.start()
    try:
        with said.open(encoding="utf-8") as lines:
            match = next((url for line in lines if (url := re.search(r"http://\S+", line))), None)
            assert match is not None, f"it ended before it said where it plays: {complained.read_text('utf-8')}"
            print(f"the page was up after {time.perf_counter() - begun:.2f} s")  # noqa: T201 - for whoever looks
            yield process, match[0], lines
    finally:
        process.kill()
        process.join()


MAX_WAIT: Final = 180_000
"""Milliseconds that a page waits for what must come: far above any machine's pauses."""


def wait_until(page: "Page", expression: str) -> None:
    """Wait for what is true of one of our pages. Their policy lets Playwright's own function look only once."""
    until = time.monotonic() + MAX_WAIT / 1000
    while not page.evaluate(expression):
        assert time.monotonic() < until, expression
        page.wait_for_timeout(20)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of a bot that plays on this machine, one for all tests of a module: its start takes seconds."""
    with playing(tmp_path_factory.mktemp("play")) as (_, result, _lines):
        yield result


@pytest.fixture
def sit_down(chromium: "Browser", address: str) -> "Iterator[Callable[..., Sitting]]":
    """Open the page in a window of some size."""
    shots = os.environ.get("SCREENSHOTS")
    windows = []

    def open_page(name: str, width: int = 1280, height: int = 900, **looks: object) -> Sitting:
        window = chromium.new_context(viewport={"width": width, "height": height}, **looks)  # type: ignore[arg-type]  # as Playwright names them
        window.set_default_timeout(MAX_WAIT)
        windows.append(window)
        page = window.new_page()
        page.goto(address)
        page.locator("#channel-composer-input").wait_for()
        return Sitting(page, Path(shots, name) if shots else None)

    yield open_page
    for window in windows:
        window.close()
