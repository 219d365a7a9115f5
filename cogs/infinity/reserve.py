"""Who of an army list is not on the table: a question to its player alone, and what follows from the answer.

Nobody else learns that there was one. Until it is answered these troopers are in a draft of their player, as plans are
(``bot.sessions.plans``), and on no table; who never answers keeps them there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

import discord

from bot.client import Interaction
from bot.rules.errors import PlayerError
from bot.rules.infinity import KEY, army, markers
from bot.rules.infinity.trooper import Trooper, troopers_of
from bot.rules.infinity.turn import own
from bot.rules.text import N_, Name, Names, Sentences, Shown, Text
from bot.sessions.place import Request
from bot.ui.answer import answer
from bot.ui.components import Answer, Components, button, option, select
from bot.ui.place import person, place, request, to_reader

READY: Final = Answer("reserve", "ready")
MODELS: Final = Answer("reserve", "models")
ASKED: Final = Text(
    "Only you see this. These troopers start where their skills say, and nobody else sees them yet. Pick those that "
    "are on the table as models, then press **Ready**."
)
DONE: Final = Text("You are ready. The others see your markers, and that you have a list of secrets.")
TOO_MANY: Final = N_("At most {most} troopers of a list can start unseen. Import them in two lists.")


async def ask(interaction: Interaction, unseen: Sequence[Trooper]) -> None:
    """Keep troopers for their player alone, and ask that one where they start. Raises ``PlayerError`` for too many."""
    asked = await request(interaction)
    planned = await interaction.client.plans.look(asked, KEY, markers.RESERVE)
    places = [one.of for one in planned.asked.places]
    if len(unseen) > len(places):
        raise PlayerError(Text(TOO_MANY, most=len(places)))
    lines = [*map(markers.line_of, unseen), *[""] * (len(places) - len(unseen))]
    await interaction.client.plans.choose(asked, KEY, dict(zip(places, lines, strict=True)), markers.RESERVE)
    kept = dict(zip(places, unseen, strict=False))
    await answer(interaction).post_private(**message(interaction, kept))


def message(interaction: Interaction, kept: Mapping[str, Trooper]) -> dict[str, Any]:
    """The question, with each trooper and where it starts."""
    with to_reader(interaction):
        lines = [Text("{name} starts the game {where}.", name=one.name, where=start_of(one)) for one in kept.values()]
        options = [option(one.name, of, start_of(one)) for of, one in kept.items()]
        picks = select(Text("On the table as models"), MODELS, options, most=len(options))
        ready = button(Text("Ready"), READY, discord.ButtonStyle.success)
        return {"content": Sentences([ASKED, *lines], "\n"), "view": Components([picks], [ready])}


def start_of(one: Trooper) -> Shown:
    """Where a trooper starts by its skills."""
    kind = markers.kind_for(one)
    return Text("under a marker, {kind}", kind=Name(kind)) if kind else Text("off the table, on your list of secrets")


async def reserve(interaction: Interaction, asked: Request) -> dict[str, Trooper]:
    """The troopers that somebody keeps, by their places. Raises ``PlayerError`` where there are none."""
    planned = await interaction.client.plans.look(asked, KEY, markers.RESERVE)
    owner = (await interaction.client.tables.player(place(interaction), person(interaction.user))).id
    every = {of: markers.listed(line, owner) for of, line in planned.chosen.items()}
    kept = {of: one for of, one in every.items() if one is not None}
    if not kept:
        raise PlayerError(Text("You have answered this already. `/infinity profile import` brings another list."))
    return kept


async def put_on_table(interaction: Interaction, _: Answer) -> None:
    """Those who were picked stand on the table as models; everybody sees them from now on."""
    asked, data = await request(interaction), cast("dict[str, Any]", interaction.data or {})
    kept, values = await reserve(interaction, asked), data.get("values", [])
    picked = [kept.pop(of) for of in values if of in kept]
    what = Text("imports {troopers}", troopers=Names([one.name for one in picked]))
    await interaction.client.tables.step(asked, KEY, what, lambda now: army.enlist(troopers_of(now), picked), of=())
    await interaction.client.plans.choose(asked, KEY, dict.fromkeys(values, ""), markers.RESERVE)
    if kept:
        await answer(interaction).show(**message(interaction, kept))
    else:
        await fix(interaction, replace(asked, interaction_id=None), kept)


async def ready(interaction: Interaction, _: Answer) -> None:
    """All others start where their skills say: under markers, and on the list of secrets."""
    asked = await request(interaction)
    await fix(interaction, asked, await reserve(interaction, asked))


async def fix(interaction: Interaction, asked: Request, kept: Mapping[str, Trooper]) -> None:
    """Put the markers on the table, and fix the list of secrets, which everybody has: that tells nothing."""
    plans, tables, once = interaction.client.plans, interaction.client.tables, replace(asked, interaction_id=None)
    here, unseen = place(interaction), [one for one in kept.values() if not markers.kind_for(one)]
    if len(unseen) > markers.HIDDEN:
        raise PlayerError(Text("A list of secrets has {most} lines. Put somebody on the table.", most=markers.HIDDEN))
    kinds = {of: (markers.kind_for(one), markers.gives(one)) for of, one in kept.items() if markers.kind_for(one)}
    for kind in dict.fromkeys(kinds.values()):
        alike = [of for of, each in kinds.items() if each == kind]
        for at in range(0, len(alike), markers.MARKERS_MOST):
            some = alike[at : at + markers.MARKERS_MOST]
            sheet = markers.sheet_for(await tables.pieces(here, KEY), kind[0], len(some), kind[1])
            lines = [markers.line_of(kept[of]) for of in some]
            await plans.choose(once, KEY, dict(zip(markers.read(sheet)[1], lines, strict=True)), sheet)
            await plans.ready(once, KEY, sheet)
            await plans.choose(once, KEY, dict.fromkeys(some, ""), markers.RESERVE)
    owner = (await tables.player(here, person(interaction.user))).id
    every = [*own(await tables.pieces(here, KEY), owner), *kept.values()]
    leader = next((str(one.name) for one in every if one.has("Lieutenant")), "")
    hidden = {f"{markers.LINE} {owner}-{at}": markers.line_of(one) for at, one in enumerate(unseen, 1)}
    await plans.choose(once, KEY, {f"{markers.LEADER} {owner}": leader, **hidden}, markers.SECRETS)
    await plans.ready(asked, KEY, markers.SECRETS, anyway=True)
    await plans.choose(once, KEY, dict.fromkeys(kept, ""), markers.RESERVE)
    await answer(interaction).show(content=DONE, view=None)
