"""What a seal costs: commands and presses at a sealed table beside those at an unsealed one, of the same bot.

``python -m benchmarks.sealed [--turns N]``. One bot on the wire; one channel is sealed, the other is not; then another
bot, the other way round. The channels take turns, a block of attacks each: an attack is typed (stored, painted), then
its attacker presses Done (read, judged, stored, painted). The chain of the sealed table grows all the while, as in a
long evening.

Two blocks that follow each other, one of each channel, make a pair, and what counts is how much more the sealed one of
a pair takes: on a busy machine a pair shares its weather. Shown are the medians over all pairs, with the quartiles.
"""

import argparse
import asyncio
import statistics
from dataclasses import dataclass, field

from benchmarks.wire import ROLLCALL_BOT, cpu_seconds, seal
from tests.wire.process import BotProcess
from tests.wire.wire import Wire
from tests.wire.world import Channel

BLOCK = 40
"""Attacks in a block."""


@dataclass(slots=True)
class Figures:
    """For each block: CPU seconds of an answer, and the median seconds of its commands and presses."""

    commands: list[float] = field(default_factory=list)
    presses: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


async def block(wire: Wire, bot: BotProcess, channel: Channel, figures: Figures) -> None:
    """Some attacks, one after the other."""
    before, commands, presses = cpu_seconds(bot), list[float](), list[float]()
    for _ in range(BLOCK):
        typed = await wire.slash(wire.people[0], channel, ROLLCALL_BOT.attack, **ROLLCALL_BOT.attack_options)
        pressed = await wire.press(wire.people[0], typed.shown, ROLLCALL_BOT.button)
        assert not pressed.ephemeral, pressed.text
        commands.append(typed.seconds)
        presses.append(pressed.seconds)
    figures.commands.append(statistics.median(commands))
    figures.presses.append(statistics.median(presses))
    figures.cpu.append((cpu_seconds(bot) - before) / (2 * BLOCK))


async def one_bot(blocks: int, result: dict[str, Figures], *, swapped: bool) -> None:
    """A new bot whose one channel is sealed, ``swapped`` the other one."""
    async with Wire(record=False, patience=30) as wire:
        bot = await wire.start_bot()
        pair = (wire.channel, wire.voice) if swapped else (wire.voice, wire.channel)
        channels = dict(zip(result, pair, strict=True))
        await seal(wire, channels["sealed"])
        for channel in channels.values():  # a bot that has run for a while has drawn most faces before
            await block(wire, bot, channel, Figures())
        for number in range(blocks):
            for name in sorted(channels, reverse=bool(number % 2)):
                await block(wire, bot, channels[name], result[name])


async def main(blocks: int) -> None:
    result = {"unsealed": Figures(), "sealed": Figures()}
    for swapped in (False, True):
        await one_bot(blocks, result, swapped=swapped)
    print(f"{'':24}{'unsealed':>10}{'sealed':>10}{'more':>8}")
    for what in ("cpu", "commands", "presses"):
        plain, sealed = (getattr(result[name], what) for name in ("unsealed", "sealed"))
        more = [item / other - 1 for item, other in zip(sealed, plain, strict=True)]
        low, middle, high = statistics.quantiles(more, n=4)
        title = "CPU an answer, ms" if what == "cpu" else f"{what}, wall ms"
        medians = "".join(f"{1000 * statistics.median(times):10.2f}" for times in (plain, sealed))
        print(f"{title:24}{medians}{middle:8.1%}   ({low:.1%} to {high:.1%}, {len(more)} pairs)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=10, help="blocks of attacks for each of the two (10)")
    asyncio.run(main(parser.parse_args().turns))
