"""What Discord suggests while somebody types an option of `/infinity`: troopers, their stats, weapons and states."""

from typing import Final

from discord.app_commands import Choice

from bot.client import Interaction
from bot.rules import infinity
from bot.rules.infinity import trooper as troopers
from bot.rules.infinity.trooper import Trooper
from bot.ui.options import held, names, other
from bot.ui.profiles import Numbers, numbers

OFFERED: Final = {"sv": troopers.SUCCESS_VALUES, "arm": ("ARM", "BTS")}
"""Options that take other stats than the one of their own name."""


async def held_troopers(interaction: Interaction) -> dict[str, Trooper]:
    """The troopers of the channel, without what knows whose turn it is."""
    return troopers.troopers_of(await held(interaction, infinity.KEY))


def offered(option: str) -> Numbers:
    """The stats that an option takes, as ``Angus: BS 12``."""
    return numbers(held_troopers, stats_for(option))


def stats_for(option: str) -> tuple[str, ...]:
    return OFFERED.get(option) or tuple(stat for stat in troopers.STATS if stat.casefold() == option)


async def named(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The troopers of the channel, while somebody types a name."""
    return names(typed, sorted(await held_troopers(interaction), key=str.casefold))


async def weapons_of(interaction: Interaction, typed: str, option: str) -> list[Choice[str]]:
    """The weapons of the trooper that another option of the same command names."""
    kept, asked = await held_troopers(interaction), other(interaction, option)
    return names(
        typed, [weapon.name for name, one in kept.items() if name.casefold() == asked for weapon in one.weapons]
    )


async def states_of(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The states of the trooper that is named already."""
    kept, asked = await held_troopers(interaction), other(interaction, "name")
    return names(typed, [state for name, one in kept.items() if name.casefold() == asked for state in one.states])


async def armed(interaction: Interaction, typed: str) -> list[Choice[str]]:
    return await weapons_of(interaction, typed, "name")


async def enemy_armed(interaction: Interaction, typed: str) -> list[Choice[str]]:
    return await weapons_of(interaction, typed, "vs_name")


async def others_arms(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """``Combi of Angus``: the weapons of the channel's troopers, to be copied."""
    kept = sorted((await held_troopers(interaction)).values(), key=lambda one: one.name.casefold())
    return names(typed, [f"{weapon.name} of {one.name}" for one in kept for weapon in one.weapons])
