"""`/saved` as people type it: rolls under a name, panels with a button for each, and who may do what."""

import discord
import pytest
import simcord

from bot.games import roll_commands
from bot.languages import LANGUAGES
from bot.ui.core import request_context
from tests.cogs.rulesets import choose
from tests.conftest import Club, said, whispered

pytestmark = pytest.mark.one_bot


def show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


async def save(
    club: Club, name: str, roll: str | None = None, by: simcord.MemberActor | None = None, **more: str
) -> simcord.InteractionResult:
    given = {"name": name, **({"roll": roll} if roll is not None else {}), **more}
    return await (by or club.ana).slash(club.channel, "saved add", **given)


def answered(result: simcord.InteractionResult) -> str:
    """The outcome of a private card, and what it is about."""
    (shown,) = whispered(result).embeds
    return "\n".join([shown.title or "", *(field.value or "" for field in shown.fields)])


async def rolled(club: Club, name: str, by: simcord.MemberActor | None = None) -> simcord.InteractionResult:
    return await (by or club.ana).slash(club.channel, "saved roll", name=name)


def find(club: Club, message: discord.Message) -> discord.Message:
    """A message as it is now."""
    return next(item for item in club.channel.history() if item.id == message.id)


def buttons(message: discord.Message) -> list[discord.Button]:
    items = (item for row in message.components if isinstance(row, discord.ActionRow) for item in row.children)
    return [item for item in items if isinstance(item, discord.Button)]


async def test_dice_are_saved_under_a_name_and_rolled_by_it(club: Club) -> None:
    answer = answered(await save(club, "Fireball", "2d6 fire"))
    assert answer == "Fireball is saved for you.\n/roll dice:2d6 fire"
    assert club.channel.history(viewer=club.bo) == [], "saving is private"
    show(club, 6, 5)
    await rolled(club, "fireball")
    assert club.outcome == "fire: Ana rolls 6 + 5 = 11."
    assert "There's no saved roll `Fireball`" in said(await rolled(club, "Fireball", club.bo))


async def test_the_name_of_a_saved_roll_stands_for_its_dice_in_roll(club: Club) -> None:
    await save(club, "Fireball", "2d6")
    show(club, 1, 2)
    await club.ana.slash(club.channel, "roll", dice="Fireball")
    assert club.outcome == "Ana rolls 1 + 2 = 3."
    show(club, 3, 3)
    await club.ana.slash(club.channel, "roll", dice="FIREBALL", label="Second", times=1)
    assert club.outcome == "Second: Ana rolls 3 + 3 = 6."
    await club.ana.slash(club.channel, "roll", dice="Fireball", odds=True)
    assert club.outcome == "Average of 2d6: 7."
    await save(club, "Shot", "/infinity roll sv:12 burst:2")
    assert "The saved roll `Shot` is `/infinity roll sv:12 burst:2`, which has no `label`" in said(
        await club.ana.slash(club.channel, "roll", dice="Shot", label="x")
    )


async def test_a_roll_of_any_game_is_saved_as_the_command_that_people_type(club: Club) -> None:
    await save(club, "Shot", "/infinity roll sv:12 burst:2 kind:BS attack")
    show(club, 3, 12)
    await rolled(club, "Shot")
    assert club.embed.author.name is not None
    assert club.embed.author.name.startswith("Infinity")
    await save(club, "Punch", "/warsurge attack power:7 defence:2 method:Chart")
    show(club, 6, 6, 1)
    await rolled(club, "Punch")
    club.dice.waiting.clear()
    assert "Chart" in str(club.embed.to_dict())


async def test_without_a_roll_the_last_one_here_is_saved(club: Club) -> None:
    assert "I don't know your last roll in this channel" in said(await save(club, "Luck"))
    show(club, 4)
    await club.ana.slash(club.channel, "roll", dice="1d20", label="Luck check")
    assert answered(await save(club, "Luck")).endswith("\n/roll dice:1d20 label:Luck check")
    show(club, 9)
    await rolled(club, "Luck")
    assert club.outcome == "Luck check: Ana rolls 9."
    assert "I don't know your last roll in this channel" in said(await save(club, "Luck", by=club.bo)), (
        "it was not Bo's"
    )


async def test_a_roll_by_a_form_can_be_saved_as_well(club: Club) -> None:
    shown = await club.ana.slash(club.channel, "xwing roll")
    club.dice.red("hit blank")
    await club.ana.submit_modal(shown, {"red": "2"})
    assert answered(await save(club, "Two red")).endswith("\n/xwing roll red:2")
    club.dice.red("crit hit")
    await rolled(club, "Two red")
    assert "X-Wing" in str(club.embed.author.name)


