"""Who reads which language: a public card that of its channel, whatever is for one person that of the person."""

from typing import Any

import discord
import pytest
import simcord

from bot.languages import LANGUAGES
from bot.languages.translate import translate, using_language
from bot.rules.text import Text
from bot.ui.live import live_messages
from cogs import ruleset
from tests.conftest import Club

GERMAN_ROLL = "Ana würfelt"


@pytest.fixture
def read(club: Club) -> dict[str, str]:
    """The locales of people's Discord, by name; others read American English."""
    locales = dict[str, str]()
    emit = club.env.backend.emit

    def told(event: str, payload: Any) -> Any:
        if event == "INTERACTION_CREATE":
            user = payload.get("member", payload)["user"]
            payload = {**payload, "locale": locales.get(user["username"], "en-US")}
        return emit(event, payload)

    club.env.backend.emit = told  # type: ignore[method-assign]  # as if Discord said so
    return locales


def said(key: str, message: str, **places: object) -> str:
    with using_language(LANGUAGES[key]):
        return str(translate(Text(message, **places)))


async def speak(club: Club, admin: simcord.MemberActor, name: str, where: str = "channel") -> None:
    await admin.slash(club.channel, "ruleset set", setting="language", value=name, where=where)


async def roll(club: Club, person: simcord.MemberActor | None = None, dice: str = "1d20") -> Any:
    club.dice.will_show(6)
    return await (person or club.ana).slash(club.channel, "roll", dice=dice)


async def test_a_public_card_speaks_the_language_of_its_channel(
    club: Club, read: dict[str, str], admin: simcord.MemberActor
) -> None:
    read["ana"] = "pl"
    await roll(club)
    assert club.outcome == "Ana rolls 7.", "never that of whoever typed"
    await speak(club, admin, "Deutsch")
    assert club.outcome.startswith("Sprache"), "so does the answer to the setting"
    await roll(club)
    assert club.outcome == said("de", "{who} rolls {way}.", who="Ana", way=7)
    assert club.outcome.startswith(GERMAN_ROLL)


async def test_what_one_person_sees_is_in_the_language_of_their_discord(
    club: Club, read: dict[str, str], admin: simcord.MemberActor
) -> None:
    await speak(club, admin, "Español")
    read |= {"ana": "fr", "bo": "de"}
    refused = await club.bo.slash(club.channel, "roll", dice="2d6q")
    assert refused.response is not None
    unknown = said("de", "I don't understand {sign}", sign="`q`")
    assert unknown in refused.response.content
    shown = await club.bo.slash(club.channel, "infinity versus")
    assert shown.modal is not None
    assert shown.modal["components"][0]["label"] == said("de", "SV before MODs ({least} to {most})", least=-12, most=40)
    helped = await club.ana.slash(club.channel, "help", game="overview")
    assert helped.response is not None
    first = "Type a command. Buttons then offer what the rules allow next."
    assert helped.response.embeds[0].title == said("fr", first)


async def test_a_press_does_not_change_the_language_of_a_card(
    club: Club, read: dict[str, str], admin: simcord.MemberActor
) -> None:
    await speak(club, admin, "Español")
    read["bo"] = "de"
    club.dice.red("focus hit blank")
    await club.attack(dice=3, with_="focus", opponent=club.bo)
    form = await club.bo.click(club.card, custom_id=club.custom_id("defend"))
    assert form.modal is not None
    assert form.modal["title"] == said("de", "Defend: enter your tokens"), "the form is for Bo alone"
    await club.bo.submit_modal(form, {"agility": "2", "tokens": "evade"})
    assert said("es", "Done") in club.labels
    refused = await club.cleo.click(club.card, custom_id=club.custom_id("done"))
    assert refused.response is not None
    assert "This choice is for Ana" in refused.response.content, "Cleo reads English"


async def test_the_history_speaks_the_readers_language(
    club: Club, read: dict[str, str], admin: simcord.MemberActor
) -> None:
    """One stored match, shown in two languages: steps keep their messages and places."""
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", numbers="3/2/4/2 i5")
    await club.ana.slash(club.channel, "xwing token give", ship="Luke", token="focus")
    await roll(club)
    told = []
    for name in ("English", "Deutsch"):
        await speak(club, admin, name)
        await club.ana.slash(club.channel, "table history")
        told.append(club.embed)
    english, german = told
    assert english.title == "What happened here"
    assert german.title == said("de", "What happened here")
    assert "gives Luke 1 focus token" in (english.description or "")
    assert "Luke" in (german.description or "")
    assert "gives" not in (german.description or "")
    assert GERMAN_ROLL in (german.description or "")
    assert len((english.description or "").splitlines()) == len((german.description or "").splitlines())


