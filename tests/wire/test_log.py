"""What stands in the log at its most talkative: events and requests by name, and nothing of what people keep secret."""

import re
from typing import Final

from tests.wire.messages import Message
from tests.wire.wire import PATIENT, Wire
from tests.wire.world import Person

SHORTEST: Final = 6
"""Characters of a text that is looked for in the log; a shorter one would be found by chance."""


def texts(shown: Message) -> set[str]:
    """Every text on a message and its pictures, as people read it and as JSON writes it."""
    alt = (file.description or "" for file in shown.attachments)
    lines = {line for text in (shown.text, *alt) for line in text.splitlines() if len(line) >= SHORTEST}
    return lines | {line.encode("unicode_escape").decode() for line in lines}


async def test_the_log_of_a_secret_evening_tells_no_secret(wire: Wire) -> None:
    """Secret and blind rolls are made, looked at, explained and revealed."""
    ana, ben, *_ = wire.people  # Ana owns the server, so she is a GM
    bot = await wire.start_bot(PATIENT, {"LOG_LEVEL": "debug"})
    seen: set[str] = set()

    async def explore(person: Person, shown: Message) -> None:
        """Look at a message, and press everything on it."""
        seen.update(texts(shown))
        for button in shown.buttons:
            answer = await wire.press(person, shown, button)
            if answer.message is not None:
                seen.update(texts(answer.message))

    for secrecy in ("secret", "blind", "secret"):
        answer = await wire.slash(ben, wire.channel, "roll", dice="7d1000+1d20", label="Ambush", **{secrecy: True})
        await explore(ben, answer.shown)
    for person in (ana, ben):
        await explore(person, (await wire.slash(person, wire.channel, "table secrets")).shown)
    log = bot.log()
    assert "interaction" in log
    assert re.search(r"POST /api/v10/interactions/\d+/\*\*\*/callback: 20\d", log), "requests stand there by name"
    assert sum(bool(re.search(r"\d{3}\D+\d{3}", text)) for text in seen) >= 3, "the dice were shown"
    assert not sorted(text for text in seen if text in log)
    assert not [word for word in ("embeds", "custom_id", "d1000", "Ambush") if word in log]
