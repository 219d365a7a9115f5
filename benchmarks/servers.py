"""How long a start takes in many servers, and how much memory it holds then.

``python -m benchmarks.servers [--servers N ...]``. Each simulated server has 30 channels and 20 roles, and the bot as
its one known member. From the start of the process until it is ready in all of them, its memory then, and its memory
and first answers while people play.
"""

import argparse
import asyncio
import time
from pathlib import Path
from typing import Final

from benchmarks.wire import cpu_seconds, p99
from tests.wire.process import BotProcess
from tests.wire.wire import Wire
from tests.wire.world import GUILD_ID, Json, guild

SERVERS: Final = (1, 2_500, 10_000)
CHANNELS: Final = 30
ROLES: Final = 20
TURNS: Final = 200
READY_WITHIN: Final = 600.0


def server(number: int) -> Json:
    """A server as large as an ordinary club's, in which nobody plays."""
    result = guild()
    key = GUILD_ID + ((number + 1) << 22)
    channel, role = result["channels"][0], result["roles"][0]
    return result | {
        "id": str(key),
        "name": f"Club {number}",
        "members": result["members"][-1:],
        "channels": [
            channel | {"id": str(key + 1_000 + item), "name": f"table-{item}", "guild_id": str(key)}
            for item in range(CHANNELS)
        ],
        "roles": [role | {"id": str(key + item), "name": f"role {item}"} for item in range(ROLES)],
    }


def memory(bot: BotProcess) -> float:
    """Resident memory in MB."""
    lines = Path(f"/proc/{bot.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def measure(count: int) -> None:
    async with Wire(record=False, patience=60) as wire:
        wire.gateway.more_servers = [server(number) for number in range(count - 1)]
        begun = time.perf_counter()
        bot = await wire.start_bot(env={"LOG_LEVEL": "info"}, seconds=READY_WITHIN)
        while f"in {count} servers" not in bot.log():
            assert bot.running, bot.log()[-2000:]
            await asyncio.sleep(0.05)
        ready, used, held = time.perf_counter() - begun, cpu_seconds(bot), memory(bot)
        ana, *_ = wire.people
        answers = [await wire.slash(ana, wire.channel, "xwing roll", red=3) for _ in range(TURNS)]
        each = (cpu_seconds(bot) - used) / TURNS * 1000
        seconds = sorted(answer.seconds * 1000 for answer in answers)
        print(
            f"{count:>6} servers: ready after {ready:5.1f} s ({used:5.1f} s of processor), {held:5.0f} MB; "
            f"after {TURNS} answers {memory(bot):5.0f} MB, p50 {seconds[TURNS // 2]:.0f} ms, "
            f"p99 {p99(seconds):.0f} ms, {each:.1f} ms of processor each"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, nargs="+", default=SERVERS)
    for count in parser.parse_args().servers:
        asyncio.run(measure(count))


if __name__ == "__main__":
    main()
