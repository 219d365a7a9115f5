"""What an order may not be, whichever way it was declared."""

from collections import Counter

from bot.rules.errors import BadInput
from bot.rules.infinity.declared import ENEMIES_MOST, MEETINGS_MOST, Order, Roll


def checked(order: Order) -> Order:
    """The order itself, if its dice can fall like this; raises ``BadInput`` naming what cannot.

    Physical dice are all there or none is; no order grows past its limits.
    """
    if len(order.meetings) > MEETINGS_MOST:
        raise BadInput("order", f"{len(order.meetings)} comparisons", f"at most {MEETINGS_MOST} comparisons")
    for roll in order.rolls:
        check_dice(roll)
    check_not_mixed(order)
    check_enemies(order)
    return order


def check_dice(roll: Roll) -> None:
    """Refuse the wrong number of physical dice."""
    if roll.dice is None or len(roll.dice) == roll.thrown:
        return
    field, given = f"dice of {roll.called}", ", ".join(map(str, roll.dice))
    if not roll.thrown:
        raise BadInput(field, given, f"none: a Success Value of {roll.sv} fails without a roll")
    special = f" and {roll.special} SD" if roll.special else ""
    raise BadInput(field, given, f"exactly {roll.thrown} for Burst {roll.burst}{special}")


def check_not_mixed(order: Order) -> None:
    """An order is rolled by hand or by the bot, never half by each."""
    falling = [roll for roll in order.rolls if roll.thrown]
    missing = [roll for roll in falling if roll.dice is None]
    if 0 < len(missing) < len(falling):
        allowed = "faces as well: an order is rolled by hand or by the bot, never half by each"
        raise BadInput(f"dice of {missing[0].called}", "", allowed)


def check_enemies(order: Order) -> None:
    met = Counter(place for meeting in order.meetings for place in (meeting.a, meeting.b) if place is not None)
    for place, count in met.items():
        if count > ENEMIES_MOST:
            field = f"enemies of {order.rolls[place].called}"
            raise BadInput(field, f"{count} enemies", f"at most {ENEMIES_MOST} for the same dice")
