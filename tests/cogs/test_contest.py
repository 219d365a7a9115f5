"""`/contest` as people type it: both at once, with a form for the other side, between two others, against an NPC."""

import simcord

from tests.conftest import Club, said


def show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


async def typed(club: Club, who: simcord.MemberActor | None = None, /, **options: object) -> simcord.InteractionResult:
    return await (who or club.ana).slash(club.channel, "contest", **options)


async def answer(club: Club, by: simcord.MemberActor, label: str, **filled: str) -> simcord.InteractionResult:
    return await by.submit_modal(await by.click(club.card, label=label), filled)


async def test_both_dice_fall_at_once(club: Club) -> None:
    show(club, 12, 9)
    await typed(club, dice="1d20+5", opponent=club.bo, their_dice="1d20+3")
    assert club.outcome == "Ana beats Bo: 12 + 5 = 17 to 9 + 3 = 12."
    assert club.embed.author.name == "Contest · 1d20+5 against 1d20+3"
    assert "nobody wins ties" not in (club.embed.footer.text or ""), "How? says what is as usual"
    (picture,) = club.card.attachments
    assert picture.description == (
        "Ana wins: 1d20+5: 12 = 17. Bo: 1d20+3: 9 = 12. Ana beats Bo: 12 + 5 = 17 to 9 + 3 = 12."
    )


async def test_the_opponent_says_in_a_form_what_they_roll(club: Club) -> None:
    await typed(club, dice="1d20+5", opponent=club.bo)
    assert club.outcome == "Ana challenges Bo with 1d20+5."
    assert club.card.content == f"<@{club.bo.id}>", "an invitation is the only ping"
    assert "Bo" in said(await club.cleo.click(club.card, label="Answer"))
    whisper = said(await answer(club, club.bo, "Answer", dice="1d6e<7"))
    assert "every face would explode" in whisper
    show(club, 1, 20)
    await answer(club, club.bo, "Answer", dice="1d20+9", faces="")
    assert club.outcome == "Bo beats Ana: 20 + 9 = 29 to 1 + 5 = 6."
    assert "Ana challenged Bo" in (club.embed.footer.text or "")
    (picture,) = club.card.attachments
    assert (picture.description or "").startswith("Bo wins: 1d20+9: Critical 20 = 29. Ana:"), "the winner first"
    assert club.card.content == "", "nobody is called to a contest that is over"
    assert club.labels == ["Again"]


async def test_without_an_opponent_the_first_who_answers_is_it(club: Club) -> None:
    await typed(club, dice="2d6", by="lower", ties="again")
    show(club, 3, 3, 6)
    await answer(club, club.cleo, "Answer", dice="1d12", faces="")
    assert club.outcome == "Ana and Cleo tie: 6 each. Both roll again."
    show(club, 1, 1, 12)
    await club.ana.click(club.card, label="A tie: both roll again")
    assert club.outcome == "Ana beats Cleo: 1 + 1 = 2 to 12."


async def test_a_gm_opens_one_between_two_others(club: Club, gm: simcord.MemberActor) -> None:
    assert "Only a GM" in said(await typed(club, between=club.bo, opponent=club.cleo))
    await typed(club, gm, between=club.bo, opponent=club.cleo, by="successes")
    assert club.card.content == f"<@{club.bo.id}> <@{club.cleo.id}>"
    await answer(club, club.bo, "Enter your dice", dice="2d6>=5", faces="")
    assert club.outcome == "Bo challenges Cleo with 2d6>=5."
    show(club, 5, 6, 1)
    await answer(club, club.cleo, "Answer", dice="1d6>=5", faces="")
    assert club.outcome == "Bo beats Cleo: 2 successes to 0."


async def test_an_npc_has_a_name_and_dice(club: Club, gm: simcord.MemberActor) -> None:
    show(club, 3)
    await typed(club, gm, dice="1d20+2", name="Ork", their_dice="15", their_name="Door", ties="second")
    assert club.outcome == "Door beats Ork: 15 to 3 + 2 = 5."
    assert "Door wins ties" in (club.embed.footer.text or "")


async def test_odds_say_who_wins_how_often(club: Club) -> None:
    await typed(club, dice="1d20+5", their_dice="1d20+3", odds=True)
    assert club.outcome == "Chance to win: First (1d20+5) 57%, Second (1d20+3) 38%, nobody 5%."
    assert [field.name for field in club.embed.fields] == ["Averages"], "the tie stands above"
    await typed(club, dice="1d20+5", their_dice="1d20+3", ties="second", odds=True)
    assert [field.name for field in club.embed.fields] == ["A tie", "Averages"]
    assert "Give `dice` and `their_dice`" in said(await typed(club, dice="1d20", odds=True))
    assert "for Ork" in said(await typed(club, name="Ork"))


