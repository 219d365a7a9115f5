"""`/ruleset` and `/prefer` in a whole Discord: what is chosen counts, for whom it should, and says where it is from."""

import json
import sqlite3
from typing import Any

import discord
import pytest
import simcord
from simcord import SetupError

from bot.rules.games import GAMES
from bot.ruleset.settings import SETTINGS
from tests.conftest import Club, said


@pytest.fixture
def gm(club: Club) -> simcord.MemberActor:
    """Somebody who may manage channels."""
    role = club.guild.create_role("Keeper", permissions=discord.Permissions(manage_channels=True))
    return club.guild.add_member(club.env.create_user("gil", global_name="Gil"), roles=[role])


@pytest.fixture
def admin(club: Club) -> simcord.MemberActor:
    """Somebody who may manage the server, and its channels."""
    may = discord.Permissions(manage_channels=True, manage_guild=True)
    return club.guild.add_member(
        club.env.create_user("ada", global_name="Ada"), roles=[club.guild.create_role("Admin", permissions=may)]
    )


async def choose(club: Club, by: simcord.MemberActor, setting: str, value: str, **more: Any) -> Any:
    given: dict[str, Any] = {"setting": setting, "value": value, **more}
    return await by.slash(club.channel, "ruleset set", **given)


async def reset(club: Club, by: simcord.MemberActor, **given: Any) -> Any:
    return await by.slash(club.channel, "ruleset reset", **given)


async def prefer(club: Club, by: simcord.MemberActor, setting: str, value: str) -> discord.Embed:
    given: dict[str, Any] = {"setting": setting, "value": value}
    result = await by.slash(club.channel, "prefer", **given)
    return told(result)


def told(result: simcord.InteractionResult) -> discord.Embed:
    """What one person alone was shown."""
    assert result.response is not None
    assert result.response.ephemeral
    return result.response.embeds[0]


async def shown(club: Club, by: simcord.MemberActor) -> str:
    """Every line of ``/ruleset show``."""
    await by.slash(club.channel, "ruleset show")
    return "\n".join(field.value or "" for field in club.embed.fields)


async def attacked(club: Club, by: simcord.MemberActor | None = None) -> str:
    """A WARSURGE attack, whose card names the method."""
    club.dice.will_show(0)
    await (by or club.ana).slash(club.channel, "warsurge attack", power=3, defence=3)
    return str(club.embed.to_dict())


# What counts


async def test_a_player_a_channel_and_the_server_beat_each_other_in_order(
    club: Club, admin: simcord.MemberActor, gm: simcord.MemberActor
) -> None:
    assert "Casual" in await attacked(club)
    await choose(club, admin, "warsurge_method", "Balanced", where="server")
    assert "Balanced" in await attacked(club)
    await choose(club, gm, "warsurge_method", "Attack Dice Chart")
    assert "Chart" in await attacked(club)
    await prefer(club, club.ana, "warsurge_method", "Casual")
    assert "Casual" in await attacked(club)
    assert "Chart" in await attacked(club, club.bo), "a preference is one's own"
    await reset(club, gm, setting="warsurge_method")
    assert "Balanced" in await attacked(club, club.bo)
    await choose(club, admin, "warsurge_method", "Balanced", where="server", lock=True)
    assert "Balanced" in await attacked(club), "locked: the preference no longer counts"
    mine = await prefer(club, club.ana, "warsurge_method", "Casual")
    assert mine.title == "WARSURGE method: you prefer Casual. Here it does not count: this server has locked it."


async def test_what_is_typed_beats_everything(club: Club, admin: simcord.MemberActor) -> None:
    await choose(club, admin, "warsurge_method", "Balanced", where="server", lock=True)
    club.dice.will_show(0)
    await club.ana.slash(club.channel, "warsurge attack", power=3, defence=3, method="chart")
    assert "Chart" in str(club.embed.to_dict())


