"""The same play everywhere: servers, threads, calls, direct and group messages, and where the bot is no member.

simcord knows servers and the bot's own direct messages. The other places differ in what Discord says of them in each
interaction, so that is changed on its way to the bot, and what the bot may not do there is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import discord
import pytest
import simcord

from tests.cogs.test_table import edited, no_answer, shown
from tests.conftest import Club, said, whispered

pytestmark = pytest.mark.one_bot

Json = dict[str, Any]
SOMEWHERE_ELSE = 1456000000000000001
"""A server that the bot is no member of."""
NO_ACCESS: Json = {"status": 403, "code": 50001, "message": "Missing Access"}
ROLLS = {
    "albion attack": ({"agility": 4, "stealth": 3, "awareness": 3, "strength": 3}, (2, 0, 1)),
    "warsurge attack": ({"power": 3, "defence": 2}, (5,)),
    "infinity roll": ({"sv": 12}, (3,)),
    "xwing roll": ({"red": 1}, (0,)),
}
"""A roll of each game: its options, and what its dice show."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place: the channel there, the first part of a link to it, and who may answer Ana's attack."""

    channel: simcord.ChannelHandle
    link: str
    other: simcord.MemberActor
    is_editable: bool = True


def text(club: Club) -> Spot:
    return Spot(club.channel, str(club.guild.id), club.bo)


def thread(club: Club) -> Spot:
    result = club.env.backend.create_thread(club.channel.id, "Round 1", club.ana.id)
    return Spot(simcord.ChannelHandle(club.env, club.guild, result), str(club.guild.id), club.bo)


def call(club: Club) -> Spot:
    return Spot(club.guild.create_voice_channel("Game Night"), str(club.guild.id), club.bo)


def unwelcome(club: Club) -> Spot:
    """The bot sees nothing and says nothing here by itself."""
    nothing = discord.PermissionOverwrite(view_channel=False, send_messages=False)
    me = club.env.bot.user
    assert me is not None
    channel = club.guild.create_text_channel("closed", overwrites={me: nothing})
    return Spot(channel, str(club.guild.id), club.bo, is_editable=False)


def direct(club: Club) -> Spot:
    """Ana and the bot: nobody else is there to defend."""
    told(club, lambda event: private(event, 1, 1))
    return Spot(club.channel, "@me", club.ana)


def friends(club: Club) -> Spot:
    """Ana's direct messages with Bo; the bot is installed to Ana only."""
    told(club, lambda event: private(event, 2, 1))
    club.env.inject_error("PATCH", "/channels/*/messages/*", **NO_ACCESS, times=None)
    return Spot(club.channel, "@me", club.bo, is_editable=False)


def group(club: Club) -> Spot:
    told(club, lambda event: private(event, 2, 3))
    club.env.inject_error("PATCH", "/channels/*/messages/*", **NO_ACCESS, times=None)
    return Spot(club.channel, "@me", club.bo, is_editable=False)


def elsewhere(club: Club) -> Spot:
    """A server without the bot, where Ana brings it along."""
    told(club, foreign)
    club.env.inject_error("PATCH", "/channels/*/messages/*", **NO_ACCESS, times=None)
    return Spot(club.channel, str(SOMEWHERE_ELSE), club.bo, is_editable=False)


def call_elsewhere(club: Club) -> Spot:
    """The chat of a call there, of which Discord tells but little."""
    known = {"type": 2, "name": "Den", "permissions": "0", "position": 1, "bitrate": 64000, "user_limit": 0}
    told(club, lambda event: foreign(event | {"channel": {"id": event["channel_id"], **known}}))
    club.env.inject_error("PATCH", "/channels/*/messages/*", **NO_ACCESS, times=None)
    return Spot(club.channel, str(SOMEWHERE_ELSE), club.bo, is_editable=False)


def told(club: Club, change: Callable[[Json], Json]) -> None:
    """From now on interactions reach the bot changed so."""
    emit = club.env.backend.emit
    club.env.backend.emit = lambda event, payload: emit(  # type: ignore[method-assign]  # as if Discord said so
        event, change(dict(payload)) if event == "INTERACTION_CREATE" else payload
    )


def private(event: Json, context: int, kind: int) -> Json:
    """An interaction outside servers: ``kind`` 1 is between two people, 3 a group."""
    user = event.pop("member")["user"]
    del event["guild_id"], event["guild_locale"]
    channel = {"id": event["channel_id"], "type": kind, "recipients": [user], "name": None, "icon": None}
    owners = {"1": user["id"]} if context == 2 else {"0": "0"}
    return event | {"user": user, "channel": channel, "context": context, "authorizing_integration_owners": owners}


def foreign(event: Json) -> Json:
    where = str(SOMEWHERE_ELSE)
    return event | {
        "guild_id": where,
        "guild": {"id": where, "locale": "en-GB", "features": []},
        "channel": event["channel"] | {"guild_id": where},
        "app_permissions": "0",
        "authorizing_integration_owners": {"1": event["member"]["user"]["id"]},
    }


