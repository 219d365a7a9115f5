"""The page of odds in a real browser: from a static server below a path, offline, shared, on a phone, in German.

Wants a browser as the other pages do, and npm, which brings Pyodide.
"""

import base64
import http.server
import json
import re
import threading
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from bot.games import by_terminal
from bot.odds_site import build
from bot.odds_site.forms import FORMS
from bot.rules.text import english
from bot.ui.core.odds_link import fragment
from tests.browser.conftest import CONTRAST, chromium, wait_until  # noqa: F401 - a fixture
from tests.odds_site.test_answers import ARMY
from tests.odds_site.test_questions import order_question, read, ships_question

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GOLDEN: Final = Path(__file__).parents[1] / "golden"
EXAMPLE: Final = Path(__file__).parents[2] / "docs" / "example-army.json"
PATH: Final = "/some/where"
PATIENCE: Final = 240_000
"""Milliseconds for a browser to begin a Python of its own on a busy machine; far more than it takes."""
COMPLAINT: Final = re.compile("error|warning: (?!Service Worker registration blocked)")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("site")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page, below a path of a server that knows nothing."""
    root = tmp_path_factory.mktemp("site")
    try:
        build.build(root / PATH[1:], client_id=42)
    except build.BuildError as error:
        pytest.skip(str(error))  # it says what is missing here
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(build.Handler, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{PATH}/"
        server.shutdown()


@dataclass
class Visit:
    """An open page, what it asked for, and what it complained of."""

    page: "Page"
    asked: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def go(self, address: str) -> None:
        self.page.goto(address)
        self.answered()

    def ask(self, held: str) -> None:
        """Go to another question of the page that is open, and wait for its answer."""
        self.page.locator("#answer").evaluate("(one, held) => { one.replaceChildren(); location.hash = held; }", held)
        self.answered()

    def answered(self) -> None:
        """Wait for an answer by Python; the page brings a first one along."""
        self.page.locator("html:not([data-loading]) #answer > *").first.wait_for(timeout=2 * PATIENCE)

    def says(self, words: str | re.Pattern[str]) -> None:
        self.page.locator("#answer", has_text=words).wait_for(timeout=PATIENCE)

    @property
    def outcome(self) -> str:
        return self.page.locator(".outcome").first.inner_text()


@pytest.fixture(scope="module")
def visit(chromium: "Browser") -> Iterator[Callable[..., Visit]]:  # noqa: F811 - the fixture above
    contexts = []

    def come(width: int = 1280, height: int = 900, **looks: Any) -> Visit:
        context = chromium.new_context(viewport={"width": width, "height": height}, **looks)
        contexts.append(context)
        result = Visit(context.new_page())
        context.on("request", lambda one: result.asked.append(one.url))
        result.page.on(
            "console", lambda one: result.wrong.append(one.text) if COMPLAINT.match(f"{one.type}: {one.text}") else None
        )
        result.page.on("pageerror", lambda one: result.wrong.append(str(one)))
        return result

    yield come
    for item in contexts:
        item.close()


@pytest.fixture(scope="module")
def opened(site: str, visit: Callable[..., Visit]) -> Visit:
    """One page for all tests that can share it: a browser takes seconds to load Python."""
    result = visit(permissions=["clipboard-read", "clipboard-write"])
    result.go(site)
    assert result.outcome == "Average damage: 1.21."
    return result


@pytest.fixture
def here(opened: Visit) -> Iterator[Visit]:
    yield opened
    opened.page.context.set_offline(False)
    opened.page.set_viewport_size({"width": 1280, "height": 900})
    assert opened.wrong == []


def test_squads_are_asked_about_shared_and_kept_offline(site: str, here: Visit) -> None:
    here.ask(packed(["xwing", {}, [FORMS["xwing"].example]]))
    assert here.outcome == "Average damage: 1.21."
    assert here.page.locator("a.add").get_attribute("href", timeout=PATIENCE) is not None
    here.page.fill("#xwing-shared-mine", "Luke Skywalker\nWedge Antilles")
    here.page.fill("#xwing-shared-theirs", "Darth Vader\nHowlrunner")
    here.page.locator("select[name=attacker]").wait_for(timeout=PATIENCE)
    here.page.select_option("select[name=attacker]", "Luke Skywalker")
    here.page.click("#form-xwing .more")
    here.page.locator("select[name=defender]").nth(1).select_option("Howlrunner")
    here.says(re.compile(r"\(Darth Vader\).*\(Howlrunner\)"))
    shared, said = here.page.url, here.outcome
    wait_until(here.page, "navigator.serviceWorker.controller !== null")

    here.page.context.set_offline(True)
    here.page.reload()
    here.answered()
    here.says(re.compile(r"\(Darth Vader\).*\(Howlrunner\)"))
    assert (here.page.url, here.outcome) == (shared, said)
    assert all(item.startswith((site, "blob:")) for item in here.asked), "nothing from elsewhere, nothing sent"


def test_a_duel_is_asked_with_the_fields_of_its_game(here: Visit) -> None:
    here.ask("duel")
    here.says("Legion · 3r 2b")
    here.page.select_option("select[name=game]", "crisis")
    here.says("Crisis Protocol · strength 5")
    here.page.fill("#ask-0-crisis-defender", "defense 3 reroll 2")
    here.says("defense 3, reroll 2 · odds")
    here.page.check("#form-duel input[value='blanks count'] >> nth=0")
    here.says("blanks count")
    here.page.fill("#ask-0-crisis-defender", "")
    here.says("It lacks: Defense against this type")


def packed(raw: object) -> str:
    """What stands behind the ``#`` for a JSON value."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = packer.compress(json.dumps(raw).encode()) + packer.flush()
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


