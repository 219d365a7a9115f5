"""What the tests of `/ruleset` and `/prefer` type and read."""

from typing import Any

import discord
import simcord

from tests.conftest import Club


async def choose(club: Club, by: simcord.MemberActor, setting: str, value: str, **more: Any) -> Any:
    given: dict[str, Any] = {"setting": setting, "value": value, **more}
    return await by.slash(club.channel, "ruleset set", **given)


async def reset(club: Club, by: simcord.MemberActor, **given: Any) -> Any:
    return await by.slash(club.channel, "ruleset reset", **given)


async def prefer(club: Club, by: simcord.MemberActor, setting: str, value: str) -> discord.Embed:
    given: dict[str, Any] = {"setting": setting, "value": value}
    result = await by.slash(club.channel, "prefer", **given)
    return told(result)


def told(result: simcord.InteractionResult) -> discord.Embed:
    """What one person alone was shown."""
    assert result.response is not None
    assert result.response.ephemeral
    return result.response.embeds[0]


async def shown(club: Club, by: simcord.MemberActor) -> str:
    """Every line of ``/ruleset show``."""
    await by.slash(club.channel, "ruleset show")
    return "\n".join(field.value or "" for field in club.embed.fields)


async def attacked(club: Club, by: simcord.MemberActor | None = None) -> str:
    """A WARSURGE attack, whose card names the method."""
    club.dice.will_show(0)
    await (by or club.ana).slash(club.channel, "warsurge attack", power=3, defence=3)
    return str(club.embed.to_dict())
