"""X-Wing on a card: an attack at any step, and loose dice."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from bot.odds.xwing import KNOWN_TOKENS
from bot.render import plain_text
from bot.render.card import Ahead, Card, People, Strip, Tile, fate_of
from bot.rules import text as texts
from bot.rules.dice import Rolled
from bot.rules.game import Side
from bot.rules.text import EMPTY, N_, Capitalized, Code, Count, Message, Names, Sentences, Shown, Text, joined, term
from bot.rules.xwing.attack import attack as attacks
from bot.rules.xwing.attack.attack import ACTS, Attack, AttackWindow
from bot.rules.xwing.attack.steps import DamageDealt, effect_text
from bot.rules.xwing.cards.card_sets import SHELF, chassis_id
from bot.rules.xwing.cards.cards import without_quotes
from bot.rules.xwing.dice import declared as declarations
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.dice.faces import DAMAGE, DICE_OF, NOUNS, Face, Pool
from bot.rules.xwing.dice.loose_dice import LooseRoll
from bot.rules.xwing.dice.modify import Cause
from bot.rules.xwing.dice.tokens import ON_SIDE, REINFORCE, TABLE, TOKENS
from bot.rules.xwing.dice.typed_sides import write_effect

DICE: Final[Mapping[Pool, Shown]] = {Pool.RED: Text("attack dice"), Pool.GREEN: Text("defense dice")}
POOLS: Final[Mapping[Pool, Shown]] = {Pool.RED: Text("Attack dice"), Pool.GREEN: Text("Defense dice")}
"""Names of the pools at the beginning of a line."""
REINFORCING: Final = tuple(token.name for token in TABLE if token.adds_evade)
NOT_FALLEN: Final = (AttackWindow.ATTACKER_BEFORE_DICE, AttackWindow.DEFENDER_BEFORE_DICE, AttackWindow.ENTER_ATTACK)
"""Windows before the attack dice are rolled."""
NEUTRALIZERS: Final = (N_("evade"), *REINFORCING)
STEP_6: Final = {*(("cancelled", by) for by in NEUTRALIZERS), *(("added", by) for by in REINFORCING)}
"""Steps of a trail outside windows: step 6 has lines of its own."""

DID: Final[Mapping[str, tuple[Message, Message]]] = {
    "changed": (N_("Changes: {dice}"), N_("{by} changes: {dice}")),
    "rerolled": (N_("Rerolls: {dice}"), N_("{by} rerolls: {dice}")),
    "added": (N_("Adds: {dice}"), N_("{by} adds: {dice}")),
    "cancelled": (N_("Cancels: {dice}"), N_("{by} cancels: {dice}")),
    "spent": (N_("Spends: {dice}"), N_("{by} spends: {dice}")),
    "rolled": (N_("Die, rolled again: {dice}"), N_("{by} die, rolled again: {dice}")),
}
"""Verbs for changes to dice: without an actor, and by a token or a card."""


def card(state: Attack | LooseRoll, names: People) -> Card:
    """Return the card of an attack or of loose dice; ``names`` lacks free sides."""
    return loose_dice_card(state, names) if isinstance(state, LooseRoll) else attack(state, names)


def attack(state: Attack, names: People) -> Card:
    strips = tuple(strip(pool, state.pool(pool), state.damage is not None) for pool in Pool if state.pool(pool))
    left = {side: side_input_text(state, side) for side in Side}
    line = Text("Ruleset {ruleset}", ruleset=state.declared.ruleset)
    came, unit = number(state.damage)
    in_order = [STEP_8] if state.window is AttackWindow.OVER else []
    in_order += [KNOWN_TOKENS] if any(map(state.claimable, Side)) else []
    return Card(
        title=title(state),
        outcome=Sentences(
            [outcome(state, names), *claims_told(state, names), *(texts.ended(line) for line in state.before)]
        ),
        strips=strips,
        turn=turn(state, names),
        trail=story(state),
        facts=tuple((seat(state, side, names), side_assets(state, side, left[side])) for side in Side),
        small=Text(LEAVES, line=line) if state.damage is not None and state.damage.destroyed else line,
        below=side_summary(state, left),
        reminders=(*in_order, *manual_cards_note(card_names(state.declared.not_counted))),
        alt=plain_text.strips(strips),
        number=came,
        unit=unit,
        ahead=leading_side(state),
    )


def number(damage: DamageDealt | None) -> tuple[Shown, Shown]:
    """Return the large number and its unit: the damage, or the tokens of a weapon that deals none."""
    if damage is None:
        return EMPTY, EMPTY
    if damage.tokens and not damage.total:
        (name, count), *_ = damage.tokens
        return Code(str(count)), TOKENS[name].noun.unit_of(count)
    return Code(str(damage.total)), DAMAGE.unit_of(damage.total)


@lru_cache(maxsize=1024)
def card_name(id_: str) -> str:
    """Return a card's or ship ability's name by id, in the first set that has it; else the id."""
    for cards in SHELF.newest():
        for result in (cards.pilots, cards.upgrades):
            if id_ in result:
                return without_quotes(str(result[id_]["name"]))
    pilots = (pilot for cards in SHELF.newest() for pilot in cards.pilots.values())
    abilities = (str(pilot["ability"]) for pilot in pilots if "ability" in pilot)
    return next((ability for ability in abilities if chassis_id(ability) == id_), id_)


def card_names(ids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(map(card_name, ids)))


def manual_cards_note(names: Sequence[str]) -> list[Text]:
    """Return a note on cards whose effect on the dice isn't automated; empty if there are none."""
    return [Text("Play by hand: {cards}.", cards=Names(names))] if names else []


