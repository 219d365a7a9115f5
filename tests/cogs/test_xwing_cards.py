"""The cards of X-Wing attacks as people press them: what follows from a finished attack, dice on camera, Undo."""

import json
from typing import Any

import discord
import pytest
import pytest_asyncio
import simcord

from bot.fair.verify import verify
from bot.rules.xwing.table.ship import Ship
from bot.sessions.request import Place
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

RIGHTS = {"gunner": ["bossk", "airencracken-battleoverendor"]}
"""Give their ship the right to a bonus attack after it missed, and after it was hit."""
ANA = {
    "faction": "rebelalliance",
    "name": "Red",
    "pilots": [{"id": "lukeskywalker", "upgrades": RIGHTS}, {"id": "bluesquadronescort", "upgrades": RIGHTS}],
}
BO = {
    "faction": "galacticempire",
    "name": "Black",
    "pilots": [{"id": "maulermithel", "upgrades": RIGHTS}, {"id": "academypilot", "upgrades": RIGHTS}],
}
LUKE, MAULER = "Luke Skywalker", "Mauler Mithel"


@pytest_asyncio.fixture(loop_scope="module")
async def evening(club: Club) -> Club:
    """Ana (first player) has Luke (5) and an escort (2), Bo has Mauler Mithel (5) and an Academy Pilot (1)."""
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    for _ in range(3):
        await club.ana.slash(club.channel, "xwing phase")
    return club


async def ship(club: Club, name: str) -> Ship:
    bot: Any = club.env.bot
    table = await bot.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
    return table[name]  # type: ignore[no-any-return]  # a table holds bodies of any kind


async def attack(club: Club, by: simcord.MemberActor, attacker: str, defender: str, **more: Any) -> Any:
    return await by.slash(club.channel, "xwing attack", attacker=attacker, defender=defender, range=2, **more)


async def luke_hits_mauler(club: Club) -> discord.Message:
    """Luke has 3 attack dice, Mauler Mithel agility 3, hull 3."""
    club.dice.red("hit blank blank")
    club.dice.green("blank blank blank")
    await attack(club, club.ana, LUKE, MAULER)
    return club.card


async def press(club: Club, by: simcord.MemberActor, label: str) -> Any:
    return await by.click(club.card, label=label)


async def enter(club: Club, by: simcord.MemberActor, label: str, faces: str) -> Any:
    """Pick the face of each die, in a form with a field for each."""
    picked = {f"faces-{number}": face for number, face in enumerate(faces.split(), 1)}
    return await by.submit_modal(await press(club, by, label), picked)


# Attack again, after numbers


async def test_attack_again_rolls_the_same_numbers_on_a_card_of_its_own(club: Club) -> None:
    club.dice.red("hit hit")
    club.dice.green("evade")
    await club.attack(dice=2, agility=1)
    first = club.card
    assert club.labels == ["Attack again"]
    club.dice.red("crit blank")
    club.dice.green("blank")
    await press(club, club.ana, "Attack again")
    assert club.outcome == "Ana hits the defender: 1 crit."
    assert "Second roll with the same values" in (club.embed.description or "")
    assert club.card.id != first.id
    assert first.embeds[0].title == "Ana hits the defender: 1 hit.", "the first card stays"
    again = await club.press(club.ana, "rc1:1:0:again", on=first)
    assert "The card is up to date now" in said(again), "once for each card"


async def test_who_filled_in_the_defense_is_asked_again(club: Club) -> None:
    await club.attack(dice=2, with_="focus", opponent=club.bo)
    club.dice.red("hit hit")
    club.dice.green("evade")
    await club.defend(club.bo, "1", "hull 3")
    assert club.outcome == "Ana hits Bo: 1 hit. Hull 3 to 2."
    await press(club, club.ana, "Attack again")
    assert club.labels == ["Defend: enter your tokens", "I roll my attack dice on camera", "Withdraw the attack"]
    club.dice.red("hit hit")
    club.dice.green("evade evade")
    await club.defend(club.bo, "2")
    assert club.outcome == "Ana misses Bo."


