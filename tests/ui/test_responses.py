"""Every interaction is answered in time, also when the work behind it is slow."""

import asyncio
from collections.abc import Callable

import pytest

from bot.rules.errors import PlayerError
from bot.rules.text import Text
from bot.sessions.sessions import Sessions
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot


@pytest.fixture
def slow(club: Club, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make a method of the sessions take 2.5 seconds longer; on simcord's clock, nobody waits for it."""

    def slow_down(name: str) -> None:
        swift = getattr(Sessions, name)

        async def late(*args: object, **kwargs: object) -> object:
            await club.env.external_wait(asyncio.sleep(2.5), reason="it is slow")
            return await swift(*args, **kwargs)

        monkeypatch.setattr(Sessions, name, late)

    return slow_down


async def test_a_slow_command_is_excused_and_then_answered(club: Club, slow: Callable[[str], None]) -> None:
    slow("open")
    club.dice.red("hit")
    answer = await club.attack(dice=1, agility=0)
    assert not answer.acknowledged
    await club.env.advance_time(1.9)
    assert answer.deferred, "Discord would give up at 3 seconds"
    await club.env.advance_time(1)
    assert club.outcome == "Ana hits the defender: 1 hit."
    assert len(club.card.attachments) == 1


async def test_a_slow_press_is_excused_and_then_answered(club: Club, slow: Callable[[str], None]) -> None:
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    slow("choose")
    answer = await club.ana.click(club.card, label="Focus: 1 to hit")
    await club.env.advance_time(1.9)
    assert answer.acknowledged
    assert club.outcome == "Ana against the defender: 1 hit."
    await club.env.advance_time(1)
    assert club.outcome == "Ana hits the defender: 2 hits."
    assert len(club.card.attachments) == 1, "the new picture replaces the old one"


async def test_a_slow_press_that_fails_is_whispered(club: Club, slow: Callable[[str], None]) -> None:
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    slow("choose")
    answer = await club.bo.click(club.card, label="Done")
    await club.env.advance_time(3)
    assert "Ana (attacker)" in said(answer)
    assert club.labels == ["Focus: 1 to hit", "Done"], "the card that all see is untouched"


async def test_a_form_that_comes_too_late_is_asked_for_again(club: Club, slow: Callable[[str], None]) -> None:
    await club.attack(dice=2)
    slow("choose")
    answer = await club.bo.click(club.card, label="Defend: enter your tokens")
    await club.env.advance_time(3)
    assert answer.modal is None
    assert "press the button again" in said(answer)


async def test_a_slow_command_that_fails_is_answered_where_it_was_begun(
    club: Club, slow: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise PlayerError(Text("Not today."))

    monkeypatch.setattr(Sessions, "open", refuse)
    slow("open")
    answer = await club.attack(dice=1, agility=0)
    await club.env.advance_time(3)
    assert answer.response is not None
    assert answer.response.content == "Not today."


async def test_an_excuse_that_fails_does_not_cost_the_answer(
    club: Club, slow: Callable[[str], None], caplog: pytest.LogCaptureFixture
) -> None:
    slow("open")
    club.dice.red("hit")
    club.env.inject_error("POST", "/interactions/*/*/callback", status=500)
    await club.attack(dice=1, agility=0)
    await club.env.advance_time(3)
    assert "could not be deferred" in caplog.text
    assert club.outcome == "Ana hits the defender: 1 hit."


async def test_a_swift_answer_is_never_excused(club: Club) -> None:
    club.dice.red("hit")
    answer = await club.attack(dice=1, agility=0)
    await club.env.advance_time(5)
    assert not answer.deferred
    assert sum("callback" in request.path for request in club.env.http_requests) == 1


async def test_a_slow_press_that_posts_something_new_leaves_its_message_alone(
    club: Club, slow: Callable[[str], None]
) -> None:
    await club.ana.slash(club.channel, "saved add", name="Fireball", roll="2d6")
    await club.ana.slash(club.channel, "saved panel")
    panel = club.card
    slow("open")
    club.dice.will_show(2, 3)
    await club.ana.click(panel, label="Fireball")
    await club.env.advance_time(3)
    assert club.outcome == "Ana rolls 3 + 4 = 7."
    assert club.card.id != panel.id
    (old,) = [item for item in club.channel.history() if item.id == panel.id]
    assert old.embeds[0].title == "Ana's saved rolls."
