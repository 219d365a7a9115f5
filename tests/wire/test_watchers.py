"""One person opens the pages of ten channels again and again; a server has so many places, and others have theirs."""

import asyncio
import re
from collections import Counter

import aiohttp

from bot.resources.quotas import LIMITS
from tests.ports import free_port
from tests.wire.wire import PATIENT, Wire
from tests.wire.world import GUILD_ID, OWNER, Channel, snowflake

CHANNELS = 10
MORE = 30
"""So many more than a server may have."""


async def address_in(wire: Wire, channel: Channel) -> str:
    told = await wire.slash(OWNER, channel, "table link")
    match = re.search(r"http://\S+", told.text)
    assert match is not None, told.text
    return match[0]


async def test_one_person_in_ten_channels_takes_nobodys_place_in_another_server(wire: Wire) -> None:
    port = free_port()
    await wire.start_bot(PATIENT, {"PUBLIC_URL": f"http://127.0.0.1:{port} {port}"})
    elsewhere = [Channel(snowflake(), f"table-{number}", guild_id=GUILD_ID + 7) for number in range(CHANNELS)]
    addresses = [await address_in(wire, channel) for channel in elsewhere]
    ours = await address_in(wire, wire.channel)
    told, seen = Counter[str](), list[aiohttp.ClientResponse]()
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as http:

        async def watch(address: str) -> str:
            """What the first of a live page says; a request that comes too soon is sent again."""
            while (answer := await http.get(f"{address}/live")).status == 429:  # noqa: ASYNC110 - other pages tell no event
                await asyncio.sleep(0.05)
            seen.append(answer)
            assert answer.status == 200
            said = b""
            while b"id: " not in said and b"crowded" not in said:
                said += await answer.content.readany()
            return "crowded" if b"crowded" in said else "watches"

        while told.total() < LIMITS.watchers + MORE:
            told[await watch(addresses[told.total() % CHANNELS])] += 1
        assert told == {"watches": LIMITS.watchers, "crowded": MORE}
        assert await watch(ours) == "watches", "another server has its places"
        for response in seen:
            response.close()
