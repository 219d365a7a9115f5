"""`/ruleset` and `/prefer` in a whole Discord: what is chosen counts, for whom it should, and says where it is from."""

import json
from typing import Any

import discord
import pytest
import simcord
from discord import app_commands

from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import FREE
from bot.rules.text import english
from bot.ruleset.ruling import Rule, Ruling, Source, check_locked
from bot.ruleset.settings import SETTINGS, Setting
from tests.cogs.rulesets import attacked, choose, prefer, reset, shown, told
from tests.conftest import Club, said
from tests.ruleset.cases import CASES

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
    assert mine.title == "WARSURGE method: you prefer Casual. It doesn't apply here, because this server locked it."


async def test_what_is_typed_beats_all_but_a_lock(
    club: Club, admin: simcord.MemberActor, gm: simcord.MemberActor
) -> None:
    await choose(club, admin, "warsurge_method", "Balanced", where="server")
    club.dice.will_show(0)
    await club.ana.slash(club.channel, "warsurge attack", power=3, defence=3, method="chart")
    assert "Chart" in str(club.embed.to_dict())
    await choose(club, admin, "warsurge_method", "Balanced", where="server", lock=True)
    refused = said(await club.ana.slash(club.channel, "warsurge attack", power=3, defence=3, method="chart"))
    assert "WARSURGE method is locked by this server: it is Balanced. Leave `method` out" in refused
    club.dice.will_show(0, 0)
    await club.ana.slash(club.channel, "warsurge attack", power=3, defence=3, method="balanced")
    assert "Balanced" in str(club.embed.to_dict())
    await gm.slash(club.channel, "warsurge attack", power=3, defence=3, method="chart")
    assert "Chart" in str(club.embed.to_dict())


@pytest.mark.parametrize("setting", [one for one in SETTINGS if one.fills is not None], ids=lambda one: one.key)
def test_every_setting_that_fills_a_word_refuses_that_word_where_it_is_locked(setting: Setting[Any]) -> None:
    game, word = setting.fills or ("", "")
    value, other = [one for one in CASES[setting.key].values if one != FREE][:2]
    locked = Ruling(((Source.SERVER, {setting.key: Rule(value, locked=True)}),))
    check_locked(locked, GAMES[game], {word: value}, is_gm=False)
    check_locked(locked, GAMES[game], {word: other}, is_gm=True)
    check_locked(Ruling(((Source.SERVER, {setting.key: Rule(value)}),)), GAMES[game], {word: other}, is_gm=False)
    with pytest.raises(PlayerError, match="is locked by this server"):
        check_locked(locked, GAMES[game], {word: other}, is_gm=False)


def test_a_lock_on_any_game_of_duels_locks_nothing() -> None:
    locked = Ruling(((Source.SERVER, {"duels_game": Rule(FREE, locked=True)}),))
    check_locked(locked, GAMES["duels"], {"game": "legion"}, is_gm=False)
    assert not locked.words("duels")


LOCKED: dict[str, tuple[str, tuple[tuple[str, dict[str, object]], ...]]] = {
    "warsurge_method": (
        "balanced",
        (
            ("warsurge attack", {"power": 3, "defence": 3, "method": "chart"}),
            ("warsurge odds", {"power": 3, "defence": 3, "method": "chart"}),
            ("saved roll", {"name": "mine"}),
        ),
    ),
    "duels_game": (
        "legion",
        (
            ("duel attack", {"game": "heroscape", "line": "attack 3 defense 4"}),
            ("duel odds", {"line": "heroscape attack 3 defense 4"}),
            ("saved roll", {"name": "mine"}),
        ),
    ),
    "infinity_edition": (
        "n4",
        (
            ("infinity order", {"text": "Ana 12 b3 n5 vs Bo 11"}),
            ("infinity order", {"text": "n5\nAna 12 b3 vs Bo 11", "aros": True}),
            ("infinity odds", {"order": "Ana 12 b3 N5 vs Bo 11"}),
            ("infinity odds", {"order": "Ana 12 b3 vs Bo 11", "or_order": "n5; Ana 12 b2 vs Bo 11"}),
            ("saved roll", {"name": "mine"}),
        ),
    ),
}
"""For each setting that people can say in a roll: its locked value, and every door by which another one comes."""
LOCKED_SAYS = "is locked by this channel"
SAVED: dict[str, str] = {
    "warsurge_method": "/warsurge attack power:3 defence:3 method:Attack Dice Chart",
    "duels_game": "/duel attack line:heroscape attack 3 defense 4",
    "infinity_edition": "/infinity order text:Ana 12 b3 n5 vs Bo 11",
}


