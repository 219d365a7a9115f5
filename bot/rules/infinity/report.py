"""What a roll came to, in plain JSON words."""

from collections.abc import Mapping

from bot.rules.infinity import saves
from bot.rules.infinity.declared import Order, Save, TrooperRoll
from bot.rules.infinity.order import OpenOrder
from bot.rules.infinity.play import State, is_open, results
from bot.rules.infinity.resolve import Compared, Result


def outcome(state: State) -> Mapping[str, object]:
    """The result so far.

    One roll or Face to Face: ``winner`` (``a``, ``b``, ``nobody``), ``a_hits``, ``a_crits``, ``b_hits``, ``b_crits``,
    and for each side ``dice``, ``kind``, ``fate`` and ``cancelled_by`` (a place among the enemy's dice). Several:
    the same for each in ``results``. ``saves`` are the Saving Rolls that followed; alone they stand at the top.
    ``sums`` as ``sums`` gives them, where the troopers came with the order.
    """
    order = state.declared
    if isinstance(order, Save):
        return saves.outcome(state.saves[0])
    if isinstance(order, OpenOrder) or state.withdrawn or is_open(state):
        return {"withdrawn": state.withdrawn, "waiting_for": "nobody" if state.withdrawn else "b"}
    found = [met(order, at, result) for at, result in enumerate(results(state))]
    made = [{"name": saved.save.name, "result": saved.save.meeting, **saves.outcome(saved)} for saved in state.saves]
    guts = [{"name": one.name, "wip": one.wip, "dice": [die.face for die in one.dice]} for one in state.guts]
    summed = sums(order) if order.told else []
    more = {key: value for key, value in (("saves", made), ("guts", guts), ("sums", summed)) if value}
    return {**(found[0] if len(found) == 1 else {"results": found}), **more}


def sums(order: Order) -> list[dict[str, object]]:
    """How each roll of an order came to its dice: ``name``, ``sv``, ``burst``, ``special_dice`` where there are some.

    ``mods`` are the lines of the sum, each a word and a number, ``not_counted`` what touches the roll and is in none.
    """
    return [
        {
            "name": roll.name,
            "sv": roll.sv,
            "burst": roll.burst,
            **({"special_dice": roll.special} if roll.special else {}),
            "mods": [[mod.what, mod.number] for mod in roll.mods],
            "not_counted": list(roll.not_counted),
        }
        for roll in order.rolls
    ]


def met(order: Order, at: int, result: Result) -> dict[str, object]:
    """One meeting of the order."""
    meeting = order.meetings[at]
    found: dict[str, object] = {"winner": result.winner}
    for key, one in (("a", result.a), ("b", result.b)):
        found |= {f"{key}_hits": one.hits if one else 0, f"{key}_crits": one.crits if one else 0}
    found["a"] = side(order.rolls[meeting.a], result.a)
    found["b"] = None if meeting.b is None or result.b is None else side(order.rolls[meeting.b], result.b)
    return found | ({"target": meeting.target} if meeting.target else {})


def side(roll: TrooperRoll, compared: Compared) -> dict[str, object]:
    return {
        "name": roll.name,
        "sv": roll.sv,
        "dice": [die.face for die in compared.dice],
        "kind": [die.kind for die in compared.dice],
        "fate": list(compared.fates),
        "cancelled_by": list(compared.by),
    }