HOSTILE: Final = (
    *("%7B", "chess", "%3Cscript%3Ealert(1)%3C%2Fscript%3E", "x" * 20_000, "A" * 100_000),
    *map(packed, ({}, [], ["chess", {}, []], ["__proto__", {}, [{}]], ["dice", {}, [{"dice": 3}]], ["dice", [], [{}]])),
    packed(["dice", {}, [{"dice": "1" * 30_000_000}]]),
)


def test_a_hostile_address_is_one_sentence_and_the_page_works(here: Visit) -> None:
    strange, turned = here.page.locator("#strange"), "one => { location.hash = one; }"
    for held in HOSTILE:
        assert len(held) < 120_000
        here.page.evaluate(turned, packed(["dice", {}, [{"dice": "2d6"}]]))
        strange.wait_for(state="hidden", timeout=PATIENCE)
        here.page.evaluate(turned, held)
        strange.wait_for(timeout=PATIENCE)
        assert strange.inner_text() == "This link contains no question. Fill in the form below."
    assert here.page.locator("script").count() == 1
    here.page.evaluate(turned, packed(["dice", {}, [{"dice": "1d6", "script": "<script>alert(1)</script>"}]]))
    here.says("Average of 1d6")
    assert here.page.locator("script").count() == 1


def test_addresses_of_cards_are_read_and_written_again(here: Visit) -> None:
    """Attacks of ships with all their cards, orders of troopers with profiles: as the bot's own cards lead here."""
    asked = [ships_question() for _ in range(4)] + [order_question() for _ in range(4)]
    for game, question, cards in asked:
        here.page.evaluate("one => { location.hash = one; }", fragment(game, *question))
        here.says(english(cards[0].outcome))
        here.page.evaluate("history.replaceState(null, '', location.pathname)")
        here.page.locator(f"#form-{game} [name]").first.dispatch_event("input")
        wait_until(here.page, "location.hash.length > 1")
        _, shared, asks = read(here.page.url)
        assert shared == question[0]
        assert [item.items() >= given.items() for item, given in zip(asks, question[1], strict=True)] == [True]
        here.says(english(cards[0].outcome))


def test_python_begins_as_the_build_left_it_and_no_two_visits_roll_alike(
    site: str, visit: Callable[..., Visit]
) -> None:
    """A host that drops the stored memory makes Python begin at its beginning, which says the same and takes longer."""
    question, seen = packed(["dice", {}, [{"dice": "9d1000"}]]), list[str]()
    for is_stored in (True, True, False):
        here = visit(service_workers="block")
        if not is_stored:
            here.page.route("**/memory.bin", lambda route: route.abort())
        here.go(f"{site}#{question}")
        here.page.click("#roll")
        here.page.locator("#earlier li").first.wait_for(timeout=PATIENCE)
        seen.append(f"{here.outcome} {here.page.locator('#rolled').inner_text()}")
        assert bool(here.wrong) is not is_stored, f"the console says that a file is missing: {here.wrong}"
    assert len({item.partition(".")[0] for item in seen}) == 1, "one answer"
    assert len(set(seen)) == 3, "three rolls"


