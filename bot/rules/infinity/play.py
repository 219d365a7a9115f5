"""An Infinity roll from its declaration to its Saving Rolls (rules page, Face to Face Roll and Saving Rolls).

A Face to Face that was opened with one side declared offers the answer to the other: no die falls before it is in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.rules.dice import Rng, Rolled, entered, roll
from bot.rules.game import Choice, Offer, Side, taken
from bot.rules.infinity import forms, saves
from bot.rules.infinity.check import checked
from bot.rules.infinity.declared import Ammo, Declared, Meeting, Order, Roll, Save, Weapon
from bot.rules.infinity.resolve import Die, Result, Winner, face_to_face, normal, read
from bot.rules.infinity.saves import FACES, Saved

AGAIN: Final = Offer("again", Side.ATTACKER, "Roll again with the same values", reopens=True)
WITHDRAW: Final = Offer("withdraw", Side.ATTACKER, "Withdraw")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A declaration and what fell: for each roll of an order its dice, then the Saving Rolls made so far.

    A special die's superfluous dice lie among the others; which they are follows from the faces.
    """

    declared: Declared
    dice: tuple[tuple[Rolled, ...], ...] = ()
    saves: tuple[Saved, ...] = ()
    withdrawn: bool = False


def dice_count(declared: Declared) -> int:
    """All dice of an order, or all Saving Rolls."""
    return len(saves.due(declared)) if isinstance(declared, Save) else sum(one.thrown for one in declared.rolls)


def start(declared: Declared, rng: Rng) -> State:
    """All dice of the order at once, or the Saving Rolls.

    While the other side has still to answer none is rolled; those that lie already are told at once.
    """
    if isinstance(declared, Save):
        return State(declared=declared, saves=(saves.made(declared, rng, Side.ATTACKER),))
    if declared.awaits:
        lying = tuple(entered("d20", one.dice, Side.ATTACKER) for one in declared.rolls if one.dice is not None)
        return State(declared=declared, dice=lying)
    return State(declared=declared, dice=tuple(throw(one, rng, Side.ATTACKER) for one in declared.rolls))


def rolled(state: State) -> tuple[Rolled, ...]:
    """The dice of each roll of the order, then the Saving Rolls."""
    return tuple(die for dice in (*state.dice, *(saved.dice for saved in state.saves)) for die in dice)


def throw(one: Roll, rng: Rng, by: Side) -> tuple[Rolled, ...]:
    """The dice of one roll, or those that ``by`` has typed; none at a Success Value below 1."""
    if one.dice is not None:
        return entered("d20", one.dice, by)
    return roll("d20", FACES, one.thrown, rng, f"{one.side} {one.name}".strip())


def is_open(state: State) -> bool:
    """Whether the other side has still to answer."""
    return isinstance(state.declared, Order) and state.declared.awaits and not state.withdrawn


def dice_of(state: State, order: Order, place: int) -> tuple[Die, ...]:
    """A roll's dice with their scores."""
    one = order.rolls[place]
    return read([int(die.face) for die in state.dice[place]], one.sv, order.edition, one.special)


def results(state: State) -> tuple[Result, ...]:
    """What each meeting of the order came to; empty before the dice fall, and for Saving Rolls alone."""
    if not isinstance(state.declared, Order) or state.declared.awaits:
        return ()
    order = state.declared
    dice = [dice_of(state, order, place) for place in range(len(order.rolls))]
    return tuple(
        normal(dice[meeting.a]) if meeting.b is None else face_to_face(dice[meeting.a], dice[meeting.b])
        for meeting in order.meetings
    )


def landed(state: State) -> tuple[Save, ...]:
    """Every attack that hit somebody, as the Saving Rolls it calls for; a ``power`` of 0 is still to be said."""
    found = []
    for at, result in enumerate(results(state)):
        stands = result.b if result.winner == "b" else result.a
        if isinstance(state.declared, Order) and result.winner != "nobody" and stands is not None:
            hit = hit_by(state.declared, at, result.winner)
            found += [replace(hit, hits=stands.hits, crits=stands.crits)] if hit else []
    return tuple(found)


