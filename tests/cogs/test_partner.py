"""The bot as an opponent: it plays its side by the advice, says so, and knows no die to come."""

from simcord.builders import UserHandle

from bot.games import GAMES
from bot.rules.game import Side
from tests.conftest import Club

XWING = GAMES["xwing"]


def me(club: Club) -> UserHandle:
    """The bot, as an option of a command names it."""
    return UserHandle(club.env, club.env.backend.bot_user)


async def test_it_defends_an_attack_of_numbers_as_soon_as_the_dice_fall(club: Club) -> None:
    club.dice.red("hit hit hit")
    club.dice.green("focus blank")
    await club.attack(dice=3, opponent=me(club))
    assert "hits" in club.outcome
    assert "2 hits" in club.outcome, "it spent its focus"
    told = str(club.embed.footer.text)
    assert "plays, and pressed Defend: nobody said what defends" in told
    assert "plays, and pressed Focus: 1 to evade" in told
    assert "average damage" in told


async def test_a_person_decides_first(club: Club) -> None:
    club.dice.red("hit focus blank")
    await club.attack(dice=3, agility=2, with_="focus", against="evade", opponent=me(club))
    assert "Ana's turn" in str(club.embed.description)
    club.dice.green("blank blank")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert club.outcome.startswith("Ana hits"), club.outcome
    assert "1 hit" in club.outcome, "it spent its evade"


async def test_what_it_presses_follows_from_what_everybody_sees(club: Club) -> None:
    """The same state leads to the same press, whatever dice fall later."""
    declared = XWING.declare({"attack": {"dice": 3}, "defense": {"dice": 2, "focus": 1, "evade": 1}}, {})
    faces = iter((0, 0, 4, 4, 7, 0, 1, 2, 3))
    state = XWING.rules.start(declared, lambda _: next(faces))
    assert XWING.chances.moves is not None
    first = XWING.chances.moves(state)
    assert first
    assert first == XWING.chances.moves(state)
    assert first[0].choice.by is Side.DEFENDER


async def test_its_ships_are_played_by_whoever_presses_and_it_chooses_their_dice(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, agility=2, hull=3)
    await club.ana.slash(club.channel, "xwing ship add", name="Vader", attack=2, agility=3, hull=3)
    await club.ana.slash(club.channel, "xwing token give", ship="Vader", token="focus", count=1)
    await club.ana.slash(club.channel, "xwing ship give", ship="Vader", player=me(club))
    club.dice.red("hit focus")
    club.dice.green("blank blank")
    await club.bo.slash(club.channel, "xwing attack", attacker="Vader", defender="Luke", range=2, anyway=True)
    told = str(club.embed.to_dict())
    assert "plays, and pressed Focus: 1 to hit" in told
    assert "Vader hits Luke: 2 hits" in club.outcome
