"""What is chosen in one process counts in the others within a minute."""

from bot.ruleset.ruling import Rule
from bot.ruleset.settings import KEEP_DAYS, LOOK
from bot.sessions.request import Place
from bot.sessions.rulesets import FRESH, Rulesets
from bot.store.database import Database
from bot.store.rulesets import Scope

HERE = Place(12, 11)


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_setting_of_another_process_counts_within_a_minute(database: Database) -> None:
    clock, other = Clock(), Rulesets(database)
    here = Rulesets(database, clock)
    for look, scope in (("emoji", Scope("server", 11)), ("text", Scope("channel", 12)), ("emoji", Scope("person", 13))):
        before = (await here.ruling(HERE, 13))[LOOK]
        await other.set_rules(scope, 11, {LOOK.key: Rule(look)})
        assert (await other.ruling(HERE, 13))[LOOK] == look, "at once where it was chosen"
        clock.now += FRESH - 0.001
        assert (await here.ruling(HERE, 13))[LOOK] == before, "what was read still counts"
        clock.now += 0.001
        assert (await here.ruling(HERE, 13))[LOOK] == look
    assert FRESH <= 60


async def test_a_setting_that_was_cleared_in_another_process_is_gone_within_a_minute(database: Database) -> None:
    clock, other = Clock(), Rulesets(database)
    here = Rulesets(database, clock)
    usual = (await here.ruling(HERE, 13))[KEEP_DAYS]
    await other.set_rules(Scope("channel", 12), 11, {KEEP_DAYS.key: Rule(1)})
    clock.now += FRESH
    assert (await here.ruling(HERE, 13))[KEEP_DAYS] == 1
    await other.reset(Scope("channel", 12))
    clock.now += FRESH
    assert (await here.ruling(HERE, 13))[KEEP_DAYS] == usual
