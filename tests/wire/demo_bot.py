"""The bare bot with the few things more that prove the wire: a form, a select, waiting answers and a bad body."""

import asyncio

import discord
from discord import app_commands

from benchmarks.bare_bot import BareBot, main


class Name(discord.ui.Modal, title="Your name"):
    """A form with a text and a choice. Its answer says both."""

    name: discord.ui.Label["Name"] = discord.ui.Label(
        text="Name", component=discord.ui.TextInput(custom_id="name", max_length=20)
    )
    side: discord.ui.Label["Name"] = discord.ui.Label(
        text="Side",
        component=discord.ui.Select(
            custom_id="side",
            options=[discord.SelectOption(label="Rebel", value="r"), discord.SelectOption(label="Empire", value="e")],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        name, side = self.name.component, self.side.component
        assert isinstance(name, discord.ui.TextInput)
        assert isinstance(side, discord.ui.Select)
        await interaction.response.send_message(f"{name.value} of {side.values[0]}", ephemeral=True)


class Dice(discord.ui.View):
    """A select of one or two dice."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.select(
        custom_id="dice",
        placeholder="Dice to reroll",
        max_values=2,
        options=[discord.SelectOption(label=f"Die {n}", value=str(n)) for n in (1, 2, 3)],
    )
    async def dice(self, interaction: discord.Interaction, select: discord.ui.Select["Dice"]) -> None:
        await interaction.response.edit_message(content=f"rerolled {', '.join(select.values)}", view=None)


class DemoBot(BareBot):
    """See above."""

    async def setup_hook(self) -> None:
        demo = app_commands.Group(name="demo", description="What the wire is proved with")

        @demo.command(description="Opens a form")
        async def form(interaction: discord.Interaction) -> None:
            await interaction.response.send_modal(Name())

        @demo.command(description="Shows a select")
        async def dice(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("Three dice", view=Dice())

        @demo.command(description="Thinks first, then answers and adds something")
        async def slow(interaction: discord.Interaction, whom: discord.Member) -> None:
            await interaction.response.defer(thinking=True, ephemeral=True)
            await interaction.edit_original_response(content=f"hello {whom.display_name}")
            await interaction.followup.send("and more")

        @demo.command(description="Sends a title that is too long")
        async def bad(interaction: discord.Interaction) -> None:
            await interaction.response.send_message(embed=discord.Embed(title="x" * 300))

        @demo.command(description="Answers when it is too late")
        async def late(interaction: discord.Interaction, seconds: float) -> None:
            await asyncio.sleep(seconds)
            await interaction.response.send_message("sorry")

        self.tree.add_command(demo)
        await self.create_application_emoji(name="hit", image=b"\x89PNG\r\n\x1a\n")
        assert "hit" in [emoji.name for emoji in await self.fetch_application_emojis()]
        await super().setup_hook()


if __name__ == "__main__":
    main(DemoBot())
