"""Laws of every attack on random walks, and exact chances by walking every way in which the dice can fall."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, strategies as st

from bot.rules.dice import Rng
from bot.rules.errors import NotOfferedError
from bot.rules.game import Choice, Offer, Side
from bot.rules.text import english
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import Attack, AttackWindow
from bot.rules.xwing.attack.json_attacks import declare_attack
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.rules.xwing.dice.tokens import HeldTokens
from tests.every_way import every_way
from tests.rules.xwing.lineups import line_ups
from tests.rules.xwing.play import keys, open_offers
from tests.rules.xwing.test_declare import GOLDEN
from tests.starts import drawn

# Laws

declarations = st.builds(
    Declared,
    attack=line_ups(Side.ATTACKER, 8),
    defense=line_ups(Side.DEFENDER, 8),
    range=st.sampled_from([None, 0, 1, 2, 3]),
    obstructed=st.booleans(),
    hull=st.sampled_from([None, 1, 5]),
    shields=st.integers(0, 3),
)


def any_choice(offer: Offer, chance: Random) -> Choice:
    """One way to take an offer."""
    filled = {"agility": "2", "tokens": "focus"} if offer.fields else None
    return Choice(offer.key, drawn(offer, chance), filled)


def walk(declared: Declared, seed: int) -> list[Attack]:
    """The states of one attack in which everybody presses at random; it ends, or the test does."""
    chance = Random(seed)
    states = [attack.start(declared, chance.randrange)]
    while offers := open_offers(states[-1]):
        states.append(attack.choose(states[-1], any_choice(chance.choice(offers), chance), chance.randrange))
        assert len(states) < 500, "offers never end"
    return states


@given(declared=declarations, seed=st.integers(0, 2**32))
def test_offers_end_and_the_attack_is_over(declared: Declared, seed: int) -> None:
    last = walk(declared, seed)[-1]
    assert last.window is AttackWindow.OVER
    assert last.damage is not None


@given(declared=declarations, seed=st.integers(0, 2**32))
def test_every_offer_can_be_chosen_and_belongs_to_the_side_that_acts(declared: Declared, seed: int) -> None:
    for state in walk(declared, seed):
        offers = open_offers(state)
        assert len({offer.key for offer in offers}) == len(offers)
        assert len({offer.side for offer in offers}) <= 1
        for offer in offers:
            attack.choose(state, any_choice(offer, Random(seed)), Random(seed).randrange)


@given(declared=declarations, seed=st.integers(0, 2**32), forged=st.data())
def test_nothing_else_can_be_chosen(declared: Declared, seed: int, forged: st.DataObject) -> None:
    tokens = ["focus", "calculate", "force", "evade", "lock", "defend", "withdraw", "done", "effect-0", "effect-9"]
    for state in walk(declared, seed):
        offered = {offer.key: offer for offer in open_offers(state)}
        key = forged.draw(st.sampled_from(tokens))
        if key not in offered or not offered[key].options:
            choice = Choice(key, ("0",) if key in offered else ())
            with pytest.raises(NotOfferedError):
                attack.choose(state, choice, Random(seed).randrange)


@given(declared=declarations, seed=st.integers(0, 2**32))
def test_dice_never_vanish_and_their_trails_only_grow(declared: Declared, seed: int) -> None:
    states = walk(declared, seed)
    for before, after in pairwise(states):
        for old, new in ((before.red, after.red), (before.green, after.green)):
            assert len(new) >= len(old)
            for die, later in zip(old, new, strict=False):
                assert later.trail[: len(die.trail)] == die.trail
    for die in states[-1].red + states[-1].green:
        assert sum(step.how == "rerolled" for step in die.trail) <= 1
        assert all(step.how not in ("cancelled", "spent") for step in die.trail[:-1])


@given(declared=declarations, seed=st.integers(0, 2**32))
def test_tokens_are_never_gained_and_never_negative(declared: Declared, seed: int) -> None:
    states = walk(declared, seed)
    names = HeldTokens.__slots__
    for before, after in pairwise(states):
        for side in Side:
            for name in names:
                assert 0 <= getattr(after.side(side), name) <= getattr(before.side(side), name)


@given(declared=declarations, seed=st.integers(0, 2**32))
def test_equal_declaration_and_equal_chance_give_equal_states(declared: Declared, seed: int) -> None:
    assert walk(declared, seed) == walk(declared, seed)


@given(declared=declarations, seed=st.integers(0, 2**32))
def test_the_buttons_and_lists_fit_on_one_message(declared: Declared, seed: int) -> None:
    """Ten buttons in two rows, and three lists."""
    for state in walk(declared, seed):
        offers = open_offers(state)
        assert sum(not offer.options for offer in offers) <= 10
        assert sum(bool(offer.options) for offer in offers) <= 3
        assert all(len(english(offer.label)) <= 80 for offer in offers if not offer.options)


@given(declared=declarations, seed=st.integers(0, 2**32))
def test_an_attack_waits_for_the_defender_and_then_goes_on_as_ever(declared: Declared, seed: int) -> None:
    rng = Random(seed).randrange
    state = attack.start(replace(declared, defense=None), rng)
    assert keys(state) == ["defend", "withdraw"]
    state = attack.choose(state, Choice("defend", filled={"agility": "2", "tokens": "focus"}), rng)
    whole = replace(declared, defense=LineUp(dice=2, focus=1), hull=None, shields=0)
    started = attack.start(whole, Random(seed).randrange)
    assert (state.window, state.red, state.green, state.damage) == (
        started.window,
        started.red,
        started.green,
        started.damage,
    )


# Every way the dice can fall, against the exact numbers of the rules page and the golden file

Policy = Callable[[tuple[Offer, ...], Attack], Choice]


def press_first(*wanted: str) -> Policy:
    """Press the first of these that is offered, and Done when none is."""

    def policy(offers: tuple[Offer, ...], state: Attack) -> Choice:
        offered = [offer.key for offer in offers]
        return Choice(next((key for key in wanted if key in offered), "done"))

    return policy


def lock_blanks_then_press_first(*wanted: str, faces: tuple[str, ...] = ("blank",)) -> Policy:
    """Reroll every die that shows one of ``faces`` with the lock, then press."""
    press = press_first(*wanted)

    def policy(offers: tuple[Offer, ...], state: Attack) -> Choice:
        lock = next((offer for offer in offers if offer.key == "lock"), None)
        options = lock.options if lock else ()
        picked = tuple(option.value for option in options if state.red[int(option.value)].face in faces)
        return Choice("lock", picked) if picked else press(offers, state)

    return policy


def resolved(raw: dict[str, object], policy: Policy) -> dict[Attack, Fraction]:
    """The chance of each end of an attack in which both sides follow a policy."""

    def play(rng: Rng) -> Attack:
        state = attack.start(declare_attack(raw), rng)
        while offers := open_offers(state):
            state = attack.choose(state, policy(offers, state), rng)
        return state

    return every_way(play)


def joint(raw: dict[str, object], policy: Policy) -> dict[str, Fraction]:
    chances: dict[str, Fraction] = {}
    for state, chance in resolved(raw, policy).items():
        assert state.damage is not None
        key = f"{state.damage.hits},{state.damage.crits}"
        chances[key] = chances.get(key, Fraction(0)) + chance
    return chances


def mean(raw: dict[str, object], policy: Policy) -> Fraction:
    return sum((chance * sum(map(int, key.split(","))) for key, chance in joint(raw, policy).items()), Fraction(0))


ALL = press_first("effect-0", "effect-1", "focus", "calculate", "force", "evade")
LOCK_BLANKS = lock_blanks_then_press_first("focus")
LOCK_ALL = lock_blanks_then_press_first(faces=("blank", "focus"))


@pytest.mark.parametrize(
    ("attacker", "policy", "a_die"),
    [
        ({}, ALL, "1/2"),
        ({"focus": 1}, ALL, "3/4"),
        ({"focus": 1, "lock": 1}, LOCK_BLANKS, "15/16"),
        ({"lock": 1}, LOCK_ALL, "3/4"),
    ],
)
@pytest.mark.parametrize("dice", [1, 2])
def test_the_averages_of_attack_dice(attacker: dict[str, object], policy: Policy, a_die: str, dice: int) -> None:
    """Two dice with focus and lock: 15/8, where the source's table errs with 1.86."""
    assert mean({"attack": {"dice": dice, **attacker}}, policy) == dice * Fraction(a_die)


