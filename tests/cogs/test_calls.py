"""Fewer messages: a mention only where a table wants it, changes that the board shows; outcomes read aloud."""

import simcord

from bot.runtime.app import App
from tests.conftest import Club
from tests.sessions.test_turn_notices import Clock, rung


def on_a_clock(club: Club) -> tuple[App, Clock]:
    app, clock = club.env.bot, Clock()
    assert isinstance(app, App)
    app.calls.later = clock.later
    return app, clock


async def chooses(club: Club, admin: simcord.MemberActor, setting: str, value: str) -> None:
    await admin.slash(club.channel, "ruleset set", setting=setting, value=value)


async def opened(club: Club) -> int:
    """Ana may change her dice, then it is Bo's turn with an evade; the number of the roll."""
    club.dice.red("hit focus")
    await club.attack(dice=2, agility=1, with_="focus", against="evade", opponent=club.bo)
    return int(club.custom_id("undo").split(":")[1])


def called(club: Club) -> list[str]:
    return [item.content for item in club.channel.history() if "it's your turn" in item.content]


async def test_a_turn_that_waits_for_a_minute_is_called_once_and_the_mention_goes_with_the_press(
    club: Club, admin: simcord.MemberActor
) -> None:
    app, clock = on_a_clock(club)
    await chooses(club, admin, "turn_ping", "After a minute")
    session = await opened(club)
    card = club.card
    assert not clock.bells, "the card itself calls to an attack"
    club.dice.green("blank")
    await club.ana.click(card, label="Done")
    assert [bell.seconds for bell in clock.bells] == [60]
    assert not called(club)
    await rung(app.calls, clock, session)
    (text,) = called(club)
    assert text.startswith(f"<@{club.bo.id}>, it's your turn. [Go to the card](https://discord.com/channels/")
    await club.bo.click(card, label="Evade: 1 blank to evade")
    assert not called(club)
    assert len(clock.bells) == 1, "the attack is over"


async def test_a_press_in_time_and_a_turn_that_is_over_call_nobody(club: Club, admin: simcord.MemberActor) -> None:
    app, clock = on_a_clock(club)
    await chooses(club, admin, "turn_ping", "minute")
    session = await opened(club)
    club.dice.green("blank")
    await club.ana.click(club.card, label="Done")
    turn = app.calls.waiting[session]
    await club.bo.click(club.card, label="Evade: 1 blank to evade")
    assert clock.bells[0].is_canceled
    app.calls.waiting[session] = turn  # as if the press had come to another process
    clock.bells[0].then()
    assert turn.sending is not None
    await turn.sending
    assert not called(club)


async def test_at_once_where_a_table_wants_that_and_never_by_default(club: Club, admin: simcord.MemberActor) -> None:
    _, clock = on_a_clock(club)
    await opened(club)
    club.dice.green("blank")
    await club.ana.click(club.card, label="Done")
    assert not clock.bells, "never, unless somebody chose otherwise"
    await chooses(club, admin, "turn_ping", "Mention immediately")
    await opened(club)
    club.dice.green("blank")
    await club.ana.click(club.card, label="Done")
    assert [bell.seconds for bell in clock.bells] == [0]


async def test_an_outcome_is_read_aloud_once_where_a_channel_wants_it(club: Club, admin: simcord.MemberActor) -> None:
    await chooses(club, admin, "read_aloud", "on")
    await opened(club)
    card = club.card
    club.dice.green("blank")
    await club.ana.click(card, label="Done")
    assert club.card.id == card.id, "it is not over"
    await club.bo.click(card, label="Evade: 1 blank to evade")
    aloud = [item for item in club.channel.history() if item.tts]
    assert [item.content for item in aloud] == ["Ana misses Bo."]


async def test_a_change_that_the_board_shows_to_all_is_answered_to_one(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3)
    public = await club.ana.slash(club.channel, "xwing token give", ship="Luke", token="focus")
    assert not public.ephemeral, "nobody else would see it without a board"
    await club.bo.slash(club.channel, "table show")
    board = club.card
    private = await club.ana.slash(club.channel, "xwing token give", ship="Luke", token="evade")
    assert private.ephemeral
    assert private.response is not None
    assert private.response.embeds[0].title == "Luke gets 1 evade token."
    await club.env.settle()
    assert club.card.id == board.id, "no message more"
    assert "Ana gives Luke 1 evade token." in (club.embed.description or ""), "and the board says who did what"


async def test_a_roll_that_is_over_calls_nobody_though_it_could_be_made_again(
    club: Club, admin: simcord.MemberActor
) -> None:
    _, clock = on_a_clock(club)
    await chooses(club, admin, "turn_ping", "Mention immediately")
    club.dice.will_show(18, 18)
    await club.ana.slash(club.channel, "infinity versus", sv=12, opponent=club.bo)
    form = await club.bo.click(club.card, label="React")
    await club.bo.submit_modal(form, {"sv": "11", "kind": "shoot"})
    assert club.labels == ["Again"]
    assert not clock.bells


async def test_the_outcome_of_every_game_is_read_aloud(club: Club, admin: simcord.MemberActor) -> None:
    await chooses(club, admin, "read_aloud", "on")
    club.dice.will_show(16)
    await club.ana.slash(club.channel, "roll", dice="1d20")
    assert [item.content for item in club.channel.history() if item.tts] == ["Ana rolls 17."]


async def test_an_opponent_is_not_called_to_a_roll_that_is_over(club: Club) -> None:
    club.dice.will_show(16, 3)
    await club.ana.slash(club.channel, "contest", dice="1d20", their_dice="1d20", opponent=club.bo)
    assert club.outcome == "Ana beats Bo: 17 to 4."
    assert club.card.content == ""
