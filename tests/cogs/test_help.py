"""`/help`, as people type it."""

from bot.rules.games import GAMES
from tests.conftest import Club


async def test_help_names_every_group_and_command(club: Club) -> None:
    await club.ana.slash(club.channel, "help")
    groups = {field.name: field.value or "" for field in club.embed.fields}
    assert {f"/{key}" for key in GAMES} <= set(groups)
    assert "attack" in groups["/xwing"]
    assert "versus" in groups["/infinity"]


async def test_help_of_each_game_lists_its_commands_and_notes(club: Club) -> None:
    for key, game in GAMES.items():
        await club.ana.slash(club.channel, "help", game=key)
        assert game.TITLE in club.outcome
        told = "\n".join(field.value or "" for field in club.embed.fields)
        assert f"/{key} odds: Exact" in told
        assert len(club.embed) <= 6000


async def test_the_averages_are_a_picture_with_words(club: Club) -> None:
    await club.ana.slash(club.channel, "help", game="xwing")
    (picture,) = club.card.attachments
    assert "hits 0.5, hits, focus 0.75" in (picture.description or "")