async def test_a_community_server_is_spoken_to_in_its_language(club: Club) -> None:
    guild: Any = club.env.bot.get_guild(club.guild.id)
    guild.preferred_locale = discord.Locale.german
    await roll(club)
    assert club.outcome == "Ana rolls 7.", "the locale of other servers is Discord's default, and says nothing"
    guild.features = ["COMMUNITY"]
    await roll(club)
    assert club.outcome.startswith(GERMAN_ROLL)


async def test_a_secret_roll_is_read_by_one_and_announced_to_all(
    club: Club, read: dict[str, str], admin: simcord.MemberActor
) -> None:
    await speak(club, admin, "Español")
    read["ana"] = "de"
    club.dice.will_show(6)
    done = await club.ana.slash(club.channel, "roll", dice="1d20", secret=True)
    assert done.response is not None
    assert GERMAN_ROLL in str(done.response.embeds[0].title)
    told = said("es", "{who} made a secret roll: only {who} can look at it.", who="Ana")
    assert told in club.card.content


async def test_the_board_speaks_the_language_of_its_channel(
    club: Club, read: dict[str, str], admin: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await speak(club, admin, "Deutsch")
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", numbers="3/2/4/2 i5")
    drawn = list[Any]()
    monkeypatch.setattr(live_messages, "picture", drawn.append)
    await club.ana.slash(club.channel, "xwing score", points=2)
    await club.ana.slash(club.channel, "table show")
    assert drawn[-1].figure.teams[0].title == "Ana · 2 Punkte", "the picture too"
    labels = [getattr(item, "label", "") for row in club.card.components for item in getattr(row, "children", ())]
    assert said("de", "Focus") in labels
    await club.ana.click(club.card, label=said("de", "Focus"))
    labels = [getattr(item, "label", "") for row in club.card.components for item in getattr(row, "children", ())]
    assert "Undo" not in labels, "an edit that follows a press by itself speaks it too"


async def test_an_admin_is_asked_once_where_most_read_another_language(
    club: Club, read: dict[str, str], admin: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ruleset, "MIN_PEOPLE", 3)
    read |= {"ana": "de", "bo": "de", "cleo": "de"}
    for person in (club.ana, club.bo, club.cleo, club.ana):
        assert not (await roll(club, person)).followups, "who may not choose is not asked"
    read["ada"] = "fr"
    (question,) = (await roll(club, admin)).followups
    assert question.ephemeral
    assert question.content == said("fr", ruleset.ASKED, language="Deutsch")
    assert not (await roll(club, admin)).followups, "once"
    await admin.click(question, label=said("fr", "Speak {language}", language="Deutsch"))
    await roll(club)
    assert club.outcome.startswith(GERMAN_ROLL)


async def test_a_question_that_is_left_changes_nothing(
    club: Club, read: dict[str, str], admin: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ruleset, "MIN_PEOPLE", 1)
    read["ada"] = "it"
    (question,) = (await roll(club, admin)).followups
    await admin.click(question, label=said("it", "Leave it as is"))
    await roll(club)
    assert club.outcome == "Ana rolls 7."
    forged = await club.press(club.ana, "rc1:language:de")
    assert forged.response is not None
    assert forged.response.ephemeral
    await roll(club)
    assert club.outcome == "Ana rolls 7.", "only who may manage the server chooses for it"


async def test_nobody_is_asked_where_the_language_was_chosen(
    club: Club, read: dict[str, str], admin: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ruleset, "MIN_PEOPLE", 1)
    await speak(club, admin, "English", "server")
    read["ada"] = "de"
    assert not (await roll(club, admin)).followups


async def test_words_are_taken_in_the_language_of_whoever_types_them(club: Club, read: dict[str, str]) -> None:
    """Beside the English ones; what everybody sees is as if they had been typed in English."""
    shown = list[str]()
    for locale, brings in (
        ("en-US", "focus, reroll 1 blank"),
        ("de", "Fokus: 1 Treffer, neu 1 Leerseite"),
        ("de", "focus"),
    ):
        read["ana"] = locale
        await club.ana.slash(club.channel, "xwing odds", dice=3, agility=2, **{"with": brings, "against": "evade"})
        shown.append(club.outcome)
    assert shown[0] == shown[1] != shown[2]
    read["ana"] = "pl"
    refused = await club.ana.slash(club.channel, "xwing odds", dice=3, agility=2, **{"with": "neu 1 Leerseite"})
    assert refused.response is not None
    assert "przerzuć" in refused.response.content, "advice names the words in the reader's language"
