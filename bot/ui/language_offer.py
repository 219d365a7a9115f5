"""Where most people of a server read another language than the bot speaks there, its admin is asked once.

Which language somebody's Discord has is counted in memory only; stored is that the question was asked.
"""

import time
from collections import Counter
from typing import Final

from bot.bounded import Bounded
from bot.client import Interaction
from bot.languages import LANGUAGES, Language
from bot.languages.say import say
from bot.rules.text import N_, Name, Text
from bot.ruleset.settings import LANGUAGE, OF_SERVER
from bot.ui import rulesets
from bot.ui.address import Answer
from bot.ui.answer import answer
from bot.ui.components import Components, button
from bot.ui.facts import Answered
from bot.ui.place import language_of_reader, language_of_table, may, ruling, to_reader

PEOPLE_LEAST: Final = 5
"""So many people have pressed or typed something before anybody is asked."""
PEOPLE_MOST: Final = 200
"""So many are counted in a server, the last ones."""
SPEAK: Final = {Answer("language", key[:2]): one for key, one in LANGUAGES.items()}
"""The answers that choose a language; the words of ids have no hyphens."""
STAY: Final = Answer("language", "stay")
ASKED: Final = N_(
    "Most people here have Discord in {language}. Shall everything that everybody sees be in {language}? Private "
    "answers already are in the language of whoever reads them."
)


async def follow(fact: Answered) -> None:
    """Note in which language somebody reads, and ask an admin who has just been answered if most read another one."""
    interaction, guild = fact.interaction, fact.interaction.guild
    if guild is None:
        return
    heard = interaction.client.heard
    people = heard.get(guild.id) or Bounded(PEOPLE_MOST)
    heard[guild.id] = people
    people[interaction.user.id] = language_of_reader(interaction).key
    wanted = most_read(people)
    if wanted is None or not may(interaction, "manage_guild") or not interaction.response.is_done():
        return
    counts = await ruling(interaction)
    if counts[LANGUAGE] != OF_SERVER or language_of_table(counts, guild) is wanted:
        return
    if await interaction.client.servers.ask_language(guild.id, int(time.time())):
        await ask(interaction, wanted)


def most_read(people: dict[int, str]) -> Language | None:
    """What more than half of the people read, if there are enough of them."""
    if len(people) < PEOPLE_LEAST:
        return None
    key, count = Counter(people.values()).most_common(1)[0]
    return LANGUAGES[key] if 2 * count > len(people) else None


async def ask(interaction: Interaction, wanted: Language) -> None:
    with to_reader(interaction):
        speak = button(Text("Speak {language}", language=Name(wanted.name)), Answer("language", wanted.key[:2]))
        stay = button(Text("Leave it as it is"), STAY)
        text = say(Text(ASKED, language=Name(wanted.name)))
        await interaction.followup.send(text, view=Components([speak, stay]), ephemeral=True)


async def answered(interaction: Interaction, at: Answer) -> None:
    """A press on that question. Raises ``PlayerError`` for somebody who may not choose for the server."""
    if at == STAY:
        text = Text("It stays as it is. `/ruleset set` changes it: its setting is `language`.")
        await answer(interaction).update(content=text, view=None)
    else:
        await rulesets.choose(interaction, LANGUAGE, SPEAK[at].key, "server", lock=False)
