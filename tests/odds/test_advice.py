"""Advice: equal to trying everything that the real rules offer, in words that fit, and without touching a state."""

from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from bot.games import GAMES
from bot.odds.advice import Advice, NamedNumber
from bot.odds.xwing import advice, distribution
from bot.odds.xwing.advice import advise, aims
from bot.render.advice import card
from bot.rules.errors import BadInputError, NotOfferedError
from bot.rules.game import Choice, Side
from bot.rules.text import Name, Text, english
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import ACTS, Attack
from bot.rules.xwing.attack.json_attacks import declare_attack as declare
from bot.rules.xwing.dice import loose_dice
from bot.rules.xwing.dice.tokens import ON_SIDE, SPENT
from bot.sessions import codec
from tests.every_way import every_way
from tests.examples import share_of
from tests.odds.xwing.by_choice import KINDS, Oracle, Worth
from tests.rules.xwing.play import begin, open_offers as offers, play
from tests.starts import chance, declarations, some_choice
from tests.test_laws import ENDLESS

NAMES: Final = {"average damage": "damage", "at least 1 damage": "hurt", "a crit": "crit", "destroyed": "kill"}

SMALL: Final = [
    # dice, agility, how the dice lie (of both pools where both have fallen), attacker, defender
    (2, 1, "blank focus", "lock, focus, calculate", "focus, evade, hull 2"),
    (2, 2, "focus focus", "focus, calculate, force", "evade, hull 1"),
    (2, 0, "hit blank", "lock, change 1 hit to crit", "reinforce, hull 2, shields 1"),
    (2, 0, "blank focus", "lock, calculate, reroll 1 blank", ""),
    (2, 0, "blank focus", "reroll 2 blank, reroll 1, force", "hull 2"),
    (2, 1, "focus blank", "reroll 1 blank or focus, change 1 blank to focus, every crit to hit, focus", ""),
    (1, 0, "hit", "add 1 focus, add 1 crit, lock", ""),
    (1, 1, "hit", "reroll 1 green", "cancel 1 red hit, reroll 1 blank, evade"),
    (2, 1, "hit crit", "focus", "change 1 red crit to hit, cancel 1 red hit, evade, hull 1"),
    (2, 1, "hit blank", "lock, force", "reroll 1 red, focus, hull 2"),
    (2, 1, "crit hit", "lock", "reroll 2 red hit or crit, change 1 red crit to hit, hull 2"),
    (1, 2, "hit evade focus", "cancel 1 green evade, reroll 1 green", "focus, evade"),
    (2, 2, "hit crit evade blank", "reroll 1 green, change 1 green evade to focus", "reroll 1 blank, calculate"),
    (2, 2, "hit crit focus blank", "", "focus, evade, calculate, force, hull 1"),
    (2, 2, "hit crit focus blank", "", "reroll 1 blank or focus, reroll 1 blank, evade, hull 2, shields 1"),
    (2, 1, "hit crit blank", "", "add 1 evade, change 1 blank to focus, force 2, reinforce, evade"),
]  # fmt: skip  # a table: one row a line


def same(result: Advice, expected: Worth, side: Side) -> None:
    numbers = {english(number.name): number.value for number in result.numbers}
    for name, key in NAMES.items():
        assert numbers.get(name, expected[key]) == expected[key], (result.label, name)
    for kind in KINDS[side]:
        left = expected[f"{side} {kind}"]
        assert numbers.get(f"{kind} left", left) == left, (result.label, kind)


@pytest.mark.slow
@pytest.mark.parametrize(("dice", "agility", "shown", "mine", "theirs"), SMALL)
def test_advice_is_what_trying_everything_gives(dice: int, agility: int, shown: str, mine: str, theirs: str) -> None:
    check(begin(dice, agility, shown, mine, theirs))


def check(state: Attack) -> None:
    """Every offer of a window, for every aim."""
    side, _ = ACTS[state.window]
    for aim in aims(state):
        everything = Oracle(side, aim).each(state)
        advice = [one for one in advise(state, aim) if one.offer]
        assert {one.offer for one in advice} == everything.keys()
        for item in advice:
            same(item, everything[item.offer], side)
            assert item.saves == (side is Side.DEFENDER and not everything[item.offer]["hurt"])


