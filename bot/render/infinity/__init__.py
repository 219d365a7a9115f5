"""Infinity on a card: Face to Face and Normal Rolls, whole orders, Saving Rolls."""

import re
from collections.abc import Mapping
from typing import Final

from bot.render.card import Ahead, Card, Fate, Strip, Tile
from bot.rules.game import Side
from bot.rules.infinity.condition import Condition, Guts, conditions
from bot.rules.infinity.declared import SIDES, Action, Meeting, Order, Roll, Save, total
from bot.rules.infinity.order import OpenOrder
from bot.rules.infinity.pieces import by_skills
from bot.rules.infinity.play import State, is_open, landed, open_saves, results
from bot.rules.infinity.resolve import CRITICAL, Compared, Die, Result
from bot.rules.infinity.saves import Saved, automatic, failed, rolled, states, wounds
from bot.rules.text import Count, Names, Text

People = Mapping[Side, str]

UNNAMED: Final[People] = {Side.ATTACKER: Text("The active trooper"), Side.DEFENDER: Text("The reactive trooper")}
WINS: Final = ("wins", "beats")
VERBS: Final[Mapping[Action, tuple[str, str]]] = {
    Action.DODGE: ("dodges", "dodges"),
    Action.RESET: ("resets", Text("resets against")),
}
"""What the winner does, alone on its card and against somebody named."""
ROLLS_A_FACT: Final = 8
USED_UP: Final = Text("a disposable weapon is used up, even though the attack failed")
PLAYERS: Final = re.compile(r" @\d+")
"""Who plays a trooper, in a line that somebody typed."""
MELEE: Final = Text("into close combat")
SPENT: Final = Text("Nobody achieves anything: the Order is spent")


def card(state: State, names: People) -> Card:
    """The card of an order at any moment; ``names`` lacks a side that nobody has taken yet."""
    if isinstance(state.declared, Save):
        return saving(state, names)
    if isinstance(state.declared, OpenOrder):
        return open_order(state, state.declared, names)
    return order(state, state.declared, names)


def open_order(state: State, declared: OpenOrder, names: People) -> Card:
    """The card of an order to which others add their AROs."""
    active = names.get(Side.ATTACKER, UNNAMED[Side.ATTACKER])
    outcome = (
        Text("{active} withdraws; no dice fell.", active=active)
        if state.withdrawn
        else Text("{active} declares an order. Who reacts?", active=active)
    )
    others = names.get(Side.DEFENDER, "Everybody")
    turn = Text(
        "{others}, say what your troopers do. {active}, press Roll all dice when all have said theirs.",
        others=others,
        active=active,
    )
    if declared.attacks and not state.withdrawn:
        outcome = Text("{active} declares an order: {aims}.", active=active, aims=aims(declared))
        turn = Text("{active}, say for each attack how it is made.", active=active)
    return Card(
        title=Text("Infinity · open order"),
        outcome=outcome,
        turn="" if state.withdrawn else turn,
        facts=((Text("Declared"), "\n".join(PLAYERS.sub("", line) for line in declared.lines)),)
        if declared.lines
        else (),
        small=declared.edition.upper(),
        ahead="nobody" if state.withdrawn else "open",
    )


def aims(declared: OpenOrder) -> str:
    """``Angus and Murat attack Ortega``: what has still to be said of an open order."""
    who, whom = [aim.name for aim in declared.attacks], list(declared.attacks[0].targets)
    return f"{Names(who)} attack{'s' * (len(who) == 1)} {Names(whom)}"