async def test_the_last_rolls_and_the_saved_ones_are_suggested(club: Club) -> None:
    show(club, 4)
    await club.ana.slash(club.channel, "roll", dice="1d20")
    result = await club.ana.autocomplete(club.channel, "saved add", "roll", "", name="x")
    assert [item["value"] for item in result] == ["/roll dice:1d20"]
    await save(club, "Fireball", "8d6")
    await save(club, "Fire arrow", "1d8+3")
    result = await club.ana.autocomplete(club.channel, "saved roll", "name", "ball")
    assert [(item["name"], item["value"]) for item in result] == [("Fireball · /roll dice:8d6", "Fireball")]
    result = await club.ana.autocomplete(club.channel, "roll", "dice", "fire")
    assert [item["value"] for item in result] == ["Fire arrow", "Fireball"]
    result = await club.ana.autocomplete(club.channel, "roll", "dice", "4d6kh3")
    assert [item["value"] for item in result] == ["4d6kh3"], "what reads as dice can be picked as well"


async def test_only_a_gm_saves_for_the_channel_and_everybody_rolls(club: Club, gm: simcord.MemberActor) -> None:
    assert "Only a GM" in said(await save(club, "Trap", "3d6", whose="channel"))
    await save(club, "Trap", "3d6", gm, whose="channel")
    assert club.outcome == "Trap is saved for this channel."
    show(club, 1, 1, 2)
    await rolled(club, "Trap", club.bo)
    assert club.outcome == "Bo rolls 1 + 1 + 2 = 4."
    await save(club, "Trap", "1d4", club.bo)
    show(club, 4)
    await rolled(club, "Trap", club.bo)
    assert club.outcome == "Bo rolls 4.", "one's own comes first"
    assert "Only a GM" in said(await club.bo.slash(club.channel, "saved remove", name="Trap", whose="channel"))
    await gm.slash(club.channel, "saved remove", name="trap", whose="channel")
    assert club.outcome == "Trap is no longer saved."
    assert "There's no saved roll" in said(await rolled(club, "Trap"))


