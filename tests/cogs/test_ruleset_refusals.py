"""What a ruleset refuses, and who may not choose one."""

import contextlib
import re
import sqlite3
from typing import Any

import pytest
import simcord
from simcord import SetupError

from bot.games import GAMES
from bot.rules.text import english
from bot.ruleset.settings import SETTINGS, find
from tests.cogs.rulesets import choose, reset, shown
from tests.conftest import Club, said
from tests.ruleset.cases import CASES

pytestmark = pytest.mark.one_bot

# What is refused


@pytest.mark.parametrize("key", GAMES)
async def test_a_game_that_is_switched_off_names_who_can_switch_it_on(
    club: Club, admin: simcord.MemberActor, key: str
) -> None:
    soldier: dict[str, Any] = {"agility": 1, "stealth": 1, "awareness": 1, "strength": 1}
    command = {
        "xwing": "xwing roll",
        "infinity": "infinity order",
        "warsurge": "warsurge chart",
        "albion": "albion odds",
        "anydice": "roll",
        "contest": "contest",
        "duels": "duel odds",
    }[key]
    heroes = {"line": "heroscape attack 3 defense 3"}
    options = {"albion": soldier, "anydice": {"dice": "1d6"}, "duels": heroes}.get(key, {})
    await choose(club, admin, "games_off", key, where="server")
    refused = said(await club.ana.slash(club.channel, command, **options))
    title = GAMES[key].title
    assert refused == (
        f"{title} is turned off in this server. To play it, ask someone with the Manage Server permission, "
        "or a GM (someone with the Manage Channels permission) for this channel only to type "
        "`/ruleset set setting: Games turned off` and leave it off that list."
    )
    assert f"Games turned off: {title} (this server)" in await shown(club, admin)


async def test_a_channel_that_switched_a_game_off_names_its_gm_role(
    club: Club, admin: simcord.MemberActor, gm: simcord.MemberActor
) -> None:
    role = club.guild.create_role("Masters")
    await choose(club, admin, "gm_role", "@masters", where="server")
    await choose(club, gm, "games_off", "xwing")
    refused = said(await club.ana.slash(club.channel, "xwing roll", red=2))
    assert f"ask a GM (<@&{role.id}> or someone with the Manage Channels permission)" in refused


async def test_an_open_roll_of_a_game_that_is_switched_off_is_played_to_its_end(
    club: Club, gm: simcord.MemberActor
) -> None:
    await club.attack(dice=2)
    card = club.card
    await choose(club, gm, "games_off", "xwing")
    club.dice.red("hit blank")
    form = await club.bo.click(card, label="Defend: enter your tokens")
    await club.bo.submit_modal(form, {"agility": "0", "tokens": ""})
    assert form.modal is not None


async def test_too_many_dice_and_dice_rolled_by_hand_are_refused(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "most_dice", "8")
    refused = said(await club.ana.slash(club.channel, "warsurge attack", power=3, defence=3, dice=9))
    assert refused.startswith("That's 9 dice, but this channel allows at most 8 per roll.")
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
        assert refused.startswith("Dice rolled by hand aren't allowed in this channel."), line
    rows = sqlite3.connect(club.file).execute("SELECT count(*) FROM session WHERE game != 'table'").fetchone()
    assert rows == (1,), "what was refused is not stored"


async def test_where_dice_by_hand_are_forbidden_nothing_offers_them(club: Club, gm: simcord.MemberActor) -> None:
    await club.attack(dice=1, opponent=club.bo)
    before = club.card
    assert "I roll my attack dice on camera" in club.labels
    await choose(club, gm, "physical_dice", "off")
    refused = said(await club.ana.click(before, label="I roll my attack dice on camera"))
    assert refused.startswith("Dice rolled by hand aren't allowed in this channel."), "the card is older than that"
    refused = said(await club.ana.slash(club.channel, "xwing attack", dice=1, agility=1, camera="attacker"))
    assert refused.startswith("Dice rolled by hand aren't allowed in this channel.")
    await club.attack(dice=1, opponent=club.bo)
    assert club.labels == ["Defend: enter your tokens", "Withdraw the attack"]
    form = await club.bo.click(club.card, label="Defend: enter your tokens")
    assert form.modal is not None
    assert [line["component"]["custom_id"] for line in form.modal["components"]] == ["agility", "tokens"]
    await club.ana.slash(club.channel, "infinity versus", sv=20)
    form = await club.bo.click(club.card, label="React")
    assert form.modal is not None
    assert "dice" not in [line["component"]["custom_id"] for line in form.modal["components"]]


