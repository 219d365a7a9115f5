"""Laws of ships and their tokens, over whole random games: nothing is ever negative, spent twice, or locked in vain."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings, strategies as st

from bot.rules.errors import PlayerError
from bot.rules.xwing.attack.attack import AttackWindow
from bot.rules.xwing.dice.tokens import CIRCULAR, COUNTED, KINDS, STAYING
from bot.rules.xwing.table import match, ship as fleet
from bot.rules.xwing.table.match import ships_of
from bot.rules.xwing.table.ship import Ship, apply_piece_changes as changed, give, launch, room
from tests.examples import share_of
from tests.rules.xwing.fleet import Fight
from tests.rules.xwing.play import open_offers
from tests.rules.xwing.test_laws import any_choice

NAMES = ("Ana", "Bo", "Cleo", "Dan")
ABILITIES = ("", "reroll 1 blank", "change 1 focus to hit, add 1 evade", "+1 dice green, every crit to hit")

ships = st.builds(
    launch,
    st.sampled_from(NAMES),
    attack=st.integers(0, 4),
    agility=st.integers(0, 3),
    hull=st.integers(1, 5),
    shields=st.integers(0, 3),
    force=st.integers(0, 2),
    charge=st.integers(0, 2),
    initiative=st.integers(0, 3),
    abilities=st.sampled_from(ABILITIES),
)
tables = st.lists(ships, min_size=2, max_size=4, unique_by=lambda ship: ship.name)


def act(table: dict[str, Any], chance: Random) -> tuple[dict[str, Any], Any]:
    """One random thing that somebody does at the table; refused ones change nothing."""
    names = [*table, "Nobody"]
    item, other = chance.choice(names), chance.choice(names)
    change = chance.choice(("give", "give", "take", "lock", "unlock", "engage", "phase", "end", "remove", "attack"))
    try:
        if change in ("give", "take"):
            result = fleet.find(ships_of(table), item)
            ship = give(result, chance.choice(KINDS), chance.choice((1, 2) if change == "give" else (-1,)))
            return {**table, ship.name: ship}, None
        if change == "attack":
            return skirmish(table, chance, item, other)
        ships = ships_of(table)
        steps: dict[str, Callable[[], Mapping[str, Any]]] = {
            "lock": lambda: fleet.lock(ships, item, other),
            "unlock": lambda: fleet.unlock(ships, item),
            "engage": lambda: match.engage(table, item, anyway=chance.random() < 0.5),
            "phase": lambda: match.next_phase(table),
            "end": lambda: match.end_round(table),
            "remove": lambda: (
                fleet.remove_ships(ships, [fleet.find(ships, item).name]) if chance.random() < 0.1 else {}
            ),
        }
        made = steps[change]()
    except PlayerError:
        return table, None
    return changed(table, match.sweep_destroyed(table, made)), None


def skirmish(table: dict[str, Any], chance: Random, item: str, other: str) -> tuple[dict[str, Any], Fight]:
    """A whole attack between two ships in which everybody presses at random."""
    fought = Fight(table, chance.randrange, attacker=item, defender=other, anyway=True)
    while offers := open_offers(fought.state):
        choice = any_choice(chance.choice(offers), chance)
        fought.take(choice.offer, *choice.picked)
    return fought.ships, fought


def game(start: list[Ship], seed: int) -> Iterator[tuple[dict[str, Any], dict[str, Any], Fight | None]]:
    """The table before and after each of many acts, and the attack that it was."""
    table: dict[str, Any] = {ship.name: ship for ship in start}
    chance = Random(seed)
    for _ in range(60):
        after, fought = act(table, chance)
        yield table, after, fought
        table = after


@settings(max_examples=share_of(60))
@given(start=tables, seed=st.integers(0, 2**32))
def test_nothing_is_negative_or_over_its_capacity_and_every_lock_has_its_target(start: list[Ship], seed: int) -> None:
    for _, table, _ in game(start, seed):
        for name, ship in ships_of(table).items():
            assert name == ship.name
            assert all(0 <= ship.has(kind) <= room(ship, kind) for kind in KINDS if "damage" not in kind)
            assert min(len(ship.facedown), len(ship.faceup), ship.hull_left) >= 0
            assert all(ship.tokens.values()), "no empty heaps"
            assert len(ship.locks) <= 1
            assert set(ship.locks) <= set(table) - {name}


@settings(max_examples=share_of(60))
@given(start=tables, seed=st.integers(0, 2**32))
def test_an_attack_spends_each_token_once_and_deals_all_its_damage(start: list[Ship], seed: int) -> None:
    for before, after, fought in game(start, seed):
        if fought is None:
            continue
        state = fought.state
        assert state.window is AttackWindow.OVER
        shooter, target = state.declared.attacker, state.declared.defender
        assert state.declared.defense is not None
        for name, brought, left in (
            (shooter, state.declared.attack, state.attack),
            (target, state.declared.defense, state.defense),
        ):
            for kind in ("focus", "calculate", "force", "evade", "charge", "strain", "deplete"):
                spent = getattr(brought, kind) - getattr(left, kind)
                assert before[name].has(kind) - after[name].has(kind) == spent
        assert (target in before[shooter].locks) - (target in after[shooter].locks) == (
            state.declared.attack.lock - state.attack.lock
        )
        assert state.damage is not None
        hurt, was = after[target], before[target]
        landed = (
            was.shields_left
            - hurt.shields_left
            + len(hurt.facedown)
            - len(was.facedown)
            + len(hurt.faceup)
            - len(was.faceup)
        )
        came = state.damage
        assert landed == came.shields_lost + came.facedown + came.faceup
        assert came.total <= landed <= came.total + len(came.titles) + len(was.faceup), "cards deal further hits"
        assert after[shooter].attacks == before[shooter].attacks + 1 <= 2
        others = [name for name in ships_of(after) if name not in (shooter, target)]
        assert all(replace(after[name], locks=before[name].locks) == before[name] for name in others)
        gone = [name for name in before if name not in after]
        assert all(before[name].destroyed for name in gone), "only those whose time is over leave"


@settings(max_examples=share_of(60))
@given(start=tables, seed=st.integers(0, 2**32))
def test_after_the_end_phase_a_second_one_takes_no_token(start: list[Ship], seed: int) -> None:
    *_, (_, table, _) = game(start, seed)
    once = changed(table, match.end_round(table))
    twice = changed(once, match.end_round(once))
    for name, ship in ships_of(once).items():
        assert not any(ship.tokens.get(kind) for kind in CIRCULAR)
        assert all(ship.has(kind) == table[name].has(kind) for kind in STAYING)
        assert twice[name].tokens == ship.tokens
        assert twice[name].locks == ship.locks
        assert not ship.destroyed
        gained = {kind: ship.has(kind) - table[name].has(kind) for kind in COUNTED}
        assert all(gain in (0, 1) for gain in gained.values())
        assert (gained["force"] == 1) == (table[name].force_left < ship.force)


@settings(max_examples=share_of(60))
@given(start=tables, seed=st.integers(0, 2**32))
def test_steps_go_down_and_end(start: list[Ship], seed: int) -> None:
    """However a game stands, its Engagement Phase can be played to its end, the highest initiative first."""
    *_, (_, table, _) = game(start, seed)
    while (now := match.match_of(table)) is None or now.phase is not match.Phase.ENGAGEMENT:
        table = changed(table, match.next_phase(table))
    steps: list[int] = []
    while ships := match.waiting_ships(match.match_of(table), ships_of(table)):
        steps.append(ships[0].initiative)
        table = changed(table, match.sweep_destroyed(table, match.engage(table, ships[0].name)))
    assert steps == sorted(steps, reverse=True)