def claims_told(state: Attack, names: People) -> list[Text]:
    """Return each side's claims by a press: ``Ana spends 1 focus token.``"""
    told = []
    for side in filter(dict(state.claimed).get, Side):
        who = fighter(state, side, names) or THE[side]
        said = Counter(token for of, token in state.claimed if of is side)
        reinforces = said.pop(REINFORCE, 0)
        spent = Names([TOKENS[token].noun.of(count) for token, count in said.items()])
        told += [Text("{who} spends {tokens}.", who=who, tokens=spent)] if said else []
        told += [Text("{who} reinforces that arc.", who=who)] if reinforces else []
    return told


def seat(state: Attack, side: Side, names: People) -> Shown:
    message = N_("Attacker: {who}") if side is Side.ATTACKER else N_("Defender: {who}")
    return Sentences([Text(message, who=names.get(side, Text("open"))), state.declared.ship(side)], " · ")


def title(state: Attack) -> Shown:
    declared = state.declared
    parts: list[Shown] = [Text("X-Wing bonus attack") if declared.bonus else Text("X-Wing")]
    parts += [Text("out of order")] if declared.out_of_order and state.damage is None else []
    parts += [declared.weapon] if declared.special else []
    parts += [Text("range {range}", range=declared.range)] if declared.range is not None else []
    parts += [Text("ordnance")] if declared.ordnance else []
    parts += [Text("obstructed")] if declared.obstructed else []
    parts += [Text("obstructed by {what}", what=term(obstruction.value)) for obstruction in declared.obstructed_by]
    return Sentences(parts, " · ")


def outcome(state: Attack, names: People) -> Text:
    """One sentence that can be read aloud."""
    if state.window is AttackWindow.WITHDRAWN:
        who = names.get(Side.ATTACKER, Text("The attacker"))
        return Text("{names} withdraws the attack; nothing was rolled.", names=who)
    if state.window is AttackWindow.DECLARE_DEFENSE:
        who, whom = (fighter(state, side, names) for side in Side)
        return Text(DECLARES[bool(who), bool(whom)], attacker=who, defender=whom, dice=state.attack.dice)
    attacker = fighter(state, Side.ATTACKER, names) or Text("The attacker")
    defender = fighter(state, Side.DEFENDER, names)
    defender = EMPTY if defender == attacker else defender  # one person tries it out alone
    if state.damage is not None:
        return damage_sentence(state, state.damage, attacker, defender)
    if state.window in NOT_FALLEN:
        thrown = Count(declarations.attack_pool(state.declared), "attack die", "attack dice")
        return Text(ATTACKS[not defender], attacker=attacker, defender=defender, dice=thrown)
    pool = pool_of(state) if state.green else Pool.RED
    message = (DEFENDED if pool is Pool.GREEN else ATTACKED)[not defender]
    came = results(state.pool(pool), but=(Face.FOCUS, Face.BLANK))
    return Text(message, attacker=attacker, defender=defender, results=came)


