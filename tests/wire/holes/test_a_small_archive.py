"""An archive of 1,798 bytes that took 24 seconds and 1.1 GiB, and the others that say little and unpack to much."""

import zipfile

from tests.bombs import LARGE, packed
from tests.wire.commands import Attached
from tests.wire.process import mebibytes
from tests.wire.wire import PATIENT, Wire
from tests.wire.world import GUILD_ID, OWNER, Channel, snowflake

MAX_GROWTH = 60.0
"""MiB by which the bot may grow; the file unpacked is 12 MB, and 340 MiB as lists."""


async def test_an_archive_that_unpacks_to_much_is_refused_in_a_sentence(wire: Wire) -> None:
    elsewhere, (ana, *_) = Channel(snowflake(), "elsewhere", guild_id=GUILD_ID + 7), wire.people
    bot = await wire.start_bot(PATIENT)
    await wire.slash(ana, wire.channel, "roll", dice="d6")
    before = mebibytes(bot.pid, "VmHWM")
    for by in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED):
        content = packed(("a.json", LARGE), by=by)
        wire.rest.files["a.zip"] = content
        file = Attached("a.zip", len(content), wire.file("a.zip"))
        refused = await wire.slash(OWNER, elsewhere, "xwing cards", file=file)
        assert refused.ephemeral
        assert "Something broke" not in refused.text
        assert "Ana rolls" in (await wire.slash(ana, wire.channel, "roll", dice="d6")).text
    assert mebibytes(bot.pid, "VmHWM") - before < MAX_GROWTH
    assert "Traceback" not in bot.log()