SPOTS = (text, thread, call, unwelcome, direct, friends, group, elsewhere, call_elsewhere)


@pytest.fixture(params=SPOTS, ids=lambda item: item.__name__)
def spot(request: pytest.FixtureRequest, club: Club) -> Spot:
    """A place of each kind, where the club plays now."""
    result: Spot = request.param(club)
    club.channel = result.channel
    return result


def message(club: Club, number: int) -> discord.Message:
    """A message of the channel as it is now."""
    return next(item for item in club.channel.history(viewer=club.ana) if item.id == number)


@pytest.mark.parametrize("command", ROLLS)
async def test_every_game_rolls(club: Club, spot: Spot, command: str) -> None:
    options, faces = ROLLS[command]
    club.dice.will_show(*faces)
    await club.ana.slash(spot.channel, command, **options)
    assert club.outcome
    assert club.card.attachments[0].description, "the picture, in words"
    await club.ana.slash(spot.channel, "table history")
    assert "https://discord.com/channels/" in (club.embed.description or "")


async def test_an_attack_between_two_people_with_its_form_and_buttons(club: Club, spot: Spot) -> None:
    await club.attack(dice=2, with_="focus")
    at = club.card.id
    club.dice.red("focus hit")
    await club.defend(spot.other, "1", "evade")
    assert club.labels == ["Focus: 1 to hit", "Done"]
    club.dice.green("blank")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    await spot.other.click(club.card, label="Evade: 1 blank to evade")
    whom = "the defender" if spot.other is club.ana else "Bo"
    assert club.outcome == f"Ana hits {whom}: 1 hit."
    assert club.card.id == at, "the same message all along"


async def test_the_board_follows_where_the_bot_may_edit_it_and_is_given_up_elsewhere(
    club: Club, spot: Spot, caplog: pytest.LogCaptureFixture
) -> None:
    await club.attack(dice=2)
    link = f"https://discord.com/channels/{spot.link}/{spot.channel.id}/{club.card.id}"
    await club.ana.slash(spot.channel, "table show")
    at = club.card.id
    assert link in shown(club.card)
    await club.ana.slash(spot.channel, "xwing ship add", name="Luke", attack=3)
    await edited(club)
    assert "Luke" in shown(message(club, at)), "as the answer that it is, for a quarter of an hour"
    no_answer(club)
    await club.ana.slash(spot.channel, "xwing ship add", name="Vader", attack=3)
    await edited(club)
    assert ("Vader" in shown(message(club, at))) == spot.is_editable
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    await club.ana.slash(spot.channel, "table show")
    assert "Luke" in shown(club.card), "an answer shows it everywhere"


async def test_undo_and_the_history_with_its_links(club: Club, spot: Spot) -> None:
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    await club.take_back(club.ana, consent=spot.other)
    assert club.outcome == "This roll was taken back. If the same person makes it again, the same dice come up."
    link = f"https://discord.com/channels/{spot.link}/{spot.channel.id}/{club.card.id}"
    await club.ana.slash(spot.channel, "table history")
    lines = (club.embed.description or "").splitlines()
    lines = [line for line in lines if " to take " not in line and "allows" not in line]
    assert len(lines) == 2
    assert all(line.endswith(f"({link})") for line in lines)


async def test_help_and_a_refusal(club: Club, spot: Spot) -> None:
    assert whispered(await club.ana.slash(spot.channel, "help")).embeds[0].fields
    for game in ("xwing", "infinity"):
        assert whispered(await club.ana.slash(spot.channel, "help", game=game)).embeds[0].fields
    assert "Add one with `/xwing ship add`" in said(await club.ana.slash(spot.channel, "xwing unlock", ship="Luke"))


async def test_alone_with_the_bot_one_person_plays_both_sides(club: Club) -> None:
    """In simcord's own direct messages, as a check on ours."""
    ana, here = club.ana.user, club.ana.user.dm_channel
    club.channel = here
    await ana.slash("xwing attack", dice=1)
    assert club.embed.description == "**Ana: press Defend and enter your tokens and effects.**"
    club.dice.red("hit")
    club.dice.green("blank")
    await ana.submit_modal(
        await ana.click(club.card, label="Defend: enter your tokens"), {"agility": "1", "tokens": ""}
    )
    assert club.outcome == "Ana hits the defender: 1 hit."
    await ana.slash("infinity versus", sv=12)
    assert "React" in club.labels[0]
    await ana.slash("table history")
    assert f"https://discord.com/channels/@me/{here.id}/" in (club.embed.description or "")


async def test_a_channel_of_an_unknown_kind_is_refused_in_words_and_mixed_with_no_other(club: Club) -> None:
    """discord.py does not tell its number, so that nothing could be kept apart."""
    told(club, lambda event: event | {"channel": {"id": "1", "type": 99}})
    assert "I don't support this kind of channel yet" in said(await club.attack(dice=1))
    assert "I don't support this kind of channel yet" in said(await club.ana.slash(club.channel, "table show"))
    assert club.channel.last_message is None
    assert whispered(await club.ana.slash(club.channel, "about")).embeds[0].title
