"""Infinity on a card: Face to Face and Normal Rolls, whole orders, Saving Rolls."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Literal

from bot.render.card import Ahead, Card, Fate, People, Strip, Tile
from bot.rules.game import Side
from bot.rules.infinity.dice import resolve
from bot.rules.infinity.dice.resolve import ComparedDice, Comparison, ScoredDie
from bot.rules.infinity.dice.saves import (
    Guts,
    PendingSave,
    RolledSaves,
    automatic,
    conditions,
    failed_saves,
    is_affected,
    prevented_states,
    rolled,
    states,
    wounds,
)
from bot.rules.infinity.orders.open_order import foes_waiting, parsed, watching
from bot.rules.infinity.orders.order import OpenOrder
from bot.rules.infinity.orders.play import State, due_guts, is_open, landed_attacks, open_saves, results, smoke_rolls
from bot.rules.infinity.table import pieces
from bot.rules.infinity.troopers import programs
from bot.rules.infinity.troopers.declared import (
    COVER,
    CRITICAL,
    DEPLOYS,
    SIDES,
    Action,
    Edition,
    Meeting,
    ModKind,
    Order,
    Save,
    TrooperRoll,
    total,
)
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.infinity.troopers.trooper import condition
from bot.rules.infinity.troopers.weapon import power_text
from bot.rules.infinity.turn import player_turn as turns
from bot.rules.text import (
    EMPTY,
    N_,
    Code,
    Count,
    Name,
    Names,
    Noun,
    Numeral,
    Sentences,
    Shown,
    Text,
    bracketed,
    ended,
    labeled,
    parenthesized,
    term,
)

Tie = Literal["criticals", "equal", "failures", "no success"]
StripWords = tuple[Strip, Shown]
"""Dice as drawn, and as alt text."""

UNNAMED: Final[People] = {Side.ATTACKER: Text("The active trooper"), Side.DEFENDER: Text("The reactive trooper")}


ROLLS_A_FACT: Final = 8
FEW_NAMES: Final = 3
USED_UP: Final = N_("{who}: a Disposable weapon is spent, even though the attack failed")
WOUNDS: Final = Noun("Wound", "Wounds")
HITS: Final = Noun("hit", "hits")
CRITICALS: Final = Noun("Critical", "Criticals")
THE_TARGET, IN_A_SENTENCE = Text("The target"), Text("the target")
"""Words for a trooper without a name or a player."""
ACHIEVED: Final = {Action.DODGE: Text("Dodged"), Action.RESET: Text("Reset"), Action.DISCOVER: Text("Discovered")}
"""Words for the result of a roll that hits nobody."""
PASSED: Final = Text("Passed")
SPENT: Final = Text("No effect; the Order is spent")


def card(state: State, names: People) -> Card:
    """Return an order's card; ``names`` lacks free sides."""
    if isinstance(state.declared, Save):
        return saving(state, names)
    if isinstance(state.declared, OpenOrder):
        return open_order(state, state.declared, names)
    return order(state, state.order or state.declared, names)


def open_order(state: State, declared: OpenOrder, names: People) -> Card:
    outcome, turn = request_text(state, declared, names)
    lines = Code("\n".join(pieces.PLAYERS.sub("", line) for line in declared.lines))
    return Card(
        title=Text("Infinity · open order"),
        outcome=outcome,
        turn=turn,
        facts=((Text("Declared"), lines),) if declared.lines else (),
        small=Sentences([turn_line(state, names), Code(declared.edition.upper())], "\n"),
        ahead="nobody" if state.withdrawn else "open",
    )


def request_text(state: State, declared: OpenOrder, names: People) -> tuple[Shown, Shown]:
    active = names.get(Side.ATTACKER, UNNAMED[Side.ATTACKER])
    if declared.over:
        message = N_("{name} moves. Nobody reacts; nothing was rolled.")
        message = N_("{name} is in Suppressive Fire now. Nobody reacted.") if declared.fires else message
        return Text(message, name=Name(declared.first)), EMPTY
    if state.withdrawn:
        return Text("{active} withdraws; nothing was rolled.", active=active), EMPTY
    if declared.doubt is not None:
        return turns.doubt_sentence(declared.doubt), OUT_OF_ORDER
    if declared.attacks and not declared.first:
        outcome = Text("{active} declares an order: {aims}", active=active, aims=aims(declared))
        return outcome, Text("{active}: enter the details of each attack.", active=active)
    outcome = Text("{active} declares an order. Who reacts?", active=active)
    if declared.first:
        message = N_("{name} goes into Suppressive Fire. Who reacts?") if declared.fires else SKILLS[declared.second]
        outcome = Text(message, name=Name(declared.first))
    if declared.attacks:
        return outcome, Text("{active}: choose the second skill.", active=active)
    if declared.asks:
        attacked = foes_waiting(declared, parsed(declared))
        attacked = attacked or (watching(declared) if declared.first and not declared.second else [])
        message = N_("{others}: any AROs? {names} can react, as can anyone else eligible.")
        message = message if 0 < len(attacked) <= FEW_NAMES else N_("{others}: any AROs?")
        others = names.get(Side.DEFENDER, Text("Reactive side"))
        return outcome, Text(message, others=others, names=Names(attacked))
    message = N_("{others}: choose your reactions. {active}: press Roll all dice when everyone is ready.")
    return outcome, Text(message, others=names.get(Side.DEFENDER, Text("Everybody")), active=active)