DECLARES: Final = {
    (True, True): N_("{attacker} attacks {defender} with a weapon value of {dice}."),
    (False, True): N_("The attacker attacks {defender} with a weapon value of {dice}."),
    (True, False): N_("{attacker} attacks with a weapon value of {dice}. Who defends?"),
    (False, False): N_("The attacker attacks with a weapon value of {dice}. Who defends?"),
}
"""Sentences by whether attacker and defender are known."""
ATTACKS: Final = N_("{attacker} attacks {defender} with {dice}."), N_("{attacker} attacks the defender with {dice}.")
ATTACKED: Final = N_("{attacker} against {defender}: {results}."), N_("{attacker} against the defender: {results}.")
DEFENDED: Final = (
    N_("{attacker} against {defender}, defense: {results}."),
    N_("{attacker} against the defender, defense: {results}."),
)
HITS: Final = N_("{attacker} hits {defender}: {damage}."), N_("{attacker} hits the defender: {damage}.")
DESTROYS: Final = (
    N_("{attacker} destroys {defender}'s ship: {damage}."),
    N_("{attacker} destroys the defender's ship: {damage}."),
)
MISSES: Final = N_("{attacker} misses {defender}."), N_("{attacker} misses the defender.")
"""Sentences with the defender's name, and without: a role's form differs in a sentence."""


def fighter(state: Attack, side: Side, names: People) -> Shown:
    """Return a side's name in a sentence: its ship, otherwise its player; empty if neither is known."""
    return state.declared.ship(side) or names.get(side, EMPTY)


def damage_sentence(state: Attack, damage: DamageDealt, attacker: Shown, defender: Shown) -> Text:
    """Return ``Wedge hits Howlrunner: 1 crit. Hull 3 to 2.``; the history notes out of order."""
    said = (DESTROYS if damage.destroyed else HITS if damage.total or damage.tokens else MISSES)[not defender]
    if damage.destroyed and state.declared.defender:
        said = N_("{attacker} destroys {defender}: {damage}.")
    tokens = (TOKENS[name].noun.of(count) for name, count in damage.tokens)
    through: Text = Names([*count_results(damage.hits, damage.crits), *tokens])  # ``2 hits and 1 crit``
    if damage.titles:
        through = texts.bracketed(through, Sentences(damage.titles, ", "))
    told = Text(said, attacker=attacker, defender=defender, damage=through)
    anyway = Text("Out of order.") if state.declared.out_of_order else EMPTY
    return Sentences([told, ship_left(state, damage) if damage.total or damage.tokens else EMPTY, anyway])


def count_results(hits: int, crits: int) -> list[Text]:
    """Return ``2 hits``, ``1 crit``, without zeros."""
    return [NOUNS[face].of(count) for face, count in ((Face.HIT, hits), (Face.CRIT, crits)) if count]


def ship_left(state: Attack, damage: DamageDealt) -> Text:
    """Return ``Shields 1 to 0. Hull 3 to 2.``; empty for an unknown ship."""
    hull, shields = state.declared.hull, state.declared.shields
    if hull is None:
        return EMPTY
    told = []
    if damage.shields_lost:
        told.append(Text("Shields {shields} to {left}.", shields=shields, left=shields - damage.shields_lost))
    if cards := damage.facedown + damage.faceup:
        told.append(Text("Hull {hull} to {left}.", hull=hull, left=max(0, hull - cards)))
    return Sentences(told)


NONE: Final = Text("none")