async def test_who_defended_defends_again_what_is_nobodys(club: Club) -> None:
    await club.bo.slash(club.channel, "xwing remote", name="Mine", agility=1, hull=3)
    typed = {"dice": 2, "defender": "Mine", "against": "reroll 1 focus", "opponent": club.bo}
    club.dice.red("hit hit")
    club.dice.green("focus")
    await club.attack(**typed)
    await press(club, club.bo, "Done")
    club.dice.red("hit blank")
    club.dice.green("focus")
    await press(club, club.ana, "Attack again")
    assert club.card.content == f"<@{club.bo.id}>"
    assert "Bo" in said(await press(club, club.cleo, "Done")), "a bystander does not defend in Bo's place"
    await press(club, club.bo, "Done")
    assert club.outcome.startswith("Ana destroys Mine: 1 hit.")


# The Aftermath between ships


async def luke_misses_mauler(club: Club) -> discord.Message:
    """Then Bossk gives Luke the right to a bonus attack, for a stress token."""
    club.dice.red("blank blank blank")
    club.dice.green("blank blank blank")
    await attack(club, club.ana, LUKE, MAULER)
    return club.card


BOSSK = "Bossk: bonus attack by Luke Skywalker"
CRACKEN = "Airen Cracken: bonus attack by Mauler Mithel"
BY_HAND = "More"
"""Bonus attacks that no card gives are in this list."""


async def test_a_bonus_attack_is_a_right_with_its_limits(evening: Club) -> None:
    """The weapon and the target are those that the card says; it costs a stress token, once the dice fall."""
    await luke_misses_mauler(evening)
    assert evening.labels == [BOSSK, "No bonus attack", BY_HAND]
    assert "Ana" in said(await press(evening, evening.bo, BOSSK))
    shown = await press(evening, evening.ana, BOSSK)
    assert shown.modal is not None
    assert (await ship(evening, LUKE)).has("stress") == 0
    evening.dice.red("hit blank blank")
    evening.dice.green("blank blank blank")
    await evening.ana.submit_modal(shown, {"weapon": ["Primary"], "defender": [MAULER], "range": "2"})
    assert "bonus attack" in str(evening.embed.to_dict()["author"])
    luke = await ship(evening, LUKE)
    assert (luke.attacks, luke.bonus_attacks, luke.has_attacked, luke.has("stress")) == (2, 1, True, 1)


async def test_a_bonus_attack_that_no_card_gives_is_in_the_list(evening: Club) -> None:
    await luke_hits_mauler(evening)
    first = evening.card
    evening.dice.red("hit blank blank")
    evening.dice.green("blank blank blank")
    await by_hand(evening, evening.ana, "again")
    assert "bonus attack" in str(evening.embed.to_dict()["author"])
    assert "range 2" in str(evening.embed.to_dict()["author"]), "from where they stand"
    assert evening.card.id != first.id


async def by_hand(club: Club, by: simcord.MemberActor, offer: str) -> Any:
    """Take something from the list of what is seldom done."""
    return await club.press(by, club.custom_id("more"), [offer])


async def test_the_history_tells_an_attack_once_and_then_what_its_players_decide(evening: Club) -> None:
    await luke_misses_mauler(evening)
    evening.dice.red("blank blank blank")
    evening.dice.green("blank blank blank")
    await by_hand(evening, evening.ana, "again")
    await evening.ana.slash(evening.channel, "table history")
    lines = (evening.embed.description or "").splitlines()
    told = ["X-Wing" + line.partition("X-Wing")[2].partition(" [")[0] for line in lines if "X-Wing" in line]
    assert told == [
        "X-Wing: Luke Skywalker misses Mauler Mithel.",
        "X-Wing, Luke Skywalker and Mauler Mithel: makes a bonus attack",
        "X-Wing: Luke Skywalker misses Mauler Mithel.",
    ]


