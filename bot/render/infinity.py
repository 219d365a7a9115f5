"""Infinity on a card: Face to Face and Normal Rolls, whole orders, Saving Rolls."""

from collections.abc import Mapping
from typing import Final

from bot.render.card import Ahead, Card, Strip, Tile, join_names, quantity
from bot.rules.game import Side
from bot.rules.infinity.declared import SIDES, Action, Meeting, Order, Roll, Save, total
from bot.rules.infinity.play import State, is_open, landed, results
from bot.rules.infinity.resolve import CRITICAL, Compared, Die, Result
from bot.rules.infinity.saves import STATES, Saved, due, failed, target, wounds

Names = Mapping[Side, str]

UNNAMED: Final[Names] = {Side.ATTACKER: "The active trooper", Side.DEFENDER: "The reactive trooper"}
VERBS: Final[Mapping[Action, tuple[str, str]]] = {
    Action.SHOOT: ("wins", "beats"),
    Action.TEMPLATE: ("wins", "beats"),
    Action.DODGE: ("dodges", "dodges"),
    Action.RESET: ("resets", "resets against"),
}
"""What the winner does, alone on its card and against somebody named."""
ROLLS_A_FACT: Final = 8
USED_UP: Final = "Disposable or limited weapons are used up, although the attack came to nothing"
SPENT: Final = "Nobody achieves anything: the Order is spent"


def card(state: State, names: Names) -> Card:
    """The card of an order at any moment; ``names`` lacks a side that nobody has taken yet."""
    if isinstance(state.declared, Save):
        return saving(state.saves[0], names)
    return order(state, state.declared, names)


def order(state: State, declared: Order, names: Names) -> Card:
    shown = list(zip(declared.meetings, results(state), strict=False))
    strips = [strip for meeting, result in shown for strip in compared(declared, meeting, result, names)]
    strips += [save_strip(saved, names) for saved in state.saves]
    said = [line for meeting, result in shown for line in story(declared, meeting, result, names)]
    rolls = [described(roll, names) for roll in declared.rolls]
    few = len(rolls) <= 2
    blocks = [] if few else [rolls[at : at + ROLLS_A_FACT] for at in range(0, len(rolls), ROLLS_A_FACT)]
    return Card(
        title=f"Infinity · {kind(declared)}",
        outcome=outcome(state, declared, names),
        strips=tuple(strips),
        turn=turn(state, declared, names),
        trail=(*notes(declared, names), *said, *ending(declared, shown, names), *save_story(state.saves, names)),
        facts=tuple(("Rolls", "\n".join(block)) for block in blocks),
        small=" · ".join([declared.edition.upper(), *(rolls if few else [])]),
        alt=". ".join(spoken(strip) for strip in strips),
        ahead=ahead(declared, shown) if shown else "nobody" if state.withdrawn else "open",
    )


def kind(declared: Order) -> str:
    if len(declared.meetings) > 1:
        return "order"
    return "Normal Roll" if declared.meetings[0].b is None and not declared.awaits else "Face to Face Roll"


def called(roll: Roll, names: Names) -> str:
    return roll.name or names.get(roll.side, UNNAMED[roll.side])


def outcome(state: State, declared: Order, names: Names) -> str:
    """The winner first, in words for a listener on voice."""
    asks = declared.rolls[0]
    if state.withdrawn:
        return f"{called(asks, names)} withdraws; no dice fell."
    if is_open(state):
        return f"{called(asks, names)} declares SV {asks.sv}, Burst {asks.burst}. Who answers?"
    shown = zip(declared.meetings, results(state), strict=True)
    alone = len(declared.meetings) == 1
    said = [sentence(declared, meeting, result, names, alone) for meeting, result in shown]
    return " ".join([*said, *(saved_sentence(saved, names) for saved in state.saves)])


def sentence(declared: Order, meeting: Meeting, result: Result, names: Names, alone: bool) -> str:
    """Who won one comparison and with what; alone on its card it need not say against whom."""
    a = declared.rolls[meeting.a]
    if meeting.b is None or result.b is None:
        return unopposed(a, meeting.target, result.a, names)
    b = declared.rolls[meeting.b]
    if result.winner == "nobody":
        pair = "" if alone else f"{called(a, names)} against {called(b, names)}: "
        return f"{pair}{'Nobody' if alone else 'nobody'} wins, {why(result.a, result.b)}."
    won, lost, stands = (a, b, result.a) if result.winner == "a" else (b, a, result.b)
    verb = VERBS[won.action][not alone]
    against = "" if alone else f" {called(lost, names)}"
    return f"{called(won, names)} {verb}{against}{f', {tally(stands)}' if won.action.is_attack else ''}."


def unopposed(roll: Roll, target: str, rolled: Compared, names: Names) -> str:
    """A Normal Roll in a sentence."""
    name = called(roll, names)
    if not roll.action.is_attack:
        return f"{name} {VERBS[roll.action][0]}." if tally(rolled) else f"{name} fails to {roll.action}."
    if tally(rolled):
        return f"{name} scores {tally(rolled)}{f' on {target}' if target else ''}."
    return f"{name} misses{f' {target}' if target else ''}."


