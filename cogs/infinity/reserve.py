"""Troopers of an army list that start off the table: a private question to their player, and its results. Their
existence is secret. Until answered they are in the player's draft, like plans (``bot.sessions.plans``).
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

import discord

from bot.client import Interaction
from bot.rules.errors import PlayerError
from bot.rules.game import MAX_OPTIONS
from bot.rules.infinity import KEY
from bot.rules.infinity.table import army, markers
from bot.rules.infinity.troopers.trooper import Trooper, troopers_of
from bot.rules.infinity.turn.player_turn import SECRETS, own_troopers
from bot.rules.text import N_, Code, Name, Names, Sentences, Shown, Text
from bot.sessions.request import Request
from bot.ui.core.components import AnswerAddress, Components, button, option, select
from bot.ui.core.request_context import in_user_language, person, place, request
from bot.ui.core.responses import answer

READY: Final = AnswerAddress("reserve", "ready")
MODELS: Final = AnswerAddress("reserve", "models")
FIGURES: Final = AnswerAddress("reserve", "figures")
ASKED: Final = Text(
    "Only you can see this. These troopers start where their skills say, and nobody else can see "
    "them yet. Pick the ones that are on the table as models, then press **Ready**."
)
DONE: Final = Text("You're ready. The others see your markers and that you have a list of secrets.")
TOO_MANY: Final = N_("At most {most} troopers in a list can start hidden. Import them as two lists.")


async def ask(interaction: Interaction, unseen: Sequence[Trooper], *, more: bool = False) -> None:
    """Store unseen troopers privately, and ask their player where they start. Raises ``PlayerError`` for too many.
    ``more``: besides those already asked about.
    """
    asked = await request(interaction)
    planned = await interaction.client.plans.look(asked, KEY, markers.RESERVE)
    places = [item.of for item in planned.asked.places if not (more and planned.chosen.get(item.of))]
    if len(unseen) > len(places):
        raise PlayerError(Text(TOO_MANY, most=len(places)))
    figures = map(markers.figures_of, unseen)  # until the player says which is real: random, with the maximum number
    real = (secrets.choice([item for item in every if item[-1] == every[0][-1]]) if every else "" for every in figures)
    lines = [*map(markers.line_of, unseen, real), *[""] * (len(places) - len(unseen))]
    await interaction.client.plans.choose(asked, KEY, dict(zip(places, lines, strict=True)), markers.RESERVE)
    await answer(interaction).post_private(**message(interaction, await reserve(interaction, asked)))


def message(interaction: Interaction, kept: Mapping[str, Trooper]) -> dict[str, Any]:
    with in_user_language(interaction):
        lines = [
            Text("{name} starts the game {where}.", name=trooper.name, where=start_of(trooper))
            for trooper in kept.values()
        ]
        options = [option(trooper.name, of, start_of(trooper)) for of, trooper in kept.items()]
        picks = select(Text("On the table as models"), MODELS, options, most=len(options))
        real = [(of, trooper.name, Code(item)) for of, trooper in kept.items() for item in markers.figures_of(trooper)]
        says = N_("{name}: figure {figures} is real")
        holo = [option(Text(says, name=name, figures=item), f"{of}: {item}") for of, name, item in real[:MAX_OPTIONS]]
        rows = [[select(Text("Figures, and which one is real"), FIGURES, holo, most=len(holo))]] if holo else []
        ready = button(Text("Ready"), READY, discord.ButtonStyle.success)
        return {"content": Sentences([ASKED, *lines], "\n"), "view": Components([picks], *rows, [ready])}


def start_of(trooper: Trooper) -> Shown:
    kind = markers.kind_for(trooper)
    return Text("under a marker, {kind}", kind=Name(kind)) if kind else Text("off the table, on your list of secrets")


async def reserve(interaction: Interaction, asked: Request) -> dict[str, Trooper]:
    """Return a person's reserve by place. Raises ``PlayerError`` if empty."""
    planned = await interaction.client.plans.look(asked, KEY, markers.RESERVE)
    owner = (await interaction.client.tables.player(place(interaction), person(interaction.user))).id
    every = {of: markers.read_secret_line(line, owner) for of, line in planned.chosen.items()}
    kept = {of: trooper for of, trooper in every.items() if trooper is not None}
    if not kept:
        raise PlayerError(Text("You've already answered this. To import another list, use `/infinity profile import`."))
    return kept