async def test_only_a_gm_chooses_for_a_channel_and_only_an_admin_for_the_server(
    club: Club, gm: simcord.MemberActor, admin: simcord.MemberActor
) -> None:
    with pytest.raises(SetupError):
        await choose(club, club.ana, "look", "text")  # Discord does not even show it
    assert "Only an admin" in said(await choose(club, gm, "look", "text", where="server"))
    assert "Only an admin" in said(await choose(club, gm, "keep_days", "30"))
    assert "Only an admin" in said(await choose(club, gm, "gm_role", "nobody"))
    assert "look" not in await shown(club, admin) or "(default)" in await shown(club, admin)
    await choose(club, gm, "look", "emoji")
    assert "Dice style: Emoji (this channel)" in await shown(club, gm)


async def test_the_gm_role_makes_gms(club: Club, admin: simcord.MemberActor) -> None:
    role = club.guild.create_role("Referee")
    eve = club.guild.add_member(club.env.create_user("eve", global_name="Eve"), roles=[role])
    assert "Only a GM can do that: someone with the Manage Channels permission here" in said(
        await eve.slash(club.channel, "table clear")
    )
    await choose(club, admin, "gm_role", f"<@&{role.id}>", where="server")
    await eve.slash(club.channel, "table clear")
    assert club.outcome == "The table is already empty."
    assert f"<@&{role.id}>" in said(await club.ana.slash(club.channel, "table clear")), "who is one is named"


@pytest.mark.parametrize(
    ("setting", "value", "more", "sentence"),
    [
        ("most_dice", "lots", {}, "`Maximum dice per roll` was `lots`. Use a whole number from 6 to 100."),
        ("most_dice", "20", {"lock": True}, "Maximum dice per roll can't be locked, because it already applies to"),
        (
            "gm_role",
            "999",
            {"where": "server"},
            "`GM role` was `999`. Use a role in this server (@role), or `nobody`.",
        ),
        ("look", "huge", {}, "`Dice style` was `huge`. Use `Picture`, `Animated picture`, `Emoji`, or `Text`."),
    ],
)
async def test_what_a_setting_does_not_take_is_refused(
    club: Club, admin: simcord.MemberActor, setting: str, value: str, more: dict[str, Any], sentence: str
) -> None:
    before = await shown(club, admin)
    assert said(await choose(club, admin, setting, value, **more)).startswith(sentence)
    assert await shown(club, admin) == before


@pytest.mark.parametrize("key", [setting.key for setting in SETTINGS])
async def test_a_refusal_names_a_setting_as_the_list_of_settings_does(
    club: Club, admin: simcord.MemberActor, key: str
) -> None:
    setting, case = find(key), CASES[key]
    refused = [said(await choose(club, admin, key, text)) for text in case.refused if 0 < len(text.strip()) <= 100]
    if not setting.can_lock:
        typed = next(text for text in case.typed if text.strip())
        refused.append(said(await choose(club, admin, key, typed, lock=True)))
    if not setting.personal:
        with contextlib.suppress(SetupError):  # the list of preferences doesn't have it
            refused.append(said(await club.ana.slash(club.channel, "prefer", setting=key, value="on")))
    refused += [said(await reset(club, admin, setting=key))]
    assert refused
    for sentence in refused:
        assert english(setting.title) in sentence
        assert not re.search(r"\b[a-z]+\\?_[a-z]", sentence), sentence


async def test_an_unknown_setting_is_told_titles(club: Club, admin: simcord.MemberActor) -> None:
    refused = said(await choose(club, admin, "Games turned of", "Albion"))
    assert refused == "I don't understand `Games turned of` in `setting`. Did you mean `Games turned off`?"
    assert not re.search(r"\b[a-z]+\\?_[a-z]", refused), refused


# Who may


async def let_in(club: Club, who: Any) -> None:
    """Allow somebody the command in the server's settings, whatever permissions they have."""
    commands = await club.env.bot.tree.fetch_commands()  # type: ignore[attr-defined]  # it is our App
    (command,) = [item for item in commands if item.name == "ruleset"]
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
        assert refused.startswith(
            "Only an admin can do that"
            if where == "server"
            else "Only a GM can do that: someone with the Manage Channels permission here"
        ), where
    assert await shown(club, admin) == before


async def test_the_gm_role_chooses_for_its_channel_once_discord_shows_it_the_command(
    club: Club, admin: simcord.MemberActor
) -> None:
    role = club.guild.create_role("Referee")
    eve = club.guild.add_member(club.env.create_user("eve", global_name="Eve"), roles=[role])
    await choose(club, admin, "gm_role", "Referee", where="server")
    assert "Integrations" in (club.embed.footer.text or "")
    assert club.outcome == "GM role for this server: @Referee."
    assert "GM role: @Referee (this server)" in await shown(club, admin)
    await let_in(club, role)
    await choose(club, eve, "warsurge_method", "Balanced")
    assert club.outcome == "WARSURGE method for this channel: Balanced."
    assert "Only an admin" in said(await choose(club, eve, "gm_role", "nobody"))
