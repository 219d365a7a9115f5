"""An order that several people declare before the dice: attackers, targets, weapons, and reactions. Each form's part
becomes a typed line, so the dice are as for a typed order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, Literal

from bot.rules import game
from bot.rules.errors import BadInputError, Example, PlayerError
from bot.rules.game import MAX_OPTIONS, Act, AfterOffer, ButtonRank, Choice, Field, Offer, Option, PlainAct, Side
from bot.rules.infinity.orders import fields, forms, modifiers
from bot.rules.infinity.orders.order import Declared, OpenOrder, TrooperAim, assemble
from bot.rules.infinity.orders.typed_orders import LINE_END, MAX_LINES, OrderLine, parse
from bot.rules.infinity.troopers import states, trooper as troopers, weapon as weapons
from bot.rules.infinity.troopers.declared import DEPLOYS, GUARD_INCHES, Action, Edition, Order, Weapon
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.infinity.troopers.trooper import Trooper
from bot.rules.pieces import key
from bot.rules.text import EMPTY, N_, Code, Name, Names, Shown, Text, english, labeled

MAX_ACTORS: Final = 6
"""Maximum attackers in an order, and reactions with their own button, so that all buttons fit on a card."""
MORE: Final = Field("more", Text("Other MODs and dice"), Code("-3 b2 rolls 9, 4"), required=False, longest=60)
APPLIES: Final = Field("around", Text("What applies"), required=False, options=fields.AROUND_REACTION, several=True)
MORE_ALLOWED: Final = Text("You can write MODs with their signs (`-3`), `b2`, `+1sd`, and faces: `rolls 9, 4`.")
EVASIONS: Final = (Option("dodge", Text("Dodge")), Option("reset", Text("Reset")))
AID: Final = (
    (Option("doctor", Text("Doctor")), "Doctor", (*states.DOWN, "Stunned"), False),
    (Option("engineer", Text("Engineer")), "Engineer", (*states.DOWN, *states.REPAIRED), True),
)
"""Skills on a friend: the form's option, who has the skill, the states it ends, and whether it is for STR."""
DISCOVER: Final = Option("discover", Text("Discover"))
SENSOR: Final = Option("sensor", Text("Sensor"), Text("all markers within 8 inches"))
COUP: Final = Option("coup", Text("Coup de Grâce"), Text("no roll: the target is Dead"))
INTUITIVE: Final = Option("intuitive", Text("Intuitive Attack"))


# Acts


class SayAttack(Act):
    """Weapon, targets, and distance of an attack, by its place from 1."""

    at: int

    forms = ("attack-{at}",)

    def apply(self, order: OpenOrder, choice: Choice) -> OpenOrder:
        aim = order.attacks[self.at - 1]
        left = tuple(attack for attack in order.attacks if attack is not aim)
        said = attack_lines(order, aim, choice.filled or {})
        open_order = with_lines(replace(order, attacks=left), said, aim.name)
        return replace(open_order, lines=(*said, *order.lines)) if order.first else open_order


class React(Act):
    """A trooper's reaction, by its place in the roster from 1: the form's, or a usual one, ``at`` from 0. ``word``:
    ``last`` rolls at once; ``wait`` before a marker declares only after the second skill.
    """

    word: Literal["react", "quick", "last", "wait"]
    place: int
    at: int | None = None

    forms = ("{word}-{place}", "{word}-{place}-{at}")

    def apply(self, order: OpenOrder, choice: Choice) -> OpenOrder:
        trooper = order.roster[self.place - 1]
        if self.word == "wait":
            return replace(order, waits=(*order.waits, trooper.name))
        if self.at is not None:
            _, line = usual_reactions(order, parsed(order), trooper)[self.at]
        else:
            line = reaction_line(order, trooper, choice.filled or {})
        return with_lines(order, [of_player(line, choice.player)], trooper.name)