SKILLS: Final = (N_("{name} moves. Who reacts?"), N_("{name} moved and the AROs are in. Choose the second skill."))
"""Sentences by whether the second skill of an order is declared or due."""
OUT_OF_ORDER: Final = Text("To roll anyway, press Roll out of order.")


def turn_line(state: State, names: People) -> Shown:
    """Return the turn's status when the order was paid, and the payment; empty without a turn."""
    if state.turn is None:
        return EMPTY
    active = {state.turn.active: names[Side.ATTACKER]} if Side.ATTACKER in names else {}
    paid = [state.paid.kind.label] if state.paid is not None else []
    paid += [Text("late ARO, allowed: {names}", names=Names(state.allowed))] * bool(state.allowed)
    paid += [Text("no longer in a Fireteam: {names}", names=Names(state.parted))] * bool(state.parted)
    return Sentences([*paid, turns.line(state.turn, active)], " · ")


def aims(declared: OpenOrder) -> Text:
    """Return what must still be specified in an open order: ``Angus and Murat attack Ortega.``"""
    who, whom = [aim.name for aim in declared.attacks], list(declared.attacks[0].targets)
    message = N_("{who} attacks {whom}.") if len(who) == 1 else N_("{who} attack {whom}.")
    return Text(message, who=Names(who), whom=Names(whom))


def order(state: State, declared: Order, names: People) -> Card:
    shown = list(zip(declared.meetings, results(state), strict=False))
    met = [dice for meeting, result in shown for dice in compared_dice(declared, meeting, result, names)]
    rolls = [describe_roll(roll, names) for roll in declared.rolls]
    few = len(rolls) <= 2
    blocks = [] if few else [rolls[at : at + ROLLS_A_FACT] for at in range(0, len(rolls), ROLLS_A_FACT)]
    facts = [*((Text("Rolls"), Sentences(block, "\n")) for block in blocks), *sums(declared, names)]
    told = [*notes(declared, names), *rerolls(state, declared, names)]
    card = Card(
        title=Text("Infinity · {kind}", kind=kind(declared)),
        outcome=outcome(state, declared, names),
        turn=turn(state, declared, names),
        trail=(
            *told,
            *(line for _, _, line in met),
            *closing_notes(declared, shown, names),
            *save_story(state.saves, names),
        ),
        facts=tuple(facts),
        small=Sentences([Code(declared.edition.upper()), *(rolls if few else [])], " · "),
        below=Sentences([notes_text(declared), turn_line(state, names)], "\n"),
        reminders=reminders(declared),
        ahead=leading_side(declared, shown) if shown else "nobody" if state.withdrawn else "open",
    )
    return with_dice(card, state, names, [(strip, words) for strip, words, _ in met], [result for _, result in shown])


def with_dice(
    card: Card, state: State, names: People, strips: Sequence[StripWords] = (), results: Sequence[Comparison] = ()
) -> Card:
    """Return the card with its dice, Saving Rolls and Guts Rolls last, and its large number."""
    saved = [strip for save in state.saves for strip in save_strips(save, names)]
    saved += [guts_strip(item, names) for item in state.guts if item.dice]
    came, unit = number(state, results, names)
    shown = (*strips, *saved)
    alt = Sentences((labeled(strip.label, words) for strip, words in shown), ". ")
    return replace(card, strips=tuple(strip for strip, _ in shown), alt=alt, number=came, unit=unit)


