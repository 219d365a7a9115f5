"""Names are typed by strangers: they neither ping, nor format, nor turn the line around, nor vanish."""

import pytest

from bot.ui.names import clean
from tests.conftest import Club, said


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana", "Ana"),
        ("Łukasz Żółć 李", "Łukasz Żółć 李"),
        ("  two   words ", "two words"),
        ("line\nbreak\ttab", "linebreaktab"),
        ("\u202eevil\u2066\u200f", "evil"),
        ("a\u200bb\u2028c", "abc"),
        ("", "Somebody"),
        ("\u200b \u2060", "Somebody"),
    ],
)
def test_a_name_is_made_harmless(name: str, shown: str) -> None:
    assert clean(name) == shown


@pytest.mark.parametrize("name", ["@everyone", "@here", "<@123456789012345678>", "<@&123456789012345678>"])
def test_a_name_pings_nobody(name: str) -> None:
    assert name not in clean(name)


def test_a_long_name_is_cut() -> None:
    assert clean("x" * 100) == "x" * 32


async def test_names_are_harmless_on_cards_and_in_whispers(club: Club) -> None:
    evil = club.guild.add_member(club.env.create_user("evil", global_name="**E**\u202e@everyone"))
    await club.attack(dice=2, opponent=evil)
    assert club.embed.fields[1].name == "Defender: \\*\\*E\\*\\*@\u200beveryone"
    assert "**E**" not in (club.embed.description or "")
    whisper = said(await club.cleo.click(club.card, label="Defend: say what you bring"))
    assert "\\*\\*E\\*\\*" in whisper
    assert "\u202e" not in whisper
    assert "@everyone" not in whisper


async def test_the_name_of_the_server_is_used(club: Club) -> None:
    cap = club.guild.add_member(club.env.create_user("cap", global_name="Someone"), nick="Captain")
    await club.attack(dice=2, opponent=cap)
    assert club.embed.fields[1].name == "Defender: Captain"
