"""`/table seat`: a GM gives a side of an open roll to somebody, or frees it; undo gives it back."""

from typing import Any

import simcord

from tests.conftest import Club, said

DEFEND = "Defend: enter your tokens"


async def seat(club: Club, by: simcord.MemberActor, side: str, **given: Any) -> simcord.InteractionResult:
    return await by.slash(club.channel, "table seat", **({"side": side} | given))


async def test_a_gm_gives_a_seat_and_only_the_new_holder_may_press(club: Club, gm: simcord.MemberActor) -> None:
    await club.attack(dice=2, opponent=club.bo)
    old = club.card
    await seat(club, gm, "defender", player=club.cleo)
    assert club.card.content == f"Gil gives the defender's seat to {club.cleo.mention}."
    assert club.sent["allowed_mentions"]["users"] == [club.cleo.id]
    assert not next(item for item in club.channel.history(viewer=club.ana) if item.id == old.id).components
    refused = said(await club.bo.click(club.card, label=DEFEND))
    assert refused.startswith("This choice is for Cleo (defender).")
    club.dice.red("hit blank")
    await club.defend(club.cleo, "0")
    assert "The card is up to date now" in said(await club.press(club.bo, "rc1:1:0:defend", on=club.card))


async def test_a_seat_can_be_freed_for_anybody_and_undo_gives_it_back(club: Club, gm: simcord.MemberActor) -> None:
    await club.attack(dice=2, opponent=club.bo)
    await seat(club, gm, "defender")
    assert "Gil gives the defender's seat to the first person to press" in club.card.content
    assert club.embed.fields[1].name == "Defender: open"
    await gm.slash(club.channel, "table undo")
    assert "Bo (defender)" in said(await club.cleo.click(club.card, label=DEFEND))
    await seat(club, gm, "defender")
    club.dice.red("hit blank")
    await club.defend(club.cleo, "0")
    assert "Defender: Cleo" in await club.facts()


async def test_who_entered_dice_and_left_the_seat_is_somebody(club: Club, gm: simcord.MemberActor) -> None:
    await club.ana.slash(club.channel, "infinity versus", sv=12, dice="9", vs_sv=11, vs_dice="5")
    await seat(club, gm, "attacker")
    assert (club.embed.footer.text or "").endswith("Dice entered by Someone")


async def test_the_attackers_seat_as_well(club: Club, gm: simcord.MemberActor) -> None:
    club.dice.red("focus hit")
    await club.attack(dice=2, with_="focus", agility=1, against="evade")
    await seat(club, gm, "attacker", player=club.cleo)
    assert "Cleo (attacker)" in said(await club.ana.click(club.card, label="Done"))
    club.dice.green("evade")
    await club.cleo.click(club.card, label="Done")


async def test_dice_that_were_seen_wait_for_who_saw_them_and_for_nobody_else(
    club: Club, gm: simcord.MemberActor
) -> None:
    await club.attack(dice=2, opponent=club.bo)
    club.dice.red("hit crit")
    await club.defend(club.bo, "0")
    await gm.slash(club.channel, "table undo")
    await seat(club, gm, "defender", player=club.cleo)
    club.dice.red("blank blank")
    await club.defend(club.cleo, "0")
    assert "misses" in club.outcome
    await gm.slash(club.channel, "table undo")
    await seat(club, gm, "defender", player=club.bo)
    await club.defend(club.bo, "0")
    assert "1 crit" in str(club.embed.to_dict()), "the dice that Bo saw came again"


async def test_who_may_and_what_can_be_given(club: Club, gm: simcord.MemberActor) -> None:
    assert "No open roll in this channel is waiting for a player" in said(
        await seat(club, gm, "defender", player=club.cleo)
    )
    await club.attack(dice=2)
    assert "Only a GM can do that: someone with the Manage Channels permission here" in said(
        await seat(club, club.bo, "defender", player=club.bo)
    )
    other = club.guild.create_text_channel("other")
    given: dict[str, Any] = {"side": "defender", "roll": 1}
    assert "no record of this roll" in said(await gm.slash(other, "table seat", **given))
    assert "no record of this roll" in said(await seat(club, gm, "defender", roll=77))
    club.dice.will_show(10)
    await club.ana.slash(club.channel, "infinity roll", sv=3)
    offered = await gm.autocomplete(club.channel, "table seat", "roll", "", side="defender")
    assert [choice["value"] for choice in offered] == [1], "only rolls that wait for somebody"


async def test_the_history_tells_of_it_and_names_nobody(club: Club, gm: simcord.MemberActor) -> None:
    await club.attack(dice=2, opponent=club.bo)
    await seat(club, gm, "defender", player=club.cleo)
    await club.ana.slash(club.channel, "table history")
    first = (club.embed.description or "").splitlines()[0]
    assert f"<@{gm.id}> X-Wing: gives the defender's seat to someone else" in first