async def test_the_bonus_attack_of_a_card_that_was_left_lying_is_refused_in_a_sentence(evening: Club) -> None:
    card = await luke_hits_mauler(evening)
    bonus = evening.custom_id("bonus-0")
    await evening.ana.slash(evening.channel, "xwing phase")
    late = said(await evening.press(evening.bo, bonus, on=card))
    assert late == ("The Engagement Phase is over, so this bonus attack can't be made. The board shows what's next.")
    await evening.bo.slash(evening.channel, "xwing ship remove", name=MAULER)
    gone = said(await evening.press(evening.bo, bonus, on=card))
    assert gone == "Mauler Mithel has left the table, so this bonus attack can't be made."


async def test_the_card_moves_on_once_the_bonus_attack_is_made(evening: Club) -> None:
    first = await luke_hits_mauler(evening)
    shown, twice = [await press(evening, evening.bo, CRACKEN) for _ in range(2)]
    evening.dice.red("blank")
    evening.dice.green("blank blank")
    form = {"weapon": ["Primary"], "defender": [LUKE], "range": "2"}
    await evening.bo.submit_modal(shown, form)
    now = next(message for message in evening.channel.history() if message.id == first.id)
    buttons = [getattr(item, "label", "") for row in now.components for item in getattr(row, "children", ())]
    assert CRACKEN not in buttons
    assert "The card is up to date now" in said(await evening.bo.submit_modal(twice, form)), (
        "a second form makes no second attack"
    )
    assert (await ship(evening, MAULER)).attacks == 1


async def test_a_bonus_attack_by_command(evening: Club) -> None:
    evening.dice.red("blank blank")
    evening.dice.green("blank blank")
    await attack(evening, evening.bo, MAULER, LUKE, bonus=True)
    assert not (await ship(evening, MAULER)).engaged
    assert "has already made its bonus attack this round" in said(
        await attack(evening, evening.bo, MAULER, LUKE, bonus=True)
    )
    assert "only ships make bonus attacks" in said(await evening.attack(dice=2, agility=1, bonus=True))


async def test_at_a_sealed_table_the_bonus_attack_is_in_the_chain(evening: Club) -> None:
    """Both plies of it: the old card that goes on, and the attack that follows.

    Luke has no force left, so nobody can change a die, however they fall, and no window stays open.
    """
    for _ in range(2):
        await evening.ana.slash(evening.channel, "xwing token take", ship=LUKE, token="force")
    await evening.ana.slash(evening.channel, "table seal", opponent=evening.bo)
    for player, word in ((evening.ana, "otter"), (evening.bo, "heron")):
        await player.submit_modal(await player.click(evening.card, label="Give a seed word"), {"word": word})
    await evening.ana.click(evening.card, label="Seal")
    await attack(evening, evening.ana, LUKE, MAULER)
    assert "Sealed table: ply 1" in str(evening.embed.to_dict())
    await by_hand(evening, evening.ana, "again")
    assert "Sealed table: ply 3" in str(evening.embed.to_dict())
    await evening.ana.slash(evening.channel, "table unseal")
    file = next(attachment for attachment in evening.card.attachments if attachment.filename.endswith(".json"))
    verdict = verify(await file.read())
    assert verdict.fits, verdict.sentence


# Dice on camera


async def test_the_attacker_types_and_the_defender_presses(club: Club) -> None:
    await club.attack(dice=3, agility=2, against="evade", opponent=club.bo, camera="attacker")
    assert club.outcome == "Ana attacks Bo with 3 attack dice."
    assert club.labels == ["Enter what your 3 dice show", "Roll the 3 dice for me", "Withdraw the attack"]
    assert "roll 3 red dice on camera" in (club.embed.description or "")
    assert said(await press(club, club.bo, "Enter what your 3 dice show")), "they are not Bo's"
    club.dice.green("focus blank")
    await enter(club, club.ana, "Enter what your 3 dice show", "hit hit crit")
    assert club.outcome == "Ana against Bo, defense: 1 focus."
    await press(club, club.bo, "Evade: 1 blank to evade")
    assert club.outcome == "Ana hits Bo: 1 hit and 1 crit."
    assert "Dice entered by Ana" in (club.embed.footer.text or "")


