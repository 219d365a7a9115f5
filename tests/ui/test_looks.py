"""The looks as people meet them, and channels in which Discord lets the bot do less."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest
import simcord

from bot.render import paint
from bot.render.faces import FACES, FATES, SHORT
from bot.render.paint import compose_picture
from bot.rules.text import english
from bot.ruleset.settings import Look
from bot.runtime.app import App
from bot.sessions.rulesets import Rulesets
from bot.store.errors import DatabaseBusyError
from bot.ui.core.card_messages import ANIMATED, EMBEDS_HINT, EMOJI, FILES_HINT, PICTURE, REFUSED_HINT, TEXT
from tests.conftest import Club, said, whispered

pytestmark = pytest.mark.one_bot

May = Callable[..., None]
Wants = Callable[[Look], Awaitable[None]]
ROLLS: dict[str, tuple[str, dict[str, object], tuple[int, ...], str]] = {
    "xwing": ("xwing attack", {"dice": 2, "agility": 0}, (0, 7), "<:red_hit> <:red_blank>"),
    "infinity": ("infinity roll", {"sv": 12, "burst": 2}, (11, 16), "<:d20a_12> (Critical) <:d20a_17_off>"),
    "warsurge": (
        "warsurge attack",
        {"power": 4, "defence": 9, "dice": 2, "method": "chart"},
        (5, 3, 1),
        "<:d6_6> → <:d6_4> <:d6_2_off>",
    ),
    "albion": (
        "albion attack",
        {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3},
        (2, 0, 1),
        "<:dx36_72> <:dx36_0> <:dx36_1>",
    ),
}


@pytest.fixture
def look(club: Club) -> Wants:
    """Ana prefers a look from now on; every face has its emoji, named after it."""
    assert isinstance(club.env.bot, App)
    club.env.bot.faces = {
        face: discord.PartialEmoji(
            name=f"{SHORT.get(face.body, face.body)}_{face.face}{FATES[face.fate]}", id=1000 + at
        )
        for at, face in enumerate(FACES)
    }

    async def prefers(look: Look) -> None:
        given = {"setting": "look", "value": look}
        await club.ana.slash(club.channel, "prefer", **given)

    return prefers


@pytest.fixture(autouse=True)
def painted(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures as they are: an animated one is made of still ones."""
    monkeypatch.setattr(paint, "compose_picture", compose_picture)


@pytest.fixture
def may(monkeypatch: pytest.MonkeyPatch) -> May:
    """Say what Discord tells of the app's permissions from now on."""
    result = simcord.interactions.base_payload

    def allow(**permissions: bool) -> None:
        def payload(*args: Any, **kwargs: Any) -> Any:
            record, told = result(*args, **kwargs)
            told["app_permissions"] = str(discord.Permissions(view_channel=True, **permissions).value)
            return record, told

        monkeypatch.setattr(simcord.interactions, "base_payload", payload)

    return allow


def without_ids(text: str | None) -> str:
    """The emoji of a text by name only."""
    return re.sub(r"<:(\w+):\d+>", r"<:\1>", text or "")


async def roll(club: Club, game: str) -> None:
    command, options, falls, _ = ROLLS[game]
    club.dice.will_show(*falls)
    await club.ana.slash(club.channel, command, **options)


# Looks


@pytest.mark.parametrize("game", ROLLS)
async def test_a_roll_in_pictures(club: Club, look: Wants, game: str) -> None:
    await look(PICTURE)
    await roll(club, game)
    assert len(club.card.attachments) == 1
    assert "<:" not in (club.embed.description or "")


@pytest.mark.parametrize("game", ROLLS)
async def test_a_roll_in_emoji(club: Club, look: Wants, game: str) -> None:
    await look(EMOJI)
    await roll(club, game)
    assert ROLLS[game][-1] in without_ids(club.embed.description)
    assert len(club.card.attachments) == (game == "albion"), "Albion's scale is a figure"


