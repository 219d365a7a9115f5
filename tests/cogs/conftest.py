"""People with rights: Ana, Bo and Cleo of the club have none."""

import discord
import pytest
import simcord

from tests.conftest import Club


@pytest.fixture
def gm(club: Club) -> simcord.MemberActor:
    """Somebody who may manage channels."""
    role = club.guild.create_role("Retention", permissions=discord.Permissions(manage_channels=True))
    return club.guild.add_member(club.env.create_user("gil", global_name="Gil"), roles=[role])


@pytest.fixture
def admin(club: Club) -> simcord.MemberActor:
    """Somebody who may manage the server, and its channels."""
    may = discord.Permissions(manage_channels=True, manage_guild=True)
    role = club.guild.create_role("Admin", permissions=may)
    return club.guild.add_member(club.env.create_user("ada", global_name="Ada"), roles=[role])
