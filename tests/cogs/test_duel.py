"""`/duel` as people type it: an attack with the choices of both sides, words that are not known, odds, and its form."""

from typing import Any

import pytest
import simcord

from bot.rules.duels import typed as typed_words
from bot.rules.duels.rows import DUELS
from bot.rules.game import Side
from tests.cogs.test_roll import response_of
from tests.conftest import Club, said
from tests.rules.test_own_duels import FILE

LINE = "2r 1b, surge to hit, aim 1, red saves, dodge 1"


def show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


async def typed(club: Club, command: str = "attack", **options: object) -> simcord.InteractionResult:
    return await club.ana.slash(club.channel, f"duel {command}", **options)


async def test_both_sides_roll_real_dice_and_type_them(club: Club) -> None:
    """With a reroll, in which nothing is left to chance, and a side that has its dice rolled after all."""
    await typed(club, game="legion", line=LINE, opponent=club.bo, camera="both")
    assert club.labels == ["Enter what your 3 dice show", "Roll the 3 dice for me"]
    await club.ana.submit_modal(await press(club, "Enter what your 3 dice show"), THREE)
    assert club.outcome == "Attack: 1 hit."
    assert said(await club.cleo.click(club.card, label="Aim (up to 2)"))
    form = await club.ana.click(club.card, label="Aim (up to 2)")
    assert "exactly 2 faces" in said(await club.ana.submit_modal(form, {"dice": ["1", "2"], "faces": "crit"}))
    form = await club.ana.click(club.card, label="Aim (up to 2)")
    await club.ana.submit_modal(form, {"dice": ["1", "2"], "faces": "hit crit"})
    await club.bo.click(club.card, label="Dodge")
    assert club.labels == ["Enter what your 2 dice show", "Roll the 2 dice for me"]
    assert said(await press(club, "Roll the 2 dice for me")), "they are not Ana's"
    show(club, 1, 6)
    await club.bo.click(club.card, label="Roll the 2 dice for me")
    assert club.outcome == "The unit suffers 1 wound."
    assert "Dice entered by Ana" in (club.embed.footer.text or "")
    told = await club.how()
    assert "entered by Ana: crit." in told


THREE = {"faces-1": "H", "faces-2": "-", "faces-3": "-"}


async def press(club: Club, label: str) -> simcord.InteractionResult:
    return await club.ana.click(club.card, label=label)


async def test_the_game_may_stand_in_the_line(club: Club) -> None:
    show(club, 1, 1, 1, 1, 6, 1, 1)
    await typed(club, line="kill team: 4 attacks hit 3+ normal 3 crit 4 save 4+")
    assert club.outcome == "The shots do nothing."


async def test_a_word_that_no_row_has_is_named_with_the_nearest(club: Club) -> None:
    refused = said(await typed(club, game="legion", line="3r red savs"))
    assert "`red`" in refused
    assert "Type the attack dice" in said(await typed(club, game="legion", line="red saves"))
    assert "Defense dice" in said(await typed(club, game="legion", line="3r"))
    assert "`game`" in said(await typed(club, line="3r red saves"))


async def test_odds_are_exact(club: Club) -> None:
    await typed(club, "odds", game="legion", line="2r 1b red saves")
    assert club.outcome == "1 wound on average; any at all: 71%."


# A server's own games


async def test_an_admin_imports_a_game_that_is_rolled_and_removed(club: Club, admin: simcord.MemberActor) -> None:
    await admin.slash(club.channel, "duel import", file=("skirmish.toml", FILE.encode()))
    assert club.outcome == "Skirmish is imported. Roll it with /duel attack game:skirmish."
    await typed(club, "import")
    assert club.outcome == "Games of this server's own: skirmish."
    show(club, 1, 1, 3)
    await typed(club, game="skirmish", line="3 dice dodge 1", opponent=club.bo)
    assert club.embed.author.name == "Skirmish · 3 dice, dodge 1"
    await admin.slash(club.channel, "duel import", remove="skirmish")
    assert "no game skirmish" in said(await admin.slash(club.channel, "duel import", remove="skirmish"))
    assert "`game`" in said(await typed(club, game="skirmish", line="3 dice"))