def order(state: State, declared: Order, names: People) -> Card:
    shown = list(zip(declared.meetings, results(state), strict=False))
    strips = [strip for meeting, result in shown for strip in compared(declared, meeting, result, names)]
    strips += [strip for saved in state.saves for strip in save_strips(saved, names)]
    strips += [guts_strip(one, names) for one in state.guts]
    lines = [line for meeting, result in shown for line in story(declared, meeting, result, names)]
    rolls = [described(roll, names) for roll in declared.rolls]
    few = len(rolls) <= 2
    blocks = [] if few else [rolls[at : at + ROLLS_A_FACT] for at in range(0, len(rolls), ROLLS_A_FACT)]
    facts = [*((Text("Rolls"), "\n".join(block)) for block in blocks), *sums(declared, names)]
    return Card(
        title=Text("Infinity · {kind}", kind=kind(declared)),
        outcome=outcome(state, declared, names),
        strips=tuple(strips),
        turn=turn(state, declared, names),
        trail=(*notes(declared, names), *lines, *ending(declared, shown, names), *save_story(state.saves, names)),
        facts=tuple(facts),
        small=" · ".join([declared.edition.upper(), *(rolls if few else [])]),
        below=beneath(declared),
        reminders=reminders(declared),
        alt=". ".join(spoken(strip) for strip in strips),
        ahead=ahead(declared, shown) if shown else "nobody" if state.withdrawn else "open",
    )


def beneath(declared: Order) -> str:
    """The states that troopers were in, and the skills that touch a roll and are in no sum, with whose roll it is."""
    left = [f"{skill} ({roll.name})" if roll.name else skill for roll in declared.rolls for skill in roll.not_counted]
    named = [Text("Not counted: {skills}", skills=", ".join(dict.fromkeys(left)))] if left else []
    forced = [roll.called for roll in declared.rolls if roll.anyway]
    let = [Text("A GM lets {troopers} roll anyway", troopers=Names(forced))] if forced else []
    return " · ".join([*in_states(declared), *let, *named])


def reminders(declared: Order) -> tuple[Text, ...]:
    """What people forget of a shot into a close combat."""
    if not any(mod.what == MELEE for roll in declared.rolls for mod in roll.mods):
        return ()
    return (Text("Each die that fails hits an ally in the close combat: its Saving Rolls are yours to make"),)


def in_states(declared: Order) -> list[str]:
    """``Ortega: Stunned, Targeted``: each trooper of the channel that was in a state when the order was declared."""
    found = [(roll.name, roll.profile) for roll in declared.rolls]
    found += [(meeting.target, meeting.profile) for meeting in declared.meetings]
    return list(dict.fromkeys(f"{name}: {', '.join(one.states)}" for name, one in found if one and one.states))


def kind(declared: Order) -> str:
    if len(declared.meetings) > 1:
        return "order"
    return Text("Normal Roll") if declared.meetings[0].b is None and not declared.awaits else Text("Face to Face Roll")


def called(roll: Roll, names: People) -> str:
    return roll.name or names.get(roll.side, UNNAMED[roll.side])


def outcome(state: State, declared: Order, names: People) -> str:
    """The winner first, in words for a listener on voice."""
    asks = declared.rolls[0]
    if state.withdrawn:
        return Text("{called} withdraws; no dice fell.", called=called(asks, names))
    if is_open(state):
        if asks.action is Action.DIRECT:
            return Text("{called} declares a Direct Template. Who answers?", called=called(asks, names))
        return Text(
            "{called} declares SV {sv}, Burst {burst}. Who answers?",
            called=called(asks, names),
            sv=asks.sv,
            burst=asks.burst,
        )
    shown = zip(declared.meetings, results(state), strict=True)
    alone = len(declared.meetings) == 1
    sentences = [sentence(declared, meeting, result, names, alone) for meeting, result in shown]
    brings = [hit for hit in landed(state) if hit.weapon.state and not hit.weapon.is_saved]
    sentences += dict.fromkeys(
        Text("{whose} is {state} now.", whose=whose(hit, names), state=hit.weapon.state) for hit in brings
    )
    for name, (ended, begun) in by_skills(state).items():
        sentences += [Text("{name} is {states} now.", name=name, states=Names(begun))] * bool(begun)
        if ended and not begun:
            sentences.append(Text("{name} is no longer {states}.", name=name, states=Names(ended, "or")))
    sentences += [saved_sentence(saved, names) for saved in state.saves]
    return " ".join([*sentences, *aftermath(state, names)])


def aftermath(state: State, names: People) -> list[str]:
    """What the Saving Rolls left of troopers whose Wounds are known, and the Guts Rolls."""
    harmed = [one for one in conditions(state.saves) if one.of is not None and (one.now or one.states)]
    return [*(left(one, names) for one in harmed), *(guts_sentence(one, names) for one in state.guts)]


