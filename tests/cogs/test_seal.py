"""`/table seal` and `/table unseal` in a whole Discord: words, the seal, cards with their place, the transcript."""

import asyncio
import re
import sqlite3
import time
from contextlib import closing
from typing import Any

import pytest
import simcord

from bot import package_info
from bot.fair.protocol import commitment, hash_of, hidden_commitment
from bot.sessions.request import Person, Place, Request
from bot.ui.core.responses import Answer
from bot.ui.table import sealing
from tests.conftest import Club, said, whispered
from tests.fair.checkers import DOCS, by_the_bot, by_the_script, read

pytestmark = pytest.mark.one_bot


async def table(club: Club, command: str, by: simcord.MemberActor | None = None, **options: Any) -> Any:
    return await (by or club.ana).slash(club.channel, f"table {command}", **options)


async def word(club: Club, by: simcord.MemberActor, text: str) -> Any:
    shown = await by.click(club.card, label="Give a seed word")
    return await by.submit_modal(shown, {"word": text})


async def sealed(club: Club) -> None:
    await table(club, "seal", opponent=club.bo)
    await word(club, club.ana, "luck")
    await word(club, club.bo, "dice")
    await club.bo.click(club.card, label="Seal")


async def test_nobody_seals_a_table_against_themselves(club: Club) -> None:
    refused = await club.ana.slash(club.channel, "table seal", opponent=club.ana)
    assert said(refused) == "You give a seed word anyway. Name the other player as `opponent`, or leave it out."


async def test_both_give_a_word_and_the_message_with_them_is_the_seal(club: Club) -> None:
    await table(club, "seal", opponent=club.bo)
    committed, asked = club.channel.history(viewer=club.ana)[-2:]
    assert "I still need a seed word from" in asked.content
    assert str(club.bo.id) in asked.content
    await word(club, club.ana, "luck *and* care")
    assert "Ana: luck \\*and\\* care" in club.card.content
    refused = await club.ana.click(club.card, label="Seal")
    assert ("I still need a seed word; the message above says from whom. Wait for it, then press Seal again") in said(
        refused
    )
    refused = await club.cleo.click(club.card, label="Seal")
    assert said(refused) == "Only someone who has given a seed word can seal the table. Press Give a seed word first."
    await word(club, club.bo, "dice")
    await club.bo.click(club.card, label="Seal")
    shown = club.card
    assert shown.id != asked.id
    assert "**This table is sealed.**" in shown.content
    with closing(sqlite3.connect(club.file)) as connection:
        *keys, header = connection.execute("SELECT key, hidden_key, header FROM seal").fetchone()
    key, hidden_key = map(bytes.fromhex, keys)
    assert f'"commit_message":"{committed.id}"' in header
    assert f'"seal":"{shown.id}"' in header
    assert commitment(key, hidden_commitment(hidden_key)) in shown.content
    assert commitment(key, hidden_commitment(hidden_key)) in committed.content
    for message in (committed, shown):
        assert "Forward this message to yourself now: nobody can change that copy." in message.content
        assert "eal 1 in this channel" in message.content
        now = next(item for item in club.channel.history(viewer=club.ana) if item.id == message.id)
        assert (now.content, now.edited_at) == (message.content, None), "neither is ever edited"
    old = next(item for item in club.channel.history(viewer=club.ana) if item.id == asked.id)
    assert old.components == [], "its buttons are gone"


async def test_a_word_is_given_as_its_hash_first_and_opened_when_all_have_spoken(club: Club) -> None:
    """So nobody who works with the operator can choose the last word knowing all others."""
    await table(club, "seal", opponent=club.bo)
    await word(club, club.ana, hash_of("otters"))
    assert f"Ana: the word with the hash `{hash_of('otters')}`" in club.card.content
    assert "I have your hash. Keep the word to yourself, and give it once everyone has given theirs" in said(
        await word(club, club.ana, "otters")
    )
    await word(club, club.bo, "dice")
    assert "Everyone has given a seed word" in club.card.content
    refused = await club.bo.click(club.card, label="Seal")
    assert "I still need the seed words for the hashes that were given" in said(refused)
    assert "This word doesn't match the hash you gave" in said(await word(club, club.ana, "badgers"))
    await word(club, club.ana, "otters")
    assert f"Ana: otters (`{hash_of('otters')}`)" in club.card.content
    for late in ("other dice", hash_of("other dice")):
        assert "nobody can give or change a word now" in said(await word(club, club.bo, late))
    await club.bo.click(club.card, label="Seal")
    assert "**This table is sealed.**" in club.card.content


