"""An evening of every duel by two people and a bystander, made from the worked rolls of its file.

Each press of a worked roll is tried by the bystander first, then by the other side, who are refused; the first one is
taken back and made again, with the same dice; **How?** lists every die, and the result is the file's.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import discord
import pytest
import simcord

from bot.render import duels as cards
from bot.rules import duels
from bot.rules.dice import Face
from bot.rules.duels.rows import DUELS, DuelGame
from bot.rules.game import Choice, Side
from bot.rules.text import english
from tests.conftest import Club, said
from tests.duel_lines import Golden, Told, play


class Evening(NamedTuple):
    """A worked roll: the sides of its dice as they fall, each choice with its side, and the end."""

    row: Golden
    fallen: list[int]
    pressed: list[tuple[Side, Choice]]
    end: duels.DuelRoll


class NotedFaces(Told):
    """Faces as they are told, noting the sides on which the dice lie."""

    def __init__(self, faces: str) -> None:
        super().__init__(faces)
        self.fallen = list[int]()

    def _place(self, faces: Sequence[Face]) -> int:
        self.fallen.append(super()._place(faces))
        return self.fallen[-1]


def played(duel: DuelGame, row: Golden) -> Evening:
    noted, pressed = NotedFaces(row.faces), list[tuple[Side, Choice]]()
    state, _, _ = play(duel, row, rng=noted, pressed=pressed)
    return Evening(row, noted.fallen, pressed, state)


@cache
def richest(key: str) -> Evening:
    """The worked roll in which most sides choose, and most often."""
    duel = DUELS[key]
    told = [row for row in TOLD.get(key, ()) if "chosen" in row]
    return max(
        (played(duel, Golden(**row)) for row in (*duel.golden, *told)),
        key=lambda found: (len({side for side, _ in found.pressed}), len(found.pressed)),
    )


TOLD: Final = json.loads((Path(__file__).parents[1] / "golden" / "duels_rolls.json").read_text(encoding="utf-8"))


async def press(club: Club, by: simcord.MemberActor, choice: Choice) -> simcord.InteractionResult:
    at = club.custom_id(choice.offer)
    if not choice.picked or not any(at == item.custom_id for item in lists(club)):
        return await by.click(club.card, custom_id=at)
    return await by.select(club.card, list(choice.picked), custom_id=at)


def lists(club: Club) -> list[discord.SelectMenu]:
    items = (item for row in club.card.components for item in getattr(row, "children", ()))
    return [item for item in items if isinstance(item, discord.SelectMenu)]


@pytest.mark.parametrize("key", DUELS)
async def test_two_people_and_a_bystander(club: Club, key: str) -> None:
    evening = richest(key)
    club.dice.will_show(*evening.fallen)
    await club.ana.slash(club.channel, "duel attack", game=key, line=evening.row.typed, opponent=club.bo)
    for number, (side, choice) in enumerate(evening.pressed):
        who, other = (club.ana, club.bo) if side is Side.ATTACKER else (club.bo, club.ana)
        before = club.embed.to_dict()
        assert "\\*" not in str(before), "stars that Discord shows as they are"
        for nobody in (club.cleo, other):
            assert said(await press(club, nobody, choice)), choice
            assert club.embed.to_dict() == before
        await press(club, who, choice)
        if number == 0:
            after = club.embed.to_dict()
            await club.take_back(who, other)
            assert club.outcome == before["title"]
            await press(club, who, choice)
            assert club.embed.to_dict() == after, "dice that were seen come again"
    assert club.dice.waiting == type(club.dice.waiting)()
    assert club.labels == ["Again"]
    assert club.outcome == english(cards.outcome(evening.end))
    told = await club.how()
    assert all(f"{number}\\." in told for number in range(1, len(duels.rolled(evening.end)) + 1))
    assert DUELS[key].source[:40] in told


def test_both_people_choose_in_the_evening_of_most_games() -> None:
    """Age of Sigmar's attacker alone chooses in a worked roll, as Heroscape's defender does."""
    sides = {key: {side for side, _ in richest(key).pressed} for key in DUELS}
    assert {key for key, sides_of in sides.items() if sides_of != {*Side}} <= {"sigmar", "heroscape"}
    assert all(sides.values())