def sentence(declared: Order, meeting: Meeting, result: Result, names: People, alone: bool) -> str:
    """Who won one comparison and with what; alone on its card it need not say against whom."""
    a = declared.rolls[meeting.a]
    if meeting.b is None or result.b is None:
        return unopposed(a, meeting.target, result.a, names)
    b = declared.rolls[meeting.b]
    if result.winner == "nobody":
        pair = "" if alone else f"{called(a, names)} against {called(b, names)}: "
        return f"{pair}{'Nobody' if alone else 'nobody'} wins, {why(result.a, result.b)}."
    won, lost, stands = (a, b, result.a) if result.winner == "a" else (b, a, result.b)
    if won.action is Action.DIRECT and lost.action.is_evasion:  # a template has no dice; only the other side rolls
        return Text(
            "{called} fails to {action}: {called2} hits, {tally}.",
            called=called(lost, names),
            action=lost.action,
            called2=called(won, names),
            tally=tally(stands),
        )
    verb = VERBS.get(won.action, WINS)[not alone]
    against = "" if alone else f" {called(lost, names)}"
    return f"{called(won, names)} {verb}{against}{f', {tally(stands)}' if won.action.is_attack else ''}."


def unopposed(roll: Roll, target: str, rolled: Compared, names: People) -> str:
    """A Normal Roll in a sentence."""
    name = called(roll, names)
    if roll.action.is_skill:
        return skill(roll, rolled, name)
    if not roll.action.is_attack:
        return (
            f"{name} {VERBS[roll.action][0]}."
            if tally(rolled)
            else Text("{name} fails to {action}.", name=name, action=roll.action)
        )
    if tally(rolled):
        return f"{name} scores {tally(rolled)}{f' on {target}' if target else ''}."
    return f"{name} misses{f' {target}' if target else ''}."


def skill(roll: Roll, rolled: Compared, name: str) -> str:
    """Whether a skill passed, and by how much: how far the best die lies below or above the Success Value."""
    what = roll.action.label.removesuffix(" Roll") + " Roll"
    kept = [die for die in rolled.dice if not die.discarded]
    best = max(kept, key=lambda die: (die.score, -die.face), default=None)
    if best is None:
        return Text("{name} fails the {what}: SV {sv} fails without a roll.", name=name, what=what, sv=roll.sv)
    if best.kind == "crit":
        return Text("{name} passes the {what} with a Critical.", name=name, what=what)
    verb = "passes" if best.kind == "success" else "fails"
    return Text(
        "{name} {verb} the {what} by {sv} ({face} against SV {sv2}).",
        name=name,
        verb=verb,
        what=what,
        sv=abs(roll.sv - best.face),
        face=best.face,
        sv2=roll.sv,
    )


def tally(rolled: Compared) -> str:
    """``1 hit and 2 Criticals``; empty if nothing stands."""
    counts = [Count(rolled.hits, "hit", "hits")] * (rolled.hits > 0)
    return Names(counts + [Count(rolled.crits, "Critical", "Criticals")] * (rolled.crits > 0))


def why(a: Compared, b: Compared) -> str:
    """Why nobody has a die left."""
    a_best, b_best = (max((die.score for die in one.dice), default=0) for one in (a, b))
    if a_best == b_best == CRITICAL:
        return Text("Criticals on both sides")
    return Text("the best dice are equal") if a_best else Text("all dice fail")


def turn(state: State, declared: Order, names: People) -> str:
    """Who may do something now; empty when nobody need."""
    if is_open(state):
        who, trooper = names.get(Side.DEFENDER, "Anybody else"), declared.meetings[0].target
        return f"{who}, press React and say what {f'{trooper} does' if trooper else 'you do'}."
    hits = open_saves(state, landed(state))
    hit = Names(list(dict.fromkeys(whose(save, names) for save in hits)))
    lines = [Text("{hit}: make your Saving Rolls.", hit=hit)] * bool(hit)
    return " ".join(filter(None, [*lines, guts_turn(state, names)]))


def guts_turn(state: State, names: People) -> str:
    """Who makes a Guts Roll now."""
    rolled = {one.name for one in state.guts}
    guts = [one for one in conditions(state.saves) if one.needs_guts and one.name not in rolled]
    return " ".join(Text("{named}: Guts Roll{wip}.", named=named(one, names), wip=wip(one)) for one in guts)