async def test_nobody_types_what_the_dice_of_somebody_else_show(club: Club, gm: simcord.MemberActor) -> None:
    both = {"dice": "1d20", "their_dice": "1d20"}
    refused = said(await typed(club, **both, opponent=club.bo, their_faces="1"))
    assert "The card names the people who rolled by hand, so type only what your own dice show" in refused, (
        "the card would say that Bo typed it"
    )
    assert "The card names the people who rolled by hand, so type only what your own dice show" in said(
        await typed(club, gm, **both, between=club.bo, opponent=club.cleo, faces="1")
    )
    assert not club.channel.history()
    show(club, 4)
    await typed(club, **both, opponent=club.bo, faces="9")
    assert club.outcome == "Ana beats Bo: 9 to 4."
    show(club, 3)
    await typed(club, dice="1d20", their_dice="1d20", their_name="Ork", their_faces="8")
    assert club.outcome == "Ork beats Ana: 8 to 3."


async def test_a_wrong_answer_can_be_fixed(club: Club) -> None:
    await typed(club, dice="1d20", opponent=club.bo)
    card = club.card
    refused = await club.bo.submit_modal(await club.bo.click(card, label="Answer"), {"dice": "1d20+ x", "faces": ""})
    assert "write the number that `x` stands for" in said(refused)
    assert refused.response is not None
    form = await club.bo.click(refused.response.message, label="Fix it")
    show(club, 7, 3)
    await club.bo.submit_modal(form, {"dice": "1d20", "faces": ""})
    assert club.outcome == "Ana beats Bo: 7 to 3."


async def test_two_readings_of_an_answer_are_buttons(club: Club) -> None:
    await typed(club, dice="1d20", opponent=club.bo)
    asked = await club.bo.submit_modal(await club.bo.click(club.card, label="Answer"), {"dice": "2d6 x 2", "faces": ""})
    assert labels_of(asked) == ["2 rolls: 2#2d6", "Times 2: 2d6*2", "Fix it"]
    assert asked.response is not None
    refused = await club.bo.click(asked.response.message, label="2 rolls: 2#2d6")
    assert "Use a single roll, not several" in said(refused), "what it says now is checked as if it had been typed"
    assert labels_of(refused) == ["Fix it"]
    show(club, 7, 3, 5)
    asked = await club.bo.submit_modal(await club.bo.click(club.card, label="Answer"), {"dice": "2d6 x 2", "faces": ""})
    assert asked.response is not None
    await club.bo.click(asked.response.message, label="Times 2: 2d6*2")
    assert club.outcome == "Bo beats Ana: (3 + 5) × 2 = 16 to 7."


async def test_the_nearest_answer_is_a_button(club: Club) -> None:
    await typed(club, dice="1d20", opponent=club.bo)
    form = await club.bo.click(club.card, label="Answer")
    sent = await club.bo.submit_modal(form, {"dice": "(2+3)d6", "faces": ""})
    assert labels_of(sent) == ["Roll 2d6+3d6", "Fix it"]
    assert sent.response is not None
    show(club, 3, 2, 2, 1, 1, 1)
    await club.bo.click(sent.response.message, label="Roll 2d6+3d6")
    assert club.outcome.startswith("Bo beats Ana: ")


def labels_of(result: simcord.InteractionResult) -> list[str]:
    """The labels of the buttons of an answer."""
    assert result.response is not None
    return [item["label"] for row in result.response.components for item in row["components"]]


async def test_a_seat_that_a_gm_frees_is_somebodys(club: Club, gm: simcord.MemberActor) -> None:
    await typed(club, gm, between=club.bo, opponent=club.cleo, ties="first")
    assert club.embed.description == "**Bo and Cleo: enter your dice. All dice are rolled at once.**"
    await gm.slash(club.channel, "table seat", side="attacker")
    assert club.outcome == "Someone challenges Cleo."
    assert (
        club.embed.description
        == "**Cleo: press Answer. Anyone else: press Enter your dice. All dice are rolled at once.**"
    )
    assert "the challenger wins ties" in (club.embed.footer.text or "")
    await gm.slash(club.channel, "table seat", side="defender")
    assert club.outcome == "Someone challenges anyone."
    assert club.embed.description == "**Anyone: enter your dice. All dice are rolled at once.**"


async def test_a_first_side_is_named_before_anybody(club: Club, gm: simcord.MemberActor) -> None:
    await typed(club, gm, between=club.bo, opponent=club.cleo)
    await gm.slash(club.channel, "table seat", side="defender")
    assert (
        club.embed.description
        == "**Bo: press Enter your dice. Anyone else: press Answer. All dice are rolled at once.**"
    )


async def test_a_bystander_is_told_which_button_joins(club: Club) -> None:
    await club.ana.slash(club.channel, "contest")
    assert said(await club.bo.click(club.card, label="Enter your dice")) == (
        "This choice is for Ana. To play yourself, press Answer."
    )