async def test_a_channel_beside_is_not_touched(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "game_albion", "off")
    other = club.guild.create_text_channel("other")
    club.dice.will_show(0, 0, 0)
    soldier: dict[str, Any] = {"agility": 1, "stealth": 1, "awareness": 9, "strength": 9}
    await club.ana.slash(other, "albion attack", **soldier)
    assert "switched off" in said(await club.ana.slash(club.channel, "albion attack", **soldier))


async def test_a_thread_follows_its_channel_until_it_has_rules_of_its_own(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "warsurge_method", "Balanced")
    channel = club.env.bot.get_channel(club.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.create_thread(name="skirmish", type=discord.ChannelType.public_thread)
    (thread,) = club.channel.threads

    def there() -> str:
        assert thread.last_message is not None
        return str(thread.last_message.embeds[0].to_dict())

    club.dice.will_show(0, 0)
    await club.ana.slash(thread, "warsurge attack", power=3, defence=3)
    assert "Balanced" in there()
    given: dict[str, Any] = {"setting": "warsurge_method", "value": "Casual"}
    await gm.slash(thread, "ruleset set", **given)
    assert "Casual, for this thread" in there()
    await club.ana.slash(thread, "warsurge attack", power=3, defence=3)
    assert "Casual" in there()
    assert "Balanced" in await attacked(club)


async def test_the_edition_counts_in_commands_and_in_the_order_form(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "infinity_edition", "N4")
    club.dice.will_show(8)
    await club.ana.slash(club.channel, "infinity roll", sv=12)
    assert "N4" in (club.embed.footer.text or "")
    form = await club.ana.slash(club.channel, "infinity order")
    club.dice.will_show(8)
    await club.ana.submit_modal(form, {"order": "Angus 12 normal vs Ortega"})
    assert "N4" in (club.embed.footer.text or "")


async def test_range_0_is_for_ruleset_25(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "xwing_ruleset", "2.0")
    refused = said(await club.attack(dice=3, agility=1, range_=0))
    assert "ruleset 2.0" in refused


async def test_luck_and_advice_can_be_switched_off(club: Club, gm: simcord.MemberActor) -> None:
    club.dice.red("hit hit")
    await club.attack(dice=2, with_="focus, lock", agility=0)
    assert club.custom_id("advice-damage")
    await choose(club, gm, "advice", "off")
    club.dice.red("focus focus")
    await club.attack(dice=2, with_="focus, lock", agility=0)
    card = club.card
    with pytest.raises(StopIteration):
        club.custom_id("advice-damage")
    address = club.custom_id("focus").removesuffix("focus") + "advice-damage"
    assert "no advice" in said(await club.press(club.ana, address, on=card))
    club.dice.will_show(0)
    await club.ana.slash(club.channel, "infinity roll", sv=12)
    assert "luck" in str(club.embed.footer.text).lower() or "of rolls" in str(club.embed.footer.text)
    await choose(club, gm, "luck", "off")
    before = str(club.embed.footer.text)
    club.dice.will_show(0)
    await club.ana.slash(club.channel, "infinity roll", sv=12)
    assert "of rolls" not in str(club.embed.footer.text), before


# What is refused


@pytest.mark.parametrize("key", GAMES)
async def test_a_game_that_is_switched_off_names_who_can_switch_it_on(
    club: Club, admin: simcord.MemberActor, key: str
) -> None:
    soldier: dict[str, Any] = {"agility": 1, "stealth": 1, "awareness": 1, "strength": 1}
    command = {"xwing": "roll", "infinity": "order", "warsurge": "chart", "albion": "odds"}[key]
    await choose(club, admin, f"game_{key}", "off", where="server")
    refused = said(await club.ana.slash(club.channel, f"{key} {command}", **(soldier if key == "albion" else {})))
    title = GAMES[key].TITLE
    assert refused == (
        f"{title} is switched off in this server. It can be switched on by somebody with the permission Manage Server, "
        "or for this channel alone a GM (somebody with the permission Manage Channels): "
        f"`/ruleset set setting: {title} value: on`."
    )
    for other in GAMES.keys() - {key}:
        assert f"{GAMES[other].TITLE}: on (built in)" in await shown(club, admin)


async def test_a_channel_that_switched_a_game_off_names_its_gm_role(
    club: Club, admin: simcord.MemberActor, gm: simcord.MemberActor
) -> None:
    role = club.guild.create_role("Masters")
    await choose(club, admin, "gm_role", "@masters", where="server")
    await choose(club, gm, "game_xwing", "off")
    refused = said(await club.ana.slash(club.channel, "xwing roll", red=2))
    assert f"by a GM (<@&{role.id}> or somebody with the permission Manage Channels)" in refused


async def test_an_open_roll_of_a_game_that_is_switched_off_is_played_to_its_end(
    club: Club, gm: simcord.MemberActor
) -> None:
    await club.attack(dice=2)
    card = club.card
    await choose(club, gm, "game_xwing", "off")
    club.dice.red("hit blank")
    form = await club.bo.click(card, label="Defend: say what you bring")
    await club.bo.submit_modal(form, {"agility": "0", "tokens": ""})
    assert form.modal is not None


async def test_too_many_dice_and_dice_rolled_by_hand_are_refused(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "most_dice", "8")
    refused = said(await club.ana.slash(club.channel, "warsurge attack", power=3, defence=3, dice=9))
    assert refused.startswith("These are 9 dice; this channel allows 8 in a roll.")
    club.dice.will_show(*[0] * 8)
    await club.ana.slash(club.channel, "warsurge attack", power=3, defence=3, dice=8)
    await choose(club, gm, "physical_dice", "off")
    for line, options in (
        ("warsurge attack", {"power": 3, "defence": 3, "faces": "6"}),
        ("infinity roll", {"sv": 12, "dice": "9"}),
        ("infinity versus", {"sv": 12, "dice": "9"}),
        ("albion attack", {"agility": 1, "stealth": 1, "awareness": 9, "strength": 9, "faces": "72 0 1"}),
    ):
        refused = said(await club.ana.slash(club.channel, line, **options))
        assert refused.startswith("Dice rolled by hand are not allowed in this channel."), line
    rows = sqlite3.connect(club.file).execute("SELECT count(*) FROM session WHERE game != 'table'").fetchone()
    assert rows == (1,), "what was refused is not stored"


async def test_only_a_gm_chooses_for_a_channel_and_only_an_admin_for_the_server(
    club: Club, gm: simcord.MemberActor, admin: simcord.MemberActor
) -> None:
    with pytest.raises(SetupError):
        await choose(club, club.ana, "look", "text")  # Discord does not even show it
    assert "Only an admin" in said(await choose(club, gm, "look", "text", where="server"))
    assert "Only an admin" in said(await choose(club, gm, "keep_days", "30"))
    assert "Only an admin" in said(await choose(club, gm, "gm_role", "nobody"))
    assert "look" not in await shown(club, admin) or "(built in)" in await shown(club, admin)
    await choose(club, gm, "look", "emoji")
    assert "Look of the dice: Emoji (this channel)" in await shown(club, gm)


async def test_the_gm_role_makes_gms(club: Club, admin: simcord.MemberActor) -> None:
    role = club.guild.create_role("Referee")
    eve = club.guild.add_member(club.env.create_user("eve", global_name="Eve"), roles=[role])
    assert "Only a GM may do that" in said(await eve.slash(club.channel, "table clear"))
    await choose(club, admin, "gm_role", f"<@&{role.id}>", where="server")
    await eve.slash(club.channel, "table clear")
    assert club.outcome == "The table is empty already."
    assert f"<@&{role.id}>" in said(await club.ana.slash(club.channel, "table clear")), "who is one is named"


@pytest.mark.parametrize(
    ("setting", "value", "more", "sentence"),
    [
        ("most_dice", "lots", {}, "`most_dice` was `lots`; it takes a whole number from 6 to 100 (dice)."),
        ("most_dice", "20", {"lock": True}, "`most_dice.locked` was `True`; it takes false"),
        (
            "gm_role",
            "999",
            {"where": "server"},
            "`gm_role` was `999`; it takes a role of this server (@role), or nobody.",
        ),
        ("look", "huge", {}, "`look` was `huge`; it takes one of Picture, Emoji, Text."),
    ],
)
async def test_what_a_setting_does_not_take_is_refused(
    club: Club, admin: simcord.MemberActor, setting: str, value: str, more: dict[str, Any], sentence: str
) -> None:
    before = await shown(club, admin)
    assert said(await choose(club, admin, setting, value, **more)).startswith(sentence)
    assert await shown(club, admin) == before


# Show, files, preferences


async def test_show_tells_where_each_value_comes_from(
    club: Club, admin: simcord.MemberActor, gm: simcord.MemberActor
) -> None:
    first = await shown(club, admin)
    assert club.outcome == "Nothing is chosen here yet: everything is as built in."
    assert all(f"{setting.title}: " in first for setting in SETTINGS)
    await choose(club, admin, "warsurge_method", "Balanced", where="server", lock=True)
    await choose(club, gm, "warsurge_method", "Casual")
    await choose(club, admin, "look", "text", where="server", lock=True)
    now = await shown(club, admin)
    assert "WARSURGE method: Casual (this channel, locked by this server)" in now
    assert "Look of the dice: Text (this server, locked)" in now
    assert "Luck after a roll: on (built in)" in now
    assert club.outcome == f"2 settings of {len(SETTINGS)} chosen; the rest is built in."


async def test_values_are_offered_while_one_types(club: Club, admin: simcord.MemberActor) -> None:
    club.guild.create_role("Referee")

    async def offered(setting: str, typed: str) -> list[str]:
        choices = await admin.autocomplete(club.channel, "ruleset set", "value", typed, setting=setting)
        return [choice["name"] for choice in choices]

    assert await offered("warsurge_method", "") == ["Casual", "Balanced", "Attack Dice Chart"]
    assert await offered("luck", "o") == ["on", "off"]
    assert await offered("gm_role", "ref") == ["@Referee"]
    assert await offered("most_dice", "2") == []


async def test_a_ruleset_goes_through_a_file_to_another_channel(club: Club, admin: simcord.MemberActor) -> None:
    await choose(club, admin, "warsurge_method", "Balanced", where="server", lock=True)
    await choose(club, admin, "most_dice", "20", where="server")
    result = await admin.slash(club.channel, "ruleset export", where="server")
    assert result.response is not None
    (attachment,) = result.response.attachments
    data = await club.env.bot.http.get_from_cdn(attachment.url)
    assert json.loads(data)["settings"] == {
        "warsurge_method": {"value": "balanced", "locked": True},
        "most_dice": {"value": 20},
    }
    other = club.guild.create_text_channel("other")
    await admin.slash(other, "ruleset import", file=("ruleset.json", data))
    message = other.last_message
    assert message is not None
    assert message.embeds[0].title == "2 settings are chosen for this channel now."
    await reset(club, admin, where="server")
    await admin.slash(other, "ruleset show")
    assert "WARSURGE method: Balanced (this channel, locked)" in str(other.last_message.embeds[0].to_dict())  # type: ignore[union-attr]  # it was just sent


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"nonsense", "`file` was `no valid JSON`"),
        (b'{"rollcall_ruleset": 1, "settings": {"most_dice": 7000}}', "`most_dice` was `7000`"),
        (b'{"rollcall_ruleset": 1, "settings": {"gm_role": 5}}', "`gm_role` was `5`; it takes a role of this server"),
        (b" " * 20_000, "`file` was `20000 bytes`"),
        (b"[" * 10_000, "`file` was `"),
    ],
    ids=["text", "limit", "role", "size", "depth"],
)
async def test_a_file_that_is_wrong_changes_nothing(
    club: Club, admin: simcord.MemberActor, data: bytes, sentence: str
) -> None:
    await choose(club, admin, "most_dice", "20")
    before = await shown(club, admin)
    refused = said(await admin.slash(club.channel, "ruleset import", file=("x.json", data)))
    assert refused.startswith(sentence)
    assert await shown(club, admin) == before