def foes_of(order: OpenOrder, lines: Sequence[OrderLine], name: str) -> list[Name]:
    """Return a trooper's attackers; without any, the trooper whose order it is, or everybody who acts."""
    rolls = close_order(order).rolls if lines else ()
    active = list(dict.fromkeys(each.name for each in rolls if each.side is Side.ATTACKER))
    return attackers_of(lines, key(name)) or ([Name(order.first)] if order.first else active)


def add_reaction(order: OpenOrder, choice: Choice) -> OpenOrder:
    """Add an ARO of any trooper to the open order; default target: its trooper's attackers.

    Raises ``BadInputError`` or ``UnknownWordError`` if it is invalid, so that the order can always be rolled.
    """
    filled = choice.filled or {}
    does, typed = filled.get("does", "").strip(), filled["aro"].strip()
    if not does and not typed:
        raise BadInputError("does", None, Text("Choose what the trooper does, or type it."))
    text = line = " ".join(" ".join([filled.get("who", ""), does, *condition_words(filled), typed]).split())
    if LINE_END.search(line):
        allowed = Text("Use one line: a trooper and what it does, as in `Ortega 11` or `Ortega pistol`.")
        raise BadInputError("ARO", text, allowed)
    (said,) = parse(line, roster_of(order)).lines
    roll, targets = said.roll, said.targets
    if roll.trooper is not None:
        check_can_act(roll.trooper)
    lines = parsed(order)
    foes = foes_of(order, lines, roll.name)
    if key(roll.name) in acting_names(lines):
        message = N_("Use a trooper without a roll in this order; call a second one `{roll} #2`.")
        raise BadInputError("ARO", roll.name, Text(message, roll=Name(roll.name)))
    if not targets and not modifiers.read_skill(roll).action.is_evasion:
        if len(foes) > 1:
            allowed = Text("Name the target: {foes}.", foes=Names([Code(f"`vs {foe}`") for foe in foes], "or"))
            raise BadInputError("ARO", text, allowed)
        line = f"{line} vs {foes[0]}"
    added = with_lines(order, [of_player(line, choice.player)])
    if targets and any(each.name == roll.name and each.side is Side.ATTACKER for each in close_order(added).rolls):
        example = Example(f"{roll.name} 11 vs {foes[0]}")
        raise BadInputError("ARO", text, Text("Use a reaction against a trooper who is acting."), example)
    return added


def ask_second_skill(order: OpenOrder, *_: object) -> OpenOrder:
    """Ask for the second skill: an attack on anybody, or something without dice."""
    own = find(order, order.first)
    foes = [foe.name for foe in order.roster if foe.owner != own.owner and states.DEAD not in foe.states]
    can = foes and (arms_of(own) or skills_of(own, [find(order, name) for name in foes]))
    return replace(order, second=True, attacks=(TrooperAim(own.name, tuple(foes[:MAX_OPTIONS])),) if can else ())


def is_over(act: Act) -> bool:
    """Whether the dice are rolled after it."""
    return act in (ROLL.act, AT_ONCE.act) or (isinstance(act, React) and act.word == "last")


ADD: Final = PlainAct("aro", add_reaction)
ROLL: Final = Offer(
    PlainAct("roll", lambda order, _: order), Side.ATTACKER, Text("Roll all dice"), then=AfterOffer.CLOSES
)
NO_MORE: Final = replace(ROLL, who=Side.DEFENDER, label=Text("No more AROs: roll the dice"))
AT_ONCE: Final = Offer(
    PlainAct("at-once", lambda order, _: order), Side.ATTACKER, Text("Roll without waiting"), rank=ButtonRank.ASIDE
)
"""Offer of the reactive side to end its reactions; the active player may see that too."""
GO_ON: Final = replace(NO_MORE, act=PlainAct("second", ask_second_skill), label=Text("No more AROs: second skill"))
UNASKED: Final = replace(AT_ONCE, act=PlainAct("go-on", ask_second_skill), label=Text("Continue without waiting"))
IDLE: Final = Offer(
    PlainAct("idle", lambda order, _: replace(order, attacks=())), Side.ATTACKER, Text("Second skill without dice")
)
OVER: Final = replace(NO_MORE, label=Text("No AROs: end the order"))
"""After a first skill without dice, the second follows the AROs; troopers without one may react to it."""
WITHDRAW: Final = Offer(
    PlainAct("withdraw", lambda state, *_: replace(state, withdrawn=True)),
    Side.ATTACKER,
    Text("Withdraw"),
    rank=ButtonRank.LAST,
)