def test_advice_at_range_0_knows_that_nothing_may_be_modified() -> None:
    check(begin(2, 1, "hit focus", "focus, cancel 1 red hit", "", range=0))


def test_a_token_kept_is_worth_the_same_as_not_having_it() -> None:
    """``Keep`` lines: the window played on without that token."""
    state = begin(2, 1, "blank focus", "lock, focus, calculate", "evade")
    without = begin(2, 1, "blank focus", "lock, calculate", "evade")
    kept = {item.label: item for item in advise(state) if not item.offer}
    assert kept.keys() == {"Keep focus", "Keep calculate", "Keep lock"}
    same(
        kept[Text("Keep focus")],
        Oracle(Side.ATTACKER, "damage").worth(without) | {"attacker focus": Fraction(1)},
        Side.ATTACKER,
    )
    evades = [number.value for number in kept[Text("Keep focus")].numbers if english(number.name).startswith("evades")]
    assert evades == [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)], "a focus turns 2 of 8 faces of each die"


def test_a_calculate_kept_turns_one_focus_result_of_a_defense() -> None:
    kept = next(item for item in advise(begin(1, 0, "focus", "calculate", "")) if not item.offer)
    evades = [number.value for number in kept.numbers if english(number.name).startswith("evades")]
    assert evades == [Fraction(1, 4), Fraction(7, 16), Fraction(37, 64)], "1 - (3/4) ** dice"


def test_the_trap_of_the_rules_page() -> None:
    """With a lock and a calculate, one focus and two blanks: reroll all three, 2.078 hits to 2.0."""
    best, keeps = advise(begin(3, 0, "focus blank blank", "lock, calculate", ""))[:2]
    assert best.label == "Lock: reroll dice 1, 2, and 3 (focus, blank, blank)"
    assert best.picked == ("0", "1", "2")
    assert [round(float(item.numbers[0].value), 3) for item in (best, keeps)] == [2.078, 2.0]


def test_dice_are_named_in_words() -> None:
    labels = [item.label for item in advise(begin(3, 0, "hit focus blank", "lock, reroll 1 blank, focus", ""))]
    assert labels == [
        "Card: reroll die 3 (blank)",
        "Lock: reroll die 3 (blank)",
        "Focus: 1 to hit",
        "Done",
        "Keep focus",
    ], "with the card's reroll the lock is not needed"


def test_advice_names_the_card_alone_where_its_button_says_more() -> None:
    result = advise(begin(2, 0, "blank blank", "lock, reroll 1 instead of lock", ""))
    assert "Card: reroll die 1 (blank)" in [english(item.label) for item in result]


def test_where_every_choice_saves_the_ship_the_advice_says_what_the_best_one_keeps() -> None:
    """There are no bars without numbers."""

    def choice(label: str, focus: int, force: int, *, is_best: bool = False) -> Advice:
        left = {"focus": focus, "force": force}
        kept = (
            NamedNumber(Name(kind), Fraction(count), is_probability=False, kept=Name(kind))
            for kind, count in left.items()
        )
        damage = NamedNumber(Text("average damage"), Fraction(0), is_probability=False, is_main=True)
        return Advice(offer=label, label=Name(label), numbers=(damage, *kept), is_best=is_best, saves=True)

    shown = card([choice("Force", 1, 0, is_best=True), choice("Focus", 0, 1)], Text("survive"))
    assert english(shown.outcome) == "All of these save you; Force keeps focus."
    assert shown.figure is None
    alike = card([choice("Evade", 1, 1, is_best=True), choice("Done", 1, 1, is_best=True)], Text("survive"))
    assert english(alike.outcome) == "All of these save you."


def test_aims_differ() -> None:
    """Five hits are sure against nothing; for a crit all of them are rolled again, for tokens nothing is done."""
    state = begin(2, 0, "hit focus", "lock, focus", "hull 2")
    assert [advise(state, aim)[0].label for aim in aims(state)] == [
        "Focus: 1 to hit",
        "Focus: 1 to hit",
        "Lock: reroll dice 1 and 2 (hit, focus)",
        "Done",
    ]