def test_german_on_a_phone_fits_and_is_spoken(site: str, visit: Callable[..., Visit]) -> None:
    here = visit(390, color_scheme="dark", service_workers="block")
    here.go(f"{site}index.de.html#{HOSTILE[0]}")
    here.says("Schaden im Schnitt")
    assert here.page.locator("#strange").is_visible()
    here.page.evaluate("location.hash = 'warsurge'")
    here.says(re.compile(r"HP-Verlust im Schnitt: 2.*\d\s%", re.DOTALL))
    wide = here.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    assert here.page.locator("html").get_attribute("lang") == "de"
    heights = here.page.locator("button, [role=tab], select").evaluate_all(
        "all => all.filter(one => one.offsetParent).map(one => one.getBoundingClientRect().height)"
    )
    assert min(heights) >= 44
    here.page.click("#roll")
    rolled = here.page.locator(".roll .number")
    rolled.wait_for(timeout=PATIENCE)
    assert rolled.evaluate("(one) => one.getBoundingClientRect().bottom <= innerHeight"), "what fell is in sight"
    assert here.wrong == []


def test_what_the_example_typed_leaves_when_ships_come_and_a_question_survives_another_language(
    site: str, visit: Callable[..., Visit]
) -> None:
    here = visit(390, service_workers="block")
    here.go(site)
    here.page.fill("#xwing-shared-mine", "Luke Skywalker\nWedge Antilles")
    here.page.fill("#xwing-shared-theirs", "Darth Vader")
    here.says("Wedge Antilles attacks Darth Vader")
    typed = here.page.locator("[name=with], [name=against]")
    assert [typed.nth(at).input_value() for at in range(typed.count())] == ["", ""], "the example's tokens"
    for key, preset in (("with", "focus and lock"), ("against", "evade")):
        here.page.locator("p", has=here.page.locator(f"[name={key}]")).get_by_role("button", name=preset).click()
    here.says(re.compile(r"Defender\s*[^:]*evade"))
    here.page.locator("footer a").first.scroll_into_view_if_needed()
    bar = here.page.locator("#bar")
    assert bar.evaluate("one => one.getBoundingClientRect().top") == 0, "the result stays in sight"
    said = re.sub(r"[^0-9]", "", bar.inner_text())
    here.page.get_by_role("link", name="Deutsch").click()
    here.page.wait_for_url("**/index.de.html#*", wait_until="commit")
    here.answered()
    assert re.sub(r"[^0-9]", "", bar.inner_text()) == said
    assert here.page.locator("#xwing-shared-theirs").input_value() == "Darth Vader"
    here.page.evaluate(
        """() => {
            const field = document.querySelector("#form-xwing [name=against]").closest("p");
            field.querySelector(".preset:not([aria-pressed=true])").click();
            document.querySelector(".language[lang=fr]").click();
        }"""
    )
    here.page.wait_for_url("**/index.fr.html#*", wait_until="commit")
    assert here.page.locator("html[data-loading]").count() == 1, "what the page brings along is no answer to this"
    here.answered()
    assert here.page.locator("[name=against]").input_value() != "evade", "what was pressed a moment before goes along"
    assert here.wrong == []


def test_army_data_of_the_visitor_is_kept_and_what_is_shared_needs_none(site: str, visit: Callable[..., Visit]) -> None:
    here = visit(390, permissions=["clipboard-read", "clipboard-write"], service_workers="block")
    here.go(f"{site}#infinity")
    here.page.set_input_files("#infinity-files", EXAMPLE)
    here.page.fill("#infinity-shared-mine", ARMY)
    here.page.fill("#infinity-shared-theirs", ARMY)
    here.page.locator("#form-infinity select[name=target]").wait_for(timeout=PATIENCE)
    here.page.select_option("#form-infinity select[name=target]", "WALKER (Flamer) #1")
    here.says("WALKER (Flamer) #1 takes damage")
    said = here.outcome
    here.page.reload()
    here.says(said)
    here.page.click("#share")
    here.page.locator("#state", has_text="Copied.").wait_for(timeout=PATIENCE)
    shared = here.page.evaluate("navigator.clipboard.readText()")
    other = visit(390, service_workers="block")
    other.go(shared)
    other.says(re.compile(r"WALKER \(Flamer\) #1 takes damage"))
    percent = re.compile(r"\d+%")
    assert percent.findall(other.outcome)[0] == percent.findall(said)[0]
    assert here.wrong + other.wrong == []