@pytest.mark.parametrize(("tokens", "a_die"), [({}, "3/8"), ({"focus": 1}, "5/8")])
@pytest.mark.parametrize("dice", [1, 2])
def test_the_averages_of_defense_dice(tokens: dict[str, object], a_die: str, dice: int) -> None:
    """Against so many hits that every evade counts."""
    raw: dict[str, object] = {"attack": {"dice": dice, "all_hits": 1}, "defense": {"dice": dice, **tokens}}
    assert dice - mean(raw, ALL) == dice * Fraction(a_die)


@pytest.mark.parametrize(
    "name",
    [
        "a=1 d=0",
        "a=2 d=0",
        "a=3 d=0",
        "a=2 ac=1 d=0",
        "a=2 ac=1 ao=1 d=0",
        "a=3 ac=2 d=0",
        "a=3 af=1 d=1 df=1",
        "a=3 allhit=1 d=3",
        "a=3 h2c=1 allhit=1 d=2 df=1",
        "a=4 h2c=2 allhit=1 d=3 df=1",
    ],
)
def test_every_way_gives_the_golden_chances(name: str) -> None:
    """Cases in which pressing whatever is offered is the stated policy."""
    case = next(case for case in GOLDEN["cases"] if case["id"] == name)
    raw = {"attack": case["attack"], "defense": case["defense"]}
    assert joint(raw, ALL) == {key: Fraction(chance) for key, chance in case["joint"].items()}