def test_the_mean_over_all_falls_is_the_mean_of_the_odds() -> None:
    """The best advice, averaged over how the attack dice fall, is what `odds` says of the attack."""
    whole = begin(2, 2, "blank blank", "focus, lock", "focus, evade").declared
    best = every_way(lambda rng: advise(attack.start(whole, rng))[0].numbers[0].value)
    assert sum(mean * chance for mean, chance in best.items()) == distribution(whole).mean(sum)


# What is asked


def test_there_is_advice_in_windows_on_dice_only() -> None:
    assert aims(begin(2, None, "", "focus")) == {}, "the defender has still to say what they bring"
    assert aims(begin(2, 1, "hit hit blank")) == {}, "it is over"
    assert aims(loose_dice.start(loose_dice.LooseDice(red=2, green=1), chance(0))) == {}


def test_the_kill_is_an_aim_where_the_hull_is_known() -> None:
    assert list(aims(begin(1, 0, "focus", "focus"))) == ["damage", "crits", "tokens"]
    assert list(aims(begin(1, 0, "focus", "focus", "hull 2"))) == ["damage", "kill", "crits", "tokens"]
    assert aims(begin(1, 1, "hit blank", "", "evade"))["damage"] == "least damage"


@pytest.mark.parametrize("aim", ["kill", "", "nonsense"])
def test_another_aim_is_refused(aim: str) -> None:
    with pytest.raises(NotOfferedError):
        advise(begin(1, 0, "focus", "focus"), aim)


def test_too_much_to_count_is_refused_in_words() -> None:
    many = {"dice": 6, "lock": 1, "force": 2, "calculate": 2, "rerolls": [1, 2, 3], "add_focus": 4, "add_blank": 4}
    state = play(declare({"attack": many, "defense": {}}), "blank blank focus focus hit crit")
    with pytest.raises(BadInputError, match="fewer or smaller rerolls"):
        advise(state, "crits")


@settings(max_examples=share_of(30), deadline=None)
@given(data=st.data())
def test_any_window_has_advice_that_can_be_taken(data: st.DataObject) -> None:
    """Every offer once, best first, picks that the rules accept; and the state is as it was."""
    game, rng = GAMES["xwing"].rules, chance(data.draw(st.integers(0, 10**6)))
    state = game.start(data.draw(declarations(GAMES["xwing"])), rng)
    for _ in range(6):
        for aim in advice.aims(state):
            before = codec.write_state(game, state)
            try:
                result = [item for item in advice.advise(state, aim) if item.offer]
            except BadInputError:
                continue
            assert codec.write_state(game, state) == before
            stored = codec.read_state(game, game.SCHEMA, before)
            assert [item for item in advice.advise(stored, aim) if item.offer] == result
            assert sorted(item.offer for item in result) == sorted(offer.key for offer in offers(state))
            assert all(game.choose(state, Choice(item.offer, item.picked), chance(0)) for item in result)
            assert all(0 <= number.value <= 1 for item in result for number in item.numbers if number.is_probability)
        if not (open_offers := [offer for offer in game.offers(state) if offer.key not in (*ENDLESS, "camera")]):
            return
        state = game.choose(state, some_choice(data, data.draw(st.sampled_from(open_offers))), rng)


@pytest.mark.parametrize("side", Side)
def test_the_odds_know_every_token_that_changes_dice(side: Side) -> None:
    changing = {token.name for token in ON_SIDE[side].values() if token.turns or token.rerolls}
    assert set(SPENT[side]) == changing


def test_advice_names_what_an_offer_names_in_any_language() -> None:
    """The token or card of a label stays a message; a label that names none is its own name."""
    for place in ("token", "card"):
        named = Text("Focus")
        assert advice.source(Text(f"{{{place}}}: 1 focus to hit", **{place: named})) is named
        assert advice.source(Text("{label} (2 left)", label=Text(f"{{{place}}}: add 1 hit", **{place: named}))) is named
    assert advice.source(Text("Done")) == "Done"