async def test_a_setting_without_a_door_is_said_by_no_option(club: Club) -> None:
    """Rulesets of X-Wing and the answers of any dice stand in no command: only the channel says them."""
    tree: Any = club.env.bot.tree  # type: ignore[attr-defined]  # it is our App
    commands = [item for item in tree.walk_commands() if isinstance(item, app_commands.Command)]
    names = {(item.qualified_name.split()[0], option.name) for item in commands for option in item.parameters}
    fills = {setting.key: setting.fills for setting in SETTINGS if setting.fills is not None}
    by_option = {key for key, (game, word) in fills.items() if (GAMES[game].slash, word) in names}
    assert by_option == {"warsurge_method", "duels_game"}
    assert LOCKED.keys() == by_option | {"infinity_edition"}
    assert LOCKED.keys() == SAVED.keys()


@pytest.mark.parametrize("key", LOCKED)
async def test_a_lock_holds_at_every_door(club: Club, admin: simcord.MemberActor, key: str) -> None:
    value, doors = LOCKED[key]
    await club.ana.slash(club.channel, "saved add", name="mine", roll=SAVED[key])
    await choose(club, admin, key, value, lock=True)
    before = len(club.channel.history())
    for command, options in doors:
        assert "is locked by this channel" in said(await club.ana.slash(club.channel, command, **options)), command
    assert len(club.channel.history()) == before


async def test_a_lock_holds_in_forms_and_on_the_buttons_of_saved_rolls(club: Club, admin: simcord.MemberActor) -> None:
    await club.ana.slash(club.channel, "saved add", name="mine", roll=SAVED["infinity_edition"])
    await club.ana.slash(club.channel, "saved panel")
    panel = club.card
    await choose(club, admin, "infinity_edition", "n4", lock=True)
    await club.ana.slash(club.channel, "infinity order", text="Ana 12 b3 vs Bo 11", aros=True)
    order = club.card
    form = await club.ana.slash(club.channel, "infinity order")
    assert LOCKED_SAYS in said(await club.ana.submit_modal(form, {"order": "Ana 12 b3 n5 vs Bo 11"}))
    form = await club.bo.click(order, label="Add an ARO")
    assert "Use one edition for the whole order" in said(await club.bo.submit_modal(form, {"aro": "Cleo 11 n5"}))
    assert LOCKED_SAYS in said(await club.ana.click(panel, label="mine"))


FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "warsurge_method": ("warsurge attack", {"attacker": "Guards", "target": "Orks", "method": "chart"}),
    "duels_game": ("duel attack", {"game": ["heroscape"], "line": "attack 3 defense 4"}),
    "infinity_edition": ("infinity order", {"order": "Ana 12 b3 n5 vs Bo 11"}),
}
"""For each setting: the command that opens a form, and an answer that says another value than the locked one."""


@pytest.mark.parametrize("key", LOCKED)
async def test_a_lock_holds_in_each_form_opened_before_or_after_it(
    club: Club, admin: simcord.MemberActor, key: str
) -> None:
    command, answer = FORMS[key]
    for name in ("Guards", "Orks"):
        await club.ana.slash(club.channel, "warsurge profile set", name=name, stats="Defence 3, HP 8; Sword: Power 4")
    before = await club.ana.slash(club.channel, command)
    await choose(club, admin, key, LOCKED[key][0], lock=True)
    assert LOCKED_SAYS in said(await club.ana.submit_modal(before, answer))
    after = await club.ana.slash(club.channel, command)
    if key == "duels_game":
        assert "heroscape" not in str(after.modal), "it is the form of the locked game"
    else:
        assert LOCKED_SAYS in said(await club.ana.submit_modal(after, answer))