def number(state: State, results: Sequence[Comparison], names: People) -> tuple[Shown, Shown]:
    """Return the large number with its unit and owner: Wounds lost by one trooper, or before saves the hits of one
    side; without hits what all comparisons achieved, in a word: a Dodge, Reset, smoke, hack, or other skill.
    """
    if len({saved.save.name for saved in state.saves}) == 1:
        lost = sum(map(wounds, state.saves))
        whose = trooper_name(state.saves[0].save, names)
        return Code(str(lost)), Sentences([WOUNDS.unit_of(lost), whose], " · ")
    if state.saves or not results or state.order is None:
        return EMPTY, EMPTY
    every = [achievement(state.order.rolls, *pair) for pair in zip(state.order.meetings, results, strict=True)]
    hits = [(roll, dice) for roll, word, dice in every if roll is not None and not word]
    titles = Names(list(dict.fromkeys(roll_title(roll, names) for roll, *_ in hits or every if roll is not None)))
    if hits:
        is_one = len({roll.side for roll, _ in hits}) == 1
        return hit_number([dice for _, dice in hits], titles) if is_one else (EMPTY, EMPTY)
    words = {word for _, word, _ in every}
    return (words.pop(), parenthesized(titles)) if titles and len(words) == 1 else (EMPTY, EMPTY)


def hit_number(hits: Sequence[ComparedDice], whose: Names) -> tuple[Shown, Shown]:
    count, noun = sum(dice.hits + dice.crits for dice in hits), HITS if any(dice.hits for dice in hits) else CRITICALS
    return Code(str(count)), Sentences([noun.unit_of(count), whose], " · ")


def achievement(
    rolls: Sequence[TrooperRoll], meeting: Meeting, result: Comparison
) -> tuple[TrooperRoll | None, Shown, ComparedDice]:
    """Return who succeeded in a comparison, and with what: a word, or an attack's dice."""
    place = meeting.a if meeting.b is None else meeting.winning_place(result.winner)
    won = result.b if result.b is not None and place == meeting.b else result.a
    if place is None or not won.hits + won.crits:
        return None, EMPTY, won
    roll = rolls[place]
    if roll.is_screen:
        return roll, Text("Smoke"), won
    if not roll.action.is_attack or roll.aids:
        return roll, Name(programs.of(roll.weapon).name) or ACHIEVED.get(roll.action, PASSED), won
    return roll, EMPTY, won


def notes_text(declared: Order) -> Shown:
    """Return troopers' initial states, and uncounted skills that concern a roll, with its trooper."""
    left = [f"{skill} ({roll.name})" if roll.name else skill for roll in declared.rolls for skill in roll.not_counted]
    named = [Text("Play by hand: {skills}", skills=Code(", ".join(dict.fromkeys(left))))] if left else []
    forced = [roll.name for roll in declared.rolls if roll.anyway]
    let = [Text("A GM allows {troopers} to roll anyway", troopers=Names(forced))] if forced else []
    message = N_("{name} is no longer {state} after this declaration")
    ends = [Text(message, state=term(state), name=roll.name) for roll in declared.rolls for state in roll.ended]
    known = ((name, profile.states) for name, profile in declared.involved if profile and profile.states)
    stood = (labeled(name, Sentences(map(Text, states), ", ")) for name, states in known)
    return Sentences([*dict.fromkeys([*stood, *ends]), *let, *named], " · ")


def reminders(declared: Order) -> tuple[Text, ...]:
    """Return reminders: a shot into close combat, a hacking program's target, and which edition applies."""
    texts: list[Text] = []
    if any(mod.kind is ModKind.MELEE for roll in declared.rolls for mod in roll.mods):
        texts.append(Text("Each missed die hits an ally in the close combat: make its Saving Rolls yourselves"))
    for meeting in declared.meetings:
        foe = declared.rolls[meeting.b].profile if meeting.b is not None else meeting.profile
        known = programs.of(declared.rolls[meeting.a].weapon)
        if known.targets and declared.edition == "n5" and not (foe and foe.type):
            message = N_("{program} works only against {types}")
            texts.append(Text(message, program=Name(known.name), types=Names(known.targets, "or")))
        elif known.is_defence:
            texts.append(Text("White Noise blocks Visors' line of fire until the States Phase; it isn't a MOD"))
    return (*dict.fromkeys(texts), Text(TOLD[declared.edition, "edition"]))


def kind(declared: Order) -> Text:
    if len(declared.meetings) > 1:
        return Text("order")
    return Text("Normal Roll") if declared.meetings[0].b is None and not declared.awaits else Text("Face to Face Roll")


def roll_title(roll: TrooperRoll, names: People) -> Shown:
    return roll.name or names.get(roll.side, UNNAMED[roll.side])