# Forms


def order_fields(roster: troopers.Roster, player: int = 0) -> tuple[Field, ...]:
    """Return an order's form: attacker and target, or one line per roll. A list has 25 names: for attackers
    ``player``'s first; for targets enemies, then friends whom a Doctor or Engineer may help.
    """

    def foreign(trooper: Trooper) -> bool:
        return not player or trooper.owner != player

    troopers = sorted(roster.values(), key=lambda trooper: trooper.name.casefold())
    acting = (trooper for trooper in troopers if states.allowed_actions(trooper.states, states.ACTING))
    actors = sorted(acting, key=foreign)
    alive = (trooper for trooper in troopers if states.DEAD not in trooper.states)
    aims = sorted(
        alive, key=lambda trooper: (not foreign(trooper), foreign(trooper) or not (trooper.states or trooper.lost))
    )
    able, targets = (tuple(map(as_option, result[:MAX_OPTIONS])) for result in (actors, aims))
    if not able or len(targets) < 2:
        return forms.ORDER
    (typed,) = forms.ORDER
    who = Field("who", Text("Attacker"), required=False, options=able, several=True)
    whom = Field("whom", Text("Target"), required=False, options=targets, several=True)
    return (who, whom, replace(typed, label=Text("Or type one line per roll"), required=False))


ORDER_TITLE: Final = Text("Infinity order")
SHOT_TITLE: Final = Text("Infinity: a shot")


def declare_form(texts: Mapping[str, str], table: Mapping[str, Any]) -> tuple[Text, tuple[Field, ...]] | None:
    """Return the form of a shot or order with its earlier texts; None if the shooter is gone."""
    roster = troopers.troopers_of(table)
    if "name" not in texts:
        acts = next((item for item in roster.values() if item.name in texts.get("who", "").split(", ")), None)
        return ORDER_TITLE, order_fields(roster, acts.owner if acts else 0)
    armed = ((item, f"{item.name} {weapon.name}") for item in roster.values() for weapon in item.arms)
    trooper = next((item for item, words in armed if key(words) == key(texts["name"])), None)
    return None if trooper is None else (SHOT_TITLE, forms.shot_of(trooper, roster, texts.get("name_b", "")))


def as_option(trooper: Trooper) -> Option:
    return Option(trooper.name, Name(trooper.name), troopers.condition(trooper))


def attack_fields(order: OpenOrder, aim: TrooperAim) -> tuple[Field, ...]:
    """Return the fields of an attack, only those with more than one answer."""
    trooper, targets = find(order, aim.name), [find(order, name) for name in aim.targets]
    arms = (*arms_of(trooper, targets), *skills_of(trooper, targets))[:MAX_OPTIONS]
    form = [Field("weapon", Text("Weapon"), options=arms)] if len(arms) > 1 else []
    if len(targets) > 1:
        names = ", ".join(aim.targets) if len(order.attacks) == 1 else ""
        form.append(Field("target", Text("Target"), options=tuple(map(as_option, targets)), several=True, value=names))
    more = [band.inches for band in modifiers.DISCOVER] if any(map(is_hidden, targets)) else []
    more += [GUARD_INCHES] * trooper.has("Guard")
    if more or any(arm.bands for arm in trooper.arms):
        form.append(forms.distance_field(trooper, targets, more))
    coup = [COUP] * any(states.UNCONSCIOUS in target.states for target in targets)
    traits = {trait for weapon in trooper.weapons for trait in weapon.traits}
    is_intuitive = "intuitive" in traits if traits else any(map(is_hidden, targets))
    around = (*fields.attack_circumstances(trooper), *coup, *[INTUITIVE] * is_intuitive)
    return (*form, replace(APPLIES, options=around), MORE)