async def test_a_roll_goes_on_when_its_game_is_removed(club: Club, admin: simcord.MemberActor) -> None:
    await admin.slash(club.channel, "duel import", file=("skirmish.toml", FILE.encode()))
    show(club, 1, 1, 3)
    await typed(club, line="skirmish 3 dice dodge 1", opponent=club.bo)
    card = club.card
    await admin.slash(club.channel, "duel import", remove="skirmish")
    await club.bo.click(card, label="Dodge")
    assert club.sent["embeds"][0]["title"] == "1 wound."


async def test_only_an_admin_imports_and_a_wrong_file_is_refused(club: Club, admin: simcord.MemberActor) -> None:
    assert "Only an admin" in said(await typed(club, "import", file=("skirmish.toml", FILE.encode())))
    wrong = FILE.replace('cancel = ["H"]', 'cancel = ["Z"]').encode()
    refused = said(await admin.slash(club.channel, "duel import", file=("skirmish.toml", wrong)))
    assert refused == "skirmish.toml, line 25 (step 3): I expect faces of dice."
    ours = said(await admin.slash(club.channel, "duel import", file=("legion.toml", FILE.encode())))
    assert ours == "legion is a game of mine. Give your file another name."


# The fields of one game


@pytest.mark.parametrize("key", DUELS)
async def test_a_game_without_a_line_asks_with_its_own_fields(club: Club, key: str) -> None:
    duel = DUELS[key]
    shown = await typed(club, game=duel.key)
    line = duel.examples[0][0]
    given = typed_words.read(duel, line)
    values: dict[str, Any] = {"game": [key]}
    for side in Side:
        rows = [(row, number) for row, number in zip(duel.numbers, given, strict=True) if row.side is side]
        values[side.value] = ", ".join(
            row.write(number) for row, number in rows if not row.flag and not row.picks and number != row.usual
        )
        ticked = [row.write(number) for row, number in rows if (row.flag or row.picks) and number != row.usual]
        values |= {f"{side}_words": ticked} if ticked else {}
    show(club, *[1] * 200)
    result = await club.ana.submit_modal(shown, {name: value for name, value in values.items() if value})
    assert str(club.embed.author.name).startswith(f"{duel.title} · "), said(result)
    assert typed_words.read(duel, str(club.embed.author.name).partition(" · ")[2]) == given
    club.dice.waiting.clear()


async def test_a_refused_form_of_a_game_names_the_side_and_can_be_fixed(club: Club) -> None:
    shown = await typed(club, game="legion")
    refused = await club.ana.submit_modal(
        shown, {"game": ["legion"], "attacker": "2r aim 1", "defender": "dogde 1", "defender_words": ["red saves"]}
    )
    assert "I don't understand `dogde` in `Defender: dice and numbers`. Did you mean `dodge`?" in said(refused)
    again = await club.ana.click(response_of(refused), label="Fix it")
    show(club, 8, 8)
    await club.ana.submit_modal(
        again, {"game": ["legion"], "attacker": "2r", "defender": "dodge 1", "defender_words": ["red saves"]}
    )
    assert club.embed.author.name == "Legion · 2r, red saves, dodge 1"


async def test_a_channel_has_its_game_and_a_line_may_name_another(club: Club, admin: simcord.MemberActor) -> None:
    await admin.slash(club.channel, "ruleset set", setting="duels_game", value="legion")
    show(club, 8, 8)
    await typed(club, line="2r red saves")
    assert club.embed.author.name == "Legion · 2r, red saves"
    show(club, 1, 1, 1, 1, 6, 1, 1)
    await typed(club, line="kill team: 4 attacks hit 3+ normal 3 crit 4 save 4+")
    assert str(club.embed.author.name).startswith("Kill Team")
    shown = await typed(club)
    show(club, 8, 8)
    await club.ana.submit_modal(shown, {"game": ["legion"], "attacker": "2r", "defender_words": ["white saves"]})
    assert club.embed.author.name == "Legion · 2r, white saves"
    await admin.slash(club.channel, "ruleset set", setting="duels_game", value="legion", lock=True)
    assert "locked" in said(await typed(club, line="heroscape attack 3 defense 2"))


async def test_a_secret_duel_is_for_one_person(club: Club) -> None:
    show(club, 8, 8)
    await typed(club, game="legion", line="2r red saves", secret=True)
    assert "Ana made a secret roll" in (club.card.content or "")
    refused = said(await typed(club, game="legion", line="2r red saves dodge 1", secret=True))
    assert refused.startswith("Both sides choose in this roll.")
