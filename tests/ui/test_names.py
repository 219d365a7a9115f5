"""Names are typed by strangers: they neither ping, nor format, nor turn the line around, nor vanish."""

import io
from types import SimpleNamespace
from typing import Any, Final, cast

import discord
import pytest
from hypothesis import given, settings, strategies as st
from PIL import Image

from bot.games import GAMES
from bot.rules import albion, infinity
from bot.rules.game import Side
from bot.rules.text import english
from bot.ui.core.card_messages import embed, picture
from bot.ui.core.request_context import clean, escape_markdown, person
from tests.conftest import Club, said
from tests.examples import share_of

pytestmark = pytest.mark.one_bot

EVIL: Final = (
    "@everyone <@123456789012345678>",
    "<@&1> <#2> <t:1:R> </x:3>",
    "**b** __u__ ||s|| ~~d~~ `c`",
    "# big\n> quote\n- list\n1. one",
    "[free](http://evil.example) x",
    "https://evil.example/a_b_",
    "\u202etxet\u2066 \u200bx",
    "Z" + "\u0336\u0315\u0489" * 20,
    "👨\u200d👩\u200d👧\u200d👦🏴\U0001f3ff",
    "שלום עולם",
    "x" * 32,
    "\u3164\u200b",
    "\\",
)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana", "Ana"),
        ("Łukasz Żółć 李", "Łukasz Żółć 李"),
        ("  two   words ", "two words"),
        ("line\nbreak\ttab", "line break tab"),
        ("\u202eevil\u2066\u200f", "evil"),
        ("a\u200bb\u2028c", "ab c"),
        ("", "Someone"),
        ("\u200b \u2060", "Someone"),
    ],
)
def test_a_name_is_made_harmless(name: str, shown: str) -> None:
    assert clean(name) == shown


@pytest.mark.parametrize("name", ["@everyone", "@here", "<@123456789012345678>", "<@&123456789012345678>"])
def test_a_name_pings_nobody(name: str) -> None:
    assert name not in english(clean(name))


def test_a_long_name_is_cut() -> None:
    assert clean("x" * 100) == "x" * 32


async def test_names_are_harmless_on_cards_and_in_whispers(club: Club) -> None:
    evil = club.guild.add_member(club.env.create_user("evil", global_name="**E**\u202e@everyone"))
    await club.attack(dice=2, opponent=evil)
    assert club.embed.fields[1].name == "Defender: \\*\\*E\\*\\*@\u200beveryone"
    assert "**E**" not in (club.embed.description or "")
    whisper = said(await club.cleo.click(club.card, label="Defend: enter your tokens"))
    assert "\\*\\*E\\*\\*" in whisper
    assert "\u202e" not in whisper
    assert "\\@everyone" in whisper, "escaped at the last door, and no answer of the bot pings anybody"


def test_a_person_has_no_name_that_postgresql_refuses() -> None:
    user = SimpleNamespace(id=1, display_name="a\x00b")
    assert person(cast("discord.User", user)).name == "ab"


