"""Each interaction is judged by one ruling, read once."""

from collections import Counter
from collections.abc import Iterable

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.sessions.rulesets import Rulesets
from bot.store import rulesets as rows
from bot.store.rulesets import RulesetRow, Scope
from tests.conftest import Club


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[Scope]:
    """How often each scope was asked for, by its people; nothing is remembered between interactions."""
    asked, find = Counter[Scope](), rows.find

    async def counted(connection: AsyncConnection, scopes: Iterable[Scope]) -> dict[Scope, dict[str, RulesetRow]]:
        scopes = list(scopes)
        asked.update(scopes)
        return await find(connection, scopes)

    monkeypatch.setattr(rows, "find", counted)
    monkeypatch.setattr(Rulesets, "_is_fresh", lambda *_: False)
    return asked


async def test_a_command_and_a_press_of_the_opener_read_each_scope_once(club: Club, reads: Counter[Scope]) -> None:
    club.dice.red("focus hit")
    await club.attack(dice=2, with_="focus", agility=0)
    mine = {Scope("person", club.ana.id): 1, Scope("channel", club.channel.id): 1, Scope("server", club.guild.id): 1}
    assert reads == mine

    reads.clear()
    await club.ana.click(club.card, label="Done")
    assert reads == mine


async def test_a_press_of_somebody_else_reads_what_counts_for_the_opener_too(club: Club, reads: Counter[Scope]) -> None:
    await club.attack(dice=1)
    reads.clear()
    club.dice.red("hit")
    club.dice.green("blank")
    shown = await club.bo.click(club.card, label="Defend: enter your tokens")
    assert reads[Scope("person", club.bo.id)] == 1
    reads.clear()
    await club.bo.submit_modal(shown, {"agility": "1", "tokens": ""})
    assert (reads[Scope("person", club.bo.id)], reads[Scope("person", club.ana.id)]) == (1, 1)