async def test_a_gm_cannot_import_what_is_an_admins(club: Club, gm: simcord.MemberActor) -> None:
    data = b'{"rollcall_ruleset": 1, "settings": {"keep_days": 3}}'
    assert "Only an admin" in said(await gm.slash(club.channel, "ruleset import", file=("x.json", data)))


async def test_a_reset_gives_back_what_was(club: Club, admin: simcord.MemberActor) -> None:
    await choose(club, admin, "most_dice", "20")
    await reset(club, admin)
    assert club.outcome == "Nothing is chosen any more for this channel."
    assert [one.filename for one in club.card.attachments] == ["ruleset.json"]
    assert "Nothing was chosen for this channel there" in said(await reset(club, admin))


async def test_preferences_come_and_go_and_are_private(club: Club) -> None:
    mine = await prefer(club, club.ana, "look", "text")
    assert mine.title == "Look of the dice: you prefer Text."
    lines = str(told(await club.ana.slash(club.channel, "prefer")).fields[0].value)
    assert "Look of the dice: Text (your preference)" in lines
    assert "WARSURGE method: Casual (built in)" in lines
    mine = await prefer(club, club.ana, "look", "as the table has it")
    assert mine.title == "Look of the dice: you have no preference any more."
    assert "Picture (built in)" in str(mine.fields[0].value)