async def test_more_dice_than_a_form_has_fields_are_typed(club: Club) -> None:
    await club.attack(dice=6, agility=0, with_="lock", opponent=club.bo, camera="attacker")

    async def typed(faces: str) -> Any:
        return await club.ana.submit_modal(await press(club, club.ana, "Enter what your 6 dice show"), {"faces": faces})

    assert "exactly 6 faces" in said(await typed("hit hit"))
    assert "A red die shows" in said(await typed("hit evade 4 hit"))
    await typed("2 hits, c, 3 blanks")
    shown = await press(club, club.ana, "Lock: reroll")
    await club.ana.submit_modal(shown, {"dice": ["3", "5"], "faces": "hit blank"})
    assert club.outcome == "Ana hits Bo: 3 hits and 1 crit."


async def test_a_reroll_on_camera_says_which_dice_show_something_else(club: Club) -> None:
    await club.attack(dice=3, agility=0, with_="reroll 1 blank", opponent=club.bo, camera="attacker")
    await enter(club, club.ana, "Enter what your 3 dice show", "blank hit blank")
    label = "Card: reroll 1 die"
    shown = await press(club, club.ana, label)
    assert shown.modal is not None
    assert [line["label"] for line in shown.modal["components"]] == ["Die 1: blank", "Die 3: blank"]
    assert "Use 1." in said(await club.ana.submit_modal(shown, {}))
    both = {"die-0": "hit", "die-2": "hit"}
    assert "Use 1." in said(await club.ana.submit_modal(await press(club, club.ana, label), both))
    await club.ana.submit_modal(await press(club, club.ana, label), {"die-2": "crit"})
    assert club.outcome == "Ana hits Bo: 1 hit and 1 crit."


async def test_the_attacker_presses_and_the_defender_types(club: Club) -> None:
    """Chosen in the form; a reroll on camera is typed too."""
    await club.attack(dice=2, with_="lock", opponent=club.bo)
    shown = await press(club, club.bo, "Defend: enter your tokens")
    club.dice.red("hit hit")
    await club.bo.submit_modal(shown, {"agility": "2", "tokens": "reroll 1 blank", "camera": ["camera"]})
    await press(club, club.ana, "Done")
    assert club.labels == ["Enter what your 2 dice show", "Roll the 2 dice for me"]
    await enter(club, club.bo, "Enter what your 2 dice show", "evade blank")
    shown = await press(club, club.bo, "Card: reroll 1 die")
    await club.bo.submit_modal(shown, {"die-1": "evade"})
    assert club.outcome == "Ana misses Bo."
    footer = club.embed.footer.text or ""
    told = await club.how()
    assert "Defense dice entered: evade, blank" in told
    assert "Defender's card rerolls: blank → evade" in told
    assert "Dice entered by Bo" in footer


async def test_the_defender_chooses_the_camera_when_it_is_their_turn(club: Club) -> None:
    club.dice.red("crit")
    await club.attack(dice=1, agility=1, against="change 1 crit to hit", opponent=club.bo)
    assert club.labels == ["Card: 1 crit to hit", "I roll my defense dice on camera", "Done"]
    await press(club, club.bo, "I roll my defense dice on camera")
    await press(club, club.bo, "Done")
    await enter(club, club.bo, "Enter what your die shows", "evade")
    assert club.outcome == "Ana misses Bo."


async def test_the_bot_rolls_after_all(club: Club) -> None:
    await club.attack(dice=1, agility=1, opponent=club.bo, camera="both")
    club.dice.red("hit")
    await press(club, club.ana, "Roll the die for me")
    club.dice.green("blank")
    await press(club, club.bo, "Roll the die for me")
    assert club.outcome == "Ana hits Bo: 1 hit."
    assert "entered" not in (club.embed.footer.text or "")


async def test_ships_roll_on_camera_too_and_pay_when_the_dice_lie(evening: Club) -> None:
    await attack(evening, evening.ana, LUKE, MAULER, camera="both")
    assert (await ship(evening, LUKE)).attacks == 0
    await enter(evening, evening.ana, "Enter what your 3 dice show", "hit hit blank")
    assert (await ship(evening, LUKE)).attacks == 1
    await enter(evening, evening.bo, "Enter what your 3 dice show", "evade blank blank")
    assert evening.outcome.startswith("Luke Skywalker hits Mauler Mithel: 1 hit.")
    assert "Dice entered by Ana and Bo" in (evening.embed.footer.text or "")