def hit_by(order: Order, at: int, winner: Winner) -> Save | None:
    """What the loser of a meeting saves against, hits still to be counted; None if a Dodge or a Reset wins it."""
    meeting = order.meetings[at]
    enemy = None if meeting.b is None else order.rolls[meeting.b]
    attack, target = (order.rolls[meeting.a], enemy) if winner == "a" else (enemy, order.rolls[meeting.a])
    if attack is None or not attack.action.is_attack:
        return None
    weapon = attack.weapon or Weapon(ammo=Ammo.N, power=0)
    return Save(
        hits=0,
        ammo=weapon.ammo,
        power=weapon.power,
        arm=target.armour.arm if target and target.armour else 0,
        bts=target.armour.bts if target and target.armour else None,
        edition=order.edition,
        name=target.name if target else meeting.target,
        side=attack.side.other,
        meeting=at,
    )


def offers(state: State) -> tuple[Offer, ...]:
    """The answer or the withdrawal of an open roll; afterwards Saving Rolls for those who were hit, and once more."""
    if state.withdrawn:
        return ()
    if is_open(state):
        return (react(state), WITHDRAW)
    rolled_here = not any(one.dice for one in rolls(state.declared)) and (any(state.dice) or bool(state.saves))
    return (*save_offers(state), *((AGAIN,) if rolled_here else ()))


def rolls(declared: Declared) -> tuple[Roll | Save, ...]:
    """What may have physical dice."""
    return declared.rolls if isinstance(declared, Order) else (declared,)


def react(state: State) -> Offer:
    """The form of the answer; it asks for faces where the other side rolled by hand."""
    by_hand = any(one.dice for one in rolls(state.declared))
    return Offer("react", Side.DEFENDER, "React", fields=(*forms.REACT, *((forms.DICE,) if by_hand else ())))


def save_offers(state: State) -> tuple[Offer, ...]:
    """A form for each attack that hit and was not saved against yet."""
    hits, done = landed(state), {saved.save.meeting for saved in state.saves}
    return tuple(
        Offer(save_key(hit, hits), hit.side, save_label(hit), fields=forms.save_fields(hit), free=True)
        for hit in hits
        if hit.meeting not in done
    )


def save_key(hit: Save, hits: tuple[Save, ...]) -> str:
    return "save" if len(hits) == 1 else f"save-{hit.meeting + 1}"


def save_label(hit: Save) -> str:
    whose = f" of {hit.name}" if hit.name else ""
    counts = [f"{hit.hits} hit{'s' * (hit.hits > 1)}"] * (hit.hits > 0)
    counts += [f"{hit.crits} Critical{'s' * (hit.crits > 1)}"] * (hit.crits > 0)
    return f"Saving Rolls{whose}: {' and '.join(counts)}"


def choose(state: State, choice: Choice, rng: Rng) -> State:
    """The state after a choice. Raises ``NotOffered``, and ``BadInput`` or ``BadWord`` for what a form holds."""
    offer, filled = taken(offers(state), choice), choice.filled or {}
    if offer.key == WITHDRAW.key:
        return replace(state, withdrawn=True)
    if offer.key == AGAIN.key:
        return start(asked(state.declared), rng)
    if isinstance(state.declared, Order) and is_open(state):
        both = answered(state.declared, filled)
        fallen = tuple(throw(one, rng, choice.by) for one in both.rolls[len(state.dice) :])
        return replace(state, declared=both, dice=(*state.dice, *fallen))  # what lay before the answer lies on
    hits = landed(state)
    hit = next(hit for hit in hits if save_key(hit, hits) == offer.key)
    return replace(state, saves=(*state.saves, saves.made(forms.read_save(filled, hit), rng, choice.by)))


def asked(declared: Declared) -> Declared:
    """The declaration as it was opened: where the other side has answered, they are asked again."""
    if not isinstance(declared, Order) or not declared.answered:
        return declared
    mine, reaction = declared.rolls
    meeting = Meeting(a=0, target=reaction.name)
    return replace(declared, rolls=(mine,), meetings=(meeting,), awaits=True, answered=False)


def answered(order: Order, filled: Mapping[str, str]) -> Order:
    """The Face to Face with both sides declared."""
    reaction = replace(forms.answer(filled, order.meetings[0].target), side=Side.DEFENDER)
    both = replace(order, rolls=(order.rolls[0], reaction), meetings=(Meeting(a=0, b=1),), awaits=False, answered=True)
    return checked(both)
