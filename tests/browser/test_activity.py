"""The Activity in a real browser, inside a host that is held against Discord's SDK.

Four frames of one call, a second screen beside them, and a bot that is killed.

The real SDK is npm's ``@discord/embedded-app-sdk``, whose hash is known here; without npm, or the network, that test is
skipped.
"""

import base64
import hashlib
import io
import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from bot.html.documents import asset
from tests.browser.conftest import Sitting, playing, wait_until
from tests.browser.test_screen import window
from tests.ports import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, FrameLocator, Page, Route

__all__ = ["window"]  # a fixture

SDK: Final = "@discord/embedded-app-sdk@2.5.0"
SDK_HASH: Final = "FNoe5PbSkoKEbqPubaBmq6tlEMOftMjR3gu55YrdrrKmBfKKM4i9P/Z+Zxl0RZdJcKviBwVcTyYMMPM/aGex/w=="
"""SHA-512 of the package, as npm writes it."""
HOST: Final = "http://localhost:3333"
"""Where the SDK, beside Discord itself, takes messages from."""
HOST_PAGE: Final = """<!doctype html><title>host</title><style>
body { margin: 0; display: flex; flex-wrap: wrap; align-items: start; gap: 8px; background: #111 } iframe { border: 0 }
</style><body><script>
window.heard = []; window.codes = 0;
const config = { cdn_host: "x", api_endpoint: "x", environment: "production" }, no = { code: 5000, message: "no" };
const here = document.getElementsByTagName("iframe");
window.seat = (person, src, width, height, consents) => {
  const frame = Object.assign(document.createElement("iframe"), { name: person, width, height, src, consents });
  document.body.append(frame);
};
addEventListener("message", event => {
  const frame = [...here].find(one => one.contentWindow === event.source), [kind, said] = event.data;
  if (!frame) return;
  heard.push([kind, said]);
  const answer = told => event.source.postMessage([1, told], "*");
  if (kind === 0) return answer({ cmd: "DISPATCH", evt: "READY", nonce: null, data: { v: 1, config } });
  if (said.cmd !== "AUTHORIZE") return answer({ cmd: said.cmd, nonce: said.nonce, evt: null, data: {} });
  if (frame.consents.length && !frame.consents.shift())
    return answer({ cmd: said.cmd, nonce: said.nonce, evt: "ERROR", data: no });
  answer({ cmd: said.cmd, nonce: said.nonce, evt: null, data: { code: frame.name + "-" + codes++ } });
});
</script>"""
SDK_PAGE: Final = """<!doctype html><title>sdk</title><script type="module">
import { DiscordSDK } from "/sdk/output/index.mjs";
const sdk = new DiscordSDK(new URLSearchParams(location.search).get("client"), { disableConsoleLogOverride: true });
await sdk.ready();
const words = { client_id: sdk.clientId, response_type: "code", state: "", prompt: "none", scope: ["identify"] };
for (let times = 0; times < 2; times++) {
  try { document.title = (await sdk.commands.authorize(words)).code; } catch { document.title = "refused"; }
}
</script>"""


@pytest.fixture(scope="module")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the real SDK."""
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("sdk")
    if npm is None:
        pytest.skip("needs npm, which brings Discord's SDK")
    ended = subprocess.run([npm, "pack", "--silent", SDK], cwd=folder, capture_output=True, check=False)
    paths = sorted(folder.glob("*.tgz"))
    if ended.returncode or not paths:
        pytest.skip("npm could not bring Discord's SDK")
    data = paths[0].read_bytes()
    assert base64.b64encode(hashlib.sha512(data).digest()).decode() == SDK_HASH
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


def host(page: "Page", sdk: Path | None = None) -> None:
    """A page at the host's address, and at the SDK's, without any server."""

    def answer(route: "Route") -> None:
        path = route.request.url.partition("?")[0].removeprefix(HOST)
        if path.startswith("/sdk/") and sdk is not None:
            file = (sdk / path.removeprefix("/sdk/")).resolve()
            assert file.is_relative_to(sdk)
            route.fulfill(body=file.read_text(), content_type="text/javascript")
        else:
            route.fulfill(body=SDK_PAGE if path == "/frame" else HOST_PAGE, content_type="text/html")

    page.route(f"{HOST}/**", answer)
    page.goto(f"{HOST}/")


def called(page: "Page") -> "list[Frame]":
    """The frames of the call, once each shows the table."""
    frames = [item for item in page.frames if item.parent_frame is not None]
    for frame in frames:
        frame.locator(".unit").first.wait_for()
    return frames


@contextmanager
def calling(folder: Path, port: int, program: str = "bot") -> Iterator[tuple[str, str]]:
    """`python -m bot play`, with the addresses of its page and of the call."""
    with playing(folder, port, program) as (_, address, lines):
        match = next((url for line in lines if (url := re.search(r"(http://\S+)/call", line))), None)
        assert match is not None, "it says where the call is"
        yield address, match[1]


def sit(chromium: "Browser", address: str) -> Sitting:
    page = chromium.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(address)
    page.locator("#channel-composer-input").wait_for()
    return Sitting(page, None)


def link(here: Sitting) -> str:
    here.type_command("table link")
    here.is_told("live on a second screen")
    text = here.page.locator(".channel-message", has_text="live on a second screen").last.inner_text()
    match = re.search(r"http://127\.0\.0\.1:\d+/\d+/[\w-]{24}", text)
    assert match is not None, text
    return match[0]


def test_a_call_and_a_second_screen_follow_the_table_and_wait_for_a_bot_that_was_killed(
    chromium: "Browser", window: "Callable[..., Page]", tmp_path: Path
) -> None:
    """Four people see one attack, and each what is their own; a screen beside them shows the same dice."""
    port = free_port()
    with calling(tmp_path, port) as (address, screen):
        page, watcher = window(1280, 1400), window()
        page.goto(f"{screen}/call")
        frames = called(page)
        assert len(frames) == 4
        here = sit(chromium, address)
        watcher.goto(link(here))
        watcher.locator("#state", has_text="Live").wait_for()
        watcher.locator(".unit", has_text="Luke Skywalker").wait_for()
        here.type_command("roll", dice="3d6")
        watcher.locator("[data-part=said]", has_text="Ana rolls").wait_for()
        wait_until(
            watcher, "[...document.querySelectorAll('.strip .die')].filter(die => die.naturalWidth > 0).length >= 3"
        )
        here.type_command("xwing attack", dice="6", agility="0", with_="focus")
        for frame in frames:
            frame.locator(".roll .title", has_text="X-Wing").wait_for()
            frame.locator(".roll .die").first.wait_for()
        mine = [item.locator("[data-do=advice]").count() for item in frames]
        assert mine[1:] == [0, 0, 0], "nobody but Ana may act"
        if mine[0]:  # the dice may leave her nothing to do
            frames[0].locator("[data-do=advice]").click()
            frames[0].locator("#advice .roll").wait_for()
            assert all(item.locator("#advice .roll").count() == 0 for item in frames[1:])
        here.page.context.close()
    watcher.locator("#state", has_text="Waiting for the bot").wait_for()
    with calling(tmp_path, port) as (address, _):
        assert len(called(page)) == 4, "the frames come back by themselves"
        for frame in frames:
            frame.locator("#state:not(.waiting)").wait_for()
        watcher.locator("#state", has_text=re.compile("^Live$")).wait_for()
        here = sit(chromium, address)
        here.type_command("roll", dice="2d20")
        watcher.locator(".roll .title", has_text="2d20").wait_for()
        here.type_command("table link", revoke="True")
        watcher.locator("#state", has_text="This link has expired").wait_for()
        here.page.context.close()


def seat(page: "Page", person: str, src: str, width: int, height: int, *consents: bool) -> "FrameLocator":
    """Open somebody's frame in a host; of ``consents`` each answers one question, and later ones are agreed to."""
    page.evaluate(f"seat('{person}', '{src}', {width}, {height}, {json.dumps(consents)})")
    return page.frame_locator(f"iframe[name='{person}']")