async def test_a_sealed_table_marks_typed_dice(club: Club) -> None:
    await club.ana.slash(club.channel, "table seal", opponent=club.bo)
    for player, word in ((club.ana, "otter"), (club.bo, "heron")):
        await player.submit_modal(await player.click(club.card, label="Give a seed word"), {"word": word})
    await club.ana.click(club.card, label="Seal")
    await club.attack(dice=2, agility=1, opponent=club.bo, camera="attacker")
    await enter(club, club.ana, "Enter what your 2 dice show", "hit hit")
    assert "Dice entered by Ana" in (club.embed.footer.text or "")
    await club.ana.slash(club.channel, "table unseal")
    file = next(attachment for attachment in club.card.attachments if attachment.filename.endswith(".json"))
    assert '"typed":["hit","hit"]' in (await file.read()).decode().replace(" ", "")


# Undo


async def test_undo_on_the_card_takes_back_ones_own_quiet_press(club: Club) -> None:
    club.dice.red("focus focus")
    await club.attack(dice=2, agility=0, with_="calculate 2", opponent=club.bo)
    await press(club, club.ana, "Calculate: 1 focus to hit (2 left)")
    card = club.card
    await press(club, club.ana, "Undo")
    assert club.card.id == card.id, "the card itself goes back"
    assert club.outcome == "Ana against Bo: 2 focus results."
    assert "takes back: Calculate" in club.card.content


async def test_undo_on_the_card_asks_where_dice_fell_and_refuses_a_stranger(club: Club) -> None:
    club.dice.red("hit")
    club.dice.green("blank")
    await club.attack(dice=1, agility=1, opponent=club.bo)
    assert said(await press(club, club.cleo, "Undo"))
    await press(club, club.ana, "Undo")
    assert "asks to take back: the X-Wing roll" in club.card.content
    await press(club, club.bo, "Allow")
    assert "taken back" in club.outcome


async def test_undo_on_an_old_card_says_that_something_has_happened_since(club: Club) -> None:
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    old = club.card
    await club.ana.slash(club.channel, "xwing ship add", name="Wedge", attack=3, agility=2, hull=4)
    assert "/table undo" in said(await club.ana.click(old, label="Undo"))


# Locks


async def test_once_all_ships_have_engaged_an_attack_offers_the_end_of_the_round_first(evening: Club) -> None:
    """A bonus attack stays possible, but is not what the blue button does."""
    await luke_hits_mauler(evening)
    for owner, name in ((evening.bo, MAULER), (evening.ana, "Blue Squadron Escort"), (evening.bo, "Academy Pilot")):
        await owner.slash(evening.channel, "xwing engage", ship=name, anyway=True)
    asked = await attack(evening, evening.ana, LUKE, MAULER)
    already = f"{LUKE} has already attacked this round. Does a card grant a bonus attack?"
    assert said(asked) == f"All ships have engaged. {already}"
    (whisper,) = [item for item in (asked.response, *asked.followups) if item is not None]
    buttons = [(item.label, item.style.name) for row in whisper.message.components for item in row.children]
    others = [("Make the bonus attack", "secondary"), ("Cancel", "secondary")]
    assert buttons == [("End the round", "primary"), *others]
    await evening.ana.click(whisper.message, label="End the round")
    assert (await ship(evening, LUKE)).has_attacked is False
    again = await evening.ana.click(whisper.message, label="End the round")
    assert said(again).startswith("That isn't possible now."), "an old answer does not end the next round"