def wip(one: Condition) -> str:
    return "" if one.wip is None else f" (WIP {one.wip})"


def named(one: Condition | Guts, names: People) -> str:
    return one.name or names.get(one.side, "The target")


def left(one: Condition, names: People) -> str:
    """``Ortega: 1 of 2 Wounds lost, Isolated.``"""
    unit = "STR" if one.structure else Text("Wound") if one.of == 1 else Text("Wounds")
    parts = [Text("{of} of {of2} {unit} lost", of=min(one.lost, one.of or one.lost), of2=one.of, unit=unit)] * bool(
        one.lost
    )
    return f"{named(one, names)}: {', '.join([*parts, *one.states])}."


def guts_sentence(one: Guts, names: People) -> str:
    return f"{named(one, names)} {'passes' if one.passed else 'fails'} the Guts Roll."


def guts_strip(one: Guts, names: People) -> Strip:
    face = str(one.dice[0].face)
    tile = Tile(f"d20-{one.side}", face, "stands" if one.passed else "failed")
    return Strip(Text("Guts Roll of {named}, WIP {wip}", named=named(one, names), wip=one.wip), (tile,))


def whose(save: Save, names: People) -> str:
    return save.name or names.get(save.side, "The target")


def compared(declared: Order, meeting: Meeting, result: Result, names: People) -> list[Strip]:
    """The dice of one comparison; no strip for a roll without dice."""
    strips: list[Strip] = []
    for label, roll, one, _ in sides(declared, meeting, result, names):
        if one.dice:
            won = result.b is not None and one is {"a": result.a, "b": result.b}.get(result.winner)
            said = Text("{label}, SV {sv}", label=label, sv=roll.sv)
            if won:
                said = Text("{label}, SV {sv}, wins", label=label, sv=roll.sv)
            strips.append(Strip(said, tiles(roll, one), beside=bool(strips)))
    return strips


def sides(
    declared: Order, meeting: Meeting, result: Result, names: People
) -> list[tuple[str, Roll, Compared, tuple[Die, ...]]]:
    """One or two sides of a comparison: what it is called, its roll, its dice, the enemy's dice.

    Where dice are compared more than once, the label says with whom.
    """
    a = declared.rolls[meeting.a]
    if meeting.b is None or result.b is None:
        return [(called(a, names), a, result.a, ())]
    b, many = declared.rolls[meeting.b], len(declared.meetings) > 1
    one, two = called(a, names), called(b, names)
    labels = (
        (Text("{one} against {two}", one=one, two=two), Text("{two} against {one}", two=two, one=one))
        if many
        else (one, two)
    )
    return [(labels[0], a, result.a, result.b.dice), (labels[1], b, result.b, result.a.dice)]


def tiles(roll: Roll, one: Compared) -> tuple[Tile, ...]:
    """A discarded die is drawn as one that failed; the words tell the two apart."""
    body = f"d20-{roll.side}"
    return tuple(
        Tile(body, str(die.face), "failed" if fate == "discarded" else fate, critical=die.kind == "crit")
        for die, fate in zip(one.dice, one.fates, strict=True)
    )


def notes(declared: Order, names: People) -> list[str]:
    """What a Success Value out of the ordinary does, for each roll."""
    lines: dict[str, None] = {}
    for roll in declared.rolls:
        name, excess = called(roll, names), roll.sv - SIDES
        added = sum(mod.number for mod in roll.mods)
        if added != total(roll.mods):
            lines[f"{name}: MODs of {added:+d} count as {total(roll.mods):+d}, the limit"] = None
        if roll.sv < 1 and roll.action is not Action.DIRECT:
            lines[f"{name}: SV {roll.sv}, an automatic failure without dice"] = None
        elif excess > 0:
            n5 = (
                Text("20 and 1 to {excess} are Criticals", excess=excess)
                if excess > 1
                else Text("20 and 1 are Criticals")
            )
            lines[f"{name}: SV {roll.sv}, {f'+{excess} to each die' if declared.edition != 'n5' else n5}"] = None
    for meeting in declared.meetings:
        if meeting.because:
            roll = declared.rolls[meeting.a]
            target = f" against {meeting.target}" if meeting.target else ""
            lines[f"{called(roll, names)}, {roll.action.label}{target}: a Normal Roll, since {meeting.because}"] = None
    return list(lines)