def tally(rolled: Compared) -> str:
    """``1 hit and 2 Criticals``; empty if nothing stands."""
    counts = [quantity(rolled.hits, "hit")] * (rolled.hits > 0)
    return join_names(counts + [quantity(rolled.crits, "Critical")] * (rolled.crits > 0))


def why(a: Compared, b: Compared) -> str:
    """Why nobody has a die left."""
    a_best, b_best = (max((die.score for die in one.dice), default=0) for one in (a, b))
    if a_best == b_best == CRITICAL:
        return "Criticals on both sides"
    return "the best dice are equal" if a_best else "all dice fail"


def turn(state: State, declared: Order, names: Names) -> str:
    """Who may do something now; empty when nobody need."""
    if is_open(state):
        who, trooper = names.get(Side.DEFENDER, "Anybody else"), declared.meetings[0].target
        return f"{who}, press React and say what {f'{trooper} does' if trooper else 'you do'}."
    done = {saved.save.meeting for saved in state.saves}
    hit = [whose(save, names) for save in landed(state) if save.meeting not in done]
    return f"{join_names(list(dict.fromkeys(hit)))}: Saving Rolls may follow." if hit else ""


def whose(save: Save, names: Names) -> str:
    return save.name or names.get(save.side, "The target")


def compared(declared: Order, meeting: Meeting, result: Result, names: Names) -> list[Strip]:
    """The dice of one comparison; no strip for a roll without dice."""
    strips: list[Strip] = []
    for label, roll, one, _ in sides(declared, meeting, result, names):
        if one.dice:
            strips.append(Strip(f"{label}, SV {roll.sv}", tiles(roll, one), beside=bool(strips)))
    return strips


def sides(
    declared: Order, meeting: Meeting, result: Result, names: Names
) -> list[tuple[str, Roll, Compared, tuple[Die, ...]]]:
    """One or two sides of a comparison: what it is called, its roll, its dice, the enemy's dice.

    Where dice are compared more than once, the label says with whom.
    """
    a = declared.rolls[meeting.a]
    if meeting.b is None or result.b is None:
        return [(called(a, names), a, result.a, ())]
    b, many = declared.rolls[meeting.b], len(declared.meetings) > 1
    one, two = called(a, names), called(b, names)
    labels = (f"{one} against {two}", f"{two} against {one}") if many else (one, two)
    return [(labels[0], a, result.a, result.b.dice), (labels[1], b, result.b, result.a.dice)]


def tiles(roll: Roll, one: Compared) -> tuple[Tile, ...]:
    """A discarded die is drawn as one that failed; the words tell the two apart."""
    body = f"d20-{roll.side}"
    return tuple(
        Tile(body, str(die.face), "failed" if fate == "discarded" else fate, critical=die.kind == "crit")
        for die, fate in zip(one.dice, one.fates, strict=True)
    )


def notes(declared: Order, names: Names) -> list[str]:
    """What a Success Value out of the ordinary does, for each roll."""
    lines: dict[str, None] = {}
    for roll in declared.rolls:
        name, excess = called(roll, names), roll.sv - SIDES
        if sum(roll.mods) != total(roll.mods):
            lines[f"{name}: MODs of {sum(roll.mods):+d} count as {total(roll.mods):+d}"] = None
        if roll.sv < 1:
            lines[f"{name}: SV {roll.sv}, an automatic failure without dice"] = None
        elif excess > 0:
            n5 = f"20 and 1 to {excess} are Criticals" if excess > 1 else "20 and 1 are Criticals"
            lines[f"{name}: SV {roll.sv}, {f'+{excess} to each die' if declared.edition == 'n4' else n5}"] = None
    return list(lines)


def story(declared: Order, meeting: Meeting, result: Result, names: Names) -> list[str]:
    """What became of each die of one comparison."""
    each = sides(declared, meeting, result, names)
    return [f"{label}: {told(one, enemy)}" for label, _, one, enemy in each if one.dice]


def told(one: Compared, enemy: tuple[Die, ...]) -> str:
    """``9 stands, 4 is cancelled by 5, Critical 12 stands, 17 fails``."""
    parts = []
    for die, fate, by in zip(one.dice, one.fates, one.by, strict=True):
        words = {"stands": "stands", "failed": "fails", "discarded": "is discarded", "cancelled": "is cancelled"}[fate]
        parts.append(f"{face(die)} {words}{f' by {face(enemy[by])}' if by is not None else ''}")
    return ", ".join(parts)


def face(die: Die) -> str:
    """``9``, ``Critical 12``, and in N4 above 20 ``16, counted as 19``."""
    if die.kind == "crit":
        return f"Critical {die.face}"
    return str(die.face) if die.score in (0, die.face) else f"{die.face} (counted as {die.score})"


