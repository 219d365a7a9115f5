"""The net successes of whole orders, against every way in which the dice can fall and against the rules themselves."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings, strategies as st

from bot.games.infinity import GAME as INFINITY
from bot.odds.infinity.rolls import outcomes, scores
from bot.odds.infinity.sides import NET_SUCCESSES, WOUNDS_TAKEN, luck, net_result, roll_results
from bot.odds.infinity.successes import net_successes
from bot.odds.luck import UncountableLuckError
from bot.odds.size_limit import QuestionTooLargeError, refuse_large_questions
from bot.rules.dice import enter_physical_dice
from bot.rules.game import Choice, Side
from bot.rules.infinity.orders.play import State, results
from bot.rules.infinity.troopers.declared import Action, Meeting, Order, TrooperRoll
from tests.examples import share_of

FACES = range(1, 21)
RULES = INFINITY.rules


def order(text: str) -> Order:
    declared = RULES.declare({"order": text})
    assert isinstance(declared, Order)
    return declared


def every_way(declared: Order) -> dict[int, Fraction]:
    """The chance of each net result, by the rules: every face of every die."""
    counts: Counter[int] = Counter()
    thrown = [roll.dice_count for roll in declared.rolls]
    for faces in product(*(product(FACES, repeat=count) for count in thrown)):
        dice = tuple(enter_physical_dice("d20", face, Side.ATTACKER) for face in faces)
        counts[net_result(declared, results(State(declared=declared, dice=dice)))] += 1
    assert counts.total() == 20 ** sum(thrown)
    return {value: Fraction(ways, counts.total()) for value, ways in counts.items()}


def chances(declared: Order) -> dict[int, Fraction]:
    distribution = net_successes(declared)
    assert sum(distribution.weights.values()) == distribution.total
    return {value: Fraction(ways, distribution.total) for value, ways in distribution.weights.items()}


@pytest.mark.parametrize(
    "text",
    [
        "Angus 12 vs Ortega 11; Murat 13 normal vs Angus",
        "Ana 10 dodge vs Angus; Angus 12 vs Ana; Ben 13 vs Ana",
        "Angus 12 template vs Ortega 11 dodge, Diaz SV 3 dodge",
        "Angus 12 template vs Ortega 11 dodge, Diaz",
        "Angus 22 vs Ortega 25; Bob 12 normal vs Diaz",
        "Angus direct b2 vs Ortega 8 dodge, Diaz 12 dodge",
        "Angus 12 vs Ortega SV 5 -9; Bob SV 3 normal vs Ortega",
        "Ana 10 dodge vs Angus; Angus direct b2 vs Ana; Ben 13 vs Ana",
    ],
)
def test_it_counts_every_way_in_which_three_dice_can_fall(text: str) -> None:
    assert chances(order(text)) == every_way(order(text))


def test_special_dice_and_both_ends_shared() -> None:
    def roll(sv: int, side: Side, action: Action = Action.SHOOT, special: int = 0) -> TrooperRoll:
        return TrooperRoll(attribute=sv, side=side, action=action, special=special)

    item, other = roll(12, Side.ATTACKER, Action.TEMPLATE), roll(4, Side.DEFENDER, Action.DODGE, special=1)
    two = Order(rolls=(item, other), meetings=(Meeting(a=0, b=1), Meeting(a=0, target="Diaz")))
    assert chances(two) == every_way(two)
    dodges = (roll(11, Side.DEFENDER, Action.DODGE), roll(8, Side.DEFENDER, Action.DODGE))
    attacks = (item, replace(item, attribute=3, burst=1))
    links = (Meeting(a=0, b=2), Meeting(a=0, b=3), Meeting(a=1, b=2))
    tangled = Order(rolls=(*attacks, *dodges), meetings=links)
    assert mean(tangled) == sum(mean_of(tangled, meeting) for meeting in links)


ROLLS = st.tuples(st.integers(-1, 23), st.integers(1, 2), st.integers(0, 1))


@settings(max_examples=share_of(60), deadline=None)
@given(st.lists(ROLLS, min_size=2, max_size=5), st.lists(ROLLS, min_size=1, max_size=3), st.data())
def test_the_mean_of_the_sum_is_the_sum_of_the_means(
    ours: list[tuple[int, int, int]], theirs: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    rolls = tuple(
        TrooperRoll(attribute=sv, burst=burst, special=special, side=side)
        for side, group in ((Side.ATTACKER, ours), (Side.DEFENDER, theirs))
        for sv, burst, special in group
    )
    pairs = [(a, b) for a in range(len(ours)) for b in (*range(len(ours), len(rolls)), None)]
    links = data.draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=5, unique=True))
    links = [(b, a) if b is not None and data.draw(st.booleans()) else (a, b) for a, b in links]
    declared = Order(rolls=rolls, meetings=tuple(Meeting(a=a, b=b, target="" if b else "x") for a, b in links))
    try:
        with refuse_large_questions():
            result = mean(declared)
    except (QuestionTooLargeError, UncountableLuckError):
        assert len(links) > 1
    else:
        assert result == sum(mean_of(declared, meeting) for meeting in declared.meetings)


def mean(declared: Order) -> Fraction:
    return sum((value * chance for value, chance in chances(declared).items()), Fraction(0))


def mean_of(declared: Order, meeting: Meeting) -> Fraction:
    """The mean of one comparison by itself, by the closed form of the odds."""
    a, b = declared.rolls[meeting.a], None if meeting.b is None else declared.rolls[meeting.b]
    came = outcomes(scores(a), None if b is None else scores(b))
    sign = 1 if a.side is Side.ATTACKER else -1
    return came.mean(lambda outcome: sign * {"a": 1, "b": -1, "nobody": 0}[outcome[0]] * (outcome[1] + outcome[2]))


def test_what_takes_too_long_is_left_out() -> None:
    large = order("Angus 15 b5 template vs A 12 dodge, B 12 dodge, C 12 dodge, D 12 dodge")
    with pytest.raises(UncountableLuckError):
        net_successes(large)
    dice = tuple(enter_physical_dice("d20", (5,) * roll.dice_count, Side.ATTACKER) for roll in large.rolls)
    assert luck(State(declared=large, dice=dice)) is None
    with pytest.raises(UncountableLuckError):
        roll_results(State(declared=large, dice=dice))


def test_an_order_of_several_comparisons_says_how_lucky_it_was() -> None:
    declared = order("Angus 12 vs Ortega 11; Murat 13 normal vs Angus")
    fallen = RULES.start(declared, lambda _: 11)  # a 12 for everybody: a Critical, a failure, a success of the enemy
    found = luck(fallen)
    assert found is not None
    assert (found.rolls, found.side) == ("orders", "The active side's luck")
    (result,) = roll_results(fallen)
    assert (result.side, result.unit, result.value) == (
        Side.ATTACKER,
        NET_SUCCESSES,
        net_result(declared, results(fallen)),
    )
    assert result.distribution == net_successes(declared)


def test_the_wounds_of_saving_rolls_after_an_order_count_for_whoever_saves() -> None:
    declared = order("Angus 12 N PS 7 vs Ortega SV 1 ARM 3")
    hit = RULES.start(declared, lambda _: 9)
    assert len(roll_results(hit)) == 1, "nobody has saved yet"
    form = {"weapon": "N PS 7", "armour": "ARM 3"}
    (offer,) = [item for item in RULES.offers(hit) if item.key == "save"]
    saved = RULES.choose(hit, Choice(offer.key, filled=form, by=offer.side), lambda _: 19)
    _, wounds = roll_results(saved)
    assert (wounds.side, wounds.unit, wounds.value, wounds.is_loss) == (
        Side.DEFENDER,
        WOUNDS_TAKEN,
        1,
        True,
    )
    assert wounds.distribution.weights == {0: 10, 1: 10}


def test_before_the_dice_fall_there_is_nothing_to_say() -> None:
    waiting = RULES.declare({"a": {"sv": 12}, "open": True})
    state = RULES.start(waiting, lambda _: prod(()))
    assert roll_results(state) == ()
    assert luck(state) is None