def is_hidden(trooper: Trooper) -> bool:
    return states.is_hidden(trooper.states)


def skills_of(trooper: Trooper, targets: Sequence[Trooper]) -> tuple[Option, ...]:
    """Return actions on these besides attacks: discover hidden ones, help downed ones."""
    aid = [
        option
        for option, skill, ends, structure in AID
        if trooper.has(skill)
        and any(set(ends) & set(target.states) and (structure or "STR" not in target.stats) for target in targets)
    ]
    options = [DISCOVER] * any(map(is_hidden, targets)) + [SENSOR] * trooper.has("Sensor") + aid
    return tuple(item for item in options if states.allowed_actions(trooper.states, (Action(item.value),)))


def deployment_of(trooper: Trooper) -> Action | None:
    """Return a trooper's deployment roll; for a marker, whose skills are secret, its kind's."""
    if trooper.is_marker:
        return next((action for state, action in UNDER_MARKERS.items() if state in trooper.states), None)
    return next((action for action in DEPLOYS[1:] if trooper.has(action.label.message)), None)


UNDER_MARKERS: Final = {"Camouflaged": Action.INFILTRATE, "Impersonation": Action.IMPERSONATE}


def arms_of(trooper: Trooper, targets: Sequence[Trooper] = ()) -> tuple[Option, ...]:
    """Return the weapons and programs usable in a trooper's states; a kit only for a hurt target."""
    is_hurt = any(target.lost or target.states for target in targets)
    fitting = [arm for arm in trooper.arms if is_hurt or not arm.is_kit]
    able = [arm for arm in fitting if states.allowed_actions(trooper.states, (arm.action,))]
    described = ((arm.name, Code(weapons.describe(arm)[:100])) for arm in able[:MAX_OPTIONS])
    return tuple(Option(name, name, detail) for name, detail in described)


def reaction_fields(order: OpenOrder, lines: Sequence[OrderLine], trooper: Trooper) -> tuple[Field, ...]:
    """Return the fields of a trooper's reaction: its distance unless that of an attack on it is known."""
    attackers = attackers_of(lines, key(trooper.name))
    against = [line.roll for line in lines if line.roll.name in attackers]
    thrown = list(filter(modifiers.is_screen, against))
    is_known = any(draft.as_situation.distance is not None for draft in against if draft not in thrown)
    throws = any(weapon.is_screen for weapon in trooper.weapons)  # at a point with a distance of its own
    ask = any(weapon.bands for weapon in trooper.arms) and (throws or not is_known)
    far = [forms.distance_field(trooper, order.roster)] if ask else []
    evasions = [evasion for evasion in EVASIONS if states.allowed_actions(trooper.states, (Action(evasion.value),))]
    foes = tuple(Option(english(name), name) for name in attackers)
    whom = [Field("whom", Text("Target, if it attacks"), required=False, options=foes)] * (len(foes) > 1)
    does = Field("does", Text("What it does"), options=(*arms_of(trooper), *evasions)[:MAX_OPTIONS])
    applies = replace(APPLIES, options=fields.reaction_circumstances(trooper, screened=bool(thrown)))
    return (does, *whom, *far, applies, MORE)


# Offers