def sums(declared: Order, names: People) -> list[tuple[str, str]]:
    """The sum of each roll's MODs, line by line, where they have words."""
    found: list[tuple[str, str]] = []
    for roll in declared.rolls:
        if any(mod.what for mod in roll.mods):
            first = f"{roll.stat or 'Success Value'} {roll.attribute}"
            limit = sum(mod.number for mod in roll.mods) != total(roll.mods)
            last = [f"limit: {total(roll.mods):+d}"] * limit
            lines = [first, *(mod.text for mod in roll.mods), *last, Text("= SV {sv}", sv=roll.sv)]
            found.append((Text("Sum of {called}", called=called(roll, names)), "\n".join(lines)))
    return found


def story(declared: Order, meeting: Meeting, result: Result, names: People) -> list[str]:
    """What became of each die of one comparison."""
    each = sides(declared, meeting, result, names)
    return [f"{label}: {dice_in_words(one, enemy)}" for label, _, one, enemy in each if one.dice]


def dice_in_words(one: Compared, enemy: tuple[Die, ...]) -> str:
    """``9 stands, 4 is cancelled by 5, Critical 12 stands, 17 fails``."""
    parts = []
    for die, fate, by in zip(one.dice, one.fates, one.by, strict=True):
        words = {
            "stands": "stands",
            "failed": "fails",
            "discarded": Text("is discarded"),
            "cancelled": Text("is cancelled"),
        }[fate]
        parts.append(f"{face(die)} {words}{f' by {face(enemy[by])}' if by is not None else ''}")
    return ", ".join(parts)


def face(die: Die) -> str:
    """``9``, ``Critical 12``, and in N4 above 20 ``16 (counted as 19)``."""
    if die.kind == "crit":
        return Text("Critical {face}", face=die.face)
    return (
        str(die.face)
        if die.score in (0, die.face)
        else Text("{face} (counted as {score})", face=die.face, score=die.score)
    )


def ending(declared: Order, shown: list[tuple[Meeting, Result]], names: People) -> list[str]:
    """What players forget: the Order that is spent, the Dodge that a tie is not, the weapon that is used up."""
    lines = [SPENT] if shown and all(result.winner == "nobody" for _, result in shown) else []
    tied = [meeting for meeting, result in shown if result.winner == "nobody" and is_tie(result)]
    defends = [roll for meeting in tied for roll in both(declared, meeting) if roll.action.is_evasion]
    lines += [Text("A tie: not hit, but no Dodge or Reset either")] if defends else []
    won = {meeting.a if result.winner == "a" else meeting.b for meeting, result in shown if result.winner != "nobody"}
    rolled = {place for meeting, _ in shown for place in (meeting.a, meeting.b) if place is not None}
    wasted = [declared.rolls[place] for place in sorted(rolled - won) if may_be_used_up(declared.rolls[place])]
    used = Names(list(dict.fromkeys(called(roll, names) for roll in wasted)))
    return lines + ([f"{used}: {USED_UP}"] if wasted else [])


def may_be_used_up(roll: Roll) -> bool:
    """Whether a roll may be an attack with a disposable weapon: one that is, or one of which nothing is known."""
    return roll.action.is_attack and (roll.weapon is None or "disposable" in roll.weapon.traits)


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


def described(roll: Roll, names: People) -> str:
    """``Angus SV 9 (12 -3), Burst 2, +1 SD``."""
    made = f" ({roll.attribute} {' '.join(f'{mod.number:+d}' for mod in roll.mods)})" if roll.mods else ""
    value = "" if roll.action is Action.DIRECT else f" SV {roll.sv}{made}"
    parts = [f"{called(roll, names)}{value}", Text("Burst {burst}", burst=roll.burst)]
    parts += [Text("+{special} SD", special=roll.special)] * (roll.special > 0)
    parts += [roll.action.label] if roll.action is not Action.SHOOT else []
    return ", ".join([*parts, *([roll.weapon.name] if roll.weapon and roll.weapon.name else [])])