def test_long_names_fit_into_the_chart_and_its_picture_is_copied(here: Visit) -> None:
    here.page.set_viewport_size({"width": 390, "height": 900})
    orders = [f"Fennec 12 b3 N PS 7 {mod} vs Yama 11 ARM 1 W 1 dodge" for mod in ("", "surprise cover")]
    here.ask(packed(["infinity", {}, [{"order": order} for order in orders]]))
    here.page.locator(".chart .name").nth(2).wait_for(timeout=PATIENCE)
    ends = here.page.locator(".chart text").evaluate_all("all => all.map(one => one.getBBox().x + one.getBBox().width)")
    assert max(ends) <= 400
    here.page.click("#copy")
    here.page.locator("#state", has_text="Copied.").wait_for(timeout=PATIENCE)
    size = here.page.evaluate(
        """async () => {
            const [one] = await navigator.clipboard.read();
            const picture = await createImageBitmap(await one.getType("image/png"));
            return [picture.width, picture.height];
        }"""
    )
    assert size[0] == 800
    here.page.evaluate("() => { navigator.clipboard.writeText = navigator.clipboard.write = () => Promise.reject(); }")
    for button in ("#share", "#copy"):
        here.page.click(button)
        here.page.locator("#state", has_text="Copy the address of this page, or save the chart.").wait_for(
            timeout=PATIENCE
        )
        here.page.evaluate("() => { document.getElementById('state').textContent = ''; }")
    assert here.wrong == [], "a refusal is no error"


def test_the_question_is_rolled_and_the_last_twenty_stay_until_it_changes(here: Visit) -> None:
    here.ask(packed(["xwing", {}, [FORMS["xwing"].example]]))
    here.page.evaluate(
        """() => {
            let shown = 0;
            new MutationObserver(() => { rolled.dataset.shown = ++shown; }).observe(rolled, { childList: true });
        }"""
    )
    for count in range(1, 23):
        here.page.click("#roll")
        here.page.locator(f"#rolled[data-shown='{count}']").wait_for(timeout=PATIENCE)
    assert here.page.locator("#earlier li").count() == 20
    assert here.page.locator("#earlier li").first.inner_text() == here.page.locator(".roll .number").inner_text()
    assert here.page.locator("#rolled .die svg image").count() >= 3, "each die has the picture of its face"
    marked = here.page.locator(".chart .here")
    assert marked.count() == 1
    damage = here.page.locator(".roll .number").inner_text().partition(" ")[0]
    assert (marked.get_attribute("data-bar") or "").endswith(f"-{damage}")
    here.page.select_option("select[name=agility]", "3")
    here.page.locator("#earlier li").first.wait_for(state="detached", timeout=PATIENCE)
    assert here.page.evaluate("document.fonts.check('16px Inter')")


def test_a_roll_keeps_its_button_on_a_phone_and_presets_look_chosen(site: str, visit: Callable[..., Visit]) -> None:
    phone = visit(390, has_touch=True)
    phone.go(site)
    chosen = phone.page.locator(".preset[aria-pressed=true]")
    assert chosen.all_inner_texts() == ["focus and lock", "evade"]
    phone.page.locator("#roll").scroll_into_view_if_needed()
    phone.page.click("#roll")
    phone.page.locator(".roll .number").wait_for(timeout=PATIENCE)
    box = phone.page.locator("#roll").bounding_box()
    assert box
    assert 0 <= box["y"] <= 900 - box["height"]
    below = phone.page.locator("#rolled").bounding_box()
    assert below
    assert 0 < below["y"] < 900
    phone.page.locator(".preset", has_text="nothing").first.click()
    assert chosen.all_inner_texts() == ["nothing", "evade"]
    phone.page.fill("[name=theirs]", "Darth Vadr")
    phone.page.locator("#answer .error").wait_for(state="attached", timeout=PATIENCE)
    said = phone.page.locator("#bar, #answer > .error")
    heights = said.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert [height > 1 for height in heights if height] == [True, False], "the bar says it once"
    assert all("Darth Vadr" in text for text in said.all_inner_texts())
    assert phone.page.locator("select[name=dice]").input_value() == "3", "no ship came in place of the dice"
    assert phone.wrong == []