def offers(order: OpenOrder) -> tuple[Offer, ...]:
    """Return offers for attacks to specify; then for reactions and dice."""
    if order.attacks:
        return attack_offers(order)
    room, lines = len(order.lines) < MAX_LINES, parsed(order)
    is_first = bool(order.first) and not order.second
    asked = troopers_asked(order, lines, is_first=is_first or order.fires)
    able = asked if room else {}
    says = N_("{trooper} reacts")
    reacts = [
        reaction_offer(React("react", place), Text(says, trooper=trooper.name), reaction_fields(order, lines, trooper))
        for place, trooper in islice(able.items(), MAX_ACTORS)
    ]
    more = (aro_offer(order, lines),) if room else ()
    if not order.asks:
        return (*reacts, *more, ROLL, WITHDRAW)
    usual = quick_offers(order, lines, able, rolls=bool(order.lines) and not is_first)
    if sum(offer.rank is ButtonRank.PLAIN for offer in usual) > MAX_QUICK:
        usual = reacts if len(able) <= MAX_BUTTONS else []
    beside = tuple(replace(react, rank=ButtonRank.ASIDE) for react in reacts if react not in usual)
    if is_first:
        # anyone facing a marker may wait (rules page, Secrets: Discover, Dodge, Reset, or wait)
        waiting = asked.items() if is_hidden(find(order, order.first)) else ()
        labels = ((React("wait", place), Text("{trooper} waits", trooper=item.name)) for place, item in waiting)
        waits = [reaction_offer(act, label, rank=ButtonRank.ASIDE) for act, label in labels]
        return (*usual, *more, GO_ON, *waits, *beside, UNASKED, WITHDRAW)
    ends = (NO_MORE, AT_ONCE) if order.lines else (OVER, replace(UNASKED, act=AT_ONCE.act))
    return (*usual, *more, ends[0], *beside, ends[1], *([] if order.first else [WITHDRAW]))


def attack_offers(order: OpenOrder) -> tuple[Offer, ...]:
    message = N_("{trooper}: weapon and distance")
    attacks = list[Offer]()
    for at, aim in enumerate(order.attacks, 1):
        asks = game.form_or_press(attack_fields(order, aim))
        attacks.append(Offer(SayAttack(at), Side.ATTACKER, Text(message, trooper=aim.name), asks))
    return (*attacks, IDLE if order.first else WITHDRAW)


def quick_offers(
    order: OpenOrder, lines: Sequence[OrderLine], able: Mapping[int, Trooper], *, rolls: bool
) -> list[Offer]:
    """Return one-press reactions: ``Hector: Combi``; for the only one asked with the dice, without them in the list."""
    usual = [
        reaction_offer(React("quick", place, at), labeled(trooper.name, label))
        for place, trooper in able.items()
        for at, (label, _) in enumerate(usual_reactions(order, lines, trooper))
    ]
    if len(able) == 1 and rolls:
        acts = (replace(offer.act, word="last") for offer in usual)
        labels = (Text("{what}, then roll", what=offer.label) for offer in usual)
        last = zip(usual, acts, labels, strict=True)
        at_once = [replace(offer, act=act, label=label, then=AfterOffer.CLOSES) for offer, act, label in last]
        return [*at_once, *(replace(offer, rank=ButtonRank.ASIDE) for offer in usual)]
    return usual


MAX_QUICK, MAX_BUTTONS = 4, 3
"""Maximum reactions with their own buttons; beyond it maximum troopers with a button. The list has all others."""


def troopers_asked(order: OpenOrder, lines: Sequence[OrderLine], *, is_first: bool) -> dict[int, Trooper]:
    """Return the troopers who may react and are asked, by place from 1."""
    late = [name for name in order.waits if key(name) not in acting_names(lines)]
    names = watching(order) if is_first else [*foes_waiting(order, lines), *late]
    places = {key(trooper.name): (place, trooper) for place, trooper in enumerate(order.roster, 1)}
    asked = (places[name] for name in dict.fromkeys(map(key, names)) if name in places)
    may = (*states.ATTACKING, *fields.EVADE)
    return {place: trooper for place, trooper in asked if states.allowed_actions(trooper.states, may)}