async def test_a_preference_needs_both_and_is_of_what_is_personal(club: Club) -> None:
    half: dict[str, Any] = {"setting": "look"}
    assert said(await club.ana.slash(club.channel, "prefer", **half)).startswith("`value` was missing; it takes one of")
    half = {"value": "text"}
    assert said(await club.ana.slash(club.channel, "prefer", **half)).startswith("`setting` was missing")


async def test_it_outlives_the_bot(club: Club, admin: simcord.MemberActor) -> None:
    await choose(club, admin, "warsurge_method", "Balanced", where="server")
    await prefer(club, club.bo, "warsurge_method", "Attack Dice Chart")
    await club.restart()
    assert "Balanced" in await attacked(club)
    assert "Chart" in await attacked(club, club.bo)


async def let_in(club: Club, who: Any) -> None:
    """Allow somebody the command in the server's settings, whatever permissions they have."""
    commands = await club.env.bot.tree.fetch_commands()  # type: ignore[attr-defined]  # it is our App
    (command,) = [one for one in commands if one.name == "ruleset"]
    club.guild.set_command_permissions(command, {who: True})


@pytest.mark.parametrize("command", ["set", "reset", "import"])
async def test_who_gets_past_discord_is_asked_again(club: Club, admin: simcord.MemberActor, command: str) -> None:
    await choose(club, admin, "most_dice", "20")
    before = await shown(club, admin)
    await let_in(club, club.ana)
    given: dict[str, dict[str, Any]] = {
        "set": {"setting": "look", "value": "text"},
        "reset": {},
        "import": {"file": ("x.json", b'{"rollcall_ruleset": 1, "settings": {}}')},
    }
    for where in ("channel", "server"):
        refused = said(await club.ana.slash(club.channel, f"ruleset {command}", where=where, **given[command]))
        assert refused.startswith("Only an admin may do that" if where == "server" else "Only a GM may do that"), where
    assert await shown(club, admin) == before


async def test_the_gm_role_chooses_for_its_channel_once_discord_shows_it_the_command(
    club: Club, admin: simcord.MemberActor
) -> None:
    role = club.guild.create_role("Referee")
    eve = club.guild.add_member(club.env.create_user("eve", global_name="Eve"), roles=[role])
    await choose(club, admin, "gm_role", "Referee", where="server")
    assert "Integrations" in (club.embed.footer.text or "")
    await let_in(club, role)
    await choose(club, eve, "warsurge_method", "Balanced")
    assert club.outcome == "WARSURGE method: Balanced, for this channel."
    assert "Only an admin" in said(await choose(club, eve, "gm_role", "nobody"))