def ending(declared: Order, shown: list[tuple[Meeting, Result]], names: Names) -> list[str]:
    """What players forget: the Order that is spent, the Dodge that a tie is not, the weapon that is used up."""
    lines = [SPENT] if shown and all(result.winner == "nobody" for _, result in shown) else []
    tied = [meeting for meeting, result in shown if result.winner == "nobody" and is_tie(result)]
    defends = [VERBS[roll.action] for meeting in tied for roll in both(declared, meeting) if not roll.action.is_attack]
    lines += ["A tie: not hit, but no Dodge or Reset either"] if defends else []
    won = {meeting.a if result.winner == "a" else meeting.b for meeting, result in shown if result.winner != "nobody"}
    rolled = {place for meeting, _ in shown for place in (meeting.a, meeting.b) if place is not None}
    wasted = [declared.rolls[place] for place in sorted(rolled - won) if declared.rolls[place].action.is_attack]
    used = join_names(list(dict.fromkeys(called(roll, names) for roll in wasted)))
    return lines + ([f"{used}: {USED_UP}"] if wasted else [])


def is_tie(result: Result) -> bool:
    return result.b is not None and why(result.a, result.b) != "all dice fail"


def both(declared: Order, meeting: Meeting) -> list[Roll]:
    return [declared.rolls[place] for place in (meeting.a, meeting.b) if place is not None]


def ahead(declared: Order, shown: list[tuple[Meeting, Result]]) -> Ahead:
    """The side that won, if only one did."""
    sides = set()
    for meeting, result in shown:
        place = {"a": meeting.a, "b": meeting.b, "nobody": None}[result.winner]
        if place is not None:
            sides.add(declared.rolls[place].side)
    if len(sides) != 1:
        return "nobody"
    return "attacker" if Side.ATTACKER in sides else "defender"


def described(roll: Roll, names: Names) -> str:
    """``Angus SV 9 (12 -3), Burst 2, +1 SD``."""
    made = f" ({roll.attribute} {' '.join(f'{mod:+d}' for mod in roll.mods)})" if roll.mods else ""
    parts = [f"{called(roll, names)} SV {roll.sv}{made}", f"Burst {roll.burst}"]
    parts += [f"+{roll.special} SD"] * (roll.special > 0)
    return ", ".join([*parts, *([str(roll.action).capitalize()] if roll.action is not Action.SHOOT else [])])


def saving(saved: Saved, names: Names) -> Card:
    """The card of Saving Rolls alone."""
    save, strip = saved.save, save_strip(saved, names)
    hits = [quantity(save.hits, "hit")] * (save.hits > 0) + [quantity(save.crits, "Critical")] * (save.crits > 0)
    cover = ", cover +3" if save.cover else ""
    power = "PS" if save.edition == "n5" else "Damage"
    return Card(
        title="Infinity · Saving Rolls",
        outcome=saved_sentence(saved, names),
        strips=(strip,),
        trail=tuple(save_story((saved,), names)),
        small=f"{save.edition.upper()} · {join_names(hits)} with {save.ammo} · {power} {save.power}{cover}",
        alt=spoken(strip),
        ahead="attacker" if any(failed(saved)) else "defender",
    )


def saved_sentence(saved: Saved, names: Names) -> str:
    """``Ortega fails 1 of 2 Saving Rolls: 1 Wound.``"""
    name, lost, rolls = whose(saved.save, names), sum(failed(saved)), len(saved.dice)
    if not lost:
        return f"{name} passes {quantity(rolls, 'Saving Roll') if rolls == 1 else f'all {rolls} Saving Rolls'}."
    cost = STATES.get(saved.save.ammo) or quantity(wounds(saved), "Wound")
    return f"{name} fails {lost} of {quantity(rolls, 'Saving Roll')}: {cost}."


def save_strip(saved: Saved, names: Names) -> Strip:
    pairs = zip(saved.dice, failed(saved), strict=True)
    body = f"d20-{saved.save.side}"
    tiles = tuple(Tile(body, str(die.face), "failed" if lost else "stands") for die, lost in pairs)
    return Strip(f"Saving Rolls of {whose(saved.save, names)}", tiles)


def save_story(saves: tuple[Saved, ...], names: Names) -> list[str]:
    """Against what each Saving Roll was made."""
    lines = []
    for saved in saves:
        words = "more than" if saved.save.edition == "n4" else "at most"
        numbers = dict.fromkeys(f"{words} {target(saved.save, one.attribute)}" for one in due(saved.save))
        each = zip(saved.dice, failed(saved), strict=True)
        rolled = ", ".join(f"{die.face} {'fails' if lost else 'passes'}" for die, lost in each)
        lines.append(f"{whose(saved.save, names)} saves with {' and '.join(numbers)}: {rolled}")
    return lines


def spoken(strip: Strip) -> str:
    """A strip in words, for alt text."""
    dice = [f"{'Critical ' * tile.critical}{tile.face} {tile.fate}" for tile in strip.tiles]
    return f"{strip.label}: {', '.join(dice)}"