def outcome(state: State, declared: Order, names: People) -> Shown:
    """Return the result, winner first, for reading aloud."""
    asks = declared.rolls[0]
    if state.withdrawn:
        return Text("{called} withdraws; nothing was rolled.", called=roll_title(asks, names))
    if declared.doubt is not None:
        return turns.doubt_sentence(declared.doubt)
    if is_open(state):
        if asks.action is Action.DIRECT:
            return Text("{called} declares a Direct Template. Who reacts?", called=roll_title(asks, names))
        is_known = Side.DEFENDER in names  # the line below asks them
        open_ = N_("{called} declares SV {sv}, Burst {burst}. Who reacts?")
        message = N_("{called} declares SV {sv}, Burst {burst}.") if is_known else open_
        return Text(message, called=roll_title(asks, names), sv=asks.sv, burst=asks.burst)
    shown = tuple(zip(declared.meetings, results(state), strict=True))
    alone = len(declared.meetings) == 1
    sentences: list[Shown] = [sentence(declared, meeting, result, names, alone) for meeting, result in shown]
    for place, stays in smoke_rolls(state).items():
        message = N_("{name}'s template stays: a zero visibility zone until the States Phase.")
        message = message if stays else N_("{name}'s template doesn't stay.")
        sentences.append(Text(message, name=roll_title(declared.rolls[place], names)))
    sentences += effects(state, names)
    for name, (over, begun) in pieces.by_skills(state).items():
        message, changed = N_("{name} is now {states}."), Names(map(Text, begun))
        if not begun:
            message, changed = N_("{name} is no longer {states}."), Names(map(Text, over), "or")
        sentences.append(Text(message, name=Name(name), states=changed))
    message = N_("{name} starts from its own table edge, as a model.")
    sentences += [
        Text(message, name=roll_title(roll, names))
        for meeting, result in shown
        if result.winner == "nobody" and (roll := declared.rolls[meeting.a]).action in DEPLOYS
    ]
    sentences += [saved_sentence(saved, names) for saved in state.saves]
    return Sentences([*sentences, *aftermath(state, names)])


def effects(state: State, names: People) -> Iterator[Shown]:
    """Yield attacks' effects without Saving Rolls: none, or states."""
    landed = landed_attacks(state)
    for hit in landed:
        if hit.weapon.is_saved and not is_affected(hit):
            message = N_("The {weapon} has no effect on {whose}.")
            yield Text(message, weapon=hit.weapon.name, whose=trooper_name(hit, names, IN_A_SENTENCE))
    hits = (hit for hit in landed if hit.weapon.state and not hit.weapon.is_saved)
    for whose, brought in dict.fromkeys((trooper_name(hit, names), hit.weapon.state) for hit in hits):
        yield Text("{whose} is now {state}.", whose=whose, state=term(brought))


def aftermath(state: State, names: People) -> list[Shown]:
    """Return Saving Rolls' effects on troopers with known Wounds, and Guts Rolls: ``Ortega: 1 of 2 Wounds lost,
    Isolated.``
    """
    known = (came for came in conditions(state.saves) if came.trooper.wounds is not None)
    harmed = (came for came in known if came.now or came.trooper.states)
    guts = {True: N_("{name} passes the Guts Roll."), False: N_("{name} fails the Guts Roll.")}
    rolls = (Text(guts[item.passed], name=trooper_name(item, names)) for item in state.guts)
    left = (ended(labeled(trooper_name(came.save, names), condition(came.trooper))) for came in harmed)
    return [*left, *rolls]


def sentence(declared: Order, meeting: Meeting, result: Comparison, names: People, alone: bool) -> Text:
    """Return who won one comparison and with what; alone on its card, it doesn't name the opponent."""
    a, how = declared.rolls[meeting.a], "alone" if alone else "against"
    if meeting.b is None or result.b is None:
        return normal_roll_sentence(a, meeting.target, result.a, names)
    b = declared.rolls[meeting.b]
    if result.winner == "nobody":
        why = tie_reason(result.a, result.b)
        why = "no success" if why == "failures" and not (a.hits and b.hits) else why
        message = TOLD[why, how]
        return Text(message, one=roll_title(a, names), two=roll_title(b, names))
    won, lost, stands = (a, b, result.a) if result.winner == "a" else (b, a, result.b)
    winner, loser, hits = roll_title(won, names), roll_title(lost, names), tally(stands)
    if won.is_screen:
        return Text("{winner}'s smoke stops {loser}.", winner=winner, loser=loser)
    if won.action is Action.DIRECT and lost.action.is_evasion:
        return Text(TOLD[lost.action, "hit"], name=loser, winner=winner, hits=hits)
    if won.action.is_evasion:
        return Text(TOLD[won.action, how], winner=winner, loser=loser)
    plain, message = N_("{winner} wins."), N_("{winner} wins, {hits}.")
    if not alone:
        plain, message = N_("{winner} beats {loser}."), N_("{winner} beats {loser}, {hits}.")
    return Text(message if won.action.is_attack else plain, winner=winner, loser=loser, hits=hits)