def results(dice: tuple[Rolled, ...], faces: Iterable[Face] = Face, *, but: Sequence[Face] = ()) -> Text:
    """Return the counted results, in face order, ``1 hit, 2 blanks``; ``none`` for none. ``but`` these faces, unless
    there is nothing else: the picture and its alt text show every die.
    """
    counts = Counter(Face(str(die.face)) for die in dice if die.counts)
    result = {face: NOUNS[face].of(counts[face]) for face in faces if counts[face]}
    told = [count for face, count in result.items() if face not in but] or list(result.values())[:1]
    return Sentences(told, ", ") or NONE


def turn(state: Attack, names: People) -> Shown:
    """Return whose turn it is; when the attack is over, what its bonus attacks claim, if any."""
    if state.window in (AttackWindow.OVER, AttackWindow.WITHDRAWN):
        return Sentences(map(texts.ended, attacks.bonus_claims(state)))
    if state.window is AttackWindow.DECLARE_DEFENSE:
        anybody = names.get(Side.DEFENDER, Text("Anyone else"))
        return Text("{names}: press Defend and enter your tokens and effects.", names=anybody)
    if state.window is AttackWindow.REINFORCE:
        who = names.get(Side.DEFENDER, Text("The defender"))
        return Text("{who}: is the attacker in the full arc of your reinforce token? Measure, then press.", who=who)
    if state.window in attacks.ENTERS:
        return physical_dice_note(state, attacks.ENTERS[state.window], names)
    is_step = state.window in attacks.STEPS
    side = attacks.STEPS[state.window][0] if is_step else ACTS[state.window][0]
    has_claims = not is_step and bool(state.claims)  # a step between windows has none to ask for
    message = YOUR_TURN if side in names else CLAIM_TURN if has_claims else TURNS[is_step]
    if has_claims and side is Side.DEFENDER and state.plays_both:
        message, side = PLAYS_BOTH, Side.ATTACKER
    asked = Text(message, who=names.get(side, THE[side]), side=side)
    return asked if is_step else with_coming(asked, state, ACTS[state.window][1])


PLAYS_BOTH: Final = N_("{who}, for the defender: press the tokens that are spent, or press Done.")
YOUR_TURN: Final = N_("{who}'s turn.")
"""Buttons show what is possible, dice the effects."""
CLAIM_TURN: Final = N_("Waiting for someone to play the {side}: press the tokens you spend, or press Done.")
TURNS: Final = {
    True: N_("Anyone playing the {side}: use a card or press Done."),
    False: N_("Anyone playing the {side}: change dice or press Done."),
}
"""Sentences for a free side, by whether it is a step between windows."""


def physical_dice_note(state: Attack, pool: Pool, names: People) -> Shown:
    side, count = attacks.OWN_POOL_SIDE[pool], attacks.pool_size(state.declared, pool)
    who = names.get(side, THE[side])
    message = N_("{who}'s turn: roll {dice} on camera, then enter it.")
    if count != 1:
        message = N_("{who}'s turn: roll {dice} on camera, then enter them.")
    return with_coming(Text(message, who=who, dice=DICE_OF[pool].of(count)), state, pool)


def with_coming(asked: Text, state: Attack, pool: Pool) -> Text:
    """Return the question to a player; for defense dice, with the results to cancel."""
    coming = results(state.red, (Face.HIT, Face.CRIT)) if pool is Pool.GREEN else NONE
    return asked if coming == NONE else Sentences([asked, Text("To cancel: {coming}.", coming=coming)])


THE: Final[People] = {Side.ATTACKER: Text("The attacker"), Side.DEFENDER: Text("The defender")}


def story(state: Attack) -> tuple[Shown, ...]:
    """Return the attack's story: each pool from its roll on, cancellations, and removed tokens."""
    if state.window in (AttackWindow.DECLARE_DEFENSE, AttackWindow.WITHDRAWN):
        return ()
    if state.window in NOT_FALLEN:
        return state.told
    lines: list[Shown] = [*state.before, *state.told, *trail(Pool.RED, state.red, state.causes)]
    if state.window is AttackWindow.OVER or pool_of(state) is Pool.GREEN:
        lines += trail(Pool.GREEN, state.green, state.causes)
    return (*lines, *list_neutralized(state.red), *idle_window_notes(state), *leaving_token_notes(state))