@pytest.mark.parametrize("game", ROLLS)
async def test_a_roll_in_text(club: Club, look: Wants, game: str) -> None:
    await look(TEXT)
    await roll(club, game)
    assert not club.card.attachments
    assert "<:" not in str(club.sent)
    words = {"xwing": "hit, blank", "infinity": "Critical 12, 17 (failed)", "warsurge": "6 → 4, 2 (failed)"}
    assert words.get(game, "72, 0, 1") in (club.embed.description or "")


@pytest.mark.parametrize(("wanted", "attached"), [(PICTURE, 1), (EMOJI, 1), (TEXT, 0)])
async def test_odds_in_each_look(club: Club, look: Wants, wanted: Look, attached: int) -> None:
    await look(wanted)
    await club.ana.slash(club.channel, "warsurge odds", power=7, defence=2, dice=2)
    assert len(club.card.attachments) == attached
    assert ("```" in (club.embed.description or "")) is (wanted == TEXT)


async def test_where_the_look_cannot_be_read_a_card_is_shown_all_the_same(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise DatabaseBusyError("the disk is busy")

    monkeypatch.setattr(Rulesets, "ruling", fails)
    shown = whispered(await club.ana.slash(club.channel, "help", game="xwing"))
    assert len(shown.attachments) == 1


async def test_a_press_may_change_the_look(club: Club, look: Wants) -> None:
    await look(PICTURE)
    club.dice.red("focus hit blank")
    await club.attack(dice=3, agility=0, with_="focus, lock")
    assert len(club.card.attachments) == 1
    await look(TEXT)
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert not club.card.attachments
    assert club.embed.image.url is None
    assert "hit, hit (changed by focus), blank" in (club.embed.description or "")
    club.dice.red("crit")
    await look(PICTURE)
    await club.rerolls("2")
    assert len(club.card.attachments) == 1
    assert club.outcome == "Ana hits the defender: 2 hits and 1 crit."


async def test_an_animated_roll_shows_a_throw_only_where_dice_fell(club: Club, look: Wants) -> None:
    """A GIF on a new roll and a reroll; a still picture for a changed die, after undo, and for who asks How?."""

    def shown() -> tuple[str, str | None]:
        file = club.card.attachments[0]
        assert file.filename in (club.embed.image.url or ""), "the embed shows it"
        return file.filename, file.description

    await look(ANIMATED)
    club.dice.red("focus hit blank")
    await club.attack(dice=3, agility=0, with_="focus, lock")
    assert shown() == ("dice.gif", "Attack dice: hit, focus, blank")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert shown()[0] == "dice.png"
    await club.ana.click(club.card, label="Undo")
    assert shown()[0] == "dice.png"
    await club.ana.click(club.card, label="How?")
    assert shown()[0] == "dice.png"
    club.dice.red("crit")
    await club.rerolls("2")
    assert shown()[0] == "dice.gif"
    assert len(club.card.attachments) == 1


@pytest.mark.parametrize("game", ROLLS)
async def test_a_roll_of_each_game_animated(club: Club, look: Wants, game: str) -> None:
    await look(ANIMATED)
    await roll(club, game)
    assert [file.filename for file in club.card.attachments] == ["dice.gif"]
    assert club.embed.image.url


async def test_the_odds_and_the_help_have_no_throw(club: Club, look: Wants) -> None:
    await look(ANIMATED)
    await club.ana.slash(club.channel, "warsurge odds", power=7, defence=2, dice=2)
    assert [file.filename for file in club.card.attachments] == ["dice.png"]


async def test_a_secret_roll_falls_before_who_rolled_and_lies_when_it_is_revealed(club: Club, look: Wants) -> None:
    await look(ANIMATED)
    club.dice.will_show(2, 3)
    result = await club.ana.slash(club.channel, "roll", dice="2d6", secret=True)
    hidden = whispered(result)
    assert [file.filename for file in hidden.attachments] == ["dice.gif"]
    await club.ana.click(hidden.message, label="Reveal")
    assert [file.filename for file in club.card.attachments] == ["dice.png"]


async def test_a_roll_keeps_the_look_of_whoever_opened_it(club: Club, look: Wants) -> None:
    await look(TEXT)
    club.dice.red("hit")
    club.dice.green("focus")
    await club.attack(dice=1, agility=1, against="focus", opponent=club.bo)
    assert "**Defense dice**: focus" in (club.embed.description or "")
    await club.bo.click(club.card, label="Focus: 1 to evade")
    assert not club.card.attachments
    assert "**Defense dice**: evade (changed by focus)" in (club.embed.description or "")


# Missing permissions


async def test_without_attach_files_dice_are_emoji_and_an_admin_hears_why(club: Club, look: Wants, may: May) -> None:
    await look(PICTURE)
    may(embed_links=True)
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    assert not club.card.attachments
    assert "<:red_hit> <:red_focus>" in without_ids(club.embed.description)
    assert english(FILES_HINT) in (club.embed.description or "")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert not club.card.attachments
    assert "<:red_hit> <:red_hit> (changed by focus)" in without_ids(club.embed.description)
    assert english(FILES_HINT) not in (club.embed.description or ""), "once is enough"


async def test_without_attach_files_a_chart_is_text(club: Club, may: May) -> None:
    may(embed_links=True)
    await club.ana.slash(club.channel, "albion odds", agility=4, stealth=3, awareness=3, strength=3)
    assert not club.card.attachments
    assert "miss: 0 to 72" in (club.embed.description or "")
    assert english(FILES_HINT) in (club.embed.description or "")


async def test_without_embed_links_all_is_plain_words_with_the_picture_and_buttons(club: Club, may: May) -> None:
    may(attach_files=True)
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    assert not club.card.embeds
    assert len(club.card.attachments) == 1
    assert "**Ana against the defender: 1 hit.**" in club.card.content
    assert "Ana's turn" in club.card.content
    assert club.card.content.endswith(f"-# {EMBEDS_HINT}")
    told = await club.cleo.click(club.card, label="How?")
    assert told.response is not None
    assert "Attack dice rolled: hit, focus" in told.response.content
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert not club.card.embeds
    assert "**Ana against the defender: 2 hits.**" in club.card.content
    assert english(EMBEDS_HINT) not in club.card.content
    await club.ana.click(club.card, label="Done")
    assert "**Ana hits the defender: 2 hits.**" in club.card.content
    assert club.labels == ["Attack again"]


async def test_with_neither_all_is_said_and_both_are_named(club: Club, may: May) -> None:
    may()
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    assert not club.card.embeds
    assert not club.card.attachments
    assert "**Attack dice**: hit, focus" in club.card.content
    assert english(FILES_HINT) in club.card.content
    assert english(EMBEDS_HINT) in club.card.content


async def test_permissions_given_or_taken_meanwhile_count_at_the_next_press(club: Club, may: May) -> None:
    club.dice.red("focus hit focus")
    await club.attack(dice=3, agility=0, with_="calculate, focus")
    assert club.card.embeds
    may()
    await club.ana.click(club.card, label="Calculate: 1 focus to hit")
    assert not club.card.embeds
    assert not club.card.attachments
    assert "2 hits" in club.card.content
    may(attach_files=True, embed_links=True)
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert not club.card.content
    assert len(club.card.attachments) == 1
    assert club.outcome == "Ana hits the defender: 3 hits."


async def test_the_call_to_an_opponent_still_pings(club: Club, may: May) -> None:
    may()
    await club.attack(dice=1, opponent=club.bo)
    assert club.card.content.startswith(club.bo.mention)
    assert club.sent["allowed_mentions"] == {"parse": [], "users": [club.bo.id]}


async def test_a_channel_that_denies_them_says_so_itself(club: Club) -> None:
    denied = discord.PermissionOverwrite(attach_files=False, embed_links=False)
    club.channel = club.guild.create_text_channel("strict", overwrites={club.guild.default_role: denied})
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    assert not club.card.embeds
    assert not club.card.attachments
    assert "**Ana hits the defender: 1 hit.**" in club.card.content


@pytest.mark.parametrize("command", ["table show", "table history", "warsurge profile list", "xwing engage"])
async def test_other_cards_are_plain_words_too(club: Club, may: May, command: str) -> None:
    may(attach_files=True)
    await club.ana.slash(club.channel, command)
    assert not club.card.embeds
    assert english(EMBEDS_HINT) in club.card.content


async def test_a_private_page_is_plain_words_too(club: Club, may: May) -> None:
    may(attach_files=True)
    shown = whispered(await club.ana.slash(club.channel, "help"))
    assert not shown.embeds
    assert english(EMBEDS_HINT) in shown.content


async def test_a_board_in_plain_words_keeps_itself_up_to_date(club: Club, may: May) -> None:
    may(attach_files=True)
    await club.ana.slash(club.channel, "table show")
    board = club.card
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, agility=2, hull=3)
    await club.env.advance_time(1)
    now = next(item for item in club.channel.history() if item.id == board.id)
    assert not now.embeds
    assert "Luke" in now.content