def normal_roll_sentence(roll: TrooperRoll, target: str, rolled: ComparedDice, names: People) -> Text:
    name, hits = roll_title(roll, names), tally(rolled)
    if roll.is_screen:
        return EMPTY
    if roll.aids and roll.weapon is not None and roll.action is Action.DIRECT:
        return Text("{name} uses the {weapon} on {target}.", name=name, weapon=roll.weapon.name, target=Name(target))
    if roll.action.is_skill:
        return skill(roll, rolled, name)
    if roll.action.is_evasion:
        return Text(TOLD[roll.action, "alone" if hits else "fails"], winner=name, name=name)
    if hits:
        message = N_("{name} scores {hits} on {target}.") if target else N_("{name} scores {hits}.")
    else:
        message = N_("{name} misses {target}.") if target else N_("{name} misses.")
    return Text(message, name=name, hits=hits, target=Name(target))


def skill(roll: TrooperRoll, rolled: ComparedDice, name: Shown) -> Text:
    """Return whether a skill passed, and by how much: the best die's distance from the Success Value."""
    what = roll.action.roll
    kept = [die for die in rolled.dice if not die.discarded]
    best = max(kept, key=lambda die: (die.score, -die.face), default=None)
    if best is None:
        return Text("{name} fails the {what}: SV {sv} fails automatically.", name=name, what=what, sv=roll.sv)
    if best.kind == "crit":
        return Text("{name} passes the {what} with a Critical.", name=name, what=what)
    message = N_("{name} fails the {what} by {margin} ({face} against SV {sv}).")
    if best.kind == "success":
        message = N_("{name} passes the {what} by {margin} ({face} against SV {sv}).")
    return Text(message, name=name, what=what, margin=abs(roll.sv - best.face), face=best.face, sv=roll.sv)


def tally(item: ComparedDice | Save) -> Shown:
    """Return ``3 hits (1 Critical)``, or ``2 Criticals``; empty without successes."""
    hits, crits = (noun.of(count) for noun, count in ((HITS, item.hits + item.crits), (CRITICALS, item.crits)))
    if not item.hits:
        return crits if item.crits else EMPTY
    return bracketed(hits, crits) if item.crits else hits


def tie_reason(a: ComparedDice, b: ComparedDice) -> Tie:
    a_best, b_best = (max((die.score for die in compared_dice.dice), default=0) for compared_dice in (a, b))
    if a_best == b_best == CRITICAL:
        return "criticals"
    return "equal" if a_best else "failures"


def turn(state: State, declared: Order, names: People) -> Shown:
    """Return who may act now; empty if nobody must."""
    if declared.doubt is not None and not state.withdrawn:
        return OUT_OF_ORDER
    if is_open(state):
        who, trooper = names.get(Side.DEFENDER, Text("Anyone else")), declared.meetings[0].target
        message = N_("{who}: press React and choose what you do.")
        message = N_("{who}: press React and choose what {trooper} does.") if trooper else message
        return Text(message, who=who, trooper=trooper)
    if state.late:
        active = names.get(Side.ATTACKER, UNNAMED[Side.ATTACKER])
        line = Name(pieces.PLAYERS.sub("", state.late))
        return Text("{active}: a late ARO: {line}. Do you allow it?", active=active, line=line)
    hits = open_saves(state, landed_attacks(state))
    hit = Names(list(dict.fromkeys(trooper_name(save, names) for save in hits if not save.weapon.is_kit)))
    lines = [Text("{hit}: roll your saves.", hit=hit)] * bool(hit)
    lines += [Text("{who}: make the PH Roll.", who=trooper_name(save, names)) for save in hits if save.weapon.is_kit]
    return Sentences([*lines, guts_turn(state, names)])


def guts_turn(state: State, names: People) -> Shown:
    known, unknown = N_("{who}: Guts Roll (WIP {wip})."), N_("{who}: Guts Roll.")
    due = ((trooper_name(came.save, names), came.save.profile.wip) for came in due_guts(state).values())
    return Sentences(Text(unknown if wip is None else known, who=who, wip=wip) for who, wip in due)


def trooper_name(item: Guts | Save, names: People, unnamed: Text = THE_TARGET) -> Shown:
    return item.name or names.get(item.side, unnamed)


def guts_strip(item: Guts, names: People) -> StripWords:
    face = str(item.dice[0].face)
    fate: Fate = "stands" if item.passed else "failed"
    named = trooper_name(item, names, IN_A_SENTENCE)
    label = Text("Guts Roll for {named}, WIP {wip}", named=named, wip=item.wip)
    return Strip(label, (Tile(f"d20-{item.side}", face, fate),)), die_in_words(fate, "of a roll", Code(face))


