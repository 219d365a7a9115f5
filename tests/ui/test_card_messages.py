"""A card in its three looks, with and without what Discord lets the bot show; never more than Discord takes."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import discord
import pytest
from hypothesis import given, settings, strategies as st

from bot.games import GAMES, Game
from bot.odds.warsurge import count, declare_each_method
from bot.odds.xwing import averages
from bot.render import help as pages
from bot.render.card import Bar, Bars, Card, Strip, Tile
from bot.render.faces import FACES, Face
from bot.render.warsurge import chart_card, compare_card, odds_card
from bot.render.xwing.odds import average_table
from bot.rules.game import Side
from bot.rules.text import Text
from bot.ruleset.settings import Look
from bot.ui.core.card_messages import (
    EMBEDS_HINT,
    EMOJI,
    FILES_HINT,
    PICTURE,
    TEXT,
    Display,
    card_message,
    emoji_of,
    shorten,
    without_embed,
)
from tests.examples import share_of
from tests.starts import chance, every_game, walk

KNOWN: Final = {
    face: discord.PartialEmoji(name=f"{'x' * 23}_{number:08}", id=10**18 + number) for number, face in enumerate(FACES)
}
"""Longer than they are, all of them."""
LOOKS: Final = [
    Display(look, files=files, faces=faces, hints=True)
    for look in (PICTURE, EMOJI, TEXT)
    for files in (True, False)
    for faces in (KNOWN, {})
]
DICE: Final = (
    Tile("red", "hit", badge="focus"),
    Tile("red", "blank", ghost="focus"),
    Tile("red", "crit", "cancelled"),
    Tile("red", "focus", added=True),
)
CHART: Final = Bars((Text("hits"),), (Bar(Text("0"), (Fraction(1, 4),)), Bar(Text("1"), (Fraction(3, 4),))))
CARD: Final = Card(
    Text("A title"),
    Text("Two hits."),
    strips=(Strip(Text("Attack dice"), DICE),),
    turn=Text("Bo, your turn"),
    alt=Text("in words"),
)


def emoji(body: str, face: str, fate: Any = "stands") -> str:
    return str(KNOWN[Face(body, face, fate)])


def described(card: Card, display: Display) -> str:
    return card_message(card, display)["embed"].description or ""


def test_a_picture_as_ever() -> None:
    parts = card_message(CARD)
    assert parts["embed"].image.url == f"attachment://{parts['file'].filename}"
    assert parts["embed"].description == "**Bo, your turn**"
    assert parts["file"].description == "in words"


def test_in_emoji_what_they_do_not_show_is_said() -> None:
    parts = card_message(CARD, Display(EMOJI, faces=KNOWN))
    assert "file" not in parts
    assert parts["embed"].image.url is None
    assert parts["embed"].description == (
        "**Attack dice**\n"
        f"{emoji('red', 'hit')} (changed by focus) {emoji('red', 'blank')} (was focus, rerolled) "
        f"{emoji('red', 'crit', 'cancelled')} (canceled) {emoji('red', 'focus')} (added)\n"
        "**Bo, your turn**"
    )


def test_a_critical_and_a_chain_in_emoji() -> None:
    critical = Strip(
        Text("Ana, SV 12"), (Tile("d20-attacker", "12", critical=True), Tile("d20-attacker", "17", "failed"))
    )
    chain = Strip(Text(""), (Tile("d6", "6"), Tile("d6", "4", framed=True, linked=True), Tile("d6", "1", "failed")))
    lines = described(replace(CARD, strips=(critical, chain), turn=Text("")), Display(EMOJI, faces=KNOWN)).splitlines()
    assert lines == [
        "**Ana, SV 12**",
        f"{emoji('d20-attacker', '12')} (Critical) {emoji('d20-attacker', '17', 'failed')}",
        f"{emoji('d6', '6')} → {emoji('d6', '4')} {emoji('d6', '1', 'failed')}",
    ]


def test_a_face_without_emoji_is_a_word_among_them() -> None:
    some = {face: item for face, item in KNOWN.items() if face.face == "hit"}
    line = described(CARD, Display(EMOJI, faces=some)).splitlines()[1]
    words = "blank (was focus, rerolled) crit (canceled) focus (added)"
    assert line == f"{emoji('red', 'hit')} (changed by focus) {words}"


def test_without_any_emoji_the_look_is_words() -> None:
    assert described(CARD, Display(EMOJI)) == described(CARD, Display(TEXT, faces=KNOWN))


def test_in_text_nothing_is_attached_and_nothing_is_an_emoji() -> None:
    parts = card_message(replace(CARD, figure=CHART), Display(TEXT, faces=KNOWN))
    assert "file" not in parts
    said = parts["embed"].description
    assert "<:" not in said
    assert said.startswith("**Attack dice**: hit (changed by focus), blank (was focus, rerolled), crit (canceled)")
    assert "```\nhits:\n  0       25%  ████▋\n  1       75%  ██████████████\n```" in said


def test_in_emoji_a_chart_stays_a_picture() -> None:
    parts = card_message(replace(CARD, figure=CHART), Display(EMOJI, faces=KNOWN))
    assert parts["embed"].image.url == f"attachment://{parts['file'].filename}"
    assert emoji("red", "hit") in parts["embed"].description
    assert "```" not in parts["embed"].description


@pytest.mark.parametrize("look", [PICTURE, EMOJI])
def test_without_files_the_chart_is_text_and_the_dice_are_emoji(look: Look) -> None:
    parts = card_message(replace(CARD, figure=CHART), Display(look, files=False, faces=KNOWN))
    assert "file" not in parts
    assert emoji("red", "hit") in parts["embed"].description
    assert "```\nhits:" in parts["embed"].description


@pytest.mark.parametrize(
    ("card", "display", "hinted"),
    [
        (CARD, Display(PICTURE, files=False, hints=True), True),
        (CARD, Display(PICTURE, files=False), False),
        (CARD, Display(PICTURE, hints=True), False),
        (CARD, Display(TEXT, files=False, hints=True), False),
        (replace(CARD, strips=()), Display(PICTURE, files=False, hints=True), False),
        (replace(CARD, figure=CHART), Display(EMOJI, files=False, hints=True), True),
    ],
)
def test_an_admin_is_told_once_what_is_missing(card: Card, display: Display, hinted: bool) -> None:
    assert described(card, display).endswith(f"-# {FILES_HINT}") is hinted


def test_emoji_of_a_choice_are_in_every_look_but_text() -> None:
    shows = ("red", "hit")
    assert emoji_of(shows, Display(PICTURE, faces=KNOWN)) == emoji_of(shows, Display(EMOJI, faces=KNOWN)) is not None
    assert emoji_of(shows, Display(TEXT, faces=KNOWN)) is None
    assert emoji_of(None, Display(PICTURE, faces=KNOWN)) is None
    assert emoji_of(shows, Display(PICTURE)) is None


# Without embeds


def test_a_card_in_plain_words_says_all_in_its_order_and_keeps_buttons_and_mention() -> None:
    card = replace(
        CARD,
        facts=((Text("Attacker: Ana"), Text("focus")),),
        trail=(Text("Attack dice rolled: hit"),),
        small=Text("Ruleset 2.5"),
    )
    view = discord.ui.View.__new__(discord.ui.View)
    parts = without_embed({**card_message(card), "content": "<@1>", "view": view}, hint=EMBEDS_HINT)
    assert parts.pop("view") is view
    assert parts.pop("file").filename == "dice.png"
    assert parts == {
        "content": "<@1>\n-# A title\n**Two hits.**\n**Bo, your turn**\n**Attacker: Ana**\nfocus\n"
        f"Attack dice rolled: hit.\nRuleset 2.5\n-# {EMBEDS_HINT}"
    }


def test_where_nothing_may_be_attached_the_alt_text_stands_for_the_picture() -> None:
    parts = without_embed(card_message(CARD), files=False)
    assert list(parts) == ["content"]
    assert parts["content"].startswith("in words\n")
    assert parts["content"].count("in words") == 1


def test_a_footer_and_an_author_are_no_markdown_in_plain_words_either() -> None:
    parts = without_embed(card_message(replace(CARD, title=Text("*x*"), small=Text("**y**"), strips=())))
    assert "-# \\*x\\*" in parts["content"]
    assert "\\*\\*y\\*\\*" in parts["content"]


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [
        ("abc", 3, "abc"),
        ("one\ntwo\nthree", 12, "one\n…"),
        ("one\n```\ntwo\nthree\nfour\n```", 22, "one\n```\ntwo\n```\n…"),
        ("x" * 30, 3, "…"),
        ("x" * 30, 0, ""),
    ],
)
def test_what_is_cut_is_cut_between_lines(text: str, most: int, short: str) -> None:
    assert shorten(text, most) == short
    assert len(shorten(text, most)) <= most


# The extremes


def fits(parts: dict[str, Any]) -> None:
    """Discord takes it as a card, and as plain words."""
    shown: discord.Embed = parts["embed"]
    assert len(shown) <= 6000
    assert len(shown.title or "") <= 256
    assert len(shown.description or "") <= 4096
    assert len(shown.footer.text or "") <= 2048
    assert len(shown.fields) <= 25
    assert all(0 < len(field.name or "") <= 256 and 0 < len(field.value or "") <= 1024 for field in shown.fields)
    for plain in (without_embed(parts, hint=EMBEDS_HINT), without_embed(parts, files=False)):
        assert 0 < len(plain["content"]) <= 2000
        assert plain["content"].count("```") % 2 == 0
    for said in (shown.description or "", plain["content"]):
        assert not re.search(r"<:\w*:?\d*$|<:\w+:\d+(?![\d>])", said), "no emoji is cut in two"


def begun(key: str, raw: dict[str, object], seed: int = 3) -> Card:
    game = GAMES[key]
    return game.card(
        game.rules.start(game.rules.declare(raw), chance(seed)), {Side.ATTACKER: "*" * 32, Side.DEFENDER: "李" * 32}
    )


ORDER: Final = "\n".join(f"{'A' * 28}-{at} 14 b6 vs {'B' * 28}-{at} 11 b6" for at in range(1, 13))
WARSURGE: Final = {"method": "chart", "power": 4, "defence": 9, "attack_dice": 100}
WEAPONS: Final = [{"name": f"{'*' * 22} {at}", "power": at, "attack_dice": 16} for at in range(1, 7)]
VOLLEY: Final = {"defence": 9, "save": 4, "hp": 99, "weapons": WEAPONS}
LARGEST: Final = [
    *(begun("warsurge", {**WARSURGE, "save": save}, seed) for save in (None, 4) for seed in range(3)),
    begun("infinity", {"order": ORDER}),
    begun("infinity", {"hits": 9, "crits": 9, "ammo": "DA", "ps": 7, "arm": 3}),
    odds_card(count([GAMES["warsurge"].rules.declare({**WARSURGE, "method": item}) for item in ("casual", "chart")])),
    compare_card(
        count(declare_each_method(GAMES["warsurge"].rules.declare({"power": 7, "defence": 2, "attack_dice": 100})))
    ),
    *(begun("warsurge", {**VOLLEY, "method": item}, seed) for item in ("balanced", "chart") for seed in range(3)),
    odds_card(count([GAMES["warsurge"].rules.declare(VOLLEY)])),
    compare_card(count(declare_each_method(GAMES["warsurge"].rules.declare(VOLLEY)))),
    chart_card(),
    chart_card(None, 3),
    chart_card(7, 3),
    pages.page(
        GAMES["xwing"].rules,
        [pages.RegisteredCommand(("xwing", f"command-{at}"), Text("what it does " * 6)) for at in range(20)],
        average_table(averages()),
    ),
]


@pytest.mark.parametrize("display", LOOKS, ids=lambda item: f"{item.look}-{item.files}-{len(item.faces)}")
def test_the_largest_cards_fit(display: Display) -> None:
    for card in LARGEST:
        fits(card_message(card, display))


def test_where_emoji_have_no_room_all_dice_are_words() -> None:
    said = described(begun("infinity", {"order": ORDER}), Display(EMOJI, faces=KNOWN))
    assert "<:" not in said
    assert "(canceled)" in said


def test_a_hundred_dice_still_are_emoji() -> None:
    assert described(begun("warsurge", {**WARSURGE, "defence": 4}), Display(EMOJI, faces=KNOWN)).count("<:x") == 24


@every_game
@settings(max_examples=share_of(15), deadline=None)
@given(data=st.data())
def test_every_card_fits_in_every_look(game: Game, data: st.DataObject) -> None:
    names = {Side.ATTACKER: "*" * 32, Side.DEFENDER: "李" * 32}
    for state in walk(data, game, 6):
        for display in LOOKS[2:]:
            fits(card_message(game.card(state, names), display))
