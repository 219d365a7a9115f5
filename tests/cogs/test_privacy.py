"""`/privacy` in a whole Discord: one's own data only, forgotten without a trace, and nobody's roll broken."""

import asyncio
import json
import sqlite3
from contextlib import closing
from typing import Any

import discord
import pytest
import simcord

from bot.rules.xwing.cards.deck import DAMAGE_CARDS, DECKS
from bot.sessions import personal_data
from bot.store import people as rows
from bot.store.database import Database
from bot.store.errors import DatabaseBusyError
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot


async def duel(club: Club) -> None:
    """Ana attacks Bo, who has defended; Ana's focus is still to be used."""
    club.dice.red("focus hit")
    await club.attack(dice=2, with_="focus", opponent=club.bo)
    await club.defend(club.bo, "1", "evade")


async def evening(club: Club) -> None:
    """Both play, at the table as well; each has a preference."""
    await duel(club)
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, hull=4)
    await club.bo.slash(club.channel, "xwing ship add", name="Vader", attack=2, hull=3)
    await club.bo.slash(club.channel, "table undo")
    await club.ana.slash(club.channel, "prefer", setting="warsurge_method", value="chart")
    await club.bo.slash(club.channel, "prefer", setting="infinity_edition", value="n4")


def alone(result: simcord.InteractionResult) -> discord.Message:
    """The one message of an answer, which nobody else sees."""
    answers = [item for item in (result.response, *result.followups) if item is not None]
    assert len(answers) == 1
    assert answers[0].ephemeral
    return answers[0].message


async def exported(club: Club, by: simcord.MemberActor) -> dict[str, Any]:
    (attached,) = alone(await by.slash(club.channel, "privacy export")).attachments
    read: dict[str, Any] = json.loads(await attached.read())
    return read


async def forget(club: Club, by: simcord.MemberActor) -> None:
    asked = alone(await by.slash(club.channel, "privacy forget"))
    await by.click(asked, label="Forget me")