def reaction_offer(act: Act, label: Shown, form: tuple[Field, ...] = (), rank: ButtonRank = ButtonRank.PLAIN) -> Offer:
    return Offer(act, game.Eligible(Side.DEFENDER, game.OpenTo.JOINS), label, game.form_or_press(form), rank=rank)


def acts(order: OpenOrder) -> str:
    if order.first:
        return order.first
    return order.attacks[0].name if order.attacks else parsed(order)[0].roll.name


def foes_waiting(order: OpenOrder, lines: Sequence[OrderLine]) -> list[str]:
    """Return attacked troopers without a reaction; an ally, such as one treated, has no ARO."""
    out = acting_names(lines) | {key(trooper.name) for trooper in order.roster if is_friend(order, trooper)}
    attacked = dict.fromkeys(target.name for line in lines for target in line.targets)
    return [name for name in attacked if key(name) not in out]


def is_friend(order: OpenOrder, trooper: Trooper) -> bool:
    active = next((each.owner for each in order.roster if key(each.name) == key(acts(order))), 0)
    return bool(active) and trooper.owner == active


def watching(order: OpenOrder) -> list[str]:
    """Return the moving trooper's enemies, who may react if they see it."""
    owner, busy = find(order, order.first).owner, acting_names(parsed(order))
    foes = (foe for foe in order.roster if foe.owner != owner and not (foe.is_down or foe.is_marker))
    return [foe.name for foe in foes if key(foe.name) not in busy and foe.name not in order.waits]


def usual_reactions(order: OpenOrder, lines: Sequence[OrderLine], trooper: Trooper) -> list[tuple[Shown, str]]:
    """Return an attacked trooper's usual reactions as label and line, without invalid ones.

    Reset if there are only Comms Attacks, otherwise a Dodge; before it, if there are no Comms Attacks, a weapon: a
    CC weapon if attacked in close combat, otherwise one that shoots; the one last used, or else the first.
    """
    against = [line.roll for line in lines if key(trooper.name) in [key(target.name) for target in line.targets]]
    kinds = {modifiers.read_skill(draft, order.edition).action for draft in against}
    foe = against[0].name if against else order.first
    kind = Action.CC if Action.CC in kinds else Action.SHOOT
    arms = [weapon for weapon in trooper.weapons if troopers.kind_of(weapon.action) is kind]
    arms.sort(key=lambda arm: arm.name.casefold() not in trooper.last.casefold())
    able = arms[:1] if Action.HACK not in kinds else []
    result: list[tuple[Shown, str]] = [(weapon.name, f"{trooper.name} {weapon.name} vs {foe}") for weapon in able]
    if any(map(modifiers.is_screen, against)):
        message = N_("{weapon}, past the smoke")
        names = [weapon.name for weapon in able]
        result += [(Text(message, weapon=name), f"{trooper.name} {name} past vs {foe}") for name in names]
    evasion = Action.RESET if kinds == {Action.HACK} else Action.DODGE
    result.append((evasion.label, f"{trooper.name} {evasion.value}"))
    return [(label, line) for label, line in result if fits(order, line)]


def fits(order: OpenOrder, line: str) -> bool:
    try:
        close_order(replace(order, lines=(*order.lines, line)))
    except PlayerError:
        return False
    return True