async def test_a_second_attack_of_a_ship_asks_before_it_becomes_a_bonus_attack(evening: Club) -> None:
    """Only its player is asked; the button makes it one, as it was declared."""
    evening.dice.red("blank blank blank")
    evening.dice.green("blank blank blank")
    await attack(evening, evening.ana, LUKE, MAULER)
    assert "belongs to Ana" in said(await attack(evening, evening.bo, LUKE, MAULER))
    asked = await attack(evening, evening.ana, LUKE, MAULER)
    assert said(asked) == f"{LUKE} has already attacked this round. Does a card grant a bonus attack?"
    (whisper,) = [item for item in (asked.response, *asked.followups) if item is not None]
    evening.dice.red("blank blank blank")
    evening.dice.green("blank blank blank")
    await evening.ana.click(whisper.message, label="Make the bonus attack")
    assert "bonus attack" in str(evening.embed.author.name)
    assert (await ship(evening, LUKE)).bonus_attacks == 1


# What a friendly ship pays


DROIDS = {
    "faction": "separatistalliance",
    "name": "Droids",
    "pilots": [{"id": "tradefederationdrone"}, {"id": "separatistdrone"}],
}
DRONE, FRIEND = "Trade Federation Drone", "Separatist Drone"


async def test_what_a_friend_has_paid_comes_back_with_undo(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(DROIDS), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    await club.ana.slash(club.channel, "xwing token give", ship=FRIEND, token="calculate")
    await club.ana.slash(club.channel, "xwing token give", ship=DRONE, token="focus")  # so its window stays open
    club.dice.red("focus focus")
    await attack(club, club.ana, DRONE, MAULER, anyway=True)
    listed = club.custom_id("cards")
    (line,) = [
        item for row in club.card.components for item in getattr(row, "children", ()) if item.custom_id == listed
    ]
    (option,) = line.options
    assert option.label == "Networked Calculations: 1 focus to hit"
    assert option.description == f"the ship that pays is at range 0-1; for 1 calculate of {FRIEND}"
    await club.press(club.ana, listed, [option.value])
    assert (await ship(club, FRIEND)).has("calculate") == 0
    await press(club, club.ana, "Undo")
    assert (await ship(club, FRIEND)).has("calculate") == 1
    assert club.outcome == f"{DRONE} against {MAULER}: 2 focus results."


# Cards that people type


async def test_the_defender_types_a_card_into_an_attack_of_numbers(club: Club) -> None:
    club.dice.red("hit hit")
    await club.attack(dice=2, agility=1, with_="lock", opponent=club.bo)
    items = (item for row in club.card.components for item in getattr(row, "children", ()))
    (more,) = (item.custom_id for item in items if item.custom_id.endswith(":more"))
    shown = await club.bo.select(club.card, ["another"], custom_id=more)
    await club.bo.submit_modal(shown, {"words": "cancel 1 hit before neutralize", "dice": "red", "card": "House rule"})
    club.dice.green("blank")
    await press(club, club.ana, "Done")
    await press(club, club.bo, "House rule: cancel 1 hit")
    assert club.outcome == "Ana hits Bo: 1 hit."


# Numbers that people know


async def test_a_press_opens_the_numbers_and_the_dice_at_once(club: Club) -> None:
    """Horton Salm and two friends: one press, one form; too many dice keep what was picked."""
    wing = {"faction": "rebelalliance", "pilots": [{"id": "hortonsalm"}, *[{"id": "bluesquadronescort"}] * 2]}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(wing), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    for _ in range(3):
        await club.ana.slash(club.channel, "xwing phase")
    club.dice.red("blank blank")
    await attack(club, club.ana, "Horton Salm", MAULER, anyway=True)
    question = "how many other friendly ships at range 0-1 of the defender"
    form = await press(club, club.ana, f"Horton Salm: {question}")
    assert form.modal is not None
    number = form.modal["components"][0]
    assert (number["label"], number["description"]) == ("How many?", question)
    refused = await club.ana.submit_modal(form, {"how-many": "1", "dice": ["0", "1"]})
    assert "`Dice to reroll` was 2 dice. Use 1." in said(refused)
    form = await press(club, club.ana, f"Horton Salm: {question}")
    club.dice.red("hit")
    club.dice.green("blank blank blank")
    await club.ana.submit_modal(form, {"how-many": "1", "dice": ["0"]})
    assert club.outcome.startswith("Horton Salm hits Mauler Mithel: 1 hit. Hull 3 to 2.")
