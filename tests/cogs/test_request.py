"""`/roll` with `request`: several people are asked for a roll, on one card."""

import simcord

from tests.conftest import Club, said


def show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


async def asked(club: Club, who: simcord.MemberActor, **options: object) -> simcord.InteractionResult:
    return await who.slash(club.channel, "roll", **options)


async def test_each_has_a_button_and_the_card_says_who_has_not_rolled(club: Club) -> None:
    people = f"<@{club.bo.id}> +5, <@{club.cleo.id}>"
    await asked(club, club.ana, dice="1d20", request=people, label="Perception")
    assert club.outcome == "Perception: Ana asks Bo and Cleo to roll 1d20."
    assert club.embed.description == "**Not rolled yet: Bo and Cleo.**"
    assert club.labels == ["Bo: roll", "Cleo: roll", "Close the request"]
    assert {f"<@{club.bo.id}>", f"<@{club.cleo.id}>"} == set((club.card.content or "").split())
    assert "This choice is for Bo" in said(await club.cleo.click(club.card, label="Bo: roll"))
    show(club, 12)
    await club.bo.click(club.card, label="Bo: roll")
    assert club.outcome == "Perception: Bo 17."
    assert club.embed.description == "**Not rolled yet: Cleo.**"
    show(club, 20)
    await club.cleo.click(club.card, label="Cleo: roll")
    assert club.outcome == "Perception: Bo 17 and Cleo 20."
    assert club.labels == []
    (picture,) = club.card.attachments
    assert picture.description == ("Bo: 1d20+5: 12 = 17. Cleo: 1d20: Critical 20 = 20. Bo 17 and Cleo 20.")
    result = await club.ana.slash(club.channel, "table history")
    assert result.response is not None
    assert "Bo 17 and Cleo 20" in str([embed.to_dict() for embed in result.response.embeds])


async def test_everybody_presses_one_button_and_says_what_they_add(club: Club) -> None:
    await asked(club, club.ana, dice="1d20+...", request="everybody")
    assert club.outcome == "Ana asks everyone to roll 1d20+…."
    assert club.leading == "Roll"
    show(club, 3)
    await club.bo.submit_modal(await club.bo.click(club.card, label="Roll"), {"bonus": "+2"})
    assert club.outcome == "Bo 5."
    show(club, 7)
    await club.ana.submit_modal(await club.ana.click(club.card, label="Roll"), {"bonus": ""})
    assert club.outcome == "Bo 5 and Ana 7."
    refused = await club.bo.submit_modal(await club.bo.click(club.card, label="Roll"), {"bonus": ""})
    assert "You've already rolled" in said(refused)
    await club.ana.click(club.card, label="Close the request")
    assert club.labels == []


async def test_roles_and_many_people_are_refused_with_what_to_do(club: Club) -> None:
    refused = said(await asked(club, club.ana, dice="1d20", request=f"<@&{club.bo.id}> +5"))
    assert "I can't see who has a role. Mention each person, or write `everybody`." in refused
    refused = said(await asked(club, club.ana, dice="1d20", request=" ".join(f"<@{item}>" for item in range(1, 8))))
    assert "You named 7 people. Name at most 6." in refused
    assert not club.channel.history()


async def test_a_secret_request_falls_at_once_for_a_gm(club: Club, gm: simcord.MemberActor) -> None:
    people = f"<@{club.bo.id}> +5, <@{club.cleo.id}> -1"
    refused = await asked(club, club.ana, dice="1d20", request=people, blind=True)
    assert "GM" in said(refused)
    show(club, 12, 8)
    result = await asked(club, gm, dice="1d20", request=people, secret=True)
    assert result.response is not None
    assert "Bo 17" in str(result.response.embeds[0].title)
    assert "Cleo 7" in str(result.response.embeds[0].title)
    assert "secret roll" in (club.card.content or "")
    assert club.labels == ["Look"]


async def test_the_other_person_rolls_their_saves_on_the_same_card(club: Club) -> None:
    show(club, 3, 4, 2, 4, 6)
    await asked(club, club.ana, dice=f"3d6 hit 3+, wound 4+, save 5+ by <@{club.bo.id}>, damage 2")
    assert club.outcome == "Not rolled yet: Bo (2 dice)."
    assert club.labels == ["Bo: roll"]
    assert club.card.content == f"<@{club.bo.id}>"
    assert "This choice is for Bo" in said(await club.ana.click(club.card, label="Bo: roll"))
    show(club, 4, 5)
    await club.bo.click(club.card, label="Bo: roll")
    assert club.outcome == "Ana has 2 successes."
    assert "@1" not in str(club.embed.to_dict())
    assert club.labels == ["Roll again"]


async def test_a_roll_that_waits_for_somebody_is_not_secret(club: Club, gm: simcord.MemberActor) -> None:
    dice = f"3d6 hit 3+, wound 4+, save 5+ by <@{club.bo.id}>"
    assert "still waiting for people" in said(await asked(club, gm, dice=dice, secret=True))
    assert not club.channel.history()


async def test_a_blind_request_is_for_every_gm(club: Club, gm: simcord.MemberActor, admin: simcord.MemberActor) -> None:
    show(club, 12, 8)
    people = f"<@{club.bo.id}> +5, <@{club.cleo.id}> -1"
    await asked(club, gm, dice="1d20", request=people, blind=True)
    looked = await admin.click(club.card, label="Look")
    assert looked.response is not None
    assert "Bo 17" in str(looked.response.embeds[0].title)
    assert "Cleo 7" in str(looked.response.embeds[0].title)
    assert "17" not in said(await club.bo.click(club.card, label="Look"))