def aro_offer(order: OpenOrder, lines: Sequence[OrderLine]) -> Offer:
    """Offer everybody the form of any other ARO, for troopers without a roll so far."""
    busy, foe = acting_names(lines), acts(order)
    free = [
        trooper
        for trooper in order.roster
        if not (trooper.is_down or key(trooper.name) in busy or is_friend(order, trooper))
    ]
    options = tuple(map(as_option, free[:MAX_OPTIONS]))
    if not options:
        example = f"Fusilier #{len(order.lines)} 11 vs {foe}"
        typed = Field("aro", Text("Your trooper and its action"), Code(example), longest=forms.LINE_LONGEST)
        return reaction_offer(ADD, Text("Add an ARO"), (typed,))
    arms = {arm.value: Option(arm.value, arm.label) for trooper in free[:MAX_OPTIONS] for arm in arms_of(trooper)}
    does = (*EVASIONS, *arms.values())[:MAX_OPTIONS]
    armed = [trooper for trooper in free[:MAX_OPTIONS] if any(weapon.bands for weapon in trooper.arms)]
    far = []
    if armed:  # unknown weapon: all of their bands, without MODs
        reach = max(armed, key=lambda trooper: max(band.inches for weapon in trooper.arms for band in weapon.bands))
        field = forms.distance_field(reach, order.roster)
        far = [replace(field, options=tuple(replace(option, detail=EMPTY) for option in field.options))]
    who = Field("who", Text("Your trooper, or name it below"), required=False, options=options)
    what = Field("does", Text("What it does"), required=False, options=does)
    typed = Field("aro", Text("Or type it"), Code("pistol -3, or dodge"), required=False, longest=forms.LINE_LONGEST)
    return reaction_offer(ADD, Text("Add an ARO"), (who, what, *far, APPLIES, typed))


def acting_names(lines: Sequence[OrderLine]) -> set[str]:
    result = {key(line.roll.name) for line in lines}
    return result | {key(target.name) for line in lines for target in line.targets if target.has_roll}


def attackers_of(lines: Sequence[OrderLine], name: str) -> list[Name]:
    result = (line.roll.name for line in lines if name in [key(target.name) for target in line.targets])
    return [Name(item) for item in dict.fromkeys(result)]


# Steps


def begin(roster: troopers.Roster, who: Sequence[str], whom: Sequence[str], edition: Edition) -> OpenOrder:
    """Begin an order of several unspecified attacks. Raises ``PlayerError``."""
    if not whom:
        raise BadInputError("whom", None, Text("Use at least one target."))
    if both := [name for name in who if any(troopers.is_same_name(name, other) for other in whom)]:
        raise BadInputError("whom", both[0], Text("Use enemies of the attackers."))
    if len(who) > MAX_ACTORS:
        allowed = Text("Use at most {most} troopers in one order.", most=MAX_ACTORS)
        raise BadInputError("who", Text("{count} troopers", count=len(who)), allowed)
    attacks = tuple(TrooperAim(Name(name), tuple(map(Name, whom))) for name in who)
    order = OpenOrder(lines=(), edition=edition, roster=tuple(roster.values()), attacks=attacks)
    for name in (*who, *whom):
        find(order, name)
    for name in who:
        check_can_act(find(order, name))
    return order


def check_can_act(trooper: Trooper) -> None:
    down = next((state for state in trooper.states if state in states.DOWN), "")
    if down:
        raise PlayerError(Text(TOLD["state", "down"], trooper=trooper.name, down=Name(down)))


def attack_lines(order: OpenOrder, aim: TrooperAim, filled: Mapping[str, str]) -> list[str]:
    """Return an attack's lines. Burst is split evenly, with the remainder on the first target."""
    trooper = find(order, aim.name)
    names = [name for name in filled.get("target", "").split(", ") if name] or list(aim.targets)
    targets = [find(order, name) for name in names]
    skills = skills_of(trooper, targets)
    arms = (*arms_of(trooper, targets), *skills)
    does = filled.get("weapon", "") or (arms[0].value if len(arms) == 1 else "")
    is_skill = any(does == skill.value for skill in skills)
    weapon = None if is_skill else troopers.weapon_of(trooper, does)
    said_as = does if is_skill else weapon.name if weapon else ""
    said = " ".join(filter(None, [trooper.name, said_as, *condition_words(filled)]))
    if does == SENSOR.value:  # finds all markers near it, and unnamed hidden troopers
        names = [target.name for target in targets if "Camouflaged" in target.states]
        return [f"{said} vs {', '.join(names)}" if names else said]
    if len(names) == 1 or (weapon and weapon.action in (Action.TEMPLATE, Action.DIRECT)):
        return [f"{said} vs {', '.join(names)}"]
    return [f"{said} b{dice} vs {name}" for name, dice in zip(names, split_burst(weapon, len(names)), strict=True)]


