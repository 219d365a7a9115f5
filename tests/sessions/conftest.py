"""Sessions and tables over a database of the test's own, on both engines."""

import pytest

from bot.sessions.sessions import Sessions
from bot.sessions.tables import Tables
from bot.store.database import Database
from tests.conftest import Dice
from tests.engines import on_both

pytest_generate_tests = on_both


@pytest.fixture
def sessions(database: Database, dice: Dice) -> Sessions:
    return Sessions(database, dice)


@pytest.fixture
def tables(database: Database) -> Tables:
    return Tables(database)