async def test_a_seal_that_is_begun_again_has_the_next_number(club: Club) -> None:
    await table(club, "seal", opponent=club.bo)
    await table(club, "seal", opponent=club.bo)
    await sealed(club)
    assert "It is seal 3 in this channel." in club.card.content
    await table(club, "unseal")
    here, ana = Place(club.channel.id, club.guild.id), Person(club.ana.id, "Ana")
    ended = await club.env.bot.seals.unseal(Request(ana, here, is_gm=True))  # type: ignore[attr-defined]  # it is our App
    assert (read(ended.file).header.number, read(ended.file).header.earlier) == (3, 2)
    await sealed(club)
    await table(club, "unseal")
    ended = await club.env.bot.seals.unseal(Request(ana, here, is_gm=True))  # type: ignore[attr-defined]  # it is our App
    assert (read(ended.file).header.number, read(ended.file).header.earlier) == (4, 0)


async def test_a_whole_game_is_sealed_played_and_checked(club: Club) -> None:
    await sealed(club)
    await club.ana.slash(club.channel, "xwing roll", red=3)
    (place, digits) = re.findall(r"Sealed table: ply (\d+), ([0-9a-f]{8})", club.embed.footer.text or "")[0]
    assert place == "1"
    await table(club, "show")
    assert club.embed.footer.text == f"Sealed table: ply 1, {digits}"
    await table(club, "unseal")
    assert "Ana unseals this table. The transcript has 1 ply." in club.card.content
    here, ana = Place(club.channel.id, club.guild.id), Person(club.ana.id, "Ana")
    ended = await club.env.bot.seals.unseal(Request(ana, here, is_gm=True))  # type: ignore[attr-defined]  # it is our App
    assert by_the_bot(ended.file) == by_the_script(ended.file) == ""
    assert read(ended.file).hashes[1].startswith(digits)
    shown, page = club.card.attachments
    assert (shown.filename, page.filename) == (ended.file_name, "verify.html")
    assert await page.read() == (DOCS / "verify.html").read_bytes()
    assert (
        "To verify every die, save both files, open `verify.html` in a browser, and drop the transcript on it"
    ) in club.card.content
    counts = await club.env.bot.seals.counts()  # type: ignore[attr-defined]  # it is our App
    assert (counts["sealed"], counts["revealed"]) == (1, 1)
    club.dice.red("hit")
    await club.ana.slash(club.channel, "xwing roll", red=1)
    assert "Sealed" not in (club.embed.footer.text or "")


async def test_how_says_where_a_roll_stands_and_how_it_is_checked(club: Club) -> None:
    await sealed(club)
    await club.ana.slash(club.channel, "xwing roll", red=3)
    card = club.card
    (place, digits) = re.findall(r"ply (\d+), ([0-9a-f]{8})", club.embed.footer.text or "")[0]

    async def checked() -> str:
        shown = whispered(await club.bo.click(card, label="How?")).embeds[0]
        return next(field.value or "" for field in shown.fields if field.name == "Verify this roll")

    assert (await checked()).startswith(f"Ply {place} of this sealed table, {digits}. Once it's unsealed,")
    await table(club, "unseal")
    told = await checked()
    assert told.startswith(f"Ply {place} of a sealed table, {digits}.")
    assert f"open verify.html#ply-{place} in a browser, and drop the transcript on it" in told


async def test_it_survives_a_restart_between_all_steps(club: Club) -> None:
    await table(club, "seal", opponent=club.bo)
    await club.restart()
    await word(club, club.ana, "luck")
    await club.restart()
    await word(club, club.bo, "dice")
    await club.restart()
    await club.bo.click(club.card, label="Seal")
    await club.restart()
    await club.ana.slash(club.channel, "xwing roll", red=3)
    assert "ply 1," in (club.embed.footer.text or "")
    await club.restart()
    await club.ana.slash(club.channel, "xwing roll", red=3)
    assert "ply 2," in (club.embed.footer.text or "")
    await club.restart()
    await table(club, "unseal")
    assert "The transcript has 2 plies." in club.card.content


