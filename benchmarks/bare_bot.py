"""The least bot that discord.py makes: one command and one button, both answered with the same embed and picture.

It is the yardstick of ``benchmarks.wire``: what is left of an answer's time when no game is played. It reads
DISCORD_TOKEN and DISCORD_API_URL as Rollcall does, and PICTURE_BYTES for the size of its picture.
"""

import io
import os
import random
import struct
import zlib

import discord
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route


def picture(size: int) -> bytes:
    """A valid PNG of about ``size`` bytes: noise, which cannot be packed any tighter."""
    noise = random.Random(0)
    width = max(1, round((size / 3) ** 0.5))
    rows = b"".join(b"\x00" + noise.randbytes(3 * width) for _ in range(width))
    head = struct.pack(">IIBBBBB", width, width, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


PICTURE = picture(int(os.environ.get("PICTURE_BYTES", "6000")))


def result() -> tuple[discord.Embed, discord.File]:
    """The one answer that this bot has."""
    embed = discord.Embed(title="Attack", description="2 hits, 1 crit get through", color=0xC03030)
    embed.add_field(name="Attack dice", value="hit, hit, crit").add_field(name="Defense dice", value="blank, focus")
    embed.set_image(url="attachment://dice.png").set_footer(text="X-Wing 2.5")
    return embed, discord.File(io.BytesIO(PICTURE), "dice.png", description="hit, hit, crit; blank, focus")


class Again(discord.ui.View):
    """One button that lives for ever."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Again", custom_id="again", style=discord.ButtonStyle.primary)
    async def again(self, interaction: discord.Interaction, _: discord.ui.Button["Again"]) -> None:
        embed, file = result()
        await interaction.response.edit_message(embed=embed, attachments=[file], view=self)


class BareBot(commands.AutoShardedBot):
    """The bot."""

    def __init__(self) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
        )

    async def setup_hook(self) -> None:
        again = Again()

        @self.tree.command(name="roll", description="Roll the dice")
        async def roll(interaction: discord.Interaction) -> None:
            embed, file = result()
            await interaction.response.send_message(embed=embed, file=file, view=again)

        self.add_view(again)
        await self.tree.sync()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        # After a lost session discord.py goes to its built-in address, not to the one that it was given.
        DiscordWebSocket.DEFAULT_GATEWAY = gateway
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do not wait 5 s before every IDENTIFY but the first: this bot has one shard."""


def main(bot: BareBot) -> None:
    """Run until the process is ended."""
    Route.BASE = os.environ["DISCORD_API_URL"]
    bot.run(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    main(BareBot())