def compared_dice(
    declared: Order, meeting: Meeting, result: Comparison, names: People
) -> Iterator[tuple[Strip, Shown, Shown]]:
    """Yield each side's dice of one comparison, as drawn and as text, and their line of the story, with the opponent if
    dice are compared more than once.
    """
    each, beside = sides(declared, meeting, result, names), False
    are_many = len(declared.meetings) > 1 and len(each) > 1
    for (name, roll, dice, theirs), (enemy, *_) in zip(each, reversed(each), strict=True):
        if dice.dice:
            won = result.b is not None and dice is {"a": result.a, "b": result.b}.get(result.winner)
            label = Text(N_("{name} wins, SV {sv}") if won else N_("{name}, SV {sv}"), name=name, sv=roll.sv)
            words, message = dice_in_words(roll, dice, theirs), N_("{name} against {enemy}: {dice}")
            line = Text(message, name=name, enemy=enemy, dice=words) if are_many else labeled(name, words)
            yield Strip(label, tiles(roll, dice), beside=beside, won=won), words, line
            beside = True


def sides(
    declared: Order, meeting: Meeting, result: Comparison, names: People
) -> list[tuple[Shown, TrooperRoll, ComparedDice, tuple[ScoredDie, ...]]]:
    """Return one or two sides of a comparison: name, roll, dice, enemy's dice."""
    a = declared.rolls[meeting.a]
    if meeting.b is None or result.b is None:
        return [(roll_title(a, names), a, result.a, ())]
    b = declared.rolls[meeting.b]
    return [(roll_title(a, names), a, result.a, result.b.dice), (roll_title(b, names), b, result.b, result.a.dice)]


def tiles(roll: TrooperRoll, compared_dice: ComparedDice) -> tuple[Tile, ...]:
    """Return the dice; a discarded one is drawn as failed, and the text distinguishes them."""
    body = f"d20-{roll.side}"
    return tuple(
        Tile(body, str(die.face), "failed" if fate == "discarded" else fate, critical=die.kind == "crit")
        for die, fate in zip(compared_dice.dice, compared_dice.fates, strict=True)
    )


def notes(declared: Order, names: People) -> list[Shown]:
    """Return notes on unusual Success Values of each roll, and why a roll is a Normal Roll."""
    lines: list[Shown] = []
    for roll in declared.rolls:
        name, added = roll_title(roll, names), sum(mod.number for mod in roll.mods)
        if added != total(roll.mods):
            message = N_("{name}: MODs of {added} count as {limit}, the limit")
            lines.append(Text(message, name=name, added=Code(f"{added:+d}"), limit=Code(f"{total(roll.mods):+d}")))
        lines += value_note(roll, name, declared.edition)
    for meeting in declared.meetings:
        if meeting.because:
            roll = declared.rolls[meeting.a]
            places = {"name": roll_title(roll, names), "action": roll.action.label, "target": meeting.target}
            known = TOLD.get((meeting.because, "normal"))
            lines.append(Text(known, **places) if known else term(meeting.because))
    return list(dict.fromkeys(lines))


def rerolls(state: State, declared: Order, names: People) -> list[Shown]:
    thrown = zip(declared.rolls, state.dice, strict=False)
    again = ((roll_title(roll, names), die.trail) for roll, dice in thrown for die in dice if die.was_rerolled)
    return [labeled(who, Code(" → ".join(str(step.face) for step in trail))) for who, trail in again]


def value_note(roll: TrooperRoll, name: Shown, edition: Edition) -> list[Text]:
    excess = roll.sv - SIDES
    if roll.sv < 1 and roll.action is not Action.DIRECT:
        message = N_("{name}: SV {sv}, fails automatically")
    elif excess <= 0:
        return []
    elif edition != "n5":
        message = N_("{name}: SV {sv}, +{excess} to each die")
    else:
        message = N_("{name}: SV {sv}, 20 and 1 to {excess} are Criticals")
        message = message if excess > 1 else N_("{name}: SV {sv}, 20 and 1 are Criticals")
    return [Text(message, name=name, sv=roll.sv, excess=excess)]


def sums(declared: Order, names: People) -> list[tuple[Shown, Shown]]:
    """Return each roll's MODs, line by line, if they have words."""
    facts = list[tuple[Shown, Shown]]()
    for roll in (roll for roll in declared.rolls if any(mod.what for mod in roll.mods)):
        typed = Text("Success Value {value}", value=roll.attribute)
        limited = sum(mod.number for mod in roll.mods) != total(roll.mods)
        limit = [Text("limit: {limit}", limit=Code(f"{total(roll.mods):+d}"))] * limited
        first = Code(f"{roll.stat} {roll.attribute}") if roll.stat else typed
        lines = [first, *(mod.text for mod in roll.mods), *limit, Text("= SV {sv}", sv=roll.sv)]
        facts.append((Text("Total for {called}", called=roll_title(roll, names)), Sentences(lines, "\n")))
    return facts