def test_two_red_dice_with_focus_against_one_green_with_focus() -> None:
    """By hand: a red die is a crit in 1/8, a hit in 5/8, nothing in 1/4; the green die an evade in 5/8."""
    hit, crit, none, evade = Fraction(5, 8), Fraction(1, 8), Fraction(1, 4), Fraction(5, 8)
    raw: dict[str, object] = {"attack": {"dice": 2, "focus": 1}, "defense": {"dice": 1, "focus": 1}}
    assert joint(raw, ALL) == {
        "2,0": hit**2 * (1 - evade),
        "1,0": hit**2 * evade + 2 * hit * none * (1 - evade),
        "1,1": 2 * hit * crit * (1 - evade),
        "0,1": 2 * hit * crit * evade + 2 * crit * none * (1 - evade) + crit**2 * evade,
        "0,2": crit**2 * (1 - evade),
        "0,0": none**2 + 2 * none * (hit + crit) * evade,
    }


def test_the_trap_rerolling_the_focus_result_too_is_better() -> None:
    """One focus and two blanks with one calculate: rerolling all three gives 2.078, keeping the focus result 2.0."""

    def after(picked: tuple[str, ...]) -> Fraction:
        def play(rng: Rng) -> int:
            raw = {"attack": {"dice": 3, "lock": 1, "calculate": 1}, "red": ["focus", "blank", "blank"]}
            state = attack.choose(attack.start(declare_attack(raw), rng), Choice("lock", picked), rng)
            while offers := open_offers(state):
                state = attack.choose(state, press_first("calculate")(offers, state), rng)
            assert state.damage is not None
            return state.damage.total

        return sum((chance * total for total, chance in every_way(play).items()), Fraction(0))

    assert after(("1", "2")) == 2
    assert round(float(after(("0", "1", "2"))), 3) == 2.078


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_a_reinforce_token_never_cancels_the_last_result(dice: int) -> None:
    """It takes one away wherever two or more would be left."""
    with_token = mean({"attack": {"dice": dice}, "defense": {"reinforce": 1}}, ALL)
    two_or_more = sum(
        (chance for key, chance in joint({"attack": {"dice": dice}}, ALL).items() if sum(map(int, key.split(","))) > 1),
        Fraction(0),
    )
    assert with_token == Fraction(dice, 2) - two_or_more


def test_destroyed_by_two_dice() -> None:
    """Two dice with focus need two of 3/4 each for a hull of two."""
    ends = resolved({"attack": {"dice": 2, "focus": 1}, "hull": 2}, ALL)
    assert sum((chance for state, chance in ends.items() if state.damage and state.damage.destroyed), Fraction(0)) == (
        Fraction(9, 16)
    )