def idle_window_notes(state: Attack) -> list[Shown]:
    missed = state.damage is not None and not state.damage.total
    every = ((IDLE, state.idle_red, Pool.RED), (NOTHING_LEFT if missed else IDLE, state.idle, Pool.GREEN))
    return [Text(messages[frozenset(sides)], dice=DICE[pool]) for messages, sides, pool in every if sides]


IDLE: Final[Mapping[frozenset[Side], Message]] = {
    frozenset({Side.ATTACKER}): N_("Nothing the attacker could do to the {dice} would change the outcome"),
    frozenset({Side.DEFENDER}): N_("Nothing the defender could do to the {dice} would change the outcome"),
    frozenset(Side): N_("Nothing either player could do to the {dice} would change the outcome"),
}
NOTHING_LEFT: Final[Mapping[frozenset[Side], Message]] = {
    frozenset({Side.ATTACKER}): N_(
        "Nothing is left to cancel, so the attacker doesn't need to modify the defense dice"
    ),
    frozenset({Side.DEFENDER}): N_(
        "Nothing is left to cancel, so the defender doesn't need to modify the defense dice"
    ),
    frozenset(Side): N_("Nothing is left to cancel, so neither player needs to modify the defense dice"),
}
"""Sentences by the sides whose windows closed."""


def pool_of(state: Attack) -> Pool:
    """Return a window's dice; step 6's reinforce tokens follow the defense dice."""
    if state.window in attacks.ENTERS:
        return Pool.RED
    return ACTS[state.window][1] if state.window in ACTS else Pool.GREEN


def list_neutralized(red: tuple[Rolled, ...]) -> list[Shown]:
    """Step 6, by cause."""
    last = [die.trail[-1] for die in red]
    canceled = [(step.by, term(str(step.face))) for step in last if step.how == "cancelled"]
    faces = {by: [face for cause, face in canceled if cause == by] for by in NEUTRALIZERS}
    told = [(Capitalized(term(by)), tally(shown)) for by, shown in faces.items() if shown]
    return [Text("{by} cancels: {dice}", by=by, dice=shown) for by, shown in told]


@lru_cache(maxsize=256)  # a press changes one pool's dice; the other's sentence stays
def trail(pool: Pool, dice: tuple[Rolled, ...], causes: tuple[Cause, ...]) -> tuple[Shown, ...]:
    """Return one pool's story up to step 6, a line per cause, in order. Automatic changes (after both windows) are not
    among ``causes`` and come last.
    """
    first = [die.trail[0] for die in dice if die.trail[0].how != "added"]
    was_entered = any(step.how == "entered" for step in first)
    message = N_("{dice} entered: {faces}") if was_entered else N_("{dice} rolled: {faces}")
    lines = [Text(message, dice=POOLS[pool], faces=Sentences([term(str(item.face)) for item in first], ", ") or NONE)]
    for (how, by), items in changes_of(pool, dice, causes).items():
        lines += [Text(DID[how][bool(by)], by=Capitalized(by), dice=tally(items))] if items else []
    return tuple(lines)


def changes_of(pool: Pool, dice: tuple[Rolled, ...], causes: tuple[Cause, ...]) -> dict[tuple[str, Shown], list[Text]]:
    """Return what happened to a pool after it was rolled, by cause."""
    changes: dict[tuple[str, Shown], list[Text]] = {(how, by): [] for of, how, by in causes if of is pool}
    for die in dice:
        start = 0 if die.trail[0].how == "added" else 1
        for at, step in enumerate(die.trail[start:], start):
            if (cause := (step.how, step.by)) not in STEP_6 and step.how != "entered":
                before = die.trail[at - 1 : at] if at and step.how not in ("cancelled", "spent") else ()
                faces = [term(str(item.face)) for item in (*before, step)]
                changes.setdefault(cause, []).append(Sentences(faces, " → "))
    return changes


def tally(items: list[Text]) -> Text:
    counts = Counter(items).items()
    return Sentences([joined(item, Code(f"×{count}")) if count > 1 else item for item, count in counts], ", ")