async def test_the_transcript_comes_with_a_link_that_says_what_is_checked(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = package_info.PackageInfo("1", "MIT", "https://example.org/code/")
    monkeypatch.setattr(package_info, "read", lambda: known)
    await sealed(club)
    await table(club, "unseal")
    address = "https://example.org/code/blob/HEAD/docs/fairness.md"
    assert f"[What is verified, and why](<{address}>)" in club.card.content


async def test_a_bystander_gives_no_word_and_seals_nothing(club: Club) -> None:
    await table(club, "seal", opponent=club.bo)
    refused = await club.cleo.click(club.card, label="Give a seed word")
    assert "This seal is for two players" in said(refused), "before anybody types a word"
    refused = await table(club, "seal", by=club.cleo)
    assert "Someone has already asked to seal this table" in said(refused)


async def test_a_table_is_unsealed_by_itself(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await sealed(club)
    await club.ana.slash(club.channel, "xwing roll", red=3)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 24 * 3600 + 60)
    await sealing.reveal_idle(club.env.bot, lambda _: True)  # type: ignore[arg-type]  # it is our App
    assert "This sealed table has ended. The transcript has 1 ply." in club.card.content
    assert len(club.card.attachments) == 2
    before = club.card.id
    await sealing.reveal_idle(club.env.bot, lambda _: True)  # type: ignore[arg-type]  # it is our App
    assert club.card.id == before, "once"


async def test_a_transcript_that_cannot_be_posted_is_there_on_demand(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await sealed(club)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 24 * 3600 + 60)
    club.env.inject_error("POST", "/channels/*/messages")
    await sealing.reveal_idle(club.env.bot, lambda _: True)  # type: ignore[arg-type]  # it is our App
    assert "a transcript could not be posted" in caplog.text
    await table(club, "unseal", by=club.cleo)
    assert "Here is the transcript of the last sealed table again." in club.card.content
    counts = await club.env.bot.seals.counts()  # type: ignore[attr-defined]  # it is our App
    assert counts["lost"] == 0


async def test_a_league_rolls_at_sealed_tables_only(club: Club, gm: simcord.MemberActor) -> None:
    await gm.slash(club.channel, "ruleset set", setting="sealed", value="on")
    refused = await club.ana.slash(club.channel, "xwing roll", red=1)
    assert "I roll only at sealed tables" in said(refused)
    await sealed(club)
    await club.ana.slash(club.channel, "xwing roll", red=1)
    assert "Sealed table: ply 1" in (club.embed.footer.text or "")


async def test_without_a_seal_there_is_nothing_to_end(club: Club) -> None:
    assert "This table isn't sealed" in said(await table(club, "unseal"))
    await table(club, "seal")
    await table(club, "unseal")
    assert club.card.content == "Ana leaves this table unsealed. Dice are rolled as before."


async def test_an_out_of_date_button_says_so_before_anybody_types_a_word(club: Club) -> None:
    await table(club, "seal")
    asked, button = club.card, club.custom_id(sealing.WORD)
    await table(club, "seal")
    assert "out of date" in said(await club.press(club.bo, button, on=asked))


async def test_a_question_that_is_asked_again_says_where_the_new_one_is(club: Club) -> None:
    await table(club, "seal")
    asked = club.card
    await table(club, "seal")
    old = next(item for item in club.channel.history(viewer=club.ana) if item.id == asked.id)
    assert old.content == f"This question was replaced. [Go to the new one]({club.card.jump_url})"
    assert old.components == []


async def test_where_nothing_is_sealed_the_question_loses_its_buttons(club: Club) -> None:
    await table(club, "seal")
    asked = club.card
    await table(club, "unseal")
    old = next(item for item in club.channel.history(viewer=club.ana) if item.id == asked.id)
    assert old.components == []
    assert "**Seal this table?**" in old.content


async def test_of_words_that_come_at_once_none_is_left_out(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bo's word is stored while the answer to Ana, which was drawn without it, is on its way."""
    await table(club, "seal", opponent=club.bo)
    here, bo, seal_id = (
        Place(club.channel.id, club.guild.id),
        Person(club.bo.id, "Bo"),
        int(club.custom_id(sealing.WORD)[4]),
    )
    update = Answer.update

    async def late(self: Answer, **message: Any) -> None:
        await club.env.bot.seals.give_word(Request(bo, here), seal_id, "otters")  # type: ignore[attr-defined]  # it is our App
        await update(self, **message)

    monkeypatch.setattr(Answer, "update", late)
    await word(club, club.ana, "luck")
    await asyncio.sleep(0.05)
    await club.env.settle()
    assert "Ana: luck" in club.card.content
    assert "Bo: otters" in club.card.content


async def test_a_word_from_a_form_that_opened_before_the_update_counts(club: Club) -> None:
    """Its id says on which message the words are."""
    await table(club, "seal", opponent=club.bo)
    form = await club.ana.click(club.card, label="Give a seed word")
    assert form.modal is not None
    form.modal["custom_id"] += f"-{club.card.id}"
    await club.ana.submit_modal(form, {"word": "luck"})
    assert "Ana: luck" in club.card.content