def split_burst(weapon: Weapon | None, targets: int) -> list[int]:
    """Split Burst over targets: 3 over 2 is 2 and 1."""
    burst = weapon.burst if weapon else 1
    if targets > burst:
        allowed = Text("Use at most {burst}: one die each.", burst=burst)
        raise BadInputError("whom", Text("{targets} targets", targets=targets), allowed)
    return [burst // targets + (at < burst % targets) for at in range(targets)]


def reaction_line(order: OpenOrder, trooper: Trooper, filled: Mapping[str, str]) -> str:
    does = filled["does"]
    said = " ".join([trooper.name, does, *condition_words(filled)])
    if any(does == option.value for option in EVASIONS):
        return said
    foes = attackers_of(parsed(order), key(trooper.name)) or [Name(order.first)] * bool(order.first)
    whom = filled.get("whom", "").strip() or (foes[0] if len(foes) == 1 else "")
    if not whom:
        allowed = Text("Name the target of {trooper}: {foes}.", trooper=trooper.name, foes=Names(foes, "or"))
        raise BadInputError("whom", None, allowed)
    return f"{said} vs {whom}"


def condition_words(filled: Mapping[str, str]) -> list[str]:
    readers = (fields.read_special, fields.read_mods, fields.read_dice, *fields.AROUND)
    fields.add_typed(fields.Draft(), "more", filled.get("more", ""), MORE_ALLOWED, readers)
    at, around, more = (" ".join(filled.get(item, "").replace(",", " ").split()) for item in ("at", "around", "more"))
    return [*([f"at {at}"] if at else []), *filter(None, [around, more])]


def with_lines(order: OpenOrder, lines: Sequence[str], name: str = "") -> OpenOrder:
    """Add lines to the order. Raises ``PlayerError`` if they are invalid or mean another trooper than ``name``."""
    if name and any(line.roll.name != name for line in parse("\n".join(lines), roster_of(order)).lines):
        allowed = Text("Use a trooper whose name and weapon together aren't another trooper's name.")
        raise BadInputError("who", name, allowed)
    added = replace(order, lines=(*order.lines, *lines))
    if (edition := close_order(added).edition) != order.edition:
        raise BadInputError("edition", edition, Text("Use one edition for the whole order."))
    return added


def of_player(line: str, player: int) -> str:
    """Add the number of the trooper's player to a line, unless it has one."""
    if not player or any(fields.PLAYER.fullmatch(word) for word in line.split()):
        return line
    before, versus, after = line.partition(" vs ")
    return f"{before} @{player}{versus}{after}"


def close_order(order: OpenOrder, *, final: bool = False) -> Order:
    """Return the order with all AROs. Unless ``final``, its target may still answer, which implies a line of fire.
    Raises ``BadInputError`` or ``UnknownWordError`` for an invalid line.
    """
    typed = parse("\n".join(order.lines), roster_of(order))
    if not final:
        for target in (target for line in typed.lines for target in line.targets):
            target.awaited = True
    return replace(assemble(typed, order.edition, order.first), several=True)


def so_far(declared: Declared) -> Declared:
    """Return an open order with its AROs so far; any other declaration as it is."""
    return close_order(declared) if isinstance(declared, OpenOrder) and declared.lines else declared


def parsed(order: OpenOrder) -> Sequence[OrderLine]:
    return parse("\n".join(order.lines), roster_of(order)).lines if order.lines else ()


def roster_of(order: OpenOrder) -> troopers.Roster:
    return {trooper.name: trooper for trooper in order.roster}


def find(order: OpenOrder, name: str) -> Trooper:
    trooper = next((item for item in order.roster if key(item.name) == key(name)), None)
    if trooper is None:
        raise BadInputError("who", name, Text("Use a trooper in this channel."))
    return trooper