def seats(page: "Page", screen: str) -> dict[str, str]:
    """The numbers of those who are in the call, and the query with which each frame is opened."""
    page.goto(f"{screen}/call")
    frames = page.locator("iframe").all()
    return {
        str(frame.get_attribute("data-person")): str(frame.get_attribute("src")).removeprefix("/?") for frame in frames
    }


def messages(page: "Page") -> list[Any]:
    """What the frame said to its host, without what is new each time; it is refused once, and asks again."""
    page.wait_for_function("heard.filter(([kind, said]) => said.cmd === 'AUTHORIZE').length === 2")
    said: list[Any] = page.evaluate("heard")
    for _, item in said:
        item.pop("nonce", None)
        item.pop("transfer", None)  # what is handed over; neither hands over anything
    return said


def test_a_frame_asks_discord_for_few_codes_while_the_store_is_down(
    window: "Callable[..., Page]", tmp_path: Path
) -> None:
    """A minute of the page's own clock, each second of which is over once the bot has refused what was asked in it."""
    joins = []

    def refuse(route: "Route") -> None:
        joins.append(route.request.url)
        route.fulfill(status=503, json={"refused": "The database does not answer."})

    with calling(tmp_path, free_port()) as (_, screen):
        page = window(400, 800)
        person, query = next(iter(seats(page, screen).items()))
        page.add_init_script("Math.random = () => 0.5")
        page.clock.install()
        page.route("**/call/join", refuse)
        host(page)
        seat(page, person, f"{screen}/?{query}", 400, 800).get_by_text("Waiting for the bot").wait_for()
        for _ in range(60):
            page.clock.run_for(1_000)
        codes = page.evaluate("heard.filter(([kind, said]) => said.cmd === 'AUTHORIZE').length")
        assert 1 <= codes <= 6
        assert 5 <= len(joins) <= 7, "after 1, 2, 4, 8, 16, and 32 seconds"


def test_the_frame_speaks_with_discord_as_its_own_sdk_does(
    window: "Callable[..., Page]", tmp_path: Path, sdk: Path
) -> None:
    with calling(tmp_path, free_port()) as (_, screen):
        page = window(400, 800)
        person, query = next(iter(seats(page, screen).items()))
        client = page.locator("html").get_attribute("data-client")

        theirs = window(400, 800)
        host(theirs, sdk)
        seat(theirs, person, f"{HOST}/frame?{query}&client={client}", 390, 700, False, True)
        expected = messages(theirs)

        ours = window(400, 800)
        host(ours)
        frame = seat(ours, person, f"{screen}/?{query}", 390, 700, False, True)
        frame.get_by_text("without knowing who you are").wait_for()
        frame.get_by_role("button", name="Try again").click()
        frame.locator(".unit").first.wait_for()
        assert messages(ours) == expected


def test_the_frame_takes_messages_from_where_the_sdk_does(sdk: Path) -> None:
    source = (sdk / "output" / "Discord.mjs").read_text()
    listed = source.partition("return [\n        window.location.origin,")[2].partition("];")[0]
    ours = asset("activity.js").partition("const HOSTS = [location.origin, ")[2].partition("];")[0]
    assert re.findall(r"'([^']+)'", listed) == re.findall(r'"([^"]+)"', ours)
    assert len(re.findall(r"'([^']+)'", listed)) == 10