async def put_on_table(interaction: Interaction, _: AnswerAddress) -> None:
    """Put the selected troopers on the table as public models."""
    asked, data = await request(interaction), cast("dict[str, Any]", interaction.data or {})
    kept, values = await reserve(interaction, asked), data.get("values", [])
    picked = [kept.pop(of) for of in values if of in kept]
    what = Text("imports {troopers}", troopers=Names([trooper.name for trooper in picked]))
    await interaction.client.tables.step(asked, KEY, what, lambda now: army.enlist(troopers_of(now), picked), of=())
    await interaction.client.plans.choose(asked, KEY, dict.fromkeys(values, ""), markers.RESERVE)
    if kept:
        await answer(interaction).show(**message(interaction, kept))
    else:
        await fix_reserve(interaction, replace(asked, interaction_id=None), kept)


async def say_figures(interaction: Interaction, _: AnswerAddress) -> None:
    """Set a Holoprojector's or Decoy's number of figures, and which is real."""
    asked, data = await request(interaction), cast("dict[str, Any]", interaction.data or {})
    kept = await reserve(interaction, asked)
    said = (value.partition(": ") for value in data.get("values", []))
    lines = {of: markers.line_of(kept[of], figures) for of, _, figures in said if of in kept}
    await interaction.client.plans.choose(asked, KEY, lines, markers.RESERVE)
    await answer(interaction).show(**message(interaction, kept))


async def set_ready(interaction: Interaction, _: AnswerAddress) -> None:
    """Deploy the others by their skills: under markers, and on the list of secrets."""
    asked = await request(interaction)
    await fix_reserve(interaction, asked, await reserve(interaction, asked))


async def fix_reserve(interaction: Interaction, asked: Request, kept: Mapping[str, Trooper]) -> None:
    """Put the markers on the table, and fix the list of secrets. Every player has one, so it reveals nothing."""
    plans, tables, once = interaction.client.plans, interaction.client.tables, replace(asked, interaction_id=None)
    here, unseen = place(interaction), [trooper for trooper in kept.values() if not markers.kind_for(trooper)]
    if len(unseen) > markers.HIDDEN:
        message = N_("A list of secrets has at most {most} lines. Put someone on the table.")
        raise PlayerError(Text(message, most=markers.HIDDEN))
    chosen = (await plans.look(asked, KEY, markers.RESERVE)).chosen
    for kind, gives, some, lines in markers.marker_sheets(kept, chosen):
        sheet = markers.sheet_for(await tables.pieces(here, KEY), kind, len(lines), gives)
        await plans.choose(once, KEY, dict(zip(markers.read(sheet)[1], lines, strict=True)), sheet)
        await plans.fix_plan(once, KEY, sheet)
        await plans.choose(once, KEY, dict.fromkeys(some, ""), markers.RESERVE)
    owner = (await tables.player(here, person(interaction.user))).id
    every = [*own_troopers(await tables.pieces(here, KEY), owner), *kept.values()]
    leader = next((str(trooper.name) for trooper in every if trooper.has("Lieutenant")), "")
    hidden = {f"{markers.LINE} {owner}-{at}": markers.line_of(trooper) for at, trooper in enumerate(unseen, 1)}
    await plans.choose(once, KEY, {f"{markers.LEADER} {owner}": leader, **hidden}, SECRETS)
    await plans.fix_plan(asked, KEY, SECRETS, anyway=True)
    await plans.choose(once, KEY, dict.fromkeys(kept, ""), markers.RESERVE)
    await answer(interaction).show(content=DONE, view=None)


PRESSES: Final = {READY: set_ready, FIGURES: say_figures, MODELS: put_on_table}


async def press(interaction: Interaction, at: AnswerAddress) -> None:
    """Handle a person's presses one by one: of several at once, the second finds what the first has left."""
    work = partial(PRESSES[at], interaction, at)
    await interaction.client.locks.run_exclusive(f"reserve:{interaction.user.id}", work)
