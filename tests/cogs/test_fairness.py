"""`/fairness` in a whole Discord."""

import re
import time

import pytest

from tests.conftest import Club, whispered


async def test_the_page_counts_what_was_rolled(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.ana.slash(club.channel, "fairness")
    assert club.outcome == "I haven't counted any dice yet."
    club.dice.red("hit hit crit")
    await club.ana.slash(club.channel, "xwing roll", red=3)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3600)
    await club.ana.slash(club.channel, "fairness", dice="red")
    assert re.fullmatch(
        r"No sign of a loaded die in 3 dice; a face that comes up 1 percentage point too often would be "
        r"detected after about "
        r"\d+,000 draws\.",
        club.outcome,
    )
    assert [field.name for field in club.embed.fields] == ["Red attack dice", "Sealed tables"]
    assert len(club.card.attachments) == 1
    assert "Share of each face of the" in (club.card.attachments[0].description or "")


async def test_about_names_it(club: Club) -> None:
    card = whispered(await club.ana.slash(club.channel, "about")).embeds[0]
    assert "/fairness" in [field.name for field in card.fields]