async def test_the_name_of_the_server_is_used(club: Club) -> None:
    cap = club.guild.add_member(club.env.create_user("cap", global_name="Someone"), nick="Captain")
    await club.attack(dice=2, opponent=cap)
    assert club.embed.fields[1].name == "Defender: Captain"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**b** _u_ `c` ||s||", r"\*\*b\*\* \_u\_ \`c\` \|\|s\|\|"),
        ("[**x**](http://y)", r"\[\*\*x\*\*](http\://y)"),
        ("<@1> <#2> <t:3:R> @everyone", r"\<@1> \<#2> \<t:3:R> \@everyone"),
        ("# a\n-# b\n> c\n- d\n 12. e", "\\# a\n\\-# b\n\\> c\n\\- d\n 12\\. e"),
        ("Ask <@&12> & <@&x>", r"Ask <@&12> & \<@&x>"),
        ("-3 +6, 4+, a - b", "-3 +6, 4+, a - b"),
    ],
)
def test_a_text_without_markdown_is_shown_as_it_is(text: str, shown: str) -> None:
    assert escape_markdown(text) == shown


def sent(club: Club) -> list[dict[str, Any]]:
    """What the bot said in this test, as Discord got it."""
    bodies = [request.json for request in club.env.http_requests if isinstance(request.json, dict)]
    return [said for body in bodies if {"embeds", "content"} & (said := body.get("data", body)).keys()]


def check(club: Club, invited: int) -> None:
    """Nobody is pinged but who was invited, nothing broke, and no sign turns a line."""
    assert sent(club)
    for item in sent(club):
        allowed = item.get("allowed_mentions", {"parse": []})
        assert allowed["parse"] == []
        assert {int(user) for user in allowed.get("users", ())} <= {invited}
        assert "Something broke" not in str(item)
        assert not {"\u202e", "\u2066"} & set(str(item.get("content")))
        for shown in map(discord.Embed.from_dict, item.get("embeds") or ()):
            assert len(shown) <= 6000
            told = [shown.title, shown.description, *(field.name for field in shown.fields)]
            told += [field.value for field in shown.fields]
            assert not {"\u202e", "\u2066"} & set("".join(map(str, told)))
            assert not any("\n" in (name or "") for name in (shown.title, *(field.name for field in shown.fields)))


@pytest.mark.parametrize("name", EVIL)
async def test_a_name_breaks_nothing_wherever_it_is_shown(club: Club, name: str) -> None:
    evil = club.guild.add_member(club.env.create_user("evil", global_name=name.replace("\n", " ")[:32]))
    typed, second = name[:32], f"2{name}"[:32]
    await club.attack(dice=2, opponent=evil)
    said(await club.cleo.click(club.card, label="Defend: enter your tokens"))
    await club.ana.slash(club.channel, "table undo")
    await evil.slash(club.channel, "xwing ship add", name=typed, attack=1)
    await evil.slash(club.channel, "xwing ship add", name=second, attack=1)
    await evil.slash(club.channel, "xwing lock", ship=typed, target=second)
    await evil.slash(club.channel, "infinity profile set", name=typed, stats="BS 12")
    choices = await evil.autocomplete(club.channel, "xwing ship remove", "name", "")
    assert choices
    assert all(1 <= len(choice["name"]) <= 100 for choice in choices)
    await evil.slash(club.channel, "table show")
    await evil.slash(club.channel, "infinity versus", sv=0, vs_sv=0, name=typed, vs_name=typed)
    await evil.slash(club.channel, "infinity odds", sv=12, vs_sv=11, name=typed, vs_name=typed)
    await evil.slash(club.channel, "xwing unlock", ship=second)
    await evil.slash(club.channel, "xwing ship remove", name=f"{typed}"[:31] + "?")
    await club.ana.slash(club.channel, "table undo")
    await club.ana.slash(club.channel, "table history")
    check(club, evil.id)


async def test_a_ships_name_does_not_format_a_private_refusal(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="**X**_@everyone `", attack=1)
    whisper = said(await club.ana.slash(club.channel, "xwing unlock", ship="**X**_@everyone `"))
    assert whisper.startswith(r"\*\*X\*\*\_\@everyone ' has no lock to break.")
    missing = said(await club.ana.slash(club.channel, "xwing unlock", ship="Lu`ke"))
    assert missing.startswith("`ship` was `Lu'ke`. Use one of these ships: `**X**_@everyone '`")


async def test_a_ship_that_looks_like_another_is_refused(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=1)
    alike = {"name": "Lu\u200bke", "attack": 3}
    assert "Use a name that no ship in this channel has, or change that ship with `/xwing ship set" in said(
        await club.bo.slash(club.channel, "xwing ship add", **alike)
    )
    await club.ana.slash(club.channel, "xwing ship set", **alike)
    assert club.outcome == "Luke has a new ship card."


@settings(max_examples=share_of(60), deadline=None)
@given(st.lists(st.text(max_size=40), min_size=2, max_size=2))
def test_any_two_names_make_a_card_with_a_picture(names: list[str]) -> None:
    people = {Side.ATTACKER: clean(names[0]), Side.DEFENDER: clean(names[1])}
    duel = infinity.declare({"name": names[0][:32], "name_b": names[1][:32], "sv": 12, "sv_b": 11})
    attack = {"target": {"agility": 3, "stealth": 1}, "attacker": {"awareness": 3, "strength": 2}}
    highest = [infinity.start(duel, lambda sides: sides - 1), albion.start(albion.declare(attack), lambda _: 0)]
    for key, state in zip(("infinity", "albion"), highest, strict=True):
        card = GAMES[key].card(state, people)
        shown, file = embed(card), picture(card)
        assert len(shown) <= 6000
        assert file is not None
        assert "\n" not in (shown.title or "")
        Image.open(io.BytesIO(file.fp.read())).verify()