def leaving_token_notes(state: Attack) -> list[Shown]:
    declared = {Side.ATTACKER: state.declared.attack, Side.DEFENDER: state.declared.defense or declarations.LineUp()}
    return [
        Text("The {side} loses {token}", side=side, token=token.noun.of(1))
        for side, line_up in declared.items()
        for name, token in ON_SIDE[side].items()
        if token.leaves_after_roll and state.side(side).has(name) < line_up.has(name)
    ]


def side_summary(state: Attack, left: Mapping[Side, Sequence[Shown]]) -> Shown:
    """Say what a side can still use: ``Defender: 2 dice, evade``; an acting side has buttons, except for several."""
    if state.damage is not None:
        return EMPTY
    acts = ACTS.get(state.window, (None,))[0]
    has_several = acts is not None and any(count > 1 for _, count in state.side(acts).tokens(acts))
    parts = {side: [*left[side]] * (side is not acts or has_several) for side in Side}
    if acts is Side.DEFENDER:
        parts[acts] = parts[acts] or ship(state)
    if acts is Side.ATTACKER:  # the ship at stake matters once its own side chooses; until then it is behind **How?**
        parts[Side.DEFENDER] = [item for item in left[Side.DEFENDER] if item not in (*ship(state), OWN_ABILITY)]
    if not state.green and (dice := declarations.defense_pool(state.declared)):
        parts[Side.DEFENDER] = [Count(dice, "die", "dice"), *parts[Side.DEFENDER]]
    every = (texts.labeled(WHO[side], Sentences(held, ", ")) for side, held in parts.items() if held)
    return Sentences(every, " · ")


WHO: Final[People] = {Side.ATTACKER: Text("Attacker"), Side.DEFENDER: Text("Defender")}


def side_assets(state: Attack, side: Side, left: Sequence[Shown]) -> Shown:
    """Dice, tokens and effects left of one side, and the defender's ship; ``left`` is what ``side_input_text`` says."""
    if side is Side.DEFENDER and state.window in (AttackWindow.DECLARE_DEFENSE, AttackWindow.WITHDRAWN):
        return Text("not declared")
    return Sentences([dice_count(state, side), *left], ", ")


def side_input_text(state: Attack, side: Side) -> list[Shown]:
    """Return a side's remaining tokens and effects, cards by name, and the defender's ship."""
    line_up = state.side(side)
    parts = list_typed(line_up, side)
    own = state.declared.ship(side).partition(" #")[0]
    named = (
        OWN_ABILITY if effect.name == own else effect.name or Code(effect.by) for effect in line_up.effects if effect.by
    )
    parts += dict.fromkeys(named)
    arcs = {"reinforce fore": line_up.fore, "reinforce aft": line_up.aft}
    parts += [token_amount(name, count) for name, count in arcs.items() if count]
    return parts + (ship(state) if side is Side.DEFENDER else [])


def list_typed(line_up: declarations.LineUp, side: Side) -> list[Shown]:
    """Return a side's tokens and effects from no card, with claims and costs as typed."""
    parts: list[Shown] = [token_amount(token.name, count) for token, count in line_up.tokens(side)]
    parts += [joined(0, term(name)) for name in line_up.none]
    effects = (effect for effect in line_up.effects if not effect.by)
    return parts + [
        Code(f"`{write_effect(effect)}`") if effect.given or effect.cost else effect_text(effect) for effect in effects
    ]


OWN_ABILITY: Final = Text("pilot ability")
"""Name of a pilot's ability next to the pilot's name."""


def token_amount(token: str, count: int) -> Text:
    """``focus``, ``focus 2``."""
    return joined(term(token), count) if count > 1 else term(token)


def dice_count(state: Attack, side: Side) -> Text:
    """Return ``weapon value 3``; with bonuses, the sum: ``3 dice (3, +1 range 1, -1 deplete)``."""
    attacks = side is Side.ATTACKER
    (value, name), *more = (
        declarations.attack_parts(state.declared) if attacks else declarations.defense_parts(state.declared)
    )
    is_too_many = value + sum(count for count, _ in more) > declarations.MAX_POOL
    if not more and not is_too_many:
        return joined(term(name), value)
    dice = declarations.attack_pool(state.declared) if attacks else declarations.defense_pool(state.declared)
    counted = Count(dice, "die", "dice")
    lines: list[Shown] = [Code(str(value)), *(joined(Code(f"{count:+d}"), term(why)) for count, why in more)]
    lines += [Text("at most {most}", most=declarations.MAX_POOL)] if is_too_many else []
    return texts.bracketed(counted, Sentences(lines, ", "))