def cells(club: Club) -> dict[str, list[str]]:
    """Every value of every table as text, by ``table.column``."""
    result: dict[str, list[str]] = {}
    with closing(sqlite3.connect(club.file)) as file:
        for (table,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            cursor = file.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - the name is one of the file's own
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for name, value in zip(names, row, strict=True):
                    result.setdefault(f"{table}.{name}", []).append(str(value))
    return result


def naming(club: Club, text: str) -> list[str]:
    """The columns in which a text stands anywhere."""
    return [column for column, values in cells(club).items() if any(text in value for value in values)]


# Export


async def test_the_file_holds_what_is_kept_about_the_one_who_asks(club: Club) -> None:
    await evening(club)
    told = await exported(club, club.bo)
    assert told["person"] == str(club.bo.id)
    assert told["left_out"] == []
    assert told["preferences"] == [{"setting": "infinity_edition", "value": "n4"}]
    (defended,) = told["presses"]
    assert defended["game"] == "xwing"
    assert defended["server"] == str(club.guild.id)
    assert defended["channel"] == str(club.channel.id)
    assert defended["taken"] == "defend"
    assert defended["filled"] == {"agility": "1", "tokens": "evade", "camera": ""}
    assert [sides for sides, *_ in defended["draws"]] == [8, 8], "with the defender's word the attack dice fall"
    assert defended["at"].endswith("+00:00")
    undone, added = told["table_steps"]
    assert "Vader" in added["what"]
    assert added["by"] == "Bo"
    assert added["pieces"]["Vader"]["attack"] == 2
    assert undone["step"] == "undo"
    assert undone["pieces"] == {"Vader": None}
    assert told["seats"] == [{"roll": defended["roll"], "side": "defender", "name": "Bo", "since": 0}]
    assert told["rolls_opened"] == []


async def test_nobody_learns_from_their_file_which_damage_cards_lie_facedown(club: Club) -> None:
    await club.bo.slash(club.channel, "xwing ship add", name="Vader", player=club.ana, attack=2, hull=8, agility=0)
    await club.ana.slash(club.channel, "xwing damage", ship="Vader", hits=2)
    club.dice.damage.extend([7, 9])
    club.dice.red("hit hit")
    await club.attack(dice=2, defender="Vader")
    file = await exported(club, club.ana)
    text = json.dumps(file)
    assert [title for title in DAMAGE_CARDS if title in text] == []
    assert DECKS not in text
    (attacked,) = file["presses"]
    assert [sides for sides, *_ in attacked["draws"]] == [8, 8, 31, 30]
    assert [drawn for _, drawn, *_ in attacked["draws"]][2:] == [None, None], "a card is no die that was shown"
    (dealt,) = file["table_steps"]
    assert dealt["pieces"]["Vader"]["facedown"] == ["", ""]


async def test_the_file_has_the_words_and_plies_of_sealed_tables_but_no_draw_before_the_end(club: Club) -> None:
    await club.ana.slash(club.channel, "table seal", opponent=club.bo)
    for by in (club.ana, club.bo):
        shown = await by.click(club.card, label="Give a seed word")
        await by.submit_modal(shown, {"word": "luck"})
    await club.ana.click(club.card, label="Seal")
    await club.ana.slash(club.channel, "xwing roll", red=2)
    file = await exported(club, club.ana)
    assert [item["word"] for item in file["words"]] == ["luck"]
    (chained,) = file["sealed_tables"]
    assert (chained["place"], chained["offer"]) == (1, "open")
    assert "draws" not in chained
    assert (await exported(club, club.bo))["sealed_tables"] == []
    await club.ana.slash(club.channel, "table unseal")
    (chained,) = (await exported(club, club.ana))["sealed_tables"]
    assert len(chained["draws"]) == 2


async def test_who_opened_a_roll_is_told_what_they_declared(club: Club) -> None:
    await evening(club)
    told = await exported(club, club.ana)
    (opening,) = told["presses"]
    assert opening["taken"] == "open"
    assert opening["declared"]["attack"]["focus"] == 1
    assert [roll["game"] for roll in told["rolls_opened"]] == ["table", "xwing"], "the newest first"
    assert "filled" not in opening


async def test_nothing_of_others_is_in_the_file(club: Club) -> None:
    await evening(club)
    for mine, other in ((club.ana, club.bo), (club.bo, club.ana)):
        text = json.dumps(await exported(club, mine))
        assert str(other.id) not in text
        assert other.name.capitalize() not in text
    assert "Vader" not in json.dumps(await exported(club, club.ana))


async def test_a_stranger_gets_a_file_that_says_nothing(club: Club) -> None:
    await evening(club)
    told = await exported(club, club.cleo)
    assert all(told[name] == [] for name in personal_data.LISTS)
    assert set(told["lists"]) == set(personal_data.LISTS)


async def test_a_private_message_is_told_too_and_told_there(club: Club) -> None:
    await club.ana.user.send_dm("hello")
    club.dice.red("hit")
    await club.ana.user.slash("xwing attack", dice=1, agility=0)
    (attached,) = alone(await club.ana.user.slash("privacy export")).attachments
    told = json.loads(await attached.read())
    assert [(item["server"], item["channel"]) for item in told["presses"]] == [(None, str(club.ana.user.dm_channel.id))]


async def test_much_is_split_into_files_and_what_does_not_fit_is_named(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_data, "PAGE", 3)
    for _ in range(10):
        club.dice.red("hit")
        await club.attack(dice=1, agility=0)
    whole = await exported(club, club.ana)
    monkeypatch.setattr(personal_data, "MAX_FILE", personal_data.HEAD + 1200)
    monkeypatch.setattr(personal_data, "MAX_FILES", 12)
    answer = alone(await club.ana.slash(club.channel, "privacy export"))
    files = [json.loads(await attachment.read()) for attachment in answer.attachments]
    assert len(files) > 2
    for name in personal_data.LISTS:
        assert [entry for file in files for entry in file[name]] == whole[name]
    monkeypatch.setattr(personal_data, "MAX_FILE", personal_data.HEAD + 1200)
    monkeypatch.setattr(personal_data, "MAX_FILES", 2)
    answer = alone(await club.ana.slash(club.channel, "privacy export"))
    files = [json.loads(await attachment.read()) for attachment in answer.attachments]
    assert len(files) == 2
    held = [entry for file in files for entry in file["presses"]]
    assert held == whole["presses"][: len(held)], "the newest are there"
    assert files[0]["left_out"] == [
        "presses",
        "table_steps",
        "rolls_opened",
        "seats",
        "players",
        "words",
        "sealed_tables",
        "plans",
    ]
    lists = "presses, table_steps, rolls_opened, seats, players, words, sealed_tables, and plans"
    assert f"Older entries didn't fit: {lists}." in answer.content


async def test_a_slow_export_stays_private(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await evening(club)
    await slow(club, monkeypatch, rows.page)
    answer = await club.ana.slash(club.channel, "privacy export")
    assert not answer.acknowledged
    await club.env.advance_time(1.9)
    assert answer.deferred
    assert answer.ephemeral
    await club.env.advance_time(20)
    (attached,) = alone(answer).attachments
    assert json.loads(await attached.read())["presses"]
    assert str(club.ana.id) not in "".join(message.content for message in club.channel.history(viewer=club.bo))


async def slow(club: Club, monkeypatch: pytest.MonkeyPatch, step: object) -> None:
    """Make a step on the store take 2.5 seconds longer the first time, on simcord's clock."""
    swift, waits = Database.run, iter([2.5])

    async def late(self: Database, does: Any, *values: Any, **named: Any) -> Any:
        if does is step:
            await club.env.external_wait(asyncio.sleep(next(waits, 0)), reason="it is slow")
        return await swift(self, does, *values, **named)

    monkeypatch.setattr(Database, "run", late)


async def test_where_files_are_not_allowed_it_says_where_they_are(club: Club) -> None:
    denied = discord.PermissionOverwrite(attach_files=False)
    channel = club.guild.create_text_channel("quiet", overwrites={club.guild.default_role: denied})
    assert "direct message with me" in said(await club.ana.slash(channel, "privacy export"))


# Forgetting


async def test_it_asks_first_and_keeping_changes_nothing(club: Club) -> None:
    await evening(club)
    before = cells(club)
    asked = alone(await club.ana.slash(club.channel, "privacy forget"))
    assert "Should I forget you?" in asked.content
    styles = [(item.label, item.style) for row in asked.components for item in row.children]  # type: ignore[union-attr]  # rows hold buttons
    assert styles == [("Forget me", discord.ButtonStyle.danger), ("Keep my data", discord.ButtonStyle.secondary)]
    assert cells(club) == before
    answer = await club.ana.click(asked, label="Keep my data")
    assert answer.acknowledged
    assert cells(club) == before


async def test_who_is_forgotten_stands_nowhere_any_more(club: Club) -> None:
    await evening(club)
    assert naming(club, str(club.bo.id)) != []
    others = {column: values for column, values in cells(club).items() if column in ("ply.state", "ply.draws")}
    await forget(club, club.bo)
    assert naming(club, str(club.bo.id)) == []
    assert naming(club, "Bo") == []
    after = cells(club)
    assert {column: after[column] for column in others} == others, "rolls are as they were"
    assert str(club.ana.id) in after["ply.person_id"]
    assert after["ruleset.value"] == ['"chart"']
    assert sorted(after["seat.name"]) == ["Ana", "Someone"]
    told = await exported(club, club.bo)
    assert all(told[name] == [] for name in personal_data.LISTS)


async def test_who_brought_a_squad_is_told_so_and_forgotten(club: Club) -> None:
    await club.bo.slash(club.channel, "xwing squad", text='{"pilots": [{"id": "howlrunner"}]}')
    (player,) = (await exported(club, club.bo))["players"]
    assert (player["name"], player["channel"]) == ("Bo", str(club.channel.id))
    await forget(club, club.bo)
    assert naming(club, str(club.bo.id)) == naming(club, "Bo") == []
    assert cells(club)["piece.name"] == ["Howlrunner", "the match"], "the ship stays, for it is the table's too"


async def test_points_that_somebody_else_entered_do_not_name_who_is_forgotten(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing squad", text='{"pilots": [{"id": "academypilot"}]}')
    await club.bo.slash(club.channel, "xwing squad", text='{"pilots": [{"id": "howlrunner"}]}')
    await club.ana.slash(club.channel, "xwing score", points=2, player=club.bo)
    assert "Bo scores +2" in club.outcome
    await forget(club, club.bo)
    assert naming(club, "Bo") == []


async def test_who_saved_rolls_is_told_so_and_they_go(club: Club, gm: simcord.MemberActor) -> None:
    await club.bo.slash(club.channel, "saved add", name="Sneak", roll="2d6")
    await gm.slash(club.channel, "saved add", name="Trap", roll="1d6", whose="channel")
    await club.bo.slash(club.channel, "saved panel")
    panel = club.card
    assert (await exported(club, club.bo))["saved_rolls"] == [{"name": "Sneak", "roll": "/roll dice:2d6"}]
    told = await exported(club, club.bo)
    here = {"server": str(club.guild.id), "channel": str(club.channel.id), "message": str(panel.id)}
    assert told["panels"] == [here]
    assert (await exported(club, gm))["saved_rolls"] == [], "the channel's are nobody's"
    await forget(club, club.bo)
    assert naming(club, str(club.bo.id)) == naming(club, "Sneak") == []
    assert cells(club)["saved.name"] == ["Trap"]
    answer = (await club.bo.click(panel, label="Sneak")).response
    assert answer is not None
    assert "no longer saved" in answer.content


async def test_not_a_byte_is_left_in_the_file(club: Club) -> None:
    await evening(club)
    await forget(club, club.bo)
    log = club.file.with_name(f"{club.file.name}-wal")
    assert club.bo.id.to_bytes(8, "big") not in log.read_bytes() + club.file.read_bytes(), "while the bot runs"
    await club.env.bot.close()
    held = club.file.read_bytes()
    assert club.ana.id.to_bytes(8, "big") in held
    assert club.bo.id.to_bytes(8, "big") not in held
    assert b"infinity_edition" not in held
    assert b"warsurge_method" in held


async def test_it_says_how_much_it_was(club: Club) -> None:
    await evening(club)
    asked = alone(await club.bo.slash(club.channel, "privacy forget"))
    await club.bo.click(asked, label="Forget me")
    answer = club.channel.history(viewer=club.bo)[-1]
    assert answer.id == asked.id
    assert answer.content.startswith(
        "I've forgotten you: 1 preference, 1 seat, 3 presses, 0 rolls, 1 table, and 0 saved rolls."
    )
    assert answer.components == []


async def test_history_and_undo_live_with_somebody(club: Club, gm: simcord.MemberActor) -> None:
    await duel(club)
    await forget(club, club.bo)
    await club.cleo.slash(club.channel, "table history")
    assert "somebody X-Wing" in (club.embed.description or "")
    assert "<@0>" not in (club.embed.description or "")
    assert "Someone's" in said(await club.cleo.slash(club.channel, "table undo"))
    await gm.slash(club.channel, "table undo")
    assert "takes back what somebody did: Defend: enter your tokens, rolled 2 dice." in club.card.content


async def test_a_card_goes_on_without_who_is_forgotten(club: Club) -> None:
    await duel(club)
    await forget(club, club.bo)
    club.dice.green("focus")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert club.outcome == "Ana against Someone, defense: 1 focus."
    assert "Someone" in str(club.embed.to_dict())
    assert "Bo" not in str(club.embed.to_dict())
    for by in (club.ana, club.bo, club.cleo):
        assert "Nobody is playing the defender anymore" in said(await by.click(club.card, label="Done"))


async def test_nobody_presses_for_who_is_forgotten(club: Club) -> None:
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus", opponent=club.bo)
    card = club.card
    await forget(club, club.ana)
    for by in (club.ana, club.bo, club.cleo):
        assert "Nobody is playing the attacker anymore" in said(await by.click(card, label="Focus: 1 to hit"))


async def test_preferences_count_no_more_at_once(club: Club) -> None:
    await club.ana.slash(club.channel, "prefer", setting="infinity_edition", value="n4")
    assert "N4" in str(alone(await club.ana.slash(club.channel, "prefer")).embeds[0].to_dict())
    await forget(club, club.ana)
    assert "N4" not in str(alone(await club.ana.slash(club.channel, "prefer")).embeds[0].to_dict())


async def test_a_gm_gives_the_seat_away(club: Club, gm: simcord.MemberActor) -> None:
    await club.attack(dice=1, opponent=club.bo)
    await forget(club, club.bo)
    await gm.slash(club.channel, "table seat", side="defender", player=club.cleo)
    club.dice.red("hit")
    club.dice.green("blank")
    await club.defend(club.cleo, "1")
    assert club.outcome == "Ana hits Cleo: 1 hit."
    await forget(club, club.cleo)
    assert naming(club, str(club.cleo.id)) == []
    assert naming(club, "Cleo") == []


async def test_two_strangers_on_one_roll_can_both_be_forgotten(club: Club) -> None:
    await duel(club)
    await forget(club, club.ana)
    await forget(club, club.bo)
    assert set(cells(club)["seat.person_id"]) == {"0"}
    await club.cleo.slash(club.channel, "table history")
    assert "somebody" in (club.embed.description or "")


async def test_it_works_in_a_private_message(club: Club) -> None:
    await club.ana.user.send_dm("hello")
    club.dice.red("hit")
    await club.ana.user.slash("xwing attack", dice=1, agility=0)
    asked = alone(await club.ana.user.slash("privacy forget"))
    await club.ana.user.click(asked, label="Forget me")
    assert naming(club, str(club.ana.id)) == []


async def test_who_presses_is_who_is_forgotten_and_only_on_the_question(club: Club) -> None:
    await duel(club)
    before = cells(club)
    assert "I don't know this button" in said(await club.press(club.bo, "rc1:privacy:forget"))
    assert "I don't know this button" in said(await club.press(club.bo, "rc1:privacy:ana"))
    assert cells(club) == before
    assert club.labels, "the card that all see is untouched"


async def test_broken_off_in_the_middle_it_is_finished_by_asking_again(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await evening(club)
    monkeypatch.setattr(personal_data, "STEP", 1)
    whole, steps = personal_data.forget_presses, 0

    async def failing(*args: Any) -> int:
        nonlocal steps
        steps += 1
        if steps == 2:
            raise DatabaseBusyError("the disk is slow")
        return await whole(*args)

    monkeypatch.setattr(personal_data, "forget_presses", failing)
    asked = alone(await club.bo.slash(club.channel, "privacy forget"))
    assert "press `Forget me` again" in said(await club.bo.click(asked, label="Forget me"))
    assert "the disk is slow" in caplog.text
    half = naming(club, str(club.bo.id))
    assert sorted(half) == ["player.person_id", "ply.person_id"], "seats went first"
    await club.restart()
    await club.bo.click(asked, label="Forget me")
    assert naming(club, str(club.bo.id)) == []
    assert naming(club, "Bo") == []


async def test_a_slow_forgetting_is_answered_when_it_is_done(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await evening(club)
    asked = alone(await club.bo.slash(club.channel, "privacy forget"))
    await slow(club, monkeypatch, rows.forget)
    answer = await club.bo.click(asked, label="Forget me")
    await club.env.advance_time(1.9)
    assert answer.acknowledged
    await club.env.advance_time(20)
    assert naming(club, str(club.bo.id)) == []
    assert club.channel.history(viewer=club.bo)[-1].content.startswith("I've forgotten you")


async def test_the_log_says_nothing_of_whom(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    await evening(club)
    caplog.clear()
    await exported(club, club.bo)
    await forget(club, club.bo)
    assert str(club.bo.id) not in "".join(record.getMessage() for record in caplog.records if record.name[:3] == "bot")