def dice_in_words(roll: TrooperRoll, compared_dice: ComparedDice, enemy: tuple[ScoredDie, ...]) -> Sentences:
    """Return ``9 (hit), 4 is canceled by 5, Critical 12 (hit), 17 (miss)``; else ``9 (success), 17 (failure)``."""
    kind: Literal["of an attack", "of a roll"] = "of an attack" if roll.hits and not roll.aids else "of a roll"
    by = (EMPTY if at is None else face(enemy[at]) for at in compared_dice.by)  # a Direct Template has none
    told = zip(compared_dice.dice, compared_dice.fates, by, strict=True)
    return Sentences((die_in_words(fate, kind, face(die), other) for die, fate, other in told), ", ")


def die_in_words(
    fate: Fate | resolve.Fate, kind: Literal["of an attack", "of a roll", "of a save"], die: Shown, by: Shown = EMPTY
) -> Text:
    """Return a die's fate for the story and alt text: ``9 (hit)``."""
    return Text(TOLD[fate, kind], die=die, by=by)


def face(die: ScoredDie) -> Text:
    """Return ``9``, ``Critical 12``, and in N4 above 20 ``16 (counted as 19)``."""
    if die.kind == "crit":
        return Text("Critical {face}", face=die.face)
    if die.score in (0, die.face):
        return Numeral(str(die.face))
    return Text("{face} (counts as {score})", face=die.face, score=die.score)


def closing_notes(declared: Order, shown: list[tuple[Meeting, Comparison]], names: People) -> list[Shown]:
    """Return reminders: the Order is spent, a tie is no Dodge, a weapon is used up."""
    nobody = [(meeting, result) for meeting, result in shown if result.winner == "nobody"]
    tied = (meeting for meeting, met in nobody if met.b is not None and tie_reason(met.a, met.b) != "failures")
    evaded = any(declared.rolls[place].action.is_evasion for meeting in tied for place in meeting.places)
    won = {meeting.winning_place(result.winner) for meeting, result in shown}
    lost = (declared.rolls[at] for at in sorted({at for meeting, _ in shown for at in meeting.places} - won))
    attacks = (roll for roll in lost if roll.action.is_attack and "disposable" in roll.traits)
    used = dict.fromkeys(roll_title(roll, names) for roll in attacks)
    is_order = not any(roll.action in DEPLOYS for roll in declared.rolls)
    spent = [SPENT] * (is_order and bool(shown) and len(nobody) == len(shown))
    tie = [Text("A tie: no hit, but no successful Dodge or Reset either")] * evaded
    return [*spent, *tie, *[Text(USED_UP, who=Names(used))] * bool(used)]


def leading_side(declared: Order, shown: list[tuple[Meeting, Comparison]]) -> Ahead:
    won = [meeting.winning_place(result.winner) for meeting, result in shown]
    sides = {declared.rolls[place].side for place in won if place is not None}
    if len(sides) != 1:
        return "nobody"
    return "attacker" if Side.ATTACKER in sides else "defender"


def describe_roll(roll: TrooperRoll, names: People) -> Sentences:
    """Return ``Angus SV 9 (12 -3), Burst 2, +1 SD``."""
    name = roll_title(roll, names)
    result = f" ({roll.attribute} {' '.join(f'{mod.number:+d}' for mod in roll.mods)})" if roll.mods else ""
    value = Text("{name} SV {sv}{made}", name=name, sv=roll.sv, made=Name(result))
    parts = [name if roll.action is Action.DIRECT else value, Text("Burst {burst}", burst=roll.burst)]
    parts += [Text("+{special} SD", special=roll.special)] * (roll.special > 0)
    parts += [roll.action.label] if roll.action is not Action.SHOOT else []
    parts += [roll.weapon.name] if roll.weapon and roll.weapon.name and not roll.weapon.is_kit else []
    return Sentences(parts, ", ")


