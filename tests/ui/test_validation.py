"""What no app of Discord's would send with a command: it is refused with a sentence, and nothing is rolled."""

from typing import Any

import pytest
import simcord
from simcord.enums import InteractionType

from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

STRING, INTEGER, BOOLEAN, USER = 3, 4, 5, 6
SUGGEST = InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE
CHANGED = "This command has changed"


async def sent(
    club: Club, line: str, *options: tuple[str, int, Any], kind: int = InteractionType.APPLICATION_COMMAND, **more: Any
) -> simcord.InteractionResult:
    """A command with options as they stand; ``more`` is added to the last of them."""
    name, *subs = line.split()
    given: list[dict[str, Any]] = [dict(zip(("name", "type", "value"), option, strict=True)) for option in options]
    if given:
        given[-1] |= more
    for depth, sub in enumerate(reversed(subs)):
        given = [{"name": sub, "type": 1 if depth == 0 else 2, "options": given}]
    data = {"id": "1", "name": name, "type": 1, "options": given}
    return await club.ana._dispatch_interaction(kind, club.channel, data)


@pytest.mark.parametrize(
    ("line", "options", "words"),
    [
        ("xwing attack", [("dice", INTEGER, 7)], ["`dice` was `7`", "from 0 to 6"]),
        ("xwing attack", [("dice", INTEGER, -1)], ["`dice` was `-1`", "from 0 to 6"]),
        ("xwing attack", [("dice", INTEGER, 10**300)], ["`dice` was `1000", "from 0 to 6"]),
        ("xwing attack", [("dice", INTEGER, "3")], [CHANGED]),
        ("xwing attack", [("dice", INTEGER, True)], [CHANGED]),
        ("xwing attack", [("dice", INTEGER, None)], [CHANGED]),
        ("xwing attack", [("dice", STRING, "3")], [CHANGED]),
        ("xwing attack", [("dice", INTEGER, 2), ("ordnance", BOOLEAN, 1)], [CHANGED]),
        ("xwing attack", [("dice", INTEGER, 2), ("with", STRING, "")], ["`with` was empty", "Use 1 to 200 characters"]),
        (
            "xwing attack",
            [("dice", INTEGER, 2), ("with", STRING, "x" * 201)],
            ["`with` was", "Use 1 to 200 characters"],
        ),
        ("xwing attack", [("dice", INTEGER, 2), ("opponent", USER, "77")], [CHANGED]),
        ("xwing attack", [("dice", INTEGER, 2), ("wings", INTEGER, 2)], [CHANGED]),
        ("albion odds", [("agility", INTEGER, 2)], [CHANGED]),
        (
            "infinity order",
            [("text", STRING, "half \ud800 a sign 12")],
            ["`text` was `half a sign 12`. Use text without invalid characters."],
        ),
        ("warsurge compare", [("power", INTEGER, 1), ("defence", INTEGER, 1), ("dice", INTEGER, 10**9)], ["`dice`"]),
        ("warsurge compare", [("power", INTEGER, {}), ("defence", INTEGER, 1)], [CHANGED]),
        (
            "table seat",
            [("side", STRING, "attacker"), ("roll", INTEGER, 2**63)],
            ["`roll` was `9223", "to 9007199254740992"],
        ),
        ("table seat", [("side", STRING, "attacker"), ("roll", INTEGER, -(2**63) - 1)], ["`roll` was `-9223"]),
        (
            "xwing token give",
            [("ship", STRING, "Luke"), ("token", STRING, "money")],
            ["`token` was `money`", "Use `focus`, `calculate`"],
        ),
        ("xwing nosuch", [], [CHANGED]),
        ("nosuch", [], [CHANGED]),
        ("xwing", [], [CHANGED]),
        ("xwing attack deeper", [], [CHANGED]),
    ],
)
async def test_what_a_command_does_not_take_is_refused(
    club: Club, line: str, options: list[tuple[str, int, Any]], words: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    told = said(await sent(club, line, *options))
    for word in words:
        assert word in told
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_the_limits_themselves_are_taken(club: Club) -> None:
    club.dice.red("hit hit hit hit hit hit")
    words = ("against", STRING, "hull 9".ljust(200))
    await sent(club, "xwing attack", ("dice", INTEGER, 6), ("agility", INTEGER, 0), words)
    assert club.outcome == "Ana hits the defender: 6 hits. Hull 9 to 3."


@pytest.mark.parametrize(
    ("line", "option", "more"),
    [
        ("xwing attack", ("attacker", STRING, "L"), {}),
        ("xwing attack", ("dice", INTEGER, 3), {"focused": True}),
        ("xwing attack", ("attacker", STRING, None), {"focused": True}),
        ("xwing attack", ("attacker", STRING, [1]), {"focused": True}),
        ("xwing attack", ("nosuch", STRING, "L"), {"focused": True}),
        ("xwing nosuch", ("attacker", STRING, "L"), {"focused": True}),
        ("nosuch", ("attacker", STRING, "L"), {"focused": True}),
        ("xwing", ("attacker", STRING, "L"), {"focused": True}),
    ],
)
async def test_where_nothing_can_be_suggested_nothing_is(
    club: Club, line: str, option: tuple[str, int, Any], more: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    result = await sent(club, line, option, kind=SUGGEST, **more)
    assert result.acknowledged
    assert club.sent == {"choices": []}
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_what_else_was_typed_does_not_disturb_a_suggestion(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", numbers="3/2/4/2")
    typed = ("attacker", STRING, "lu")
    for other in (("dice", INTEGER, "many"), ("with", STRING, None), ("opponent", USER, str(club.bo.id))):
        await sent(club, "xwing attack", other, typed, kind=SUGGEST, focused=True)
        assert [choice["value"] for choice in club.sent["choices"]] == ["Luke"]
    for other in (("opponent", USER, "not an id"), ("opponent", USER, None), ("opponent", 99, "1")):
        await sent(club, "xwing attack", other, typed, kind=SUGGEST, focused=True)
        assert len(club.sent["choices"]) <= 1