DICE_LIE: Final = "() => document.getAnimations().every(one => one.playState === 'finished')"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_stranger_on_a_phone_rolls_each_game_by_one_press(
    site: str, visit: Callable[..., Visit], scheme: str
) -> None:
    """All on the part of a phone that its browser leaves free: nothing is searched for, and all text can be read."""
    phone = visit(390, height=664, has_touch=True, is_mobile=True, color_scheme=scheme)
    phone.go(site)
    for key in FORMS:
        phone.page.tap(f"#tab-{key}")
        phone.answered()
        phone.page.evaluate("scrollTo(0, 0)")
        phone.page.tap("#roll")
        number = phone.page.locator(".roll").locator(".number, p:first-child").first
        number.wait_for(timeout=PATIENCE)
        place = number.bounding_box()
        assert place is not None, key
        assert 0 < place["y"] < 664 - place["height"], (key, "what was rolled is seen")
        for box in phone.page.locator("summary:visible").all():
            box.click()
        wait_until(phone.page, DICE_LIE)
        assert phone.page.evaluate("document.documentElement.scrollWidth") == 390, key
        assert phone.page.evaluate(CONTRAST) == [], key
        for drawn in phone.page.locator("#copy, #picture").all():
            assert drawn.is_visible() == (phone.page.locator("#answer svg").count() > 0), key
    assert phone.wrong == []


WORDS_OF_STATE: Final = """() => {
  const words = document.createRange();
  words.selectNodeContents(document.querySelector("#state"));
  return words.getBoundingClientRect();
}"""
COVERED: Final = """() => [...document.querySelectorAll("a, button, input, select, textarea, summary")].filter(one => {
  if (!one.checkVisibility({ visibilityProperty: true })) return false;
  one.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = one.getBoundingClientRect();
  return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map(one => one.id || one.textContent)"""
"""What lies below something else where the page scrolls to it."""


def test_a_short_form_stands_above_its_chart_on_a_phone(site: str, visit: Callable[..., Visit]) -> None:
    phone = visit(390, height=664, has_touch=True, is_mobile=True)
    phone.go(f"{site}#dice")
    field, chart = (phone.page.locator(item).first.bounding_box() for item in ("#form-dice input", "#answer svg"))
    assert field is not None
    assert chart is not None
    assert field["y"] + field["height"] < min(chart["y"], 664)


def test_a_press_before_python_is_there_is_answered_beside_the_button(site: str, visit: Callable[..., Visit]) -> None:
    phone = visit(390, height=664, has_touch=True, service_workers="block")
    phone.page.add_init_script("globalThis.Worker = class extends EventTarget { postMessage() {} terminate() {} };")
    phone.page.goto(site)
    assert phone.page.locator("#state").inner_text().startswith("Getting the dice ready")
    said = phone.page.evaluate(WORDS_OF_STATE)
    phone.page.tap("#roll")
    assert phone.page.locator("#state").inner_text().startswith("Rolling as soon as the dice are ready")
    button = phone.page.locator("#roll").bounding_box()
    assert button is not None
    for place in (said, phone.page.evaluate(WORDS_OF_STATE)):
        assert place["bottom"] <= 664
        assert place["right"] <= button["x"], "neither covers the other"
    for key in FORMS:
        phone.page.tap(f"#tab-{key}")
        assert phone.page.evaluate(COVERED) == [], key