async def test_the_edition_of_an_order_holds_for_the_reactions_to_it(club: Club) -> None:
    await club.ana.slash(club.channel, "infinity order", text="Ana 12 b3 n4 vs Bo 11", aros=True)
    refused = await club.bo.submit_modal(await club.bo.click(club.card, label="Add an ARO"), {"aro": "Cleo 11 n5"})
    assert "Use one edition for the whole order" in said(refused)


async def test_a_channel_beside_is_not_touched(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "games_off", "albion")
    other = club.guild.create_text_channel("other")
    club.dice.will_show(0, 0, 0)
    soldier: dict[str, Any] = {"agility": 1, "stealth": 1, "awareness": 9, "strength": 9}
    await club.ana.slash(other, "albion attack", **soldier)
    assert "Albion is turned off in this channel" in said(
        await club.ana.slash(club.channel, "albion attack", **soldier)
    )


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
    assert "for this thread: Casual" in there()
    await club.ana.slash(thread, "warsurge attack", power=3, defence=3)
    assert "Casual" in there()
    assert "Balanced" in await attacked(club)


async def test_the_edition_counts_in_commands_and_in_the_order_form(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "infinity_edition", "N4")
    club.dice.will_show(8)
    await club.ana.slash(club.channel, "infinity roll", sv=12)
    assert "N4" in await club.how()
    form = await club.ana.slash(club.channel, "infinity order")
    club.dice.will_show(8)
    await club.ana.submit_modal(form, {"order": "Angus 12 normal vs Ortega"})
    assert "N4" in await club.how()


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


# Show, files, preferences


async def test_show_tells_where_each_value_comes_from(
    club: Club, admin: simcord.MemberActor, gm: simcord.MemberActor
) -> None:
    first = await shown(club, admin)
    assert club.outcome == "Nothing is set here yet: every setting uses its default."
    assert not club.embed.fields, first
    (rest,) = (item for row in club.card.components for item in getattr(row, "children", ()))
    assert [option.label for option in rest.options] == [setting.title for setting in SETTINGS], "all are in the list"
    picked = await admin.select(club.card, ["most_dice"])
    told = "".join(str(one.embeds[0].to_dict()) for one in (picked.response, *picked.followups) if one is not None)
    assert "Maximum dice per roll: 100 dice (default)." in told
    assert "/ruleset set setting:Maximum dice per roll" in told
    await choose(club, admin, "warsurge_method", "Balanced", where="server", lock=True)
    await choose(club, gm, "warsurge_method", "Casual")
    await choose(club, admin, "look", "text", where="server", lock=True)
    now = await shown(club, admin)
    assert "WARSURGE method: Casual (this channel, locked by this server)" in now
    assert "Dice style: Text (this server, locked)" in now
    assert "Luck after a roll" not in now, "it is in the list"
    assert club.outcome == f"2 of {len(SETTINGS)} settings are set here; the others use their defaults."


async def test_a_value_of_the_server_says_what_counts_here_all_the_same(club: Club, admin: simcord.MemberActor) -> None:
    await choose(club, admin, "most_dice", "40")
    assert club.embed.footer.text is None
    await choose(club, admin, "most_dice", "50", where="server")
    assert club.outcome == "Maximum dice per roll for this server: 50 dice."
    assert club.embed.footer.text == "Maximum dice per roll: 40 dice (this channel)"