async def test_a_thread_has_the_rolls_of_its_channel(club: Club, gm: simcord.MemberActor) -> None:
    await save(club, "Trap", "1d6", gm, whose="channel")
    channel = club.env.bot.get_channel(club.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.create_thread(name="cellar", type=discord.ChannelType.public_thread)
    (thread,) = club.channel.threads
    show(club, 5)
    await club.bo.slash(thread, "saved roll", name="Trap")
    assert thread.last_message is not None
    assert thread.last_message.embeds[0].title == "Bo rolls 5."
    other = club.guild.create_text_channel("other")
    assert "There's no saved roll" in said(await club.bo.slash(other, "saved roll", name="Trap"))


async def test_the_list_is_private_and_has_both(club: Club, gm: simcord.MemberActor) -> None:
    nothing = whispered(await club.ana.slash(club.channel, "saved list"))
    assert nothing.embeds[0].title == "Nothing is saved yet."
    await save(club, "Trap", "3d6", gm, whose="channel")
    await save(club, "Fireball", "8d6")
    shown = whispered(await club.ana.slash(club.channel, "saved list"))
    told = {field.name: field.value for field in shown.embeds[0].fields}
    assert told == {"Yours": "Fireball: /roll dice:8d6", "This channel's": "Trap: /roll dice:3d6"}


async def test_saving_again_replaces_and_removing_says_what_it_was(club: Club) -> None:
    await save(club, "Fireball", "8d6")
    assert "It replaces the one with the same name." in answered(await save(club, "fireball", "9d6"))
    gone = answered(await club.ana.slash(club.channel, "saved remove", name="FIREBALL"))
    assert gone == "fireball is no longer saved.\n/roll dice:9d6"
    assert "no saved roll with that name" in said(await club.ana.slash(club.channel, "saved remove", name="Fireball"))


@pytest.mark.parametrize(
    ("roll", "says"),
    [
        ("8d6zz", "dice"),
        ("/table clear", "isn't a command that rolls"),
        ("/saved roll name:Fireball", "isn't a command that rolls"),
        ("/infinity roll 12", "options of `/infinity roll`"),
        ("/infinity roll sv:twelve", "sv"),
        ("/infinity roll sv:12 kind:dance", "Use `BS Attack`"),
        ("/albion attack agility:3", "also needs `stealth`"),
        ("/infinity versus sv:12 opponent:Bo", "Saved rolls can't name people"),
        ("/albion attack agility:4 stealth:3 awareness:3 strength:3 dodging:perhaps", "True or False"),
        ("/roll times:2", "Type what to roll in `dice`"),
        ("/contest their_dice:1d6 their_name:Ork name:Elf", "dice"),
        ("/roll dice:Sneaky", "dice"),
    ],
)
async def test_what_cannot_be_rolled_is_not_saved(club: Club, roll: str, says: str) -> None:
    assert says in said(await save(club, "Fireball", roll))
    assert whispered(await club.ana.slash(club.channel, "saved list")).embeds[0].title == "Nothing is saved yet."
    assert club.channel.history(viewer=club.bo) == [], "nothing was rolled"


async def test_a_name_is_no_dice_and_there_are_not_too_many(club: Club) -> None:
    assert "Use a name that isn't dice" in said(await save(club, "d20", "8d6"))
    assert "Use a name with visible characters" in said(await save(club, "\u200b", "8d6"))
    for number in range(25):
        assert "is saved" in answered(await save(club, f"Roll {number}", "8d6"))
    assert "You have 25 saved rolls" in said(await save(club, "One more", "8d6"))
    assert "It replaces" in answered(await save(club, "Roll 7", "9d6")), "one of the same name still can be"


async def test_a_roll_that_no_longer_reads_says_so_and_what_it_is(club: Club, gm: simcord.MemberActor) -> None:
    await club.ana.slash(club.channel, "infinity profile set", name="Angus", stats="BS 12; Combi: PS 7, Burst 3")
    await save(club, "Angus", "/infinity roll name:Angus weapon:Combi")
    await club.ana.slash(club.channel, "infinity profile remove", name="Angus")
    told = said(await rolled(club, "Angus"))
    assert told.startswith(
        "The saved roll `Angus` (`/infinity roll name:Angus weapon:Combi`) doesn't work here anymore"
    )
    assert told.endswith("Save it again with `/saved add`.")
    await save(club, "Fireball", "8d6")
    await choose(club, gm, "most_dice", "7")
    assert "That's 8 dice" in said(await rolled(club, "Fireball")), "the ruleset counts"
    await choose(club, gm, "games_off", "anydice")
    assert "Any dice is turned off in this channel" in said(await rolled(club, "Fireball"))
    assert "turned off" in said(await save(club, "Other", "1d6"))


@pytest.mark.parametrize("command", roll_commands())
async def test_every_command_that_rolls_reads_without_rolling(club: Club, command: str) -> None:
    """With an option that is wrong, its declaration is refused; so it goes through the declaration, and no further."""
    options = {
        "xwing attack": "dice:3 with:nonsense",
        "xwing roll": "red:2",
        "infinity roll": "sv:12 mods:nonsense",
        "infinity versus": "sv:12 mods:nonsense",
        "infinity order": "text:nonsense nonsense",
        "infinity save": "hits:1 ammo:N ps:5 arm:1 dice:nonsense",
        "warsurge attack": "power:7",
        "albion attack": "agility:1 stealth:1 awareness:1 strength:1 faces:nonsense",
        "roll": "dice:nonsense",
        "contest": "dice:nonsense",
        "duel attack": "line:nonsense",
    }[command]
    answer = await save(club, "Test", f"/{command} {options}")
    assert ("Test is saved for you." in answered(answer)) if command == "xwing roll" else said(answer)
    assert club.channel.history(viewer=club.bo) == []


# Panels


async def panel(club: Club, by: simcord.MemberActor | None = None, **more: str) -> discord.Message:
    await (by or club.ana).slash(club.channel, "saved panel", **more)
    return club.card


async def test_a_panel_of_the_channel_has_a_button_for_each_roll(club: Club, gm: simcord.MemberActor) -> None:
    assert answered(await gm.slash(club.channel, "saved panel", whose="channel")) == "Nothing is saved yet."
    await save(club, "Trap", "2d6", gm, whose="channel")
    await save(club, "Dodge", "1d20+4", gm, whose="channel")
    shown = await panel(club, gm, whose="channel")
    assert club.labels == ["Dodge", "Trap"]
    assert club.outcome == "This channel's saved rolls."
    show(club, 3, 4)
    await club.bo.click(shown, label="Trap")
    assert club.outcome == "Bo rolls 3 + 4 = 7.", "whoever presses rolls"
    assert find(club, shown).components, "the panel stays"


async def test_a_panel_follows_what_is_saved(club: Club, gm: simcord.MemberActor) -> None:
    await save(club, "Trap", "2d6", gm, whose="channel")
    first = await panel(club, gm, whose="channel")
    await save(club, "Dodge", "1d20+4", gm, whose="channel")
    now = find(club, first)
    assert [button.label for button in buttons(now)] == ["Dodge", "Trap"]
    await gm.slash(club.channel, "saved remove", name="Trap", whose="channel")
    assert "no longer saved" in said(await club.press(club.bo, str(buttons(now)[1].custom_id), on=now))
    await gm.slash(club.channel, "saved remove", name="Dodge", whose="channel")
    assert find(club, first).components == []


async def test_of_many_panels_of_a_person_the_newest_follow(club: Club) -> None:
    """A person with a panel in each of a thousand threads made a thousand requests with each roll they saved."""
    await save(club, "Fireball", "2d6")
    places = [club.guild.create_text_channel(f"table-{number}") for number in range(7)]
    for place in places:
        await club.ana.slash(place, "saved panel")
    await save(club, "Arrow", "1d8")
    shown = [len(buttons(place.last_message)) for place in places if place.last_message is not None]
    assert shown == [1, 1, 2, 2, 2, 2, 2]


async def test_ones_own_panel_is_for_oneself(club: Club) -> None:
    await save(club, "Fireball", "2d6")
    shown = await panel(club)
    assert club.outcome == "Ana's saved rolls."
    assert "These are someone else's saved rolls" in said(await club.bo.click(shown, label="Fireball"))
    show(club, 6, 6)
    await club.ana.click(shown, label="Fireball")
    assert club.outcome == "Ana rolls 6 + 6 = 12."


async def test_a_panel_works_after_a_restart_and_is_replaced_by_a_new_one(club: Club) -> None:
    await save(club, "Fireball", "2d6")
    first = await panel(club)
    await club.restart()
    show(club, 1, 2)
    await club.ana.click(first, label="Fireball")
    assert club.outcome == "Ana rolls 1 + 2 = 3."
    await save(club, "Arrow", "1d8")
    now = find(club, first)
    assert len(buttons(now)) == 2
    second = await panel(club)
    old = find(club, first)
    assert str(second.id) in old.content
    assert not old.components


async def test_a_saved_roll_of_one_channel_does_not_work_from_another(club: Club, gm: simcord.MemberActor) -> None:
    await save(club, "Trap", "2d6", gm, whose="channel")
    await panel(club, gm, whose="channel")
    made_up = club.custom_id("1")
    other = club.guild.create_text_channel("other")
    await club.bo.slash(other, "table show")
    board = other.last_message
    assert board is not None
    shown = club.env.backend.get_message(board.channel.id, board.id)
    assert shown is not None
    club.channel = other
    assert "another channel" in said(await club.press(club.bo, made_up, on=board))
    assert "no longer saved" in said(await club.press(club.bo, "rc1:saved:999", on=board))


async def test_a_roll_that_needs_a_form_opens_it_from_the_panel(club: Club) -> None:
    await save(club, "Versus", "/infinity versus")
    shown = await panel(club)
    opened = await club.ana.click(shown, label="Versus")
    assert opened.modal is not None


# Elsewhere


async def test_ones_own_rolls_work_in_a_direct_message_too(club: Club) -> None:
    await save(club, "Fireball", "2d6")
    user, club.channel = club.ana.user, club.ana.user.dm_channel
    show(club, 2, 2)
    await user.slash("saved roll", name="Fireball")
    assert club.outcome == "Ana rolls 2 + 2 = 4."
    await user.slash("saved add", name="Trap", roll="1d6", whose="channel")
    assert "is saved for this channel" in club.outcome, "alone with the bot, everybody is a GM"
    await user.slash("saved panel", whose="channel")
    show(club, 5)
    await user.click(club.card, label="Trap")
    assert club.outcome == "Ana rolls 5."


async def test_a_saved_roll_may_be_secret(club: Club) -> None:
    await save(club, "Sneak", "/roll dice:1d20 secret:True")
    show(club, 13, 14)
    alone = whispered(await rolled(club, "Sneak"))
    assert alone.embeds[0].title == "Ana rolls 13."
    await save(club, "Listen", "1d20")
    alone = whispered(await club.ana.slash(club.channel, "roll", dice="Listen", secret=True))
    assert alone.embeds[0].title == "Ana rolls 14."
    assert not any("rolls 1" in str(item.embeds) for item in club.channel.history(viewer=club.bo))


async def test_an_option_that_is_there_twice_is_refused(club: Club) -> None:
    refused = said(await save(club, "Twice", "/roll dice:1d20 dice:1d6"))
    assert refused == "`dice` appears twice. Type it once."
    assert "There's no saved roll" in said(await rolled(club, "Twice"))


async def test_a_roll_in_words_of_another_language_is_saved_in_those_that_everybody_types(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as german:
        german.setattr(request_context, "language_of_reader", lambda _: LANGUAGES["de"])
        await save(club, "Salvo", "/xwing attack dice:3 with:Fokus, neu 1 Leerseite against:Ausweichen agility:1")
    shown = answered(await club.ana.slash(club.channel, "saved list"))
    assert "/xwing attack dice:3 with:focus, reroll 1 blank against:evade agility:1" in shown
