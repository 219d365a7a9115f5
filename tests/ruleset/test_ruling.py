"""Precedence, for every setting: each way in which four rulesets can speak or be silent, with and without a lock."""

from itertools import product
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import FREE
from bot.ruleset.ruling import BUILT_IN, Rule, Ruling, Source
from bot.ruleset.settings import SETTINGS, Setting, find
from tests.rows import for_each_row
from tests.ruleset.cases import CASES

NEAREST_FIRST = (Source.PERSON, Source.THREAD, Source.CHANNEL, Source.SERVER)


def ways(setting: Setting[Any]) -> list[tuple[tuple[Source, Rule], ...]]:
    """Every way in which the four can say something of a setting: nothing, or any value, locked or not."""
    says = [None, *(Rule(value, locked) for value in CASES[setting.key].values for locked in (False, True))]
    return [
        tuple((source, rule) for source, rule in zip(NEAREST_FIRST, said, strict=True) if rule is not None)
        for said in product(says, repeat=4)
    ]


@for_each_row("setting", SETTINGS, ids=lambda item: item.key)
def test_the_nearest_that_speaks_counts_and_a_lock_shuts_out_preferences(setting: Setting[Any]) -> None:
    for said in ways(setting):
        ruling = Ruling(tuple((source, {setting.key: rule}) for source, rule in said))
        told = ruling.lookup(setting)
        tables = [(source, rule) for source, rule in said if source is not Source.PERSON]
        preferred = [rule.value for source, rule in said if source is Source.PERSON]
        locked = [source for source, rule in tables if rule.locked]

        assert told.locked_by == (locked[0] if locked else None)
        if preferred and setting.personal and not locked:
            assert (told.value, told.source) == (preferred[0], Source.PERSON)
        elif tables:
            assert (told.value, told.source) == (tables[0][1].value, tables[0][0])
        else:
            assert (told.value, told.source) == (setting.built_in, Source.BUILT_IN)
        assert ruling[setting] == told.value


@for_each_row("setting", SETTINGS, ids=lambda item: item.key)
def test_where_nobody_speaks_the_built_in_value_counts(setting: Setting[Any]) -> None:
    others = {item.key: Rule(CASES[item.key].values[0]) for item in SETTINGS if item is not setting}
    ruling = Ruling(tuple((source, others) for source in NEAREST_FIRST))
    assert ruling[setting] == BUILT_IN[setting] == setting.built_in


@for_each_row("setting", SETTINGS, ids=lambda item: item.key)
def test_a_stored_value_that_is_taken_no_longer_is_passed_over(setting: Setting[Any]) -> None:
    value = CASES[setting.key].values[-1]
    layers = ((Source.CHANNEL, {setting.key: Rule("gone")}), (Source.SERVER, {setting.key: Rule(value)}))
    told = Ruling(layers).lookup(setting)
    assert (told.value, told.source) == (value, Source.SERVER)


def test_only_what_was_chosen_fills_a_declaration() -> None:
    assert all(not BUILT_IN.words(game) for game in GAMES)
    ruling = Ruling(((Source.SERVER, {find("warsurge_method").key: Rule("chart")}),))
    assert ruling.words("warsurge") == {"method": "chart"}
    assert not ruling.words("infinity")


@pytest.mark.parametrize("setting", [setting for setting in SETTINGS if setting.fills], ids=lambda item: item.key)
def test_what_fills_a_declaration_is_a_word_of_it(setting: Setting[Any]) -> None:
    """The edition in an Infinity roll, the method in a WARSURGE attack, the ruleset in an X-Wing attack.

    What only says how a text is read, as an answer of the channel does, isn't kept with the roll.
    """
    assert setting.fills is not None
    game, word = setting.fills
    for value in (item for item in CASES[setting.key].values if item != FREE):
        samples = GAMES[game].samples
        sample = next((sample for sample in samples if sample.get(word) == value), samples[0])
        declared = GAMES[game].rules.declare({**sample, word: value})
        assert getattr(declared, word, value) == value
        assert hasattr(declared, word) == (game != "anydice")
    with pytest.raises(PlayerError):
        GAMES[game].rules.declare({**GAMES[game].samples[0], word: "something else"})