async def test_settings_are_offered_while_one_types(club: Club, admin: simcord.MemberActor) -> None:
    """However many there are: each game brings one, and Discord's list holds 25."""
    for setting in SETTINGS:
        choices = await admin.autocomplete(club.channel, "ruleset set", "setting", english(setting.title).upper())
        assert (setting.title, setting.key) in [(choice["name"], choice["value"]) for choice in choices]
    assert len(await admin.autocomplete(club.channel, "ruleset reset", "setting", "")) == min(25, len(SETTINGS))


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
    assert message.embeds[0].title == "2 settings imported for this channel."
    await reset(club, admin, where="server")
    await admin.slash(other, "ruleset show")
    assert "WARSURGE method: Balanced (this channel, locked)" in str(other.last_message.embeds[0].to_dict())  # type: ignore[union-attr]  # it was just sent


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"nonsense", "I can't read this file: there's an error in line 1, column 1"),
        (b'{"rollcall_ruleset": 1, "settings": {"most_dice": 7000}}', "`most_dice` was `7000`"),
        (b'{"rollcall_ruleset": 1, "settings": {"gm_role": 5}}', "`GM role` was `5`. Use a role in this server"),
        (b" " * 20_000, "`file` was 20,000 bytes"),
        (b"\xff\xfe", "`file` was `x.json`. Use a text file in UTF-8"),
        (b"[" * 10_000, "I can't read this file"),
    ],
    ids=["text", "limit", "role", "size", "bytes", "depth"],
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
    assert club.outcome == "All settings are cleared for this channel."
    assert [attachment.filename for attachment in club.card.attachments] == ["ruleset.json"]
    assert "No setting is set for this channel" in said(await reset(club, admin))


async def test_preferences_come_and_go_and_are_private(club: Club) -> None:
    mine = await prefer(club, club.ana, "look", "text")
    assert mine.title == "Dice style: you prefer Text."
    lines = str(told(await club.ana.slash(club.channel, "prefer")).fields[0].value)
    assert "Dice style: Text (your preference)" in lines
    assert "WARSURGE method: Casual (default)" in lines
    mine = await prefer(club, club.ana, "look", "no preference")
    assert mine.title == "Dice style: you no longer have a preference."
    assert "Picture (default)" in str(mine.fields[0].value)


async def test_a_preference_needs_both_and_is_of_what_is_personal(club: Club) -> None:
    half: dict[str, Any] = {"setting": "look"}
    assert said(await club.ana.slash(club.channel, "prefer", **half)).startswith("`value` was missing. Use `Picture`")
    half = {"value": "text"}
    assert said(await club.ana.slash(club.channel, "prefer", **half)).startswith("`setting` was missing")


async def test_it_outlives_the_bot(club: Club, admin: simcord.MemberActor) -> None:
    await choose(club, admin, "warsurge_method", "Balanced", where="server")
    await prefer(club, club.bo, "warsurge_method", "Attack Dice Chart")
    await club.restart()
    assert "Balanced" in await attacked(club)
    assert "Chart" in await attacked(club, club.bo)


async def test_where_no_files_may_be_attached_nothing_speaks_of_one(club: Club, admin: simcord.MemberActor) -> None:
    denied = discord.PermissionOverwrite(attach_files=False)
    quiet = club.guild.create_text_channel("quiet", overwrites={club.guild.default_role: denied})
    given: dict[str, Any] = {"setting": "most_dice", "value": "20"}
    await admin.slash(quiet, "ruleset set", **given)
    assert "I can't attach files here" in said(await admin.slash(quiet, "ruleset export"))
    await admin.slash(quiet, "ruleset reset")
    card = quiet.last_message
    assert card is not None
    assert card.embeds[0].title == "All settings are cleared for this channel."
    assert not card.attachments
    assert card.embeds[0].footer.text is None


REPEATED: dict[str, tuple[str, dict[str, object], int]] = {
    "warsurge_method": ("warsurge attack", {"power": 3, "defence": 3, "method": "chart"}, 1),
    "infinity_edition": ("infinity order", {"text": "Ana 12 b3 n5 vs Bo 11"}, 4),
}
"""For each setting of a game that repeats rolls: a roll with another value than the locked one, and its dice."""


@pytest.mark.parametrize("key", REPEATED)
async def test_a_lock_holds_on_a_card_of_a_roll_before_it(
    club: Club, admin: simcord.MemberActor, gm: simcord.MemberActor, key: str
) -> None:
    command, words, dice = REPEATED[key]
    club.dice.will_show(*[0] * dice * 3)
    await club.ana.slash(club.channel, command, **words)
    card = club.card
    await choose(club, admin, key, LOCKED[key][0], lock=True)
    before = len(club.channel.history())
    assert LOCKED_SAYS in said(await club.ana.click(card, label="Again"))
    assert len(club.channel.history()) == before
    await gm.slash(club.channel, command, **words)
    await gm.click(club.card, label="Again")
    assert len(club.channel.history()) == before + 2
