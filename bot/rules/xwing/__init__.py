"""X-Wing 2nd edition: an attack between two people, step by step, and loose dice."""

from collections.abc import Mapping

from bot.rules.dice import Rng, Rolled
from bot.rules.game import Choice, Offer
from bot.rules.text import Name
from bot.rules.xwing.attack import attack, json_attacks
from bot.rules.xwing.attack.attack import Attack
from bot.rules.xwing.dice import loose_dice
from bot.rules.xwing.dice.declared import Declared, attack_pool, defense_pool
from bot.rules.xwing.dice.loose_dice import LooseDice, LooseRoll

KEY = "xwing"
TITLE = Name("X-Wing")
SCHEMA = 1
State = Attack | LooseRoll
declare = json_attacks.declare


def dice_count(declared: Declared | LooseDice) -> int:
    """Return the larger pool of an attack, as they are rolled in turn; all loose dice."""
    if isinstance(declared, LooseDice):
        return declared.red + declared.green
    return max(attack_pool(declared), defense_pool(declared))


def start(declared: Declared | LooseDice, rng: Rng) -> Attack | LooseRoll:
    return loose_dice.start(declared, rng) if isinstance(declared, LooseDice) else attack.start(declared, rng)


def rolled(state: Attack | LooseRoll) -> tuple[Rolled, ...]:
    return (*state.red, *state.green)


def offers(state: Attack | LooseRoll) -> tuple[Offer, ...]:
    return loose_dice.offers(state) if isinstance(state, LooseRoll) else attack.offers(state)


def choose(state: Attack | LooseRoll, choice: Choice, rng: Rng) -> Attack | LooseRoll:
    return loose_dice.choose(state, choice, rng) if isinstance(state, LooseRoll) else attack.choose(state, choice, rng)


def stake(state: Attack | LooseRoll) -> tuple[Declared, int] | None:
    """Return a finished attack's declaration and damage; None for any other roll."""
    if isinstance(state, LooseRoll) or state.damage is None:
        return None
    return state.declared, state.damage.total


def outcome(state: Attack | LooseRoll) -> Mapping[str, object]:
    return loose_dice.outcome(state) if isinstance(state, LooseRoll) else attack.outcome(state)