def test_the_keyboard_goes_from_tabs_through_fields_to_the_answer(here: Visit) -> None:
    reached = list[str]()
    here.ask(packed(["xwing", {}, [FORMS["xwing"].example]]))
    here.page.locator("[role=tab]").first.focus()
    here.page.keyboard.press("ArrowRight")
    assert here.page.evaluate("document.activeElement.id") == "tab-infinity"
    here.page.keyboard.press("ArrowLeft")
    for _ in range(30):
        here.page.keyboard.press("Tab")
        reached.append(here.page.evaluate("document.activeElement.name || document.activeElement.id"))
    reached = [item for item in reached if item]  # buttons of presets stand between the fields, without a name
    wanted = ["mine", "theirs", "stands", "dice", "agility", "range", "ruleset", "with", "against", "obstructed"]
    assert reached[:10] == wanted
    assert reached[10:14] == ["roll", "share", "copy", "picture"]


LISTS: Final = (
    ("xwing", "cases", ("attack", "defense", "attacks")),
    ("infinity", "face_to_face", ("sv_a", "burst_a", "sv_b", "burst_b")),
    ("infinity", "special_dice", ("sv_a", "burst_a", "sv_b", "burst_b", "special_dice_a", "special_dice_b")),
    ("infinity", "normal", ("sv", "burst")),
    ("warsurge", "pools", ("method", "power", "defence", "attack_dice")),
    ("albion", "cases", ("target", "attacker")),
)
"""The golden cases that ask for odds: their game, list, and words."""


def golden() -> list[tuple[str, dict[str, Any]]]:
    result = []
    for game, name, words in LISTS:
        held = json.loads((GOLDEN / f"{game}.json").read_text(encoding="utf-8"))[name]
        result += [(game, {word: case[word] for word in words if word in case}) for case in held]
    return result


def exact(value: object) -> object:
    """Fractions as such, whatever their spelling."""
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    try:
        return Fraction(str(value))
    except ValueError:
        return value


COUNTING: Final = """
from bot.games import by_terminal

def count(game, raw):
    one = by_terminal()[game]
    return one.odds(one.rules.declare(raw))

def counted(text):
    return json.dumps([count(*one) for one in json.loads(text)], default=str)
"""
"""Runs in the worker of the page, and counts declarations as `python -m bot odds GAME --json` does in a terminal."""


def test_the_browser_counts_the_fractions_of_the_terminal(here: Visit) -> None:
    asked = golden()
    assert len(asked) > 50
    wanted = []
    for game, raw in asked:
        item = by_terminal()[game]
        wanted.append(json.loads(json.dumps(item.odds(item.rules.declare(raw)), default=str)))
    counted = here.page.workers[-1].evaluate(
        """async ([code, asked]) => {
            const answers = await (await import(location.href)).loading;
            answers.__builtins__.get("exec")(code, answers.__dict__);
            return answers.counted(asked);
        }""",
        [COUNTING, json.dumps(asked)],
    )
    assert [exact(one) for one in json.loads(counted)] == [exact(one) for one in wanted]


WATCHES: Final = """
    window.moved = [];
    new PerformanceObserver(list => {
      for (const one of list.getEntries())
        if (!one.hadRecentInput) moved.push([one.value, ...one.sources.map(from => from.node?.nodeName)]);
    }).observe({ type: "layout-shift", buffered: true });
"""
"""Notes each shift of the page that nobody asked for, and what moved."""


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("asks", ["nothing", "a question"])
def test_nothing_moves_under_a_finger_while_python_comes(
    site: str, visit: Callable[..., Visit], width: int, asks: str
) -> None:
    here = visit(width, service_workers="block")
    here.page.add_init_script(WATCHES)
    example = {**FORMS["xwing"].example, "dice": "4"}
    there = "" if asks == "nothing" else f"#{packed(['xwing', {}, [example]])}"
    here.page.goto(f"{site}{there}")
    roll, is_here = here.page.locator("#roll"), "() => getComputedStyle(document.querySelector('#roll')).visibility"
    before = roll.bounding_box() if here.page.evaluate(is_here) == "visible" else None
    assert (before is not None) == (asks == "nothing"), "what would be moved can't be pressed"
    assert asks == "nothing" or not here.page.locator("#answer").inner_text(), "the first answer isn't to this question"
    here.answered()
    wait_until(here.page, "document.querySelector('#state').textContent === ''")
    pressed = [item for item in here.page.evaluate("moved") if {"BUTTON", "A", "INPUT", "SELECT", "MAIN"} & {*item[1:]}]
    assert pressed == []
    assert before in (None, roll.bounding_box())
    assert here.outcome == here.page.locator("#bar").text_content()