async def test_advice_is_plain_words_too(club: Club, may: May) -> None:
    may(attach_files=True)
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=2, with_="focus, lock")
    told = said(await club.ana.click(club.card, label="Advice"))
    assert "Best choice" in told


@pytest.mark.parametrize("tells", [True, False])
async def test_in_a_direct_message_nothing_is_withheld(club: Club, may: May, tells: bool) -> None:
    """Discord tells of Attach Files and Embed Links in every direct and group message."""
    if tells:
        may(attach_files=True, embed_links=True, mention_everyone=True)
    club.dice.red("hit")
    await club.ana.user.slash("xwing attack", dice=1, agility=0)
    shown = club.ana.user.dm_channel.last_message
    assert shown is not None
    assert shown.embeds[0].title == "Ana hits the defender: 1 hit."
    assert len(shown.attachments) == 1
    assert english(EMBEDS_HINT) not in shown.content


async def test_of_a_server_that_the_app_is_no_member_of_discord_says_what_it_may(club: Club, may: May) -> None:
    """Installed to a person: the permissions are still told with each interaction, here those of everybody."""
    may(embed_links=True, use_external_apps=True)
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    assert club.card.embeds
    assert not club.card.attachments


# Refused all the same


def refuse(club: Club, code: int = 50013, times: int | None = 1) -> None:
    """Discord refuses the next answers."""
    club.env.inject_error("POST", "/interactions/*/callback", status=403, code=code, message="Missing", times=times)


async def test_a_command_that_is_refused_is_answered_in_plain_words(club: Club) -> None:
    refuse(club)
    club.dice.red("hit blank")
    await club.attack(dice=2, agility=0)
    assert not club.card.embeds
    assert not club.card.attachments
    assert "**Ana hits the defender: 1 hit.**" in club.card.content
    assert "Attack dice: hit, blank" in club.card.content, "what the picture would have shown"
    assert english(REFUSED_HINT) in club.card.content


async def test_a_press_that_is_refused_still_shows_what_came_of_it(club: Club) -> None:
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    refuse(club)
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert not club.card.embeds
    assert not club.card.attachments
    assert "**Ana hits the defender: 2 hits.**" in club.card.content
    assert english(REFUSED_HINT) not in club.card.content


async def test_other_refusals_are_no_reason_to_try_again(club: Club) -> None:
    refuse(club, code=50001)
    club.dice.red("hit")
    answer = await club.attack(dice=1, agility=0)
    assert "The roll is stored" in said(answer)


async def test_who_may_not_even_use_words_gets_no_endless_tries(club: Club) -> None:
    refuse(club, times=None)
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    tries = [request for request in club.env.http_requests if request.path.endswith("/callback")]
    assert len(tries) <= 4