def hull_of(declared: Declared) -> list[Shown]:
    """Return the hull and shields of the attacked ship; [] if unknown."""
    shields = [Text("shields {shields}", shields=declared.shields)] if declared.shields else []
    return [] if declared.hull is None else [Text("hull {hull}", hull=declared.hull), *shields]


def ship(state: Attack) -> list[Shown]:
    """Return the attacked ship; [] without a known hull."""
    hull, shields, damage = state.declared.hull, state.declared.shields, state.damage
    if hull is None or damage is None:
        return hull_of(state.declared)
    cards = [Count(damage.facedown, "facedown card", "facedown cards")] if damage.facedown else []
    cards += [Count(damage.faceup, "faceup card", "faceup cards")] if damage.faceup else []
    lost = f" → {shields - damage.shields_lost}" if damage.shields_lost else ""
    return [
        Text("shields {shields}{lost}", shields=shields, lost=Code(lost)),
        Text("hull {hull}: {cards}", hull=hull, cards=Names(cards) or Text("no cards")),
    ]


LEAVES: Final = N_("{line} · a destroyed ship is removed after all ships at the attacker's initiative have engaged")
"""Appended to the ruleset if an attack destroys."""
STEP_8: Final = Text("Afterward, in this order: {aftermath}.", aftermath=Sentences(attacks.AFTERMATH, "; "))
"""A reminder of step 8's four windows."""


def leading_side(state: Attack) -> Ahead:
    if state.damage is None:
        return "nobody" if state.window is AttackWindow.WITHDRAWN else "open"
    return "attacker" if state.damage.total else "defender"


def strip(pool: Pool, dice: tuple[Rolled, ...], is_over: bool = False) -> Strip:
    """Return a pool's dice; once the attack is over, a remaining focus result is unused."""
    return Strip(POOLS[pool], tuple(tile(die, is_over) for die in dice), beside=pool is Pool.GREEN)


def tile(die: Rolled, is_over: bool = False) -> Tile:
    """Return a die with its trail's marks; a reroll undoes earlier changes."""
    rerolls = [at for at, step in enumerate(die.trail) if step.how == "rerolled"]
    changes = [step.by for step in die.trail[rerolls[-1] if rerolls else 0 :] if step.how == "changed"]
    badge, face = texts.english(changes[-1]) if changes else "", str(die.face)
    return Tile(
        body=die.kind,
        face=face,
        fate=fate_of(die, "unused" if is_over and face == Face.FOCUS else "stands"),
        badge=badge if badge in TOKENS or not badge else "card",
        ghost=str(die.trail[rerolls[-1] - 1].face) if rerolls else "",
        added=die.trail[0].how == "added",
    )


LOOSE: Final[Mapping[Pool, Message]] = {Pool.RED: N_("red dice: {results}"), Pool.GREEN: N_("green dice: {results}")}


def loose_dice_card(state: LooseRoll, names: People) -> Card:
    pools = [(pool, dice) for pool, dice in ((Pool.RED, state.red), (Pool.GREEN, state.green)) if dice]
    strips = tuple(strip(pool, dice) for pool, dice in pools)
    shown = Sentences([Text(LOOSE[pool], results=results(dice)) for pool, dice in pools], "; ")
    outcome = Text("{names} rolls {shown}.", names=names.get(Side.ATTACKER, Text("Someone")), shown=shown)
    told = tuple(line for pool, dice in pools for line in trail(pool, dice, state.causes))
    small = Text("Outside an attack, results have no effect by themselves; each die can be rerolled once")
    return Card(Text("X-Wing dice"), outcome, strips, trail=told, small=small, alt=plain_text.strips(strips))