def saving(state: State, names: People) -> Card:
    saved = state.saves[0]
    save = saved.save
    what = Text("{hits} with {ammunition}", hits=tally(save), ammunition=Code(save.weapon.ammunition))
    parts: list[Shown] = [Code(save.edition.upper()), what]
    if save.weapon.power is not None:
        as_damage = save.edition != "n5"
        power: Shown = power_text(save.weapon, as_damage=as_damage)
        if save.weapon.as_damage is not as_damage:
            typed = power_text(save.weapon, as_damage=save.weapon.as_damage)
            power = Text("{power} (typed {typed})", power=power, typed=typed)
        parts.append(power)
        parts += [Text("cover +{cover}", cover=COVER)] * save.cover
    card = Card(
        title=Text("Infinity · Saving Rolls"),
        outcome=Sentences([saved_sentence(saved, names), *aftermath(state, names)]),
        turn=guts_turn(state, names),
        trail=tuple(save_story((saved,), names)),
        small=Sentences(parts, " · "),
        reminders=(Text(TOLD[save.edition, "edition"]),),
        ahead="attacker" if any(failed_saves(saved)) or automatic(save) else "defender",
    )
    return with_dice(card, state, names)


def saved_sentence(saved: RolledSaves, names: People) -> Text:
    """Return ``Ortega fails 1 of 2 Saving Rolls: 1 Wound.``"""
    if saved.save.weapon.is_kit:
        message = N_("{name} fails the PH Roll.") if failed_saves(saved)[-1] else N_("{name} passes the PH Roll.")
        return Text(message, name=trooper_name(saved.save, names))
    lost, rolls, at_once, ends = sum(failed_saves(saved)), len(saved.dice), automatic(saved.save), states(saved)
    brought = [*([Count(wounds(saved), "Wound", "Wounds")] if wounds(saved) else []), *map(Text, ends)]
    if at_once and rolls:
        message = N_("{name} loses {at_once} without a save and fails {lost} of {rolls}: {cost} in all.")
    elif at_once:
        message = N_("{name} loses {at_once} without a save.")
        message = N_("{name} loses {at_once} without a save: {cost}.") if ends else message
    elif lost and not brought:
        message = N_("{name} fails {lost} of {rolls} but is immune to {states}.")
        message = message if prevented_states(saved) else N_("{name} fails {lost} of {rolls}, with no effect.")
    elif lost:
        message = N_("{name} fails {lost} of {rolls}: {cost}.")
        message = N_("{name} fails the Saving Roll: {cost}.") if rolls == 1 else message
    else:
        message = N_("{name} passes the Saving Roll.") if rolls == 1 else N_("{name} passes all {rolls}.")
    return Text(
        message,
        name=trooper_name(saved.save, names),
        at_once=Count(at_once, "Wound", "Wounds"),
        lost=lost,
        rolls=Count(rolls, "Saving Roll", "Saving Rolls"),
        cost=Names(brought),
        states=Names(map(Text, prevented_states(saved))),
    )


def save_strips(saved: RolledSaves, names: People) -> list[StripWords]:
    """Return the dice by saving attribute; a Critical's extra save separately."""
    body, result = f"d20-{saved.save.side}", dict[Text, list[tuple[Tile, Text]]]()
    several = len({item.attribute for item, _ in rolled(saved)}) > 1
    for save, face in rolled(saved):
        message = N_("Saving Rolls with {attribute}, {who}") if several else N_("Saving Rolls, {who}")
        message = N_("Extra save for the Critical, {who}") if save.extra else message
        message = N_("PH Roll, {who}") if saved.save.weapon.is_kit else message
        who = trooper_name(saved.save, names, IN_A_SENTENCE)
        label = Text(message, who=who, attribute=Code(save.attribute))
        tile = Tile(body, str(face), "stands" if save.passes(face) else "failed")
        result.setdefault(label, []).append((tile, save_die(saved, save, face)))
    each = ((label, [tile for tile, _ in dice], [words for _, words in dice]) for label, dice in result.items())
    return [(Strip(label, tuple(tiles)), Sentences(words, ", ")) for label, tiles, words in each]


def save_die(saved: RolledSaves, save: PendingSave, face: int) -> Text:
    """Return ``9 (pass)``; a kit's PH Roll is no save: ``9 (success)``."""
    kind: Literal["of a roll", "of a save"] = "of a roll" if saved.save.weapon.is_kit else "of a save"
    return die_in_words("stands" if save.passes(face) else "failed", kind, Code(str(face)))


def save_story(saves: tuple[RolledSaves, ...], names: People) -> list[Text]:
    lines: list[Text] = []
    for saved in saves:
        who, parts = trooper_name(saved.save, names), dict[PendingSave, list[Text]]()
        for save, face in rolled(saved):
            parts.setdefault(replace(save, wounds=0), []).append(save_die(saved, save, face))
        for save, faces in parts.items():
            case = "kit" if saved.save.weapon.is_kit else "extra save" if save.extra else "save"
            message = TOLD["over" if save.over else "up to", case]
            places = {"who": who, "number": save.number, "attribute": Code(save.attribute)}
            lines.append(Text(message, **places, faces=Sentences(faces, ", ")))
    return lines
