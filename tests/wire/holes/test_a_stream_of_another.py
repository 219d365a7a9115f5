"""A bystander with one roll makes and ends a link to a table whose page is a stream: the stream goes on."""

import re

import aiohttp

from tests.ports import free_port
from tests.wire.wire import PATIENT, Wire


async def test_a_bystander_with_one_roll_ends_nobodys_stream(wire: Wire) -> None:
    port = free_port()
    ana, ben, cleo, *_ = wire.people
    await wire.start_bot(PATIENT, {"PUBLIC_URL": f"http://127.0.0.1:{port} {port}"})
    await wire.slash(ben, wire.channel, "xwing attack", dice=3, agility=2, opponent=ana)
    match = re.search(r"http://\S+", (await wire.slash(ben, wire.channel, "table link")).text)
    assert match is not None
    async with aiohttp.ClientSession() as http, http.get(f"{match[0]}/live") as stream:
        assert stream.status == 200
        await wire.slash(cleo, wire.channel, "roll", dice="d6")
        hers = re.search(r"http://\S+", (await wire.slash(cleo, wire.channel, "table link")).text)
        assert hers is not None, "she can have one of her own"
        assert hers[0] != match[0]
        assert (await wire.slash(cleo, wire.channel, "table link", revoke=True)).ephemeral
        async with http.get(match[0]) as page:
            assert page.status == 200
        said = b""
        await wire.slash(ana, wire.channel, "roll", dice="d6")
        while b"Ana" not in said:
            part = await stream.content.readany()
            assert part, "the stream ended"
            said += part
