"""The rows of all cards: each reads, each id is one of a set, and the coverage of the sets does not fall."""

import sys
from collections import Counter

import pytest

from bot.rules.xwing.cards.card_sets import POOLS, SHELF, CardSet, Pool
from bot.rules.xwing.cards.cards import condition_names, pilot_ship
from bot.rules.xwing.cards.deck import DAMAGE_CARDS
from bot.rules.xwing.cards.rows import FILES, NOT_COUNTED, ROWS, _file, coverage_of, read, rows_of, touches_dice
from bot.rules.xwing.dice.declared import DiceWindow
from bot.rules.xwing.table import moment_rows
from tests.rules.xwing.written import written

SETS = {pool: SHELF.of(pool) for pool in POOLS}


def cards_of(cards: CardSet) -> set[str]:
    """Every card of a set, as rows name it."""
    chassis = {f"chassis:{cards.chassis(pilot)}" for pilot in cards.pilots} - {"chassis:"}
    return {f"pilot:{id_}" for id_ in cards.pilots} | {f"upgrade:{id_}" for id_ in cards.upgrades} | chassis


EVERY = {pool: cards_of(cards) for pool, cards in SETS.items()}
CONDITIONS = {f"condition:{id_}" for id_ in condition_names()}
UNION = EVERY["xwa"] | EVERY["legacy"] | {f"damage:{title}" for title in DAMAGE_CARDS} | CONDITIONS


def coverage(pool: Pool, cards: set[str]) -> Counter[str]:
    return Counter(coverage_of(card, pool) for card in cards)


def test_every_row_reads_and_every_id_is_a_card_of_a_set() -> None:
    assert len(ROWS) > 600
    assert {card for card in moment_rows.cards() if card.startswith("chassis:")} <= UNION, "an ability of no pilot"
    assert set(ROWS) <= UNION


@pytest.mark.parametrize("name", FILES)
def test_every_row_is_written_as_it_is_read(name: str) -> None:
    """Of all words that mean the same the files have those that the writer has."""
    for card, rows in _file(name).items():
        for place, raw in enumerate(rows, 1) if isinstance(rows, list) else ():
            assert written(read(card, raw, place)) == raw, card


def test_a_row_for_one_pool_is_about_a_card_of_that_pool() -> None:
    for card, rows in ROWS.items():
        for row in rows:
            assert not row.pool or card in EVERY["xwa" if row.pool == "xwa" else "legacy"] | CONDITIONS, row


def test_no_card_stands_in_two_files_and_a_shared_one_names_rows() -> None:
    every = [card for name in FILES for card in _file(name) if card != "about"]
    assert len(every) == len(set(every)) == len(ROWS)
    for name in FILES:
        for card, rows in _file(name).items():
            assert card == "about" or not isinstance(rows, str) or ROWS[rows], card


def test_a_shared_card_has_its_own_name_in_its_rows() -> None:
    (row,) = ROWS["pilot:wedgeantilles-battleofyavin-lsl"]
    assert (row.card, row.id) == ("pilot:wedgeantilles-battleofyavin-lsl", "wedgeantilles-battleofyavin-lsl")
    assert row.acts == ROWS["pilot:wedgeantilles-battleofyavin"][0].acts


@pytest.mark.parametrize("pool", POOLS)
def test_what_is_not_counted_has_no_rows(pool: Pool) -> None:
    for card in (*_file(NOT_COUNTED)["both"], *_file(NOT_COUNTED)[pool]):
        assert card in EVERY[pool]
        assert touches_dice(card, pool)
        assert rows_of(card, pool) == ()
        assert coverage_of(card, pool) == "not counted"


@pytest.mark.parametrize("pool", POOLS)
def test_every_weapon_says_what_is_beyond_plain_damage(pool: Pool) -> None:
    for id_, card in SETS[pool].upgrades.items():
        if "attack" in card:
            assert f"upgrade:{id_}" in ROWS


def test_one_text_for_each_pool() -> None:
    (xwa,), (legacy,) = (rows_of("pilot:captainoicunn", pool) for pool in POOLS)
    assert (written(xwa)["do"], written(legacy)["do"]) == ("counts as range 1", "attack at range 0")
    assert [written(row)["do"] for row in rows_of("upgrade:outrider", "legacy")] == ["-1 dice green"]


def test_how_far_a_card_is_known() -> None:
    assert coverage_of("pilot:wedgeantilles", "xwa") == "counted"
    assert coverage_of("upgrade:predator", "xwa") == "asked"
    assert coverage_of("pilot:maarekstele", "xwa") == "reminded"
    assert coverage_of("pilot:soontirfel", "xwa") == "asked", "on the board, at the start of the Engagement Phase"
    assert coverage_of("upgrade:grappler", "xwa") == "not counted"
    assert coverage_of("upgrade:hullupgrade", "xwa") == "silent"


def test_a_reminder_says_nothing_else() -> None:
    for row in (row for rows in ROWS.values() for row in rows if row.is_reminder):
        assert not row.touches_dice if row.on else row.when is DiceWindow.ELSEWHERE


def test_coverage_may_not_fall(capsys: pytest.CaptureFixture[str]) -> None:
    """Cards with rows that act or are asked, of each set and of both; the figures are printed."""
    result = {pool: coverage(pool, EVERY[pool]) for pool in POOLS}
    lines = [
        f"{pool}: {', '.join(f'{count} {word}' for word, count in counts.most_common())}"
        for pool, counts in result.items()
    ]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines))
    acting = {card for pool in POOLS for card in EVERY[pool] if coverage_of(card, pool) in ("counted", "asked")}
    assert result["xwa"]["counted"] + result["xwa"]["asked"] >= FLOORS["xwa"]
    assert result["legacy"]["counted"] + result["legacy"]["asked"] >= FLOORS["legacy"]
    assert len(acting) >= FLOORS["union"], len(acting)
    assert max(counts["not counted"] for counts in result.values()) <= FLOORS["not counted"]


FLOORS = {"xwa": 1045, "legacy": 976, "union": 1179, "not counted": 26}
"""What was reached; raise them as rows are added."""


def test_the_cards_of_a_ship_are_those_that_rows_name() -> None:
    assert pilot_ship("darthvader", ["hate", "hate"]).cards == (
        "pilot:darthvader",
        "chassis:advancedtargetingcomputer",
        "upgrade:hate",
    )
