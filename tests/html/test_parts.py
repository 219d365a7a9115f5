"""The parts of a page: text stays text whatever it says, and dice say in words what they show."""

from fractions import Fraction
from html.parser import HTMLParser

import pytest

from bot.html import documents, parts
from bot.html.html import Html, tag
from bot.html.pictures import PICTURES, SIZE, PictureDie, Pictures, png_of
from bot.languages.translate import using_language
from bot.render.card import Bar, Bars, Card, RosterShip, Strip, Team, Tile, TokenMark
from bot.render.plain_text import tile_text
from bot.render.table import PieceGroup
from bot.rules.text import Count, Names, Noun, Text
from tests.pseudo import Invented
from tests.rows import for_each_row
from tests.wire.hostile import TEXTS

BREAKING = (
    *TEXTS,
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "<!-- --> ]]> <![CDATA[ <?php ?>",
    "&lt;b&gt; &amp; &#60;",
    "javascript:alert(1)",
    "</style></title></textarea></noscript><svg onload=alert(1)>",
)


TAGS = {
    *("article", "div", "dl", "dt", "dd", "h2", "h3", "ul"),
    *("li", "p", "img", "section", "small", "span", "b", "i"),
}


class Read(HTMLParser):
    """All tags, attributes and text of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags, self.names, self.values, self.text = set[str](), set[str](), list[str](), ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        self.values += [value or "" for _, value in attrs]

    def holds(self, text: str) -> bool:
        """Whether it says this as text or as a value."""
        return text in self.text or any(text[:40] in value for value in self.values)

    def handle_data(self, data: str) -> None:
        self.text += data


@for_each_row("text", BREAKING)
def test_no_text_breaks_out(text: str) -> None:
    tile = Tile("d6", text[:40])
    card = Card(
        Text(text),
        Text(text),
        (Strip(Text(text), (tile,)),),
        turn=Text(text),
        trail=(Text(text),),
        small=Text(text),
        below=Text(text),
        alt=Text(text),
    )
    unit = RosterShip(Text(text), 3, (1, 2), (1, 1), (TokenMark(text, "red", text=Text(text)),), "next")
    drawn = [
        parts.article(card, [True]),
        parts.entry(card),
        parts.team(Team(Text(text), (unit,))),
        parts.facts(PieceGroup(text, Noun(text, text), ((Text(text), Text(text)),))),
        tag("p", text, title=text),
    ]
    for html in drawn:
        read = Read(html)
        assert read.tags <= TAGS
        assert read.names <= {"class", "src", "alt", "decoding", "draggable", "title", "aria-hidden"}
        assert read.holds(text)
    page = documents.table_page({"said": str(tag("p", text))}, "x")
    assert page.count("<script>") == page.count("</script>") == 1


def test_attributes() -> None:
    assert tag("a", class_="x", aria_hidden="true", hidden=True, title=None, data_n=3) == (
        '<a class="x" aria-hidden="true" hidden data-n="3"></a>'
    )
    assert tag("p", "1 < 2 & 3", tag("b", '"')) == "<p>1 &lt; 2 &amp; 3<b>&quot;</b></p>"
    assert tag("img", alt='a"b') == '<img alt="a&quot;b">'


def test_what_is_said_is_said_in_the_language_that_is_spoken() -> None:
    with using_language(Invented(how=lambda message: f"~{message}")):
        html = tag("p", Text("{n} of {names}", n=Count(2, "hit", "hits"), names=Names(["a", "b"])), title=Text("x"))
    assert html == '<p title="~x">~2 ~hits of a ~and b</p>'  # the places keep what people typed


def test_dice_that_fell_tumble_and_all_say_what_they_show() -> None:
    tiles = (Tile("red", "hit"), Tile("red", "blank", ghost="focus"), Tile("red", "crit", fate="cancelled"))
    html = parts.article(Card(Text("t"), Text("o"), (Strip(Text("Attack dice"), tiles),)), [False, True, False])
    assert html.count('class="die new"') == 1
    for tile in tiles:
        assert f'alt="{tile_text(tile)}"' in html


def test_a_roll_that_waits_is_open_and_chained_dice_stay_together() -> None:
    tiles = (Tile("d6", "6"), Tile("d6", "2", linked=True), Tile("d6", "3"))
    html = parts.article(
        Card(Text("t"), Text("o"), (Strip(Text(""), tiles),), turn=Text("Go."), ahead="open"), [False] * 3
    )
    assert 'class="roll open open"' in html
    assert html.count('class="chain"') == 1
    assert html.count("<li") == 2


def test_pips_are_drawn_while_they_are_few() -> None:
    assert parts.pips("hull", "Hull", (3, 5)).count("<i") == 5
    assert parts.pips("hull", "Hull", (3, 5)).count('class="on"') == 3
    assert "<i" not in parts.pips("hull", "Hull", (3, 40))


def test_a_picture_is_at_an_address_of_its_own() -> None:
    bars = Bars((Text("a"),), (Bar(Text("1"), (Fraction(1),)),))
    pictures = (PictureDie(Tile("d6", "1")), PictureDie(Tile("d6", "1"), holds=True), PictureDie(Tile("d6", "2")), bars)
    addresses = [PICTURES.address(item) for item in pictures]
    assert len(set(addresses)) == len(pictures)
    assert [PICTURES.find(address) for address in addresses] == [*pictures]
    assert PICTURES.find("0" * 32) is None
    for picture in pictures:
        assert png_of(picture).startswith(b"\x89PNG")
    assert png_of(pictures[0])[16:24] == SIZE.to_bytes(4, "big") * 2


def test_rare_pictures_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.html.pictures.MAX_KNOWN", 2)
    pictures = Pictures()
    first, second = (pictures.address(PictureDie(Tile("d6", face))) for face in "12")
    assert pictures.address(PictureDie(Tile("d6", "1"))) == first
    pictures.address(PictureDie(Tile("d6", "3")))
    assert pictures.find(first) is not None
    assert pictures.find(second) is None


def test_a_page_says_what_it_may_load() -> None:
    assert "'unsafe" not in documents.table_policy() + documents.policy(
        documents.style("table.css")
    ) + documents.activity_policy("x")
    assert documents.digest(documents.script("table.js")) in documents.table_policy()
    page = documents.table_page({}, "x-1")
    assert f"<script>{documents.script('table.js')}</script>" in page
    frame = documents.activity_page(1, 0)
    assert f"<script>{documents.activity_script()}</script>" in frame
    assert f'src="0/call/{documents.activity_script_name()}"' in frame
    assert documents.digest(documents.activity_script()) in documents.activity_policy("x")
    assert f"<style>{documents.style('table.css')}</style>" in page
    assert 'class="overlay"' not in page
    assert page.count("aria-live") == 1
    with pytest.raises(AssertionError):
        documents.raw_element("script", "</script>")
    assert isinstance(documents.part_element("said", {}), Html)