def saving(state: State, names: People) -> Card:
    """The card of Saving Rolls alone."""
    saved = state.saves[0]
    save = saved.save
    strips = [*save_strips(saved, names), *(guts_strip(one, names) for one in state.guts)]
    hits = [Count(save.hits, "hit", "hits")] * (save.hits > 0) + [Count(save.crits, "Critical", "Criticals")] * (
        save.crits > 0
    )
    parts = [
        save.edition.upper(),
        Text("{hits} with {ammunition}", hits=Names(hits), ammunition=save.weapon.ammunition),
    ]
    if save.weapon.power is not None:
        parts.append(f"{'PS' if save.edition == 'n5' else 'Damage'} {save.weapon.power}{', cover +3' * save.cover}")
    return Card(
        title=Text("Infinity · Saving Rolls"),
        outcome=" ".join([saved_sentence(saved, names), *aftermath(state, names)]),
        strips=tuple(strips),
        turn=guts_turn(state, names),
        trail=tuple(save_story((saved,), names)),
        small=" · ".join(parts),
        alt=". ".join(spoken(strip) for strip in strips),
        ahead="attacker" if any(failed(saved)) or automatic(save) else "defender",
    )


def saved_sentence(saved: Saved, names: People) -> str:
    """``Ortega fails 1 of 2 Saving Rolls: 1 Wound.``"""
    name, lost, rolls = whose(saved.save, names), sum(failed(saved)), len(saved.dice)
    cost = Names([*([Count(wounds(saved), "Wound", "Wounds")] if wounds(saved) else []), *states(saved)])
    if automatic(saved.save) and not rolls and not states(saved):
        return f"{name} loses {Count(automatic(saved.save), 'Wound', 'Wounds')} without a save."
    if automatic(saved.save):
        made = f", and fails {lost} of {Count(rolls, 'Saving Roll', 'Saving Rolls')}" if rolls else ""
        return f"{name} loses {Count(automatic(saved.save), 'Wound', 'Wounds')} without a save{made}: {cost}."
    if not lost:
        return f"{name} passes {'the Saving Roll' if rolls == 1 else f'all {rolls} Saving Rolls'}."
    return f"{name} fails {'the Saving Roll' if rolls == 1 else f'{lost} of {rolls} Saving Rolls'}: {cost}."


def save_strips(saved: Saved, names: People) -> list[Strip]:
    """The dice by what they save with; the extra save of a Critical lies apart."""
    body, found = f"d20-{saved.save.side}", dict[str, list[Tile]]()
    several = len({one.attribute for one, _ in rolled(saved)}) > 1
    for one, face in rolled(saved):
        kind = Text("Extra save of the Critical") if one.extra else f"Saving Rolls{f' with {one.attribute}' * several}"
        fate: Fate = "stands" if one.passes(face) else "failed"
        found.setdefault(f"{kind}, {whose(saved.save, names)}", []).append(Tile(body, str(face), fate))
    return [Strip(label, tuple(tiles)) for label, tiles in found.items()]


def save_story(saves: tuple[Saved, ...], names: People) -> list[str]:
    """Against what each Saving Roll was made."""
    lines: list[str] = []
    for saved in saves:
        parts = dict[str, list[str]]()
        for one, face in rolled(saved):
            number = (
                Text("more than {number}", number=one.number)
                if one.over
                else Text("{number} or less", number=one.number)
            )
            extra = Text(", the extra save of the Critical") if one.extra else ""
            parts.setdefault(
                Text("on {number} ({attribute}{extra})", number=number, attribute=one.attribute, extra=extra), []
            ).append(f"{face} {'passes' if one.passes(face) else 'fails'}")
        said = "; ".join(f"{number}: {', '.join(faces)}" for number, faces in parts.items())
        lines += [Text("{whose} saves {said}", whose=whose(saved.save, names), said=said)] if said else []
    return lines


def spoken(strip: Strip) -> str:
    """A strip in words, for alt text."""
    dice = [f"{'Critical ' * tile.critical}{tile.face} {tile.fate}" for tile in strip.tiles]
    return f"{strip.label}: {', '.join(dice)}"
